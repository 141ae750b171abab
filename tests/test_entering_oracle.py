"""Cards that enter the battlefield: the engine against plain recursion, on random boards."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import pytest
from boards import NAMES, graph_of, to_yaml
from hypothesis import HealthCheck, currently_in_test_context, given, note, settings
from hypothesis import strategies as st
from oracle.entering import (
    CARDS,
    DROPPABLE,
    ITSELF,
    ON_COUNTERS,
    OTHERS,
    Board,
    Card,
    Copy,
    Outcome,
    play,
)

from verifier import Graph

LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"
EXAMPLES = int(os.environ.get("ORACLE_EXAMPLES", "1000" if LONG else "25"))

_SETTINGS = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=not LONG,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

ZONES = ("on_battlefield", "in_graveyard", "in_exile")


def scenario_of(board: Board) -> dict[str, Any]:
    """The board as the content of a scenario file."""
    names = NAMES[: board.players]
    state: dict[str, dict[str, Any]] = {name: {"hand": [], "life": board.life} for name in names}
    for number, card in enumerate(board.cards):
        state[names[card.owner]]["hand"].append({"card": card.card, "id": f"t{number}"})
    who = names[board.player]
    if board.cast:
        cast = {"player": who, "object": "t0", "free": True, "by_permission": True}
        entry: dict[str, Any] = {"cast": cast}
    else:
        objects = [f"t{number}" for number in range(len(board.cards))]
        tapped = {"tapped": True} if board.tapped else {}
        entry = {"enter": {"player": who, "objects": objects} | tapped}
    counting = ["kinds_of_counters"] if any(c.card in WITH_COUNTERS for c in _all(board)) else []
    return {
        "title": "Cards enter a board that was made at random",
        "players": list(names),
        "turn": {"active": names[board.active]},
        "battlefield": [
            {"card": p.card, "controller": names[p.controller], "id": f"p{place}"}
            for place, p in enumerate(board.permanents)
        ],
        "effects": [{"card": e.card, "controller": names[e.controller]} for e in board.floating],
        "state": state,
        "timeline": [entry],
        "ask": [*ZONES, "tapped", "life", *counting],
    }


def _all(board: Board) -> tuple[Copy | Card, ...]:
    return (*board.permanents, *board.floating, *board.cards)


#: Cards with which counters can be on something.
WITH_COUNTERS = {
    "Vivid Grove", "Steel Dromedary", "Gruul Spellbreaker", "Undercover Operative",
    "Bramblewood Paragon", "Rhythm of the Wild",
}  # fmt: skip


def read(graph: Graph, board: Board) -> tuple[Counter[Outcome], dict[Outcome, dict[str, Any]]]:
    """The engine's outcomes in the oracle's words, with the orders, and as they are told."""
    seats = {name: seat for seat, name in enumerate(graph.scenario.players)}
    before = {f"p{place}" for place in range(len(board.permanents))}
    found: Counter[Outcome] = Counter()
    told: dict[Outcome, dict[str, Any]] = {}
    keys = {
        name: sorted({key for o in graph.outcomes for key in o.outcome.get(name, {})})
        for name in graph.scenario.ask or ()
    }
    for result in graph.outcomes:
        shown: set[tuple[str, str, object]] = set()
        for name, row in result.outcome.items():
            for key, value in row.items():
                if name in ZONES:
                    assert isinstance(value, list)
                    shown |= {(name, thing, seats[key]) for thing in value if thing not in before}
                elif name == "life" and value != board.life:
                    shown.add(("paid", str(seats[key]), board.life - int(str(value))))
                elif name == "kinds_of_counters":
                    assert isinstance(value, dict)
                    shown |= {(f"{word} counters", key, n) for word, n in value.items() if n}
                elif name == "tapped" and value:
                    shown.add((name, key, True))
        outcome = frozenset(shown)
        assert outcome not in found
        assert result.orders is not None
        found[outcome] = result.orders
        # (All that any outcome shows, so that an outcome is like no other.)
        told[outcome] = {
            name: {key: result.outcome.get(name, {}).get(key, nothing(name)) for key in known}
            for name, known in keys.items()
        }
    return found, told


def nothing(name: str) -> object:
    """What an observable is where it shows nothing."""
    return {} if name == "kinds_of_counters" else 0


def compare(board: Board) -> None:
    """Equal outcomes, equally many orders to each, and the same players can force them."""
    data = scenario_of(board)
    if currently_in_test_context():
        note(to_yaml(data))
    graph = graph_of(data)
    assert graph.exhausted
    by_engine, told = read(graph, board)
    by_oracle, forced = play(board)
    assert by_engine == by_oracle
    for seat in range(board.players):
        forces = {o for o in told if graph.can_force(NAMES[seat], told[o])}
        assert forces == set(forced[seat]), f"what {NAMES[seat]} can force"


# --- Random boards -------------------------------------------------------------------------------

KINDS = {
    "tapped": ("Frozen Aether", "Blind Obedience", "Imposing Sovereign", "Orb of Dreams",
               "Root Maze", "Spelunking", "Gond Gate"),
    "with counters": ("Bramblewood Paragon", "Rhythm of the Wild", "Doubling Season",
                      "Hardened Scales", "Branching Evolution", "Winding Constrictor",
                      "Solemnity"),
    "as a copy": ("Essence of the Wild", "Essence of the Wild", "Rusted Sentinel",
                  "Steel Dromedary", "Bramblewood Paragon", "Blind Obedience"),
    "under other control": ("Gather Specimens", "Gather Specimens", "Blind Obedience",
                            "Rhythm of the Wild", "Essence of the Wild"),
    "exiled": ("Containment Priest", "Hallowed Moonlight", "Rhythm of the Wild",
               "Gather Specimens", "Orb of Dreams"),
}  # fmt: skip
CREATURES = ("Grizzly Bears", "Gruul Spellbreaker", "Rusted Sentinel", "Steel Dromedary",
             "Primeval Spawn", "Containment Priest")  # fmt: skip
LANDS = ("Vivid Grove", "Azorius Guildgate", "Hallowed Fountain", "Gond Gate")
COPIERS = ("Clone", "Undercover Operative")
ENTRANTS = {
    "tapped": (*CREATURES, *LANDS, *LANDS),
    "with counters": (
        "Vivid Grove",
        "Steel Dromedary",
        "Gruul Spellbreaker",
        "Steel Dromedary",
        "Bramblewood Paragon",
        "Undercover Operative",
    ),
    "as a copy": (*COPIERS, *COPIERS, *CREATURES),
    "under other control": (*CREATURES, "Clone", "Vivid Grove"),
    "exiled": (*CREATURES, "Clone", "Vivid Grove"),
}


@st.composite
def boards(draw: st.DrawFn, kind: str) -> Board:
    """A board of the cards that matter for one kind of change."""
    players = draw(st.integers(2, 3))
    seats = st.integers(0, players - 1)
    pool = [*KINDS[kind], draw(st.sampled_from([*OTHERS, *ON_COUNTERS, "Grizzly Bears"]))]
    copies = draw(st.lists(st.builds(Copy, st.sampled_from(pool), seats), max_size=4))
    floating = tuple(copy for copy in copies if copy.card not in CARDS)
    permanents = tuple(copy for copy in copies if copy.card in CARDS)
    player = draw(seats)
    cast = draw(st.integers(0, 3)) == 0
    choice = st.sampled_from(ENTRANTS[kind])
    names = draw(st.lists(choice, min_size=1, max_size=1 if cast else 3))
    cast = cast and "land" not in CARDS[names[0]].words
    owners = [player if cast or draw(st.integers(0, 3)) else draw(seats) for _ in names]
    cards = tuple(Card(name, owner) for name, owner in zip(names, owners, strict=True))
    tapped = not cast and draw(st.integers(0, 4)) == 0
    life = draw(st.sampled_from([20, 20, 3]))
    return Board(players, permanents, floating, cards, player, cast, tapped, draw(seats), life)


#: Rules that some boards of each kind depend on.
DEPENDENT = {
    "tapped": ("110.5b", "119.4", "616.1f"),
    "with counters": ("122.6", "614.17", "614.5"),
    "as a copy": ("614.12", "616.1", "616.1c"),
    "under other control": ("614.4", "614.5", "616.1", "616.1b"),
    "exiled": ("614.4", "616.1f"),
}
#: Of boards with more outcomes it is not asked what they would be without a rule.
MANY = 30


@pytest.mark.parametrize("kind", KINDS)
def test_engine_and_oracle_agree(kind: str) -> None:
    @given(boards(kind))
    @_SETTINGS
    def agree(board: Board) -> None:
        compare(board)

    agree()


@pytest.mark.parametrize("kind", KINDS)
def test_without_a_rule_it_would_be_something_else(kind: str) -> None:
    left = set(DEPENDENT[kind])

    @given(boards(kind))
    @settings(_SETTINGS, max_examples=400)
    def notice(board: Board) -> None:
        right = play(board)
        if left and len(right[0]) < MANY:
            left.difference_update([rule for rule in left if play(board, rule) != right])

    notice()
    assert not left


def test_each_rule_that_can_be_left_out_is_needed() -> None:
    assert {rule for rules in DEPENDENT.values() for rule in rules} == set(DROPPABLE)
    used = {card for pool in (*KINDS.values(), *ENTRANTS.values()) for card in pool}
    assert {*ITSELF, *OTHERS, *ON_COUNTERS} <= used
