"""How wide text is, so that it fits its box whatever font it is shown in.

The widths are those of DejaVu Sans, one of the widest of the common sans-serif fonts; in a
narrower one there is some room left.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

#: Fonts by preference; none is wider than the first.
FONT = "'DejaVu Sans', Verdana, 'Liberation Sans', Arial, sans-serif"

#: Characters by their width in em.
_WIDTHS = {
    0.30: "'ijlIJ",
    0.36: " ,./:;\\|f",
    0.42: "-()[]tr!·",
    0.56: '"*_`?szLc',
    0.62: "FkvxyPTYaeo",
    0.66: "$0123456789ESbdghnpqu{}K",
    0.70: "ABCRVXZ",
    0.78: "UHN&DG",
    0.84: "OQw#+<=>^~×→",  # noqa: RUF001
    1.00: "M%m@W…",
}
_WIDTH = {character: width for width, characters in _WIDTHS.items() for character in characters}

#: Bold text is wider by this factor.
BOLD = 1.13

LINE = 1.3


class Line(NamedTuple):
    """A line of text: what it says, its size, and what it is (``main``, ``bold``, ``small``)."""

    text: str
    size: float
    kind: str

    @property
    def width(self) -> float:
        """At most so wide it is."""
        return text_width(self.text, self.size) * (BOLD if self.kind == "bold" else 1)

    @property
    def height(self) -> float:
        """What it takes from one line to the next."""
        return self.size * LINE


def text_width(text: str, size: float) -> float:
    """At most so wide a text is."""
    return sum(_WIDTH.get(character, 1.0) for character in text) * size


def wrap(text: str, width: float, size: float) -> list[str]:
    """The lines of a text; a word that is wider than a line gets one of its own."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        current = ""
        for word in paragraph.split():
            longer = f"{current} {word}" if current else word
            if current and text_width(longer, size) > width:
                lines.append(current)
                longer = word
            current = longer
        lines.append(current)
    return [line for line in lines if line]


def block(
    label: str, detail: str, *, width: float, size: float, kind: str = "main", most: int = 12
) -> list[Line]:
    """A label and its small print as lines; of a long label, the first lines and a count."""
    said = wrap(label, width, size)
    if len(said) > most:
        left = len(said) - most + 1
        said = [*said[: most - 1], f"… {left} more lines"]
    small = size * 0.85
    return [
        *(Line(text, size, kind) for text in said),
        *(Line(text, small, "small") for text in wrap(detail, width, small)),
    ]


def size_of(lines: Iterable[Line]) -> tuple[float, float]:
    """Width and height of lines of text."""
    shown = list(lines)
    return max((line.width for line in shown), default=0), sum(line.height for line in shown)
