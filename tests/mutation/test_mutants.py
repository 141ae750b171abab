"""Scenarios notice faults in the rules and in the cards.

Which scenarios notice the faults of a rule is kept in ``killers.txt`` (`killing`).  Here one rule
in so many is tried against its scenarios; ``MUTANTS_OF_ONE_RULE_IN=1`` tries all, which takes
an hour.
"""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from killing import Found, Record, attempt, first_to_differ, key, remember, still_survive, tried
from mutants import mutants
from trials import EXTRA, RULES, TRIED, derives_otherwise, load, observe, run, text_hash

#: One rule in so many is tried.
ONE_IN = int(os.environ.get("MUTANTS_OF_ONE_RULE_IN", "60"))


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
    name, trial, fired = observe("draw/notion_thief_two_players", TRIED)
    idle = RULES[next(number for number in TRIED if number not in fired)]
    vital = RULES[next(n for n in TRIED if n in fired and RULES[n].text.startswith("choice(S,go)"))]
    (fact,) = (
        rule
        for known, rule in tried().items()
        if known[0] == "cards/notion_thief.lp" and rule.head == "would"
    )
    assert len(still_survive(idle, [name])) == len(mutants(idle))
    assert "left out" not in still_survive(vital, [name])
    assert "left out" in still_survive(vital, ["draw/gone"])
    assert still_survive(fact, [name]) == []
    known = {name: trial}, {name: set(fired)}, {name: set(load(name).card_constants)}
    with ProcessPoolExecutor(1, get_context("spawn"), remember, known) as pool:
        found = list(pool.map(attempt, [idle, fact]))
    assert found[0] == Found(idle, [], [mutant.fault for mutant in mutants(idle)])
    assert found[1] == Found(fact, [name], [])


def test_a_fault_that_is_noticed_by_what_is_derived_only() -> None:
    """Which step is before which does not matter where no turn passes."""
    rule = next(r for r in RULES if r.text.startswith("before(A,B) :- turn_step(I,A)"))
    name = "draw/notion_thief_two_players"
    trial = run(name)
    for mutant in mutants(rule):
        if mutant.fault in ("without I < J", "I >= J"):
            assert first_to_differ(mutant, [name], {name: trial}) is None
            assert first_to_differ(mutant, [name], {name: trial}, derives_otherwise) == name


@pytest.mark.slow
def test_faults_are_noticed() -> None:
    record = Record.read()
    for known, rule in tried().items():
        if known in record.killers and int(text_hash(rule), 16) % ONE_IN == 0:
            alive = still_survive(rule, record.killers[known])
            left = {*record.survivors.get(known, []), *record.weak.get(known, [])}
            assert set(alive) <= left, rule.text


def test_scenarios_made_for_this_hold() -> None:
    for name in EXTRA:
        trial = run(name)
        claimed = "claim:" in Path(name).read_text(encoding="utf-8")
        assert trial.status == ("holds" if claimed else "error"), name


def test_names_of_rules_are_different() -> None:
    assert len({key(rule) for rule in tried().values()}) == len(tried())
