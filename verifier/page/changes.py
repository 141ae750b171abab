"""What the steps of a walkthrough change, of what the scenario asks for."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from verifier.claims import value_text
from verifier.outcomes import ENDLESS, Rows

if TYPE_CHECKING:
    from verifier.explaining.walkthrough import Walkthrough
    from verifier.graph import Graph
    from verifier.state import Values

ARROW = "\N{RIGHTWARDS ARROW}"


def changes(graph: Graph, walk: Walkthrough) -> list[list[str]]:
    """For each step of a walkthrough, what it changes, a phrase each.

    A state keeps what is asked for; the rest of it may be forgotten, so nothing is said of it.
    """
    if walk.result.outcome == ENDLESS:
        return [[] for _ in walk.steps]
    end = graph.nearest_end(walk.number)
    asks = (graph.scenario.ask, *graph.scenario.checkpoints.values())
    seen: dict[Values, Rows] = {}

    def shown(values: Values) -> Rows:
        if values not in seen:
            rows: Rows = {}
            for ask in asks:
                rows |= graph.setup.observables.rows(ask, graph.explorer.cells, values, {})
            seen[values] = rows
        return seen[values]

    places = [shown(state[0]) for _, state, _ in graph.trace(end)]
    places.append(shown(graph.run.states[end][0]))
    return [_differences(before, after) for before, after in pairwise(places)]


def _differences(before: Rows, after: Rows) -> list[str]:
    found = []
    for name in sorted({*before, *after}):
        old, new = before.get(name, {}), after.get(name, {})
        for key in sorted({*old, *new}):
            if old.get(key) != new.get(key):
                was, now = _said(old.get(key), new.get(key)), _said(new.get(key), old.get(key))
                found.append(f"{name.replace('_', ' ')} of {key}: {was} {ARROW} {now}")
    return found


def _said(value: Any, other: Any) -> str:
    """A value, or what stands for none of its kind."""
    if value is not None:
        return value_text(value)
    return "no" if isinstance(other, bool) else "0" if isinstance(other, int) else "none"
