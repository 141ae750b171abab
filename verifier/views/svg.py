"""A drawing as SVG.

Each node and each edge is a group that says what it is: ``data-node`` (the name in the graph),
``data-edge`` (numbers in the order of ``graph.edges``), ``data-source``, ``data-target``,
``data-kind``, ``data-player`` and ``data-outcomes`` (numbers of the outcomes that it leads to),
so that a page can light up a path.  Colours follow the reader's light or dark theme.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import hypot
from typing import TYPE_CHECKING, Any

from verifier.views.looks import EdgeLook, NodeLook, css
from verifier.views.text import FONT, Line

if TYPE_CHECKING:
    from verifier.views.drawing import Box, Drawing, Edge, Node, Point

#: How far a second border lies within the first.
INSET = 3.0


def write(drawing: Drawing) -> str:
    """The SVG of a drawing."""
    about = drawing.graph.graph
    width, height = _number(drawing.width), _number(drawing.height)
    said = escape(f"{about['subject']}: {about['title']}", quote=True)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" role="img" aria-label="{said}"'
        f' class="rv" data-subject="{about["subject"]}" font-family="{escape(FONT)}">',
        f"<title>{escape(about['title'])}</title>",
        f"<desc>{escape(about.get('summary', ''))}</desc>",
        f"<style>{css()}</style>",
        f'<rect class="rv-paper" width="{width}" height="{height}"/>',
    ]
    for box, line in drawing.head:
        parts.append(_text(box.x, box.y, [line]))
    for look, box, line in drawing.legend:
        parts.append(f"<g>{''.join(_sample(look, box))}")
        parts.append(_text(box.x + 40, box.y + 1, [line]) + "</g>")
    parts += map(_edge, drawing.edges)
    parts += map(_node, drawing.nodes)
    parts.append("</svg>\n")
    return "\n".join(parts)


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _attributes(**values: Any) -> str:
    """Attributes of data, those that say nothing left out."""
    said = ""
    for name, value in values.items():
        if value is None or value == "" or value == []:
            continue
        if isinstance(value, list | tuple):
            value = " ".join(map(str, value))
        said += f' data-{name}="{escape(str(value), quote=True)}"'
    return said


def _node(node: Node) -> str:
    data = node.data
    said = _attributes(
        node=node.name,
        kind=data["kind"],
        player=data.get("player"),
        outcome=data.get("outcome"),
        outcomes=data.get("outcomes"),
    )
    style = f'class="rv-n{node.look.tone}" stroke-width="1.6"'
    if node.look.border == "dashed":
        style += ' stroke-dasharray="5 4"'
    shapes = [f'<path {style} d="{outline(node.look.shape, node.box)}"/>']
    if node.look.border == "double":
        inner = _shrunk(node.box)
        style = f'class="rv-e{node.look.tone}" stroke-width="0.9"'
        shapes.append(f'<path {style} d="{outline(node.look.shape, inner)}"/>')
    height = sum(line.height for line in node.lines)
    x, y = node.box.middle
    text = _text(x, y - height / 2, node.lines, anchor="middle")
    told = "\n".join(filter(None, [str(data.get("label", "")), str(data.get("detail", ""))]))
    return f"<g{said}><title>{escape(told)}</title>{''.join(shapes)}{text}</g>"


def _edge(edge: Edge) -> str:
    data = edge.data
    said = _attributes(
        edge=edge.keys,
        source=edge.source,
        target=edge.target,
        kind=data["kind"],
        player=data.get("player"),
        outcomes=edge.outcomes,
    )
    dash = f' stroke-dasharray="{edge.look.dash}"' if edge.look.dash else ""
    style = f'class="rv-e{edge.look.tone}" stroke-width="{edge.look.width}"{dash}'
    lines = "".join(
        f'<path {style} d="M{" L".join(f"{_number(x)} {_number(y)}" for x, y in part)}"/>'
        for part in edge.parts
    )
    heads = "".join(_heads(edge.look, edge.parts))
    text = ""
    if edge.label is not None:
        height = sum(line.height for line in edge.lines)
        x, y = edge.label.middle
        text = _text(x, y - height / 2, edge.lines, anchor="middle")
    told = "\n".join(edge.told)
    title = f"<title>{escape(told)}</title>" if told else ""
    return f"<g{said}>{title}{lines}{heads}{text}</g>"


def _heads(look: EdgeLook, parts: Sequence[Sequence[Point]]) -> Iterator[str]:
    if look.head == "none":
        return
    yield _head(look, parts[-1][-2], parts[-1][-1])
    if look.head == "both":
        yield _head(look, parts[0][1], parts[0][0])


def _head(look: EdgeLook, before: Point, end: Point) -> str:
    """An arrow head, or a bar, at the end of a line."""
    (x0, y0), (x, y) = before, end
    length = hypot(x - x0, y - y0) or 1
    dx, dy = (x - x0) / length, (y - y0) / length
    if look.head == "bar":
        x, y = x - 2 * dx, y - 2 * dy
        a, b = (x - 6 * dy, y + 6 * dx), (x + 6 * dy, y - 6 * dx)
        points = f"M{_number(a[0])} {_number(a[1])} L{_number(b[0])} {_number(b[1])}"
        return f'<path class="rv-e{look.tone}" stroke-width="3" d="{points}"/>'
    size = 8 + look.width
    back = x - size * dx, y - size * dy
    wing = size * 0.42
    corners = [(x, y), (back[0] - wing * dy, back[1] + wing * dx)]
    corners.append((back[0] + wing * dy, back[1] - wing * dx))
    shown = " ".join(f"{_number(a)},{_number(b)}" for a, b in corners)
    return f'<polygon class="rv-h{look.tone}" points="{shown}"/>'


def _sample(look: NodeLook | EdgeLook, box: Box) -> Iterator[str]:
    """What stands before a word of the legend."""
    from verifier.views.drawing import SAMPLE, Box

    x, y, (width, height) = box.x, box.y, SAMPLE
    if isinstance(look, NodeLook):
        sample = Box(x, y, width, height)
        dash = ' stroke-dasharray="5 4"' if look.border == "dashed" else ""
        yield f'<path class="rv-n{look.tone}"{dash} d="{outline(look.shape, sample)}"/>'
        if look.border == "double":
            inner = Box(x + 2.5, y + 2.5, width - 5, height - 5)
            yield f'<path class="rv-e{look.tone}" d="{outline(look.shape, inner)}"/>'
        return
    middle = y + height / 2
    dash = f' stroke-dasharray="{look.dash}"' if look.dash else ""
    line = f"M{_number(x)} {_number(middle)} L{_number(x + width)} {_number(middle)}"
    yield f'<path class="rv-e{look.tone}" stroke-width="{look.width}"{dash} d="{line}"/>'
    yield from _heads(look, [[(x, middle), (x + width, middle)]])


def _shrunk(box: Box) -> Box:
    from verifier.views.drawing import Box

    return Box(box.x + INSET, box.y + INSET, box.width - 2 * INSET, box.height - 2 * INSET)


def outline(shape: str, box: Box) -> str:
    """A shape that fills a box, as path data."""
    left, top = box.x, box.y
    right, bottom = left + box.width, top + box.height
    middle = top + box.height / 2
    if shape in ("round", "pill"):
        radius = min(box.height / 2, 10 if shape == "round" else 22)
        r = _number(radius)
        a, b, c, d = map(_number, (left, top, right, bottom))
        inner = [_number(v) for v in (left + radius, right - radius, top + radius, bottom - radius)]
        return (
            f"M{inner[0]} {b} H{inner[1]} A{r} {r} 0 0 1 {c} {inner[2]} V{inner[3]}"
            f" A{r} {r} 0 0 1 {inner[1]} {d} H{inner[0]} A{r} {r} 0 0 1 {a} {inner[3]}"
            f" V{inner[2]} A{r} {r} 0 0 1 {inner[0]} {b} Z"
        )
    cut = min(14.0, box.height / 2)
    small = min(9.0, box.height / 3)
    corners = {
        "box": [(left, top), (right, top), (right, bottom), (left, bottom)],
        "hexagon": [
            (left + cut, top), (right - cut, top), (right, middle),
            (right - cut, bottom), (left + cut, bottom), (left, middle),
        ],
        "octagon": [
            (left + small, top), (right - small, top), (right, top + small),
            (right, bottom - small), (right - small, bottom), (left + small, bottom),
            (left, bottom - small), (left, top + small),
        ],
        "slanted": [(left + cut, top), (right, top), (right - cut, bottom), (left, bottom)],
        "tag": [
            (left, top), (right - cut, top), (right, middle),
            (right - cut, bottom), (left, bottom),
        ],
    }[shape]  # fmt: skip
    return "M" + " L".join(f"{_number(x)} {_number(y)}" for x, y in corners) + " Z"


def _text(x: float, top: float, lines: Sequence[Line], anchor: str = "") -> str:
    """Lines of text from `top` on."""
    at = f' text-anchor="{anchor}"' if anchor else ""
    said = []
    for line in lines:
        base = top + line.height * 0.78
        said.append(
            f'<text class="rv-{line.kind}" x="{_number(x)}" y="{_number(base)}"'
            f' font-size="{_number(line.size)}"{at}>{escape(line.text)}</text>'
        )
        top += line.height
    return "".join(said)
