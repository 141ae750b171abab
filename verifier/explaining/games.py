"""What a player can force: values of the game that a graph is.

One player wants to come to certain final states, all others want to keep them from it.  Who
chooses at a node of an answer has the move there; a run that never ends comes to nothing.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Any, TypeVar

from verifier.errors import InputError, UndecidedError
from verifier.explaining.showing import Shown

if TYPE_CHECKING:
    from verifier.answers import Answer
    from verifier.graph import Graph, Step

#: Sets of outcomes that can be forced are looked for among so many outcomes at most, ...
MOST_OUTCOMES = 24
#: ... and as long as there are no more of them than this in any state.
MOST_SETS = 400

T = TypeVar("T")

#: A set of outcomes: bit i stands for the i-th one.
Mask = int


class Game:
    """The game of one player of a graph against all others.

    Parameters
    ----------
    graph
        What was explored, to the end.
    player
        Who wants to come to certain states.
    """

    def __init__(self, graph: Graph, player: str) -> None:
        self._graph = graph
        self._player = player

    def won(self, goal: Collection[int]) -> dict[int, int]:
        """The states from which the goal is reached whatever the opposing side chooses.

        Parameters
        ----------
        goal
            States, by number.

        Returns
        -------
        dict
            The states, and the order in which they were found: a strategy goes to states
            that were found before.
        """
        found = dict.fromkeys(sorted(goal), 0)
        waiting = deque(found)
        while waiting:
            for number in self._sources[waiting.popleft()]:
                if number in found:
                    continue
                leaves = {
                    leaf: move.target in found
                    for move in self._graph.run.moves[number]
                    for leaf in move.transition.leaves
                }
                answer = self._answer(number)
                if self.values(answer, leaves)[answer.root or ""]:
                    found[number] = len(found)
                    waiting.append(number)
        return found

    def single(self, *, by_others: bool = False) -> Mask:
        """The outcomes each of which is reached for sure, whatever the opposing side chooses.

        As `won` for each outcome by itself, but for all of them at once.
        """

        def combine(player: str | None, below: list[Mask]) -> Mask:
            mine = player == self._player
            return reduce(or_ if mine is not by_others else and_, below)

        ends = {n: 1 << place for place, found in enumerate(self._graph.ends) for n in found}
        return self._settled(ends, 0, combine)

    def _settled(
        self, ends: Mapping[int, T], least: T, combine: Callable[[str | None, list[T]], T]
    ) -> T:
        """What the start is worth, given what final states are worth.

        What a node is worth follows from what it leads to and from who chooses there; where
        states lead to each other, the least solution is meant.
        """
        graph = self._graph
        worth = dict(ends)
        for together in components(graph):
            changed = True
            while changed:
                changed = False
                for number in together:
                    if number in ends or not graph.run.moves.get(number):
                        continue
                    found = {
                        leaf: worth.get(move.target, least)
                        for move in graph.run.moves[number]
                        for leaf in move.transition.leaves
                    }
                    answer = self._answer(number)
                    for node in inner_nodes(answer, found):
                        below = [found[edge.target] for edge in answer.edges[node]]
                        found[node] = combine(answer.chooser(node), below)
                    new = found[answer.root or ""]
                    changed = changed or new != worth.get(number, least)
                    worth[number] = new
                if len(together) == 1:
                    break
        return worth.get(graph.run.start, least)

    def values(self, answer: Answer, leaves: Mapping[str, bool]) -> dict[str, bool]:
        """At which nodes of an answer the wanted leaves are reached for sure."""
        value = dict(leaves)
        for node in inner_nodes(answer, leaves):
            combine = any if answer.chooser(node) == self._player else all
            value[node] = combine(value[edge.target] for edge in answer.edges[node])
        return value

    def _answer(self, number: int) -> Answer:
        return self._graph.known(self._graph.run.states[number])[1].answer

    @cached_property
    def _sources(self) -> dict[int, list[int]]:
        """From which states a state is reached in one move."""
        sources: dict[int, dict[int, None]] = defaultdict(dict)
        for number, moves in self._graph.run.moves.items():
            for move in moves:
                sources[move.target][number] = None
        return defaultdict(list, {target: list(found) for target, found in sources.items()})

    # --- Sets of outcomes -----------------------------------------------------------------

    def forced_sets(self) -> list[Mask] | None:
        """The smallest sets of outcomes one of which the player can bring about.

        ``None`` if there are too many to find them all.
        """
        if len(self._graph.outcomes) > MOST_OUTCOMES:
            return None

        def combine(player: str | None, below: list[frozenset[Mask]]) -> frozenset[Mask]:
            if player == self._player:
                return smallest(mask for family in below for mask in family)
            family = frozenset([0])
            for other in dict.fromkeys(below):
                family = smallest(mine | theirs for mine in family for theirs in other)
                if len(family) > MOST_SETS:
                    raise _TooManyError
            return family

        ends = {
            number: frozenset([1 << place])
            for place, found in enumerate(self._graph.ends)
            for number in found
        }
        try:
            family = self._settled(ends, frozenset(), combine)
        except _TooManyError:
            return None
        return sorted(family, key=lambda mask: (mask.bit_count(), mask))

    # --- Strategies -----------------------------------------------------------------------

    def strategy(self, goal: Collection[int]) -> list[Decision]:
        """What the player chooses, wherever it can come to a choice, to reach a goal."""
        won = self.won(goal)
        goal = set(goal)
        graph = self._graph
        if graph.run.start not in won:
            return []
        decisions: list[Decision] = []
        seen = {graph.run.start}
        waiting: deque[tuple[int, tuple[Step, ...]]] = deque([(graph.run.start, ())])
        while waiting:
            number, after = waiting.popleft()
            moves = {
                leaf: move
                for move in graph.run.moves.get(number, ())
                for leaf in move.transition.leaves
            }
            if not moves or number in goal:
                continue
            item, known = graph.known(graph.run.states[number])
            answer = known.answer
            better = {
                leaf: won.get(m.target, won[number]) < won[number] for leaf, m in moves.items()
            }
            value = self.values(answer, better)
            stack: list[tuple[str, tuple[Step, ...]]] = [(answer.root or "", after)]
            walked: set[str] = set()
            while stack:
                node, before = stack.pop()
                if node in walked:
                    continue
                walked.add(node)
                if node in moves:
                    target = moves[node].target
                    if target not in seen:
                        seen.add(target)
                        waiting.append((target, before))
                    continue
                edges = sorted(answer.edges[node], key=answer.label)
                if len(edges) > 1 and answer.chooser(node) == self._player:
                    edges = [next(edge for edge in edges if value[edge.target])]
                    step = graph.step(item, answer, node, edges[0])
                    others = sorted(
                        answer.label(edge) for edge in answer.edges[node] if edge != edges[0]
                    )
                    decisions.append(Decision(number, step, tuple(others), before))
                for edge in reversed(edges):
                    step = graph.step(item, answer, node, edge)
                    chosen = len(answer.edges[node]) > 1 and step.player
                    stack.append((edge.target, (*before, step) if chosen else before))
        return decisions


class _TooManyError(Exception):
    """Raised inside a search for sets of outcomes to give it up."""


def components(graph: Graph) -> Iterator[set[int]]:
    """The states, those together that lead to each other, each after what it leads to."""
    import networkx as nx

    steps: nx.DiGraph[int] = nx.DiGraph()
    steps.add_nodes_from(range(len(graph.run.states)))
    for number, moves in graph.run.moves.items():
        steps.add_edges_from((number, move.target) for move in moves)
    yield from nx.strongly_connected_components(steps)


def inner_nodes(answer: Answer, leaves: Collection[str]) -> Iterator[str]:
    """The nodes of an answer that are no leaves, each after those that it leads to."""
    done = set(leaves)
    stack = [answer.root or ""]
    while stack:
        node = stack[-1]
        missing = [edge.target for edge in answer.edges[node] if edge.target not in done]
        if node in done:
            stack.pop()
        elif missing:
            stack += missing
        else:
            yield node
            done.add(node)
            stack.pop()


def smallest(masks: Iterable[Mask]) -> frozenset[Mask]:
    """Those sets of outcomes that hold no other one."""
    kept: list[Mask] = []
    for mask in sorted(set(masks), key=int.bit_count):
        if not any(mask & other == other for other in kept):
            kept.append(mask)
    return frozenset(kept)


@dataclass(frozen=True)
class Decision:
    """What a strategy says of one choice.

    Attributes
    ----------
    state
        The state of the graph where it comes up.
    step
        What is chosen, and in which item.
    others
        The labels of what could be chosen instead.
    after
        The choices of all players before, on one way there.
    """

    state: int
    step: Step
    others: tuple[str, ...]
    after: tuple[Step, ...]


@dataclass(frozen=True)
class Forced:
    """Outcomes one of which a player can bring about, whatever the others choose.

    Attributes
    ----------
    outcomes
        Their numbers, from 1.
    strategy
        How: what the player chooses wherever a choice can come up.
    """

    outcomes: tuple[int, ...]
    strategy: tuple[Decision, ...]


@dataclass(frozen=True)
class Forceable(Shown):
    """What a player can force and prevent.

    Attributes
    ----------
    graph
        The graph that was looked at.
    player
        Whose game it is.
    sets
        The smallest sets of outcomes that can be forced, each with a strategy; those of one
        outcome come first.
    complete
        Whether these are all of them; if not, they are those of one outcome only.
    prevented
        The numbers of the outcomes that the player can keep from coming about.
    """

    graph: Graph
    player: str
    sets: tuple[Forced, ...]
    complete: bool
    prevented: tuple[int, ...]

    def __repr__(self) -> str:
        found = [list(forced.outcomes) for forced in self.sets]
        return f"<Forceable by {self.player}: {found}, can prevent {list(self.prevented)}>"

    def lines(self) -> Iterator[str]:
        """The result as text."""
        from verifier.explaining.telling import forceable_lines

        return forceable_lines(self)

    def to_dict(self) -> dict[str, Any]:
        """The result as in ``--output json``."""
        from verifier.explaining.telling import forceable_dict

        return forceable_dict(self)


def forceable(graph: Graph, player: str) -> Forceable:
    """What `player` can force and prevent (see `Graph.forceable`)."""
    if player not in graph.scenario.players:
        names = ", ".join(graph.scenario.players)
        raise InputError(f"unknown player `{player}`", hint=f"the players are {names}")
    if not graph.exhausted:
        raise UndecidedError(f"the exploration was cut short: {graph.limit}")
    game = Game(graph, player)
    found = game.forced_sets()
    masks = found
    if masks is None:
        alone = game.single()
        masks = [1 << place for place in range(len(graph.outcomes)) if alone >> place & 1]
    sets = []
    for mask in masks:
        places = [place for place in range(len(graph.outcomes)) if mask >> place & 1]
        goal = [number for place in places for number in graph.ends[place]]
        strategy = tuple(game.strategy(goal))
        sets.append(Forced(tuple(place + 1 for place in places), strategy))
    theirs = game.single(by_others=True)
    prevented = tuple(place + 1 for place in range(len(graph.outcomes)) if not theirs >> place & 1)
    return Forceable(graph, player, tuple(sets), found is not None, prevented)
