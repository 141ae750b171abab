"""Scenarios notice faults in the rules and in the cards.

Which scenarios notice the faults of a rule is kept in ``killers.txt`` (`killing`).  Here one rule
in so many is tried against its scenarios; ``MUTANTS_OF_ONE_RULE_IN=1`` tries all, which takes
hours.
"""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from implied import is_implied
from infections import Infections
from killing import (
    PRINTED,
    Found,
    Record,
    attempt,
    called,
    first_to_differ,
    key,
    remember,
    still_survive,
    tried,
)
from mutants import mutants
from trials import EXTRA, RULES, TRIED, observe, run, text_hash

from verifier import asp

#: One rule in so many is tried.
ONE_IN = int(os.environ.get("MUTANTS_OF_ONE_RULE_IN", "200"))


def test_every_rule_is_a_different_one() -> None:
    assert len({rule.text for rule in RULES}) == len(RULES)


def test_only_rules_are_tried() -> None:
    assert {RULES[number].position.file.rsplit("/", 2)[-2] for number in TRIED} == {"rules"}


def test_what_faults_a_rule_can_have() -> None:
    rule = next(r for r in RULES if r.text.startswith("earlier(S,I) :- waiting"))
    faults = {mutant.fault: mutant.text for mutant in mutants(rule)}
    assert faults["left out"] is None
    assert faults["J >= I"] == rule.text.replace("J < I", "J >= I")
    assert faults["without J < I"] == rule.text.replace("; J < I", "")
    assert "without apnap(S,You,I)" not in faults, "no program: a variable is unsafe"


def test_the_trial_itself() -> None:
    """A rule without which nothing can happen is noticed, one that never fires is not."""
    name = "draw/notion_thief_two_players"
    idle = next(RULES[n] for n in TRIED if RULES[n].text.startswith("before(A,B) :- turn_step"))
    vital = next(RULES[n] for n in TRIED if RULES[n].text.startswith("draws(S,P)"))
    fact, printed = (
        rule
        for known, rule in tried().items()
        if known[0] == "cards/notion_thief.lp" and rule.head in ("would", "toughness")
    )
    assert len(still_survive(idle, [name])) == len(mutants(idle))
    assert "left out" not in still_survive(vital, [name])
    assert "left out" in still_survive(vital, ["draw/gone"])
    assert still_survive(fact, [name]) == []
    assert still_survive(printed, [PRINTED]) == []
    assert still_survive(fact, [PRINTED]) == ["left out"]
    faults = mutants(idle)
    where = {called(mutant): [name] if mutant.text else [] for mutant in faults}
    known = where, {"notion_thief": [name]}
    with ProcessPoolExecutor(1, get_context("spawn"), remember, known) as pool:
        found = list(pool.map(attempt, [idle, fact, printed]))
    weak = [mutant.fault for mutant in faults if mutant.text]
    assert found == [
        Found(idle, [], ["left out"], weak),
        Found(fact, [name]),
        Found(printed, [PRINTED]),
    ]


def test_faults_that_change_what_is_derived() -> None:
    """Which step is before which does not matter where no turn passes, but it is derived."""
    rule = next(r for r in RULES if r.text.startswith("before(A,B) :- turn_step(I,A)"))
    name = "draw/notion_thief_two_players"
    trial, programs = observe(name)
    faults = dict(enumerate(mutants(rule)))
    infecting, _ = Infections(faults).found(programs, faults)
    assert {faults[number].fault for number in infecting} >= {"left out", "without I < J", "I >= J"}
    for number in infecting:
        assert first_to_differ(faults[number], [name], {name: trial}) is None


def test_what_says_no_more_than_the_rest_is_no_fault() -> None:
    """By a rule for an atom, by what brings a fluent about, and by what the driver warrants."""
    implied = {
        (mutant.rule.text, mutant.fault)
        for rule in RULES
        if rule.head in ("speaks_for", "who", "speaks", "draws")
        for mutant in mutants(rule)
        if mutant.fault.startswith("without ") and is_implied(mutant)
    }
    assert {fault for text, fault in implied if text.startswith("speaks_for(")} == {
        "without asks(S)"
    }
    assert ("who(S,E,P) :- reached(S,E); event_kind(S,E,_,P); not has_chooser(S,E).",
            "without reached(S,E)") in implied  # fmt: skip
    assert {fault for text, fault in implied if text.startswith("speaks(")} >= {"without M > 0"}


def test_what_infects_a_program(tmp_path: Path) -> None:
    program = """
        p(1..3). q(2..3). r(3,3).
        s(X) :- p(X); not q(X).
        s(X) :- r(X,Y); X = Y.
        t(X) :- p(X); q(X).
        t(X) :- q(X).
    """.replace("        ", "").strip()
    file = tmp_path / "rules.lp"
    file.write_text(program, encoding="utf-8")
    rules = [rule for rule in asp.read_program([file]) if rule.body]
    faults = [mutant for rule in rules for mutant in mutants(rule)]
    found, endless = Infections(dict(enumerate(faults))).found([program], range(len(faults)))
    assert not endless
    assert {(faults[n].rule.text, faults[n].fault) for n in found} == {
        ("s(X) :- p(X); not q(X).", "left out"),
        ("s(X) :- p(X); not q(X).", "without not q(X)"),
        ("s(X) :- r(X,Y); X = Y.", "left out"),
        ("s(X) :- r(X,Y); X = Y.", "X != Y"),
        ("t(X) :- p(X); q(X).", "without q(X)"),
    }


@pytest.mark.slow
def test_faults_are_noticed() -> None:
    record = Record.read()
    for known, rule in tried().items():
        if known in record.killers and int(text_hash(rule), 16) % ONE_IN == 0:
            alive = still_survive(rule, record.killers[known])
            parts = (record.survivors, record.weak, record.same)
            left = {fault for part in parts for fault in part.get(known, [])}
            assert set(alive) <= left, rule.text


def test_scenarios_made_for_this_hold() -> None:
    for name in EXTRA:
        trial = run(name)
        claimed = "claim:" in Path(name).read_text(encoding="utf-8")
        assert trial.status == ("holds" if claimed else "error"), name


def test_names_of_rules_are_different() -> None:
    assert len({key(rule) for rule in tried().values()}) == len(tried())
