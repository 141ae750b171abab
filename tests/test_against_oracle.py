"""The engine against the naive interpreter, on random boards.

``HYPOTHESIS_PROFILE=long`` looks at many more boards (and ``ORACLE_EXAMPLES`` says how many).
"""

from __future__ import annotations

import os

import pytest
from boards import NAMES, found_by_engine, named, scenario_data, to_yaml
from hypothesis import HealthCheck, currently_in_test_context, given, note, settings
from oracle import Board, Copy, Do, DrawStep, count_orders, enumerate_orders
from oracle.effects import EFFECTS, LIMITS
from strategies import LEGENDARY, boards

LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"
EXAMPLES = int(os.environ.get("ORACLE_EXAMPLES", "5000" if LONG else "60"))

_SETTINGS = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=not LONG,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

#: An order one by one is affordable up to here.
FEW = 20_000


def compare(board: Board) -> None:
    """Equal outcomes, and equally many orders to each."""
    data = scenario_data(board)
    if currently_in_test_context():
        note(to_yaml(data))
    assert found_by_engine(data) == named(count_orders(board))


@given(boards())
@_SETTINGS
def test_engine_and_oracle_agree(board: Board) -> None:
    compare(board)


@given(
    boards(
        cards=[
            "Notion Thief",
            "Plagiarize",
            "Thought Reflection",
            "Teferi's Ageless Insight",
            "Alms Collector",
        ],
        most_players=3,
    )
)
@settings(_SETTINGS, max_examples=max(EXAMPLES // 3, 1))
def test_engine_and_oracle_agree_where_draws_multiply(board: Board) -> None:
    compare(board)


@given(boards())
@settings(_SETTINGS, max_examples=max(EXAMPLES // 2, 1))
def test_counting_is_enumerating(board: Board) -> None:
    """The oracle's two ways agree, so that its count stands for plain enumeration."""
    counted = count_orders(board)
    if sum(counted.values()) <= FEW:
        assert enumerate_orders(board) == counted


#: Two players draw, one card and then two; a fresh chance for all that is left each time.
_BOTH = (
    (0, (Do("draw", 1, 0),)),
    (1, (Do("draw", 2, 1),)),
    (0, (Do("draw", 2, 0),)),
)


@pytest.mark.parametrize("card", sorted([*EFFECTS, *LIMITS]))
def test_each_effect_in_two_copies(card: str) -> None:
    """Every effect that the oracle knows, on its controller's and on another's draws."""
    target = 1 if card == "Plagiarize" else None
    # (Of a legendary one a player has one, CR 704.5j.)
    second = 1 if card in LEGENDARY else 0
    copies = (Copy(card, 0, target), Copy(card, second, target))
    compare(Board(3, copies, _BOTH, hand={1: 1}, library={0: 2, 1: 0}))


@pytest.mark.parametrize(
    "card",
    [
        "Notion Thief",
        "Teferi's Ageless Insight",
        "Hullbreacher",
        "Chains of Mephistopheles",
        "Alhammarret's Archive",
    ],
)
@pytest.mark.parametrize("controller", [0, 1])
def test_first_draw_of_the_draw_step_is_excepted(card: str, controller: int) -> None:
    timeline = (DrawStep(), (0, (Do("draw", 1, 0),)))
    compare(Board(2, (Copy(card, controller),), timeline, step="upkeep", hand={0: 2}))


def test_names_are_in_another_order_than_seats() -> None:
    """Otherwise turn order and the order of terms could be mistaken for each other."""
    assert list(NAMES[:4]) != sorted(NAMES[:4])
