"""Outcomes as data frames."""

from __future__ import annotations

import sys

import pytest

from verifier import Scenario, explore


def test_a_row_for_each_outcome() -> None:
    frame = explore("draw/notion_thief_three_players").to_dataframe()
    assert list(frame.columns) == ["drawn.alice", "drawn.bob", "drawn.carol", "orders"]
    assert frame.index.name == "outcome"
    assert frame.index.tolist() == [1, 2, 3]
    assert frame.to_numpy().tolist() == [[1, 0, 0, 2], [0, 1, 0, 1], [0, 0, 1, 1]]


def test_checkpoints_come_in_their_order_and_before_the_end() -> None:
    frame = explore("time/nabber_two_nabbers_three_players").to_dataframe()
    shown = {name: values[1] for name, values in frame.items() if str(name).endswith(".ring")}
    assert list(shown.items()) == [
        ("at.tapped.controller.ring", "bob"),
        ("at.bobs_end.controller.ring", "bob"),
        ("at.carols_turn.controller.ring", "carol"),
        ("at.carols_end.controller.ring", "carol"),
        ("controller.ring", "alice"),
    ]


def test_what_is_counted_by_kind_has_a_column_for_each() -> None:
    name = "mana/damping_sphere_contamination_and_mana_reflection"
    frame = explore(name).to_dataframe()
    assert list(frame.columns) == ["mana.alice.black", "mana.alice.colorless", "orders"]
    assert frame["mana.alice.black"].tolist() == [1, 0]


def test_a_flag_that_is_left_out_is_false() -> None:
    scenario = Scenario.from_text("""
players: [alice, bob]
battlefield:
  - {card: Forest, controller: alice}
timeline:
  - may: {tap_for_mana: {player: alice, object: forest_1}}
ask: [tapped, mana_options]
""")
    frame = explore(scenario).to_dataframe()
    assert sorted(frame["tapped.forest_1"]) == [False, True]
    assert frame["mana_options.alice"].tolist() == [[{"green": 1}], [{"green": 1}]]


def test_orders_stay_exact() -> None:
    frame = explore("mana/thirty_nyxbloom_ancients").to_dataframe()
    assert frame["orders"].tolist() == [265_252_859_812_191_058_636_308_480_000_000]


def test_without_pandas_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = explore("draw/notion_thief_two_players")
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"ruling-verifier\[notebook\]"):
        graph.to_dataframe()


def test_lists_that_are_left_out_are_empty() -> None:
    frame = explore("draw/dredge_two_cards_one_draw").to_dataframe()
    lists = [name for name in frame if str(name).startswith("in_hand")]
    assert lists
    assert [] in [value for name in lists for value in frame[name]]
