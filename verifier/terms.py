"""Ground terms as text, and their structure when it is needed.

Terms travel between the driver and the solver as canonical text, which is hashable, sorts
the same way everywhere and costs nothing to pass on.  Only what has to look inside a term
parses it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

#: The largest integer that the solver holds.
LARGEST = 2**31 - 1


@dataclass(frozen=True)
class Function:
    """A compound term; a tuple has the empty name."""

    name: str
    arguments: tuple[Term, ...]

    def __str__(self) -> str:
        inner = ",".join(map(str, self.arguments))
        if not self.name and len(self.arguments) == 1:
            inner += ","
        return f"{self.name}({inner})"


@dataclass(frozen=True)
class Variable:
    """A variable, or a part of a pattern that is not known."""

    name: str

    def __str__(self) -> str:
        return self.name


#: A number, a constant or a string in quotes (both as text), a compound term or a variable.
Term: TypeAlias = int | str | Function | Variable

_TOKEN = re.compile(
    r'\s*(?:(-?\d+)|("(?:[^"\\]|\\.)*")|([_\']*[a-z][A-Za-z0-9_\']*|#sup|#inf)|(.))'
)


@lru_cache(maxsize=100_000)
def parse_term(text: str) -> Term:
    """Parse one ground term.

    Raises
    ------
    ValueError
        If `text` is not one ground term.
    """
    term, end = _parse(text, 0)
    if text[end:].strip():
        raise ValueError(f"not a ground term: {text!r}")
    return term


def _parse(text: str, start: int) -> tuple[Term, int]:
    match = _TOKEN.match(text, start)
    if match is None:
        raise ValueError(f"not a ground term: {text!r}")
    number, string, name, other = match.groups()
    if number is not None:
        return int(number), match.end()
    if string is not None:
        return string, match.end()
    if name is not None:
        if text[match.end() : match.end() + 1] != "(":
            return name, match.end()
        arguments, end = _parse_arguments(text, match.end() + 1)
        return Function(name, arguments), end
    if other == "(":
        arguments, end = _parse_arguments(text, match.end())
        return Function("", arguments), end
    if other == "-":
        negated, end = _parse(text, match.end())
        return Function("-", (negated,)), end
    raise ValueError(f"not a ground term: {text!r}")


def _parse_arguments(text: str, position: int) -> tuple[tuple[Term, ...], int]:
    arguments: list[Term] = []
    while text[position : position + 1] != ")":
        argument, position = _parse(text, position)
        arguments.append(argument)
        if text[position : position + 1] == ",":
            position += 1
        elif text[position : position + 1] != ")":
            raise ValueError(f"not a ground term: {text!r}")
    return tuple(arguments), position + 1


def signature(term: Term) -> tuple[str, int]:
    """Name and number of arguments of a term; a constant has none."""
    if isinstance(term, Function):
        return term.name, len(term.arguments)
    return str(term), 0


def unifies(pattern: Term, term: Term) -> bool:
    """Whether `term` could be an instance of `pattern`; equal variables are not compared."""
    if isinstance(pattern, Variable) or isinstance(term, Variable):
        return True
    if isinstance(pattern, Function) and isinstance(term, Function):
        return (
            pattern.name == term.name
            and len(pattern.arguments) == len(term.arguments)
            and all(map(unifies, pattern.arguments, term.arguments))
        )
    return pattern == term


def flatten(term: Term) -> list[Term]:
    """The elements of a nested pair list ``(a,(b,end))``."""
    elements: list[Term] = []
    while isinstance(term, Function) and not term.name and len(term.arguments) == 2:
        elements.append(term.arguments[0])
        term = term.arguments[1]
    return elements


def number_term(number: int) -> str:
    """The term for a number: ``big(R,D)`` if the solver's integers do not hold it."""
    if number <= LARGEST:
        return str(number)
    upper, digits = divmod(number, 1_000_000)
    return f"big({number_term(upper)},{digits})"


def exact_number(term: Term) -> int:
    """An integer, ``big(R,D)``: R million and D (``encodings/rules/numbers.lp``), or ``-N``."""
    if isinstance(term, Function):
        if term.name == "-":
            return -exact_number(term.arguments[0])
        upper, digits = map(exact_number, term.arguments)
        return upper * 1_000_000 + digits
    return int(str(term))
