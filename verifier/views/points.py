"""The choices of a run, one by one.

An exploration keeps a state for each point where the ways part, and within a state the answer
to its item may hold several choices in a row (the effects that are applied to one event).
Also a forced step may hold choices that make no difference.  Here each of them is a *place*,
and what is forced between two of them is one *way*.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from verifier.outcomes import ENDLESS
from verifier.state import EMPTY, State

if TYPE_CHECKING:
    from verifier.answers import Answer, Edge
    from verifier.explorer import Known
    from verifier.graph import Graph


class Inner(NamedTuple):
    """A choice within an answer with what is forced after it.

    ``path`` are the nodes and edges on the way; ``to`` is the number of the next choice in the
    answer, or ``~number`` of the transition with which it ends.
    """

    path: tuple[tuple[str, Edge], ...]
    copies: int
    to: int


@dataclass(slots=True)
class Inside:
    """The choices within an answer: their nodes, the ways on from each, the way to the first."""

    item: str
    answer: Answer
    nodes: list[str]
    ways: list[list[Inner]]
    entry: Inner


class Way(NamedTuple):
    """A way between two places: where it leads, in how many orders, and where it is taken.

    ``state`` is the number of the state, ``inner`` what is chosen there.
    """

    target: int
    orders: int
    state: int
    inner: Inner


class Points:
    """All places of a graph and the ways between them.

    Places are numbers.  The first are ends: the outcomes (in the order of ``graph.outcomes``;
    a run without end is one of them), and last of the ends what was not explored.
    """

    def __init__(self, graph: Graph) -> None:
        self._explorer = graph.explorer
        self._run = graph.run
        self._states: list[State] = list(self._run.states)
        self._numbers = {state: number for number, state in enumerate(self._states)}
        self._inside: dict[int, Inside] = {}
        self._landings: dict[tuple[int, int], tuple[int, int]] = {}
        self._ends = {state: n for n, states in enumerate(graph.ends) for state in states}
        self.outcomes = len(graph.outcomes)
        #: The place that stands for all that was not explored.
        self.cut = self.outcomes
        #: The place where a run ends that goes round without a choice.
        endless = [n for n, r in enumerate(graph.outcomes) if r.outcome == ENDLESS]
        self.endless = endless[0] if endless else self.cut
        #: For each place after the ends, its state and the number of the choice there.
        self.choices: list[tuple[int, int]] = []
        self._first: dict[int, int] = {}
        self._waiting: list[int] = []
        self.start, self.start_orders = self._arrive(self._run.start)
        self._ways: list[list[Way]] = []
        while self._waiting:
            number = self._waiting.pop()
            inside = self.inside(number)
            first = self._first[number] - self.outcomes - 1
            while len(self._ways) < first + len(inside.nodes):
                self._ways.append([])
            for place, ways in enumerate(inside.ways):
                self._ways[first + place] = [self._way(number, inner) for inner in ways]

    def __len__(self) -> int:
        return self.outcomes + 1 + len(self.choices)

    def ways(self, place: int) -> list[Way]:
        """The ways on from a place; none from an end."""
        return self._ways[place - self.outcomes - 1] if self.is_choice(place) else []

    def is_choice(self, place: int) -> bool:
        """Whether a place is a choice, not an end."""
        return place > self.cut

    def at(self, place: int) -> tuple[Inside, str]:
        """The answer in which a choice lies, and its node there."""
        state, number = self.choices[place - self.outcomes - 1]
        inside = self.inside(state)
        return inside, inside.nodes[number]

    def state_of(self, place: int) -> int:
        """The number of the state in which a choice lies."""
        return self.choices[place - self.outcomes - 1][0]

    # --- Finding them -------------------------------------------------------------------

    def inside(self, number: int) -> Inside:
        """The choices within the answer at a state."""
        values, agenda = self._states[number]
        item = self._explorer.agendas.parts[agenda][0]
        known = self._explorer.known(item, values)
        found = self._inside.get(id(known))
        if found is None:
            text = self._explorer.items[item].text
            found = self._inside[id(known)] = _look_inside(text, known)
        return found

    def known_at(self, number: int) -> Known | None:
        """The answer at a state; ``None`` at an end and where nothing was explored."""
        values, agenda = self._states[number]
        if agenda == EMPTY or not self._is_explored(number):
            return None
        return self._explorer.known(self._explorer.agendas.parts[agenda][0], values)

    def leads_to(self, number: int, transition: int) -> int:
        """The place to which a transition leads."""
        return self._land(number, transition)[0]

    def _way(self, number: int, inner: Inner) -> Way:
        if inner.to >= 0:
            return Way(self._first[number] + inner.to, inner.copies, number, inner)
        place, orders = self._land(number, ~inner.to)
        return Way(place, inner.copies * orders, number, inner)

    def _land(self, number: int, transition: int) -> tuple[int, int]:
        """Where a transition leads, and in how many orders after it."""
        key = number, transition
        if key not in self._landings:
            self._landings[key] = self._arrive(self._after(number, transition))
        return self._landings[key]

    def _after(self, number: int, which: int) -> int:
        """The state after a transition."""
        run = self._run
        if number < len(run.states):
            move = run.moves[number][which]
            transition = move.transition
            if move.orders == transition.orders:  # no choices on the way
                return move.target
        else:
            values, agenda = self._states[number]
            item = self._explorer.agendas.parts[agenda][0]
            transition = self._explorer.known(item, values).transitions[which]
        return self._number(self._explorer.apply(self._states[number], transition))

    def _number(self, state: State) -> int:
        number = self._numbers.get(state)
        if number is None:
            number = self._numbers[state] = len(self._states)
            self._states.append(state)
        return number

    def _arrive(self, number: int) -> tuple[int, int]:
        """The place that a state is at, after what is forced, and the orders on the way."""
        seen: set[int] = set()
        while number not in seen:
            seen.add(number)
            if number in self._ends:
                return self._ends[number], 1
            if not self._is_explored(number):
                return self.cut, 1
            inside = self.inside(number)
            if inside.entry.to >= 0:
                if number not in self._first:
                    self._first[number] = self.outcomes + 1 + len(self.choices)
                    self.choices += [(number, place) for place in range(len(inside.nodes))]
                    self._waiting.append(number)
                return self._first[number] + inside.entry.to, 1
            number = self._after(number, ~inside.entry.to)
        return self.endless, 1

    def _is_explored(self, number: int) -> bool:
        values, agenda = self._states[number]
        if number < len(self._run.states):
            return bool(self._run.moves.get(number))
        if agenda == EMPTY:
            return False
        return self._explorer.is_known(self._explorer.agendas.parts[agenda][0], values)

    # --- What is forced -----------------------------------------------------------------

    def forced(self, way: Way) -> Iterator[tuple[Inside, str, Edge]]:
        """What is forced after a choice up to the next place: answer, node and edge."""
        inside = self.inside(way.state)
        yield from ((inside, node, edge) for node, edge in way.inner.path[1:])
        if way.inner.to < 0:
            yield from self._forced_from(self._next(way.state, ~way.inner.to))

    def forced_first(self) -> Iterator[tuple[Inside, str, Edge]]:
        """What is forced before the first place."""
        return self._forced_from(self._run.start)

    def _forced_from(self, number: int) -> Iterator[tuple[Inside, str, Edge]]:
        seen: set[int] = set()
        while number not in seen and number not in self._ends:
            seen.add(number)
            values, agenda = self._states[number]
            if agenda == EMPTY:
                return
            if not self._explorer.is_known(self._explorer.agendas.parts[agenda][0], values):
                return
            inside = self.inside(number)
            yield from ((inside, node, edge) for node, edge in inside.entry.path)
            if inside.entry.to >= 0:
                return
            number = self._next(number, ~inside.entry.to)

    def _next(self, number: int, which: int) -> int:
        """The state right after a transition, with nothing skipped."""
        values, agenda = self._states[number]
        item = self._explorer.agendas.parts[agenda][0]
        transition = self._explorer.known(item, values).transitions[which]
        return self._number(self._explorer.apply(self._states[number], transition))

    # --- What they lead to --------------------------------------------------------------

    @cached_property
    def order(self) -> list[int] | None:
        """The places, each before those that it leads to; ``None`` if they run in a circle."""
        incoming = [0] * len(self)
        for ways in self._ways:
            for way in ways:
                incoming[way.target] += 1
        ready = [place for place in range(len(self)) if not incoming[place]]
        for place in ready:
            for way in self.ways(place):
                incoming[way.target] -= 1
                if not incoming[way.target]:
                    ready.append(way.target)
        return ready if len(ready) == len(self) else None

    @cached_property
    def reach(self) -> list[int]:
        """For each place, the ends that it leads to, as a set of bits."""
        found = [0] * len(self)
        for end in range(self.cut + 1):
            found[end] = 1 << end
        if self.order is not None:
            for place in reversed(self.order):
                if self.is_choice(place):
                    bits = 0
                    for way in self.ways(place):
                        bits |= found[way.target]
                    found[place] = bits
            return found
        import networkx

        network: networkx.DiGraph[int] = networkx.DiGraph()
        network.add_nodes_from(range(len(self)))
        for place in range(len(self)):
            network.add_edges_from((place, way.target) for way in self.ways(place))
        whole = networkx.condensation(network)
        for part in reversed(list(networkx.topological_sort(whole))):
            members = whole.nodes[part]["members"]
            bits = 0
            for place in members:
                bits |= found[place]
                for way in self.ways(place):
                    bits |= found[way.target]
            for place in members:
                found[place] = bits or 1 << self.endless
        return found

    @cached_property
    def before(self) -> list[int] | None:
        """In how many orders each place is reached; ``None`` if they run in a circle."""
        if self.order is None:
            return None
        found = [0] * len(self)
        found[self.start] = self.start_orders
        for place in self.order:
            here = found[place]
            for way in self.ways(place):
                found[way.target] += here * way.orders
        return found

    @cached_property
    def after(self) -> list[int] | None:
        """In how many orders each place can go on to an end."""
        if self.order is None:
            return None
        found = [1] * len(self)
        for place in reversed(self.order):
            if self.is_choice(place):
                found[place] = sum(way.orders * found[way.target] for way in self.ways(place))
        return found


def _look_inside(item: str, known: Known) -> Inside:
    answer = known.answer
    ends = {leaf: ~n for n, t in enumerate(known.transitions) for leaf in t.leaves}
    numbers: dict[str, int] = {}
    nodes: list[str] = []

    def follow(node: str, path: list[tuple[str, Edge]]) -> int:
        while node not in ends:
            if answer.is_choice(node):
                if node not in numbers:
                    numbers[node] = len(nodes)
                    nodes.append(node)
                return numbers[node]
            edge = answer.edges[node][0]
            path.append((node, edge))
            node = edge.target
        return ends[node]

    def inner(node: str, first: Edge | None) -> Inner:
        path = [] if first is None else [(node, first)]
        to = follow(node if first is None else first.target, path)
        return Inner(tuple(path), 1 if first is None else first.copies, to)

    entry = inner(answer.root or "", None)
    ways: list[list[Inner]] = []
    for node in nodes:
        edges = sorted(answer.edges[node], key=lambda edge: (answer.label(edge), edge.target))
        ways.append([inner(node, edge) for edge in edges])
    return Inside(item, answer, nodes, ways, entry)
