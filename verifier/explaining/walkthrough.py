"""One way to an outcome, told so that each step can be followed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from verifier.explaining.futures import Futures, places
from verifier.explaining.reasons import Place, Reason, Reasons, place_of, reasons
from verifier.explaining.showing import Shown
from verifier.outcomes import ENDLESS
from verifier.stepwise import LOOK, STEP, Dependency, Part, parts_at, steps_at

if TYPE_CHECKING:
    from verifier.graph import Graph, Result, Step
    from verifier.state import State


@dataclass(frozen=True)
class Alternative:
    """What can be chosen at a choice, and which outcomes are possible after it.

    Attributes
    ----------
    label
        What is chosen, as a term.
    copies
        In how many interchangeable ways.
    outcomes
        The numbers of the outcomes that are still possible then, from 1; none if this is not
        known, as the step lies between states or the exploration was cut short.
    """

    label: str
    copies: int
    outcomes: tuple[int, ...]


@dataclass(frozen=True)
class Layer:
    """What a step does to what objects are.

    Attributes
    ----------
    number
        In which layer; empty where powers are measured.
    effect
        The effect that is applied.
    waiting
        The effects that wait for it, and why; those of a loop do not wait.
    loop
        Whether it is in a loop of dependencies.
    changes
        Each thing that it changes, what that is before and what afterwards.
    parts
        What makes up the powers and toughnesses that are measured.
    """

    number: str
    effect: str = ""
    waiting: tuple[Dependency, ...] = ()
    loop: bool = False
    changes: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = ()
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True)
class Told:
    """One step of a walkthrough.

    Attributes
    ----------
    step
        The step itself.
    because
        Why the effects apply that can be applied to the event here.
    withheld
        Why others that speak of such events cannot be applied.
    decides
        The subrule by which the player chooses who does.
    alternatives
        What can be chosen here; one if nothing else can.
    layer
        What one effect changes, if the step applies one; what makes up powers, if it measures.
    """

    step: Step
    because: tuple[Reason, ...] = ()
    withheld: tuple[Reason, ...] = ()
    decides: str | None = None
    alternatives: tuple[Alternative, ...] = ()
    layer: Layer | None = None

    @property
    def separates(self) -> bool:
        """Whether the outcomes that are possible differ after what can be chosen here."""
        return len({alternative.outcomes for alternative in self.alternatives}) > 1

    @property
    def says_something(self) -> bool:
        """Whether something is chosen, or there is a subrule or reason behind the step."""
        return bool(
            self.step.player or self.step.rules or self.because or self.withheld or self.layer
        )


@dataclass(frozen=True)
class Walkthrough(Shown):
    """A way to an outcome, told step by step.

    Attributes
    ----------
    graph
        What was explored.
    number
        The number of the outcome, from 1.
    result
        The outcome.
    steps
        Every step of a shortest way there; of a loop, to where it begins.
    again
        The steps of one round of a loop.
    """

    graph: Graph = field(repr=False)
    number: int
    result: Result
    steps: tuple[Told, ...]
    again: tuple[Told, ...] = ()

    def __repr__(self) -> str:
        return f"<Walkthrough to outcome {self.number}: {len(self.steps)} steps>"

    def lines(self) -> Iterator[str]:
        """The way as text, to be read out."""
        from verifier.explaining.telling import way_lines

        return way_lines(self.graph, self)

    def to_dict(self) -> dict[str, Any]:
        """The way as in ``--output json``."""
        from verifier.explaining.telling import walk_dict

        return walk_dict(self)

    @property
    def separating(self) -> Told | None:
        """The first choice after which the possible outcomes differ."""
        return next((told for told in self.steps if told.separates), None)

    @property
    def shown(self) -> list[Told]:
        """The steps that say something."""
        return [told for told in (*self.steps, *self.again) if told.says_something]


class Teller:
    """Tells ways of one graph.

    Parameters
    ----------
    graph
        What was explored.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._nodes: dict[int, dict[str, int]] = {}

    @cached_property
    def _futures(self) -> Futures:
        return Futures(self._graph)

    def tell(self, numbers: list[int]) -> list[Walkthrough]:
        """Walkthroughs of the outcomes with these numbers, from 1."""
        graph = self._graph
        ways = {n: self._traced(n) for n in numbers}
        nodes = [(state, step.node) for way in ways.values() for _, state, step in way]
        found = reasons(graph, nodes)
        layers = self._layers([step for way in ways.values() for step in way])
        told = []
        for number, way in ways.items():
            result = graph.outcomes[number - 1]
            steps = [self._told(place, state, step, found) for place, state, step in way]
            steps = [
                replace(told_step, layer=layers.get((state, told_step.step.label)))
                for told_step, (_, state, _) in zip(steps, way, strict=True)
            ]
            again: list[Told] = []
            if result.outcome == ENDLESS:
                steps = [Told(step) for step in graph.explain(result)]
                again = [Told(step) for step in graph.loop]
            told.append(Walkthrough(graph, number, result, tuple(steps), tuple(again)))
        return told

    def _traced(self, number: int) -> list[tuple[int | None, State, Step]]:
        result = self._graph.outcomes[number - 1]
        if result.outcome == ENDLESS:
            return []
        return self._graph.trace(self._graph.nearest_end(number))

    def _layers(self, way: list[tuple[int | None, State, Step]]) -> dict[tuple[State, str], Layer]:
        """What is told of the steps that make up what objects are."""
        found: dict[tuple[State, str], Layer] = {}
        applying = {
            (state, step.label): step.label[6:-1]
            for _, state, step in way
            if step.item == STEP and step.label.startswith("apply(")
        }
        told = steps_at(self._graph, [state for state, _ in applying])
        for (key, effect), at in zip(applying.items(), told, strict=True):
            waiting = tuple(
                d for d in at.dependencies
                if d.on == effect and not (effect in at.loops and d.effect in at.loops)
            )  # fmt: skip
            changes = tuple(
                (thing, tuple(at.before.get(thing, ())), tuple(words))
                for thing, words in at.after(effect).items()
            )
            found[key] = Layer(at.layer, effect, waiting, effect in at.loops, changes)
        for _, state, step in way:
            if step.item == LOOK:
                parts = tuple(parts_at(self._graph, state))
                if any(part.layer for part in parts):
                    found[state, step.label] = Layer("", parts=parts)
        return found

    def _told(
        self,
        number: int | None,
        state: State,
        step: Step,
        found: Mapping[Place, Reasons],
    ) -> Told:
        answer = self._graph.known(state)[1].answer
        masks = {} if number is None or not self._graph.exhausted else self._at(number)
        alternatives = tuple(
            Alternative(answer.label(edge), edge.copies, places(masks.get(edge.target, 0)))
            for edge in sorted(answer.edges[step.node], key=answer.label)
        )
        about = found.get(place_of(self._graph, state, step.node), Reasons())
        decides = about.decides if step.player else None
        return Told(step, tuple(about.because), tuple(about.withheld), decides, alternatives)

    def _at(self, number: int) -> dict[str, int]:
        if number not in self._nodes:
            self._nodes[number] = self._futures.nodes(number)
        return self._nodes[number]
