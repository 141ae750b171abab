"""Relations between effects, against brute force over the oracle's effects on random boards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from boards import NAMES, graph_of, scenario_data
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracle import Board, Copy, Do
from oracle.effects import EFFECTS, Event, draw
from oracle.world import first_world

from verifier.resources import constant

#: Effects that look at nothing but the event, so that each event can be looked at alone.
CARDS = [
    "Notion Thief",
    "Plagiarize",
    "Possessed Portal",
    "Teferi's Ageless Insight",
    "Thought Reflection",
]

#: An event with the copies that had their opportunity; no event: nothing happens instead.
Node = tuple[Event | None, frozenset[int]]
Kind = tuple[str, str, str]


class BruteForce:
    """Everything that can become of one draw, told apart by copies."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.world = first_world(board)
        ((_, (do,)),) = board.timeline  # type: ignore[misc]
        assert isinstance(do.who, int)
        self.start: Node = (draw(do.who, do.number), frozenset())

    def kind(self, copy: Copy) -> Kind:
        """Interchangeable copies are of one kind."""
        target = "any" if copy.target is None else f"on({NAMES[copy.target]})"
        return constant(copy.card), NAMES[copy.controller], target

    def apply(self, node: Node) -> dict[Kind, set[Node]]:
        """What a node becomes with each kind of effect that applies to it."""
        event, used = node
        found: dict[Kind, set[Node]] = {}
        for number, copy in enumerate(self.board.copies if event else ()):
            for effect in EFFECTS[copy.card]:
                tasks = effect.apply(self.board, self.world, copy, event)  # type: ignore[arg-type]
                if number not in used and tasks is not None:
                    task = tasks[0] if tasks else None
                    assert len(tasks) < 2
                    assert task is None or isinstance(task, Event)
                    found.setdefault(self.kind(copy), set()).add((task, used | {number}))
        return found

    def within(self, node: Node) -> list[Node]:
        """The draws that drawing several consists of, if nothing more applies to it."""
        event, used = node
        if event is None or event.verb != "draws" or self.apply(node):
            return []
        return [(draw(event.seat, 1), used)] * event.number

    def nodes(self) -> Iterator[Node]:
        """All that can come up."""
        seen = {self.start}
        waiting = [self.start]
        while waiting:
            node = waiting.pop()
            yield node
            for other in {*self.within(node), *set().union(*self.apply(node).values())} - seen:
                seen.add(other)
                waiting.append(other)

    def results(self, node: Node) -> frozenset[frozenset[tuple[int, int]]]:
        """How many cards each player can draw in all, in every way."""
        applied = self.apply(node)
        if applied:
            return frozenset().union(*(self.results(n) for t in applied.values() for n in t))
        if not (parts := self.within(node)):
            event = node[0]
            return frozenset({frozenset() if event is None else frozenset({(event.seat, 1)})})
        totals = {frozenset[tuple[int, int]]()}
        for part in parts:
            totals = {_sum(one, two) for one in totals for two in self.results(part)}
        return frozenset(totals)

    def both(self, node: Node, first: Kind, second: Kind) -> set[Node]:
        """After two effects in this order, as far as they apply."""
        return {
            end
            for middle in self.apply(node)[first]
            for end in self.apply(middle).get(second, {middle})
        }

    def relations(self) -> set[tuple[str, Kind, Kind]]:
        """All relations, node by node."""
        found: set[tuple[str, Kind, Kind]] = set()
        for node in self.nodes():
            before = self.apply(node)
            for kind, targets in before.items():
                after = set().union(*(self.apply(target) for target in targets))
                inner = [part for target in targets for part in self.within(target)]
                after = after.union(*(self.apply(part) for part in inner))
                found |= {("enables", kind, k) for k in after - {*before, kind}}
                found |= {("disables", kind, k) for k in {*before} - after - {kind}}
            for pair in combinations(sorted(before), 2):
                one, two = self.both(node, *pair), self.both(node, *pair[::-1])
                same = {n[0] for n in one} == {n[0] for n in two} and (
                    {self.results(n) for n in one} == {self.results(n) for n in two}
                )
                found.add(("commutes" if same else "order", *pair))
        ordered = {(a, b) for kind, a, b in found if kind == "order"}
        return {r for r in found if r[0] != "commutes" or r[1:] not in ordered}


def _sum(
    one: frozenset[tuple[int, int]], two: frozenset[tuple[int, int]]
) -> frozenset[tuple[int, int]]:
    return frozenset((Counter(dict(one)) + Counter(dict(two))).items())


@st.composite
def boards(choose: st.DrawFn) -> Board:
    """A draw of one player among a few of the effects."""
    players = choose(st.integers(2, 3))
    seats = st.integers(0, players - 1)
    copies = []
    for card in choose(st.lists(st.sampled_from(CARDS), min_size=2, max_size=4)):
        target = choose(seats) if card == "Plagiarize" else None
        copies.append(Copy(card, choose(seats), target))
    number = choose(st.integers(1, 2))
    return Board(players, tuple(copies), ((0, (Do("draw", number, choose(seats)),)),))


@given(boards())
@settings(
    max_examples=25, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
def test_relations_are_those_of_brute_force(board: Board) -> None:
    graph = graph_of(scenario_data(board)).effects().graph
    kinds = {
        name: (data["card"], data["player"], data["source"])
        for name, data in graph.nodes(data=True)
    }
    found = set()
    for one, two, data in graph.edges(data=True):
        pair = kinds[one], kinds[two]
        if data["kind"] in ("order", "commutes"):
            pair = (min(pair), max(pair))
        found.add((data["kind"], *pair))
    assert found == BruteForce(board).relations()
