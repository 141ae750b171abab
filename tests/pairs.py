"""Every two cards that can apply to one event: the engine and a naive reading of the files.

Run as ``python tests/pairs.py [-j N] [EVENT...]`` for the whole sweep; `test_pairs.py` takes a
part of it.  For each pair all ways are tried in which the cards can belong to the two players,
and what the event becomes in every order of application is compared, with the number of orders.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any, NamedTuple

from oracle.facts import (
    Effect,
    Event,
    Reading,
    State,
    Thing,
    UnreadError,
    effects_of,
    facts,
    words_of,
)

from verifier import Scenario, VerifierError
from verifier.engine import set_up
from verifier.explorer import Explorer, Limits
from verifier.resources import encodings
from verifier.state import EMPTY
from verifier.terms import Function, Term, exact_number, flatten, parse_term

SEATS = ("alice", "bob")
CARDS = encodings("cards")


class Happening(NamedTuple):
    """An event, as the engine and as the reading are asked about it.

    ``timeline`` is the entry whose first event it is; ``cause`` the card and the seat behind it.
    """

    event: Event
    timeline: dict[str, Any]
    cause: tuple[str, int] | None
    manners: tuple[str, ...] = ()


def _does(seat: int, *steps: Any) -> dict[str, Any]:
    return {"resolve": {"player": SEATS[seat], "does": list(steps)}}


#: What happens: to Bob, or to the Serra Angel that Bob controls.
HAPPENINGS = {
    "damage": Happening(
        Event("damage", 1, 3),
        {"resolve": {"player": "alice", "card": "Lightning Bolt", "target": "bob"}},
        ("lightning_bolt", 0),
        ("spell", "noncombat"),
    ),
    "more damage": Happening(
        Event("damage", 1, 5),
        {"resolve": {"player": "alice", "card": "Lava Axe", "target": "bob"}},
        ("lava_axe", 0),
        ("spell", "noncombat"),
    ),
    "gain_life": Happening(Event("gain_life", 1, 3), _does(1, {"gain_life": 3}), None),
    "lose_life": Happening(
        Event("lose_life", 1, 3), _does(1, {"lose_life": 3}), None, ("by_effect", "effect")
    ),
    "draw": Happening(Event("draw", 1, 1), _does(1, {"draw": 1}), None),
    "draw_several": Happening(Event("draw_several", 1, 3), _does(1, {"draw": 3}), None),
    "mill": Happening(Event("mill", 1, 3), _does(1, {"mill": 3}), None),
    "create": Happening(
        Event("create", 1, bag=(("soldier", 2),)),
        {"resolve": {"player": "bob", "card": "Raise the Alarm"}},
        None,
    ),
    "create treasure": Happening(
        Event("create", 1, bag=(("treasure", 2),)), _does(1, {"create": ["treasure", 2]}), None
    ),
    "counters": Happening(
        Event("counters", "wall", bag=(("plus_one", 2),)),
        _does(1, {"put_counters_on": ["wall", "plus_one", 2]}),
        None,
        ("effect",),
    ),
    "bad counters": Happening(
        Event("counters", "wall", bag=(("minus_one", 2),)),
        _does(0, {"put_counters_on": ["wall", "minus_one", 2]}),
        None,
        ("effect",),
    ),
}

#: Kinds of events that effects watch for, by the event that is tried.
WATCHED = {
    "damage": {"damage"},
    "gain_life": {"gain_life"},
    "lose_life": {"lose_life"},
    "draw": {"draw"},
    "draw_several": {"draw_several"},
    "mill": {"mill"},
    "create": {"create"},
    "counters": {"put_counters"},
}

TOKENS: dict[str, frozenset[Any]] = {
    "soldier": frozenset({"token", "permanent", "creature", "white", ("of", "soldier")}),
    "squirrel": frozenset({"token", "permanent", "creature", "green", ("of", "squirrel")}),
    "angel": frozenset({"token", "permanent", "creature", "white", ("of", "angel")}),
    "treasure": frozenset({"token", "permanent", "artifact", ("of", "treasure")}),
    "clue": frozenset({"token", "permanent", "artifact", ("of", "clue")}),
    "food": frozenset({"token", "permanent", "artifact", ("of", "food")}),
}


@cache
def candidates(name: str) -> tuple[Path, ...]:
    """The cards with an effect on such events."""
    kinds = WATCHED[HAPPENINGS[name].event.name]
    return tuple(
        path
        for path in sorted(CARDS.glob("*.lp"))
        if any(fact[0] == "would" and fact[3] in kinds for fact in facts(path))
        and not {"instant", "sorcery"} & words_of(path)
    )


@dataclass(frozen=True)
class Pair:
    """One comparison: an event, two cards, and who has them."""

    name: str
    cards: tuple[Path, Path]
    seats: tuple[int, int]


def pairs(names: Iterable[str] = HAPPENINGS) -> list[Pair]:
    """All comparisons about some events."""
    return [
        Pair(name, two, seats)
        for name in names
        for two in combinations_with_replacement(candidates(name), 2)
        for seats in product((0, 1), (0, 1))
        if two[0] != two[1] or seats[0] <= seats[1]
    ]


def reading(pair: Pair) -> Counter[State]:
    """What the naive reading gives; raises `UnreadError`."""
    happening = HAPPENINGS[pair.name]
    things = {"wall": Thing(words_of(CARDS / "serra_angel.lp"), 1, 1)}
    effects: list[Effect] = []
    files = {}
    for place, (path, seat) in enumerate(zip(pair.cards, pair.seats, strict=True)):
        things[f"p{place}"] = Thing(words_of(path), seat, seat)
        effects += effects_of(path, seat, f"p{place}")
        files[str(facts(path)[0][1])] = path
    cause = None
    if happening.cause:
        card, seat = happening.cause
        cause = Thing(words_of(CARDS / f"{card}.lp"), seat, seat)
    board = Reading(2, things, files, tuple(effects), cause, frozenset(happening.manners), TOKENS)
    if happening.event.name == "lose_life":
        board.cause = Thing(frozenset({"permanent"}), 1, 1)
    if happening.event.name == "counters":
        seat = SEATS.index(happening.timeline["resolve"]["player"])
        board.cause = Thing(frozenset({"permanent"}), seat, seat)
    return board.ends(happening.event)


# --- The engine ------------------------------------------------------------------------------


def scenario(pair: Pair) -> dict[str, Any]:
    """The same as the content of a scenario file."""
    names = [str(facts(path)[0][2]).strip('"') for path in pair.cards]
    return {
        "players": list(SEATS),
        "battlefield": [
            {"card": name, "controller": SEATS[seat], "id": f"p{place}"}
            for place, (name, seat) in enumerate(zip(names, pair.seats, strict=True))
        ]
        + [{"card": "Serra Angel", "controller": "bob", "id": "wall"}],
        "timeline": [HAPPENINGS[pair.name].timeline],
        "ask": ["life"],
    }


def engine(pair: Pair) -> Counter[State]:
    """What the engine's closure of the event ends with."""
    setup = set_up(Scenario.from_text(json.dumps(scenario(pair))))
    explorer = Explorer(setup.program, ())
    state = explorer.start(setup.fluents, setup.amounts, setup.agenda)
    # (What comes after the event may have no answer.)
    with suppress(VerifierError):
        explorer.run(state, Limits(1))
    while state[1] != EMPTY:
        number = explorer.agendas.parts[state[1]][0]
        known = explorer.known(number, state[0])
        if explorer.items[number].text.startswith("event("):
            found: Counter[State] = Counter()
            for leaf, orders in known.answer.orders().items():
                end = parse_term(leaf)
                assert isinstance(end, Function)
                found[_state(end.arguments[0])] += orders
            return found
        (transition,) = known.transitions
        state = explorer.apply(state, transition)
    raise AssertionError("no event comes up")


def _state(term: Term) -> State:
    riders: list[tuple[str, Any, int]] = []
    if isinstance(term, Function) and term.name == "also":
        for rider in reversed(flatten(term.arguments[1])):
            assert isinstance(rider, Function)
            if rider.name == "then":
                effect, _, number = rider.arguments
                assert isinstance(effect, Function)
                card, ability = effect.arguments[:2]
                riders.append((str(card), str(ability), exact_number(number)))
        term = term.arguments[0]
    return State(_event(term), tuple(riders))


def _event(term: Term) -> Event:
    if not isinstance(term, Function):
        return Event(str(term))
    arguments = term.arguments
    to: int | str = str(arguments[0])
    if to in SEATS:
        to = SEATS.index(to)
    match term.name, len(arguments):
        case "draw", 1:
            return Event("draw", to, 1)
        case "draw", 2:
            return Event("draw_several", to, exact_number(arguments[1]))
        case (("damage" | "gain_life" | "lose_life" | "mill"), _):
            return Event(term.name, to, exact_number(arguments[1]))
        case (("create" | "put_counters"), _):
            pairs = [p.arguments for p in flatten(arguments[1]) if isinstance(p, Function)]
            bag = tuple((str(kind), exact_number(number)) for kind, number in pairs)
            return Event("create" if term.name == "create" else "counters", to, bag=bag)
        case (("win_game" | "lose_game"), 1):
            return Event(term.name, to)
        case "steps", 3:
            effect, player, number = arguments
            assert isinstance(effect, Function)
            seat = SEATS.index(str(player))
            return Event("steps", seat, exact_number(number), place=str(effect.arguments[0]))
    return Event(term.name, to)


# --- The sweep -------------------------------------------------------------------------------


def compare(pair: Pair) -> str | None:
    """Nothing if both agree, what is not read as `unread: ...`, or else how they differ."""
    try:
        by_reading = reading(pair)
    except UnreadError as unread:
        return f"unread: {unread}"
    try:
        by_engine = engine(pair)
    except VerifierError as error:
        return f"{label(pair)}: {error}"
    if by_reading == by_engine:
        return None
    return f"{label(pair)}:\n  reading {dict(by_reading)}\n  engine  {dict(by_engine)}"


def label(pair: Pair) -> str:
    """What is compared, in a line."""
    cards = " and ".join(
        f"{path.stem} of {SEATS[seat]}" for path, seat in zip(pair.cards, pair.seats, strict=True)
    )
    return f"{pair.name}: {cards}"


def main() -> int:
    """The whole sweep: a line for each difference, and how many pairs agree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-j", type=int, default=2, help="processes")
    parser.add_argument("--every", type=int, default=1, help="only one pair in so many")
    parser.add_argument("events", nargs="*", default=list(HAPPENINGS))
    said = parser.parse_args()
    agree: Counter[str] = Counter()
    unread: Counter[str] = Counter()
    wrong = 0
    todo = pairs(said.events)[:: said.every]
    with ProcessPoolExecutor(said.j) as pool:
        for pair, result in zip(todo, pool.map(compare, todo, chunksize=20), strict=True):
            if result is None:
                agree[pair.name] += 1
            elif result.startswith("unread: "):
                unread[result] += 1
            else:
                wrong += 1
                print(result, flush=True)
    print(f"{agree.total():,} pairs agree: {dict(agree)}")
    print(f"{unread.total():,} are not read: {dict(unread)}")
    print(f"{wrong:,} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
