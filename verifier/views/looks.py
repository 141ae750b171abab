"""Colours and shapes: what nodes and edges of each kind look like.

The colours are those of Okabe and Ito, which colour-blind people can tell apart, darkened or
lightened until they stand out from a light and from a dark background.  No difference is
shown by colour alone: players also differ in shape, kinds of edges in dashes and heads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

#: For each tone: line and fill on a light background, line and fill on a dark one.
TONES = [
    ("#0067a5", "#dcecf8", "#6fb7ea", "#10304a"),
    ("#b84a00", "#fbe6d9", "#f2955c", "#4a2410"),
    ("#007a58", "#d9f2e9", "#4ec9a3", "#0e3b2f"),
    ("#a8457c", "#f8e3ef", "#e79ac6", "#472036"),
    ("#8a6d00", "#f7f0d0", "#e3c84a", "#3c3208"),
    ("#5a4fa3", "#e7e4f6", "#aaa1ec", "#2a2650"),
]
NEUTRAL = ("#555b61", "#eff1f3", "#aab1b8", "#24282c")
END = ("#1b1f23", "#ffffff", "#f0f2f4", "#0f1113")

SHAPES = ("box", "round", "hexagon", "octagon", "slanted", "pill", "tag")

#: In words, for legends and descriptions.
SHAPE_NAMES = {
    "box": "rectangle",
    "round": "rounded",
    "hexagon": "hexagon",
    "octagon": "octagon",
    "slanted": "slanted",
    "pill": "pill",
    "tag": "tag",
}


class NodeLook(NamedTuple):
    """The shape of a node, its tone (a number, ``neutral`` or ``end``) and its border."""

    shape: str
    tone: str
    border: str = "solid"


class EdgeLook(NamedTuple):
    """The tone of an edge, its dashes, its head and its width."""

    tone: str
    dash: str = ""
    head: str = "arrow"
    width: float = 1.4


#: Nodes that do not depend on a player.
NODES = {
    "start": NodeLook("pill", "neutral"),
    "outcome": NodeLook("box", "end", "double"),
    "endless": NodeLook("octagon", "end", "double"),
    "rest": NodeLook("box", "neutral", "dashed"),
    "cut": NodeLook("octagon", "neutral", "dashed"),
    "file": NodeLook("box", "0"),
    "predicate": NodeLook("round", "0"),
    "step": NodeLook("round", "2"),
    "unapplied": NodeLook("box", "neutral", "dashed"),
    "base": NodeLook("pill", "neutral"),
    "card": NodeLook("round", "1"),
    "cards": NodeLook("round", "1", "double"),
    "rule": NodeLook("pill", "2"),
    "rules": NodeLook("pill", "2", "double"),
    "scenario": NodeLook("box", "5"),
    "scenarios": NodeLook("box", "5", "double"),
}
#: Edges that do not depend on a player.
EDGES = {
    "forced": EdgeLook("neutral", "6 4"),
    "rest": EdgeLook("neutral", "2 4"),
    "enables": EdgeLook("2"),
    "disables": EdgeLook("1", "7 4", "bar"),
    "order": EdgeLook("3", "", "both", 2.2),
    "commutes": EdgeLook("neutral", "1.5 4", "none"),
    "then": EdgeLook("neutral"),
    "waits": EdgeLook("1", "7 4"),
    "loop": EdgeLook("3", "2 3"),
    "needs": EdgeLook("neutral"),
    "negates": EdgeLook("1", "7 4"),
    "feeds": EdgeLook("1", "2 3"),
    "uses": EdgeLook("neutral", "", "none"),
    "cites": EdgeLook("2", "2 3", "none"),
}
#: What kinds of nodes are, for legends; the others say it themselves.
NODE_NAMES = {
    "fold": "several choices",
    "outcome": "outcome",
    "endless": "never ends",
    "rest": "not drawn",
    "file": "rules file",
    "predicate": "predicate",
    "step": "effect that is applied",
    "unapplied": "effect that ceases to exist",
    "base": "part of the question",
    "card": "card",
    "cards": "several cards",
    "rule": "subrule",
    "rules": "several subrules",
    "scenario": "scenario",
    "scenarios": "several scenarios",
}
#: What kinds of edges mean, for legends.
EDGE_NAMES = {
    "choice": "choice of the player",
    "fold": "several choices",
    "forced": "nothing to choose",
    "rest": "leads on to",
    "enables": "enables",
    "disables": "disables",
    "order": "order matters",
    "commutes": "either order, the same",
    "then": "is followed by",
    "waits": "depends on",
    "loop": "depends on, in a loop",
    "needs": "is read by",
    "negates": "is negated or counted by",
    "feeds": "card feeds",
    "uses": "uses",
    "cites": "cites",
}


def player_look(number: int) -> tuple[str, str]:
    """Shape and tone of a player by seat: 42 players differ in one of them."""
    return SHAPES[number % len(SHAPES)], str(number % len(TONES))


def node_look(data: Mapping[str, Any], players: Sequence[str]) -> NodeLook:
    """What a node looks like."""
    kind = data["kind"]
    if kind in NODES:
        return NODES[kind]
    border = "double" if kind == "fold" else "solid"
    if data.get("player") in players:
        shape, tone = player_look(players.index(data["player"]))
        return NodeLook(shape, tone, border)
    return NodeLook("round", "neutral", border)


def edge_look(data: Mapping[str, Any], players: Sequence[str]) -> EdgeLook:
    """What an edge looks like."""
    if data["kind"] in EDGES:
        return EDGES[data["kind"]]
    width = 2.4 if data["kind"] == "fold" else 1.6
    if data.get("player") in players:
        return EdgeLook(player_look(players.index(data["player"]))[1], width=width)
    return EdgeLook("neutral", width=width)


def css() -> str:
    """The style sheet of a picture, for light and dark."""
    light: list[str] = []
    dark: list[str] = []
    for name, (line, fill, dark_line, dark_fill) in (
        *((str(number), tone) for number, tone in enumerate(TONES)),
        ("neutral", NEUTRAL),
        ("end", END),
    ):
        for rules, stroke, inner in ((light, line, fill), (dark, dark_line, dark_fill)):
            rules.append(f".rv-n{name}{{fill:{inner};stroke:{stroke}}}")
            rules.append(f".rv-e{name}{{fill:none;stroke:{stroke}}}")
            rules.append(f".rv-h{name}{{fill:{stroke};stroke:{stroke}}}")
    for rules, paper, ink, dim in (
        (light, "#ffffff", "#15181b", "#50565c"),
        (dark, "#16191c", "#f2f4f6", "#b4bbc2"),
    ):
        rules.append(f".rv-paper{{fill:{paper}}}")
        rules.append(f".rv-main,.rv-bold{{fill:{ink}}}")
        rules.append(f".rv-small{{fill:{dim}}}")
    return (
        "".join(light)
        + ".rv-bold{font-weight:bold}"
        + f"@media (prefers-color-scheme:dark){{{''.join(dark)}}}"
    )
