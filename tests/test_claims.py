"""Claims: each kind holding, failing and undecided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from boards import to_yaml

from verifier import Graph, Scenario, explore
from verifier.claims import check_claim, describe

#: Alice draws a card: she, bob or carol may end up with it.
BOARD: dict[str, Any] = {
    "players": ["alice", "bob", "carol"],
    "battlefield": [
        {"card": "Notion Thief", "controller": player} for player in ("alice", "bob", "carol")
    ],
    "timeline": [{"resolve": {"player": "alice", "does": [{"draw": 1}]}}],
    "ask": ["drawn"],
}

#: Alice decides whether bob draws, then bob whether he gains life.
CHOICES: dict[str, Any] = {
    "players": ["alice", "bob"],
    "timeline": [
        {"resolve": {"player": "alice", "does": [{"may_have": ["bob", {"draw": 1}]}]}},
        {"resolve": {"player": "bob", "does": [{"may": {"gain_life": 1}}]}},
    ],
    "ask": ["drawn", "life_gained"],
}

ALICE, BOB, CAROL = ({"drawn": {player: 1}} for player in ("alice", "bob", "carol"))
NOBODY = {"drawn": {"alice": 0, "bob": 0, "carol": 0}}


def explored(board: dict[str, Any], claim: dict[str, Any], **limits: Any) -> Graph:
    return explore(Scenario.from_text(to_yaml(board | {"claim": claim})), **limits)


@dataclass
class Part:
    """A claim cut short: the outcomes found so far, and the scenario that claims."""

    scenario: Scenario
    outcomes: list[Any]
    exhausted: bool = False
    verdict: str = "undecided"
    orders_count: int | None = None


def cut_short(claim: dict[str, Any], *found: dict[str, Any]) -> Any:
    """What a run would show that a limit ended after these outcomes."""
    whole = explored(BOARD, claim)
    known = [r for r in whole.outcomes if r.outcome in found]
    assert len(known) == len(found)
    return Part(whole.scenario, known)


def test_the_board_has_three_outcomes() -> None:
    graph = explored(BOARD, {"unique": False})
    assert [r.outcome for r in graph.outcomes] == [ALICE, BOB, CAROL]
    assert [r.orders for r in graph.outcomes] == [2, 1, 1]


HOLDING: list[dict[str, Any]] = [
    {"unique": False},
    {"outcomes": [ALICE, BOB, CAROL]},
    {"outcomes": [CAROL, ALICE, BOB], "exactly": True},
    {"outcomes": [{"drawn": {"alice": 1, "bob": 0}}, BOB, CAROL]},
    {"possible": [CAROL]},
    {"possible": [BOB, CAROL], "exactly": True},
    {"never": [NOBODY, {"drawn": {"alice": 1, "bob": 1}}]},
    {"always": [{}]},
    {"never": [{"drawn": {}}]},
    {"can_force": {"player": "alice", "outcome": {}}},
    {"orders": 4},
    {"unique": False, "outcomes": [ALICE, BOB, CAROL], "never": [NOBODY], "orders": 4},
]


@pytest.mark.parametrize("claim", HOLDING, ids=str)
def test_holds(claim: dict[str, Any]) -> None:
    checked = check_claim(explored(BOARD, claim))
    assert (checked.holds, checked.failures, checked.open) == (True, [], [])


FAILING: list[tuple[dict[str, Any], list[str]]] = [
    ({"unique": True}, ["claimed unique, but there are 3 outcomes"]),
    ({"outcomes": [ALICE, BOB]}, ["not claimed, but possible: drawn: carol 1"]),
    (
        {"outcomes": [ALICE, BOB, CAROL, NOBODY]},
        ["claimed, but not possible: drawn: alice 0, bob 0, carol 0"],
    ),
    ({"possible": [BOB, NOBODY]}, ["claimed, but not possible: drawn: alice 0, bob 0, carol 0"]),
    ({"possible": [{"drawn": {}}]}, ["claimed, but not possible: drawn: nothing"]),
    ({"never": [BOB]}, ["claimed never, but possible: drawn: bob 1"]),
    (
        {"always": [ALICE]},
        [
            "claimed always drawn: alice 1, but possible: drawn: bob 1",
            "claimed always drawn: alice 1, but possible: drawn: carol 1",
        ],
    ),
    (
        {"can_force": {"player": "bob", "outcome": BOB}},
        ["bob cannot force drawn: bob 1"],
    ),
    ({"orders": 5}, ["claimed 5 orders, but there are 4"]),
    (
        {"unique": True, "never": [CAROL], "orders": 4},
        [
            "claimed unique, but there are 3 outcomes",
            "claimed never, but possible: drawn: carol 1",
        ],
    ),
]


@pytest.mark.parametrize(("claim", "failures"), FAILING, ids=str)
def test_fails(claim: dict[str, Any], failures: list[str]) -> None:
    checked = check_claim(explored(BOARD, claim))
    assert (checked.holds, checked.failures, checked.open) == (False, failures, [])


@pytest.mark.parametrize(
    "claim",
    [
        {"unique": True},
        {"unique": False},
        {"outcomes": [ALICE, BOB, CAROL]},
        {"possible": [ALICE]},
        {"never": [NOBODY]},
        {"always": [ALICE]},
        {"can_force": {"player": "alice", "outcome": ALICE}},
        {"orders": 4},
    ],
    ids=str,
)
def test_undecided_when_nothing_was_found(claim: dict[str, Any]) -> None:
    graph = explored(BOARD, claim, time_limit=0)
    assert graph.verdict == "undecided"
    checked = check_claim(graph)
    assert (checked.holds, checked.failures, checked.open) == (None, [], list(claim))
    assert checked.to_dict() == {"holds": None, "failures": []}


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ({"unique": True}, False),
        ({"unique": False}, True),
        ({"outcomes": [ALICE, BOB, CAROL]}, None),
        ({"outcomes": [ALICE, CAROL]}, False),
        ({"possible": [BOB]}, True),
        ({"possible": [CAROL]}, None),
        ({"never": [BOB]}, False),
        ({"never": [CAROL]}, None),
        ({"always": [ALICE]}, False),
        ({"always": [{"drawn": {"carol": 0}}]}, None),
        ({"orders": 4}, None),
    ],
    ids=str,
)
def test_what_some_outcomes_decide(claim: dict[str, Any], holds: bool | None) -> None:
    """Two of three outcomes refute what they refute and prove what they prove."""
    assert check_claim(cut_short(claim, ALICE, BOB)).holds is holds


def test_no_claim() -> None:
    checked = check_claim(explore(Scenario.from_text(to_yaml(BOARD))))
    assert not checked.made
    assert checked.holds is None


def test_unique() -> None:
    board = BOARD | {"battlefield": BOARD["battlefield"][:2], "players": ["alice", "bob"]}
    assert check_claim(explored(board, {"unique": True, "outcomes": [ALICE]})).holds
    failed = check_claim(explored(board, {"unique": False}))
    assert failed.failures == ["claimed not unique, but it is"]


def test_exactly_refuses_what_is_not_named() -> None:
    board = BOARD | {"ask": ["drawn", "hand"]}
    claim = {"outcomes": [ALICE, BOB, CAROL]}
    assert check_claim(explored(board, claim)).holds
    assert not check_claim(explored(board, claim | {"exactly": True})).holds
    whole = [{"drawn": {p: 1}, "hand": {p: 1}} for p in ("alice", "bob", "carol")]
    assert check_claim(explored(board, {"outcomes": whole, "exactly": True})).holds


@pytest.mark.parametrize(
    ("player", "outcome", "holds"),
    [
        ("alice", {"drawn": {"bob": 1}}, True),
        ("alice", {"drawn": {"bob": 0}}, True),
        ("bob", {"drawn": {"bob": 1}}, False),
        ("bob", {"life_gained": {"bob": 1}}, True),
        ("bob", {"life_gained": {"bob": 0}}, True),
        ("alice", {"life_gained": {"bob": 1}}, False),
        ("alice", {"drawn": {"bob": 1}, "life_gained": {"bob": 1}}, False),
        ("bob", {"drawn": {"bob": 1}, "life_gained": {"bob": 1}}, False),
    ],
)
def test_who_can_force_what(player: str, outcome: dict[str, Any], holds: bool) -> None:
    claim = {"can_force": {"player": player, "outcome": outcome}}
    assert check_claim(explored(CHOICES, claim)).holds is holds


@pytest.mark.parametrize(
    ("pattern", "holds"),
    [
        ({"in_hand": {"alice": ["forest_1"]}}, True),
        ({"in_hand": {"alice": ["island_1"]}}, False),
        ({"in_hand": {"alice": []}}, False),
        ({"in_graveyard": {"alice": []}}, True),
        ({"library_top": {"alice": ["island_1", "swamp_1"]}}, True),
        ({"library_top": {"alice": ["swamp_1", "island_1"]}}, False),
        ({"lost": {"alice": False}}, True),
        ({"lost": {"alice": True}}, False),
    ],
    ids=str,
)
def test_lists_and_flags(pattern: dict[str, Any], holds: bool) -> None:
    board = {
        "players": ["alice", "bob"],
        "state": {"alice": {"library": ["Forest", "Island", "Swamp"]}},
        "timeline": [{"resolve": {"player": "alice", "does": [{"draw": 1}]}}],
    }
    assert check_claim(explored(board, {"always": [pattern]})).holds is holds


@pytest.mark.parametrize(
    ("outcome", "text"),
    [
        ({}, "nothing"),
        ({"drawn": {}}, "drawn: nothing"),
        ({"drawn": {"alice": 1, "bob": 12345}}, "drawn: alice 1, bob 12,345"),
        ({"lost": {"bob": True}, "won": {"bob": False}}, "lost: bob yes; won: bob no"),
        ({"in_hand": {"alice": ["x", "y"]}}, "in_hand: alice [x, y]"),
    ],
)
def test_outcomes_in_words(outcome: dict[str, Any], text: str) -> None:
    assert describe(outcome) == text
