"""Which faults change what is derived: many at once, without trying any on its own.

A program is stratified, so it has one answer set.  If each instance of a rule with a fault that
holds in this answer set derives what holds anyway, and each atom that the rule derives without the
fault is derived with it or by another rule, then the answer set is the same with the fault, and
nothing comes of it.  (An atom that rests on itself may escape: it is then not seen that it is
lost.)  So a scenario can notice a fault only if it infects some program of it (Voas, PIE: a dynamic
failure-based technique, 1992), and that is found for all faults with one evaluation of the program,
to which rules are added that say so.

A rule that lacks a literal can derive something, too, in a program from which the rule was left out
because it could derive nothing: it is tried in all programs that have what is left of its body.
"""

from __future__ import annotations

import re
import resource
from collections import deque
from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import closing
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

from verifier import asp
from verifier.errors import EncodingError
from verifier.firing import lines_of

if TYPE_CHECKING:
    from mutants import Mutant
from trials import read

#: Seconds of computing for some faults in one program: with one that takes longer there is no end,
#: as little as with one that computes what is undefined.
TOO_LONG = 10

#: So many programs of a scenario are looked at: those of large ones are much alike.
PROGRAMS = 60

#: An atom that only one rule derives, and how often a fault leaves it out.
LOST = """
derived_twice(H) :- derives(R,H), derives(Q,H), R < Q.
lost(R,H) :- derives(R,H), not derived_twice(H).
infected(M) :- left_out(M,R), lost(R,_).
infected(M) :- turned_round(M,R), lost(R,H), not instead(M,H).
#show infected/1.
"""


_NAME = re.compile(r"\w*")


class Infections:
    """Mutants of rules, by number, and what tells whether they infect a program.

    Parameters
    ----------
    mutants
        The mutants, by number.
    """

    def __init__(self, mutants: Mapping[int, Mutant]) -> None:
        #: The numbers of the mutants of a rule, by each line that stands for the rule in programs.
        self.of_line: dict[str, list[int]] = {}
        self.lines: dict[int, list[str]] = {}
        self.derives: dict[int, str] = {}
        #: The names of what must be derived for a mutant that lacks a literal to derive anything.
        self.needs: dict[int, frozenset[str]] = {}
        numbers: dict[str, int] = {}
        for number, mutant in mutants.items():
            text = mutant.rule.text
            if text not in numbers:
                numbers[text] = len(numbers)
                self.derives[numbers[text]] = _headed(text, f"derives({numbers[text]},{{}})")
            self.lines[number] = _markers(number, mutant, numbers[text])
            if mutant.fault.startswith("without "):
                self.needs[number] = frozenset(part.name for part in read(mutant).required)
            for line in lines_of(mutant.rule):
                self.of_line.setdefault(line, []).append(number)
        self.rule_of = {n: numbers[mutant.rule.text] for n, mutant in mutants.items()}

    def present(self, program: str, wanted: Collection[int]) -> list[int]:
        """The mutants that can derive something else in a program, of some."""
        lines = program.split("\n")
        found = {n for line in lines for n in self.of_line.get(line, ())}
        names = {_NAME.match(line)[0] for line in lines}  # type: ignore[index]
        return sorted(
            n for n in wanted if n in found or (n in self.needs and self.needs[n] <= names)
        )

    def marked(self, program: str, numbers: Sequence[int]) -> str:
        """A program that shows which of some mutants infect it."""
        lines = [line for line in program.split("\n") if not line.startswith("#show")]
        rules = {self.rule_of[n] for line in lines for n in self.of_line.get(line, ())}
        more = [line for number in numbers for line in self.lines[number]]
        return "\n".join([*lines, *(self.derives[r] for r in sorted(rules)), *more, LOST])

    def found(self, programs: Sequence[str], wanted: Collection[int]) -> tuple[set[int], set[int]]:
        """Which of some mutants infect any of some programs, and with which there is no end."""
        infected: set[int] = set()
        endless: set[int] = set()
        step = max(1, len(programs) // PROGRAMS)
        jobs = deque(
            (program, present)
            for program in programs[::step]
            if (present := self.present(program, wanted))
        )
        while jobs:
            with closing(self._answers(jobs, infected | endless)) as answers:
                for said in answers:
                    jobs.popleft()
                    infected |= said
            if jobs:
                program, numbers = jobs.popleft()
                if len(numbers) == 1:
                    endless |= set(numbers)
                else:
                    middle = len(numbers) // 2
                    jobs.extendleft([(program, numbers[:middle]), (program, numbers[middle:])])
        return infected | endless, endless

    def _answers(
        self, jobs: Collection[tuple[str, list[int]]], known: Collection[int]
    ) -> Generator[set[int], None, None]:
        """What a child says of one job after the other, until it is ended."""
        fork = get_context("fork")
        results, sender = fork.Pipe(duplex=False)
        child = fork.Process(target=self._answer, args=(jobs, set(known), sender))
        child.start()
        sender.close()
        try:
            for _ in range(len(jobs)):
                yield results.recv()
        except EOFError:
            return
        finally:
            child.kill()
            child.join()

    def _answer(
        self, jobs: Collection[tuple[str, list[int]]], known: set[int], results: Connection
    ) -> None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for program, numbers in jobs:
            used = resource.getrusage(resource.RUSAGE_SELF)
            limit = int(used.ru_utime + used.ru_stime + TOO_LONG) + 1
            resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
            left = [number for number in numbers if number not in known]
            try:
                atoms = asp.evaluate(self.marked(program, left)) if left else []
            except EncodingError:
                return
            said = {int(atom.removeprefix("infected(")[:-1]) for atom in atoms}
            known |= said
            results.send(said)


def _headed(text: str, head: str) -> str:
    """A rule with another head, which is about its own."""
    own, arrow, body = text.removesuffix(".").partition(" :- ")
    return f"{head.format(own)}{arrow}{body}."


def _markers(number: int, mutant: Mutant, rule: int) -> list[str]:
    """What tells whether a mutant infects a program."""
    if mutant.text is None:
        return [f"left_out({number},{rule})."]
    head, _, _ = mutant.text.partition(" :- ")
    gained = f"infected({number}){mutant.text.removesuffix('.')[len(head) :]}; not {head}."
    if mutant.fault.startswith("without "):
        return [gained]
    instead = _headed(mutant.text, f"instead({number},{{}})")
    return [gained, f"turned_round({number},{rule}).", instead]
