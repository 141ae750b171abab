"""Which rules fire in an exploration: not those that could, those that derive something."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from verifier import asp
from verifier.asp import Rule
from verifier.terms import Variable


@contextmanager
def recorded() -> Iterator[set[str]]:
    """Collect the programs that are evaluated."""
    programs: set[str] = set()
    to_text, evaluate = asp.evaluate_to_text, asp.evaluate

    def keep_text(program: str) -> str:
        programs.add(program)
        return to_text(program)

    def keep(program: str) -> list[str]:
        programs.add(program)
        return evaluate(program)

    asp.evaluate_to_text = keep_text  # type: ignore[assignment]
    asp.evaluate = keep
    try:
        yield programs
    finally:
        asp.evaluate_to_text = to_text
        asp.evaluate = evaluate


class Marked:
    """Rules, and others that tell whether these fire; a fact does wherever it is loaded.

    Parameters
    ----------
    rules
        The rules, by number.
    """

    def __init__(self, rules: Mapping[int, Rule]) -> None:
        #: The numbers of the rules, by the lines that stand for them in programs.
        self.numbers: dict[str, int] = {}
        #: By number, what derives ``fired(Number)``.
        self.markers: dict[int, str] = {}
        for number, rule in rules.items():
            _, arrow, body = rule.text.partition(" :- ")
            self.markers[number] = f"fired({number}) :- {body}" if arrow else f"fired({number})."
            for line in lines_of(rule):
                self.numbers[line] = number


def lines_of(rule: Rule) -> list[str]:
    """What a rule looks like in programs: the same, or each of several facts in one."""
    several = not rule.body and any(isinstance(part, Variable) for part in rule.head_arguments)
    return [rule.text, *(f"{atom}." for atom in (asp.evaluate(rule.text) if several else ()))]


def fired(programs: Iterable[str], marked: Marked) -> set[int]:
    """Which rules have an instance whose body holds, in any of some programs, by number."""
    found: set[int] = set()
    for program in programs:
        lines = [line for line in program.split("\n") if not line.startswith("#show")]
        present = {marked.numbers[line] for line in lines if line in marked.numbers} - found
        if present:
            more = [marked.markers[number] for number in present]
            atoms = asp.evaluate("\n".join([*lines, *more, "#show fired/1."]))
            found |= {int(atom.removeprefix("fired(")[:-1]) for atom in atoms}
    return found
