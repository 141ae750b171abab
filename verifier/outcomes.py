"""Outcomes: what a final state shows, as the scenario asks for it.

An outcome is a dict ``{observable: {player: value}}``; zero counts, empty lists and false
flags are left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from verifier.state import Cells, Values, group
from verifier.terms import Function, Term, flatten, parse_term, signature

#: A count, a flag, a set of things (a sorted list) or a sequence of things (a tuple).
Value = int | bool | list[str] | tuple[str, ...]
Outcome = dict[str, dict[str, Value]]


@dataclass(frozen=True)
class Observable:
    """One part of what can be observed.

    ``form`` is ``number`` (a quantity), ``flag``, ``set`` (the last arguments of fluents),
    ``forward`` or ``backward`` (a list in a fluent, and how to read it).
    """

    name: str
    key: str
    form: str
    term: Term

    def cell(self, cells: Cells) -> int | None:
        """The cell that shows it, if there is one yet."""
        return cells.find(str(self.term) if self.form == "number" else group(self.term))

    def value(self, cells: Cells, values: Values) -> Value:
        """Its value in a state."""
        index = self.cell(cells)
        held = values[index] if index is not None and index < len(values) else 0
        if self.form == "number":
            return held if isinstance(held, int) else 0
        fluents = held if isinstance(held, frozenset) else frozenset()
        if self.form == "flag":
            return str(self.term) in fluents
        lasts = map(_last, fluents)
        if self.form == "set":
            return sorted(map(str, lasts))
        things = [str(thing) for term in lasts for thing in flatten(term)]
        return tuple(things if self.form == "forward" else reversed(things))


def _last(fluent: str) -> Term:
    term = parse_term(fluent)
    return term.arguments[-1] if isinstance(term, Function) else term


class Observables:
    """What outcomes can record, as the encodings declare it (``encodings/observe.lp``).

    Parameters
    ----------
    static
        The static atoms of a scenario.
    """

    def __init__(self, static: Sequence[str]) -> None:
        self.all: list[Observable] = []
        for atom in static:
            term = parse_term(atom)
            if not isinstance(term, Function):
                continue
            match signature(term), term.arguments:
                case ("observes", 3), (name, key, quantity):
                    self.all.append(Observable(str(name), str(key), "number", quantity))
                case ("observes_flag", 3), (name, key, fluent):
                    self.all.append(Observable(str(name), str(key), "flag", fluent))
                case ("observes_all", 4), (name, key, functor, first):
                    pattern = Function(str(functor), (first, "x"))
                    self.all.append(Observable(str(name), str(key), "set", pattern))
                case ("observes_list", 5), (name, key, functor, first, order):
                    pattern = Function(str(functor), (first, "x"))
                    self.all.append(Observable(str(name), str(key), str(order), pattern))
        self.all.sort(key=lambda o: (o.name, o.key, str(o.term)))
        self.names = sorted({observable.name for observable in self.all})

    def chosen(self, ask: Sequence[str] | None) -> list[Observable]:
        """The observables that a scenario asks for: all, if it does not say."""
        return [o for o in self.all if ask is None or o.name in ask]

    def needed(self, ask: Sequence[str] | None) -> list[str]:
        """Terms that must have cells so that the outcome can be told."""
        return [str(o.term) for o in self.chosen(ask)]

    def outcome(self, ask: Sequence[str] | None, cells: Cells, values: Values) -> Outcome:
        """What a state shows."""
        found: dict[str, dict[str, Value]] = defaultdict(dict)
        for observable in self.chosen(ask):
            value = observable.value(cells, values)
            if value:
                before = found[observable.name].get(observable.key, 0)
                if isinstance(value, int) and isinstance(before, int) and before:
                    value += before
                found[observable.name][observable.key] = value
        return {name: dict(sorted(found[name].items())) for name in sorted(found)}


def changed(outcomes: Sequence[Outcome], before: Outcome) -> list[Outcome]:
    """The outcomes without what is in all of them as it was before.

    An observable whose value for some player differs anywhere stays for that player
    everywhere, so that outcomes can be told apart.
    """
    keys = {
        (name, key)
        for outcome in [*outcomes, before]
        for name, row in outcome.items()
        for key in row
    }
    moved = {
        (name, key)
        for name, key in keys
        if any(
            outcome.get(name, {}).get(key) != before.get(name, {}).get(key) for outcome in outcomes
        )
    }
    return [
        {
            name: kept
            for name, row in outcome.items()
            if (kept := {key: value for key, value in row.items() if (name, key) in moved})
        }
        for outcome in outcomes
    ]


def matches(outcome: Outcome, pattern: dict[str, dict[str, Any]]) -> bool:
    """Whether an outcome is as `pattern` says; what is not named is not compared."""
    return all(
        _same(outcome.get(name, {}).get(key, 0), wanted)
        for name, row in pattern.items()
        for key, wanted in row.items()
    )


def _same(value: Value, wanted: Any) -> bool:
    if isinstance(wanted, list):
        words = list(map(str, wanted))
        if isinstance(value, tuple):
            return list(value) == words
        return sorted(words) == value if isinstance(value, list) else not words and not value
    if isinstance(value, list | tuple):
        return len(value) == int(wanted)
    return bool(value == wanted)
