"""How scenarios fare with a fault in a rule or in a card, and which rules fire in them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import networkx as nx
from clingo import ast

from verifier import Scenario, VerifierError, asp, engine, resources
from verifier.asp import Rule
from verifier.claims import check_claim
from verifier.firing import recorded
from verifier.program import OUTPUTS

if TYPE_CHECKING:
    from mutants import Mutant

NEEDED = Path(__file__).resolve().parents[1] / "encodings" / "needed"

#: Scenarios that no shipped card needs yet, and those that must end with an error.
EXTRA = sorted(map(str, NEEDED.glob("*.yaml")))
EXTRA_CARDS = NEEDED / "cards"

RULES = tuple(engine.shipped_rules())

#: The rules that are tried, by number: all of ``encodings/rules``.
TRIED = [
    number
    for number, rule in enumerate(RULES)
    if Path(rule.position.file).resolve() in {path.resolve() for path in resources.rule_files()}
]

#: Outputs that say why and by whom, not what.
EXPLAINING = {("cites", 3), ("who", 3), ("stands_for", 3)}


def known_as(name: str) -> str:
    """A scenario's name wherever the tests are: ``draw/...``, ``mana/...``, ``needed/...``."""
    return f"needed/{Path(name).stem}" if name in EXTRA else name


def path_of(known: str) -> str | None:
    """The scenario of such a name, if there is one."""
    return next((name for name in scenarios() if known_as(name) == known), None)


def text_hash(rule: Rule) -> str:
    """A rule, by its text."""
    return sha256(rule.text.encode()).hexdigest()[:12]


@dataclass(frozen=True)
class Trial:
    """How a scenario fared.

    Attributes
    ----------
    status
        What became of its claim.
    found
        A hash of its outcomes, in how many orders each comes about, and of the number of states,
        under each reading; or of its error.
    shown
        A hash of all that is shown, with reasons and choosers, if that was wanted.
    seconds
        How long it took.
    """

    status: str
    found: str
    shown: str
    seconds: float


@cache
def load(name: str) -> Scenario:
    """A shipped scenario, or one of those with their own cards."""
    return Scenario.load(name, cards=(EXTRA_CARDS,) if name in EXTRA else ())


def run(name: str, whole: bool = True) -> Trial:
    """Explore a scenario under each reading of the rules and hold it against its claims."""
    began = perf_counter()
    statuses: list[str] = []
    found: list[Any] = []
    shown: list[Any] = []
    try:
        scenario = load(name)
        for reading in ("", *scenario.readings):
            graph = engine.explore(scenario.under(reading), max_states=20_000)
            claim = check_claim(graph)
            fails = "fails" if claim.failures else "holds"
            statuses.append("undecided" if not graph.exhausted else fails)
            found.append([graph.states, [result.to_dict() for result in graph.outcomes]])
            if whole:
                shown.append([_without_time(graph.to_dict()), _explained(graph)])
        status = next((status for status in statuses if status != "holds"), "holds")
    except (VerifierError, RecursionError) as problem:
        status, found, shown = "error", [f"{type(problem).__name__} {problem}"], []
    return Trial(status, _hash(found), _hash(shown) if whole else "", perf_counter() - began)


def _hash(data: Any) -> str:
    return sha256(json.dumps(data, default=str).encode()).hexdigest()


def _without_time(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key != "seconds"}


def _explained(graph: Any) -> list[Any]:
    """Every choice with its chooser and its rules, and a way to each outcome."""
    edges = graph.to_networkx().edges(data=True)
    choices = sorted(sorted(map(repr, data.items())) for *_, data in edges)
    ways = [
        [(step.node, step.label, step.player, step.rules) for step in graph.explain(result)]
        for result in graph.outcomes
        if "loop" not in result.outcome
    ]
    return [choices, ways]


def observe(name: str) -> tuple[Trial, list[str]]:
    """How a scenario fares as it is, and the programs that are evaluated for it."""
    with recorded() as programs:
        trial = run(name)
    return trial, sorted(programs)


# --- Faults ----------------------------------------------------------------------------------


@contextmanager
def fault(mutant: Mutant) -> Iterator[None]:
    """The shipped rules, or a card, with a fault."""
    rule = mutant.rule
    made = [read(mutant)] if mutant.text else []
    split, of_card = engine.shipped_split, engine._rules_of_card
    if Path(rule.position.file).parent.name == "cards":

        def changed(path: Path, content: bytes) -> tuple[Rule, ...]:
            rules = of_card(path, content)
            if str(path) != rule.position.file:
                return rules
            return (*(other for other in rules if other.text != rule.text), *made)

        engine._rules_of_card = changed  # type: ignore[assignment]
    else:
        other = split().without({rule.text}).with_more(made)
        engine.shipped_split = lambda: other  # type: ignore[assignment]
    try:
        yield
    finally:
        engine.shipped_split, engine._rules_of_card = split, of_card


def read(mutant: Mutant) -> Rule:
    """What stands for the rule, read as a file is."""
    statements: list[ast.AST] = []
    ast.parse_string(str(mutant.text), statements.append)
    (rule,) = (asp._rule(s) for s in statements if s.ast_type == ast.ASTType.Rule)
    return replace(rule, position=mutant.rule.position)


def only_explains(rule: Rule) -> bool:
    """Whether all that a rule is good for is saying why and by whom."""
    return _explaining_only(rule.predicate)


@cache
def _explaining_only(shape: tuple[str, int]) -> bool:
    graph: nx.DiGraph[tuple[str, int]] = nx.DiGraph()
    for rule in RULES:
        graph.add_node(rule.predicate)
        graph.add_edges_from((part.predicate, rule.predicate) for part in rule.body)
    reached = (nx.descendants(graph, shape) | {shape}) & OUTPUTS
    return bool(reached) and reached <= EXPLAINING


def differs(mutant: Mutant, name: str, before: Trial) -> bool:
    """Whether a scenario fares differently with a fault (which is there now)."""
    explains = only_explains(mutant.rule)
    after = run(name, explains)
    if (after.status, after.found) != (before.status, before.found):
        return True
    return explains and after.shown != before.shown


def scenarios() -> list[str]:
    """All scenarios that rules are tried against."""
    return [*resources.shipped_scenarios(), *EXTRA]
