"""Why all orders agree although there is something to choose.

At a choice the ways part; here it is counted where they meet again: some at once, as two
effects commute (applied one after the other, either way, they make the same event), some
only later.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from verifier.explaining.games import inner_nodes
from verifier.state import EMPTY
from verifier.views.relations import Closure, Contained, Relations

if TYPE_CHECKING:
    from verifier.answers import Answer
    from verifier.graph import Graph

#: In larger graphs the choices are not looked at one by one.
MOST_STATES = 20_000


@dataclass(frozen=True)
class Pair:
    """Two effects that can be applied at the same place, and what their order does.

    ``commutes`` is true if both orders lead to the same wherever both can be chosen, ``None``
    if after one of them the other can never be chosen any more.
    """

    first: str
    second: str
    commutes: bool | None


@dataclass(frozen=True)
class Agreement:
    """Why all orders lead to one outcome.

    Attributes
    ----------
    choices
        How many different choices can come up.
    branches
        How many branches they have together.
    at_once
        After how many of them all branches lead to the same before anything else happens.
    pairs
        The pairs of effects that can be applied at the same place.
    """

    choices: int
    branches: int
    at_once: int
    pairs: tuple[Pair, ...]

    @property
    def commuting(self) -> list[Pair]:
        """The pairs that commute."""
        return [pair for pair in self.pairs if pair.commutes]


def agreement(graph: Graph) -> Agreement | None:
    """Why all orders agree; ``None`` if nothing is chosen or the graph is too large."""
    if len(graph.run.states) > MOST_STATES:
        return None
    choices = branches = at_once = 0
    for answer, same in _answers(graph):
        for node in inner_nodes(answer, answer.leaves):
            if not answer.is_choice(node):
                continue
            choices += 1
            branches += sum(edge.copies for edge in answer.edges[node])
            at_once += same or _meets(answer, node)
    if not choices:
        return None
    return Agreement(choices, branches, at_once, tuple(_pairs(graph)))


def _answers(graph: Graph) -> Iterator[tuple[Answer, bool]]:
    """Every different answer that was used, and whether it comes to the same in every way."""
    seen: set[int] = set()
    for number, moves in graph.run.moves.items():
        state = graph.run.states[number]
        if state[1] == EMPTY:
            continue
        states = [state]
        for move in moves:
            after = graph.explorer.apply(state, move.transition)
            states += [forced for forced, _ in graph.forced_from(after)]
        for place in states:
            known = graph.known(place)[1]
            if id(known) not in seen:
                seen.add(id(known))
                one = len(known.transitions) == 1
                together = place is state and len({move.target for move in moves}) == 1
                yield known.answer, one or together


def _meets(answer: Answer, node: str) -> bool:
    """Whether all branches at a node reach the same leaf."""
    ends: set[str] = set()
    stack = [edge.target for edge in answer.edges[node]]
    seen = set(stack)
    while stack:
        here = stack.pop()
        if here in answer.leaves:
            ends.add(here)
        for edge in answer.edges.get(here, ()):
            if edge.target not in seen:
                seen.add(edge.target)
                stack.append(edge.target)
    return len(ends) == 1


def _pairs(graph: Graph) -> list[Pair]:
    """The pairs of effects that could be applied to the same event."""
    closures = [Closure(item, known) for item, known in graph.explorer.answers("event")]
    found = Relations(closures, Contained(graph.explorer)).found
    pairs = [Pair(*pair, True) for pair in found["commutes"]]
    for one, other in found["order"]:
        excluded = all(pair in found["disables"] for pair in ((one, other), (other, one)))
        pairs.append(Pair(one, other, None if excluded else False))
    return sorted(pairs, key=lambda pair: (pair.first, pair.second))
