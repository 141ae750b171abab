"""Outcomes and orders of boards of Notion Thieves, each number known beforehand."""

from __future__ import annotations

from math import factorial

import pytest
from boards import found_by_engine, named, scenario_data, thieves
from oracle import count_orders

#: players, Thieves each, Reflections of the first player, draws: outcomes, orders.
FIGURES = [
    ((2, 1, 0, 1), 1, 1),
    ((3, 1, 0, 1), 3, 4),
    ((3, 2, 0, 1), 3, 192),
    ((4, 1, 0, 1), 4, 18),
    ((2, 8, 0, 1), 1, 1_625_702_400),
    ((3, 1, 1, 3), 64, 10_648),
    ((3, 1, 2, 3), 406, 970_299_000),
    ((4, 1, 1, 7), 2_640, 783_641_640_960_000_000),
    ((8, 1, 0, 1), 8, 35_280),
    ((12, 1, 0, 1), 12, 439_084_800),
]


@pytest.mark.parametrize(("shape", "outcomes", "orders"), FIGURES)
def test_engine_finds_the_known_figures(
    shape: tuple[int, int, int, int], outcomes: int, orders: int
) -> None:
    found = found_by_engine(scenario_data(thieves(*shape)) | {"ask": ["drawn"]})
    assert (len(found), sum(found.values())) == (outcomes, orders)


@pytest.mark.parametrize(
    ("shape", "outcomes", "orders"), [row for row in FIGURES if row[0] != (4, 1, 1, 7)]
)
def test_oracle_finds_the_known_figures(
    shape: tuple[int, int, int, int], outcomes: int, orders: int
) -> None:
    found = count_orders(thieves(*shape))
    assert (len(found), sum(found.values())) == (outcomes, orders)


@pytest.mark.parametrize("players", [2, 3, 4, 8, 12])
def test_one_thief_each_in_closed_form(players: int) -> None:
    """The draw moves along a path through the other players' Thieves, then is stuck.

    All Thieves but the drawer's come first (in any order), or the drawer's comes in between:
    (n-1) (n-1)! paths in all.
    """
    total = (players - 1) * factorial(players - 1)
    assert sum(count_orders(thieves(players, 1, 0, 1)).values()) == total
    if players <= 8:
        found = found_by_engine(scenario_data(thieves(players, 1, 0, 1)) | {"ask": ["drawn"]})
        assert sum(found.values()) == total


def test_three_players_with_one_thief_each_by_outcome() -> None:
    """Two orders end with the player who was to draw, one with each of the others."""
    board = thieves(3, 1, 0, 1)
    found = found_by_engine(scenario_data(board) | {"ask": ["drawn"]})
    assert sorted(found.values()) == [1, 1, 2]
    drawn: dict[str, int] = {}
    for outcome, orders in found.items():
        (((_, player), _),) = outcome
        drawn[player] = orders
    assert drawn == {"carol": 2, "alice": 1, "dave": 1}


def test_enumeration_and_count_agree_with_the_engine_by_outcome() -> None:
    board = thieves(3, 2, 0, 1)
    assert found_by_engine(scenario_data(board)) == named(count_orders(board))
