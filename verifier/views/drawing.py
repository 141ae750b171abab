"""Pictures: where everything is, and the SVG.

The layout is made by graphlay, which puts nodes on layers and leads edges around them.  The
text of an edge is a node of its own for it, so that it never overlaps anything.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from verifier.errors import InputError
from verifier.views.looks import (
    EDGE_NAMES,
    NODE_NAMES,
    EdgeLook,
    NodeLook,
    edge_look,
    node_look,
    player_look,
)
from verifier.views.text import Line, block, size_of, wrap

if TYPE_CHECKING:
    import graphlay
    import networkx as nx

Point = tuple[float, float]

#: Sizes in pixels: text of nodes, of edges; the widest line of either; the rim.
NODE_TEXT, EDGE_TEXT, TITLE_TEXT = 13.0, 11.5, 17.0
NODE_WIDTH, EDGE_WIDTH = 210.0, 150.0
MARGIN = 24.0
LEAST_WIDTH = 420.0
PADDING = {
    "box": (12.0, 9.0), "round": (14.0, 9.0), "pill": (20.0, 9.0), "hexagon": (24.0, 9.0),
    "octagon": (18.0, 11.0), "slanted": (24.0, 9.0), "tag": (24.0, 9.0),
}  # fmt: skip

#: What a line joins, as the layout engine calls it.
Ends = tuple[Any, Any]

#: A layout of more boxes than this is made with less effort.
MANY = 400

#: More are not laid out: it would take minutes, and nobody could read it.
TOO_MANY = 2000


@dataclass(frozen=True)
class Box:
    """Where a text is: its left upper corner and its size."""

    x: float
    y: float
    width: float
    height: float

    def moved(self, across: float, down: float) -> Box:
        """The box elsewhere."""
        return Box(round(self.x + across, 1), round(self.y + down, 1), self.width, self.height)

    @property
    def middle(self) -> Point:
        """The middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    def holds(self, point: Point) -> bool:
        """Whether a point lies in it, and not on its rim."""
        inside = self.x < point[0] < self.x + self.width
        return inside and self.y < point[1] < self.y + self.height

    def overlaps(self, other: Box) -> bool:
        """Whether two boxes have more than their rims in common."""
        return (
            self.x < other.x + other.width - 0.01
            and other.x < self.x + self.width - 0.01
            and self.y < other.y + other.height - 0.01
            and other.y < self.y + self.height - 0.01
        )


@dataclass(frozen=True)
class Node:
    """A node in a picture."""

    name: str
    box: Box
    lines: Sequence[Line]
    look: NodeLook
    data: dict[str, Any]


@dataclass(frozen=True)
class Edge:
    """An edge in a picture: its parts as lines through points, its text and where that is.

    ``keys`` are the numbers, in the order of ``graph.edges``, of the edges that it stands for:
    parallel ones of one look are drawn as one.  ``told`` is what they say in full, and
    ``outcomes`` are the numbers of those that they lead to.
    """

    source: str
    target: str
    keys: Sequence[int]
    parts: Sequence[Sequence[Point]]
    lines: Sequence[Line]
    label: Box | None
    look: EdgeLook
    data: dict[str, Any]
    told: Sequence[str] = ()
    outcomes: Sequence[int] = ()

    def moved(self, across: float, down: float) -> Edge:
        """The edge elsewhere."""
        parts = [[(round(x + across, 1), round(y + down, 1)) for x, y in p] for p in self.parts]
        label = self.label.moved(across, down) if self.label else None
        return replace(self, parts=parts, label=label)


@dataclass(frozen=True)
class Drawing:
    """A picture: nodes, edges, text above them, its size.

    Attributes
    ----------
    nodes, edges
        What is drawn, in the order of the graph.
    head
        The lines above with the places where they begin.
    legend
        What colours, shapes and dashes mean: a sample (a node or an edge) and a word.
    """

    graph: nx.MultiDiGraph[str]
    nodes: list[Node]
    edges: list[Edge]
    width: float
    height: float
    head: list[tuple[Box, Line]]
    legend: list[tuple[NodeLook | EdgeLook, Box, Line]]

    @property
    def positions(self) -> dict[str, Point]:
        """The middle of each node, as ``networkx.draw`` takes it (y grows downwards)."""
        return {node.name: node.box.middle for node in self.nodes}

    def text_boxes(self) -> Iterator[tuple[str, Box]]:
        """Everything that must not overlap: nodes, texts of edges, lines above, legend."""
        for node in self.nodes:
            yield node.name, node.box
        for edge in self.edges:
            if edge.label is not None:
                yield f"{edge.source}-{edge.target}", edge.label
        for box, line in self.head:
            yield line.text, box
        for _, box, line in self.legend:
            yield line.text, box

    def svg(self) -> str:
        """The picture as SVG, the same bytes each time."""
        from verifier.views.svg import write

        return write(self)


def draw(graph: nx.MultiDiGraph[str]) -> Drawing:
    """Lay a graph out.

    Raises
    ------
    InputError
        If there is too much to draw.
    """
    players = graph.graph.get("players", [])
    shapes = {name: _node_shape(name, data, players) for name, data in graph.nodes(data=True)}
    direction = "leftright" if graph.graph["subject"] == "cards" else "topbottom"
    nodes, edges = _lay_out(shapes, _bundles(graph), players, direction)
    boxes = [node.box for node in nodes] + [edge.label for edge in edges if edge.label]
    points = [point for edge in edges for part in edge.parts for point in part]
    left = min([box.x for box in boxes] + [x for x, _ in points], default=0)
    right = max([box.x + box.width for box in boxes] + [x for x, _ in points], default=0)
    top = min([box.y for box in boxes] + [y for _, y in points], default=0)
    bottom = max([box.y + box.height for box in boxes] + [y for _, y in points], default=0)
    inner = max(right - left, LEAST_WIDTH)
    head, y = _head(graph, inner)
    legend, y = _legend(graph, inner, y)
    across, down = MARGIN + (inner - (right - left)) / 2 - left, y - top
    return Drawing(
        graph,
        [
            replace(node, box=node.box.moved(across, down), data=graph.nodes[node.name])
            for node in nodes
        ],
        [
            replace(edge, outcomes=graph.nodes[edge.target].get("outcomes", ())).moved(across, down)
            for edge in edges
        ],
        round(inner + 2 * MARGIN, 1),
        round(bottom + down + MARGIN, 1),
        head,
        legend,
    )


def _head(graph: nx.MultiDiGraph[str], width: float) -> tuple[list[tuple[Box, Line]], float]:
    """The lines above the picture, and where they end."""
    about = graph.graph
    small = NODE_TEXT * 0.9
    lines = [Line(t, TITLE_TEXT, "bold") for t in wrap(about["title"], width / 1.15, TITLE_TEXT)]
    for key in ("summary", "cut", "folded", "note"):
        kind, size = ("bold", NODE_TEXT) if key == "cut" else ("small", small)
        said = wrap(str(about.get(key, "")), width / 1.15, size)
        lines += [Line(text, size, kind) for text in said]
    placed, y = [], MARGIN
    for line in lines:
        placed.append((Box(MARGIN, round(y, 1), round(line.width, 1), round(line.height, 1)), line))
        y += line.height
    return placed, y + 8


#: A legend's sample: its size, and the room between entries.
SAMPLE, BETWEEN = (34.0, 16.0), 20.0

Legend = list[tuple[NodeLook | EdgeLook, Box, Line]]


def _legend(graph: nx.MultiDiGraph[str], width: float, y: float) -> tuple[Legend, float]:
    """Samples of what occurs in the picture, and where they end."""
    placed: Legend = []
    x = MARGIN
    for look, word in _samples(graph):
        line = Line(word, EDGE_TEXT, "small")
        whole = SAMPLE[0] + 6 + line.width
        if x > MARGIN and x + whole > MARGIN + width:
            x, y = MARGIN, y + SAMPLE[1] + 8
        placed.append((look, Box(round(x, 1), round(y, 1), round(whole, 1), SAMPLE[1]), line))
        x += whole + BETWEEN
    return placed, y + (SAMPLE[1] if placed else 0) + 20


def _samples(graph: nx.MultiDiGraph[str]) -> Iterator[tuple[NodeLook | EdgeLook, str]]:
    players = graph.graph.get("players", [])
    acting = {data.get("player") for _, data in graph.nodes(data=True)}
    for number, player in enumerate(players):
        if player in acting:
            yield NodeLook(*player_look(number)), player
    kinds = {data["kind"] for _, data in graph.nodes(data=True)}
    for kind, name in NODE_NAMES.items():
        if kind in kinds:
            yield node_look({"kind": kind}, players), name
    kinds = {data["kind"] for *_, data in graph.edges(data=True)}
    for kind, name in EDGE_NAMES.items():
        if kind in kinds:
            yield edge_look({"kind": kind}, players), name


def _node_shape(
    name: str, data: dict[str, Any], players: Sequence[str]
) -> tuple[list[Line], NodeLook, float, float]:
    look = node_look(data, players)
    kind = "bold" if look.tone == "end" else "main"
    lines = block(
        str(data.get("label", name)),
        str(data.get("detail", "")),
        width=NODE_WIDTH,
        size=NODE_TEXT,
        kind=kind,
    )
    width, height = size_of(lines)
    across, down = PADDING[look.shape]
    return lines, look, max(width + 2 * across, 44), height + 2 * down


Bundle = tuple[str, str, list[tuple[int, dict[str, Any]]]]


def _bundles(graph: nx.MultiDiGraph[str]) -> list[Bundle]:
    """Edges with the same ends and look, to be drawn as one."""
    players = graph.graph.get("players", [])
    found: dict[tuple[str, str, EdgeLook], list[tuple[int, dict[str, Any]]]] = defaultdict(list)
    for number, (source, target, data) in enumerate(graph.edges(data=True)):
        found[source, target, edge_look(data, players)].append((number, data))
    return [(source, target, members) for (source, target, _), members in found.items()]


def _edge_lines(members: list[tuple[int, dict[str, Any]]]) -> list[Line]:
    lines: list[Line] = []
    for _, data in members[:6]:
        text, small = str(data.get("label", "")), str(data.get("detail", ""))
        lines += block(text, small, width=EDGE_WIDTH, size=EDGE_TEXT)
    if len(members) > 6:
        lines.append(Line(f"and {len(members) - 6} more", EDGE_TEXT * 0.85, "small"))
    return lines


def _lay_out(
    shapes: dict[str, tuple[list[Line], NodeLook, float, float]],
    bundles: list[Bundle],
    players: Sequence[str],
    direction: str,
) -> tuple[list[Node], list[Edge]]:
    import graphlay

    request = graphlay.Graph()
    for name, (_, _, width, height) in shapes.items():
        request.node(("node", name), width=width, height=height)
    texts = [_edge_lines(members) for *_, members in bundles]
    pieces: list[list[int]] = []
    joined: list[Ends] = []
    for number, ((source, target, _), lines) in enumerate(zip(bundles, texts, strict=True)):
        ends: list[tuple[str, str | int]] = [("node", source), ("node", target)]
        if lines or source == target:
            width, height = size_of(lines)
            request.node(("text", number), width=width + 8, height=height + 6)
            ends.insert(1, ("text", number))
        joined += pairwise(ends)
        pieces.append([request.edge(a, b) for a, b in pairwise(ends)])
    if len(request.nodes) > TOO_MANY:
        raise InputError(
            f"a picture of {len(request.nodes):,} nodes and texts cannot be laid out",
            hint="--fold N makes it smaller; dot, json and graphml hold any number",
        )
    options: dict[str, Any] = {
        "direction": direction,
        "routing": {"style": "diagonal"},
        "spacing": {
            "layer_gap": 26.0 if direction == "topbottom" else 90.0,
            "node_gap": 22.0,
            "dummy_gap": 16.0,
        },
    }
    if len(request.nodes) > MANY:
        options["effort"] = "fast"
    if not request.nodes:
        return [], []
    found = _uncrossed(request, options, joined)
    boxes = dict(zip(found.ids, map(_box, found.nodes), strict=True))
    nodes = [
        Node(name, boxes["node", name], lines, look, {})
        for name, (lines, look, _, _) in shapes.items()
    ]
    edges = []
    for number, (source, target, members) in enumerate(bundles):
        parts = [
            [(round(p["x"], 1), round(p["y"], 1)) for p in found.edges[piece]["points"]]
            for piece in pieces[number]
        ]
        # Now and then the layout engine leads a line through the node where it begins or ends.
        parts[0] = _leaving(parts[0], boxes["node", source])
        parts[-1] = _leaving(parts[-1][::-1], boxes["node", target])[::-1]
        look = edge_look(members[0][1], players)
        keys = [key for key, _ in members]
        told = [
            "\n".join(filter(None, [d.get("label"), d.get("detail"), *d.get("then", ())]))
            for _, d in members
        ]
        label = boxes.get(("text", number)) if texts[number] else None
        edges.append(
            Edge(source, target, keys, parts, texts[number], label, look, members[0][1], told)
        )
    return nodes, edges


def _leaving(points: list[Point], box: Box) -> list[Point]:
    """A line without what lies in the node where it begins."""
    last = max((n for n, point in enumerate(points[:-1]) if box.holds(point)), default=None)
    if last is None:
        return points
    (x, y), (to_x, to_y) = points[last], points[last + 1]
    ways = [1.0]
    if to_x != x:
        rim = box.x + box.width if to_x > x else box.x
        ways.append((rim - x) / (to_x - x))
    if to_y != y:
        rim = box.y + box.height if to_y > y else box.y
        ways.append((rim - y) / (to_y - y))
    way = min(ways)
    leaving = (round(x + way * (to_x - x), 1), round(y + way * (to_y - y), 1))
    return [leaving, *points[last + 1 :]]


def _uncrossed(
    request: graphlay.Graph, options: dict[str, Any], joined: Sequence[Ends]
) -> graphlay.Layout:
    """A layout in which no line runs through a node, or the best of some.

    The layout engine leads lines around nodes, but now and then one touches a rim.
    """
    import graphlay

    best: tuple[int, graphlay.Layout] | None = None
    spacing, effort = options["spacing"], options.get("effort", "balanced")
    for other in (
        {},
        {"spacing": spacing | {"dummy_gap": 2 * spacing["dummy_gap"]}},
        {"effort": "fast" if effort == "balanced" else "balanced"},
        {"spacing": {name: 1.7 * gap for name, gap in spacing.items()}},
        {"routing": {"style": "orthogonal"}},
    ):
        found = graphlay.layout(request, options=options | other)
        hits = found.metrics()["node_edge_hits"] + _touched(found, joined)
        if best is None or hits < best[0]:
            best = hits, found
        if not hits or len(request.nodes) > MANY:
            break
    assert best is not None
    return best[1]


def _touched(found: graphlay.Layout, joined: Sequence[Ends]) -> int:
    """How often a level or upright part of a line lies within a node that it does not join."""
    boxes = dict(zip(found.ids, map(_box, found.nodes), strict=True))
    hits = 0
    for edge, ends in zip(found.edges, joined, strict=True):
        others = [box for name, box in boxes.items() if name not in ends]
        for a, b in pairwise(edge["points"]):
            if a["x"] == b["x"] or a["y"] == b["y"]:
                left, right = sorted((a["x"], b["x"]))
                top, bottom = sorted((a["y"], b["y"]))
                line = Box(left, top, right - left, bottom - top)
                hits += sum(box.overlaps(line) for box in others)
    return hits


def _box(node: dict[str, Any]) -> Box:
    width, height = node["size"]["width"], node["size"]["height"]
    x, y = node["center"]["x"] - width / 2, node["center"]["y"] - height / 2
    return Box(round(x, 1), round(y, 1), round(width, 1), round(height, 1))
