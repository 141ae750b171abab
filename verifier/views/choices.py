"""The choices of all players as one graph, folded where it would be too large to read."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from verifier.cards import rule_order
from verifier.claims import describe
from verifier.garbage import keeping_all
from verifier.outcomes import ENDLESS
from verifier.report import orders_text, shown_steps, verdict_line, wording
from verifier.views.model import View, new_graph
from verifier.views.points import Points, Way

if TYPE_CHECKING:
    import networkx as nx

    from verifier.answers import Edge
    from verifier.graph import Graph
    from verifier.views.points import Inside

#: Outcomes are listed at each node only if there are no more in all.
MOST_LISTED = 64

#: From what is not drawn, edges lead on to what is only if they are no more.
MOST_FROM_REST = 6

#: The forced steps are told one by one if there are no more nodes.
FEW = 8

#: How many forced steps are told on an edge.
TOLD = 6

#: How many choices are named on an edge that stands for several.
NAMED = 2

#: A number of places that belong together, or the one way in which they are not drawn.
Group = Any


def decisions(graph: Graph) -> View:
    """The merged decision graph.

    Nodes have a ``kind``:

    ``start``
        Before anything is chosen.
    ``choice``
        A choice of ``player``; ``item`` is what it belongs to, as a term.
    ``outcome``, ``endless``
        An end; ``outcome`` is its number, counted as ``prove`` does.  From ``endless`` on a
        run cannot end; ``again`` are the steps of a round.
    ``fold``
        Choices that lead to the same outcomes, as one; ``places`` is their number.
    ``rest``
        What is not drawn for want of room.
    ``cut``
        What was not explored, because a limit was reached.

    All carry a ``label``, the number of ``states`` that they stand for, ``orders`` (how many
    orders pass; left out if they are without end) and ``outcome_count``, and if there are
    few the ``outcomes`` that they lead to, by number.  Edges carry ``player``, ``label``
    (what is chosen), ``rules``, ``orders`` (in how many orders the step can be taken),
    ``forced`` (the number of steps forced after it), ``then`` (those of them that say
    something), and with these steps ``effects`` (that are applied) and ``cites`` (subrules);
    of a single choice ``choice`` is its term.  Their ``kind`` is ``choice``, ``forced``,
    ``fold`` (several choices as one) or ``rest``.

    Parameters
    ----------
    graph
        What was explored.
    """
    with keeping_all():
        return View("decisions", _Decisions(graph).build)


class _Decisions:
    """Builds the graph of choices, in full or folded."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._points = Points(graph)
        self._words = wording(graph.scenario)
        self._phrase = cache(self._words.phrase)
        self._pending = cache(self._words.pending)
        self._step = cache(self._words.step)
        self._every = (1 << self._points.outcomes) - 1

    def build(self, most: int) -> nx.MultiDiGraph[str]:
        """The graph, with at most `most` nodes (0: in full)."""
        whole = new_graph(
            "decisions",
            title=self._graph.scenario.title,
            name=self._graph.scenario.name,
            summary=verdict_line(self._graph),
            players=list(self._graph.scenario.players),
            complete=self._graph.exhausted,
        )
        if self._graph.limit:
            whole.graph["cut"] = f"cut short: {self._graph.limit}"
        drawing = _Folded(self._points, most) if self._is_large(most) else _Full(self._points)
        names = self._add_nodes(whole, drawing)
        self._add_edges(whole, drawing, names)
        if not drawing.full:
            whole.graph["folded"] = (
                f"{len(self._points.choices):,} choices in {self._graph.states:,} states, folded:"
                " those that lead to the same outcomes are one node"
            )
        return whole

    def _is_large(self, most: int) -> bool:
        points = self._points
        return 0 < most < len(points) + 1 - (points.cut not in _targets(points))

    # --- Nodes --------------------------------------------------------------------------

    def _add_nodes(self, whole: nx.MultiDiGraph[str], drawing: _Full) -> dict[Group, str]:
        points = self._points
        names: dict[Group, str] = {}
        whole.add_node(
            "start",
            kind="start",
            label="start",
            states=1,
            **self._leads_to(points.reach[points.start]),
            **self._orders(self._graph.orders_count),
        )
        number = 0
        for group in drawing.groups:
            places = drawing.places[group]
            first = places[0]
            if group in drawing.rests:
                name = f"rest{len(names)}"
                attributes = self._rest(drawing, group)
            elif not points.is_choice(first):
                name, attributes = self._end(first)
            else:
                number += 1
                name = f"choice{number}"
                attributes = self._choice(first) if len(places) == 1 else self._fold(places)
                attributes |= self._orders(drawing.through(group))
            names[group] = name
            attributes |= self._leads_to(drawing.reach(group))
            attributes["detail"] = self._detail(attributes)
            whole.add_node(name, **attributes)
        return names

    def _detail(self, attributes: dict[str, Any]) -> str:
        """The small print of a node."""
        orders = attributes.get("orders")
        through = [orders_text(orders)] if orders or self._graph.exhausted else []
        match attributes["kind"]:
            case "outcome":
                return "".join(through)
            case "endless":
                again = attributes["again"]
                more = [f"and {len(again) - TOLD} more"] if len(again) > TOLD else []
                return "\n".join(["again and again:", *again[:TOLD], *more])
            case "fold" | "rest":
                states = attributes["states"]
                through.insert(0, f"{states:,} state{'' if states == 1 else 's'}")
                return "\n".join(through) + f"\n{self._ends_text(attributes)}"
        return ""

    def _ends_text(self, attributes: dict[str, Any]) -> str:
        """To how many outcomes something leads, and to which if they are few."""
        number, every = attributes["outcome_count"], self._points.outcomes
        listed = attributes.get("outcomes", ())
        if number == every:
            return "all outcomes possible" if every > 1 else "the one outcome"
        if number == 1 and listed:
            return f"all end in outcome {listed[0]}"
        if 1 < number <= 4 and listed:
            return f"outcomes {_list(list(map(str, listed)))}"
        return f"{number:,} of {every:,} outcomes"

    def _end(self, place: int) -> tuple[str, dict[str, Any]]:
        if place == self._points.cut:
            said = f"not explored\n{self._graph.limit}"
            return "cut", {"kind": "cut", "label": said, "states": 0}
        result = self._graph.outcomes[place]
        kind = "endless" if result.outcome == ENDLESS else "outcome"
        said = f"outcome {place + 1}\n{describe(result.outcome)}"
        attributes: dict[str, Any] = {"kind": kind, "outcome": place + 1, "label": said}
        attributes["states"] = len(self._graph.ends[place])
        if kind == "endless":
            attributes["again"] = list(map(self._step, shown_steps(self._graph.loop)))
        return f"outcome{place + 1}", attributes | self._orders(result.orders)

    def _choice(self, place: int) -> dict[str, Any]:
        inside, node = self._points.at(place)
        return {
            "kind": "choice",
            "label": self._pending(inside.item, node),
            "player": inside.answer.chooser(node) or "",
            "item": inside.item,
            "states": 1,
        }

    def _fold(self, places: list[int]) -> dict[str, Any]:
        players = self._players(places)
        states = len({self._points.state_of(place) for place in places})
        return {
            "kind": "fold",
            "label": f"{len(places):,} choices of {_list(players)}",
            "player": players[0] if len(players) == 1 else "",
            "players": players,
            "places": len(places),
            "states": states,
        }

    def _rest(self, drawing: _Full, group: Group) -> dict[str, Any]:
        places, states, through = drawing.hidden(group)
        return {
            "kind": "rest",
            "label": "not drawn",
            "player": "",
            "places": places,
            "states": states,
        } | self._orders(through)

    def _players(self, places: Iterable[int]) -> list[str]:
        found = set()
        for place in places:
            inside, node = self._points.at(place)
            found.add(inside.answer.chooser(node) or "nobody")
        seats = list(self._graph.scenario.players)
        return sorted(found, key=lambda player: (player not in seats, player))

    def _leads_to(self, bits: int) -> dict[str, Any]:
        bits &= self._every
        found: dict[str, Any] = {"outcome_count": bits.bit_count()}
        if self._points.outcomes <= MOST_LISTED:
            found["outcomes"] = [n + 1 for n in range(self._points.outcomes) if bits >> n & 1]
        return found

    def _orders(self, number: int | None) -> dict[str, Any]:
        return {} if number is None or self._graph.orders_count is None else {"orders": number}

    # --- Edges --------------------------------------------------------------------------

    def _add_edges(
        self, whole: nx.MultiDiGraph[str], drawing: _Full, names: dict[Group, str]
    ) -> None:
        points = self._points
        steps = list(points.forced_first())
        told = self._then(steps)
        few = drawing.full and len(drawing.groups) <= FEW
        first = drawing.group_of(points.start)
        whole.add_edge(
            "start",
            names[first],
            kind="forced",
            label="",
            detail=_small_print(_rules(steps), len(steps), told if few else (), first=True),
            player="",
            rules=_rules(steps),
            orders=points.start_orders,
            forced=len(steps),
            then=told,
            effects=self._effects(steps),
            cites=_rules(steps),
        )
        for group in drawing.groups:
            if group in drawing.rests:
                for target in drawing.exits(group):
                    whole.add_edge(names[group], names[target], kind="rest", label="", player="")
                continue
            for target, ways in drawing.ways(group).items():
                if len(drawing.places[group]) == 1 and target not in drawing.rests:
                    for way in ways:
                        whole.add_edge(names[group], names[target], **self._edge(way, few))
                else:
                    whole.add_edge(names[group], names[target], **self._bundle(ways))

    def _edge(self, way: Way, few: bool) -> dict[str, Any]:
        inside = self._points.inside(way.state)
        node, edge = way.inner.path[0]
        steps = list(self._points.forced(way))
        copies = f" (any of {edge.copies})" if edge.copies > 1 else ""
        rules = _rules([(inside, node, edge)])
        told = self._then(steps)
        return {
            "kind": "choice",
            "label": self._phrase(inside.answer.label(edge)) + copies,
            "detail": _small_print(rules, len(steps), told if few else ()),
            "player": inside.answer.chooser(node) or "",
            "rules": rules,
            "orders": way.orders,
            "forced": len(steps),
            "then": told,
            "choice": inside.answer.label(edge),
            "effects": self._effects([(inside, node, edge), *steps]),
            "cites": _rules([(inside, node, edge), *steps]),
        }

    def _bundle(self, ways: list[Way]) -> dict[str, Any]:
        """Several choices as one edge."""
        kinds = Counter((id(way.inner), way.state) for way in ways)
        texts: Counter[str] = Counter()
        players: set[str] = set()
        rules: set[str] = set()
        seen: dict[tuple[int, str], tuple[str, str, list[str]]] = {}
        effects: set[str] = set()
        for way in ways:
            inside = self._points.inside(way.state)
            node, edge = way.inner.path[0]
            key = id(inside), f"{node} {edge.label} {edge.target}"
            if key not in seen:
                text = self._phrase(inside.answer.label(edge))
                player = inside.answer.chooser(node) or ""
                seen[key] = text, player, _rules([(inside, node, edge)])
                effects.update(self._effects([(inside, node, edge)]))
            text, player, cited = seen[key]
            texts[text] += 1
            players.add(player)
            rules.update(cited)
        named = sorted(texts, key=lambda text: (-texts[text], text))
        more = len(kinds) - sum(texts[text] for text in named[:NAMED])
        label = "\n".join(named[:NAMED]) + (
            f"\nand {more:,} more choice{'' if more == 1 else 's'}" if more > 0 else ""
        )
        return {
            "kind": "fold" if len(ways) > 1 else "choice",
            "label": label,
            "player": next(iter(players)) if len(players) == 1 else "",
            "detail": _small_print(sorted(rules, key=rule_order), 0, ()),
            "rules": sorted(rules, key=rule_order),
            "choices": len(kinds),
            "effects": sorted(effects),
            "cites": sorted(rules, key=rule_order),
        }

    def _effects(self, steps: list[tuple[Inside, str, Edge]]) -> list[str]:
        """The effects that are applied in some steps, each once."""
        labels = {inside.answer.label(edge) for inside, _, edge in steps}
        return sorted(filter(None, map(self._words.applied, labels)))

    def _then(self, steps: list[tuple[Inside, str, Edge]]) -> list[str]:
        from verifier.graph import Step

        return [
            self._step(Step(inside.item, node, inside.answer.label(edge), edge.target, None, rules))
            for inside, node, edge in steps
            if (rules := tuple(_rules([(inside, node, edge)])))
        ]


def _targets(points: Points) -> set[int]:
    return {way.target for place in range(len(points)) for way in points.ways(place)} | {
        points.start
    }


def _rules(steps: Iterable[tuple[Inside, str, Edge]]) -> list[str]:
    """The subrules behind some steps."""
    found: set[str] = set()
    for inside, _, edge in steps:
        cites = inside.answer.cites
        found.update(cites.get(inside.answer.label(edge), ()), cites.get(edge.target, ()))
    return sorted(found, key=rule_order)


def _small_print(rules: list[str], forced: int, told: Sequence[str], *, first: bool = False) -> str:
    """Subrules and forced steps of an edge."""
    lines = [f"[{', '.join(rules)}]"] if rules else []
    if told:
        lines += [step if first else f"then {step}" for step in told[:TOLD]]
        lines += [f"then {len(told) - TOLD} more"] if len(told) > TOLD else []
    elif forced:
        steps = f"{forced} forced step{'' if forced == 1 else 's'}"
        lines.append(steps if first else f"then {steps}")
    return "\n".join(lines)


def _list(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _closure(first: Iterable[Group], following: Callable[[Group], Iterable[Group]]) -> list[Group]:
    """What can be reached, the nearest first."""
    found = list(dict.fromkeys(first))
    seen = set(found)
    for one in found:
        for other in following(one):
            if other not in seen:
                seen.add(other)
                found.append(other)
    return found


class _Full:
    """Each place as a node of its own."""

    full = True

    def __init__(self, points: Points) -> None:
        self.points = points
        self.rests: dict[Group, None] = {}
        reached = _closure([points.start], lambda place: [w.target for w in points.ways(place)])
        self.groups: list[Group] = reached
        self.places: dict[Group, list[int]] = {place: [place] for place in reached}

    def group_of(self, place: int) -> Group:
        """The node that a place belongs to."""
        return place

    def reach(self, group: Group) -> int:
        """The ends that a node leads to."""
        return self.points.reach[self.places[group][0]]

    def through(self, group: Group) -> int | None:
        """How many orders pass a node."""
        before, after = self.points.before, self.points.after
        if before is None or after is None:
            return None
        inside = set(self.places[group])
        entering = {place: before[place] for place in inside}
        for place in inside:
            for way in self.points.ways(place):
                if way.target in inside:
                    entering[way.target] -= before[place] * way.orders
        return sum(number * after[place] for place, number in entering.items())

    def ways(self, group: Group) -> dict[Group, list[Way]]:
        """The ways out of a node, by the node that they lead to."""
        found: dict[Group, list[Way]] = defaultdict(list)
        for place in self.places[group]:
            for way in self.points.ways(place):
                target = self.group_of(way.target)
                if target != group or len(self.places[group]) == 1:
                    found[target].append(way)
        return found

    def hidden(self, group: Group) -> tuple[int, int, int | None]:
        """How many places, states and orders a node for what is not drawn stands for."""
        raise NotImplementedError

    def exits(self, group: Group) -> list[Group]:
        """The nodes that what is not drawn leads on to, if they are few."""
        raise NotImplementedError


def _counted(sizes: Counter[int], number: int) -> int:
    """How many are in the sets that hold a number; sets are bits."""
    return sum(count for bits, count in sizes.items() if bits >> number & 1)


def _size(group: Group) -> int:
    return group.bit_count() if isinstance(group, int) else 0


class _Folded(_Full):
    """Places that lead to the same ends as one node each; what is too much as the rest."""

    full = False

    def __init__(self, points: Points, most: int) -> None:
        super().__init__(points)
        self._most = most
        self._of: dict[int, Group] = {}
        members: dict[Group, list[int]] = defaultdict(list)
        reach = points.reach
        for place in self.groups:
            group = ("end", place) if not points.is_choice(place) else reach[place]
            self._of[place] = group
            members[group].append(place)
        self.places = dict(members)
        self._next: dict[Group, dict[Group, None]] = {
            group: {self._of[w.target]: None for p in places for w in points.ways(p)}
            for group, places in self.places.items()
        }
        for group, following in self._next.items():
            following.pop(group, None)
        self.groups = list(self.places)
        if len(self.groups) + 1 > most:
            self._leave_out()

    def group_of(self, place: int) -> Group:
        return self._of[place]

    def _leave_out(self) -> None:
        """Keep the nodes near the start, and sum up the rest."""
        ranked = self._ranked()
        size = len(ranked)
        while True:
            kept = set(ranked[:size])
            rests: dict[Group, list[Group]] = defaultdict(list)
            for group in ranked[:size]:
                left = tuple(g for g in self._next[group] if g not in kept)
                if left:
                    rests["rest", left].append(group)
            if size == 1 or size + len(rests) + 1 <= self._most:
                break
            size -= 1
        self.groups = [*ranked[:size], *rests]
        self.rests = dict.fromkeys(rests)
        self._kept = kept
        for rest in rests:
            self.places[rest] = [place for group in rest[1] for place in self.places[group]]
        self._sources = rests

    def _ranked(self) -> list[Group]:
        """The nodes by distance from the start, at each those first that most orders pass."""
        level = [self._of[self.points.start]]
        seen = set(level)
        found: list[Group] = []
        while level and len(found) < self._most:
            level.sort(key=lambda group: -(self.through(group) or 0))
            found += level
            following = dict.fromkeys(g for group in level for g in self._next[group])
            level = [group for group in following if group not in seen]
            seen.update(level)
        return found[: self._most]

    def ways(self, group: Group) -> dict[Group, list[Way]]:
        found: dict[Group, list[Way]] = defaultdict(list)
        rest = next((r for r, sources in self._rests_of() if group in sources), None)
        for target, ways in super().ways(group).items():
            drawn = rest is None or target in self._kept
            found[target if drawn else rest].extend(ways)
        return found

    def _rests_of(self) -> Iterable[tuple[Group, list[Group]]]:
        return self._sources.items() if self.rests else ()

    def reach(self, group: Group) -> int:
        if group not in self.rests:
            return super().reach(group)
        bits = 0
        for part in group[1]:
            bits |= super().reach(part)
        return bits

    def hidden(self, group: Group) -> tuple[int, int, int | None]:
        places, states = self._hidden[group]
        before, after = self.points.before, self.points.after
        if before is None or after is None:
            return places, states, None
        entered = 0
        parts = set(group[1])
        for source in self._sources[group]:
            for place in self.places[source]:
                for way in self.points.ways(place):
                    if self._of[way.target] in parts:
                        entered += before[place] * way.orders * after[way.target]
        return places, states, entered

    @cached_property
    def _hidden(self) -> dict[Group, tuple[int, int]]:
        """For each node of the rest, how many places and states lie behind it."""
        behind: dict[Group, int] = defaultdict(int)
        self._exits: dict[Group, int] = defaultdict(int)
        for number, rest in enumerate(self.rests):
            for part in rest[1]:
                behind[part] |= 1 << number
        # Each step that leaves a group leads to fewer ends, or to an end.
        groups = sorted(self._next, key=lambda g: (isinstance(g, tuple), -_size(g)))
        for group in groups:
            bits = behind.get(group)
            if bits:
                for target in self._next[group]:
                    where = self._exits if target in self._kept else behind
                    where[target] |= bits
        states: dict[int, int] = defaultdict(int)
        places: Counter[int] = Counter()
        for group, bits in behind.items():
            places[bits] += len(self.places[group])
            for place in self.places[group]:
                if self.points.is_choice(place):
                    states[self.points.state_of(place)] |= bits
        among = Counter(states.values())
        return {
            rest: (_counted(places, number), _counted(among, number))
            for number, rest in enumerate(self.rests)
        }

    def exits(self, group: Group) -> list[Group]:
        number = list(self.rests).index(group)
        assert self._hidden
        found = [target for target, bits in self._exits.items() if bits >> number & 1]
        return found if len(found) <= MOST_FROM_REST else []
