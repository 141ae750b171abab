"""Mana against a naive interpreter, on random boards."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from boards import NAMES, graph_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracle.mana import (
    EFFECTS,
    LANDS,
    RESOLVED,
    TYPES,
    Effect,
    Land,
    Mana,
    ManaBoard,
    could_produce,
    tapped,
)
from test_against_oracle import EXAMPLES, LONG

_SETTINGS = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=not LONG,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

_WORDS = dict(zip(TYPES, ["white", "blue", "black", "red", "green", "colorless"], strict=True))


#: The lands among them of which a player has one only (CR 704.5j).
_LEGENDS = {"Gaea's Cradle", "Urborg, Tomb of Yawgmoth"}


def _once(lands: list[Land]) -> list[Land]:
    """Without further copies of one player that the legend rule would take."""
    return [
        land
        for place, land in enumerate(lands)
        if land.card not in _LEGENDS or land not in lands[:place]
    ]


@st.composite
def mana_boards(draw: st.DrawFn, *, most_effects: int = 4) -> ManaBoard:
    """Two or three players, up to six lands of few kinds, and some effects."""
    players = draw(st.integers(2, 3))
    seats = st.integers(0, players - 1)
    kinds = draw(st.lists(st.sampled_from(LANDS), min_size=1, max_size=4))
    lands = st.builds(Land, st.sampled_from(kinds), seats)
    effects = st.builds(Effect, st.sampled_from(EFFECTS), seats)
    return ManaBoard(
        players,
        tuple(_once(draw(st.lists(lands, min_size=1, max_size=6)))),
        tuple(draw(st.lists(effects, max_size=most_effects))),
        tuple(draw(st.lists(st.integers(0, 3), min_size=players, max_size=players))),
    )


def scenario_data(board: ManaBoard) -> dict[str, Any]:
    """The board as a scenario in which the first land is tapped for mana."""
    permanents: list[dict[str, Any]] = [
        {"card": land.card, "controller": NAMES[land.controller], "id": f"land_{number}"}
        for number, land in enumerate(board.lands)
    ]
    for effect in board.effects:
        if effect.card not in RESOLVED:
            permanents.append({"card": effect.card, "controller": NAMES[effect.controller]})
    for seat, creatures in enumerate(board.creatures):
        if creatures:
            permanents.append(
                {"card": "Grizzly Bears", "controller": NAMES[seat], "count": creatures}
            )
    tapper = NAMES[board.lands[0].controller]
    return {
        "players": list(NAMES[: board.players]),
        "battlefield": permanents,
        "effects": [
            {"card": effect.card, "controller": NAMES[effect.controller]}
            | ({"chosen": "red"} if effect.card == "Hall of Gemstone" else {})
            for effect in board.effects
            if effect.card in RESOLVED
        ],
        "timeline": [{"tap_for_mana": {"player": tapper, "object": "land_0"}}],
        "ask": ["mana", "could_produce"],
    }


def compare(board: ManaBoard) -> None:
    """Equal pools with equally many orders, and equal types for every land."""
    graph = graph_of(scenario_data(board))
    assert graph.exhausted
    could = could_produce(board)
    tapper = NAMES[board.lands[0].controller]
    found: Counter[Mana] = Counter()
    for result in graph.outcomes:
        pool: Any = result.outcome.get("mana", {}).get(tapper, {})
        letters = {word: letter for letter, word in _WORDS.items()}
        assert result.orders is not None
        found[tuple(sorted((letters[kind], n) for kind, n in pool.items()))] += result.orders
        types = result.outcome.get("could_produce", {})
        for number in could:
            assert types.get(f"land_{number}", []) == sorted(_WORDS[t] for t in could[number])
    assert found == tapped(board, 0)


@given(mana_boards())
@_SETTINGS
def test_engine_and_oracle_agree(board: ManaBoard) -> None:
    compare(board)


@given(mana_boards(most_effects=0))
@settings(_SETTINGS, max_examples=max(EXAMPLES // 3, 1))
def test_lands_that_look_at_each_other(board: ManaBoard) -> None:
    compare(board)


@pytest.mark.parametrize("card", EFFECTS)
def test_each_effect_in_two_copies(card: str) -> None:
    """Every effect of either player, twice, on a land for two and on one that looks at it."""
    for controller in (0, 1):
        lands = (Land("Ancient Tomb", 0), Land("Reflecting Pool", 0), Land("Exotic Orchard", 1))
        compare(ManaBoard(2, lands, (Effect(card, controller),) * 2, (0, 0)))


@pytest.mark.parametrize("card", LANDS)
def test_each_land(card: str) -> None:
    compare(ManaBoard(2, (Land(card, 0), Land("Forest", 0), Land("Tundra", 1)), (), (2, 1)))


def test_six_different_effects_on_one_land() -> None:
    names = [
        "Mana Reflection", "Nyxbloom Ancient", "Contamination", "Infernal Darkness",
        "Ritual of Subdual", "Damping Sphere",
    ]  # fmt: skip
    compare(ManaBoard(2, (Land("Forest", 0),), tuple(Effect(n, 0) for n in names), (0, 0)))
