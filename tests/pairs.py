"""Every two cards that can apply to one event: the engine and a naive reading of the files.

Run as ``python tests/pairs.py [-j N] [--every N] [EVENT...]`` for the whole sweep; `test_pairs.py`
takes a part of it.  For each pair all ways are tried in which the cards can belong to the two
players, and what the event becomes in every order of application is compared, with the number of
orders.  Where an event can happen to a card with an effect on that (it dies, is discarded, enters),
it is tried with each card that watches from the battlefield; likewise the effects that resolved
spells and abilities have made.  Of these only pairs of which both can apply are compared.
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
    SEATS,
    Effect,
    Event,
    Reading,
    State,
    Thing,
    UnreadError,
    effects_of,
    facts,
    in_full,
    made_effects,
    own_effects,
    shields,
    words_of,
)

from verifier import Scenario, VerifierError
from verifier.engine import set_up
from verifier.explorer import Explorer, Limits
from verifier.resources import encodings
from verifier.state import EMPTY
from verifier.terms import Function, Term, exact_number, flatten, parse_term

CARDS = encodings("cards")


class Happening(NamedTuple):
    """An event, as the engine and as the reading are asked about it.

    ``timeline`` is the entry whose first event of the name it is; ``cause`` the card and the seat
    behind it; ``subject`` the card to which it happens, if it is the other of two cards that
    matter, and ``zone`` and ``owner`` say where that is and whose.
    """

    event: Event
    timeline: dict[str, Any]
    cause: tuple[str, int] | None
    manners: tuple[Any, ...] = ()
    kinds: frozenset[str] = frozenset()
    subject: str = "serra_angel"
    zone: str = "battlefield"
    owner: int = 1


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
    "damage to a creature": Happening(
        Event("damage", "wall", 3),
        {"resolve": {"player": "alice", "card": "Lightning Bolt", "target": "wall"}},
        ("lightning_bolt", 0),
        ("spell", "noncombat"),
        frozenset({"damage_permanent", "damage_creature"}),
    ),
    "more damage": Happening(
        Event("damage", 1, 5),
        {"resolve": {"player": "alice", "card": "Lava Axe", "target": "bob"}},
        ("lava_axe", 0),
        ("spell", "noncombat"),
    ),
    "gain_life": Happening(
        Event("gain_life", 1, 3), _does(1, {"gain_life": 3}), None, ("effect", "own_effect")
    ),
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

_DYING = frozenset({"dies", "leaves", "put_into_graveyard"})
_MOVED = Event("move", "wall", place="graveyard")
_PUT = {"enter": {"player": "bob", "objects": ["wall"]}}
_ENTERING = frozenset({"enters", "put_counters"})
HAPPENINGS |= {
    "dies": Happening(
        _MOVED,
        {"destroy": {"objects": ["wall"]}},
        None,
        ("card", "from_battlefield", "destroyed"),
        _DYING,
    ),
    "another's dies": Happening(
        _MOVED,
        {"destroy": {"objects": ["wall"]}},
        None,
        ("card", "from_battlefield", "destroyed"),
        _DYING,
        owner=0,
    ),
    "destroy": Happening(
        Event("destroy", "wall"),
        {"destroy": {"objects": ["wall"]}},
        None,
        ("regenerable", "by_effect"),
        frozenset({"destroy"}),
    ),
    "discard": Happening(
        _MOVED,
        _does(0, {"discard": 1, "who": "bob"}),
        ("", 0),
        ("card", "from_elsewhere", "discarded", "by_effect"),
        frozenset({"put_into_graveyard"}),
        zone="hand",
    ),
    "mill a card": Happening(
        _MOVED,
        _does(1, {"mill": 1}),
        None,
        ("card", "from_elsewhere", "from_library", "milled"),
        frozenset({"put_into_graveyard"}),
        zone="library",
    ),
    "enter": Happening(
        Event("enter", "wall", 1, how=("",)),
        _PUT,
        ("", 1),
        ("not_cast", ("from", "hand"), "effect"),
        _ENTERING,
        zone="hand",
    ),
    "a land enters": Happening(
        Event("enter", "wall", 1, how=("",)),
        _PUT,
        ("", 1),
        ("not_cast", ("from", "hand"), "effect"),
        _ENTERING,
        "forest",
        "hand",
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
    "map": frozenset({"token", "permanent", "artifact", ("of", "map")}),
    "blood": frozenset({"token", "permanent", "artifact", ("of", "blood")}),
}

#: What has been chosen for a permanent that needs it.
CHOSEN = {
    "color": "white",
    "creature_type": "angel",
    "basic_land_type": "plains",
    "opponent": "bob",
    "player": "bob",
}


def _watches(path: Path, effects: list[Effect], name: str) -> bool:
    kinds = HAPPENINGS[name].kinds or WATCHED[HAPPENINGS[name].event.name]
    numbers = {effect.number for effect in effects}
    return any(
        fact[0] == "would" and fact[2] in numbers and fact[3] in kinds
        for fact in (*facts(path), *in_full(path))
    )


@cache
def candidates(name: str) -> tuple[Path, ...]:
    """The cards with an effect on such events, from the battlefield."""
    return tuple(
        path
        for path in sorted(CARDS.glob("*.lp"))
        if not {"instant", "sorcery"} & words_of(path)
        and _watches(path, effects_of(path, 0, ""), name)
    )


@cache
def subjects(name: str) -> tuple[Path, ...]:
    """The cards with an effect on such events that happen to themselves."""
    if HAPPENINGS[name].event.name not in ("move", "enter", "destroy"):
        return ()
    found = [p for p in sorted(CARDS.glob("*.lp")) if _watches(p, own_effects(p, 0, ""), name)]
    land = name == "a land enters"
    if "destroy" in HAPPENINGS[name].timeline:
        found = [p for p in found if ("keyword", p.stem, "indestructible") not in facts(p)]
    return tuple(
        path
        for path in found
        if not {"instant", "sorcery"} & words_of(path)
        and (name not in ("enter", "a land enters") or ("land" in words_of(path)) == land)
    )


@cache
def makers(name: str) -> tuple[tuple[Path, int], ...]:
    """The cards that make effects on such events, and for whom that can matter."""
    found = []
    for path in sorted(CARDS.glob("*.lp")):
        if name in MADE and _watches(path, made_effects(path, 0), name):
            scopes = {f[3 + (f[0] == "would")] for f in facts(path) if f[0] == "would"}
            causes = {f[4] for f in facts(path) if f[0] == "caused_by"}
            found.append((path, 0 if "opponent" in scopes or "you" in causes else 1))
    return tuple(found)


#: Events for which effects of resolved spells and abilities are tried.
MADE = ("damage", "damage to a creature", "dies", "gain_life", "draw")


@dataclass(frozen=True)
class Pair:
    """One comparison: an event, two cards, and who has them.

    The event may happen to the first card (``own``); or its effects are those of a spell or
    ability that has resolved (``made``).
    """

    name: str
    cards: tuple[Path, Path]
    seats: tuple[int, int]
    own: bool = False
    made: bool = False


def pairs(names: Iterable[str] = HAPPENINGS) -> list[Pair]:
    """All comparisons about some events."""
    return (
        [
            Pair(name, two, seats)
            for name in names
            for two in combinations_with_replacement(candidates(name), 2)
            for seats in product((0, 1), (0, 1))
            if two[0] != two[1] or seats[0] <= seats[1]
            if not (HAPPENINGS[name].event.name == "enter" and all(map(_only_counts, two)))
        ]
        + [
            pair
            for name in names
            for two in product(subjects(name), candidates(name))
            for seat in (0, 1)
            for pair in [Pair(name, two, (1, seat), own=True)]
            if _meet(pair)
        ]
        + [
            pair
            for name in names
            for (maker, you), path in product(makers(name), candidates(name))
            for seat in (0, 1)
            for pair in [Pair(name, (maker, path), (you, seat), made=True)]
            if _meet(pair)
        ]
    )


def _only_counts(path: Path) -> bool:
    """Whether a card has to do with how something enters only by its counters."""
    return not any(fact[0] == "would" and fact[3] == "enters" for fact in facts(path))


def _meet(pair: Pair) -> bool:
    """Whether both effects can apply; what is not read stays among the pairs."""
    try:
        board = _board(pair)
        board.ends(_first(pair))
    except UnreadError:
        return True
    return len({board.effects[place].source for place in board.applied}) > 1


def _subject(pair: Pair) -> str:
    return str(facts(pair.cards[0])[0][1]) if pair.own else HAPPENINGS[pair.name].subject


def _host(pair: Pair, path: Path, seat: int) -> str:
    """What a card is attached to: the subject, another creature, a land, a player; or nothing."""
    hosts = {fact[2] for fact in facts(path) if fact[0] == "enchants"} - {
        ("or", "artifact", "creature")
    }
    if any(fact[0] == "enchants_player" for fact in facts(path)):
        return "bob"
    if hosts and all("land" in str(kind) or "forest" in str(kind) for kind in hosts):
        return f"land{seat}"
    if hosts - {"creature", "permanent"}:
        raise UnreadError("enchants")
    if any(fact[0] == "enchants" for fact in facts(path)) or "attached" in str(facts(path)):
        there = HAPPENINGS[pair.name].zone == "battlefield"
        return "wall" if there else "host"
    return ""


def _chosen(path: Path) -> str:
    """What has been chosen for a card on the battlefield, or nothing."""
    for fact in facts(path):
        if fact[0] == "instead" and isinstance(fact[5], tuple) and fact[5][0] == "choose_for_it":
            return CHOSEN.get(str(fact[5][1]), "")
    return ""


def _placed(pair: Pair) -> list[tuple[str, Path, int]]:
    """The cards on the battlefield, with their names there and their controllers."""
    found = [
        (f"p{place}", path, seat)
        for place, (path, seat) in enumerate(zip(pair.cards, pair.seats, strict=True))
    ]
    return found[1:] if pair.own or pair.made else found


def _made(pair: Pair) -> list[Effect]:
    """The first effect on such events that a spell or ability of the first card makes."""
    path, seat = pair.cards[0], pair.seats[0]
    return [e for e in made_effects(path, seat) if _watches(path, [e], pair.name)][:1]


def _first(pair: Pair) -> Event:
    event = HAPPENINGS[pair.name].event
    return event._replace(place=_subject(pair)) if event.name == "enter" else event


def _board(pair: Pair) -> Reading:
    """What the reading looks at."""
    happening = HAPPENINGS[pair.name]
    subject = CARDS / f"{_subject(pair)}.lp"
    there = happening.zone == "battlefield"
    things = {
        "wall": Thing(words_of(subject), 1, happening.owner, there, subject.stem),
        "host": Thing(words_of(CARDS / "serra_angel.lp"), 0, 0, card="serra_angel"),
    }
    effects = own_effects(subject, 1, "wall") if pair.own else []
    files = {subject.stem: subject, "serra_angel": CARDS / "serra_angel.lp"}
    if pair.made:
        effects += _made(pair)
        files[effects[0].card] = pair.cards[0]
    for name, path, seat in _placed(pair):
        constant = str(facts(path)[0][1])
        host = _host(pair, path, seat)
        chosen = _chosen(path)
        things[name] = Thing(words_of(path), seat, seat, True, constant, host, chosen)
        effects += effects_of(path, seat, name)
        files[constant] = path
    for seat in (0, 1):
        if any(thing.attached == f"land{seat}" for thing in things.values()):
            things[f"land{seat}"] = Thing(words_of(CARDS / "forest.lp"), seat, seat, card="forest")
            files["forest"] = CARDS / "forest.lp"
    if not any(thing.attached == "host" for thing in things.values()):
        del things["host"]
    cause = None
    if happening.cause:
        card, seat = happening.cause
        words = words_of(CARDS / f"{card}.lp") if card else frozenset({"permanent"})
        cause = Thing(words, seat, seat)
    manners = frozenset(happening.manners)
    turning = any(
        fact[0] in ("type_while", "no_type_while", "is_chosen_type") for fact in facts(subject)
    )
    board = Reading(2, things, files, tuple(effects), cause, manners, TOKENS, happening.event.to)
    board.turning = turning
    if happening.event.name in ("gain_life", "lose_life"):
        board.cause = Thing(frozenset({"permanent"}), 1, 1)
    if happening.event.name == "counters":
        seat = SEATS.index(happening.timeline["resolve"]["player"])
        board.cause = Thing(frozenset({"permanent"}), seat, seat)
    return board


def reading(pair: Pair) -> Counter[State]:
    """What the naive reading gives; raises `UnreadError`."""
    ends = _board(pair).ends(_first(pair))
    own = _subject(pair)
    if HAPPENINGS[pair.name].event.name != "enter":
        return ends
    found: Counter[State] = Counter()
    for state, orders in ends.items():
        event = state.event
        itself = event.place == own and event.name != "goes"
        found[state._replace(event=event._replace(place="") if itself else event)] += orders
    return found


# --- The engine ------------------------------------------------------------------------------


def scenario(pair: Pair) -> dict[str, Any]:
    """The same as the content of a scenario file."""
    happening = HAPPENINGS[pair.name]
    battlefield: list[dict[str, Any]] = []
    hosts = set()
    for name, path, seat in _placed(pair):
        host = _host(pair, path, seat)
        attached = {"attached_to": host} if host else {}
        if _chosen(path):
            attached["chosen"] = _chosen(path)
        hosts.add(host)
        line = {"card": _printed(path), "controller": SEATS[seat], "id": name}
        battlefield.append(line | attached)
    for seat in (0, 1):
        if f"land{seat}" in hosts:
            land = {"card": "Forest", "controller": SEATS[seat], "id": f"land{seat}"}
            battlefield.append(land)
    if "host" in hosts:
        battlefield.append({"card": "Serra Angel", "controller": "alice", "id": "host"})
    data: dict[str, Any] = {
        "players": list(SEATS),
        "battlefield": battlefield,
        "timeline": [happening.timeline],
        "ask": ["life"],
    }
    if pair.made:
        data["effects"] = [_resolved(pair)]
    wall: dict[str, Any] = {"card": _printed(CARDS / f"{_subject(pair)}.lp"), "id": "wall"}
    if happening.zone == "battlefield":
        battlefield.append(wall | {"controller": "bob", "owner": SEATS[happening.owner]})
    else:
        cards = [wall] if happening.zone == "hand" else {"top": [wall]}
        data["state"] = {"bob": {happening.zone: cards}}
    return data


def _resolved(pair: Pair) -> dict[str, Any]:
    """The effect that the first card has made."""
    (effect,) = _made(pair)
    line: dict[str, Any] = {"card": _printed(pair.cards[0]), "controller": SEATS[pair.seats[0]]}
    if effect.number != "1":
        line["ability"] = int(str(effect.number))
    said = {(fact[0], *fact[3:]) for fact in facts(pair.cards[0]) if fact[2:3] == (effect.number,)}
    scopes = {fact[2] for fact in said if fact[0] == "would"}
    if ("affects", "target") in said or "target" in scopes:
        to = HAPPENINGS[pair.name].event.to
        line["target"] = SEATS[to] if isinstance(to, int) else to
    size = shields(pair.cards[0]).get(effect.number, "all")
    steps = [f for f in facts(pair.cards[0]) if (f[0], *f[2:3]) == ("instead", effect.number)]
    if not (isinstance(size, str) and (size == "all" or size.isdigit())) or "'x'" in str(steps):
        line["x"] = 2
    return line


def _printed(path: Path) -> str:
    return str(facts(path)[0][2]).strip('"')


def engine(pair: Pair) -> Counter[State]:
    """What the engine's closure of the event ends with."""
    setup = set_up(Scenario.from_text(json.dumps(scenario(pair))))
    explorer = Explorer(setup.program, (), standing=setup.standing)
    state = explorer.start(setup.fluents, setup.amounts, setup.agenda)
    name = HAPPENINGS[pair.name].event.name
    begins = f"event({name}(" if name in ("move", "enter", "destroy") else "event("
    while state[1] != EMPTY:
        number = explorer.agendas.parts[state[1]][0]
        if not explorer.is_known(number, state[0]):
            # One item alone: what comes after the event need not be asked.
            alone = (state[0], explorer.agendas.push([number], EMPTY))
            with suppress(VerifierError):
                explorer.run(alone, Limits(1))
        known = explorer.known(number, state[0])
        leaves = known.answer.orders()
        # (It may be looked at first how a permanent would be there.)
        if explorer.items[number].text.startswith(begins) and "look_ahead" not in leaves:
            found: Counter[State] = Counter()
            for leaf, orders in leaves.items():
                end = parse_term(leaf)
                assert isinstance(end, Function)
                found[_state(end.arguments[0])] += orders
            return found
        if len(known.transitions) > 1:
            raise UnreadError("a choice before the event")
        state = explorer.apply(state, known.transitions[0])
    raise AssertionError("no event comes up")


#: Effects of rules that the reading takes for abilities of cards.
RULES = {"umbra_armor": "umbra armor"}


def _entering(term: Function) -> Event:
    """The term ``enter(Player,Object,w(Tapped,Counters,Said),From)``."""
    player, thing, how, _ = term.arguments
    assert isinstance(how, Function)
    tapped, bag, said = how.arguments
    place = ""
    if isinstance(thing, Function):
        place = str(thing.arguments[1])
    name = str(thing.arguments[0] if isinstance(thing, Function) else thing)
    notes = [str(word) for word in flatten(said)]
    for seat, who in enumerate(SEATS):
        notes = [note.replace(f"({who})", f"(seat{seat})") for note in notes]
    counters = [pair.arguments for pair in flatten(bag) if isinstance(pair, Function)]
    return Event(
        "enter",
        name,
        SEATS.index(str(player)),
        tuple((str(kind), exact_number(number)) for kind, number in counters),
        place,
        ("tapped" if str(tapped) == "tapped" else "", *sorted(notes)),
    )


def _state(term: Term) -> State:
    riders: list[tuple[str, Any, int]] = []
    if isinstance(term, Function) and term.name == "also":
        for rider in reversed(flatten(term.arguments[1])):
            assert isinstance(rider, Function)
            # What was prevented is kept with the event for abilities that trigger on it.
            if rider.name == "kept" and _does_more(rider.arguments[2]):
                rider = rider.arguments[0]
                assert isinstance(rider, Function)
            if rider.name == "aside":
                event = _event(rider.arguments[0])
                riders.append(("aside", str(event.to), event.number))
            if rider.name == "then":
                effect, _, number = rider.arguments
                assert isinstance(effect, Function)
                card, ability = effect.arguments[:2]
                told = isinstance(number, Function) and number.name == "trig"
                many = 1 if told else exact_number(number)
                riders.append((RULES.get(str(card), str(card)), str(ability), many))
        term = term.arguments[0]
    return State(_event(term), tuple(riders))


def _does_more(effect: Term) -> bool:
    """Whether an effect has a step after the one that changes the event."""
    assert isinstance(effect, Function)
    card, number = map(str, effect.arguments[:2])
    return _more_than_one(CARDS / f"{card}.lp", number)


def _more_than_one(path: Path, ability: Term | str) -> bool:
    """Whether an ability has a step after the one that changes the event."""
    return any(fact[:4] == ("instead", path.stem, ability, "2") for fact in facts(path))


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
            if term.name == "create":
                return Event("create", to, bag=tuple(sorted(bag)))
            return Event("counters", to, bag=bag)
        case "enter", 4:
            return _entering(term)
        case "after", 2:
            inner = arguments[1]
            assert isinstance(inner, Function)
            return _entering(inner)._replace(name="after")
        case "goes", 2:
            return Event("goes", to, place=str(arguments[1]))
        case "move", 5:
            return Event("move", to, place=str(arguments[3]))
        case "destroy", 3:
            return Event("destroy", to)
        case "exile_top", 5:
            return Event("exile_top", to, exact_number(arguments[2]))
        case "exile_next", 3:
            return Event("exile_next", to)
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
    except UnreadError as unread:
        return f"unread: {unread}"
    except VerifierError as error:
        return f"{label(pair)}: {error}"
    by_reading, by_engine = _in_one_order(by_reading), _in_one_order(by_engine)
    if by_reading == by_engine:
        return None
    return f"{label(pair)}:\n  reading {dict(by_reading)}\n  engine  {dict(by_engine)}"


def _in_one_order(ends: Counter[State]) -> Counter[State]:
    """The same, with what shields have used up last: in which order is nothing that can be told."""
    found: Counter[State] = Counter()
    for state, orders in ends.items():
        found[state._replace(riders=tuple(sorted(state.riders, key=_only_used_up)))] += orders
    return found


def _only_used_up(rider: tuple[str, Any, int]) -> tuple[Any, ...]:
    """Where a rider stands: by itself, if it only says what a shield has used up."""
    card, ability, number = rider
    path = CARDS / f"{card}.lp"
    silent = path.exists() and ability in shields(path) and not _more_than_one(path, ability)
    return (1, card, str(ability), number) if silent else (0,)


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
    total: Counter[str] = Counter()
    with ProcessPoolExecutor(said.j) as pool:
        for name in said.events:
            todo = pairs([name])[:: said.every]
            counts: Counter[str] = Counter()
            for result in pool.map(compare, todo, chunksize=20):
                if result is None:
                    counts["agree"] += 1
                elif result.startswith("unread: "):
                    counts["not read"] += 1
                    counts[result] += 1
                else:
                    counts["differ"] += 1
                    print(result, flush=True)
            print(f"{name}: {len(todo):,} pairs, {dict(counts)}", flush=True)
            total.update(counts)
    print(f"in all {total['agree']:,} agree, {total['not read']:,} are not read, "
          f"{total['differ']:,} differ")  # fmt: skip
    return 1 if total["differ"] else 0


if __name__ == "__main__":
    sys.exit(main())
