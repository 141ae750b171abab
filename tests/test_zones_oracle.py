"""Objects that change zones: the engine against plain recursion, on random boards."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import pytest
from boards import NAMES, graph_of, to_yaml
from hypothesis import HealthCheck, currently_in_test_context, given, note, settings
from hypothesis import strategies as st
from oracle.zones import (
    CARDS,
    DROPPABLE,
    LEGENDARY,
    SEAT,
    WATCHING,
    Board,
    Deed,
    Outcome,
    Thing,
    play,
)

from verifier import Graph

LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"
EXAMPLES = int(os.environ.get("ORACLE_EXAMPLES", "1000" if LONG else "25"))

_SETTINGS = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=not LONG,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

# --- The same as a scenario file -----------------------------------------------------------------

ZONES = ("on_battlefield", "in_graveyard", "in_exile", "in_hand", "in_command")
ASKED = (*ZONES[:4], "library_top", "library_bottom", "life")


def scenario_of(board: Board) -> dict[str, Any]:
    """The board as the content of a scenario file."""
    names = NAMES[: board.players]
    state: dict[str, dict[str, Any]] = {name: {"hand": []} for name in names}
    data: dict[str, Any] = {
        "title": "Objects that change zones on a board that was made at random",
        "players": list(names),
        "turn": {"active": names[board.active]},
        "battlefield": [],
        "effects": [],
        "state": state,
        "ask": list(ASKED),
    }
    for number, thing in enumerate(board.things):
        card: dict[str, Any] = {"card": thing.card, "id": f"t{number}"}
        if thing.commander:
            card["commander"] = True
        if thing.place == "battlefield":
            data["battlefield"].append(card | _permanent(thing, names))
        elif thing.place == "library":
            top = state[names[thing.owner]].setdefault("library", {"top": []})
            top["top"].append(card)
        else:
            state[names[thing.owner]]["hand"].append(card)
        for lasting in thing.lasting:
            ability = 2 if lasting != "Lava Coil" else 1
            data["effects"].append(
                {"card": lasting, "ability": ability, "target": f"t{number}",
                 "controller": names[thing.owner]}
            )  # fmt: skip
    if any(thing.shield + thing.finality for thing in board.things):
        data["ask"].append("counters")
    if data["battlefield"]:
        data["ask"].append("tapped")
    if any(thing.commander for thing in board.things):
        data["ask"].append("in_command")
    if any(thing.card.startswith("Kalitas") for thing in board.things):
        data["ask"].append("zombie")
    for deed in board.deeds:
        if deed.verb == "regenerate":
            payer = names[board.things[deed.about[0]].controller]
            mana = state[payer].setdefault("mana", {"black": 0})
            mana["black"] += 1
    data["timeline"] = [entry for deed in board.deeds for entry in _entries(board, deed, names)]
    return data


def _permanent(thing: Thing, names: tuple[str, ...]) -> dict[str, Any]:
    found: dict[str, Any] = {"controller": names[thing.controller]}
    if thing.owner != thing.controller:
        found["owner"] = names[thing.owner]
    counters = {"shield": thing.shield, "finality": thing.finality}
    if any(counters.values()):
        found["counters"] = {word: number for word, number in counters.items() if number}
    if thing.damage:
        found["damage"] = thing.damage
    if thing.token:
        found["also"] = ["token"]
    if thing.attached is not None:
        at = thing.attached
        found["attached_to"] = f"t{at}" if at < SEAT else names[at - SEAT]
    return found


def _entries(board: Board, deed: Deed, names: tuple[str, ...]) -> list[dict[str, Any]]:
    who = names[deed.seat]
    match deed.verb:
        case "check":
            return [{"check": "state_based_actions"}]
        case "damage":
            hits = [{"deal_damage": [20, f"t{i}"]} for i in deed.about]
            return [{"resolve": {"player": who, "does": hits}}]
        case "destroy":
            return [{"destroy": {"objects": [f"t{i}" for i in deed.about]}}]
        case "wrath" | "final wrath":
            word = ["creature", "any_player", *(["final"] if deed.verb == "final wrath" else [])]
            return [{"resolve": {"player": who, "does": [{"destroy_all": word}]}}]
        case "regenerate":
            thing = board.things[deed.about[0]]
            activated = {"player": names[thing.controller], "object": f"t{deed.about[0]}"}
            return [{"activate": activated}]
        case "sacrifice":
            steps = [{"sacrifice": ["creature", deed.number]}]
            return [{"resolve": {"player": who, "does": steps}}]
        case "exile":
            return [{"resolve": {"player": who, "card": "Legacy Weapon", "ability": 1}}]
        case "return":
            return [{"resolve": {"player": who, "does": [{"return_permanents": deed.number}]}}]
        case "mill":
            return [{"resolve": {"player": who, "does": [{"mill": deed.number}]}}]
        case "discard":
            discard = {"discard": deed.number, "who": who}
            return [{"resolve": {"player": names[deed.by], "does": [discard]}}]
        case "counter":
            spell, by = deed.about
            cast = {"free": True, "by_permission": True}
            first = {"player": names[board.things[spell].owner], "object": f"t{spell}"}
            answer = {"player": names[board.things[by].owner], "object": f"t{by}",
                      "targets": [f"t{spell}"]}  # fmt: skip
            return [{"hold": {"cast": first | cast}}, {"cast": answer | cast}]
    raise AssertionError(deed)


#: More life than 20 is gained.
LIFE = 20


def read(graph: Graph) -> tuple[Counter[Outcome], dict[Outcome, dict[str, Any]]]:
    """The engine's outcomes in the oracle's words, with the orders, and as they are told."""
    seats = {name: seat for seat, name in enumerate(graph.scenario.players)}
    found: Counter[Outcome] = Counter()
    told: dict[Outcome, dict[str, Any]] = {}
    for result in graph.outcomes:
        shown: set[tuple[str, str, object]] = set()
        for name, row in result.outcome.items():
            for key, value in row.items():
                if name in ZONES:
                    assert isinstance(value, list)
                    shown |= {(name, thing, seats[key]) for thing in value}
                elif name == "life":
                    shown |= {("gained", str(seats[key]), int(str(value)) - LIFE)} - {
                        ("gained", str(seats[key]), 0)
                    }
                elif name in ("library_top", "library_bottom"):
                    assert isinstance(value, tuple)
                    shown.add((name, str(seats[key]), value))
                elif value:
                    shown.add((name, str(seats[key]) if key in seats else key, value))
        assert result.orders is not None
        outcome = frozenset(shown)
        assert outcome not in found
        found[outcome] = result.orders
        told[outcome] = {
            name: {
                key: list(value) if isinstance(value, tuple) else value
                for key in _keys(graph, name)
                for value in [result.outcome.get(name, {}).get(key, 0)]
            }
            for name in graph.scenario.ask or ()
        }
    return found, told


def _keys(graph: Graph, name: str) -> list[str]:
    if name in ("tapped", "counters"):
        return [thing["id"] for thing in graph.scenario.data["battlefield"]]
    return list(graph.scenario.players)


def compare(board: Board) -> None:
    """Equal outcomes, equally many orders to each, and the same players can force them."""
    data = scenario_of(board)
    if currently_in_test_context():
        note(to_yaml(data))
    graph = graph_of(data)
    assert graph.exhausted
    by_engine, told = read(graph)
    by_oracle, forced = play(board)
    assert by_engine == by_oracle
    for seat in range(board.players):
        forces = {o for o in told if graph.can_force(NAMES[seat], told[o])}
        assert forces == set(forced[seat]), f"what {NAMES[seat]} can force"


# --- Random boards -------------------------------------------------------------------------------

_MASS = sorted(set(WATCHING) - {"Library of Leng"})
_VICTIMS = ("Grizzly Bears", "Drudge Skeletons", "Drudge Skeletons", "Gravebane Zombie",
            "Nissa's Chosen", "Firestorm Phoenix", "Darksteel Colossus", "Progenitus",
            "Loxodon Smiter")  # fmt: skip
KINDS = ("destroy", "lethal", "sacrifice", "exile", "return", "mill", "discard", "counter")


def _kept(things: list[Thing]) -> list[Thing]:
    """Without further copies of one player that the legend rule would take."""
    found: list[Thing] = []
    for thing in things:
        mine = {(other.card, other.controller) for other in found}
        if thing.card not in LEGENDARY or (thing.card, thing.controller) not in mine:
            found.append(thing)
    return found


@st.composite
def watchers(draw: st.DrawFn, players: int, kind: str) -> list[Thing]:
    """Permanents with effects on moves."""
    seats = st.integers(0, players - 1)
    pool = list(_MASS)
    if kind == "discard":
        pool += ["Library of Leng"] * 4 + ["Wheel of Sun and Moon"] * 4
    found = []
    for card in draw(st.lists(st.sampled_from(pool), max_size=3)):
        attached = SEAT + draw(seats) if card == "Wheel of Sun and Moon" else None
        seat = draw(seats)
        owner = draw(seats) if draw(st.integers(0, 5)) == 0 else seat
        found.append(Thing(card, owner, seat, attached=attached))
    return found


@st.composite
def victims(draw: st.DrawFn, players: int, place: str, owner: int | None = None) -> Thing:
    """A creature to which something happens."""
    seats = st.integers(0, players - 1)
    sometimes = st.integers(0, 3).map(lambda i: i == 0)
    card = draw(st.sampled_from(["Grizzly Bears", *_VICTIMS]))
    seat = draw(seats) if owner is None else owner
    thing = Thing(card, seat, seat, place, commander=draw(sometimes))
    if place != "battlefield":
        return thing
    lasting = draw(st.sampled_from([(), (), (), ("Lava Coil",), ("Whip of Erebos",)]))
    thing = thing._replace(
        controller=draw(seats) if draw(sometimes) else seat,
        token=draw(sometimes) and not thing.commander,
        shield=draw(st.integers(1, 2)) if draw(sometimes) else 0,
        finality=int(draw(sometimes)),
        lasting=lasting,
    )
    if draw(st.integers(0, 5)) == 0:
        thing = thing._replace(lasting=(*lasting, "Carbonize"))
    return thing


@st.composite
def boards(draw: st.DrawFn, kind: str) -> Board:
    """A board of the cards that matter for one kind of deed."""
    players = draw(st.integers(2, 3))
    seats = st.integers(0, players - 1)
    things = draw(watchers(players, kind))
    seat, number = draw(seats), draw(st.integers(1, 2))
    place = {"mill": "library", "discard": "hand", "counter": "hand"}.get(kind, "battlefield")
    owner = seat if place != "battlefield" else None
    many = 1 if kind == "counter" else draw(st.integers(1 + (kind == "discard"), 3))
    things += [draw(victims(players, place, owner)) for _ in range(many)]
    if kind == "mill":
        # After a shuffle it would not be known which cards are milled.
        things = [t for t in things if t.card not in ("Darksteel Colossus", "Progenitus")]
    things = _kept(things)
    there = [i for i, t in enumerate(things) if t.place == "battlefield"]
    mortal = [i for i in there if "creature" in CARDS[things[i].card].words]
    plain = [i for i in mortal if things[i].card in _VICTIMS and things[i].card != "Progenitus"]
    deeds: list[Deed] = []
    if place == "battlefield" and kind in ("destroy", "lethal"):
        skeletons = [i for i in plain if things[i].card == "Drudge Skeletons"]
        if skeletons:
            for _ in range(draw(st.integers(0, 2))):
                deeds.append(Deed("regenerate", (draw(st.sampled_from(skeletons)),)))
        if plain and draw(st.integers(0, 2)) == 0:
            umbra = draw(st.sampled_from(["Boar Umbra", "Hyena Umbra"]))
            host = draw(st.sampled_from(plain))
            things.append(Thing(umbra, seat, seat, attached=host))
            there.append(len(things) - 1)
    match kind:
        case "destroy":
            verbs = ["wrath", "wrath", "final wrath"]
            if draw(st.booleans()):
                about = draw(st.lists(st.sampled_from(there), min_size=1, max_size=3, unique=True))
                deeds.append(Deed("destroy", tuple(about)))
            else:
                deeds.append(Deed(draw(st.sampled_from(verbs)), (), seat))
            # (A Zombie that Kalitas has made would be destroyed as well.)
            if draw(st.booleans()) and not any(t.card.startswith("Kalitas") for t in things):
                deeds.append(Deed(draw(st.sampled_from(verbs)), (), seat))
        case "lethal":
            about = [i for i in mortal if draw(st.integers(0, 2))]
            if deeds:
                deeds.append(Deed("damage", tuple(about or mortal), seat))
            else:
                for i in about:
                    things[i] = things[i]._replace(damage=20)
                deeds.append(Deed("check"))
        case "exile":
            things.append(Thing("Legacy Weapon", seat, seat))
            deeds.append(Deed(kind, (), seat))
        case "sacrifice" | "return" | "mill":
            deeds.append(Deed(kind, (), seat, number))
        case "discard":
            deeds.append(Deed(kind, (), seat, number, draw(seats)))
        case "counter":
            by = draw(seats)
            things.append(Thing(draw(st.sampled_from(["Remand", "Counterspell"])), by, by, "hand"))
            deeds.append(Deed(kind, (len(things) - 2, len(things) - 1)))
    return Board(players, tuple(things), tuple(deeds), draw(seats))


#: Of boards with more outcomes it is not asked what they would be without a rule.
MANY = 20
#: Rules that some boards of each kind depend on.
DEPENDENT = {
    "destroy": ("122.1h", "401.4", "614.4", "616.1", "616.1f", "701.19a", "701.19c", "702.12b",
                "702.89a", "704.6d", "903.9b"),
    "lethal": ("122.1c", "614.4", "701.19c", "702.12b", "702.89a", "704.6d"),
    "sacrifice": ("122.1h", "616.1", "701.21a", "704.6d"),
    "exile": ("616.1f", "704.6d"),
    "return": ("614.5", "616.1", "903.9b"),
    "mill": ("616.1f", "704.6d"),
    "discard": ("108.4a", "113.6", "401.4", "614.4", "616.1"),
    "counter": ("616.1a", "903.9b"),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_engine_and_oracle_agree(kind: str) -> None:
    @given(boards(kind))
    @_SETTINGS
    def agree(board: Board) -> None:
        compare(board)

    agree()


@pytest.mark.parametrize("kind", KINDS)
def test_without_a_rule_it_would_be_something_else(kind: str) -> None:
    left = set(DEPENDENT[kind])

    @given(boards(kind))
    @settings(_SETTINGS, max_examples=400)
    def notice(board: Board) -> None:
        right = play(board)
        if left and len(right[0]) < MANY:
            left.difference_update([rule for rule in left if play(board, rule) != right])

    notice()
    assert not left


def test_each_rule_that_can_be_left_out_is_needed() -> None:
    assert {rule for rules in DEPENDENT.values() for rule in rules} == set(DROPPABLE)
