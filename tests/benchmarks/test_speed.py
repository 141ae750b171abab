"""Speed, as ratios within one run: a machine's own pace cancels out.

Run with ``pytest tests/benchmarks --benchmark-enable`` for figures; without it each body runs
once and only the ratios are checked, with room for noise.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from math import factorial
from pathlib import Path
from typing import Any

import pytest
from event_boards import (
    TEN,
    ends_of,
    modifiers,
    modifying_cards,
    orders_by_clingo,
    seasons,
    shields,
)
from figures import BOARDS, scenario
from mana_boards import (
    ALL_ORDERS,
    looking_lands,
    nyxblooms,
    six_effects,
    tried_one_by_one,
    twelve_sources,
)
from time_boards import bells, choices, eight_triggers, nabbers

from verifier import Scenario, explore
from verifier.asp import evaluate_to_text
from verifier.explorer import Exploring, exploring_by
from verifier.parcel import CardFiles, Parcel
from verifier.partition import by_team
from verifier.team import Processes


def thieves(*board: int) -> Scenario:
    """Each player controls some Notion Thieves, the first some Thought Reflections too."""
    return Scenario.from_text(scenario(*board))


def seconds(action: Callable[[], Any], repeat: int = 3) -> float:
    """The best of some runs."""
    best = float("inf")
    for _ in range(repeat):
        began = time.perf_counter()
        action()
        best = min(best, time.perf_counter() - began)
    return best


@pytest.mark.parametrize("board", list(BOARDS), ids=str)
def test_board(benchmark: Any, board: tuple[int, int, int, int]) -> None:
    graph = benchmark.pedantic(explore, args=(thieves(*board),), rounds=3)
    assert graph.exhausted


def test_copies_are_a_class() -> None:
    """Eight copies each instead of one cost little, though the orders grow by 8!·8!."""
    one, eight = thieves(2, 1, 0, 1), thieves(2, 8, 0, 1)
    explore(one)
    assert seconds(lambda: explore(eight)) < 3 * seconds(lambda: explore(one))


def test_states_are_merged() -> None:
    """Seven draws of four players have 10^17 orders and cost less than 60 single draws."""
    one, seven = thieves(4, 1, 1, 1), thieves(4, 1, 1, 7)
    explore(one)
    assert seconds(lambda: explore(seven), 1) < 60 * seconds(lambda: explore(one))


def test_two_processes_need_little_more_than_one() -> None:
    """Processor time, that of members included: no state is walked by both."""
    resource = pytest.importorskip("resource")
    board = thieves(4, 1, 1, 8)

    def used(way: Exploring | None) -> float:
        parts = [resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN]
        before = [resource.getrusage(part) for part in parts]
        with exploring_by(way):
            explore(board)
        after = [resource.getrusage(part) for part in parts]
        return float(sum(b.ru_utime - a.ru_utime for a, b in zip(before, after, strict=True)))

    used(None)
    together = used(by_team(Processes(2), Parcel.of(board), CardFiles()))
    assert together < 1.5 * used(None)


def test_faster_than_listing_orders() -> None:
    """Finding and counting 35,280 orders is cheaper than listing them."""
    board = thieves(8, 1, 0, 1)
    graph = explore(board)
    assert graph.orders_count == 35_280
    counted = seconds(lambda: explore(board).orders_count)
    listed = seconds(lambda: sum(1 for _ in graph.orders()), 1)
    assert counted < listed


def test_mana_beyond_32_bits_costs_no_more() -> None:
    """Thirty Nyxbloom Ancients, 3^30 mana and 30! orders, cost little more than one."""
    one, thirty = map(Scenario.from_text, (nyxblooms(1), nyxblooms(30)))
    graph = explore(thirty)
    assert [result.outcome for result in graph.outcomes] == [{"mana": {"alice": {"green": 3**30}}}]
    assert seconds(lambda: explore(thirty)) < 3 * seconds(lambda: explore(one))


def test_six_effects_against_trying_all_orders() -> None:
    """All 720 orders by clingo take 200 times as long; every thirtieth of them is tried."""
    board = Scenario.from_text(six_effects())
    graph = explore(board)
    some = ALL_ORDERS[::30]
    began = time.perf_counter()
    ends = tried_one_by_one(board, some)
    one_by_one = (time.perf_counter() - began) * len(ALL_ORDERS) / len(some)
    assert len(ends) <= len(graph.outcomes)
    assert one_by_one > 200 * seconds(lambda: explore(board))


def test_could_produce_grows_no_worse_than_quadratically() -> None:
    small, large = map(Scenario.from_text, (looking_lands(20), looking_lands(60)))
    explore(small)
    assert seconds(lambda: explore(large)) < 9 * seconds(lambda: explore(small))


def test_mana_options_of_twelve_sources(benchmark: Any) -> None:
    graph = benchmark.pedantic(explore, args=(Scenario.from_text(twelve_sources()),), rounds=1)
    assert graph.exhausted


def test_nabbers_turn_by_turn(benchmark: Any) -> None:
    """Two rounds; each player has one trigger at a time, so nothing is chosen."""
    graph = benchmark.pedantic(explore, args=(Scenario.from_text(nabbers()),), rounds=1)
    (result,) = graph.outcomes
    assert result.orders == 1
    assert [row["controller"]["ring"] for row in result.outcome["at"].values()] == [
        "bob", "cid", "dee", "ann", "bob", "cid", "dee", "ann",
    ]  # fmt: skip
    assert graph.states <= 5


def test_eight_triggers_at_once(tmp_path: Path) -> None:
    """4! times 4! orders, merged."""
    board = Scenario.from_text(eight_triggers(), cards=bells(tmp_path))
    graph = explore(board)
    assert (len(graph.outcomes), graph.orders_count) == (1, 576)
    assert graph.states < 576


def test_choices_that_commute_are_merged() -> None:
    """2^20 orders, and no more states than choices made and sums reached."""
    few, many = map(Scenario.from_text, (choices(5), choices(20)))
    graph = explore(many)
    assert graph.orders_count == 2**20
    assert graph.states <= 300
    explore(few)
    assert seconds(lambda: explore(many), 1) < 12 * seconds(lambda: explore(few))


def test_ten_modifiers_of_five_kinds(tmp_path: Path) -> None:
    """All outcomes and 10! orders, 500 times as fast as clingo listing the orders.

    Clingo lists the orders of six of them; of ten there are 10!/6! times as many, each longer.
    """
    cards = modifying_cards(tmp_path)
    ten = Scenario.from_text(modifiers(), cards=cards)
    graph = explore(ten)
    found = {}
    for result in graph.outcomes:
        ((to, number),) = result.outcome["damage"].items()
        found[to, number] = result.orders
    assert found == ends_of()
    assert graph.orders_count == factorial(10)
    six = Scenario.from_text(modifiers(TEN[:2] + TEN[3:4] + TEN[5:6] + TEN[7:9]), cards=cards)
    began = time.perf_counter()
    assert orders_by_clingo(six) == factorial(6)
    listed = (time.perf_counter() - began) * factorial(10) / factorial(6)
    assert listed > 500 * seconds(lambda: explore(ten), 1)


def test_shields_in_another_order_are_the_same_event() -> None:
    """Of ten different shields there are 2^10 sets, not 10! lists."""
    three, ten = (Scenario.from_text(shields(number)) for number in (3, 10))
    graph = explore(ten)
    assert graph.orders_count == factorial(10)
    assert seconds(lambda: explore(ten)) < 10 * seconds(lambda: explore(three))


def test_tokens_beyond_32_bits_cost_no_more() -> None:
    """Twenty Doubling Seasons and forty: exact, and hardly slower than one."""
    one, twenty, forty = (Scenario.from_text(seasons(number)) for number in (1, 20, 40))
    for board, number in ((twenty, 20), (forty, 40)):
        (result,) = explore(board).outcomes
        assert result.outcome == {"soldier": {"alice": 2 * 2**number}}
        assert result.orders == factorial(number)
    assert seconds(lambda: explore(forty)) < 3 * seconds(lambda: explore(one))


LAYERS = ["twelve_effects_over_thirty_permanents", "seven_effects_in_any_order"]


@pytest.mark.parametrize("name", LAYERS)
def test_layers(benchmark: Any, name: str) -> None:
    graph = benchmark(lambda: explore(f"layers/{name}"))
    assert graph.exhausted


@pytest.mark.parametrize("name", LAYERS)
def test_layers_cost_little(name: str) -> None:
    """Twelve effects with dependencies, and 7! orders, cost less than 25 single draws.

    That is less than a second wherever a draw with its exploration takes 40 ms.
    """

    def anew(board: Scenario) -> None:
        evaluate_to_text.cache_clear()
        explore(board)

    board, draw = Scenario.load(f"layers/{name}"), Scenario.load("draw/notion_thief_two_players")
    explore(board)
    assert seconds(lambda: anew(board)) < 25 * seconds(lambda: anew(draw))


def test_board_wipe_of_forty() -> None:
    """Each creature is one of some that change together: far fewer states than 2^40."""
    graph = explore(Scenario.load("zones/board_wipe_of_forty"))
    assert graph.exhausted
    assert graph.states < 1_000
