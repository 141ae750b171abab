"""The board of a scenario before anything happens, as something to look at.

What a card is and what nobody says (a life total, a step) comes from the encodings; this module
only sorts it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from verifier import resources
from verifier.facts import Objects, Placed
from verifier.page.happening import step_name
from verifier.report import wording
from verifier.terms import Function, parse_term, signature

if TYPE_CHECKING:
    from verifier.graph import Graph

#: Zones besides the battlefield, and the quantity of a player that counts the cards there.
ZONES = ("hand", "library", "graveyard", "exile", "command")

#: Where the library has its named cards.
_ENDS = {"library_top": "from the top", "library_bottom": "the last ones"}


@dataclass
class Tile:
    """One permanent, or several alike.

    Attributes
    ----------
    ids
        The ids of the objects.
    card
        The name of the card.
    kind
        Its types, as the encodings say.
    tapped
        Whether it is tapped.
    notes
        What else there is to see on it, one phrase each.
    attached
        What is attached to it.
    """

    ids: list[str]
    card: str
    kind: str
    tapped: bool
    notes: list[str]
    attached: list[Tile] = field(default_factory=list)


@dataclass
class Zone:
    """A zone of a player: how many cards if that is known, and those that have a name."""

    name: str
    count: int | None
    cards: list[str]


@dataclass
class Seat:
    """What one player has."""

    player: str
    active: bool
    life: int | None
    zones: list[Zone]
    permanents: list[Tile]
    notes: list[str]


@dataclass
class Board:
    """Everything that is there: seats in turn order, the step, effects that last."""

    step: str
    seats: list[Seat]
    effects: list[str]


def board(graph: Graph) -> Board:
    """The board of a graph's scenario before anything happens."""
    scenario = graph.scenario
    data = scenario.data
    objects = Objects(scenario)
    amounts = dict(graph.setup.amounts)
    words = wording(scenario)
    tiles = _tiles(objects, _kinds(graph.setup.static))
    named: dict[tuple[str, str], list[str]] = defaultdict(list)
    for player, label, _, thing in objects.zones:
        named[player, label].append(words.name(thing.id))
    seats = []
    for player in scenario.players:
        state = data.get("state", {}).get(player, {})
        zones = [zone for zone in _zones(player, state, named, amounts) if zone]
        seats.append(
            Seat(
                player,
                player == scenario.active,
                amounts.get(f"life({player})", state.get("life")),
                zones,
                tiles.get(player, []),
                list(_player_notes(state)),
            )
        )
    effects = [_effect(effect) for effect in data.get("effects", [])]
    return Board(step_name(scenario.step), seats, effects)


def _kinds(static: tuple[str, ...]) -> dict[str, list[str]]:
    """The types of each card."""
    found: dict[str, list[str]] = defaultdict(list)
    for atom in static:
        if atom.startswith("type("):
            term = parse_term(atom)
            if isinstance(term, Function) and signature(term) == ("type", 2):
                found[str(term.arguments[0])].append(str(term.arguments[1]))
    return found


def _tiles(objects: Objects, kinds: dict[str, list[str]]) -> dict[str, list[Tile]]:
    """The permanents of each player; alike ones as one, what is attached at its host."""
    hosts = {thing.entry.get("attached_to") for thing in objects.permanents}
    made: dict[str, Tile] = {}
    alike: dict[int, Tile] = {}
    for thing in objects.permanents:
        # Those of one entry look the same; a host is shown on its own.
        tile = alike.get(id(thing.entry)) if thing.id not in hosts else None
        if tile is None:
            kind = " ".join(sorted(kinds.get(resources.constant(thing.card), [])))
            tapped = bool(thing.entry.get("tapped"))
            tile = Tile([], thing.card, kind, tapped, list(_notes(thing)))
            if thing.id not in hosts:
                alike[id(thing.entry)] = tile
        tile.ids.append(thing.id)
        made[thing.id] = tile
    found: dict[str, list[Tile]] = defaultdict(list)
    for thing in objects.permanents:
        host = thing.entry.get("attached_to")
        tile = made[thing.id]
        if tile.ids[0] != thing.id:
            continue
        if host in made:
            made[host].attached.append(tile)
        else:
            found[thing.entry["controller"]].append(tile)
    return found


def _notes(thing: Placed) -> Iterator[str]:
    """What the file says of a permanent, besides its card."""
    entry = thing.entry
    for kind, number in entry.get("counters", {}).items():
        yield f"{number} {_spaced(kind)} counter{'' if number == 1 else 's'}"
    if "damage" in entry:
        yield f"{entry['damage']} damage"
    if entry.get("summoning_sick"):
        yield "summoning sick"
    if entry.get("attached_to"):
        yield f"controlled by {entry['controller']}"
    if thing.owner != entry["controller"]:
        yield f"owned by {thing.owner}"
    if "default_controller" in entry:
        yield f"otherwise controlled by {entry['default_controller']}"
    if "chosen" in entry:
        yield f"chosen: {_spaced(entry['chosen'])}"
    if "imprinted" in entry:
        yield f"imprinted: {entry['imprinted']}"
    if "exiled" in entry:
        yield f"{entry['exiled']} cards exiled with it"
    if entry.get("also"):
        yield f"also {', '.join(map(_spaced, entry['also']))}"


def _zones(
    player: str,
    state: dict[str, Any],
    named: dict[tuple[str, str], list[str]],
    amounts: dict[str, int],
) -> Iterator[Zone | None]:
    for zone in ZONES:
        cards = list(named.get((player, zone), []))
        for label, where in _ENDS.items() if zone == "library" else ():
            ends = named.get((player, label), [])
            cards += [f"{where}: {', '.join(ends)}"] if ends else []
        count = amounts.get(f"cards({zone}({player}))")
        if count or cards or zone in state or zone == "hand":
            yield Zone(zone, count, cards)


def _player_notes(state: dict[str, Any]) -> Iterator[str]:
    for key, said in (("drawn_this_turn", "drawn this turn"), ("lands_played", "lands played")):
        if key in state:
            yield f"{said}: {state[key]}"
    mana = [f"{number} {kind}" for kind, number in state.get("mana", {}).items() if number]
    if mana:
        yield f"unspent mana: {', '.join(mana)}"


def _effect(effect: dict[str, Any]) -> str:
    """An effect of what resolved before."""
    told = f"{effect['card']} ({effect['controller']})"
    if effect.get("count", 1) > 1:
        told = f"{effect['count']} × {told}"  # noqa: RUF001
    for key, said in (
        ("ability", "ability"), ("target", "target"), ("x", "X is"), ("chosen", "chosen:"),
    ):  # fmt: skip
        if key in effect:
            told += f", {said} {_spaced(effect[key])}"
    return told


def _spaced(word: Any) -> str:
    return str(word).replace("_", " ")
