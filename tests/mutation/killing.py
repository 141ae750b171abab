"""For each rule and each card scenarios that notice every fault in it: ``killers.txt``.

A line of ``killers.txt`` names a file, the hash of a rule in it and the scenarios that kill its
mutants (`mutants`); mutants that none kills are in ``survivors.txt``, or in ``weak.txt`` if they
are killed weakly.  After rules, cards or scenarios have changed,

    python tests/mutation/killing.py

drops what is said of rules that are gone and looks for scenarios for the new ones; with the
names of files it tries only these, and those of their rules that are known again.  It can be
stopped and goes on where it was.  ``README.md`` is written at the end.

At first it is found which mutants of the rules change what is derived in which scenarios
(`infections`); that is kept in ``infected.json``.  Then each mutant is tried against these, until
one fares differently.  If none does, the mutant is killed weakly (Howden, Weak mutation testing and
completeness of test sets, 1982): many literals are there to keep programs small, and that is how
they are noticed.  A fact of a card is left out in scenarios that name the card; if it says what is
printed on the card, the list of that kills it (``tests/encodings/printed.tsv``).  What is no fault
(`implied`) is in ``same.txt``.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, partial
from hashlib import sha256
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from implied import is_implied
from infections import Infections
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

from verifier import VerifierError, asp, resources
from verifier.asp import Rule

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "encodings"))
from printed import PREDICATES, printed, table  # noqa: E402

SEEN = HERE / "infected.json"
KILLERS, SURVIVORS, WEAK = HERE / "killers.txt", HERE / "survivors.txt", HERE / "weak.txt"
SAME = HERE / "same.txt"

#: When a scenario is given up with a fault, because there is no end: seconds of computing, and
#: more for one that takes long anyway; bytes.
TOO_LONG = 10
TIMES_AS_LONG = 10
MEMORY = 4 << 30

#: A mutant that so many scenarios do not kill survives, if no other number is asked for.
TRIES = 60

#: In so many scenarios a mutant is seen to change what is derived; then no further ones are sought.
ENOUGH = 15

#: So many scenarios are looked at before those mutants are left out that are seen often enough.
ROUND = 40

#: What stands for the list of what is printed on the cards, among scenarios.
PRINTED = "printed"

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
    """What is known of the mutants of each rule.

    Attributes
    ----------
    killers
        The scenarios that kill them.
    survivors
        The faults that none kills.
    weak
        The faults that change what is derived, but no outcome.
    same
        What is no fault: literals that follow from others.
    """

    killers: dict[Key, list[str]] = field(default_factory=dict)
    survivors: dict[Key, list[str]] = field(default_factory=dict)
    weak: dict[Key, list[str]] = field(default_factory=dict)
    same: dict[Key, list[str]] = field(default_factory=dict)

    def files(self) -> list[tuple[Path, dict[Key, list[str]], str]]:
        """Where each part is kept, and what stands between the words of a line."""
        return [
            (KILLERS, self.killers, " "),
            (SURVIVORS, self.survivors, " | "),
            (WEAK, self.weak, " | "),
            (SAME, self.same, " | "),
        ]

    @classmethod
    def read(cls) -> Record:
        """What the files say of rules that are still there."""
        found = cls()
        for file, known, between in found.files():
            for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
                name, digest, said = line.split(" ", 2)
                if (name, digest) in tried():
                    known[name, digest] = said.split(between)
        return found

    def write(self) -> None:
        """Keep it."""
        for file, known, between in self.files():
            lines = [
                f"{n} {digest} {between.join(r)}\n" for (n, digest), r in sorted(known.items())
            ]
            file.write_text("".join(lines), encoding="utf-8")

    def learn(self, found: Found) -> None:
        """Keep what was found about a rule instead of what was known."""
        for part, said in (
            (self.killers, found.killers),
            (self.survivors, found.survivors),
            (self.weak, found.weak),
            (self.same, found.same),
        ):
            part.pop(key(found.rule), None)
            if said:
                part[key(found.rule)] = said

    def rules(self) -> set[Key]:
        """The rules of which something is known."""
        return set().union(*(known for _, known, _ in self.files()))


# --- One mutant against some scenarios --------------------------------------------------------


def first_to_differ(
    mutant: Mutant, names: Iterable[str], before: Mapping[str, Trial]
) -> str | None:
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
    mutant: Mutant,
    names: list[str],
    before: Mapping[str, Trial],
    results: Connection,
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
    if PRINTED in names and is_printed(rule):
        return []
    paths = [path for name in names if (path := path_of(name)) is not None]
    before = {path: run(path) for path in paths}
    return [m.fault for m in mutants(rule) if first_to_differ(m, paths, before) is None]


# --- Cards ------------------------------------------------------------------------------------


def of_card(rule: Rule) -> bool:
    """Whether it is a fact of a card."""
    return Path(rule.position.file).parent.name == "cards"


def is_printed(rule: Rule) -> bool:
    """Whether it says what the list of what is printed on the cards says."""
    if not of_card(rule) or rule.head not in PREDICATES:
        return False
    return rule.text.removesuffix(".") in _printed(str(rule.head_arguments[0]))


@cache
def _printed(card: str) -> set[str]:
    names = {str(rule.head_arguments[0]): str(rule.head_arguments[1]).strip('"')
             for rule in tried().values() if rule.head == "name"}  # fmt: skip
    return printed(names[card], card) if names.get(card) in table() else set()


# --- Which scenarios can notice a mutant -------------------------------------------------------

#: What the scenarios are, in every process, that can notice a mutant; what the mutants are.
INFECTED: dict[str, list[str]] = {}
INFECTIONS: list[Infections] = []

#: The scenarios that name a card.
CARDS: dict[str, list[str]] = {}


def called(mutant: Mutant) -> str:
    """A mutant, by its rule and its fault."""
    return f"{text_hash(mutant.rule)} {mutant.fault}"


def prepare(numbered: Mapping[int, Mutant]) -> None:
    """Be ready to look for mutants that change what is derived, in a new process."""
    INFECTIONS[:] = [Infections(numbered)]


def infected_in(name: str, wanted: Collection[int]) -> tuple[set[int], set[int]]:
    """Which of some mutants infect a program of a scenario, and with which there is no end."""
    trial, programs = observe(name)
    if trial.status in ("fails", "undecided"):
        raise AssertionError(f"scenarios must hold as they are: {name}")
    return INFECTIONS[0].found(programs, wanted)


def infected(rules: Iterable[Rule], jobs: int) -> dict[str, list[str]]:
    """By mutant, in which scenarios it changes what is derived; `ENOUGH` of them if there are."""
    known: dict[str, list[str]] = json.loads(SEEN.read_text("utf-8")) if SEEN.exists() else {}
    made = [mutant for rule in rules for mutant in mutants(rule)]
    new = {number: m for number, m in enumerate(made) if called(m) not in known}
    if not new:
        return known
    found: dict[int, list[str]] = {number: [] for number in new}
    wanted = set(new)
    names = sorted(scenarios(), key=lambda name: sha256(name.encode()).digest())
    with _processes(jobs, prepare, (new,)) as pool:
        for first in range(0, len(names), ROUND):
            some = names[first : first + ROUND]
            told = pool.map(partial(infected_in, wanted=frozenset(wanted)), some)
            for name, (numbers, endless) in zip(some, told, strict=True):
                wanted -= endless
                for number in numbers:
                    found[number].append(name)
            wanted -= {number for number in wanted if len(found[number]) >= ENOUGH}
            print(f"{first + len(some)} of {len(names)} scenarios, {len(wanted)} faults left")
    known |= {called(new[number]): where for number, where in found.items()}
    SEEN.write_text(json.dumps(known, indent=0), encoding="utf-8")
    return known


# --- Looking for killers ----------------------------------------------------------------------

#: How scenarios fare, as far as it was asked in this process.
BEFORE: dict[str, Trial] = {}

#: For each scenario how often it was tried in this process, and how often it noticed.
TRIALS: Counter[str] = Counter()
NOTICED: Counter[str] = Counter()


def remember(infected: Mapping[str, list[str]], cards: Mapping[str, list[str]]) -> None:
    """Keep in a new process which scenarios can notice what."""
    INFECTED.update(infected)
    CARDS.update(cards)


def candidates(mutant: Mutant, tries: int) -> list[str]:
    """The scenarios that can notice a mutant, or so many of them.

    Those come first of which it is known how they fare, and that notice much for their time.
    """
    if of_card(mutant.rule):
        names = CARDS.get(Path(mutant.rule.position.file).stem, [])
    else:
        names = INFECTED[called(mutant)]

    def promise(name: str) -> float:
        if name not in BEFORE:
            return 0.0
        return (NOTICED[name] + 1) / (TRIALS[name] + 1) / BEFORE[name].seconds

    found = sorted(names, key=promise, reverse=True)[:tries]
    for name in found:
        if name not in BEFORE:
            BEFORE[name] = run(name)
    return found


@dataclass
class Found:
    """What was found about the mutants of a rule, as in `Record`."""

    rule: Rule
    killers: list[str] = field(default_factory=list)
    survivors: list[str] = field(default_factory=list)
    weak: list[str] = field(default_factory=list)
    same: list[str] = field(default_factory=list)


def attempt(rule: Rule, tries: int = TRIES) -> Found:
    """Look for scenarios that kill the mutants of a rule."""
    if is_printed(rule):
        return Found(rule, [PRINTED])
    found = Found(rule)
    killers: list[str] = []
    for mutant in mutants(rule):
        # What has killed another mutant of the rule is tried first.
        names = candidates(mutant, tries)
        ordered = [*(n for n in killers if n in names), *(n for n in names if n not in killers)]
        killer = first_to_differ(mutant, ordered, BEFORE)
        TRIALS.update(ordered[: ordered.index(killer) + 1] if killer else ordered)
        if killer is not None:
            NOTICED[killer] += 1
            if killer not in killers:
                killers.append(killer)
        elif names and mutant.text:
            found.weak.append(mutant.fault)
        elif mutant.fault.startswith("without ") and is_implied(mutant):
            found.same.append(mutant.fault)
        else:
            found.survivors.append(mutant.fault)
    found.killers = [known_as(name) for name in killers]
    return found


def search(rules: Collection[Rule], jobs: int, tries: int) -> Iterator[Found]:
    """What is found about some rules."""
    if not rules:
        return
    where = infected((rule for rule in rules if not of_card(rule)), jobs)
    cards: dict[str, list[str]] = defaultdict(list)
    for name in scenarios() if any(map(of_card, rules)) else ():
        with suppress(VerifierError):
            for card in load(name).card_constants:
                cards[card].append(name)
    with _processes(jobs, remember, (where, cards)) as pool:
        yield from pool.map(partial(attempt, tries=tries), rules, chunksize=2)


@contextmanager
def _processes(
    jobs: int, ready: Callable[..., None], known: tuple[Any, ...]
) -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(jobs, get_context("spawn"), ready, known) as pool:
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
    counts: dict[str, Counter[str]] = {"rules": Counter(), "cards": Counter()}
    alive: dict[str, list[tuple[Rule, str]]] = defaultdict(list)
    for known in record.rules():
        rule = tried()[known]
        faults = record.survivors.get(known, [])
        count = counts[known[0].split("/")[0]]
        count["tried"] += 1
        count["mutants"] += len(mutants(rule))
        count["weak"] += len(record.weak.get(known, []))
        count["same"] += len(record.same.get(known, []))
        count["alive"] += len(faults)
        alive[known[0]] += [(rule, fault) for fault in faults]
    lines = [
        "# Faults that scenarios notice",
        "",
        "Written by `python tests/mutation/killing.py`; do not edit it.  A mutant is a rule left",
        "out, without one literal, or with one comparison turned round (`mutants.py`).  It is",
        "killed if some scenario fares differently with it: another outcome, order or state, or",
        "another reason.  It is killed weakly if no outcome changes, but the rule (which is there,",
        "with the fault) derives something else in some question.  A literal that follows from the",
        "others of its rule (`implied.py`) is no fault if it is left out, and does not count.",
        "",
        "| where | rules | tried | mutants | same | killed | weakly | survive | killed in all |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for folder, count in counts.items():
        rules = sum(name.startswith(f"{folder}/") for name, _ in tried())
        real = count["mutants"] - count["same"]
        noticed = real - count["alive"]
        share = f"{100 * noticed / real:.1f} %" if real else ""
        lines.append(
            f"| {folder} | {rules} | {count['tried']} | {count['mutants']} | {count['same']} "
            f"| {noticed - count['weak']} | {count['weak']} | {count['alive']} | {share} |"
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
    parser.add_argument("--only", choices=["rules", "cards"], help="only those")
    parser.add_argument("--tries", type=int, default=TRIES, help="scenarios for one mutant")
    parser.add_argument("--again", action="store_true", help="rules with survivors once more")
    arguments = parser.parse_args()
    record = Record.read()
    if arguments.files:
        wanted = [rule for known, rule in tried().items() if known[0] in arguments.files]
    else:
        done = record.rules()
        if arguments.again:
            done -= record.survivors.keys()
        wanted = [rule for known, rule in tried().items() if known not in done]
    wanted = [
        rule
        for rule in wanted
        if int(text_hash(rule), 16) % arguments.every == 0
        and (arguments.only or key(rule)[0]).startswith(key(rule)[0].split("/")[0])
    ]
    for number, found in enumerate(search(wanted, arguments.jobs, arguments.tries)):
        record.learn(found)
        if number % 50 == 49:
            record.write()
    record.write()
    (HERE / "README.md").write_text(report(record), encoding="utf-8")


if __name__ == "__main__":
    main()
