"""The effects that the oracle knows, each written out from what the card does.

An effect is a function from ``(board, world, copy, event)`` to the tasks that take the
event's place, or ``None`` if it does not apply to the event.
"""

# Effects have one signature, and few need all of it.
# ruff: noqa: ARG001, ARG005
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from oracle.board import Board, Copy
from oracle.world import World


class Event(NamedTuple):
    """Something that would happen to one player: ``draw`` is one card, ``draws`` several."""

    verb: str
    seat: int
    number: int = 1


class DiscardOrMill(NamedTuple):
    """The rest of Chains: discard, and draw if that was done, mill if it was not."""

    seat: int


Task = Event | DiscardOrMill
Apply = Callable[[Board, World, Copy, Event], "list[Task] | None"]


@dataclass(frozen=True)
class Effect:
    """A replacement effect of a card.

    Attributes
    ----------
    apply
        What takes an event's place.
    optional
        Whether the affected player may leave it.
    once
        Whether it is used up when it is applied.
    floating
        Whether it goes on without its source and its controller.
    """

    apply: Apply
    optional: bool = False
    once: bool = False
    floating: bool = False


def draw(seat: int, number: int) -> Event:
    """An instruction to draw; several cards are looked at as a whole first (CR 121.2a)."""
    return Event("draw", seat) if number == 1 else Event("draws", seat, number)


def first_in_draw_step(board: Board, world: World, seat: int) -> bool:
    """Whether a draw would be the player's first in their own draw step."""
    in_step = world.step == "draw" and seat == board.active
    return in_step and not world.number("drawn_in_step", seat)


def no_library(board: Board, world: World, seat: int) -> bool:
    """Whether a player's library is empty."""
    return board.library.get(seat) is not None and not world.number("library", seat)


def _own_draw(
    instead: Callable[[int], list[Task]],
    when: Callable[[Board, World, int], bool] = lambda board, world, seat: True,
) -> Apply:
    def apply(board: Board, world: World, copy: Copy, event: Event) -> list[Task] | None:
        if event.verb != "draw" or event.seat != copy.controller:
            return None
        return instead(event.seat) if when(board, world, event.seat) else None

    return apply


def _not_first(board: Board, world: World, seat: int) -> bool:
    return not first_in_draw_step(board, world, seat)


def _notion_thief(board: Board, world: World, copy: Copy, event: Event) -> list[Task] | None:
    if event.verb != "draw" or event.seat == copy.controller:
        return None
    if first_in_draw_step(board, world, event.seat):
        return None
    return [draw(copy.controller, 1)]


def _plagiarize(board: Board, world: World, copy: Copy, event: Event) -> list[Task] | None:
    if event.verb != "draw" or event.seat != copy.target:
        return None
    return [draw(copy.controller, 1)]


def _hullbreacher(board: Board, world: World, copy: Copy, event: Event) -> list[Task] | None:
    if event.verb != "draw" or event.seat == copy.controller:
        return None
    if first_in_draw_step(board, world, event.seat):
        return None
    return [Event("treasure", copy.controller)]


def _alms_collector(board: Board, world: World, copy: Copy, event: Event) -> list[Task] | None:
    if event.verb != "draws" or event.seat == copy.controller:
        return None
    # CR 121.2c: the active player draws first.
    return [draw(seat, 1) for seat in board.apnap({copy.controller, event.seat})]


def _chains(board: Board, world: World, copy: Copy, event: Event) -> list[Task] | None:
    if event.verb != "draw" or first_in_draw_step(board, world, event.seat):
        return None
    return [DiscardOrMill(event.seat)]


def _anyones_draw(verb: str | None) -> Apply:
    def apply(board: Board, world: World, copy: Copy, event: Event) -> list[Task] | None:
        if event.verb != "draw":
            return None
        return [Event(verb, event.seat)] if verb else []

    return apply


def _double_life(board: Board, world: World, copy: Copy, event: Event) -> list[Task] | None:
    if event.verb != "gain_life" or event.seat != copy.controller:
        return None
    return [Event("gain_life", event.seat, 2 * event.number)]


def _words_of_waste(board: Board, world: World, copy: Copy, event: Event) -> list[Task] | None:
    if event.verb != "draw" or event.seat != copy.controller:
        return None
    others = {seat for seat in range(board.players) if seat != copy.controller}
    return [Event("discard", seat) for seat in board.apnap(others)]


def _double(seat: int) -> list[Task]:
    return [draw(seat, 2)]


_DOUBLE_BUT_FIRST = Effect(_own_draw(_double, _not_first))

#: Card name -> its replacement effects.
EFFECTS: dict[str, tuple[Effect, ...]] = {
    "Notion Thief": (Effect(_notion_thief),),
    "Plagiarize": (Effect(_plagiarize, floating=True),),
    "Thought Reflection": (Effect(_own_draw(_double)),),
    "Teferi's Ageless Insight": (_DOUBLE_BUT_FIRST,),
    "Alhammarret's Archive": (Effect(_double_life), _DOUBLE_BUT_FIRST),
    "Hullbreacher": (Effect(_hullbreacher),),
    "Blood Scrivener": (
        Effect(
            _own_draw(
                lambda seat: [draw(seat, 2), Event("lose_life", seat)],
                lambda board, world, seat: not world.number("hand", seat),
            )
        ),
    ),
    "Alms Collector": (Effect(_alms_collector),),
    "Chains of Mephistopheles": (Effect(_chains),),
    "Uba Mask": (Effect(_anyones_draw("exile")),),
    "Possessed Portal": (Effect(_anyones_draw(None)),),
    "Asmodeus the Archfiend": (Effect(_own_draw(lambda seat: [Event("exile", seat)])),),
    "Obstinate Familiar": (Effect(_own_draw(lambda seat: []), optional=True),),
    "Words of Wilding": (
        Effect(_own_draw(lambda seat: [Event("bear", seat)]), once=True, floating=True),
    ),
    "Words of Worship": (
        Effect(_own_draw(lambda seat: [Event("gain_life", seat, 5)]), once=True, floating=True),
    ),
    "Words of Waste": (Effect(_words_of_waste, once=True, floating=True),),
    "Laboratory Maniac": (Effect(_own_draw(lambda seat: [Event("win", seat)], no_library)),),
    "Living Conundrum": (Effect(_own_draw(lambda seat: [], no_library)),),
}

#: Cards that limit draws to one a turn: whether they limit their own controller, too.
LIMITS = {"Spirit of the Labyrinth": True, "Narset, Parter of Veils": False}
