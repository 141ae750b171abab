"""What all views have in common: one networkx graph, and every form of it.

The graph is a ``MultiDiGraph`` whose nodes are strings.  Its ``graph`` attributes are

``subject``
    Which view it is.
``title``, ``name``, ``summary``
    What it is about, and the result on one line.
``players``
    The players, whose places say the colour and shape of each.
``complete``
    Whether everything was explored; if not, ``cut`` says why.
``folded``
    If nodes stand for several things: what was folded.
``note``
    What else a reader must know.

Nodes and edges carry ``kind`` and ``label``; the other attributes are described where each
view is made.  Lists are lists of text or of integers.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from verifier.garbage import keeping_all

if TYPE_CHECKING:
    import networkx as nx

    from verifier.views.drawing import Drawing

#: Pictures are folded if they would have more nodes.
MOST_NODES = 60

#: What a view can be written as; those that hold bytes.
FORMATS = ("svg", "png", "dot", "graphml", "json", "mermaid", "text", "html")
BINARY = frozenset({"png"})

#: Formats for programs; they are not folded unless asked for.
DATA = frozenset({"graphml", "json"})


#: Makes a graph with at most so many nodes.
Build: TypeAlias = "Callable[[int], nx.MultiDiGraph[str]]"


def new_graph(subject: str, **attributes: Any) -> nx.MultiDiGraph[str]:
    """An empty graph of a view."""
    import networkx

    return networkx.MultiDiGraph(subject=subject, **attributes)


class View:
    """A graph to look at.

    Parameters
    ----------
    subject
        Which view it is: ``decisions``, ``effects``, ``rules`` or ``cards``.
    build
        Makes the graph with at most so many nodes (0: in full).
    """

    def __init__(self, subject: str, build: Build) -> None:
        self.subject = subject
        self._make = build
        self._kept: dict[int, nx.MultiDiGraph[str]] = {}

    def __repr__(self) -> str:
        shown = self.folded()
        return f"<View {self.subject}: {len(shown)} nodes, {shown.number_of_edges()} edges>"

    @property
    def complete(self) -> bool:
        """Whether all of it was explored."""
        made = next(iter(self._kept.values()), None) or self.graph
        return bool(made.graph["complete"])

    @property
    def graph(self) -> nx.MultiDiGraph[str]:
        """The graph in full."""
        return self.folded(0)

    def to_networkx(self) -> nx.MultiDiGraph[str]:
        """A copy of the graph in full."""
        return self.graph.copy()

    def folded(self, most: int = MOST_NODES) -> nx.MultiDiGraph[str]:
        """The graph with at most about `most` nodes; 0 for all."""
        if most not in self._kept:
            with keeping_all():
                self._kept[most] = self._make(most)
        return self._kept[most]

    def about(self, word: str) -> View:
        """The part of the view around the nodes whose name, label or file holds a word.

        Raises
        ------
        InputError
            If there is none; the hint names the nearest.
        """
        found = _called(self.graph, word)
        return View(self.subject, lambda most: _around(self.graph, word, found, most))

    def drawing(self, most: int = MOST_NODES) -> Drawing:
        """Where everything is in the picture."""
        from verifier.views.drawing import draw

        return draw(self.folded(most))

    def export(self, form: str, most: int | None = None) -> str | bytes:
        """The view in a format.

        Parameters
        ----------
        form
            One of `FORMATS`.
        most
            Fold to about so many nodes, 0 for never; by default pictures and text are folded
            and formats for programs are not.

        Raises
        ------
        ImportError
            If the format needs the extra ``draw``, which is not installed.
        """
        from verifier.views import formats

        if most is None:
            most = 0 if form in DATA else MOST_NODES
        return formats.WRITERS[form](self.folded(most))

    def save(self, path: str | Path, *, form: str | None = None, most: int | None = None) -> None:
        """Write the view to a file, in the format that its name ends with unless given.

        Raises
        ------
        InputError
            If the end of the name is no format.
        """
        path = Path(path)
        content = self.export(form or form_of(path), most)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content, encoding="utf-8", newline="\n")

    def svg(self, most: int = MOST_NODES) -> str:
        """The picture."""
        return str(self.export("svg", most))

    def _repr_svg_(self) -> str:
        return self.svg()


def _called(graph: nx.MultiDiGraph[str], word: str) -> list[str]:
    """The nodes that a word names: exactly, or else in part."""
    from verifier.errors import InputError
    from verifier.resources import nearest

    called = {
        name: [name, str(data.get("label", "")), *data.get("files", ())]
        for name, data in graph.nodes(data=True)
    }
    sought = word.lower()
    exact = [name for name in graph if sought in map(str.lower, called[name])]
    found = exact or [
        name for name in graph if any(sought in what.lower() for what in called[name])
    ]
    if not found:
        near = nearest(word, [what for names in called.values() for what in names])
        raise InputError(
            f"nothing in the view is called `{word}`",
            hint=f"did you mean {near}?" if near else "`--format text` lists what there is",
        )
    return found


def _around(
    graph: nx.MultiDiGraph[str], word: str, found: list[str], most: int
) -> nx.MultiDiGraph[str]:
    """Some nodes and their neighbours."""
    near_by = {other for name in found for other in (*graph.pred[name], *graph.succ[name])}
    others = sorted(near_by - set(found), key=lambda name: (-graph.degree(name), name))
    room = max(most - len(found), 1) if most else len(others)
    kept = {*found, *others[:room]}
    part = new_graph(**graph.graph)
    part.add_nodes_from((name, graph.nodes[name]) for name in graph if name in kept)
    part.add_edges_from(
        (source, target, data)
        for source, target, data in graph.edges(data=True)
        if {source, target} <= kept and {source, target} & set(found)
    )
    part.graph["folded"] = f"the part around {word}" + (
        f", {len(others) - room} neighbours left out" if len(others) > room else ""
    )
    return part


def form_of(path: Path) -> str:
    """The format that a file's name stands for.

    Raises
    ------
    InputError
        If it stands for none.
    """
    from verifier.errors import InputError

    ending = path.suffix.removeprefix(".").lower()
    names = {**dict.fromkeys(FORMATS, ""), "gv": "dot", "txt": "text", "mmd": "mermaid"}
    names["htm"] = "html"
    if ending not in names:
        raise InputError(
            f"no format is called after `{path.name}`",
            hint=f"--format says which: {', '.join(FORMATS)}",
        )
    return names[ending] or ending
