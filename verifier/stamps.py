"""Which order of timestamps leads to which outcome, where it is a choice.

Where two effects could come first, the encodings leave it as a choice (``apply(Effect)``,
``earlier(Object)``): what is chosen is earlier than what could have been.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from verifier.stepwise import START, STEP

if TYPE_CHECKING:
    from verifier.graph import Graph

#: One thing is earlier than another.
Pair = tuple[str, str]

#: In larger graphs nothing is said.
MOST_STATES = 20_000


def separating_orders(graph: Graph) -> list[list[Pair]]:
    """For each outcome the pairs, earlier first, by which it differs from the others.

    Parameters
    ----------
    graph
        What was explored.

    Returns
    -------
    list[list[Pair]]
        What is so in every order that leads to the outcome, and is the other way round in every
        one that leads to some other outcome; nothing for an outcome that no such pairs tell
        from all others.
    """
    found = len(graph.outcomes)
    few = graph.exhausted and len(graph.run.states) <= MOST_STATES
    if found < 2 or not few or graph.orders_count is None:
        return [[] for _ in range(found)]
    chosen = {
        (number, place): _chosen(graph, number, move.transition.leaves)
        for number, moves in graph.run.moves.items()
        if len(moves) > 1
        for place, move in enumerate(moves)
    }
    if not any(chosen.values()):
        return [[] for _ in range(found)]
    common = _common(graph, chosen)
    orders: list[list[Pair]] = []
    for number, pairs in enumerate(common):
        telling: set[Pair] = set()
        others = [other for at, other in enumerate(common) if at != number]
        for other in others:
            differing = {(a, b) for a, b in pairs if (b, a) in other}
            if not differing:
                telling = set()
                break
            telling |= differing
        orders.append(sorted(telling))
    return orders


def _common(graph: Graph, chosen: Mapping[tuple[int, int], frozenset[Pair]]) -> list[set[Pair]]:
    """For each outcome the pairs that are so on all ways to it."""
    run = graph.run
    #: For each state and outcome that can still come: the pairs on all ways from there.
    ahead: dict[int, dict[int, frozenset[Pair]]] = {}
    ends = {number: place for place, found in enumerate(graph.ends) for number in found}
    stack = [run.start]
    while stack:
        number = stack[-1]
        moves = run.moves.get(number, ())
        missing = [move.target for move in moves if move.target not in ahead]
        if number in ahead or missing:
            stack += missing
            if not missing:
                stack.pop()
            continue
        here = ahead[number] = {ends[number]: frozenset()} if number in ends else {}
        for at, move in enumerate(moves):
            said = chosen.get((number, at), frozenset())
            for place, pairs in ahead[move.target].items():
                here[place] = (here[place] if place in here else pairs | said) & (pairs | said)
    return [_closed(ahead[run.start].get(place, ())) for place in range(len(graph.outcomes))]


def _chosen(graph: Graph, number: int, leaves: frozenset[str]) -> frozenset[Pair]:
    """What a choice between timestamps says."""
    explorer = graph.explorer
    state = graph.run.states[number]
    text = explorer.items[explorer.agendas.parts[state[1]][0]].text
    if text not in (STEP, START) or len(leaves) != 1:
        return frozenset()
    answer = graph.known(state)[1].answer
    labels = [edge.label for edges in answer.edges.values() for edge in edges]
    (leaf,) = leaves
    return frozenset(
        (_thing(leaf), _thing(other)) for other in labels if other != leaf and "(" in other
    )


def _thing(label: str) -> str:
    """The object in ``earlier(Object)`` or ``apply(static(Card,N,Object))``."""
    inner = label[label.index("(") + 1 : -1]
    return inner.rstrip(")").rpartition(",")[2] if inner.startswith("static(") else inner


def _closed(pairs: Iterable[Pair]) -> set[Pair]:
    """With what follows from them."""
    found = set(pairs)
    while more := {(a, d) for a, b in found for c, d in found if b == c} - found:
        found |= more
    return found
