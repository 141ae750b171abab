"""Leaving out any one rule makes some scenario fail.

First all scenarios run with all rules, and it is noted which rules fire in which; a rule that
does not fire in a scenario cannot matter to it.  Then each rule is left out in turn and tried
against the scenarios in which it fires, until one no longer holds.  For rules that only say
why something happens or who chooses, it is enough that this changes.

Scenarios with cards made for this, and scenarios that must end in an error, are in ``needed``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median

import dropping
import pytest
from dropping import RULES, TRIED, Trial, needed_by, observe, scenarios

#: Rules that no scenario needs, by their text, and why they are there all the same.
EXCEPTIONS: dict[str, str] = {}


def test_every_rule_is_a_different_one() -> None:
    assert len({rule.text for rule in RULES}) == len(RULES)


def test_only_rules_are_tried() -> None:
    assert {RULES[number].position.file.rsplit("/", 2)[-2] for number in TRIED} == {"rules"}


@pytest.fixture(scope="module")
def pool() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as executor:
        yield executor


def candidates(number: int, fires: dict[str, set[int]], before: dict[str, Trial]) -> list[str]:
    """The scenarios in which a rule fires, long ones last, otherwise in any order."""
    long = 3 * median(trial.seconds for trial in before.values())
    shuffled = [name for name in fires if number in fires[name]]
    Random(number).shuffle(shuffled)
    return sorted(shuffled, key=lambda name: before[name].seconds > long)


def attempt(
    number: int, fires: dict[str, set[int]], before: dict[str, Trial]
) -> tuple[int, str | None]:
    """A rule and the scenario that needs it, if there is one."""
    return number, needed_by(number, candidates(number, fires, before), before)


@pytest.mark.slow
def test_every_rule_is_needed(pool: ProcessPoolExecutor) -> None:
    before: dict[str, Trial] = {}
    fires: dict[str, set[int]] = {}
    for name, trial, fired in pool.map(observe, scenarios(), chunksize=4):
        before[name], fires[name] = trial, fired
    failing = [name for name, trial in before.items() if trial.status in ("fails", "undecided")]
    assert not failing, "scenarios must hold with all rules"
    try_one = partial(attempt, fires=fires, before=before)
    found = pool.map(try_one, TRIED, chunksize=8)
    spare = {RULES[number].text for number, needing in found if needing is None}
    assert spare - set(EXCEPTIONS) == set(), "no scenario needs these rules"
    assert set(EXCEPTIONS) - spare == set(), "needed after all"


def test_scenarios_made_for_this_hold() -> None:
    for name in dropping.EXTRA:
        trial = dropping.run(name)
        claimed = "claim:" in Path(name).read_text(encoding="utf-8")
        assert trial.status == ("holds" if claimed else "error"), name
