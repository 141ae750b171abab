"""The whole explanation of a result: what `Graph.explanation` gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from verifier.claims import describe
from verifier.errors import NoSuchOutcomeError
from verifier.explaining.agreeing import Agreement, agreement
from verifier.explaining.pattern import check, numbered
from verifier.explaining.showing import Shown
from verifier.explaining.walkthrough import Teller, Walkthrough
from verifier.graph import Graph, Result

if TYPE_CHECKING:
    from verifier.outcomes import Outcome


@dataclass(frozen=True)
class Explanation(Shown):
    """How the outcomes of a scenario come about.

    Attributes
    ----------
    graph
        What was explored.
    walkthroughs
        A way to each outcome, or to those that were wanted.
    agreement
        If the outcome is unique although there are choices: why all orders agree.
    """

    graph: Graph
    walkthroughs: tuple[Walkthrough, ...]
    agreement: Agreement | None = None

    def __repr__(self) -> str:
        return f"<Explanation of {self.graph.scenario.name}: {len(self.walkthroughs)} ways>"

    def lines(self) -> Iterator[str]:
        """The explanation as text, to be read out."""
        from verifier.explaining.telling import explanation_lines

        return explanation_lines(self)

    def to_dict(self) -> dict[str, Any]:
        """The explanation as in ``--output json``."""
        from verifier.explaining.telling import explanation_dict

        return explanation_dict(self)


def explained(graph: Graph, numbers: Sequence[int] | None = None) -> Explanation:
    """Explain outcomes by their numbers, from 1; all of them unless told which."""
    wanted = range(1, len(graph.outcomes) + 1) if numbers is None else numbers
    told = Teller(graph).tell(list(wanted))
    why = agreement(graph) if graph.verdict == "unique" else None
    return Explanation(graph, tuple(told), why)


def meant(graph: Graph, outcome: Outcome | Result | int) -> Outcome:
    """The outcome that is meant by one, its number, or a pattern; patterns are checked."""
    if isinstance(outcome, int):
        return numbered(graph, outcome)
    wanted = outcome.outcome if isinstance(outcome, Result) else outcome
    if not any(result.outcome == wanted for result in graph.outcomes):
        check(graph, wanted)
    return wanted


def why(graph: Graph, outcome: Outcome | Result | int) -> Walkthrough:
    """A shortest way to an outcome (see `Graph.why`)."""
    wanted = meant(graph, outcome)
    found = nearest(graph, wanted)
    if found is None:
        raise NoSuchOutcomeError(f"not among the outcomes: {describe(wanted)}")
    return found


def nearest(graph: Graph, wanted: Outcome) -> Walkthrough | None:
    """A shortest way to an outcome like a pattern, if there is one."""
    found = graph.like(wanted)
    return Teller(graph).tell([min(found, key=graph.distance)])[0] if found else None
