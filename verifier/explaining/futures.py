"""Which outcomes are still possible, at every state and every node of an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from verifier.explaining.games import Mask, components, inner_nodes

if TYPE_CHECKING:
    from verifier.graph import Graph


class Futures:
    """The outcomes that can still come about.

    Parameters
    ----------
    graph
        What was explored.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        moves = graph.run.moves
        #: For each state, its outcomes.
        self.masks: list[Mask] = [0] * len(graph.run.states)
        for place, ends in enumerate(graph.ends):
            for number in ends:
                self.masks[number] |= 1 << place
        for together in components(graph):
            mask = 0
            for number in together:
                mask |= self.masks[number]
                for move in moves.get(number, ()):
                    mask |= self.masks[move.target]
            for number in together:
                self.masks[number] = mask

    def nodes(self, number: int) -> dict[str, Mask]:
        """The outcomes still possible at each node of the answer at a state."""
        found = {
            leaf: self.masks[move.target]
            for move in self._graph.run.moves.get(number, ())
            for leaf in move.transition.leaves
        }
        answer = self._graph.known(self._graph.run.states[number])[1].answer
        for node in inner_nodes(answer, found):
            found[node] = 0
            for edge in answer.edges[node]:
                found[node] |= found[edge.target]
        return found


def places(mask: Mask) -> tuple[int, ...]:
    """The numbers of the outcomes in a set, from 1."""
    return tuple(place + 1 for place in range(mask.bit_length()) if mask >> place & 1)


def one_of(found: Sequence[int]) -> str:
    """Numbers of outcomes in words: ``2``, ``1 or 3``."""
    *most, last = map(str, found)
    return f"{', '.join(most)} or {last}" if most else last
