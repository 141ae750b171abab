"""A view's graph in every format; each function takes the graph and gives text or bytes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from math import sqrt
from typing import TYPE_CHECKING, Any

from verifier.errors import VerifierError
from verifier.views.looks import (
    EDGE_NAMES,
    NEUTRAL,
    TONES,
    EdgeLook,
    NodeLook,
    edge_look,
    node_look,
)

if TYPE_CHECKING:
    import networkx as nx

SCHEMA_VERSION = 1

#: What an extra of the package gives.
EXTRA = "PNG pictures need the extra `draw`: pip install 'ruling-verifier[draw]'"

#: Pixels for each pixel of the SVG in each direction, unless there would be more in all.
ZOOM, MOST_PIXELS = 2.0, 16_000_000


def svg(graph: nx.MultiDiGraph[str]) -> str:
    """The picture as SVG."""
    from verifier.views.drawing import draw

    return draw(graph).svg()


def png(graph: nx.MultiDiGraph[str]) -> bytes:
    """The picture as PNG, on a light background.

    Raises
    ------
    ImportError
        Without the extra ``draw``.
    VerifierError
        If no font is found.
    """
    from verifier.views.drawing import draw

    try:
        import resvg_py
    except ImportError:
        raise ImportError(EXTRA) from None
    drawing = draw(graph)
    _check_fonts(resvg_py.svg_to_bytes)
    zoom = min(ZOOM, sqrt(MOST_PIXELS / (drawing.width * drawing.height)))
    return bytes(resvg_py.svg_to_bytes(svg_string=drawing.svg(), zoom=zoom))


def _check_fonts(render: Callable[..., bytes]) -> None:
    """Text in a font that is not there would be left out without a word."""
    from verifier.views.text import FONT

    empty, text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">'
        f'<text y="15" font-family="{FONT}">{word}</text></svg>'
        for word in ("", "x")
    )
    if render(svg_string=empty) == render(svg_string=text):
        raise VerifierError(
            "no font was found to draw text with\n  hint: install DejaVu Sans, or use --format svg"
        )


def json_text(graph: nx.MultiDiGraph[str]) -> str:
    """Nodes and edges with all attributes, as networkx's ``node_link_graph`` reads them."""
    import networkx

    found = networkx.node_link_data(graph, edges="edges")
    document = {"schema_version": SCHEMA_VERSION, **found}
    return json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def graphml(graph: nx.MultiDiGraph[str]) -> str:
    """GraphML; lists are written as text."""
    import networkx

    plain: nx.MultiDiGraph[str] = networkx.MultiDiGraph()
    plain.graph.update(_plain(graph.graph))
    for name, data in graph.nodes(data=True):
        plain.add_node(name, **_plain(data))
    for number, (source, target, data) in enumerate(graph.edges(data=True)):
        plain.add_edge(source, target, key=str(number), **_plain(data))
    return "\n".join(networkx.generate_graphml(plain, named_key_ids=True)) + "\n"


def _plain(data: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in sorted(data.items()):
        if isinstance(value, list | tuple):
            value = "; ".join(map(str, value))
        elif isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 2**63:
            value = str(value)
        # A number in one place and a text in another would be two keys of one name.
        found[name] = str(value) if name == "orders" else value
    return found


#: Graphviz's and Mermaid's names for shapes.
_DOT_SHAPES = {
    "box": "box", "round": "box", "hexagon": "hexagon", "octagon": "octagon",
    "slanted": "parallelogram", "pill": "box", "tag": "cds",
}  # fmt: skip
_MERMAID_SHAPES = {
    "box": '["{}"]', "round": '("{}")', "hexagon": '{{{{"{}"}}}}', "octagon": '[["{}"]]',
    "slanted": '[/"{}"/]', "pill": '(["{}"])', "tag": '>"{}"]',
}  # fmt: skip


def _tone(name: str) -> tuple[str, str, str, str]:
    if name == "end":
        return "#1b1f23", "#ffffff", "", ""
    return NEUTRAL if name == "neutral" else TONES[int(name)]


def dot(graph: nx.MultiDiGraph[str]) -> str:
    """The graph in the language of Graphviz."""
    return "\n".join(_dot_lines(graph)) + "\n"


def _dot_lines(graph: nx.MultiDiGraph[str]) -> Iterator[str]:
    about = graph.graph
    players = about.get("players", [])
    head = [about["title"], *(about[key] for key in HEAD if about.get(key))]
    yield f"digraph {_quoted(about['subject'])} {{"
    yield f'  graph [label={_quoted(chr(10).join(head))}, labelloc="t", fontname="sans-serif"];'
    yield '  node [fontname="sans-serif"];'
    yield '  edge [fontname="sans-serif", fontsize="11"];'
    for name, data in graph.nodes(data=True):
        look = node_look(data, players)
        line, fill, *_ = _tone(look.tone)
        style = [f'label={_quoted(_said(data) or name)}, shape="{_DOT_SHAPES[look.shape]}"']
        styles = ["filled"]
        styles += ["rounded"] if look.shape in ("round", "pill") else []
        styles += ["dashed"] if look.border == "dashed" else []
        style.append(f'style="{",".join(styles)}", color="{line}", fillcolor="{fill}"')
        style += ['peripheries="2"'] if look.border == "double" else []
        yield f"  {_quoted(name)} [{', '.join(style)}];"
    for source, target, data in graph.edges(data=True):
        yield f"  {_quoted(source)} -> {_quoted(target)} [{_dot_edge(data, players)}];"
    yield "}"


def _dot_edge(data: dict[str, Any], players: list[str]) -> str:
    look: EdgeLook = edge_look(data, players)
    style = [f'color="{_tone(look.tone)[0]}"']
    said = _said(data)
    style += [f"label={_quoted(said)}"] if said else []
    style += ['style="dashed"'] if look.dash else []
    style += [f'penwidth="{look.width}"'] if look.width > 2 else []
    style += {
        "both": ['dir="both"'],
        "none": ['dir="none"'],
        "bar": ['arrowhead="tee"'],
    }.get(look.head, [])
    return ", ".join(style)


#: What stands above a picture besides its title.
HEAD = ("summary", "cut", "folded", "note")


def _said(data: dict[str, Any]) -> str:
    return "\n".join(filter(None, [str(data.get("label", "")), str(data.get("detail", ""))]))


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def mermaid(graph: nx.MultiDiGraph[str]) -> str:
    """A flowchart in the language of Mermaid."""
    return "\n".join(_mermaid_lines(graph)) + "\n"


def _mermaid_lines(graph: nx.MultiDiGraph[str]) -> Iterator[str]:
    about = graph.graph
    players = about.get("players", [])
    yield f"---\ntitle: {json.dumps(about['title'], ensure_ascii=False)}\n---"
    yield "flowchart TD"
    for key in HEAD:
        if about.get(key):
            yield f"  %% {about[key]}"
    names = {name: f"n{number}" for number, name in enumerate(graph)}
    tones: dict[str, NodeLook] = {}
    for name, data in graph.nodes(data=True):
        look = node_look(data, players)
        tones[look.tone + look.border] = look
        shape = _MERMAID_SHAPES[look.shape].format(_entities(_said(data) or name))
        yield f"  {names[name]}{shape}:::tone_{look.tone}_{look.border}"
    for source, target, data in graph.edges(data=True):
        edge = edge_look(data, players)
        line = {"both": "<-->", "none": "---"}.get(edge.head, "==>" if edge.width > 2 else "-->")
        if edge.dash:
            line = "-.-" if edge.head == "none" else "-.->"
        said = _entities(_said(data))
        yield f"  {names[source]} {line}" + (f'|"{said}"| ' if said else " ") + names[target]
    for look in tones.values():
        stroke, fill, *_ = _tone(look.tone)
        width = "3px" if look.border == "double" else "1px"
        dash = ",stroke-dasharray:5 4" if look.border == "dashed" else ""
        shown = f"fill:{fill},stroke:{stroke},color:#15181b,stroke-width:{width}{dash}"
        yield f"  classDef tone_{look.tone}_{look.border} {shown}"


def _entities(text: str) -> str:
    for character, code in (("#", "#35;"), ('"', "#quot;"), ("<", "#lt;"), (">", "#gt;")):
        text = text.replace(character, code)
    return text.replace("\n", "<br>")


def text(graph: nx.MultiDiGraph[str]) -> str:
    """The graph as lines: choices as a tree, other graphs node by node with what they lead to.

    In the tree, what was shown before is named again, not repeated.
    """
    about = graph.graph
    lines = [about["title"], *(about[key] for key in HEAD if about.get(key)), ""]
    lines += _tree(graph) if about["subject"] == "decisions" else _listing(graph)
    return "\n".join(lines) + "\n"


def _tree(graph: nx.MultiDiGraph[str]) -> Iterator[str]:
    """The choices as a tree; a node that several lead to is written out once."""
    import networkx

    tree: nx.DiGraph[int] = networkx.DiGraph()
    shown: set[str] = set()
    roots = _sources(graph)
    stack = [(name, "", -1) for name in reversed(roots)]
    while stack:
        name, said, parent = stack.pop()
        again = name in shown and graph.out_degree(name)
        several = graph.in_degree(name) > 1 and graph.out_degree(name)
        text = f"(see {name})" if again else _one_line(graph.nodes[name], name)
        if several and not again:
            text = f"{name}: {text}"
        number = len(tree)
        tree.add_node(number, label=f"{said} -> {text}" if said else text)
        if parent >= 0:
            tree.add_edge(parent, number)
        if name not in shown:
            shown.add(name)
            out = [
                (target, _one_line(data, "leads on to" if data["kind"] == "rest" else ""), number)
                for _, target, data in graph.out_edges(name, data=True)
            ]
            stack += reversed(out)
    return networkx.generate_network_text(tree)


def _listing(graph: nx.MultiDiGraph[str]) -> Iterator[str]:
    names = {name: _one_line(data, name) for name, data in graph.nodes(data=True)}
    for name in graph:
        yield names[name]
        for _, target, data in graph.out_edges(name, data=True):
            said = _one_line(data, "")
            word = EDGE_NAMES.get(data["kind"], data["kind"])
            yield f"    {word}: {names[target]}" + (f"  | {said}" if said else "")


def _sources(graph: nx.MultiDiGraph[str]) -> list[str]:
    """Where to begin: the nodes that nothing leads to, and one of each circle left over."""
    import networkx

    found = [name for name in graph if not graph.in_degree(name)]
    seen = set(found)
    for name in found:
        seen |= networkx.descendants(graph, name)
    for name in graph:
        if name not in seen:
            found.append(name)
            seen |= {name} | networkx.descendants(graph, name)
    return found


def _one_line(data: dict[str, Any], name: str) -> str:
    player = f"{data['player']}: " if data.get("player") and data["kind"] == "choice" else ""
    label = ", ".join(str(data.get("label") or name).split("\n"))
    detail = ", ".join(str(data.get("detail", "")).split("\n"))
    # An edge is said with its player; a node says it in its own words.
    if "outcome_count" in data:
        player = ""
    return f"{player}{label}" + (f"  {detail}" if detail and label else detail)


def html(graph: nx.MultiDiGraph[str]) -> str:
    """One page that needs no network: the picture, to move about and to zoom."""
    from verifier.views.page import page

    return page(graph.graph["title"], svg(graph))


WRITERS: dict[str, Callable[[nx.MultiDiGraph[str]], str | bytes]] = {
    "svg": svg,
    "png": png,
    "dot": dot,
    "graphml": graphml,
    "json": json_text,
    "mermaid": mermaid,
    "text": text,
    "html": html,
}
