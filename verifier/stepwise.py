"""The steps in which the encodings make something up, one item each, as they explain them.

An item of this kind (``layers(step)``) applies one effect and comes up again.  What is said
of a step is derived by ``encodings/layers_told.lp``, together with the rules about the item.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from verifier import asp, resources
from verifier.answers import END, SEPARATOR
from verifier.state import EMPTY

if TYPE_CHECKING:
    from verifier.graph import Graph
    from verifier.state import State

#: The item that is a step, and the one that a run of steps begins with.
STEP = "layers(step)"
START = "layers(start)"


@dataclass(frozen=True, order=True)
class Dependency:
    """One effect waits for another one, because of what that does to an object."""

    effect: str
    on: str
    why: str
    thing: str


@dataclass(frozen=True, order=True)
class Gain:
    """A thing gains or loses something."""

    thing: str
    how: str
    what: str


@dataclass
class Step:
    """One effect applied.

    Attributes
    ----------
    run
        The number of the run of steps, from 1.
    layer
        In which layer; empty where none is left.
    applied
        The effect, or several if which comes first is a choice.
    left
        The effects that are left in this layer, and those in a loop of dependencies.
    dependencies
        Which of them waits for which.
    gains
        What the effects that can be applied change, by effect.
    following
        The numbers of the steps that come next.
    """

    run: int
    layer: str = ""
    applied: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    loops: list[str] = field(default_factory=list)
    dependencies: list[Dependency] = field(default_factory=list)
    gains: dict[str, list[Gain]] = field(default_factory=dict)
    following: list[int] = field(default_factory=list)


def steps(graph: Graph, most: int = 1000) -> list[Step]:
    """All steps of a graph, each once, in the order in which they are come to.

    Parameters
    ----------
    graph
        What was explored.
    most
        Look at no more states than this.
    """
    explorer = graph.explorer
    found: list[Step] = []
    states: list[State] = []
    numbers: dict[object, int] = {}
    waiting: deque[tuple[State, int, int | None]] = deque([(graph.run.states[0], 0, None)])
    seen: set[tuple[State, int | None]] = set()
    runs = 0
    while waiting and len(seen) < most:
        state, run, before = waiting.popleft()
        if (state, before) in seen or state[1] == EMPTY:
            continue
        seen.add((state, before))
        item = explorer.agendas.parts[state[1]][0]
        text = explorer.items[item].text
        if not explorer.is_known(item, state[0]):
            continue
        if text == START and before is None:
            runs += 1
            run = runs
        here = before
        if text == STEP:
            key = explorer.key(item, state[0])
            known = key in numbers
            here = numbers.setdefault(key, len(found))
            if not known:
                found.append(Step(run))
                states.append(state)
            if before is not None and here not in found[before].following:
                found[before].following.append(here)
            if known:
                continue
        elif text != START:
            here = None
        for transition in explorer.known(item, state[0]).transitions:
            waiting.append((explorer.apply(state, transition), run, here))
    _tell(graph, found, states)
    return [step for step in found if step.layer]


def _tell(graph: Graph, found: list[Step], states: list[State]) -> None:
    """Ask what happens in the steps."""
    if not found:
        return
    explorer = graph.explorer
    item = explorer.agendas.parts[states[0][1]][0]
    facts: list[str] = []
    for place, (values, _) in enumerate(states):
        facts += explorer.question(item, place, values)
    told = resources.encodings("layers_told.lp").read_text(encoding="utf-8")
    text = asp.evaluate_to_text("\n".join([explorer.rules_about(item), told, *facts]))
    for atom in text.split(END)[:-1]:
        kind, parts = atom[1], atom[3:].split(SEPARATOR)
        if atom[2] != "(" or kind not in "tek":
            continue
        step = found[int(parts[0])]
        match kind, parts[1:]:
            case "t", [effect, "loop"]:
                step.loops.append(effect)
            case "t", [effect, layer]:
                step.left.append(effect)
                step.layer = layer
            case "e", [effect, on, why, thing]:
                step.dependencies.append(Dependency(effect, on, why, thing))
            case "k", [effect, thing, how, what]:
                step.gains.setdefault(effect, []).append(Gain(thing, how, what))
    for step, (values, _) in zip(found, states, strict=True):
        edges = explorer.known(item, values).answer.edges.values()
        labels = [edge.label for choices in edges for edge in choices]
        step.applied = sorted(label[6:-1] for label in labels if label.startswith("apply("))
        step.left.sort()
        step.loops.sort()
        step.dependencies.sort()
        for gains in step.gains.values():
            gains.sort()
