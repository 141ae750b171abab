"""Which replacement effect depends on which, and which pairs decide the outcome.

All of it is read off the closures of events: the answers about items ``event(...)``, in which
nodes are events with the effects applied so far and edges apply one more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

from verifier.garbage import keeping_all
from verifier.report import verdict_line, wording
from verifier.terms import Function, parse_term, signature
from verifier.views.model import View, new_graph
from verifier.views.points import Points

if TYPE_CHECKING:
    import networkx as nx

    from verifier.answers import Answer
    from verifier.explorer import Explorer, Known
    from verifier.graph import Graph

#: Pairs that make no difference are drawn only if they are no more.
MOST_COMMUTING = 20

#: So many sets of pairs are tried before a set that is only minimal is good enough.
MOST_TRIES = 4000

Pair = tuple[str, str]


def effects(graph: Graph) -> View:
    """How the replacement effects that came up depend on each other.

    Nodes are effects (``kind`` ``effect``): ``card``, ``player`` (the controller), ``source``
    and ``copies`` (how many interchangeable ones there are).  An edge is what shows in some
    event that came up, and ``event`` is the first one in which it does:

    ``enables``
        After the first, the second can be applied to what the event has become (or to an
        event within that), which it could not before.
    ``disables``
        The other way round.
    ``order``
        Both can be applied, and what comes of it depends on which is first: ``first`` and
        ``second`` say what the event is after both, in either order.  ``ends_differ`` says
        whether also the outcomes that are then possible differ, ``decides`` whether the pair is one
        of the smallest set of pairs whose order decides the outcome.
    ``commutes``
        Both can be applied to some event, and the order never makes a difference.

    The graph's ``deciding`` lists the pairs of that set; ``deciding_is`` says ``smallest``,
    ``minimal`` (none of them can be left out), or ``insufficient`` (it takes more than the
    order of pairs).

    Parameters
    ----------
    graph
        What was explored.
    """
    with keeping_all():
        return View("effects", _Effects(graph).build)


class Closure:
    """An event's answer as a graph of applications.

    Attributes
    ----------
    apply
        For each node, the effects that can be applied there, and what it can become.
    """

    def __init__(self, item: str, known: Known) -> None:
        self.item = item
        self.answer: Answer = known.answer
        self.ends = {leaf: n for n, t in enumerate(known.transitions) for leaf in t.leaves}
        self.known = known
        #: For each transition a number; those that lead to the same outcomes have the same.
        self.classes = list(range(len(known.transitions)))
        self.apply: dict[str, dict[str, set[str]]] = {}
        self.copies: dict[str, int] = {}
        for node in self.nodes:
            self.apply[node] = dict(self._applications(node))

    @cached_property
    def nodes(self) -> list[str]:
        """The nodes, the root first."""
        found = [self.answer.root or ""]
        seen = set(found)
        for node in found:
            for edge in sorted(self.answer.edges.get(node, ())):
                if edge.target not in seen:
                    seen.add(edge.target)
                    found.append(edge.target)
        return found

    def _applications(self, node: str) -> Iterator[tuple[str, set[str]]]:
        found: dict[str, set[str]] = defaultdict(set)
        for edge in self.answer.edges.get(node, ()):
            label = self.answer.label(edge)
            effect = applied(label)
            if effect is None:
                continue
            self.copies[effect] = max(self.copies.get(effect, 0), edge.copies)
            targets = {edge.target}
            if edge.target.startswith("n(offer("):  # what it becomes if it is used
                targets = {
                    e.target
                    for e in self.answer.edges.get(edge.target, ())
                    if signature(parse_term(self.answer.label(e)))[0] == "accept"
                }
            found[effect] |= targets
        yield from sorted(found.items())

    @cached_property
    def finals(self) -> dict[str, frozenset[int]]:
        """For each node, the classes of the transitions with which it can end."""
        found: dict[str, frozenset[int]] = {}
        stack = [self.nodes[0]]
        while stack:
            node = stack[-1]
            if node in self.ends:
                found[node] = frozenset({self.classes[self.ends[node]]})
            targets = [edge.target for edge in self.answer.edges.get(node, ())]
            waiting = [target for target in targets if target not in found]
            if node not in found and waiting:
                stack += waiting
                continue
            if node not in found:
                found[node] = frozenset().union(*(found[target] for target in targets))
            stack.pop()
        return found

    def both(self, node: str, first: str, second: str) -> set[str]:
        """What a node can be after two effects, as far as they can be applied, in this order."""
        return {
            end
            for middle in self.apply[node][first]
            for end in self.apply.get(middle, {}).get(second, {middle})
        }

    def what(self, nodes: Iterable[str]) -> tuple[frozenset[str], frozenset[int]]:
        """Which events some nodes are, and with what they can end."""
        chosen = list(nodes)
        ends = frozenset().union(*(self.finals[node] for node in chosen))
        return frozenset(map(event_of, chosen)), ends


def applied(label: str) -> str | None:
    """The effect that a choice applies; ``None`` if it applies none."""
    term = parse_term(label)
    if isinstance(term, Function) and signature(term) == ("apply", 1):
        return str(term.arguments[0])
    return None


def event_of(node: str) -> str:
    """The event of a node ``n(Event,Applied)`` or ``final(Event,Applied)``."""
    term = parse_term(node)
    return str(term.arguments[0]) if isinstance(term, Function) else node


@dataclass
class Relation:
    """What shows between two effects: where first, in how many events."""

    closure: Closure
    node: str
    events: int = 1
    ends_differ: bool = False
    after: tuple[set[str], set[str]] = field(default_factory=lambda: (set(), set()))


class Relations:
    """The relations between effects in some closures.

    Attributes
    ----------
    found
        By kind (``enables``, ``disables``, ``order``, ``commutes``) and pair.
    """

    def __init__(self, closures: Sequence[Closure], contained: Contained) -> None:
        self.found: dict[str, dict[Pair, Relation]] = {
            kind: {} for kind in ("enables", "disables", "order", "commutes")
        }
        for closure in closures:
            for node in closure.nodes:
                here = closure.apply[node]
                for effect, targets in here.items():
                    self._changes(closure, node, effect, targets, contained)
                for pair in combinations(sorted(here), 2):
                    self._order(closure, node, pair)
        for pair in self.found["order"]:
            self.found["commutes"].pop(pair, None)

    def _add(self, kind: str, pair: Pair, closure: Closure, node: str) -> Relation:
        known = self.found[kind].get(pair)
        if known is None:
            known = self.found[kind][pair] = Relation(closure, node, 0)
        known.events += 1
        return known

    def _changes(
        self, closure: Closure, node: str, effect: str, targets: set[str], contained: Contained
    ) -> None:
        before = set(closure.apply[node])
        after = {e for t in targets for e in closure.apply.get(t, ())}
        within = {e for t in targets for e in contained.effects(closure, t, effect)}
        for other in sorted((after | within) - before - {effect}):
            self._add("enables", (effect, other), closure, node)
        for other in sorted(before - after - within - {effect}):
            self._add("disables", (effect, other), closure, node)

    def _order(self, closure: Closure, node: str, pair: Pair) -> None:
        first, second = pair
        one, two = closure.both(node, first, second), closure.both(node, second, first)
        (events, ends), (other_events, other_ends) = closure.what(one), closure.what(two)
        if (events, ends) == (other_events, other_ends):
            self._add("commutes", pair, closure, node)
            return
        relation = self._add("order", pair, closure, node)
        if not relation.after[0] or (ends != other_ends and not relation.ends_differ):
            relation.closure, relation.node, relation.after = closure, node, (one, two)
        relation.ends_differ |= ends != other_ends


class Contained:
    """Which effects can be applied to the events within what an event has become.

    Parameters
    ----------
    explorer
        Knows what items lead to.
    """

    def __init__(self, explorer: Explorer) -> None:
        self._items: dict[str, list[Known]] = defaultdict(list)
        names = {signature(item.term)[0] for item in explorer.items}
        for name in sorted(names):
            for text, known in explorer.answers(name):
                self._items[text].append(known)
        self._explorer = explorer
        self._memory: dict[tuple[str, str], frozenset[str]] = {}

    def effects(self, closure: Closure, node: str, effect: str) -> frozenset[str]:
        """Those of the events that come of it if nothing more is applied at a node."""
        found: set[str] = set()
        for edge in closure.answer.edges.get(node, ()):
            if edge.target in closure.ends:
                transition = closure.known.transitions[closure.ends[edge.target]]
                for number in transition.pushes:
                    found |= self._within(self._explorer.items[number].text, effect)
        return frozenset(found)

    def _within(self, item: str, effect: str) -> frozenset[str]:
        """The effects that can be applied to an item's events which remember `effect`."""
        key = item, effect
        if key not in self._memory:
            self._memory[key] = frozenset()
            found: set[str] = set()
            for known in self._items.get(item, ()) if effect in item else ():
                if item.startswith("event("):
                    closure = Closure(item, known)
                    root = closure.nodes[0]
                    found |= {*closure.apply[root], *self.effects(closure, root, effect)}
                    continue
                for transition in known.transitions:
                    for number in transition.pushes:
                        found |= self._within(self._explorer.items[number].text, effect)
            self._memory[key] = frozenset(found)
        return self._memory[key]


# --- Which pairs decide -------------------------------------------------------------------


@dataclass(frozen=True)
class Question:
    """An event where it matters for the outcome what it becomes.

    ``classes`` gives each transition a number: equal ones lead to the same outcomes.
    """

    closure: Closure
    classes: tuple[int, ...]

    def decided_by(self, pairs: Sequence[Pair]) -> bool:
        """Whether the order of these pairs decides what the event becomes.

        What else is chosen (whether optional effects are used) counts as given.
        """
        closure = self.closure
        start: tuple[str, tuple[int, ...], tuple[Any, ...]]
        start = closure.nodes[0], (0,) * len(pairs), ()
        found: dict[Any, int] = {}
        seen = {start}
        stack = [start]
        while stack:
            node, firsts, others = stack.pop()
            if node in closure.ends:
                number = self.classes[closure.ends[node]]
                if found.setdefault((firsts, others), number) != number:
                    return False
                continue
            for edge in closure.answer.edges.get(node, ()):
                label = closure.answer.label(edge)
                effect = applied(label)
                now = firsts
                besides: tuple[Any, ...] = others
                if effect is None:
                    left = tuple(closure.apply[node])
                    if left or label.startswith(("accept", "decline")):
                        besides = (*others, (label, left))
                else:
                    now = tuple(
                        first or (1 if effect == pair[0] else 2 if effect == pair[1] else 0)
                        for first, pair in zip(firsts, pairs, strict=True)
                    )
                state = (edge.target, now, besides)
                if state not in seen:
                    seen.add(state)
                    stack.append(state)
        return True


def deciding_pairs(
    questions: Sequence[Question], candidates: Sequence[Pair]
) -> tuple[list[Pair], str]:
    """The smallest set of pairs whose order decides all questions, and what is known of it.

    That is ``smallest``; ``minimal`` if trying all sets would take too long: none of the
    pairs can be left out, but a smaller set may exist; or ``insufficient``: even the order of
    all pairs leaves some question open.
    """

    def enough(pairs: Sequence[Pair]) -> bool:
        return all(question.decided_by(pairs) for question in questions)

    if not enough(candidates):
        return list(candidates), "insufficient"
    tries = 0
    for size in range(len(candidates) + 1):
        for pairs in combinations(candidates, size):
            tries += 1
            if tries > MOST_TRIES:
                chosen = list(candidates)
                for pair in candidates:
                    fewer = [other for other in chosen if other != pair]
                    if enough(fewer):
                        chosen = fewer
                return chosen, "minimal"
            if enough(pairs):
                return list(pairs), "smallest"
    raise AssertionError("all candidates together are enough")


def _numbered(values: Sequence[object]) -> tuple[int, ...]:
    """Equal values as equal numbers, from 0."""
    numbers: dict[object, int] = {}
    return tuple(numbers.setdefault(value, len(numbers)) for value in values)


class _Effects:
    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._words = wording(graph.scenario)
        explorer = graph.explorer
        self._closures = [Closure(item, known) for item, known in explorer.answers("event")]
        questions = self._questions()
        self._relations = Relations(self._closures, Contained(explorer)).found
        candidates = sorted(self._relations["order"])
        self._deciding, self._is = deciding_pairs(questions, candidates)

    def _questions(self) -> list[Question]:
        """The events in which what becomes of them makes a difference to the outcome.

        On the way, transitions that lead to the same outcomes wherever they come up are put
        into one class.
        """
        points = Points(self._graph)
        closures = {id(closure.known): closure for closure in self._closures}
        found: dict[tuple[int, tuple[int, ...]], Question] = {}
        first: set[int] = set()
        for number in sorted(self._graph.run.moves):
            known = points.known_at(number)
            if known is None or id(known) not in closures or len(known.transitions) < 2:
                continue
            closure = closures[id(known)]
            places = [points.leads_to(number, which) for which in range(len(known.transitions))]
            classes = _numbered([points.reach[place] for place in places])
            before = closure.classes if id(known) in first else [0] * len(classes)
            first.add(id(known))
            closure.classes = list(_numbered(list(zip(before, classes, strict=True))))
            if max(classes):
                found.setdefault((id(known), classes), Question(closure, classes))
        return list(found.values())

    def build(self, most: int) -> nx.MultiDiGraph[str]:
        """The graph; pairs that make no difference only if there are few or all is wanted."""
        whole = new_graph(
            "effects",
            title=self._graph.scenario.title,
            name=self._graph.scenario.name,
            summary=verdict_line(self._graph),
            players=list(self._graph.scenario.players),
            complete=self._graph.exhausted,
            deciding=[f"{self._name(a)}, {self._name(b)}" for a, b in self._deciding],
            deciding_is=self._is,
            note=self._note(),
        )
        if self._graph.limit:
            whole.graph["cut"] = f"cut short: {self._graph.limit}"
        copies: dict[str, int] = {}
        for closure in self._closures:
            for effect, number in closure.copies.items():
                copies[effect] = max(copies.get(effect, 0), number)
        for effect in sorted(copies):
            whole.add_node(effect, **self._node(effect, copies[effect]))
        if not copies:
            whole.graph["note"] = "no replacement effect was applied to any event"
        for kind, found in self._relations.items():
            if kind == "commutes" and most and len(found) > MOST_COMMUTING:
                whole.graph["folded"] = f"{len(found)} pairs that make no difference are not drawn"
                continue
            for pair in sorted(found):
                whole.add_edge(*pair, **self._edge(kind, pair, found[pair]))
        return whole

    def _name(self, effect: str) -> str:
        return self._words.effect(parse_term(effect))

    def _node(self, effect: str, copies: int) -> dict[str, Any]:
        term = parse_term(effect)
        parts = term.arguments if isinstance(term, Function) else ()
        card, number, you, source = (*parts, "", "", "", "")[:4]
        detail = f"of {self._words.name(you)}"
        if str(source) not in ("any", str(card)):
            detail += f", {self._words.name(source)}"
        if copies > 1:
            detail += f"\n{copies} copies"
        return {
            "kind": "effect",
            "label": self._words.name(card),
            "detail": detail,
            "card": str(card),
            "ability": str(number),
            "player": str(you),
            "source": str(source),
            "copies": copies,
        }

    def _edge(self, kind: str, pair: Pair, relation: Relation) -> dict[str, Any]:
        event = self._words.pending(relation.closure.item, relation.node)
        found: dict[str, Any] = {
            "kind": kind,
            "label": "" if kind == "commutes" else event,
            "detail": "",
            "event": event,
            "events": relation.events,
        }
        if kind == "order":
            first, second = (self._states(relation, nodes) for nodes in relation.after)
            found |= {
                "first": first,
                "second": second,
                "ends_differ": relation.ends_differ,
                "decides": pair in self._deciding,
            }
            names = [self._name(effect) for effect in pair]
            found["detail"] = f"{names[0]} first: {first}\n{names[1]} first: {second}"
            if not relation.ends_differ:
                found["detail"] += "\nbut both can end in the same"
            if found["decides"]:
                found["detail"] += "\ndecides the outcome"
        return found

    def _states(self, relation: Relation, nodes: set[str]) -> str:
        item = relation.closure.item
        return " or ".join(sorted({self._words.pending(item, node) for node in nodes}))

    def _note(self) -> str:
        several = len(self._graph.outcomes) > 1
        if not self._deciding:
            if several:
                return "No order of effects decides the outcome: other choices do."
            return "No order of effects makes a difference to the outcome."
        named = "; ".join(f"{self._name(a)} and {self._name(b)}" for a, b in self._deciding)
        if self._is == "insufficient":
            return f"It takes more than the order of pairs to decide the outcome ({named})."
        least = "The smallest set of pairs" if self._is == "smallest" else "A minimal set of pairs"
        return f"{least} whose order decides the outcome: {named}."
