"""Turns, triggers in APNAP order and control for a time: naively.

Nothing here is shared with the verifier.  Triggers are put on a list in every order that their
players can choose, one by one; control of an artifact is a list of what was said last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations, product
from math import factorial, prod

# --- Who controls what, turn by turn ----------------------------------------------------------


@dataclass
class Artifact:
    """A permanent that players take from each other.

    ``claims`` are the effects on it, the latest last: whose, and whether the turn at whose end
    it ends has begun.
    """

    owner: int
    claims: list[tuple[int, bool]] = field(default_factory=list)
    tapped: bool = False
    gone: bool = False

    @property
    def controller(self) -> int:
        """The player who controls it."""
        return self.claims[-1][0] if self.claims else self.owner


@dataclass
class Table:
    """Players around a table, some of them with creatures that take what others tap for mana.

    Attributes
    ----------
    takers
        For each seat, how many such creatures its player controls.
    active
        The seat whose turn it is; the turn goes on if its player leaves.
    orders
        In how many orders everything so far can have happened.
    """

    takers: list[int]
    artifacts: list[Artifact]
    active: int = 0
    orders: int = 1
    out: set[int] = field(default_factory=set)

    def seats_from(self, first: int) -> list[int]:
        """All seats in turn order, from one on."""
        number = len(self.takers)
        return [(first + place) % number for place in range(number)]

    def tap(self, thing: Artifact) -> None:
        """Its controller taps it for mana, and the others' creatures take it.

        The active player's triggers lie lowest and so resolve last.
        """
        thing.tapped = True
        tapper = thing.controller
        numbers = []
        for seat in reversed(self.seats_from(self.active)):
            if seat != tapper and seat not in self.out:
                numbers.append(self.takers[seat])
                thing.claims += [(seat, False)] * self.takers[seat]
        self.orders *= prod(map(factorial, numbers))

    def next_turn(self) -> None:
        """The turn ends, and the next player's begins with untapping."""
        for thing in self.artifacts:
            thing.claims = [claim for claim in thing.claims if claim != (self.active, True)]
        self.active = next(s for s in self.seats_from(self.active)[1:] if s not in self.out)
        for thing in self.artifacts:
            thing.claims = [(who, now or who == self.active) for who, now in thing.claims]
            if thing.controller == self.active:
                thing.tapped = False

    def leave(self, seat: int) -> None:
        """A player leaves the game with all that is theirs."""
        self.out.add(seat)
        for thing in self.artifacts:
            thing.claims = [claim for claim in thing.claims if claim[0] != seat]
            thing.gone |= thing.owner == seat

    def shown(self) -> list[tuple[int | None, bool]]:
        """Who controls each artifact, and whether it is tapped."""
        return [(None, False) if t.gone else (t.controller, t.tapped) for t in self.artifacts]


# --- Triggers at the same time ----------------------------------------------------------------


@dataclass(frozen=True)
class Trigger:
    """What an ability does when it resolves.

    ``what`` is ``gain``, ``lose``, ``drain`` (each opponent loses), ``burden`` (each player
    loses) or ``draw``.
    """

    what: str
    number: int


@dataclass
class Game:
    """Life and libraries of some players."""

    life: list[int]
    library: list[int]
    drawn: list[int]
    failed: set[int] = field(default_factory=set)
    lost: set[int] = field(default_factory=set)

    def resolve(self, seat: int, trigger: Trigger) -> None:
        """The effect of one trigger, and who has lost then."""
        everyone = [s for s in range(len(self.life)) if s not in self.lost]
        match trigger.what:
            case "gain":
                self.life[seat] += trigger.number
            case "lose":
                self.life[seat] -= trigger.number
            case "drain" | "burden":
                for other in everyone:
                    if other != seat or trigger.what == "burden":
                        self.life[other] -= trigger.number
            case "draw":
                for _ in range(trigger.number):
                    if self.library[seat]:
                        self.library[seat] -= 1
                        self.drawn[seat] += 1
                    else:
                        self.failed.add(seat)
        self.lost |= {s for s in everyone if self.life[s] <= 0 or s in self.failed}

    @property
    def over(self) -> bool:
        """Whether at most one player is left."""
        return len(self.lost) >= len(self.life) - 1


#: For each seat: life, cards drawn, whether the player has lost.
End = tuple[tuple[int, int, bool], ...]


def ends(
    life: Sequence[int], library: Sequence[int], triggers: Sequence[Sequence[Trigger]]
) -> Counter[End]:
    """How the triggers of all players can end, and in how many orders; seat 0 is active.

    Parameters
    ----------
    life, library
        Of each player.
    triggers
        Those of each player, all at the same time.
    """
    found: Counter[End] = Counter()
    for stack in _stacks(triggers):
        game = Game([*life], [*library], [0] * len(life))
        while stack and not game.over:
            seat, trigger = stack.pop()
            if seat not in game.lost:
                game.resolve(seat, trigger)
        found[tuple((game.life[s], game.drawn[s], s in game.lost) for s in range(len(life)))] += 1
    return found


def _stacks(triggers: Sequence[Sequence[Trigger]]) -> Iterator[list[tuple[int, Trigger]]]:
    """All orders on the stack: the active player's lowest, each player's in any order."""
    for orders in product(*map(permutations, triggers)):
        yield [(seat, trigger) for seat, own in enumerate(orders) for trigger in own]
