"""The files of the encodings are what the README says, and nothing in them is dead."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import networkx as nx
import pytest
from shipped import (
    ALL_FILES,
    CARD_FILES,
    ENCODINGS,
    RULE_FILES,
    STATIC_OUTPUTS,
    heads,
    inputs,
    name_of,
    reads,
    table,
    without_comments,
)

from verifier import asp, resources
from verifier.asp import Predicate
from verifier.engine import shipped_rules
from verifier.program import OUTPUTS
from verifier.terms import Variable
from verifier.vocabulary import Vocabulary, shipped_words

PROGRAMS = [path for path in ALL_FILES if path not in CARD_FILES]
LAND_TYPES = Vocabulary(shipped_words()).words("basic_land_type")
RULES = shipped_rules()


# --- Files -----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", PROGRAMS, ids=name_of)
def test_programs_open_with_purpose_input_and_output(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith("%*\n")
    header = text.split("*%\n", 1)[0]
    assert re.search(r"^Purpose   \S", header, re.M)
    assert re.search(r"^(Input|Output)    ? *\S", header, re.M)


@pytest.mark.parametrize("path", RULE_FILES, ids=name_of)
def test_headers_name_only_what_the_file_has(path: Path) -> None:
    """A predicate of arity n, ``name/n``, in a header occurs in the program below it."""
    header, program = path.read_text(encoding="utf-8").split("*%\n", 1)
    rules = asp.read_program([path])
    known = heads(rules) | reads(rules)
    named = {(name, int(n)) for name, n in re.findall(r"\b([a-z]\w*)/(\d+)\b", header)}
    assert named - known == set(), "declared in the header, not in the program"
    assert program.strip()


@pytest.mark.parametrize("path", CARD_FILES, ids=name_of)
def test_cards_open_with_a_comment_that_names_the_card(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    (name,) = re.findall(r'^name\(\w+, ?"(.*)"\)\.', text, re.M)
    assert text.startswith(f"% {name}: ")
    comments = re.findall(r"^%.*", text.split("\nname(", 1)[0], re.M)
    assert len(comments) <= 2, "what the card does, in short"


@pytest.mark.parametrize("path", ALL_FILES, ids=name_of)
def test_lines_are_short(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > 100 or line != line.rstrip()] == []


def test_readme_lists_every_file() -> None:
    listed: list[str] = []
    for cells in table("Files"):
        listed += re.findall(r"`([\w/*]+\.lp)`", cells[0])
    assert sorted(listed) == sorted([*map(name_of, PROGRAMS), "cards/*.lp"])


def test_orders_include_every_file() -> None:
    text = (ENCODINGS / "orders.lp").read_text(encoding="utf-8")
    included = re.findall(r'^#include "(.*)"\.$', text, re.M)
    others = ["defined.lp", "input.lp", "observe.lp", "predefined.lp", "vocabulary.lp"]
    others += map(name_of, RULE_FILES)
    assert sorted(included) == sorted(others)


# --- Predicates ------------------------------------------------------------------------------


def test_inputs_are_declared() -> None:
    """What rules read and no rule derives is in ``defined.lp``.

    So is what cards and scenarios say, also where rules derive more of it (a keyword's
    abilities, what a player may cast as something resolves).
    """
    text = without_comments((ENCODINGS / "defined.lp").read_text(encoding="utf-8"))
    declared = re.findall(r"#defined (\w+)/(\d+)\.", text)
    assert re.sub(r"#defined (\w+)/(\d+)\.", "", text).split() == []
    assert len(set(declared)) == len(declared)
    needed = inputs(RULES) | {("stated", 0)}
    found = {(name, int(arity)) for name, arity in declared}
    assert needed - found == set(), "not declared"
    assert found - needed <= (said_by_cards() | heads(RULES)) & reads(RULES), "no input"


def test_no_predicate_is_dead() -> None:
    """What rules derive is read by a rule or by the driver."""
    assert heads(RULES) - reads(RULES) - OUTPUTS - STATIC_OUTPUTS == set()


def test_every_output_is_derived_and_shown() -> None:
    assert heads(RULES) >= OUTPUTS
    text = (ENCODINGS / "answers.lp").read_text(encoding="utf-8")
    shown = asp.read_program([ENCODINGS / "answers.lp"])
    declared = {(name, int(n)) for name, n in re.findall(r"^#show (\w+)/(\d+)\.", text, re.M)}
    directly = declared - heads(shown)
    assert reads(shown) | directly == OUTPUTS
    assert declared >= heads(shown)


def test_programs_are_stratified() -> None:
    """No predicate depends on itself through a negation or an aggregate.

    The driver relies on it: an answer is the one answer set, found while grounding.
    """
    graph: nx.DiGraph[Predicate] = nx.DiGraph()
    negative: set[tuple[Predicate, Predicate]] = set()
    for rule in RULES:
        for literal in rule.body:
            edge = (literal.predicate, rule.predicate)
            graph.add_edge(*edge)
            if not literal.required:
                negative.add(edge)
    component = {
        node: number
        for number, nodes in enumerate(nx.strongly_connected_components(graph))
        for node in nodes
    }
    assert {edge for edge in negative if component[edge[0]] == component[edge[1]]} == set()


# --- Cards -----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", CARD_FILES, ids=name_of)
def test_cards_speak_of_themselves(path: Path) -> None:
    """A card's constant is its file's name and follows from the card's; it has a type."""
    card = path.stem
    rules = asp.read_program([path])
    assert {str(rule.head_arguments[0]) for rule in rules} - {f"back({card})"} == {card}
    names = [rule.head_arguments[1] for rule in rules if rule.predicate == ("name", 2)]
    assert [resources.constant(str(name).strip('"')) for name in names] == [card]
    assert ("type", 2) in heads(rules)


def test_a_predicate_means_one_thing() -> None:
    """None is about a question (``S``) in some rules, and static, of something else, in others."""
    first = defaultdict(set)
    for rule in RULES:
        if rule.head_arguments:
            first[rule.predicate].add(rule.head_arguments[0] == Variable("S"))
    assert {shape for shape, found in first.items() if len(found) > 1} == set()


def test_rules_name_no_card() -> None:
    # The names of basic lands are also the names of their types (CR 305.6).
    # So are those of many tokens (CR 111.4).
    cards = {path.stem for path in CARD_FILES if not is_named_by_type(path)} - set(LAND_TYPES)
    for path in PROGRAMS:
        if name_of(path) == "predefined.lp":
            # What cards only name, the Comprehensive Rules define (CR 111.10).
            continue
        words = re.findall(r"[a-z]\w*", without_comments(path.read_text(encoding="utf-8")))
        assert cards.isdisjoint(words), f"{name_of(path)} knows a card"


def is_named_by_type(path: Path) -> bool:
    return f"subtype({path.stem}, {path.stem})." in path.read_text(encoding="utf-8")


def test_readme_lists_every_predicate_of_cards() -> None:
    """The vocabulary table has all that card files say, and nothing that no rule reads."""
    listed = said_by_cards()
    used = heads(asp.read_program(CARD_FILES))
    assert used - listed == set(), "used by cards, not in the README"
    assert listed - reads(RULES) == set(), "in the README, but no rule reads it"


def said_by_cards() -> set[Predicate]:
    """The predicates in the vocabulary table of the README."""
    listed: set[Predicate] = set()
    for cells in table("The vocabulary of cards"):
        for fact in re.findall(r"`([^`]*)`", cells[0]):
            for name, inner in re.findall(r"(\w+)\((.*?)\)\.", fact):
                listed.add((name, _count(inner)))
    return listed


def _count(arguments: str) -> int:
    """How many arguments there are, commas inside parentheses left out."""
    flat = arguments
    while "(" in flat:
        flat = re.sub(r"\([^()]*\)", "", flat)
    return flat.count(",") + 1
