"""Damage, life, counters and tokens: the engine against plain recursion, on random boards."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import pytest
from boards import NAMES, graph_of, to_yaml
from hypothesis import HealthCheck, currently_in_test_context, given, note, settings
from hypothesis import strategies as st
from oracle.events import (
    CREATURES,
    Board,
    Event,
    Outcome,
    Permanent,
    Source,
    count_orders,
    kept,
)

LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"
EXAMPLES = int(os.environ.get("ORACLE_EXAMPLES", "2000" if LONG else "50"))

_SETTINGS = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=not LONG,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

TOKENS = ("soldier", "squirrel", "angel", "clue", "food", "treasure")
#: More life than anything here takes away.
LIFE = 100_000
#: How much damage a Lightning Bolt deals.
BOLT = 3


def scenario_of(board: Board) -> dict[str, Any]:
    """The board as the content of a scenario file."""
    names = NAMES[: board.players]
    event = board.event
    data: dict[str, Any] = {
        "title": "One event on a board that was made at random",
        "players": list(names),
        "turn": {"active": names[board.active]},
        "battlefield": [
            {"card": p.card, "controller": names[p.controller], "id": f"p{100 + place}"}
            for place, p in enumerate(board.permanents)
        ],
        "state": {name: {"life": LIFE} for name in names},
    }
    return data | _happening(board, event, names)


def _happening(board: Board, event: Event, names: tuple[str, ...]) -> dict[str, Any]:
    to = names[event.to] if event.to < 100 else f"p{event.to}"
    you = names[event.source.controller] if event.source else names[board.active]
    match event.verb:
        case "tokens":
            ((kind, number),) = event.bag
            creation: dict[str, Any] = {"player": to, "does": [{"create": [kind, number]}]}
            if kind == "soldier":
                creation = {"player": to, "card": "Raise the Alarm"}
            return {
                "timeline": [{"resolve": creation}],
                "ask": [kind for kind in TOKENS if kind in _made(board)],
            }
        case "damage" if event.source and event.source.spell:
            card = "Lightning Bolt" if event.number == BOLT else "Lava Axe"
            cast = {"player": you, "object": "spell", "targets": [to], "by_permission": True}
            spell = {"card": card, "id": "spell"}
            return {
                "state": {
                    name: {"life": LIFE} | ({"hand": [spell]} if name == you else {})
                    for name in names
                },
                "timeline": [{"cast": cast | {"free": True}}],
                "ask": ["damage", "life", "drawn"],
            }
        case "damage":
            steps = [{"damage": event.number, "who": to}]
            return {
                "timeline": [{"resolve": {"player": you, "does": steps}}],
                "ask": ["damage", "life", "drawn"],
            }
        case "counters":
            steps = [{"put_counters_on": [to, event.counter, event.number]}]
            return {
                "timeline": [{"resolve": {"player": you, "does": steps}}],
                "ask": ["counters"],
            }
        case "gain" | "lose":
            steps = [{f"{event.verb}_life": event.number}]
            return {
                "timeline": [{"resolve": {"player": to, "does": steps}}],
                "ask": ["life"],
            }
    raise AssertionError(event)


def _made(board: Board) -> set[str]:
    """The kinds of tokens that something on the board can make."""
    made = {kind for kind, _ in board.event.bag}
    cards = {permanent.card for permanent in board.permanents}
    if "Academy Manufactor" in cards:
        made |= {"clue", "food", "treasure"}
    extra = {"Chatterfang, Squirrel General": "squirrel", "Divine Visitation": "angel",
             "Xorn": "treasure"}  # fmt: skip
    return made | {kind for card, kind in extra.items() if card in cards}


def expected(board: Board) -> Counter[frozenset[tuple[str, str, int]]]:
    """The oracle's outcomes in the engine's words; what is 0 is left out."""
    found: Counter[frozenset[tuple[str, str, int]]] = Counter()
    for outcome, orders in count_orders(board).items():
        found[frozenset(_shown(board, outcome))] += orders
    return found


def _shown(board: Board, outcome: Outcome) -> set[tuple[str, str, int]]:
    shown = {
        (ASKED.get(name, name), NAMES[to] if to < 100 else f"p{to}", number)
        for (name, to), number in outcome
        if number and name != "life" and (name not in COUNTERS or board.event.verb != "damage")
    }
    if board.event.verb in ("gain", "lose", "damage"):
        change = dict(outcome)
        for seat in range(board.players):
            shown.add(("life", NAMES[seat], LIFE + change.get(("life", seat), 0)))
    return shown


def found(data: dict[str, Any]) -> Counter[frozenset[tuple[str, str, int]]]:
    """The engine's outcomes."""
    graph = graph_of(data)
    assert graph.exhausted
    outcomes: Counter[frozenset[tuple[str, str, int]]] = Counter()
    for result in graph.outcomes:
        assert result.orders is not None
        shown = {
            (name, str(key), int(value))
            for name, row in result.outcome.items()
            for key, value in row.items()
            if value
        }
        outcomes[frozenset(shown)] += result.orders
    return outcomes


#: Not asked where damage is dealt: what dies has none any more.
COUNTERS = ("plus_one", "minus_one")
#: Observables that have another name in the oracle.
ASKED = {"damaged": "damage", "plus_one": "counters", "charge": "counters"}


def compare(board: Board) -> None:
    """Equal outcomes, and equally many orders to each."""
    data = scenario_of(board)
    if currently_in_test_context():
        note(to_yaml(data))
    assert found(data) == expected(board)


#: What can apply to which kind of event.
POOLS: dict[str, tuple[str, ...]] = {
    "tokens": ("Doubling Season", "Parallel Lives", "Chatterfang, Squirrel General",
               "Divine Visitation", "Xorn", "Academy Manufactor"),
    "gain": ("Boon Reflection", "Rhox Faithmender", "Alhammarret's Archive",
             "Angel of Vitality", "Tainted Remedy", "Bloodletter of Aclazotz"),
}  # fmt: skip
POOLS["damage"] = (
    "Furnace of Rath", "Torbran, Thane of Red Fell", "Embermaw Hellion", "Fiery Emancipation",
    "Benevolent Unicorn", "Divine Presence", "Urza's Armor", "Gisela, Blade of Goldnight",
    "Palisade Giant", "Purity", "Swans of Bryn Argoll", "Vigor", "Soul-Scar Mage",
)  # fmt: skip
POOLS["counters"] = (
    "Hardened Scales", "Branching Evolution", "Winding Constrictor", "Vizier of Remedies",
    "Vorinclex, Monstrous Raider", "Doubling Season",
)  # fmt: skip
POOLS["lose"] = POOLS["gain"]


@st.composite
def damage(draw: st.DrawFn, players: int, permanents: tuple[Permanent, ...]) -> Event:
    """Damage by a red spell to any target, or by nothing in particular to a player."""
    creatures = [100 + i for i, p in enumerate(permanents) if p.card in CREATURES]
    seat = draw(st.integers(0, players - 1))
    if draw(st.integers(0, 3)) == 0:
        number = draw(st.integers(1, 6))
        return Event("damage", draw(st.integers(0, players - 1)), number, Source(seat, "", False))
    to = draw(st.sampled_from([*range(players), *creatures]))
    number = draw(st.sampled_from([BOLT, 5])) if to < 100 else BOLT
    return Event("damage", to, number, Source(seat, "red"))


@st.composite
def boards(draw: st.DrawFn, verb: str, most: int = 4) -> Board:
    """A board of the cards that matter for one kind of event."""
    players = draw(st.integers(2, 3))
    seats = st.integers(0, players - 1)
    cards = st.builds(Permanent, st.sampled_from(POOLS[verb]), seats)
    permanents = kept(draw(st.lists(cards, max_size=most)))
    number = draw(st.integers(1, 4))
    to = draw(seats)
    kind = draw(st.sampled_from(["soldier", "clue", "treasure"]))
    bag = ((kind, 2 if kind == "soldier" else number),)
    event = Event(verb, to, number) if verb != "tokens" else Event(verb, to, 0, bag=bag)
    if verb == "damage":
        event = draw(damage(players, permanents))
    if verb == "counters":
        permanents = (*permanents, Permanent("Grizzly Bears", to))
        word = draw(st.sampled_from(["plus_one", "charge"]))
        source = Source(draw(seats), "", False)
        event = Event(verb, 99 + len(permanents), number, source, counter=word)
    return Board(players, permanents, event, draw(seats))


@pytest.mark.parametrize("verb", sorted(POOLS))
def test_engine_and_oracle_agree(verb: str) -> None:
    @given(boards(verb))
    @_SETTINGS
    def agree(board: Board) -> None:
        compare(board)

    agree()
