"""What ``verifier explain`` answers: text, a JSON document and an exit code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from verifier.explaining import pattern, preventing, telling, telling_why
from verifier.explaining.explanation import nearest
from verifier.report import Style, verdict_line

if TYPE_CHECKING:
    from verifier.graph import Graph

#: Exit codes: it was explained, it is the other way round, a limit was reached.
EXPLAINED, OTHERWISE, UNDECIDED = 0, 1, 3


@dataclass(frozen=True)
class Answered:
    """An answer: its lines in a style, its JSON document, its exit code."""

    lines: Callable[[Style], Iterator[str]]
    document: dict[str, Any]
    code: int


def everything(graph: Graph, number: int) -> Answered:
    """Explain so many outcomes; 0 for all."""
    found = len(graph.outcomes)
    explanation = graph.explanation(range(1, (min(number, found) if number else found) + 1))
    return Answered(
        lambda style: telling.explanation_lines(explanation, style),
        explanation.to_dict(),
        EXPLAINED if graph.exhausted else UNDECIDED,
    )


def player(graph: Graph, name: str) -> Answered:
    """What a player can force and prevent."""
    found = graph.forceable(name)
    return Answered(lambda style: telling.forceable_lines(found, style), found.to_dict(), EXPLAINED)


def why(graph: Graph, text: str) -> Answered:
    """A shortest way to an outcome."""
    wanted = pattern.wanted(graph, text, "--why")
    walk = nearest(graph, wanted)
    document = {
        **telling.head_dict(graph),
        "wanted": wanted,
        "way": None if walk is None else walk.to_dict(),
    }
    if walk is None:
        reason = "it is not possible; `--why-not` says what prevents it"
        if not graph.exhausted:
            reason = f"undecided: not found before the {graph.limit}"
        code = OTHERWISE if graph.exhausted else UNDECIDED
        return Answered(lambda _: iter([verdict_line(graph), reason]), document, code)
    return Answered(lambda style: telling.way_lines(graph, walk, style), document, EXPLAINED)


def why_not(
    graph: Graph,
    text: str,
    size: int,
    max_states: int,
    time_limit: float | None,
    poll: Callable[[int], None],
) -> Answered:
    """What prevents an outcome."""
    wanted = pattern.wanted(graph, text, "--why-not")
    found = preventing.why_not(
        graph,
        wanted,
        size=size,
        max_states=min(max_states, preventing.MOST_STATES),
        time_limit=time_limit,
        poll=poll,
    )
    code = EXPLAINED if found.decided else UNDECIDED
    if found.possible is not None:
        code = OTHERWISE
    return Answered(lambda style: telling_why.why_not_lines(found, style), found.to_dict(), code)
