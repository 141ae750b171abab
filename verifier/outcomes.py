"""Outcomes: what a final state shows, as the scenario asks for it.

An outcome is a dict ``{observable: {player: value}}``; zero counts, empty lists and false
flags are left out.  What checkpoints of the timeline have shown is below ``at``, in the order
in which they were reached: ``{"at": {checkpoint: {observable: {player: value}}}, ...}``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from verifier.errors import InputError
from verifier.state import Cells, Values, group
from verifier.terms import Function, Term, Variable, flatten, parse_term, signature, unifies

#: Counts by what is counted.
Counts = dict[str, int]
#: A count, a flag, a word, a set of things (a sorted list), a sequence of things (a tuple),
#: counts, or several alternatives of them.
Value = int | bool | str | list[str] | tuple[str, ...] | Counts | list[Counts]
#: What is to be seen in a state.
Rows = dict[str, dict[str, Value]]
#: Rows, and below `AT` the rows of each checkpoint.
Outcome = dict[str, Any]
#: Where an outcome and a claim have the checkpoints.
AT = "at"
#: What the outcome of a run that never ends records.
ENDLESS: Outcome = {"loop": {"game": True}}
#: In a claim: the word that there is none.
NOTHING = "none"
#: Names of observables; ``None``: everything that changed.
Ask = Sequence[str] | None
#: For a state and an item, the states in which the item can end from there.
Options = dict[tuple[Values, str], list[Values]]


@dataclass(frozen=True)
class Observable:
    """One part of what can be observed.

    ``form`` is ``number`` (a quantity), ``flag``, ``word`` (the first argument of the one
    fluent like `term`), ``set`` (the last arguments of fluents),
    ``forward`` or ``backward`` (a list in a fluent, and how to read it), or ``counts`` (all
    quantities like `term`, by their other arguments).  If it has an ``item``, the value is
    what is largest among the states where that item can end.  If it has a fluent that it is
    shown ``during``, there is nothing to be seen in states without one like it.
    """

    name: str
    key: str
    form: str
    term: Term
    item: str | None = None
    during: Term | None = None

    @property
    def claimed(self) -> str:
        """How it is claimed: number, flag, word, list, counts, or options (a list of counts)."""
        if self.item is not None:
            return "options"
        return self.form if self.form in ("number", "flag", "word", "counts") else "list"

    @property
    def kind(self) -> str:
        """Like `claimed`, and whether a list is a ``set`` or a ``sequence``."""
        if self.claimed == "list":
            return "set" if self.form == "set" else "sequence"
        return self.claimed

    @cached_property
    def _cell(self) -> str:
        return str(self.term) if self.form == "number" else group(self.term)

    def cell(self, cells: Cells) -> int | None:
        """The cell that shows it, if there is one yet."""
        return cells.find(self._cell)

    def value(self, cells: Cells, values: Values, options: Options) -> Value:
        """Its value in a state."""
        if self.during is not None and not _word(self.during, cells, values):
            return 0
        if self.item is not None:
            ends = options.get((values, self.item), [])
            return largest([self._counts(cells, end) for end in ends])
        if self.form == "counts":
            return self._counts(cells, values)
        if self.form == "word":
            return _word(self.term, cells, values)
        index = self.cell(cells)
        held = values[index] if index is not None and index < len(values) else 0
        if self.form == "number":
            return held if isinstance(held, int) else 0
        fluents = held if isinstance(held, frozenset) else frozenset()
        if self.form == "flag":
            return str(self.term) in fluents
        lasts = map(_last, fluents)
        if self.form == "set":
            return sorted(str(last).strip(chr(34)) for last in lasts)
        things = [str(thing) for term in lasts for thing in flatten(term)]
        return tuple(things if self.form == "forward" else reversed(things))

    def _counts(self, cells: Cells, values: Values) -> Counts:
        found: Counts = {}
        for index in cells.quantities(self.term):
            value = values[index] if index < len(values) else 0
            if isinstance(value, int) and value:
                found[counted(cells.examples[index])] = value
        return dict(sorted(found.items()))


def _word(pattern: Term, cells: Cells, values: Values) -> str:
    """The first argument of the one fluent that holds and is like the pattern."""
    for index in cells.like(pattern):
        held = values[index] if index < len(values) else 0
        for fluent in held if isinstance(held, frozenset) else ():
            term = parse_term(fluent)
            if isinstance(term, Function) and unifies(pattern, term):
                return str(term.arguments[0])
    return ""


def counted(quantity: Term) -> str:
    """What a quantity counts: ``mana(P,green,free)`` is green, and so is what else it says.

    The third argument is a plain word, or a term whose arguments say something unless they
    are ``any`` or ``none``.
    """
    _, what, *others = quantity.arguments if isinstance(quantity, Function) else ()
    said = [
        str(part)
        for other in others
        if isinstance(other, Function)
        for part in other.arguments
        if part not in ("any", "none")
    ]
    return f"{what} ({', '.join(said)})" if said else str(what)


def largest(found: Sequence[Counts]) -> list[Counts]:
    """Those counts that no other ones exceed or equal in everything, sorted."""
    different = {tuple(sorted(counts.items())) for counts in found}
    by_total: dict[int, list[Counts]] = defaultdict(list)
    for counts in different:
        by_total[sum(number for _, number in counts)].append(dict(counts))
    kept: list[Counts] = []
    # Of different ones with the same total none exceeds another.
    for _, rows in sorted(by_total.items(), reverse=True):
        kept += [
            row
            for row in rows
            if not any(all(more.get(key, 0) >= row[key] for key in row) for more in kept)
        ]
    return sorted((row for row in kept if row), key=lambda row: sorted(row.items()))


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
        self._chosen: dict[tuple[str, ...] | None, list[Observable]] = {}
        during: dict[tuple[str, str], Term] = {}
        for atom in static:
            if not atom.startswith(("observes", "shown_during")):
                continue
            term = parse_term(atom)
            assert isinstance(term, Function)
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
                case ("observes_word", 4), (name, key, functor, last):
                    pattern = Function(str(functor), (Variable("X"), last))
                    self.all.append(Observable(str(name), str(key), "word", pattern))
                case ("observes_counts", 3), (name, key, pattern):
                    self.all.append(Observable(str(name), str(key), "counts", pattern))
                case ("observes_most", 4), (name, key, pattern, item):
                    self.all.append(Observable(str(name), str(key), "counts", pattern, str(item)))
                case ("shown_during", 3), (name, key, functor):
                    during[str(name), str(key)] = Function(str(functor), (Variable("X"), key))
        self.all = [replace(o, during=during.get((o.name, o.key))) for o in self.all]
        self.all.sort(key=lambda o: (o.name, o.key, str(o.term)))
        self.names = sorted({observable.name for observable in self.all})

    def chosen(self, ask: Ask) -> list[Observable]:
        """The observables that a scenario asks for: all, if it does not say."""
        key = None if ask is None else tuple(ask)
        if key not in self._chosen:
            self._chosen[key] = [
                o for o in self.all if (o.item is None if ask is None else o.name in ask)
            ]
        return self._chosen[key]

    def needed(self, asks: Iterable[Ask]) -> list[Term]:
        """Terms that must have cells so that the outcome can be told."""
        asked = [o for ask in asks for o in self.chosen(ask)]
        fluents = {o.during: None for o in asked if o.during is not None}
        return list({o.term: None for o in asked} | fluents)

    def rows(self, ask: Ask, cells: Cells, values: Values, options: Options) -> Rows:
        """What a state shows."""
        found: dict[str, dict[str, Value]] = defaultdict(dict)
        for observable in self.chosen(ask):
            value = observable.value(cells, values, options)
            if value:
                before = found[observable.name].get(observable.key, 0)
                if isinstance(value, int) and isinstance(before, int) and before:
                    value += before
                found[observable.name][observable.key] = value
        return {name: dict(sorted(found[name].items())) for name in sorted(found)}


class Notes:
    """What checkpoints have shown: equal rows have one number, which the state keeps.

    Parameters
    ----------
    observables
        What can be recorded.
    asks
        The checkpoints, and what is asked for at each.
    """

    def __init__(self, observables: Observables, asks: Mapping[str, Ask]) -> None:
        self.asks = asks
        self._observables = observables
        self._numbers: dict[tuple[str, str, Values], int] = {}
        self._seen: dict[tuple[str, Values], int] = {}
        #: What is seen by number (from 1), and the state if that does not say it all.
        self._rows: list[tuple[Rows, Values]] = [({}, ())]

    def number(self, cells: Cells, name: str, values: Values) -> int:
        """The number of what a state shows at a checkpoint."""
        number = self._seen.get((name, values))
        if number is None:
            ask = self.asks[name]
            rows = self._observables.rows(ask, cells, values, {})
            # What could still be made of the state is looked at in the end.
            later = any(o.item is not None for o in self._observables.chosen(ask))
            kept = values if later else ()
            new = len(self._rows)
            number = self._numbers.setdefault((name, repr(rows), kept), new)
            if number == new:
                self._rows.append((rows, kept))
            self._seen[name, values] = number
        return number

    def shown(self, name: str, number: int) -> Rows:
        """What a checkpoint has shown, by its number.

        Raises
        ------
        InputError
            If that is not all, as more is still to be looked at in the end.
        """
        rows, kept = self._rows[number]
        if kept:
            raise InputError(
                f"what checkpoint `{name}` shows cannot be written before the end",
                hint="a certificate needs another `ask` there",
            )
        return rows

    def reached(self, cells: Cells, values: Values) -> Iterator[tuple[str, Values]]:
        """The checkpoints that were reached before a state, and the states there, if kept."""
        for name, number in self._kept(cells, values):
            yield name, self._rows[number][1]

    def outcome(self, ask: Ask, cells: Cells, values: Values, options: Options) -> Outcome:
        """What a state shows, and the checkpoints before it."""
        found: Outcome = {}
        at = {}
        for name, number in self._kept(cells, values):
            rows, kept = self._rows[number]
            if kept:
                rows = self._observables.rows(self.asks[name], cells, kept, options)
            at[name] = rows
        if at:
            found[AT] = at
        return found | self._observables.rows(ask, cells, values, options)

    def _kept(self, cells: Cells, values: Values) -> Iterator[tuple[str, int]]:
        for name in self.asks:
            index = cells.of_note(name)
            number = values[index] if index < len(values) else 0
            if isinstance(number, int) and number:
                yield name, number


def parts(outcome: Outcome) -> Iterator[tuple[str, Rows]]:
    """The rows of each checkpoint, and at last, under the empty name, those of the end."""
    yield from outcome.get(AT, {}).items()
    yield "", {name: row for name, row in outcome.items() if name != AT}


def changed_everywhere(
    outcomes: Sequence[Outcome], before: Rows, asks: Mapping[str, Ask]
) -> list[Outcome]:
    """The outcomes without what nothing changed, wherever nothing is asked for by name.

    `asks` says what is asked for at each checkpoint and, under the empty name, in the end.
    """
    rows = [dict(parts(outcome)) for outcome in outcomes]
    for place, ask in asks.items():
        if ask is None:
            there = [row for row in rows if place in row]
            new = changed([row[place] for row in there], before)
            for row, what in zip(there, new, strict=True):
                row[place] = what
    return [
        ({AT: at} if (at := {name: row[name] for name in row if name}) else {}) | row[""]
        for row in rows
    ]


def changed(outcomes: Sequence[Rows], before: Rows) -> list[Rows]:
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


def matches(outcome: Outcome, pattern: Outcome) -> bool:
    """Whether an outcome is as `pattern` says; what is not named is not compared.

    A checkpoint that is named must have been reached, and an observable with nothing in it shows
    nothing.
    """
    found = dict(parts(outcome))
    return all(
        place in found
        and all(_row_is(found[place].get(name, {}), row) for name, row in rows.items())
        for place, rows in parts(pattern)
    )


def _row_is(found: dict[str, Value], row: dict[str, Any]) -> bool:
    if not row:
        return not found
    return all(_same(found.get(key, 0), wanted) for key, wanted in row.items())


def _same(value: Value, wanted: Any) -> bool:
    if isinstance(wanted, dict):
        counted = value if isinstance(value, dict) else {}
        return counted == {key: number for key, number in wanted.items() if number}
    if isinstance(wanted, list) and any(isinstance(part, dict) for part in wanted):
        found: list[Any] = [*value] if isinstance(value, list) else []
        parts = [
            {key: number for key, number in part.items() if number}
            if isinstance(part, dict)
            else part
            for part in wanted
        ]
        return len(found) == len(parts) and all(
            found.count(part) == parts.count(part) for part in parts
        )
    if isinstance(wanted, str):
        return (value or NOTHING) == wanted
    if isinstance(wanted, list):
        words = list(map(str, wanted))
        if isinstance(value, tuple):
            return list(value) == words
        return sorted(words) == value if isinstance(value, list) else not words and not value
    if isinstance(value, list | tuple):
        return len(value) == int(wanted)
    if isinstance(value, dict):
        return sum(value.values()) == int(wanted)
    return bool(value == wanted)
