"""Outcomes as a pandas data frame."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from verifier.outcomes import ENDLESS, Outcome, parts

if TYPE_CHECKING:
    import pandas as pd

    from verifier.graph import Graph

#: What is left out of an outcome because nothing happened, by what the others show.
EMPTY = {bool: False, int: 0, str: "", list: [], tuple: ()}


def frame(graph: Graph) -> pd.DataFrame:
    """The outcomes as rows (see `verifier.graph.Graph.to_dataframe`)."""
    try:
        import pandas
    except ImportError as missing:
        raise ImportError(
            "data frames need pandas: pip install 'ruling-verifier[notebook]'"
        ) from missing
    lines = [dict(_cells(result.outcome)) for result in graph.outcomes]
    endless = dict(_cells(ENDLESS))
    places = {place: number for number, place in enumerate(graph.scenario.checkpoints)}
    names = sorted(
        {name for line in lines for name in line},
        key=lambda name: (places.get(name[0], len(places)), name),
    )
    columns: dict[str, pd.Series[Any]] = {}
    index = pandas.RangeIndex(1, len(lines) + 1, name="outcome")
    for name in names:
        seen = next(line[name] for line in lines if name in line)
        left_out = EMPTY[type(seen)]
        values = [line.get(name, pandas.NA if line == endless else left_out) for line in lines]
        place, *rest = name
        heading = ".".join(["at", place, *rest] if place else rest)
        columns[heading] = pandas.Series(values, index)
    orders = [result.orders for result in graph.outcomes]
    columns["orders"] = pandas.Series(orders, index, object if None in orders else None)
    return pandas.DataFrame(columns, index=index)


def _cells(outcome: Outcome) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Each value with the checkpoint (empty at the end), the observable and what it is of."""
    for place, rows in parts(outcome):
        for name, row in rows.items():
            for key, value in row.items():
                if isinstance(value, dict):
                    yield from (((place, name, key, what), n) for what, n in value.items())
                else:
                    yield (place, name, key), value
