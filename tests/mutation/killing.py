"""For each rule and each card scenarios that notice every fault in it: ``killers.txt``.

A line of ``killers.txt`` names a file, the hash of a rule in it and the scenarios that kill its
mutants (`mutants`); mutants that none kills are in ``survivors.txt``.  After rules, cards or
scenarios have changed,

    python tests/mutation/killing.py

drops what is said of rules that are gone and looks for scenarios for the new ones; with the
names of files it tries only these, and those of their rules that are known again.  It can be
stopped and goes on where it was.  ``README.md`` is written at the end.

For the search all scenarios run as they are, and it is noted which rules fire in which; a rule
that does not fire in a scenario cannot matter to it, nor can a fault in it.  (A fault that
makes a rule fire where it did not is noticed, if at all, where it fires already.)  Then each
mutant is tried against the scenarios in which its rule fires, until one fares differently.
"""

from __future__ import annotations

import argparse
import os
import resource
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from mutants import Mutant, mutants
from trials import (
    RULES,
    TRIED,
    Trial,
    differs,
    fault,
    known_as,
    load,
    observe,
    path_of,
    run,
    scenarios,
    text_hash,
)

from verifier import asp, resources
from verifier.asp import Rule

HERE = Path(__file__).resolve().parent
KILLERS, SURVIVORS = HERE / "killers.txt", HERE / "survivors.txt"

#: When a scenario is given up with a fault, because there is no end: seconds of computing, and
#: more for one that takes long anyway; bytes.
TOO_LONG = 10
TIMES_AS_LONG = 10
MEMORY = 4 << 30

#: A mutant that so many scenarios do not kill survives.
TRIES = 60

#: A rule: its file and a hash of its text.
Key = tuple[str, str]


def key(rule: Rule) -> Key:
    """What a rule is called in the files."""
    path = Path(rule.position.file)
    return f"{path.parent.name}/{path.name}", text_hash(rule)


@cache
def tried() -> dict[Key, Rule]:
    """All rules and all facts of cards, but for those that only name things."""
    cards = [rule for path in sorted(resources.encodings("cards").glob("*.lp"))
             for rule in asp.read_program([path])]  # fmt: skip
    return {key(rule): rule for rule in (*(RULES[number] for number in TRIED), *cards)}


@dataclass
class Record:
    """What is known: the scenarios that kill the mutants of each rule, and those that survive."""

    killers: dict[Key, list[str]] = field(default_factory=dict)
    survivors: dict[Key, list[str]] = field(default_factory=dict)

    @classmethod
    def read(cls) -> Record:
        """What the files say of rules that are still there."""
        found = cls()
        for file, known in ((KILLERS, found.killers), (SURVIVORS, found.survivors)):
            for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
                name, digest, *said = line.split(" ", 2)
                if (name, digest) in tried():
                    parts = " ".join(said).split(" | " if file == SURVIVORS else " ")
                    known[name, digest] = [part for part in parts if part]
        return found

    def write(self) -> None:
        """Keep it."""
        for file, known, between in (
            (KILLERS, self.killers, " "),
            (SURVIVORS, self.survivors, " | "),
        ):
            lines = [
                f"{n} {digest} {between.join(r)}\n" for (n, digest), r in sorted(known.items())
            ]
            file.write_text("".join(lines), encoding="utf-8")


# --- One mutant against some scenarios --------------------------------------------------------


def first_to_differ(mutant: Mutant, names: Iterable[str], before: dict[str, Trial]) -> str | None:
    """The first of some scenarios that fares differently with a fault.

    With some faults there is no end: what takes too long fares differently.
    """
    names = list(names)
    fork = get_context("fork")
    results, sender = fork.Pipe(duplex=False)
    child = fork.Process(target=_try_all, args=(mutant, names, before, sender))
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


def _try_all(
    mutant: Mutant, names: list[str], before: dict[str, Trial], results: Connection
) -> None:
    """Tell of one scenario after the other whether it fares differently with a fault."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with fault(mutant):
        for name in names:
            used = resource.getrusage(resource.RUSAGE_SELF)
            limit = used.ru_utime + used.ru_stime + TOO_LONG + TIMES_AS_LONG * before[name].seconds
            resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, resource.RLIM_INFINITY))
            results.send(differs(mutant, name, before[name]))


def still_survive(rule: Rule, names: Sequence[str]) -> list[str]:
    """The mutants of a rule that none of some scenarios kills, by their faults."""
    paths = [path for name in names if (path := path_of(name)) is not None]
    before = {path: run(path) for path in paths}
    return [m.fault for m in mutants(rule) if first_to_differ(m, paths, before) is None]


# --- Looking for killers ----------------------------------------------------------------------

#: How the scenarios fare and which rules fire in them, in every process; those of each rule.
BEFORE: dict[str, Trial] = {}
FIRES: dict[str, set[int]] = {}
CARDS: dict[str, set[str]] = {}

#: For each scenario how often it was tried in this process, and how often it noticed.
TRIALS: Counter[str] = Counter()
NOTICED: Counter[str] = Counter()


def remember(
    before: dict[str, Trial], fires: dict[str, set[int]], cards: dict[str, set[str]]
) -> None:
    """Keep what is known of the scenarios in a new process."""
    BEFORE.update(before)
    FIRES.update(fires)
    CARDS.update(cards)


def candidates(rule: Rule) -> list[str]:
    """The scenarios in which a rule fires, or that name the card.

    Those come first that notice much for their time, and in which something happens with what
    the rule derives that seldom happens elsewhere.
    """
    path = Path(rule.position.file)
    if path.parent.name == "cards":
        names = [name for name, cards in CARDS.items() if path.stem in cards]
        reading: list[int] = []
    else:
        number = _numbers()[rule.text]
        names = [name for name, fired in FIRES.items() if number in fired]
        reading = [n for n in TRIED if rule.predicate in RULES[n].body_predicates]
    often = {n: sum(n in FIRES[name] for name in names) for n in reading}

    def promise(name: str) -> float:
        special = 1 + 10 * sum(1 / often[n] for n in reading if n in FIRES[name])
        return special * (NOTICED[name] + 1) / (TRIALS[name] + 1) / BEFORE[name].seconds

    return sorted(names, key=promise, reverse=True)


@cache
def _numbers() -> dict[str, int]:
    return {rule.text: number for number, rule in enumerate(RULES)}


def attempt(rule: Rule) -> tuple[Rule, list[str], list[str]]:
    """A rule, scenarios that kill its mutants, and the faults of those that survive."""
    names = candidates(rule)[:TRIES]
    killers: list[str] = []
    survivors: list[str] = []
    for mutant in mutants(rule):
        # What has killed another mutant of the rule is tried first.
        ordered = [*killers, *(name for name in names if name not in killers)]
        killer = first_to_differ(mutant, ordered, BEFORE)
        TRIALS.update(ordered[: ordered.index(killer) + 1] if killer else ordered)
        if killer is None:
            survivors.append(mutant.fault)
        else:
            NOTICED[killer] += 1
            if killer not in killers:
                killers.append(killer)
    return rule, [known_as(name) for name in killers], survivors


def search(rules: Collection[Rule], jobs: int) -> Iterator[tuple[Rule, list[str], list[str]]]:
    """Rules, the scenarios that kill their mutants, and the mutants that survive."""
    if not rules:
        return
    before: dict[str, Trial] = {}
    fires: dict[str, set[int]] = {}
    cards: dict[str, set[str]] = {}
    with _processes(jobs) as pool:
        for name, trial, fired in pool.map(
            partial(observe, wanted=TRIED), scenarios(), chunksize=4
        ):
            before[name], fires[name] = trial, fired
            cards[name] = set(load(name).card_constants) if trial.status != "error" else set()
    failing = [name for name, trial in before.items() if trial.status in ("fails", "undecided")]
    assert not failing, f"scenarios must hold as they are: {failing}"
    with _processes(jobs, (before, fires, cards)) as pool:
        yield from pool.map(attempt, rules, chunksize=2)


@contextmanager
def _processes(jobs: int, known: Any = ({}, {}, {})) -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(jobs, get_context("spawn"), remember, known) as pool:
        yield pool


# --- The report -------------------------------------------------------------------------------

#: Why some faults cannot be noticed, by the text of the rule and the fault.
REASONS: dict[tuple[str, str], str] = {
    (
        "whole_event(skip) :- occurs(skip).", "left out",
    ): "skipping is nothing rather than a list of steps that do nothing: "
    "tests/encodings/test_groups.py::test_skipping_is_nothing",
    (
        "not_first(S,C,I) :- aside_at(S,I,C,_); aside_at(S,J,C,_); J < I.", "left out",
    ): "unnamed cards on both sides of a named one: possible by the representation, but no "
    "effect puts them so yet",
}  # fmt: skip


def report(record: Record) -> str:
    """What is known, as a text."""
    killed: Counter[str] = Counter()
    alive: dict[str, list[tuple[Rule, str]]] = defaultdict(list)
    for known in {*record.killers, *record.survivors}:
        rule = tried()[known]
        faults = record.survivors.get(known, [])
        killed[known[0]] += len(mutants(rule)) - len(faults)
        alive[known[0]] += [(rule, fault) for fault in faults]
    lines = [
        "# Faults that scenarios notice",
        "",
        "Written by `python tests/mutation/killing.py`; do not edit it.  A mutant is a rule left",
        "out, without one literal, or with one comparison turned round (`mutants.py`); it is",
        "killed if some scenario fares differently with it.",
        "",
        "| where | rules | tried | mutants | killed | |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for folder in ("rules", "cards"):
        rules = [known for known in tried() if known[0].startswith(f"{folder}/")]
        done = [k for k in rules if k in record.killers or k in record.survivors]
        dead = sum(n for name, n in killed.items() if name.startswith(f"{folder}/"))
        left = sum(len(rows) for name, rows in alive.items() if name.startswith(f"{folder}/"))
        share = f"{100 * dead / (dead + left):.1f} %" if dead + left else ""
        lines.append(
            f"| {folder} | {len(rules)} | {len(done)} | {dead + left} | {dead} | {share} |"
        )
    lines += ["", "## Survivors", ""]
    for name in sorted(alive):
        rows = sorted((rule.text, fault) for rule, fault in alive[name])
        if rows:
            lines += [f"{name}:", ""]
            for text, fault in rows:
                why = REASONS.get((text, fault))
                lines.append(f"- `{text}`: {fault if fault == 'left out' else f'`{fault}`'}"
                             + (f" ({why})" if why else ""))  # fmt: skip
            lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def main() -> None:
    """Bring the files up to date."""
    parser = argparse.ArgumentParser(description="Look for scenarios that kill all mutants.")
    parser.add_argument("files", nargs="*", help="like rules/draw.lp: only these, all their rules")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--every", type=int, default=1, help="only one rule in so many")
    arguments = parser.parse_args()
    record = Record.read()
    if arguments.files:
        wanted = [rule for known, rule in tried().items() if known[0] in arguments.files]
    else:
        done = record.killers.keys() | record.survivors.keys()
        wanted = [rule for known, rule in tried().items() if known not in done]
    wanted = [rule for rule in wanted if int(text_hash(rule), 16) % arguments.every == 0]
    for number, (rule, killers, survivors) in enumerate(search(wanted, arguments.jobs)):
        for known, said in ((record.killers, killers), (record.survivors, survivors)):
            known.pop(key(rule), None)
            if said:
                known[key(rule)] = said
        if number % 50 == 49:
            record.write()
    record.write()
    (HERE / "README.md").write_text(report(record), encoding="utf-8")


if __name__ == "__main__":
    main()
