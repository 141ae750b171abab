"""For each rule a scenario that needs it: the witnesses in ``needed/witnesses.txt``.

A line names the file of a rule, a hash of its text and the scenario.  After rules or scenarios
have changed,

    python tests/encodings/witnesses.py

drops the lines of rules that are gone and looks for witnesses of new ones; with the names of
rules files it also tries the witnesses that these have, with ``--all`` those of every file and
the ``EXCEPTIONS``.  Rules that no scenario needs are printed.

For the search all scenarios run with all rules, and it is noted which of the rules fire in
which; one that does not fire in a scenario cannot matter to it.  Then each is left out in turn
and tried against the scenarios in which it fires, until one fares differently.
"""

from __future__ import annotations

import argparse
import os
import resource
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from dropping import (
    RULES,
    TRIED,
    Trial,
    differs,
    known_as,
    observe,
    path_of,
    run,
    scenarios,
    text_hash,
    without,
)

FILE = Path(__file__).resolve().parent / "needed" / "witnesses.txt"

#: Rules that no scenario needs, by their text, and why they are there all the same.
EXCEPTIONS: dict[str, str] = {
    "whole_event(skip) :- occurs(skip).": "skipping is nothing rather than a list of steps that "
    "do nothing: test_groups.py::test_skipping_is_nothing",
    "not_first(S,C,I) :- aside_at(S,I,C,_); aside_at(S,J,C,_); J < I.": "unnamed cards on both "
    "sides of a named one: possible by the representation, but no effect puts them so yet",
}

#: A rule: its file and a hash of its text.
Key = tuple[str, str]

#: When a scenario is given up without a rule, because there is no end: seconds of computing,
#: and more for one that takes long anyway; bytes.
TOO_LONG = 10
TIMES_AS_LONG = 10
MEMORY = 4 << 30


def key(number: int) -> Key:
    """What a rule is called in the file."""
    return Path(RULES[number].position.file).name, text_hash(number)


def read() -> dict[Key, str]:
    """The scenario that needs each rule."""
    lines = [line.split() for line in FILE.read_text(encoding="utf-8").splitlines()]
    return {(file, digest): name for file, digest, name in lines}


def write(witnesses: dict[Key, str]) -> None:
    """Keep the scenarios that rules need."""
    lines = [f"{file} {digest} {name}\n" for (file, digest), name in sorted(witnesses.items())]
    FILE.write_text("".join(lines), encoding="utf-8")


# --- One rule against some scenarios ----------------------------------------------------------


def first_to_differ(number: int, names: Iterable[str], before: dict[str, Trial]) -> str | None:
    """The first of some scenarios that fares differently without a rule.

    Without some rules there is no end: what takes too long fares differently.
    """
    names = list(names)
    fork = get_context("fork")
    results, sender = fork.Pipe(duplex=False)
    child = fork.Process(target=_try_all, args=(number, names, before, sender))
    child.start()
    sender.close()
    try:
        return next((name for name in names if _next(results)), None)
    finally:
        child.kill()
        child.join()


def _next(results: Connection) -> bool:
    """What the child says of the next scenario; if it was ended, that it fares differently."""
    try:
        return bool(results.recv())
    except EOFError:
        return True


def _try_all(number: int, names: list[str], before: dict[str, Trial], results: Connection) -> None:
    """Tell of one scenario after the other whether it fares differently without a rule."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with without(number):
        for name in names:
            used = resource.getrusage(resource.RUSAGE_SELF)
            limit = used.ru_utime + used.ru_stime + TOO_LONG + TIMES_AS_LONG * before[name].seconds
            resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, resource.RLIM_INFINITY))
            results.send(differs(number, name, before[name]))


# --- Whether witnesses are still good ---------------------------------------------------------


def try_one(task: tuple[str, list[int]]) -> list[int]:
    """Those of some rules without which a scenario fares as before."""
    name, numbers = task
    path = path_of(name)
    if path is None:
        return numbers
    before = {path: run(path)}
    return [number for number in numbers if first_to_differ(number, [path], before) is None]


def without_witness(numbers: Collection[int], witnesses: dict[Key, str]) -> set[int]:
    """Those of some rules that have no witness, or one that does not need them (any more)."""
    by_name: dict[str, list[int]] = defaultdict(list)
    for number in numbers:
        by_name[witnesses.get(key(number), "")].append(number)
    with _processes() as pool:
        return {number for spare in pool.map(try_one, by_name.items()) for number in spare}


# --- Looking for witnesses --------------------------------------------------------------------

#: How the scenarios fare with all rules and which rules fire in them, in every process.
BEFORE: dict[str, Trial] = {}
FIRES: dict[str, set[int]] = {}

#: For each scenario how often it was tried in this process, and how often it failed.
TRIES: Counter[str] = Counter()
FAILURES: Counter[str] = Counter()


def remember(before: dict[str, Trial], fires: dict[str, set[int]]) -> None:
    """Keep what is known of the scenarios in a new process."""
    BEFORE.update(before)
    FIRES.update(fires)


def readers(number: int) -> list[int]:
    """The rules that read what a rule derives."""
    return [n for n in TRIED if RULES[number].predicate in RULES[n].body_predicates]


def candidates(number: int) -> list[str]:
    """The scenarios in which a rule fires.

    Those come first that fail often for their time, and in which something happens with what
    the rule derives that seldom happens elsewhere.
    """
    reading = readers(number)
    often = {n: sum(n in fired for fired in FIRES.values()) for n in reading}

    def promise(name: str) -> float:
        special = 1 + 10 * sum(1 / often[n] for n in reading if n in FIRES[name])
        return special * (FAILURES[name] + 1) / (TRIES[name] + 1) / BEFORE[name].seconds

    return sorted((name for name in FIRES if number in FIRES[name]), key=promise, reverse=True)


def attempt(number: int) -> tuple[int, str | None]:
    """A rule and a scenario that needs it, if there is one."""
    names = candidates(number)
    witness = first_to_differ(number, names, BEFORE)
    TRIES.update(names[: names.index(witness) + 1] if witness else names)
    if witness:
        FAILURES[witness] += 1
    return number, witness


def search(numbers: Collection[int]) -> Iterator[tuple[int, str | None]]:
    """Rules and the scenarios that need them."""
    if not numbers:
        return
    before: dict[str, Trial] = {}
    fires: dict[str, set[int]] = {}
    with _processes() as pool:
        wanted = {*numbers, *(reader for number in numbers for reader in readers(number))}
        watch = partial(observe, wanted=wanted)
        for name, trial, fired in pool.map(watch, scenarios(), chunksize=4):
            before[name], fires[name] = trial, fired
    failing = [name for name, trial in before.items() if trial.status in ("fails", "undecided")]
    assert not failing, "scenarios must hold with all rules"
    with _processes(before, fires) as pool:
        yield from pool.map(attempt, numbers, chunksize=4)


@contextmanager
def _processes(
    before: dict[str, Trial] | None = None, fires: dict[str, set[int]] | None = None
) -> Iterator[ProcessPoolExecutor]:
    known = before or {}, fires or {}
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn"), remember, known) as pool:
        yield pool


def main() -> None:
    """Bring the file up to date."""
    parser = argparse.ArgumentParser(description="Bring needed/witnesses.txt up to date.")
    parser.add_argument("files", nargs="*", help="rules files whose witnesses are tried again")
    parser.add_argument("--all", action="store_true", help="try all witnesses again")
    arguments = parser.parse_args()
    known = read() if FILE.exists() else {}
    keys = {number: key(number) for number in TRIED}
    new = {n for n in TRIED if keys[n] not in known}
    if not arguments.all:
        new -= {n for n in TRIED if RULES[n].text in EXCEPTIONS}
    again = {n for n in TRIED if arguments.all or keys[n][0] in arguments.files} - new
    spare = without_witness(again, known) | new
    kept = {keys[n]: known[keys[n]] for n in TRIED if n not in spare and keys[n] in known}
    write(kept)
    for number, witness in search(sorted(spare)):
        if witness is None:
            print(f"{keys[number][0]}: {RULES[number].text}", flush=True)
        else:
            kept[keys[number]] = known_as(witness)
            write(kept)


if __name__ == "__main__":
    main()
