"""Answers to questions: the moves of one item, as a small graph from its root to leaves.

An answer comes from the encodings and holds for every state with the same slice.  Its edges
are the choices, each with the player who makes it and the number of interchangeable ways to
make it; its leaves say what changes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from verifier.errors import EncodingError
from verifier.terms import exact_number, parse_term

#: What stands between the parts of an atom, and after the last one (``answers.lp``).
SEPARATOR = ',"|",'
END = ',"#")'


class Edge(NamedTuple):
    """One choice: its label, where it leads and in how many interchangeable ways."""

    label: str
    target: str
    copies: int


@dataclass(slots=True)
class Leaf:
    """What changes: operations on fluents and quantities, new items, checkpoints reached."""

    changes: list[tuple[str, str, int]] = field(default_factory=list)
    pushes: list[tuple[int, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    clears: bool = False


@dataclass
class Answer:
    """The moves of one item.

    Attributes
    ----------
    root
        The node where the item starts; ``None`` if nothing can be done with it.
    edges
        From a node to its choices.
    who
        The player who chooses at a node.
    leaves
        What changes at the end.
    names
        What short labels of edges stand for.
    cites
        The subrules behind a label or a leaf.
    errors
        Terms that say why the item cannot be handled.
    """

    root: str | None = None
    edges: dict[str, list[Edge]] = field(default_factory=lambda: defaultdict(list))
    names: dict[str, str] = field(default_factory=dict)
    who: dict[str, str] = field(default_factory=dict)
    leaves: dict[str, Leaf] = field(default_factory=dict)
    cites: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    errors: list[str] = field(default_factory=list)

    def orders(self) -> dict[str, int]:
        """How many ways lead from the root to each leaf, copies told apart."""
        if self.root is None:
            return {}
        edges = self.edges
        nodes = [self.root]
        incoming: dict[str, int] = {self.root: 0}
        for node in nodes:
            for _, target, _ in edges.get(node, ()):
                if target in incoming:
                    incoming[target] += 1
                else:
                    incoming[target] = 1
                    nodes.append(target)
        ways = dict.fromkeys(nodes, 0)
        ways[self.root] = 1
        ready = [self.root]
        for node in ready:
            here = ways[node]
            for _, target, copies in edges.get(node, ()):
                ways[target] += here * copies
                incoming[target] -= 1
                if not incoming[target]:
                    ready.append(target)
        if len(ready) != len(nodes):
            raise EncodingError(f"the moves of {self.root} run in a circle")
        return {leaf: ways[leaf] for leaf in self.leaves if ways.get(leaf)}

    def chooser(self, node: str) -> str | None:
        """Who chooses at `node`: said of the node, or of the event in ``n(Event,Applied)``."""
        return self.who.get(node) or self.who.get(node[2:].rpartition(",")[0])

    def label(self, edge: Edge) -> str:
        """What is chosen with an edge."""
        return self.names.get(edge.label, edge.label)

    def is_choice(self, node: str) -> bool:
        """Whether there is something to choose at `node`."""
        choices = self.edges[node]
        return len(choices) > 1 or choices[0].copies > 1

    def paths(self, leaves: frozenset[str]) -> Iterator[list[tuple[str, Edge]]]:
        """All ways from the root to one of `leaves`, as lists of (node, edge), lazily."""
        useful = self._leading_to(leaves)
        stack: list[tuple[str, list[tuple[str, Edge]]]] = [(self.root or "", [])]
        while stack:
            node, path = stack.pop()
            if node in leaves:
                yield path
                continue
            choices = sorted(self.edges.get(node, ()), key=self.label, reverse=True)
            stack += [(e.target, [*path, (node, e)]) for e in choices if e.target in useful]

    def first_path(self, leaves: frozenset[str]) -> list[tuple[str, Edge]]:
        """A shortest way from the root to one of `leaves`, as a list of (node, edge)."""
        before = self._reached
        node = min(leaves, key=lambda leaf: (before[leaf][0], leaf))
        back: list[tuple[str, Edge]] = []
        while node != self.root:
            _, source, edge = before[node]
            back.append((source, edge))
            node = source
        return back[::-1]

    @cached_property
    def _reached(self) -> dict[str, tuple[int, str, Edge]]:
        """For each node its distance from the root and the edge by which it is reached first."""
        assert self.root is not None
        reached: dict[str, tuple[int, str, Edge]] = {}
        level = [self.root]
        distance = 0
        while level:
            distance += 1
            following: list[str] = []
            for node in level:
                for edge in sorted(self.edges.get(node, ())):
                    if edge.target not in reached:
                        reached[edge.target] = (distance, node, edge)
                        following.append(edge.target)
            level = following
        return reached

    def _leading_to(self, leaves: frozenset[str]) -> set[str]:
        sources: dict[str, list[str]] = defaultdict(list)
        for node, edges in self.edges.items():
            for edge in edges:
                sources[edge.target].append(node)
        useful = set(leaves)
        stack = list(leaves)
        while stack:
            for node in sources[stack.pop()]:
                if node not in useful:
                    useful.add(node)
                    stack.append(node)
        return useful


def read_answers(text: str, count: int) -> list[Answer]:
    """Take the shown atoms of `count` questions apart (see ``encodings/answers.lp``).

    Parameters
    ----------
    text
        The atoms, as one tuple: ``(r(0,"|",start,"#"),...)``.
    count
        How many questions there were, numbered from 0.

    Raises
    ------
    EncodingError
        On an atom that means nothing here.
    """
    answers = [Answer() for _ in range(count)]
    for atom in text.split(END)[:-1]:
        if atom.startswith("edge(", 1):  # by far the most
            place, node, label, target, copies = atom[6:].split(SEPARATOR)
            answers[int(place)].edges[node].append(Edge(label, target, int(copies)))
            continue
        parts = atom[3:].split(SEPARATOR)
        answer = answers[int(parts[0])]
        match atom[1], parts:
            case "n", [_, short, label]:
                answer.names[short] = label
            case "w", [_, node, player]:
                answer.who[node] = player
            case "r", [_, node]:
                answer.root = node
            case "l", [_, leaf]:
                answer.leaves.setdefault(leaf, Leaf())
            case "s" | "u" | "z", [_, leaf, fluent]:
                answer.leaves.setdefault(leaf, Leaf()).changes.append((atom[1], fluent, 0))
            case "a", [_, leaf, quantity, number, _]:
                change = ("a", quantity, exact_number(parse_term(number)))
                answer.leaves.setdefault(leaf, Leaf()).changes.append(change)
            case "p", [_, leaf, place, item]:
                answer.leaves.setdefault(leaf, Leaf()).pushes.append((int(place), item))
            case "o", [_, leaf, name]:
                answer.leaves.setdefault(leaf, Leaf()).notes.append(name)
            case "x", [_, leaf]:
                answer.leaves.setdefault(leaf, Leaf()).clears = True
            case "c", [_, label, subrule]:
                answer.cites[label].append(subrule.strip('"'))
            case "f", [_, error]:
                answer.errors.append(error)
            case _:
                raise EncodingError(f"an answer holds {atom}, which nothing here reads")
    return answers
