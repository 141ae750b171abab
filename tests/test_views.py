"""The graphs that explain: their contents, and every format of them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from io import BytesIO
from itertools import combinations, pairwise
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
from verifier.views.text import BOLD, text_width

THREE = "draw/notion_thief_three_players"
TWO = "draw/notion_thief_two_players"
SVG = "{http://www.w3.org/2000/svg}"


def thieves(players: int, each: int, reflections: int, draws: int) -> Graph:
    """What comes of the board below."""
    return explore(Scenario.from_text(yaml_of(players, each, reflections, draws)))


def yaml_of(players: int, each: int, reflections: int, draws: int) -> str:
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
    return "\n".join(lines)


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
    assert list(graph) == ["start", "outcome1"]
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


def test_a_loop_is_an_end(tmp_path: Path) -> None:
    for card, event, step in (
        ("ebb", "gain_life", "lose_life"),
        ("flow", "lose_life", "gain_life"),
    ):
        (tmp_path / f"{card}.lp").write_text(
            f'% {card}: one change of life after the other.\nname({card}, "{card}").\n'
            f"type({card}, enchantment).\ntrigger({card}, 1, on({event}), you).\n"
            f"effect_step({card}, 1, 1, you, {step}(1)).\n"
        )
    text = (
        "title: Life without end\nplayers: [alice, bob]\nbattlefield:\n"
        "  - {card: ebb, controller: alice}\n  - {card: flow, controller: alice}\n"
        "timeline:\n  - resolve: {player: alice, does: [{may: {gain_life: 1}}]}\n"
    )
    view = explore(Scenario.from_text(text, cards=[tmp_path])).decisions()
    kinds = {data["kind"]: data for _, data in view.graph.nodes(data=True)}
    assert set(kinds) == {"start", "choice", "outcome", "endless"}
    assert "alice gains 1 life" in kinds["endless"]["again"]
    assert "again and again:" in view.svg()
    assert not any("orders" in data for _, data in view.graph.nodes(data=True))


# --- Effects ------------------------------------------------------------------------------


def relations(view: View) -> set[tuple[str, ...]]:
    """The relations by the names of the effects, as they are said."""
    graph = view.graph
    names = {name: f"{data['label']} ({data['player']})" for name, data in graph.nodes(data=True)}
    return {
        (data["kind"], *((names[a], names[b]) if data["kind"] in ("enables", "disables")
                         else sorted((names[a], names[b]))))
        for a, b, data in graph.edges(data=True)
    }  # fmt: skip


def test_effects_of_three_players() -> None:
    view = explore(THREE).effects()
    one, two, three = (f"Notion Thief ({player})" for player in ("alice", "bob", "carol"))
    assert relations(view) == {
        ("enables", two, one),
        ("enables", three, one),
        ("order", one, two),
        ("order", one, three),
        ("order", two, three),
    }
    graph = view.graph
    assert graph.graph["deciding"] == [f"{one}, {two}", f"{one}, {three}"]
    assert graph.graph["deciding_is"] == "smallest"
    told = {(d["event"], d["first"], d["second"], d["decides"])
            for *_, d in graph.edges(data=True) if d["kind"] == "order"}  # fmt: skip
    assert told == {
        ("carol would draw a card", "bob would draw a card", "alice would draw a card", True),
        ("bob would draw a card", "carol would draw a card", "alice would draw a card", True),
        ("alice would draw a card", "carol would draw a card", "bob would draw a card", False),
    }


def test_effects_that_do_not_matter_to_each_other() -> None:
    view = explore("mana/damping_sphere_contamination_and_mana_reflection").effects()
    sphere, swamp, twice = "Damping Sphere (bob)", "Contamination (bob)", "Mana Reflection (alice)"
    assert relations(view) == {
        ("enables", twice, sphere),
        ("disables", swamp, sphere),
        ("commutes", swamp, sphere),
        ("order", swamp, twice),
    }
    assert view.graph.graph["deciding"] == [f"{swamp}, {twice}"]


def test_an_effect_enables_what_applies_to_what_it_makes() -> None:
    """The draws within "draw two" are new events, which a Thief's Reflection made."""
    view = explore("draw/notion_thief_mutual_reflection").effects()
    assert ("enables", "Thought Reflection (bob)", "Notion Thief (alice)") not in relations(view)
    assert ("disables", "Notion Thief (alice)", "Thought Reflection (bob)") in relations(view)
    assert ("disables", "Thought Reflection (bob)", "Notion Thief (alice)") not in relations(view)


def test_no_order_decides_what_is_unique() -> None:
    view = explore(TWO).effects()
    assert view.graph.graph["deciding"] == []
    assert "No order of effects makes a difference" in view.graph.graph["note"]


def test_without_effects_there_is_nothing_to_relate() -> None:
    text = "players: [alice, bob]\ntimeline:\n  - resolve: {player: alice, does: [{draw: 1}]}\n"
    view = explore(Scenario.from_text(text)).effects()
    assert len(view.graph) == 0
    for form in views.FORMATS:
        assert view.export(form)


# --- Rules and cards ----------------------------------------------------------------------


def test_rules_say_what_rests_on_what() -> None:
    scenario = Scenario.load(THREE)
    graph = views.rules(scenario).graph
    for _, data in graph.nodes(data=True):
        assert data["kind"] in ("predicate", "base", "card")
    feeds = {b: d["facts"] for a, b, d in graph.edges(data=True) if a == "card notion_thief"
             and d["kind"] == "feeds"}  # fmt: skip
    assert any("would/4" in facts for facts in feeds.values())
    assert graph.nodes["edge/10"]["output"]
    assert graph.nodes["holds/2"]["kind"] == "base"
    for a, b, data in graph.edges(data=True):
        if data["kind"] == "feeds":
            continue
        low, high = graph.nodes[a]["stratum"], graph.nodes[b]["stratum"]
        assert low < high if data["kind"] == "negates" else low <= high, (a, b)
    recursive = {
        name for part in networkx.strongly_connected_components(graph) if len(part) > 1
        for name in part
    } | {a for a, b in graph.edges() if a == b}  # fmt: skip
    assert {n for n, data in graph.nodes(data=True) if data.get("component")} == recursive


def test_rules_of_all_cards_are_folded_into_files() -> None:
    view = views.rules()
    folded = view.folded()
    assert len(folded) <= 60
    assert len(view.folded(10)) <= 10
    assert folded.nodes["replacement.lp"]["kind"] == "file"
    assert folded.nodes["cards"]["cards"] > 100
    near = view.about("replacement.lp").graph
    assert "stands_for/3" in near
    assert len(near) < len(view.graph)


def test_cards_say_which_scenarios_use_them(tmp_path: Path) -> None:
    for name in (TWO, THREE):
        text = (Path(__file__).parent.parent / "scenarios" / f"{name}.yaml").read_text("utf-8")
        (tmp_path / f"{Path(name).name}.yaml").write_text(text, encoding="utf-8")
    graph = views.cards([tmp_path], run=True).graph
    files = {str(tmp_path / f"{Path(name).name}") for name in (TWO, THREE)}
    scenarios = {data["label"] for _, data in graph.nodes(data=True) if data["kind"] == "scenario"}
    assert {name.removesuffix(".yaml") for name in scenarios} == files
    assert graph.nodes["card notion_thief"]["scenarios"] == 2
    assert graph.out_degree("card notion_thief") == 2
    fires = {b for _, b, d in graph.edges(data=True) if d["kind"] == "cites" and d["fires"]}
    assert "rule 616.1e" in fires
    assert "rule 121.1" in fires, "no file names it"
    assert not any(d.get("named") for _, b, d in graph.edges(data=True) if b == "rule 121.1")
    only_named = views.cards([tmp_path]).graph
    assert "rule 121.1" not in only_named
    view = views.cards([tmp_path])
    assert len(view.folded(4)) < len(view.graph)


# --- Formats ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def every() -> dict[str, View]:
    """A view of each kind, and decisions of several sizes."""
    return {
        "three nodes": explore(TWO).decisions(),
        "thirty nodes": thieves(3, 1, 1, 1).decisions(),
        "folded": thieves(3, 1, 1, 3).decisions(),
        "effects": thieves(3, 1, 1, 1).effects(),
        "rules": views.rules(Scenario.load(THREE)),
    }


NAMES = ["three nodes", "thirty nodes", "folded", "effects", "rules"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", views.FORMATS)
def test_the_same_bytes_each_time(every: dict[str, View], name: str, form: str) -> None:
    view = every[name]
    if form == "png" and name in ("folded", "rules"):
        pytest.skip("large pictures take long, and are drawn the same way")
    most = 60 if name == "rules" else None
    assert view.export(form, most) == view.export(form, most)


def test_the_same_bytes_in_another_process() -> None:
    command = [sys.executable, "-m", "verifier", "graph", THREE, "--format", "svg"]
    for kind in ("decisions", "rules"):
        one, two = (
            subprocess.run(
                [*command, "--kind", kind], capture_output=True, check=True,
                env={**os.environ, "PYTHONHASHSEED": seed},
            ).stdout
            for seed in ("1", "2")
        )  # fmt: skip
        assert one == two


def crosses(box: Box, a: tuple[float, float], b: tuple[float, float]) -> bool:
    """Whether a line runs through a box."""
    (x0, y0), (x1, y1) = a, b
    low, high = 0.0, 1.0
    for start, step, near, far in (
        (x0, x1 - x0, box.x + 1, box.x + box.width - 1),
        (y0, y1 - y0, box.y + 1, box.y + box.height - 1),
    ):
        if abs(step) < 1e-9:
            if not near < start < far:
                return False
            continue
        one, two = sorted(((near - start) / step, (far - start) / step))
        low, high = max(low, one), min(high, two)
    return low < high


def check_picture(drawing: Drawing) -> None:
    """Nothing overlaps, nothing lies outside, no line runs through text."""
    boxes = list(drawing.text_boxes())
    for (one, a), (two, b) in combinations(boxes, 2):
        assert not a.overlaps(b), (one, two)
    for name, box in boxes:
        assert box.x >= 0, name
        assert box.y >= 0, name
        assert box.x + box.width <= drawing.width, name
        assert box.y + box.height <= drawing.height, name
    for edge in drawing.edges:
        for part in edge.parts:
            for start, end in pairwise(part):
                for name, box in boxes:
                    assert not crosses(box, start, end), (edge.source, edge.target, name)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_overlaps(every: dict[str, View], name: str) -> None:
    check_picture(every[name].drawing())


def test_nothing_overlaps_in_hundreds_of_nodes_and_texts() -> None:
    drawing = thieves(3, 1, 1, 2).decisions().drawing(0)
    assert len(drawing.nodes) + len(drawing.edges) > 400
    check_picture(drawing)


def test_too_large_a_picture_is_refused() -> None:
    view = thieves(4, 1, 1, 3).decisions()
    with pytest.raises(InputError, match="--fold N makes it smaller"):
        view.drawing(0)
    assert view.export("dot", 0)


@pytest.mark.parametrize("name", NAMES)
def test_svg_is_well_formed_and_text_fits(every: dict[str, View], name: str) -> None:
    """Read back from the SVG: each text lies in the shape of its node."""
    root = ET.fromstring(every[name].svg())
    graph = every[name].folded()
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    groups = [g for g in root.iter(f"{SVG}g") if g.get("data-node")]
    assert {g.get("data-node") for g in groups} == set(graph)
    for group in groups:
        shape = group.find(f"{SVG}path")
        assert shape is not None
        numbers = path_points(shape.get("d") or "")
        left, right = min(x for x, _ in numbers), max(x for x, _ in numbers)
        top, bottom = min(y for _, y in numbers), max(y for _, y in numbers)
        for text in group.iter(f"{SVG}text"):
            x, y = float(text.get("x") or 0), float(text.get("y") or 0)
            size = float(text.get("font-size") or 0)
            half = (
                text_width(text.text or "", size) * (BOLD if "bold" in str(text.attrib) else 1) / 2
            )
            assert left <= x - half, text.text
            assert x + half <= right, text.text
            assert top <= y - 0.75 * size, text.text
            assert y + 0.2 * size <= bottom, text.text
    drawn = [int(n) for g in root.iter(f"{SVG}g") for n in (g.get("data-edge") or "").split()]
    assert sorted(drawn) == list(range(graph.number_of_edges()))


def path_points(path: str) -> list[tuple[float, float]]:
    """The corners of an outline."""
    points = []
    x = y = 0.0
    for command, rest in re.findall(r"([MLHVA])([^MLHVAZ]*)", path):
        numbers = list(map(float, rest.split()))
        match command:
            case "H":
                x = numbers[0]
            case "V":
                y = numbers[0]
            case _:
                x, y = numbers[-2:]
        points.append((x, y))
    return points


def test_json_can_be_read_back(every: dict[str, View]) -> None:
    for view in every.values():
        document = json.loads(str(view.export("json")))
        assert document.pop("schema_version") == 1
        back = networkx.node_link_graph(document, edges="edges")
        assert networkx.utils.graphs_equal(back, json_round(view.graph))


def json_round(graph: Any) -> Any:
    """A graph with what JSON makes of its attributes."""
    data = json.loads(json.dumps(networkx.node_link_data(graph, edges="edges")))
    return networkx.node_link_graph(data, edges="edges")


def test_graphml_can_be_read_back(every: dict[str, View]) -> None:
    for view in every.values():
        back = networkx.read_graphml(
            BytesIO(str(view.export("graphml")).encode()), force_multigraph=True
        )
        assert set(back) == set(view.graph)
        assert back.number_of_edges() == view.graph.number_of_edges()
        assert back.graph["title"] == view.graph.graph["title"]


def test_dot_and_mermaid_name_everything(every: dict[str, View]) -> None:
    for view in every.values():
        graph = view.folded()
        dot, mermaid = str(view.export("dot")), str(view.export("mermaid"))
        assert dot.count(" -> ") == graph.number_of_edges()
        assert len(re.findall(r"^  n[0-9]+.*:::", mermaid, re.M)) == len(graph)
        assert '\\"' not in re.sub(r"#quot;", "", mermaid)
    title = r'title: A "quoted" \ title <b>'
    text = f"{title}\nplayers: [a, b]\ntimeline:\n  - resolve: {{player: a, does: [{{draw: 1}}]}}\n"
    view = explore(Scenario.from_text(text)).decisions()
    assert r"A \"quoted\" \\ title <b>" in str(view.export("dot"))
    assert "A &quot;quoted&quot; \\ title &lt;b&gt;" in view.svg()
    ET.fromstring(view.svg())


def test_html_needs_no_network(every: dict[str, View]) -> None:
    page = str(every["thirty nodes"].export("html"))
    assert page.count("<svg") == 1
    assert not re.search(r"(src|href)=", page)
    assert set(re.findall(r"https?://[^\"' <]+", page)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"\bfetch\(|import\(|@import", page)


def test_png_is_a_picture(every: dict[str, View]) -> None:
    content = every["three nodes"].export("png")
    assert isinstance(content, bytes)
    assert content.startswith(b"\x89PNG")


def test_png_without_its_extra(every: dict[str, View], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(ImportError, match=r"ruling-verifier\[draw\]"):
        every["three nodes"].export("png")
    result = run("graph", TWO, "--format", "png")
    assert result.exit_code == 2
    assert "ruling-verifier[draw]" in result.stderr


def contrast(one: str, two: str) -> float:
    """The contrast of two colours as accessibility guidelines count it."""
    lights = []
    for colour in (one, two):
        parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
        red, green, blue = (
            p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts
        )
        lights.append(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    return (max(lights) + 0.05) / (min(lights) + 0.05)


def test_colours_stand_out() -> None:
    for line, fill, dark_line, dark_fill in (*TONES, NEUTRAL):
        assert contrast(line, "#ffffff") >= 4.5
        assert contrast(dark_line, "#16191c") >= 4.5
        for ink in ("#15181b", "#50565c"):
            assert contrast(ink, fill) >= 4.5
        for ink in ("#f2f4f6", "#b4bbc2"):
            assert contrast(ink, dark_fill) >= 4.5


def test_players_differ_in_shape_and_colour() -> None:
    assert len({player_look(number) for number in range(42)}) == 42
    assert len({player_look(number)[0] for number in range(len(SHAPES))}) == len(SHAPES)


# --- The command --------------------------------------------------------------------------


def run(*arguments: str) -> Any:
    result = CliRunner().invoke(main, arguments)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.mark.parametrize("name", ["out.svg", "out.dot", "out.gv", "out.mmd", "out.txt", "out.html"])
def test_the_format_follows_the_file(tmp_path: Path, name: str) -> None:
    target = tmp_path / name
    result = run("graph", TWO, "-o", str(target))
    assert (result.exit_code, result.output) == (0, "")
    assert "Notion Thief" in target.read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere"], "no scenario file nowhere"),
        ([], "no scenario for the decisions"),
        (["--kind", "effects"], "no scenario for the effects"),
        ([TWO, "-o", "picture.bmp"], "no format is called after `picture.bmp`"),
        ([TWO, "-o", "no/such/folder/picture.svg"], "cannot write"),
        ([TWO, "--about", "nothing_of_it"], "nothing in the view is called"),
        (["no_folder", "--kind", "cards"], "no folder no_folder"),
    ],
)
def test_bad_input(arguments: list[str], said: str) -> None:
    result = run("graph", *arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert "hint: " in result.stderr


def test_exit_code_when_cut_short(tmp_path: Path) -> None:
    file = tmp_path / "thieves.yaml"
    file.write_text(yaml_of(3, 1, 1, 3), encoding="utf-8")
    for kind in ("decisions", "effects"):
        result = run("graph", str(file), "--kind", kind, "--max-states", "20")
        assert result.exit_code == 3
        assert "cut short: state limit reached" in result.stdout


def test_views_show_themselves() -> None:
    view = explore(THREE).decisions()
    assert repr(view) == "<View decisions: 7 nodes, 7 edges>"
    assert view._repr_svg_().startswith("<svg")
    view.to_networkx().clear()
    assert len(view.graph) == 7, "a copy was cleared"
    with pytest.raises(InputError):
        view.about("dave")
