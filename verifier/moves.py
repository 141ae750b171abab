"""The moves between states, kept small: millions of them are a few arrays of numbers."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from verifier.explorer import Transition


class Move(NamedTuple):
    """An edge between states: the transition taken, its orders, and where it leads.

    ``orders`` includes those of the forced steps that follow.
    """

    target: int
    orders: int
    transition: Transition


class Moves(Mapping[int, list[Move]]):
    """For each state that was looked at, by number, the moves from it; 0 is the start.

    Parameters
    ----------
    transitions
        All that there are.  The moves from a state are some that follow each other.
    """

    def __init__(self, transitions: Sequence[Transition]) -> None:
        self._transitions = transitions
        #: Of all moves where they lead, and their orders.
        self._targets: array[int] = array("q")
        self._orders: list[int] = []
        #: For each state where its moves begin (-1: not known), how many there are, and the
        #: first transition.
        self._at: array[int] = array("q")
        self._sizes: array[int] = array("q")
        self._firsts: array[int] = array("q")

    def add(self, state: int, first: int, targets: Iterable[int], orders: Iterable[int]) -> None:
        """Add all moves from a state, the transitions of which are those from `first` on."""
        before = len(self._targets)
        self._targets.extend(targets)
        self._orders += orders
        self._put(state, before, first, len(self._targets) - before)

    def add_all(
        self,
        states: Iterable[int],
        firsts: Iterable[int],
        sizes: Iterable[int],
        targets: Iterable[int],
        orders: Iterable[int],
    ) -> None:
        """Add all moves from some states."""
        at = len(self._targets)
        self._targets.extend(targets)
        self._orders += orders
        for state, first, size in zip(states, firsts, sizes, strict=True):
            self._put(state, at, first, size)
            at += size

    def _put(self, state: int, at: int, first: int, size: int) -> None:
        if state >= len(self._at):
            new = [-1] * (state + 1 - len(self._at))
            self._at.extend(new)
            self._sizes.extend(new)
            self._firsts.extend(new)
        self._at[state], self._firsts[state], self._sizes[state] = at, first, size

    # --- As a mapping -------------------------------------------------------------------

    def __contains__(self, state: object) -> bool:
        return isinstance(state, int) and 0 <= state < len(self._at) and self._at[state] >= 0

    def __getitem__(self, state: int) -> list[Move]:
        if state not in self:
            raise KeyError(state)
        at, first, size = self._at[state], self._firsts[state], self._sizes[state]
        return list(
            map(
                Move,
                self._targets[at : at + size],
                self._orders[at : at + size],
                self._transitions[first : first + size],
            )
        )

    def __iter__(self) -> Iterator[int]:
        return (state for state, at in enumerate(self._at) if at >= 0)

    def __len__(self) -> int:
        return sum(at >= 0 for at in self._at)

    # --- As a graph ---------------------------------------------------------------------

    def targets(self, state: int) -> Sequence[int]:
        """Where the moves from a state lead."""
        if state not in self:
            return ()
        at = self._at[state]
        return self._targets[at : at + self._sizes[state]]

    def first(self, state: int, target: int) -> Transition:
        """The first move from a state that leads to another one."""
        at = self._targets.index(target, self._at[state])
        return self._transitions[self._firsts[state] + at - self._at[state]]

    def final(self) -> list[int]:
        """The states that nothing follows."""
        return [state for state, size in enumerate(self._sizes) if not size]

    def nearest_first(self, count: int) -> tuple[list[int], array[int]]:
        """The states that are reached, the nearest first, and how they are reached.

        Parameters
        ----------
        count
            How many states there are.

        Returns
        -------
        order
            The start, and what follows as the moves come.
        before
            For each state the one before it on a shortest way; for the start itself.
        """
        order, before = [0], array("q", [-1]) * count
        before[0] = 0
        sizes, targets = self._sizes, self._targets
        looked_at = len(self._at)
        for state in order:
            begin = self._at[state] if state < looked_at else -1
            if begin < 0:
                continue
            for target in targets[begin : begin + sizes[state]]:
                if before[target] < 0:
                    before[target] = state
                    order.append(target)
        return order, before

    def numbered(self, order: Sequence[int], places: Sequence[int]) -> Moves:
        """The same if all states are numbered anew.

        Parameters
        ----------
        order
            The states, all of which were looked at.
        places
            For each of them its number then.
        """
        new = Moves(self._transitions)
        new._targets.extend(map(places.__getitem__, self._targets))
        new._orders = self._orders
        new._at.extend(map(self._at.__getitem__, order))
        new._sizes.extend(map(self._sizes.__getitem__, order))
        new._firsts.extend(map(self._firsts.__getitem__, order))
        return new

    def orders_to(self) -> list[int] | None:
        """In how many orders each state is reached from the start; ``None`` if there is a cycle.

        All states must have been looked at.
        """
        at, sizes, targets, orders = self._at, self._sizes, self._targets, self._orders
        incoming = [0] * len(at)
        for target in targets:
            incoming[target] += 1
        ways = [0] * len(at)
        ways[0] = 1
        ready = [] if incoming[0] else [0]
        done = 0
        while ready:
            state = ready.pop()
            done += 1
            here, begin = ways[state], at[state]
            end = begin + sizes[state]
            for target, more in zip(targets[begin:end], orders[begin:end], strict=True):
                ways[target] += here * more
                if left := incoming[target] - 1:
                    incoming[target] = left
                else:
                    ready.append(target)
        return ways if done == len(ways) else None
