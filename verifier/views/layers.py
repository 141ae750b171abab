"""In which order continuous effects are applied, and which of them waits for which."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from verifier.garbage import keeping_all
from verifier.report import verdict_line, wording
from verifier.stepwise import ABILITIES, REASONS, Step, bare_word, steps
from verifier.terms import parse_term
from verifier.views.model import View, new_graph

if TYPE_CHECKING:
    import networkx as nx

    from verifier.graph import Graph
    from verifier.wording import Wording

#: So many changes of a step are named in a label.
NAMED = 6


def layers(graph: Graph) -> View:
    """The continuous effects layer by layer.

    Nodes of ``kind`` ``step`` are effects as they are applied: ``run`` (how often the board had
    been gone through by then), ``layer`` and ``sublayer``, ``place`` in the order, ``effect`` (a
    term), ``loop`` (whether it was in a loop of dependencies there) and ``changes``
    (``object: +what``).  Those of layer 7 are there where powers or toughnesses are asked for
    (``object: 4/4``).  ``unapplied`` are effects that were left in a layer and ceased to exist.

    Edges of ``kind`` ``then`` lead from one step to the next, several if which comes first is
    not known.  ``waits`` leads from an effect to the one that it depends on, and ``loop`` does
    so within a loop, where it does not count: ``why`` is ``existence``, ``applies_to``, ``does``
    or ``text``, and ``objects`` are those that show it.
    """
    with keeping_all():
        return View("layers", _Layers(graph).build)


class _Layers:
    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._words: Wording = wording(graph.scenario)
        self._steps = steps(graph, measured=True)

    def build(self, most: int) -> nx.MultiDiGraph[str]:
        graph = new_graph(
            "layers",
            title=self._graph.scenario.title,
            name=self._graph.scenario.name,
            summary=verdict_line(self._graph),
            players=list(self._graph.scenario.players),
            complete=self._graph.exhausted,
            folded="",
            note="" if self._steps else "No loaded card changes what objects are.",
        )
        shown = self._steps[: most or None]
        if len(shown) < len(self._steps):
            graph.graph["folded"] = f"only the first {len(shown)} of {len(self._steps)} steps"
        names: dict[tuple[int, str], str] = {}
        for number, step in enumerate(shown):
            for effect in step.applied:
                name = f"step{number + 1}" + (f".{len(names)}" if len(step.applied) > 1 else "")
                names[number, effect] = name
                graph.add_node(name, **self._node(step, effect, number + 1))
        for (number, _), name in names.items():
            for follower in self._steps[number].following:
                for (other, _), target in names.items():
                    if other == follower:
                        graph.add_edge(name, target, kind="then", label="")
        seen: set[tuple[str, ...]] = set()
        for number, step in enumerate(shown):
            self._dependencies(graph, number, step, names, seen)
        return graph

    def _node(self, step: Step, effect: str, place: int) -> dict[str, object]:
        signs = {"gains": "+", "loses": "-", "is": ""}
        changes = [f"{g.thing}: {signs[g.how]}{g.what}" for g in step.gains.get(effect, [])]
        said = [
            f"{self._say(g.thing)}: {signs[g.how]}{g.what if g.how == 'is' else self._word(g.what)}"
            for g in step.gains.get(effect, [])[:NAMED]
        ]
        told = ", ".join(said) + (", ..." if len(changes) > NAMED else "")
        loop = effect in step.loops
        return {
            "kind": "step",
            "run": step.run,
            "layer": int(step.layer[0]),
            "sublayer": step.layer,
            "place": place,
            "effect": effect,
            "loop": loop,
            "changes": changes,
            "label": f"{place}. layer {step.layer}: {self._say(effect)}"
            + (" (in a loop)" if loop else "")
            + (f"\n{told}" if told else ""),
        }

    def _dependencies(
        self,
        graph: nx.MultiDiGraph[str],
        number: int,
        step: Step,
        names: dict[tuple[int, str], str],
        seen: set[tuple[str, ...]],
    ) -> None:
        """The edges among those left at a step; an effect stands where it is applied."""
        found: dict[tuple[str, str, str], list[str]] = defaultdict(list)
        for dependency in step.dependencies:
            found[dependency.effect, dependency.on, dependency.why].append(dependency.thing)
        for (effect, on, why), things in sorted(found.items()):
            ends = [self._where(graph, one, number, step, names) for one in (effect, on)]
            loop = effect in step.loops and on in step.loops
            same = {"kind": "loop" if loop else "waits", "why": why}
            if (*ends, *same.values()) in seen:
                continue
            seen.add((*ends, *same.values()))
            said = ", ".join(map(self._say, things[:2])) + (", ..." if len(things) > 2 else "")
            graph.add_edge(*ends, **same, objects=things, label=REASONS[why].format(said))

    def _where(
        self,
        graph: nx.MultiDiGraph[str],
        effect: str,
        number: int,
        step: Step,
        names: dict[tuple[int, str], str],
    ) -> str:
        for (other, one), name in sorted(names.items()):
            there = self._steps[other]
            if one == effect and other >= number and (there.run, there.layer) == (
                step.run, step.layer
            ):  # fmt: skip
                return name
        name = f"unapplied {step.run} {step.layer} {effect}"
        label = f"{self._say(effect)}: not applied"
        graph.add_node(name, kind="unapplied", label=label, effect=effect, layer=int(step.layer[0]))
        return name

    def _word(self, what: str) -> str:
        """What a thing is or has, in words."""
        return ABILITIES.get(what) or self._say(bare_word(what))

    def _say(self, text: str) -> str:
        return self._words.say(parse_term(text))
