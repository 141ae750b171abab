"""Triggers, turns and control for a time against a naive reference, on random timelines."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from boards import NAMES, to_yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracle.time import Artifact, End, Table, Trigger, ends
from test_against_oracle import EXAMPLES, LONG

from verifier import Graph, Scenario, explore

_SETTINGS = settings(
    max_examples=max(EXAMPLES // 3, 1),
    deadline=None,
    derandomize=not LONG,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


# --- Triggers at the same time ----------------------------------------------------------------

_KINDS = [
    Trigger(what, number)
    for what, numbers in {
        "gain": (1, 3), "lose": (1, 2), "drain": (1, 2), "burden": (1,), "draw": (1, 2),
    }.items()
    for number in numbers
]  # fmt: skip
_INSTRUCTIONS = {
    "gain": "you, gain_life",
    "lose": "you, lose_life",
    "drain": "each_opponent, lose_life",
    "burden": "each_player, lose_life",
    "draw": "you, draw",
}


def _name(trigger: Trigger) -> str:
    return f"{trigger.what}_{trigger.number}"


@pytest.fixture(scope="module")
def bells(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a card for each kind of trigger, at the beginning of each upkeep."""
    folder = tmp_path_factory.mktemp("bells")
    for kind in _KINDS:
        card = _name(kind)
        text = [
            f"% {card}: at each upkeep.",
            f'name({card}, "{card}").',
            f"type({card}, enchantment).",
            f"trigger({card}, 1, at(upkeep), any_player).",
            f"effect_step({card}, 1, 1, {_INSTRUCTIONS[kind.what]}({kind.number})).",
        ]
        (folder / f"{card}.lp").write_text("\n".join(text) + "\n", encoding="utf-8")
    return folder


Triggers = list[list[Trigger]]


def _upkeep(life: list[int], library: list[int], triggers: Triggers, folder: Path) -> Graph:
    names = NAMES[: len(life)]
    data = {
        "players": list(names),
        "battlefield": [
            {"card": _name(trigger), "controller": name}
            for name, own in zip(names, triggers, strict=True)
            for trigger in own
        ],
        "state": {
            name: {"life": number, "library": cards}
            for name, number, cards in zip(names, life, library, strict=True)
        },
        "timeline": [{"begin": "upkeep"}],
        "ask": ["life", "drawn", "lost"],
    }
    return explore(Scenario.from_text(to_yaml(data), cards=folder))


def _found(graph: Graph, players: int) -> Counter[End]:
    found: Counter[End] = Counter()
    for result in graph.outcomes:
        rows: Any = result.outcome
        assert result.orders is not None
        end = tuple(
            (
                rows.get("life", {}).get(name, 0),
                rows.get("drawn", {}).get(name, 0),
                rows.get("lost", {}).get(name, False),
            )
            for name in NAMES[:players]
        )
        assert end not in found
        found[end] = result.orders
    return found


@st.composite
def upkeeps(draw: st.DrawFn) -> tuple[list[int], list[int], Triggers]:
    """Two or three players with up to five triggers in all, little life, few cards."""
    players = draw(st.integers(2, 3))
    each = st.lists(st.sampled_from(_KINDS), max_size=3)
    triggers = draw(st.lists(each, min_size=players, max_size=players))
    numbers = st.lists(st.integers(1, 4), min_size=players, max_size=players)
    cards = st.lists(st.integers(0, 3), min_size=players, max_size=players)
    return draw(numbers), draw(cards), triggers


@given(upkeeps())
@_SETTINGS
def test_all_orders_of_triggers(bells: Path, upkeep: tuple[list[int], list[int], Triggers]) -> None:
    life, library, triggers = upkeep
    graph = _upkeep(life, library, triggers, bells)
    assert graph.exhausted
    assert _found(graph, len(life)) == ends(life, library, triggers)


# --- Who controls what ------------------------------------------------------------------------

#: What happens: ("turn", seat), ("tap", artifact) or ("leave", seat).
Deed = tuple[str, int]


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[int], list[int], list[Deed]]:
    """Treasure Nabbers of each player, owners of artifacts, and what happens."""
    players = draw(st.integers(2, 4))
    takers = draw(st.lists(st.integers(0, 2), min_size=players, max_size=players))
    seats = st.integers(0, players - 1)
    owners = draw(st.lists(seats, min_size=1, max_size=2))
    deeds = st.one_of(
        st.tuples(st.just("tap"), st.integers(0, len(owners) - 1)),
        st.just(("turn", 0)),
        st.tuples(st.just("leave"), seats),
    )
    return takers, owners, draw(st.lists(deeds, min_size=1, max_size=10))


def _possible(table: Table, deed: Deed) -> bool:
    """Whether something can be done; nobody leaves if only one would be left."""
    what, number = deed
    if what == "tap":
        thing = table.artifacts[number]
        return not thing.tapped and not thing.gone
    if what == "leave":
        return number not in table.out and len(table.out) < len(table.takers) - 2
    return True


def _do(table: Table, deed: Deed) -> dict[str, Any]:
    """Do it, and say so in an entry of a timeline."""
    what, number = deed
    if what == "tap":
        thing = table.artifacts[number]
        player = NAMES[thing.controller]
        table.tap(thing)
        return {"tap_for_mana": {"player": player, "object": f"ring_{number}"}}
    if what == "leave":
        table.leave(number)
        return {"leave": NAMES[number]}
    table.next_turn()
    return {"advance": {"player": NAMES[table.active], "step": "precombat_main"}}


@given(tables())
@_SETTINGS
def test_control_turn_by_turn(case: tuple[list[int], list[int], list[Deed]]) -> None:
    takers, owners, deeds = case
    table = Table(takers, [Artifact(owner) for owner in owners])
    timeline: list[dict[str, Any]] = []
    expected: dict[str, list[tuple[int | None, bool]]] = {}
    for deed in deeds:
        if _possible(table, deed):
            timeline.append(_do(table, deed))
            expected[f"c{len(expected)}"] = table.shown()
            timeline.append({"observe": f"c{len(expected) - 1}"})
    timeline.append({"observe": "last"})
    expected["last"] = table.shown()
    data = {
        "players": list(NAMES[: len(takers)]),
        "battlefield": [
            {"card": "Sol Ring", "controller": NAMES[owner], "id": f"ring_{number}"}
            for number, owner in enumerate(owners)
        ]
        + [
            {"card": "Treasure Nabber", "controller": NAMES[seat], "count": number}
            for seat, number in enumerate(takers)
            if number
        ],
        "timeline": timeline,
        "ask": ["controller", "tapped"],
    }
    graph = explore(Scenario.from_text(to_yaml(data)))
    (result,) = graph.outcomes
    assert result.orders == table.orders
    for name, rings in expected.items():
        rows: Any = result.outcome["at"][name]
        found = []
        for number in range(len(owners)):
            who = rows.get("controller", {}).get(f"ring_{number}")
            tapped = rows.get("tapped", {}).get(f"ring_{number}", False)
            # (What left the game is remembered as it was.)
            found.append((who, tapped and who is not None))
        assert found == [(None if c is None else NAMES[c], tapped) for c, tapped in rings], name
