"""Paying and making mana against a naive search, on random costs and boards."""

from __future__ import annotations

from typing import Any

from boards import graph_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracle.payments import (
    HELPERS,
    SOURCES,
    SYMBOLS,
    TYPES,
    Helper,
    Permanent,
    options,
    payments,
    pool_of,
)
from test_against_oracle import EXAMPLES, LONG

_SETTINGS = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=not LONG,
    suppress_health_check=[HealthCheck.too_slow],
)


def _scenario(**parts: Any) -> dict[str, Any]:
    return {"title": "random", "source": "random", "players": ["alice", "bob"], **parts}


@_SETTINGS
@given(
    pool=st.dictionaries(st.sampled_from(TYPES), st.integers(1, 2), min_size=1, max_size=3),
    life=st.sampled_from([1, 2, 3, 5, 20]),
    symbols=st.lists(st.sampled_from(SYMBOLS), min_size=1, max_size=4),
    helpers=st.lists(st.sampled_from(HELPERS), max_size=2, unique=True),
)
def test_payments(
    pool: dict[str, int], life: int, symbols: list[str], helpers: list[Helper]
) -> None:
    pay: dict[str, Any] = {
        "player": "alice",
        "mana": "".join(f"{{{symbol}}}" for symbol in symbols),
    }
    for number, helper in enumerate(helpers):
        pay.setdefault(helper.how, []).append(f"helper_{number}")
    data = _scenario(
        battlefield=[
            {"card": helper.card, "controller": "alice", "id": f"helper_{number}"}
            for number, helper in enumerate(helpers)
        ]
        # A player at 0 life who lost would have no mana any more.
        + [{"card": "Platinum Angel", "controller": "alice"}],
        state={"alice": {"life": life, "mana": pool}},
        timeline=[{"attempt": {"pay": pay}}],
        ask=["mana", "life", "illegal"],
    )
    shown: list[dict[str, Any]] = [result.outcome for result in graph_of(data).outcomes]
    found = {
        (pool_of(row.get("mana", {}).get("alice", {})), row.get("life", {}).get("alice", 0))
        for row in shown
        if "illegal" not in row
    }
    assert found == payments(pool, life, symbols, helpers)
    assert bool(found) != any("illegal" in row for row in shown)


@_SETTINGS
@given(
    permanents=st.lists(
        st.builds(Permanent, st.sampled_from(sorted(SOURCES)), st.booleans()),
        min_size=2,
        max_size=5,
    ),
    life=st.sampled_from([1, 20]),
    flare=st.booleans(),
)
def test_options(permanents: list[Permanent], life: int, flare: bool) -> None:
    battlefield: list[dict[str, Any]] = [
        {"card": one.card, "controller": "alice", "summoning_sick": one.sick} for one in permanents
    ]
    if flare:
        battlefield.append({"card": "Mana Flare", "controller": "bob"})
    data = _scenario(
        battlefield=battlefield,
        state={"alice": {"life": life}},
        timeline=[{"check": "state_based_actions"}],
        ask=["mana_options"],
    )
    (result,) = graph_of(data).outcomes
    shown: dict[str, Any] = result.outcome
    found = shown.get("mana_options", {}).get("alice", [])
    assert sorted(map(pool_of, found)) == options(permanents, life, flare=flare)
