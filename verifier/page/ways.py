"""Where the steps of walkthroughs are in the drawn graph of choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import networkx as nx

    from verifier.explaining.walkthrough import Told, Walkthrough

#: A way through the graph so far: the numbers of its edges, and after how many each step is.
_Way = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass
class Way:
    """A walkthrough in the graph.

    Attributes
    ----------
    nodes, edges
        What it passes; nothing if it could not be followed.
    steps
        For each step of the walkthrough, the edge that it belongs to.
    """

    nodes: list[str] = field(default_factory=list)
    edges: list[int] = field(default_factory=list)
    steps: list[int | None] = field(default_factory=list)


class Ways:
    """Finds walkthroughs in a graph of choices (see `verifier.views.choices`).

    Parameters
    ----------
    graph
        The graph as it is drawn.
    """

    def __init__(self, graph: nx.MultiDiGraph[str]) -> None:
        self._graph = graph
        self._out: dict[str, list[tuple[int, str, dict[str, Any]]]] = {name: [] for name in graph}
        for number, (source, target, data) in enumerate(graph.edges(data=True)):
            self._out[source].append((number, target, data))
        self._folded = "folded" in graph.graph
        self._listed = "outcomes" in graph.nodes["start"]
        self._ends = {
            data["outcome"]: name for name, data in graph.nodes(data=True) if "outcome" in data
        }

    def find(self, walk: Walkthrough) -> Way:
        """A walkthrough in the graph."""
        told = [*walk.steps, *walk.again]
        end = self._ends.get(walk.number)
        # Parts of the graph that more than one way leads through are told apart at the end.
        reached: dict[str, _Way] = {target: ((n,), ()) for n, target, _ in self._out["start"]}
        for step in told:
            if step.step.player:
                following: dict[str, _Way] = {}
                for node, (edges, marks) in reached.items():
                    for number, target in self._after(node, step):
                        taken = edges if number is None else (*edges, number)
                        following.setdefault(target, (taken, marks))
                reached = following
            reached = {
                n: (edges, (*marks, len(edges) - 1)) for n, (edges, marks) in reached.items()
            }
        if end is None or end not in reached:
            end = next((node for node in reached if self._may_end(node, walk.number)), None)
        if end is None:
            return Way(steps=[None] * len(told))
        edges, marks = reached[end]
        targets = {n: target for found in self._out.values() for n, target, _ in found}
        return Way(
            ["start", *(targets[n] for n in edges)], list(edges), [edges[mark] for mark in marks]
        )

    def _may_end(self, node: str, number: int) -> bool:
        """Whether a node stands for what is not drawn, an outcome among it."""
        data = self._graph.nodes[node]
        return data["kind"] == "rest" and number in data.get("outcomes", [number])

    def _after(self, node: str, step: Told) -> Sequence[tuple[int | None, str]]:
        """Where a choice leads: by which edge, and to which node."""
        if not self._out[node]:
            return [(None, node)]
        exact = [
            (number, target)
            for number, target, data in self._out[node]
            if data.get("choice") == step.step.label and data["player"] == step.step.player
        ]
        if exact or not self._folded:
            return exact
        return self._by_outcomes(node, step) if self._listed else self._into_rest(node)

    def _by_outcomes(self, node: str, step: Told) -> Sequence[tuple[int | None, str]]:
        """The same where nodes stand for all choices that lead to the same outcomes."""
        left = next((list(a.outcomes) for a in step.alternatives if a.label == step.step.label), [])
        here = self._graph.nodes[node]
        found: list[tuple[int | None, str]] = []
        for number, target, _ in self._out[node]:
            there = self._graph.nodes[target]
            unknown = not left or "rest" in (here["kind"], there["kind"])
            if unknown or there["outcomes"] == left:
                found.append((number, target))
        stays = not left or here["kind"] == "rest" or here["outcomes"] == left
        return [(None, node), *found] if stays else found

    def _into_rest(self, node: str) -> Sequence[tuple[int | None, str]]:
        """The same where outcomes are too many to be listed: on to what is not drawn."""
        if self._graph.nodes[node]["kind"] == "rest":
            return [(None, node)]
        rests = [
            (number, target)
            for number, target, _ in self._out[node]
            if self._graph.nodes[target]["kind"] == "rest"
        ]
        return rests if len(rests) == 1 else []
