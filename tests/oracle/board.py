"""What the oracle is given: players by seat, copies of effects, numbers of cards."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Copy:
    """One copy of a card, or of an effect that a card's ability has left behind.

    Attributes
    ----------
    card
        The printed name.
    controller
        Seat of the player who controls it.
    target
        Seat of the player whom the effect names, if it was made with a target.
    """

    card: str
    controller: int
    target: int | None = None


@dataclass(frozen=True)
class Do:
    """One instruction: ``who`` is a seat, or ``"each_player"`` or ``"each_opponent"``."""

    verb: str
    number: int
    who: int | str


@dataclass(frozen=True)
class DrawStep:
    """The active player's draw step begins."""


#: What happens, entry by entry: a draw step, or instructions of one player.  State-based
#: actions are checked after each entry.
Timeline = tuple["DrawStep | tuple[int, tuple[Do, ...]]", ...]


@dataclass(frozen=True)
class Board:
    """A board and what happens on it.

    Attributes
    ----------
    players
        How many players there are; seats are numbered from 0 in turn order.
    copies
        Every copy of an effect, each told apart from the others.
    timeline
        What happens.
    active, step
        Whose turn it is, and in which step.
    hand, library, life, drawn
        For each seat: cards in hand, cards in library (``None``: more than enough), life
        total, cards drawn so far this turn.  What is not given is 0, ``None``, 20, 0.
    """

    players: int
    copies: tuple[Copy, ...]
    timeline: Timeline
    active: int = 0
    step: str = "precombat_main"
    hand: dict[int, int] = field(default_factory=dict)
    library: dict[int, int | None] = field(default_factory=dict)
    life: dict[int, int] = field(default_factory=dict)
    drawn: dict[int, int] = field(default_factory=dict)

    def apnap(self, seats: set[int]) -> list[int]:
        """The active player first, then the others in turn order (CR 101.4)."""
        return sorted(seats, key=lambda seat: (seat - self.active) % self.players)
