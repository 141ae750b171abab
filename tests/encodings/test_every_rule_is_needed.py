"""Leaving out any one rule makes some scenario fail.

First all scenarios run with all rules, and it is noted which rules fire in which; a rule that
does not fire in a scenario cannot matter to it.  Then each rule is left out in turn and tried
against the scenarios in which it fires, until one no longer holds.  For rules that only say
why something happens or who chooses, it is enough that this changes.

Scenarios with cards made for this, and scenarios that must end in an error, are in ``needed``.
"""

from __future__ import annotations

import os
import resource
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from dropping import EXTRA, RULES, TRIED, Trial, differs, observe, run, scenarios, without

#: Rules that no scenario needs, by their text, and why they are there all the same.
EXCEPTIONS: dict[str, str] = {
    "whole_event(skip) :- occurs(skip).": "skipping is nothing rather than a list of steps that "
    "do nothing: test_groups.py::test_skipping_is_nothing",
    "not_first(S,C,I) :- aside_at(S,I,C,_); aside_at(S,J,C,_); J < I.": "unnamed cards on both "
    "sides of a named one: possible by the representation, but no effect puts them so yet",
}

#: One rule in so many is tried: trying all takes too long for every run.  1 tries them all.
ONE_IN = int(os.environ.get("RULES_TRIED_ONE_IN", "8"))


def is_chosen(number: int) -> bool:
    """Whether a rule is among those tried: always the same ones, by a hash of their text."""
    return int(sha256(RULES[number].text.encode()).hexdigest(), 16) % ONE_IN == 0


def test_every_rule_is_a_different_one() -> None:
    assert len({rule.text for rule in RULES}) == len(RULES)


def test_only_rules_are_tried() -> None:
    assert {RULES[number].position.file.rsplit("/", 2)[-2] for number in TRIED} == {"rules"}


#: How the scenarios fare with all rules and which rules fire in them, in every process.
BEFORE: dict[str, Trial] = {}
FIRES: dict[str, set[int]] = {}

#: When a scenario that ran before is given up: seconds, bytes.
TOO_LONG = 30
MEMORY = 4 << 30

#: For each scenario how often it was tried in this process, and how often it failed.
TRIES: Counter[str] = Counter()
FAILURES: Counter[str] = Counter()


def remember(before: dict[str, Trial], fires: dict[str, set[int]]) -> None:
    """Keep what is known of the scenarios in a new process."""
    BEFORE.update(before)
    FIRES.update(fires)


def candidates(number: int) -> list[str]:
    """The scenarios in which a rule fires, those first that fail often for their time."""

    def promise(name: str) -> float:
        return (FAILURES[name] + 1) / (TRIES[name] + 1) / BEFORE[name].seconds

    return sorted((name for name in FIRES if number in FIRES[name]), key=promise, reverse=True)


def attempt(number: int) -> tuple[int, str | None]:
    """A rule and the scenario that needs it, if there is one.

    Without some rules there is no end: what takes too long is given up, and has failed.
    """
    names = candidates(number)
    fork = get_context("fork")
    results, sender = fork.Pipe(duplex=False)
    child = fork.Process(target=try_all, args=(number, names, sender))
    child.start()
    sender.close()
    try:
        for name in names:
            TRIES[name] += 1
            if fares_differently(results):
                FAILURES[name] += 1
                return number, name
    finally:
        child.kill()
        child.join()
    return number, None


def fares_differently(results: Connection) -> bool:
    """What the child says of the next scenario; if it is stuck or dead, that it does."""
    try:
        return not results.poll(TOO_LONG) or bool(results.recv())
    except EOFError:
        return True


def try_all(number: int, names: list[str], results: Connection) -> None:
    """Tell of one scenario after the other whether it fares differently without a rule."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with without(number):
        for name in names:
            results.send(differs(number, name, BEFORE[name]))


def test_the_trial_itself() -> None:
    """A rule without which nothing can happen fails, one that never fires does not."""
    name, trial, fired = observe("draw/notion_thief_two_players")
    idle = next(number for number in TRIED if number not in fired)
    vital = next(n for n in TRIED if n in fired and RULES[n].text.startswith("choice(S,go)"))
    known = {name: trial}, {name: {idle, vital}}
    with ProcessPoolExecutor(1, get_context("spawn"), remember, known) as pool:
        assert list(pool.map(attempt, [idle, vital])) == [(idle, None), (vital, name)]


@pytest.mark.slow
def test_every_rule_is_needed() -> None:
    before: dict[str, Trial] = {}
    fires: dict[str, set[int]] = {}
    spawn = get_context("spawn")
    with ProcessPoolExecutor(os.cpu_count(), spawn) as pool:
        for name, trial, fired in pool.map(observe, scenarios(), chunksize=4):
            before[name], fires[name] = trial, fired
    failing = [name for name, trial in before.items() if trial.status in ("fails", "undecided")]
    assert not failing, "scenarios must hold with all rules"
    with ProcessPoolExecutor(os.cpu_count(), spawn, remember, (before, fires)) as pool:
        found = list(pool.map(attempt, filter(is_chosen, TRIED), chunksize=8))
    spare = {RULES[number].text for number, needing in found if needing is None}
    excepted = set(EXCEPTIONS) & {RULES[number].text for number, _ in found}
    assert spare - excepted == set(), "no scenario needs these rules"
    assert excepted - spare == set(), "needed after all"


def test_scenarios_made_for_this_hold() -> None:
    for name in EXTRA:
        trial = run(name)
        claimed = "claim:" in Path(name).read_text(encoding="utf-8")
        assert trial.status == ("holds" if claimed else "error"), name
