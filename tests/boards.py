"""Boards for tests: what the oracle plays, and the scenario file that says the same."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from oracle import Board, Copy, Do, DrawStep, Outcome
from oracle.effects import EFFECTS
from oracle.world import SHOWN

from verifier import Graph, Scenario, explore

#: Seat names; in another order than that of the seats, so that neither order hides the other.
NAMES = ("carol", "alice", "dave", "bob", "erin", "frank", "grace", "heidi", "ivan", "judy",
         "kim", "leo")  # fmt: skip

#: Token kinds by the card that makes them: an outcome can record only what a card makes.
TOKENS = {"Hullbreacher": "treasure", "Words of Wilding": "bear"}


def floating(card: str) -> bool:
    """Whether a card stands for an effect that a resolved spell or ability has made."""
    return any(effect.floating for effect in EFFECTS.get(card, ()))


def scenario_data(board: Board, names: tuple[str, ...] = NAMES) -> dict[str, Any]:
    """A board as the content of a scenario file."""
    counted = {seat for seat, number in board.library.items() if number is not None}
    tokens = {TOKENS[copy.card] for copy in board.copies if copy.card in TOKENS}
    ask = [name for name in SHOWN if name not in TOKENS.values() and name != "library"]
    ask += [*sorted(tokens), "lost", "won", "game_drawn"]
    if counted:
        ask.append("library")
    data: dict[str, Any] = {
        "title": "A board that was made at random",
        "players": list(names[: board.players]),
        "turn": {"active": names[board.active], "step": board.step},
        "battlefield": [],
        "effects": [],
        "state": {},
        "timeline": [],
        "ask": ask,
    }
    for copy in board.copies:
        line = {"card": copy.card, "controller": names[copy.controller]}
        if copy.target is not None:
            line["target"] = names[copy.target]
        data["effects" if floating(copy.card) else "battlefield"].append(line)
    for seat in range(board.players):
        data["state"][names[seat]] = {
            "life": board.life.get(seat, 20),
            "hand": board.hand.get(seat, 0),
            "drawn_this_turn": board.drawn.get(seat, 0),
        }
        if seat in counted:
            data["state"][names[seat]]["library"] = board.library[seat]
    for entry in board.timeline:
        if isinstance(entry, DrawStep):
            data["timeline"].append({"begin": "draw"})
        else:
            you, instructions = entry
            does = [_instruction(do, names) for do in instructions]
            data["timeline"].append({"resolve": {"player": names[you], "does": does}})
    return data


def _instruction(do: Do, names: tuple[str, ...]) -> dict[str, int | str]:
    return {do.verb: do.number, "who": do.who if isinstance(do.who, str) else names[do.who]}


def to_yaml(data: dict[str, Any]) -> str:
    """A scenario file from its content, in the order of the content; JSON is YAML."""
    return json.dumps(data, indent=1)


def graph_of(data: dict[str, Any]) -> Graph:
    """What the engine makes of the content of a scenario file."""
    return explore(Scenario.from_text(to_yaml(data)))


#: Outcome as pairs ``((observable, player), value)`` -> number of orders.
Found = Counter[frozenset[tuple[tuple[str, str], Any]]]


def found_by_engine(data: dict[str, Any]) -> Found:
    """Outcome -> orders by the engine."""
    graph = graph_of(data)
    assert graph.exhausted
    found: Found = Counter()
    for result in graph.outcomes:
        assert result.orders is not None
        pairs = {
            ((name, key), int(value) if isinstance(value, int) else tuple(value))
            for name, row in result.outcome.items()
            for key, value in row.items()
        }
        assert frozenset(pairs) not in found, "an outcome is listed once"
        found[frozenset(pairs)] = result.orders
    assert graph.orders_count == sum(found.values())
    return found


def named(outcomes: Counter[Outcome], names: tuple[str, ...] = NAMES) -> Found:
    """The oracle's outcomes with the names of players instead of seats."""
    found: Found = Counter()
    for outcome, orders in outcomes.items():
        pairs = {
            ((name, "game" if seat < 0 else names[seat]), number)
            for (name, seat), number in outcome
        }
        found[frozenset(pairs)] = orders
    return found


def thieves(players: int, each: int, reflections: int, draws: int) -> Board:
    """Notion Thieves of every player, Thought Reflections of the first, who draws."""
    copies = [Copy("Notion Thief", seat) for seat in range(players) for _ in range(each)]
    copies += [Copy("Thought Reflection", 0)] * reflections
    return Board(players, tuple(copies), ((0, (Do("draw", draws, 0),)),))
