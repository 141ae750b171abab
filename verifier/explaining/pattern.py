"""Outcomes that a user names: by their number, or by what they show.

A pattern is checked just as a claim of the scenario file would be.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from verifier import vocabulary
from verifier.errors import InputError, Position
from verifier.outcomes import ENDLESS, Outcome
from verifier.source import Source, parse_yaml
from verifier.terms import parse_term

if TYPE_CHECKING:
    from verifier.graph import Graph


def wanted(graph: Graph, text: str, option: str) -> Outcome:
    """The outcome that `text` names: what an outcome of this number shows, or a pattern.

    Parameters
    ----------
    graph
        The graph whose outcomes are meant.
    text
        YAML or JSON: ``2``, ``{drawn: {alice: 1}}``, ``{loop: {game: true}}``.
    option
        What to call it in messages: the option that it was given with.

    Raises
    ------
    InputError
        If there is no such outcome, or the pattern names what is not known or not asked for.
    """
    source = parse_yaml(text, option)
    if isinstance(source.data, int) and not isinstance(source.data, bool):
        return numbered(graph, source.data, source.at())
    if not isinstance(source.data, dict):
        raise InputError(
            f"an outcome is a number or a mapping, not `{text}`",
            position=source.at(),
            hint="{drawn: {alice: 1}}, or 2 for outcome 2",
        )
    check(graph, source.data, source)
    return source.data


def numbered(graph: Graph, number: int, position: Position | None = None) -> Outcome:
    """The outcome with a number, from 1."""
    found = len(graph.outcomes)
    if not 1 <= number <= found:
        raise InputError(
            f"there is no outcome {number}",
            position=position,
            hint=f"the outcomes are numbered 1 to {found}" if found else "there are none",
        )
    return graph.outcomes[number - 1].outcome


def check(graph: Graph, pattern: Outcome, source: Source | None = None) -> None:
    """Refuse a pattern that a claim could not have, with the place of the fault."""
    if pattern == ENDLESS:
        return
    scenario = graph.scenario
    file = source.file if source else "outcome"
    place = ("claim", "possible", 0)
    whole = Source(
        file,
        {**scenario.data, "claim": {"possible": [pattern]}},
        {(*place, *key): where for key, where in (source.positions if source else {}).items()},
        {(*place, *key): where for key, where in (source.keys if source else {}).items()},
        [(*place, *key) for key in source.fractions] if source else [],
    )
    asked = replace(scenario, source=whole, reading="")
    asked.check()
    static = vocabulary.Atoms(map(parse_term, graph.setup.static))
    vocabulary.check_words(asked, static, graph.setup.observables)
