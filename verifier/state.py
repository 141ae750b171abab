"""States: which fluents hold, what the quantities are, and the agenda.

A state is kept small.  Fluents with the same name and first argument share a *cell* (the set
of those that hold), each quantity has a cell of its own (a Python integer, so numbers are
exact); a state is the tuple of its cells and an agenda, which is a linked list of items with
shared tails, known by number.  What no loaded rule reads and nobody asks for has no cell: a
state remembers nothing that cannot matter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from verifier.terms import Function, Term, Variable, parse_term, signature

#: The value of a cell: a quantity, or the fluents that hold.
Cell = int | frozenset[str]
Values = tuple[Cell, ...]
State = tuple[Values, int]

#: One change to a cell: its index, what to do, and the number or fluent.
Change = tuple[int, str, "int | str"]

#: The agenda with nothing left to do.
EMPTY = 0


def group(fluent: Term) -> str:
    """The cell that a fluent belongs to: its name, arity and first argument."""
    if isinstance(fluent, Function):
        return f"{fluent.name}/{len(fluent.arguments)} {fluent.arguments[0]}"
    return f"{fluent}/0"


def _any_of_group(fluent: Term) -> Term:
    if isinstance(fluent, Function):
        first, *others = fluent.arguments
        return Function(fluent.name, (first, *(Variable("") for _ in others)))
    return fluent


class Cells:
    """The cells of one exploration.

    Parameters
    ----------
    matters
        Whether a fluent or quantity is read by some rule or asked for.
    """

    def __init__(self, matters: Callable[[Term], bool]) -> None:
        self._matters = matters
        self._indices: dict[str, int | None] = {}
        self._sets: dict[frozenset[str], frozenset[str]] = {}
        #: For each cell, an example of what it holds: the quantity, or a fluent.
        self.examples: list[Term] = []
        self.is_quantity: list[bool] = []
        #: The cells that keep what checkpoints have shown.
        self.notes: list[int] = []

    def __len__(self) -> int:
        return len(self.examples)

    def of_quantity(self, text: str) -> int | None:
        """The index of a quantity's cell; ``None`` if it does not matter."""
        return self._index(text, text, True)

    def of_fluent(self, text: str) -> int | None:
        """The index of the cell that a fluent belongs to; ``None`` if it does not matter."""
        key = "fluent " + text
        if key not in self._indices:
            self._indices[key] = self._index(group(parse_term(text)), text, False)
        return self._indices[key]

    def _index(self, key: str, text: str, is_quantity: bool) -> int | None:
        if key not in self._indices:
            term = parse_term(text)
            if not self._matters(term if is_quantity else _any_of_group(term)):
                self._indices[key] = None
            else:
                self._indices[key] = len(self.examples)
                self.examples.append(term)
                self.is_quantity.append(is_quantity)
        return self._indices[key]

    def quantities(self, pattern: Term) -> list[int]:
        """The indices of the cells of all quantities with a pattern's name and first argument."""
        return [
            index
            for index, example in enumerate(self.examples)
            if self.is_quantity[index] and group(example) == group(pattern)
        ]

    def of_note(self, name: str) -> int:
        """The index of the cell that keeps what a checkpoint has shown, by number."""
        key = f"note {name}"
        index = self._indices.get(key)
        if index is None:
            index = self._indices[key] = len(self.examples)
            self.examples.append(Function("noted", (name,)))
            self.is_quantity.append(True)
            self.notes.append(index)
        return index

    def find(self, key: str) -> int | None:
        """The index of the cell of a quantity or group that exists already."""
        return self._indices.get(key)

    def compile(self, changes: Sequence[tuple[str, str, int]]) -> tuple[Change, ...]:
        """Changes by name, as changes to cells; those that do not matter are left out."""
        totals: dict[int, int] = {}
        others: list[Change] = []
        for kind, text, number in changes:
            is_quantity = kind in "az"
            index = self.of_quantity(text) if is_quantity else self.of_fluent(text)
            if index is None:
                continue
            if kind == "a":
                totals[index] = totals.get(index, 0) + number
            else:
                others.append((index, kind, 0 if is_quantity else text))
        # What ends comes before what begins, so that a fluent may be replaced by itself.
        others.sort(key=lambda change: ("uzs".index(change[1]), change[0], change[2]))
        added: list[Change] = [(i, "a", total) for i, total in sorted(totals.items()) if total]
        return (*others, *added)

    def like(self, pattern: Term) -> list[int]:
        """The indices of the cells of fluents that may be instances of a pattern."""
        return [
            index
            for index, example in enumerate(self.examples)
            if not self.is_quantity[index] and signature(example) == signature(pattern)
        ]

    def change(self, values: Values, changes: Sequence[Change]) -> Values:
        """The cells after some changes."""
        if not changes:
            return values
        cells = list(values)
        for index, kind, what in changes:
            while index >= len(cells):
                cells.append(0 if self.is_quantity[len(cells)] else frozenset())
            if kind == "a":
                cells[index] += what  # type: ignore[operator]
            elif kind == "n":
                cells[index] = int(what)
            elif kind == "z":
                cells[index] = 0
            else:
                held: frozenset[str] = cells[index]  # type: ignore[assignment]
                changed = held | {str(what)} if kind == "s" else held - {str(what)}
                cells[index] = self._sets.setdefault(changed, changed)
        while cells and not cells[-1]:
            cells.pop()
        return tuple(cells)


class Agendas:
    """Agendas as linked lists with shared tails; 0 is the empty one."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], int] = {}
        #: For each agenda, its topmost item and the rest.
        self.parts: list[tuple[int, int]] = [(-1, EMPTY)]

    def push(self, items: Sequence[int], rest: int) -> int:
        """The agenda with `items` on top of `rest`, the first one topmost."""
        for item in reversed(items):
            key = (item, rest)
            known = self._known.get(key)
            if known is None:
                known = self._known[key] = len(self.parts)
                self.parts.append(key)
            rest = known
        return rest
