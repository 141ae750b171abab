"""Random boards."""

from __future__ import annotations

from hypothesis import strategies as st
from oracle import Board, Copy, Do, DrawStep
from oracle.effects import EFFECTS, LIMITS

CARDS = sorted([*EFFECTS, *LIMITS])

#: What makes the others meet.
_COMMON = ("Notion Thief", "Thought Reflection", "Chains of Mephistopheles", "Plagiarize",
           "Spirit of the Labyrinth", "Alms Collector", "Obstinate Familiar")  # fmt: skip


#: Of which a player has one (CR 704.5j).
LEGENDARY = (
    "Alhammarret's Archive",
    "Asmodeus the Archfiend",
    "Narset, Parter of Veils",
    "Teferi's Ageless Insight",
)


def _kept(found: list[Copy]) -> tuple[Copy, ...]:
    """Without further copies of one player that the legend rule would take."""
    return tuple(
        copy
        for place, copy in enumerate(found)
        if copy.card not in LEGENDARY or copy not in found[:place]
    )


@st.composite
def copies(draw: st.DrawFn, players: int, cards: list[str]) -> Copy:
    """One copy of one of some cards."""
    card = draw(st.sampled_from(cards))
    controller = draw(st.integers(0, players - 1))
    target = draw(st.integers(0, players - 1)) if card == "Plagiarize" else None
    return Copy(card, controller, target)


@st.composite
def timelines(draw: st.DrawFn, players: int) -> tuple[DrawStep | tuple[int, tuple[Do, ...]], ...]:
    """One to three draws, in one or more entries, perhaps with discards and a draw step."""
    entries: list[DrawStep | tuple[int, tuple[Do, ...]]] = []
    left = draw(st.integers(1, 3))
    seats = st.integers(0, players - 1)
    if draw(st.integers(0, 5)) == 0:
        entries.append(DrawStep())
        left -= 1
    while left > 0:
        you = draw(seats)
        does = []
        if draw(st.integers(0, 4)) == 0:
            does.append(Do("discard", draw(st.integers(1, 2)), draw(seats)))
        if left > 1 and draw(st.integers(0, 5)) == 0:
            does.append(Do("draw", 1, draw(st.sampled_from(["each_player", "each_opponent"]))))
            left -= players
        else:
            number = draw(st.integers(1, left))
            does.append(Do("draw", number, draw(seats)))
            left -= number
        entries.append((you, tuple(does)))
    return tuple(entries)


@st.composite
def boards(
    draw: st.DrawFn, *, cards: list[str] | None = None, most_players: int = 4, most_copies: int = 6
) -> Board:
    """A board of two or more players."""
    players = draw(st.integers(2, most_players))
    # A few kinds of cards a board, so that copies of one card meet as often as not; where
    # any card may come, one that moves draws or makes more of them is there.
    kinds = draw(st.lists(st.sampled_from(cards or CARDS), min_size=1, max_size=3))
    if cards is None:
        kinds += draw(st.lists(st.sampled_from(_COMMON), min_size=1, max_size=2))
    small = st.integers(0, 3)
    seats = range(players)
    return Board(
        players=players,
        copies=_kept(draw(st.lists(copies(players, kinds), min_size=2, max_size=most_copies))),
        timeline=draw(timelines(players)),
        active=draw(st.integers(0, players - 1)),
        step=draw(st.sampled_from(["precombat_main", "draw", "upkeep"])),
        hand={seat: draw(small) for seat in seats},
        library={seat: draw(st.one_of(st.none(), small)) for seat in seats},
        life={seat: draw(st.sampled_from([20, 7, 1])) for seat in seats},
        drawn={seat: draw(st.sampled_from([0, 0, 1])) for seat in seats},
    )
