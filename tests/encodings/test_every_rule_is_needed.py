"""Leaving out any one rule makes some scenario fail.

For rules that only say why something happens or who chooses, it is enough that this changes.
Scenarios with cards made for this, and scenarios that must end in an error, are in ``needed``.

Which scenario needs a rule is kept in ``needed/witnesses.txt``.  Here one in so many rules is
tried against its scenario; only if that does not need it any more all others are searched.
``RULES_TRIED_ONE_IN=1`` tries all rules, which takes minutes.  When rules or scenarios have
changed, ``python tests/encodings/witnesses.py`` brings the file up to date.
"""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from dropping import EXTRA, RULES, TRIED, known_as, observe, path_of, run, scenarios, text_hash
from witnesses import EXCEPTIONS, attempt, key, read, remember, search, without_witness

#: One rule in so many is tried.
ONE_IN = int(os.environ.get("RULES_TRIED_ONE_IN", "40"))


def is_chosen(number: int) -> bool:
    """Whether a rule is among those tried: always the same ones, by a hash of their text."""
    return int(text_hash(number), 16) % ONE_IN == 0


def test_every_rule_is_a_different_one() -> None:
    assert len({rule.text for rule in RULES}) == len(RULES)


def test_only_rules_are_tried() -> None:
    assert {RULES[number].position.file.rsplit("/", 2)[-2] for number in TRIED} == {"rules"}


@pytest.mark.xfail(reason="the search for witnesses has not been through all rules yet")
def test_every_rule_has_a_witness() -> None:
    witnesses = read()
    excepted = {number for number in TRIED if RULES[number].text in EXCEPTIONS}
    missing = [n for n in TRIED if key(n) not in witnesses and n not in excepted]
    assert len(excepted) == len(EXCEPTIONS), "exceptions for rules that are gone"
    assert not [RULES[n].text for n in missing], "run python tests/encodings/witnesses.py"
    assert not {key(n) for n in excepted} & set(witnesses), "needed after all"
    assert set(map(known_as, scenarios())) >= set(witnesses.values())


def test_the_trial_itself() -> None:
    """A rule without which nothing can happen fails, one that never fires does not."""
    name, trial, fired = observe("draw/notion_thief_two_players", TRIED)
    idle = next(number for number in TRIED if number not in fired)
    vital = next(n for n in TRIED if n in fired and RULES[n].text.startswith("choice(S,go)"))
    assert path_of(name) == name
    assert without_witness([idle, vital], {key(idle): name, key(vital): name}) == {idle}
    assert without_witness([vital], {key(vital): "draw/gone"}) == {vital}
    assert without_witness([vital], {}) == {vital}
    known = {name: trial}, {name: {idle, vital}}
    with ProcessPoolExecutor(1, get_context("spawn"), remember, known) as pool:
        assert list(pool.map(attempt, [idle, vital])) == [(idle, None), (vital, name)]


@pytest.mark.slow
def test_every_rule_is_needed() -> None:
    witnesses = read()
    tried = [number for number in TRIED if is_chosen(number) and key(number) in witnesses]
    spare = without_witness(tried, witnesses)
    found = search(sorted(n for n in spare if RULES[n].text not in EXCEPTIONS))
    assert not [RULES[n].text for n, witness in found if witness is None]


def test_scenarios_made_for_this_hold() -> None:
    for name in EXTRA:
        trial = run(name)
        claimed = "claim:" in Path(name).read_text(encoding="utf-8")
        assert trial.status == ("holds" if claimed else "error"), name
