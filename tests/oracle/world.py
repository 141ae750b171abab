"""The changing part of a board, as an immutable value."""

from __future__ import annotations

from dataclasses import dataclass, replace

from oracle.board import Board

#: ``(name, seat)`` -> number, zeros left out.
Counts = frozenset[tuple[tuple[str, int], int]]

#: Names of numbers that an outcome records for each player.
SHOWN = (
    "drawn", "discarded", "milled", "exiled", "life", "hand", "library", "graveyard",
    "treasure", "bear",
)  # fmt: skip


@dataclass(frozen=True)
class World:
    """Numbers of each player, and what else has changed.

    Attributes
    ----------
    counts
        The numbers.
    step
        The step of the turn.
    spent
        Copies of one-shot effects that have been used up.
    missed
        Players who tried to draw from an empty library since the last check.
    lost, won
        Players who have lost or won.
    over
        Whether the game has ended; with nobody having won it is a draw.
    """

    counts: Counts
    step: str
    spent: frozenset[int] = frozenset()
    missed: frozenset[int] = frozenset()
    lost: frozenset[int] = frozenset()
    won: frozenset[int] = frozenset()
    over: bool = False

    def number(self, name: str, seat: int) -> int:
        """One number."""
        return dict(self.counts).get((name, seat), 0)

    def add(self, *changes: tuple[str, int, int]) -> World:
        """With numbers changed: each change is ``(name, seat, by)``."""
        counts = dict(self.counts)
        for name, seat, by in changes:
            counts[name, seat] = counts.get((name, seat), 0) + by
        return replace(self, counts=frozenset((key, n) for key, n in counts.items() if n))

    def with_changed(self, **fields: object) -> World:
        """With other fields changed."""
        return replace(self, **fields)  # type: ignore[arg-type]


def first_world(board: Board) -> World:
    """The board before anything happens."""
    world = World(frozenset(), board.step)
    for seat in range(board.players):
        world = world.add(
            ("life", seat, board.life.get(seat, 20)),
            ("hand", seat, board.hand.get(seat, 0)),
            ("library", seat, board.library.get(seat) or 0),
            ("drawn_this_turn", seat, board.drawn.get(seat, 0)),
        )
    return world
