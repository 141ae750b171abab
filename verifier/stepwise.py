"""The steps in which the encodings make something up, one item each, as they explain them.

An item of this kind (``layers(step)``) applies one effect and comes up again.  What is said
of a step is derived by ``encodings/layers_told.lp``, together with the rules about the item;
likewise what is added up where things are measured, by ``encodings/sizes_told.lp``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from verifier import asp, resources
from verifier.answers import END, SEPARATOR
from verifier.state import EMPTY

if TYPE_CHECKING:
    from verifier.explorer import Explorer
    from verifier.graph import Graph
    from verifier.state import State

#: The item that is a step, and the one that a run of steps begins with.
STEP = "layers(step)"
START = "layers(start)"
#: The item that measures what is asked for.
LOOK = "look(characteristics)"

#: What is an ability and no keyword, in words.
ABILITIES = {"has(text)": "its rules text", "has(intrinsic)": "mana abilities of land types"}

#: Why one effect depends on another one (CR 613.8a), in words.
REASONS = {
    "existence": "{0} would lose the ability",
    "applies_to": "changes whether it applies to {0}",
    "does": "changes what it does to {0}",
    "text": "changes its text ({0})",
}


def bare_word(word: str) -> str:
    """An ability without the word that says that it is one."""
    return word[4:-1] if word.startswith("has(") else word


@dataclass(frozen=True, order=True)
class Dependency:
    """One effect waits for another one, because of what that does to an object."""

    effect: str
    on: str
    why: str
    thing: str


@dataclass(frozen=True, order=True)
class Gain:
    """A thing gains or loses something, or is of a size (`how` is ``gains``, ``loses``, ``is``)."""

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
        In which layer or sublayer; empty where none is left.
    applied
        The effect, or several if which comes first is a choice.
    left
        The effects that are left in this layer, and those in a loop of dependencies.
    dependencies
        Which of them waits for which.
    gains
        What the effects that can be applied change, by effect.
    before
        What the things are, before that, which one of them changes.
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
    before: dict[str, list[str]] = field(default_factory=dict)
    following: list[int] = field(default_factory=list)

    def after(self, effect: str) -> dict[str, list[str]]:
        """What the things that an effect changes are, once it has been applied."""
        found: dict[str, list[str]] = {}
        for gain in self.gains.get(effect, ()):
            now = found.setdefault(gain.thing, [*self.before.get(gain.thing, ())])
            if gain.how == "gains":
                now.append(gain.what)
            else:
                now.remove(gain.what)
        return {thing: sorted(words) for thing, words in found.items()}


@dataclass(frozen=True, order=True)
class Part:
    """What one effect does to the power and toughness of a thing.

    Attributes
    ----------
    thing
        Whose they are.
    layer
        The sublayer; empty for what is printed.
    place
        Which of the sublayer it is, from 1.
    effect
        The effect.
    does
        ``begins``, ``sets``, ``adds`` or ``switches``.
    power, toughness
        By how much, or to what; ``keep`` if it stays as it is.
    """

    thing: str
    layer: str
    place: int
    effect: str
    does: str
    power: str
    toughness: str


def sizes(parts: list[Part]) -> list[tuple[Part, str]]:
    """The parts of one thing in order, each with its power and toughness after it."""
    now = [0, 0]
    found = []
    for part in sorted(parts):
        for place, said in enumerate((part.power, part.toughness)):
            if said != "keep":
                now[place] = int(said) + (now[place] if part.does == "adds" else 0)
        if part.does == "switches":
            now.reverse()
        found.append((part, f"{now[0]}/{now[1]}"))
    return found


def steps(graph: Graph, most: int = 1000, *, measured: bool = False) -> list[Step]:
    """All steps of a graph, each once, in the order in which they are come to.

    Parameters
    ----------
    graph
        What was explored.
    most
        Look at no more states than this.
    measured
        Also what makes up powers and toughnesses, where they are asked for, as steps of the
        sublayers of layer 7.
    """
    explorer = graph.explorer
    found: list[Step] = []
    states: list[State] = []
    numbers: dict[object, int] = {}
    #: States that are still to be looked at; the run, the step just before, and the last one.
    waiting: deque[tuple[State, int, int | None, int | None]] = deque(
        [(graph.run.states[0], 0, None, None)]
    )
    seen: set[tuple[State, int | None, int | None]] = set()
    looks: dict[tuple[object, int | None], tuple[State, int]] = {}
    runs = 0
    while waiting and len(seen) < most:
        state, run, before, last = waiting.popleft()
        if (state, before, last) in seen or state[1] == EMPTY:
            continue
        seen.add((state, before, last))
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
            if text == LOOK and measured:
                looks.setdefault((explorer.key(item, state[0]), last), (state, run))
        last = here if here is not None and _applies(explorer, item, state) else last
        for transition in explorer.known(item, state[0]).transitions:
            waiting.append((explorer.apply(state, transition), run, here, last))
    _tell(graph, found, states)
    for (_, before), (state, run) in looks.items():
        _measure(found, parts_at(graph, state), run, before)
    # (The last step of a run, in which nothing is left, is none.)
    kept = [place for place, step in enumerate(found) if step.layer]
    for place in kept:
        found[place].following = [
            kept.index(after) for after in found[place].following if found[after].layer
        ]
    return [found[place] for place in kept]


def _applies(explorer: Explorer, item: int, state: State) -> bool:
    """Whether an effect is applied, which is not so in the last step of a run."""
    edges = explorer.known(item, state[0]).answer.edges.values()
    return any(edge.label.startswith("apply(") for choices in edges for edge in choices)


def _measure(found: list[Step], parts: list[Part], run: int, before: int | None) -> None:
    """Add the steps that make up what is measured, after the step before it."""
    sums: dict[tuple[str, int, str], list[Gain]] = {}
    for thing in sorted({part.thing for part in parts}):
        for part, size in sizes([part for part in parts if part.thing == thing]):
            if part.layer:
                key = part.layer, part.place, part.effect
                sums.setdefault(key, []).append(Gain(thing, "is", size))
    for (layer, _, effect), gains in sorted(sums.items()):
        if before is not None:
            found[before].following.append(len(found))
        before = len(found)
        found.append(Step(run, layer, [effect], gains={effect: gains}))


def steps_at(graph: Graph, states: list[State]) -> list[Step]:
    """What happens at states whose topmost item is a step."""
    found = [Step(0) for _ in states]
    _tell(graph, found, states)
    return found


def parts_at(graph: Graph, state: State) -> list[Part]:
    """What makes up the power and toughness of what is measured at a state."""
    found = []
    for kind, _, parts in _ask(graph, "sizes_told.lp", [state]):
        if kind == "p":
            thing, layer, at, effect, does, power, toughness = (p.strip('"') for p in parts)
            found.append(Part(thing, layer, int(at), effect, does, power, toughness))
    return sorted(found)


def _ask(graph: Graph, file: str, states: list[State]) -> Iterator[tuple[str, int, list[str]]]:
    """What a file says of states: a letter, which of the states, and what."""
    explorer = graph.explorer
    item = explorer.agendas.parts[states[0][1]][0]
    facts: list[str] = []
    for place, (values, _) in enumerate(states):
        facts += explorer.question(item, place, values)
    told = resources.encodings(file).read_text(encoding="utf-8")
    text = asp.evaluate_to_text("\n".join([explorer.rules_about(item), told, *facts]))
    for atom in text.split(END)[:-1]:
        if atom[2] == "(":
            number, *parts = atom[3:].split(SEPARATOR)
            if number.isdigit():
                yield atom[1], int(number), parts


def _tell(graph: Graph, found: list[Step], states: list[State]) -> None:
    """Ask what happens in the steps."""
    if not found:
        return
    explorer = graph.explorer
    item = explorer.agendas.parts[states[0][1]][0]
    for kind, place, parts in _ask(graph, "layers_told.lp", states):
        step = found[place]
        match kind, parts:
            case "v", [thing, what]:
                step.before.setdefault(thing, []).append(what)
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
        for words in step.before.values():
            words.sort()
