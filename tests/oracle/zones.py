"""Objects that change zones, by plain recursion: destroyed, sacrificed, discarded, countered.

A board and one or two deeds are played through every sequence of choices, straight from CR 400,
614, 616, 701.8, 701.19, 702.12, 702.89 and 903.9.  Each effect is a function written out from
what its card does.  A rule can be left out (`DROPPABLE`), to see that the boards would notice.
"""

# Effects have one signature, and few need all of it.
# ruff: noqa: ARG001, ARG005
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations, permutations
from typing import Any, NamedTuple

#: Rules that can be left out.
DROPPABLE = {
    "614.4": "what is there before any of them moves counts for all",
    "614.5": "an effect gets one opportunity",
    "616.1": "the controller, or else the owner, chooses",
    "616.1a": "self-replacement effects come first",
    "616.1f": "all effects are applied that can be",
    "108.4a": "what has no controller is its owner's",
    "113.6": "a card's effect on its own move works wherever the card is",
    "122.1c": "shield counters are no help against damage",
    "122.1h": "finality counters",
    "401.4": "the owner orders what goes into a library together",
    "701.19a": "a regeneration shield is used up",
    "701.19c": "what can't be regenerated is not",
    "701.21a": "sacrificing is no destruction",
    "702.12b": "indestructible",
    "702.89a": "umbra armor",
    "704.6d": "a commander may leave the graveyard or exile",
    "903.9b": "a commander may go to the command zone instead of a hand or library",
}


class Printed(NamedTuple):
    """What a card is."""

    words: frozenset[str]
    toughness: int = 0
    indestructible: bool = False


def _printed(words: str, toughness: int = 0, indestructible: bool = False) -> Printed:
    return Printed(frozenset(words.split()), toughness, indestructible)


CARDS = {
    "Grizzly Bears": _printed("creature green bear", 2),
    "Drudge Skeletons": _printed("creature black skeleton", 1),
    "Darksteel Colossus": _printed("artifact creature golem", 11, indestructible=True),
    "Progenitus": _printed("creature white blue black red green", 10),
    "Gravebane Zombie": _printed("creature black zombie", 2),
    "Nissa's Chosen": _printed("creature green elf", 3),
    "Firestorm Phoenix": _printed("creature red phoenix", 2),
    "Loxodon Smiter": _printed("creature green white elephant", 4),
    "Pulmonic Sliver": _printed("creature white sliver", 3),
    "Boar Umbra": _printed("enchantment aura green"),
    "Hyena Umbra": _printed("enchantment aura white"),
    "Rest in Peace": _printed("enchantment white"),
    "Leyline of the Void": _printed("enchantment black"),
    "Yawgmoth's Agenda": _printed("enchantment black"),
    "Necrodominance": _printed("enchantment black"),
    "Wheel of Sun and Moon": _printed("enchantment aura green white"),
    "Dauthi Voidwalker": _printed("creature black dauthi", 2),
    "Anafenza, the Foremost": _printed("creature white black green human", 4),
    "Samurai of the Pale Curtain": _printed("creature white samurai", 2),
    "Sanctifier en-Vec": _printed("creature white human", 2),
    "Kalitas, Traitor of Ghet": _printed("creature black vampire", 4),
    "The Darkness Crystal": _printed("artifact black"),
    "Void Maw": _printed("creature black horror", 5),
    "Draugr Necromancer": _printed("creature black zombie", 4),
    "Stone of Erech": _printed("artifact"),
    "Library of Leng": _printed("artifact"),
    "Legacy Weapon": _printed("artifact"),
    "Remand": _printed("instant blue"),
    "Counterspell": _printed("instant blue"),
}

#: Of which a player has one (CR 704.5j).
LEGENDARY = {
    "Progenitus", "Anafenza, the Foremost", "Kalitas, Traitor of Ghet", "The Darkness Crystal",
    "Stone of Erech", "Necrodominance",
}  # fmt: skip

#: What an Aura on a player is attached to: this and the seat.
SEAT = 100


class Thing(NamedTuple):
    """An object: a permanent or a card.  ``lasting`` are effects that were made for it."""

    card: str
    owner: int
    controller: int
    place: str = "battlefield"
    token: bool = False
    commander: bool = False
    attached: int | None = None
    shield: int = 0
    finality: int = 0
    regeneration: int = 0
    damage: int = 0
    tapped: bool = False
    lasting: tuple[str, ...] = ()
    #: Of a commander: it has just been put there (1), it is to go back (2).
    fresh: int = 0

    def is_a(self, word: str) -> bool:
        """Whether it is of a type, color or subtype."""
        return word in CARDS[self.card].words


class Deed(NamedTuple):
    """What happens: ``seat`` does it, or it happens to that player."""

    verb: str
    about: tuple[int, ...] = ()
    seat: int = 0
    number: int = 0
    by: int = 0


class Move(NamedTuple):
    """An object would go from one zone to another."""

    thing: int
    source: str
    to: str
    why: str
    by: int = -1


class Board(NamedTuple):
    """What is there, and what happens."""

    players: int
    things: tuple[Thing, ...]
    deeds: tuple[Deed, ...]
    active: int = 0


class World(NamedTuple):
    """The changing part of a board."""

    things: tuple[Thing, ...]
    tops: tuple[tuple[int, ...], ...]
    bottoms: tuple[tuple[int, ...], ...]
    zombies: tuple[int, ...]
    life: tuple[int, ...]


#: (world, number of the source, its controller, move) -> where the object goes instead.
Apply = Callable[[World, int, int, Move], "str | None"]


class Ability(NamedTuple):
    """A replacement effect on moves.  ``may``: who can decline; ``rank``: its class."""

    name: str
    me: int
    you: int
    apply: Apply
    may: int | None = None
    rank: int = 5
    rider: str = ""


# --- Effects -----------------------------------------------------------------------------------


def _to_graveyard(world: World, me: int, you: int, move: Move) -> str | None:
    return "exile" if move.to == "graveyard" else None


def _others_cards(world: World, me: int, you: int, move: Move) -> str | None:
    thing = world.things[move.thing]
    if move.to != "graveyard" or thing.token or thing.owner == you:
        return None
    return "exile"


def _own_cards(world: World, me: int, you: int, move: Move) -> str | None:
    thing = world.things[move.thing]
    return "exile" if move.to == "graveyard" and not thing.token and thing.owner == you else None


def _own(world: World, me: int, you: int, move: Move) -> str | None:
    return "exile" if move.to == "graveyard" and world.things[move.thing].owner == you else None


def _wheel(world: World, me: int, you: int, move: Move) -> str | None:
    thing, seat = world.things[move.thing], world.things[me].attached
    if move.to != "graveyard" or thing.token or seat != SEAT + thing.owner:
        return None
    return "bottom"


def _anafenza(world: World, me: int, you: int, move: Move) -> str | None:
    creature = world.things[move.thing].is_a("creature")
    return _others_cards(world, me, you, move) if creature else None


def _from_battlefield(world: World, me: int, you: int, move: Move) -> str | None:
    return "exile" if move.to == "graveyard" and move.source == "battlefield" else None


def _black_or_red(world: World, me: int, you: int, move: Move) -> str | None:
    thing = world.things[move.thing]
    hit = thing.is_a("black") or thing.is_a("red")
    return "exile" if move.to == "graveyard" and hit else None


def _dies(move: Move) -> bool:
    return move.source == "battlefield" and move.to == "graveyard"


def _theirs_dies(world: World, me: int, you: int, move: Move) -> str | None:
    thing = world.things[move.thing]
    return "exile" if _dies(move) and thing.is_a("creature") and thing.controller != you else None


def _theirs_nontoken_dies(world: World, me: int, you: int, move: Move) -> str | None:
    return None if world.things[move.thing].token else _theirs_dies(world, me, you, move)


def _maw(world: World, me: int, you: int, move: Move) -> str | None:
    other = move.thing != me and world.things[move.thing].is_a("creature")
    return "exile" if _dies(move) and other else None


def _sliver(world: World, me: int, you: int, move: Move) -> str | None:
    return "top" if _dies(move) and world.things[move.thing].is_a("sliver") else None


def _leng(world: World, me: int, you: int, move: Move) -> str | None:
    mine = world.things[move.thing].owner == you
    return "top" if move.to == "graveyard" and move.why == "discarded" and mine else None


def _when_dying(to: str) -> Apply:
    return lambda world, me, you, move: to if _dies(move) else None


def _anywhere(to: str) -> Apply:
    return lambda world, me, you, move: to if move.to == "graveyard" else None


def _smiter(world: World, me: int, you: int, move: Move) -> str | None:
    hit = move.to == "graveyard" and move.why == "discarded" and move.by != you
    return "battlefield" if hit else None


def _leaves(world: World, me: int, you: int, move: Move) -> str | None:
    return "exile" if move.source == "battlefield" else None


def _command(world: World, me: int, you: int, move: Move) -> str | None:
    return "command" if move.to in ("hand", "top", "bottom", "shuffled") else None


def _remand(world: World, me: int, you: int, move: Move) -> str | None:
    return "hand" if move.to == "graveyard" and move.why == "countered" else None


#: Of permanents: on moves of all objects; with what happens besides.
WATCHING: dict[str, tuple[Apply, str]] = {
    "Rest in Peace": (_to_graveyard, ""),
    "Leyline of the Void": (_others_cards, ""),
    "Dauthi Voidwalker": (_others_cards, ""),
    "Yawgmoth's Agenda": (_own_cards, ""),
    "Necrodominance": (_own, ""),
    "Wheel of Sun and Moon": (_wheel, ""),
    "Anafenza, the Foremost": (_anafenza, ""),
    "Samurai of the Pale Curtain": (_from_battlefield, ""),
    "Sanctifier en-Vec": (_black_or_red, ""),
    "Kalitas, Traitor of Ghet": (_theirs_nontoken_dies, "zombie"),
    "The Darkness Crystal": (_theirs_nontoken_dies, "life"),
    "Void Maw": (_maw, ""),
    "Draugr Necromancer": (_theirs_nontoken_dies, ""),
    "Stone of Erech": (_theirs_dies, ""),
    "Pulmonic Sliver": (_sliver, ""),
    "Library of Leng": (_leng, ""),
}

#: On moves of the very object.
ITSELF: dict[str, Apply] = {
    "Gravebane Zombie": _when_dying("top"),
    "Nissa's Chosen": _when_dying("bottom"),
    "Firestorm Phoenix": _when_dying("hand"),
    "Darksteel Colossus": _anywhere("shuffled"),
    "Progenitus": _anywhere("shuffled"),
    "Legacy Weapon": _anywhere("shuffled"),
    "Loxodon Smiter": _smiter,
}

#: Effects of spells and abilities that have resolved, for one object.
LASTING: dict[str, Apply] = {
    "Lava Coil": _when_dying("exile"),
    "Whip of Erebos": _leaves,
}

# --- States ------------------------------------------------------------------------------------


class Settled(NamedTuple):
    """A move that has been asked about, with what effects do besides: (what, for whom)."""

    move: Move
    riders: tuple[tuple[str, int], ...] = ()


class Ask(NamedTuple):
    """A move is being asked about; ``offered`` is the effect that another player may decline."""

    move: Move
    used: tuple[tuple[str, int, int], ...]
    riders: tuple[tuple[str, int], ...]
    waiting: tuple[Move, ...]
    settled: tuple[Settled, ...]
    offered: Ability | None = None


class Doom(NamedTuple):
    """Permanents that would be destroyed, and those that would leave at the same time."""

    waiting: tuple[int, ...]
    how: str
    final: bool
    leaving: tuple[Move, ...]


class Arrange(NamedTuple):
    """A player puts cards on top of their library, or below it."""

    seat: int
    to: str
    cards: tuple[int, ...]


class Check(NamedTuple):
    """State-based actions."""


Item = Deed | Ask | Doom | Arrange | Check | tuple[Settled, ...]
State = tuple[World, tuple[Item, ...]]
#: Where everything is in the end; sorted.
Outcome = frozenset[tuple[str, str, object]]
#: Who chooses (nobody, if it is forced), and what it leads to.
Ways = tuple[int | None, list[State]]


def _put(world: World, number: int, **changes: Any) -> World:
    things = list(world.things)
    things[number] = things[number]._replace(**changes)
    return world._replace(things=tuple(things))


@dataclass
class Oracle:
    """All games on one board, without the rules in `dropped`."""

    board: Board
    dropped: frozenset[str] = frozenset()
    counted: dict[State, Counter[Outcome]] = field(default_factory=dict)
    forced: dict[tuple[State, int], frozenset[Outcome]] = field(default_factory=dict)

    def start(self) -> State:
        """Before anything happens."""
        board = self.board
        seats = range(board.players)
        tops = tuple(
            tuple(i for i, t in enumerate(board.things) if t.owner == seat and t.place == "library")
            for seat in seats
        )
        none = tuple(() for _ in seats)
        zero = (0,) * board.players
        agenda: list[Item] = []
        for deed in board.deeds:
            agenda += [deed, Check()]
        return World(board.things, tops, none, zero, zero), tuple(agenda)

    # --- Folds -----------------------------------------------------------------------------

    def orders(self, state: State) -> Counter[Outcome]:
        """Outcome -> number of sequences of choices."""
        if state not in self.counted:
            world, agenda = state
            if not agenda:
                return Counter({outcome_of(world): 1})
            found: Counter[Outcome] = Counter()
            for after in self.ways(world, agenda[0], agenda[1:])[1]:
                found.update(self.orders(after))
            self.counted[state] = found
        return self.counted[state]

    def forceable(self, state: State, seat: int) -> frozenset[Outcome]:
        """The outcomes that one player can bring about whatever the others choose."""
        if (state, seat) not in self.forced:
            world, agenda = state
            if not agenda:
                return frozenset({outcome_of(world)})
            who, after = self.ways(world, agenda[0], agenda[1:])
            sets = [self.forceable(end, seat) for end in after]
            mine = who is None or who == seat or len(sets) == 1
            fold = frozenset.union if mine else frozenset.intersection
            self.forced[state, seat] = fold(*sets)
        return self.forced[state, seat]

    # --- Steps -----------------------------------------------------------------------------

    def ways(self, world: World, item: Item, rest: tuple[Item, ...]) -> Ways:
        """What can be done with the topmost item."""
        match item:
            case Deed():
                return self.deed(world, item, rest)
            case Doom():
                return self.doom(world, item, rest)
            case Ask():
                return self.ask(world, item, rest)
            case Arrange(seat, to, cards):
                after: list[State] = []
                for order in permutations(cards) if "401.4" not in self.dropped else [cards]:
                    lists = list(world.tops if to == "top" else world.bottoms)
                    lists[seat] = order + lists[seat] if to == "top" else lists[seat] + order
                    now = tuple(lists)
                    top = to == "top"
                    new = world._replace(tops=now) if top else world._replace(bottoms=now)
                    after.append((new, rest))
                return seat, after
            case Check():
                return self.check(world, rest)
        return None, [self.settle(world, item, rest)]

    def deed(self, world: World, deed: Deed, rest: tuple[Item, ...]) -> Ways:
        """What happens."""
        things = world.things
        match deed.verb:
            case "check":
                return None, [(world, rest)]
            case "destroy" | "wrath" | "final wrath":
                about = deed.about
                if deed.verb != "destroy":
                    about = tuple(
                        i for i, t in enumerate(things)
                        if t.place == "battlefield" and t.is_a("creature")
                    )  # fmt: skip
                final = deed.verb == "final wrath" and "701.19c" not in self.dropped
                doomed = tuple(i for i in about if things[i].place == "battlefield")
                return None, [(world, (self.doomed(world, doomed, "effect", final), *rest))]
            case "damage":
                for i in deed.about:
                    shield, damage = things[i].shield, things[i].damage
                    hit = {"shield": shield - 1} if shield else {"damage": damage + 20}
                    world = _put(world, i, **hit)
                return None, [(world, rest)]
            case "regenerate":
                (number,) = deed.about
                if things[number].place == "battlefield":
                    more = things[number].regeneration + 1
                    world = _put(world, number, regeneration=more)
                return None, [(world, rest)]
            case "sacrifice" | "return":
                own = [
                    i for i, t in enumerate(things)
                    if t.place == "battlefield" and t.controller == deed.seat
                    and (deed.verb == "return" or t.is_a("creature"))
                ]  # fmt: skip
                if deed.verb == "sacrifice" and "701.21a" in self.dropped:
                    return deed.seat, [
                        (world, (self.doomed(world, chosen, "effect", final=False), *rest))
                        for chosen in combinations(own, min(deed.number, len(own)))
                    ]
                returned = deed.verb == "return"
                to, why = ("hand", "effect") if returned else ("graveyard", "sacrificed")
                moves = [Move(i, "battlefield", to, why) for i in own]
                return deed.seat, self.chosen(world, moves, deed.number, rest)
            case "exile":
                # (Progenitus can't be a target: it has protection from everything.)
                moves = [
                    Move(i, "battlefield", "exile", "effect")
                    for i, t in enumerate(things)
                    if t.place == "battlefield" and t.card != "Progenitus"
                ]
                return deed.seat, self.chosen(world, moves, 1, rest)
            case "mill":
                tops = list(world.tops)
                library = tops[deed.seat]
                tops[deed.seat] = library[deed.number :]
                moves = [Move(i, "library", "graveyard", "milled") for i in library[: deed.number]]
                world = world._replace(tops=tuple(tops))
                return None, [(world, (*self.batch(world, moves), *rest))]
            case "discard":
                moves = [
                    Move(i, "hand", "graveyard", "discarded", deed.by)
                    for i, t in enumerate(things)
                    if t.place == "hand" and t.owner == deed.seat
                ]
                return deed.seat, self.chosen(world, moves, deed.number, rest)
            case "counter":
                spell, by = deed.about
                first = Move(spell, "stack", "graveyard", "countered", by)
                then = Move(by, "stack", "graveyard", "resolved")
                return None, [
                    (world, (*self.batch(world, [first]), *self.batch(world, [then]), *rest))
                ]
        raise AssertionError(deed)

    def chosen(
        self, world: World, moves: list[Move], number: int, rest: tuple[Item, ...]
    ) -> list[State]:
        """A player chooses so many of what could move."""
        return [
            (world, (*self.batch(world, list(some)), *rest))
            for some in combinations(moves, min(number, len(moves)))
        ]

    def seats(self) -> list[int]:
        """The players in APNAP order."""
        players = self.board.players
        return [(self.board.active + i) % players for i in range(players)]

    def doomed(self, world: World, about: tuple[int, ...], how: str, final: bool) -> Doom:
        """What would be destroyed together, one player's after the other's."""
        order = sorted(about, key=lambda i: (self.seats().index(world.things[i].controller), i))
        return Doom(tuple(order), how, final, ())

    def batch(self, world: World, moves: list[Move]) -> tuple[Item, ...]:
        """What would move together, one player's after the other's."""
        if "614.4" in self.dropped:
            return tuple(Ask(move, (), (), (), ()) for move in moves)
        order = sorted(
            dict.fromkeys(moves),
            key=lambda m: (self.seats().index(world.things[m.thing].controller), m.thing),
        )
        if not order:
            return ()
        return (Ask(order[0], (), (), tuple(order[1:]), ()),)

    # --- Destruction -----------------------------------------------------------------------

    def doom(self, world: World, doom: Doom, rest: tuple[Item, ...]) -> Ways:
        """The next of what would be destroyed (CR 614.8, 701.8)."""
        if not doom.waiting:
            return None, [(world, (*self.batch(world, list(doom.leaving)), *rest))]
        number, later = doom.waiting[0], doom.waiting[1:]
        thing = world.things[number]
        left = doom._replace(waiting=later)
        if CARDS[thing.card].indestructible and "702.12b" not in self.dropped:
            return None, [(world, (left, *rest))]
        after: list[State] = []
        if thing.shield and (doom.how == "effect" or "122.1c" in self.dropped):
            fewer = thing.shield - 1
            healed = {"damage": 0} if doom.how == "damage" else {}
            after.append((_put(world, number, shield=fewer, **healed), (left, *rest)))
        final = doom.final or "Carbonize" in thing.lasting
        if not final or "701.19c" in self.dropped:
            keep = thing.regeneration - ("701.19a" not in self.dropped)
            shown = _put(world, number, regeneration=keep, tapped=True, damage=0)
            after += [(shown, (left, *rest))] * thing.regeneration
        if "702.89a" not in self.dropped:
            for aura, other in enumerate(world.things):
                if other.attached == number and "Umbra" in other.card:
                    healed_world = _put(world, number, damage=0)
                    # The Aura would be destroyed in its place, by the effect of umbra armor.
                    more = (*left.leaving, Move(aura, "battlefield", "graveyard", "destroyed"))
                    after.append((healed_world, (left._replace(leaving=more), *rest)))
        if not after:
            gone = Move(number, "battlefield", "graveyard", "destroyed")
            return None, [(world, (left._replace(leaving=(*left.leaving, gone)), *rest))]
        return thing.controller, after

    # --- Moves -----------------------------------------------------------------------------

    def abilities(self, world: World, move: Move) -> Iterator[Ability]:
        """The effects there are while a move is asked about."""
        for me, thing in enumerate(world.things):
            if thing.place == "battlefield" and thing.card in WATCHING:
                apply, rider = WATCHING[thing.card]
                you, about = thing.controller, world.things[move.thing]
                may = {"Pulmonic Sliver": about.controller, "Library of Leng": you}
                yield Ability(thing.card, me, you, apply, may.get(thing.card), rider=rider)
        thing = world.things[move.thing]
        if thing.card in ITSELF and (move.source == "battlefield" or "113.6" not in self.dropped):
            yield Ability("itself", move.thing, thing.controller, ITSELF[thing.card])
        for place, card in enumerate(thing.lasting):
            if card in LASTING:
                yield Ability(card, place, thing.owner, LASTING[card])
        if thing.finality and "122.1h" not in self.dropped:
            yield Ability("finality", move.thing, thing.controller, _when_dying("exile"))
        if thing.commander and "903.9b" not in self.dropped:
            yield Ability("command", move.thing, thing.owner, _command, thing.owner)
        if move.why == "countered" and world.things[move.by].card == "Remand":
            rank = 1 if "616.1a" not in self.dropped else 5
            yield Ability("Remand", move.by, world.things[move.by].controller, _remand, rank=rank)

    def ask(self, world: World, asked: Ask, rest: tuple[Item, ...]) -> Ways:
        """What becomes of the move next (CR 616.1)."""
        move = asked.move
        thing = world.things[move.thing]
        who = thing.controller if "108.4a" not in self.dropped else (thing.owner + 1)
        if move.source == "battlefield":
            who = thing.controller
        if "616.1" in self.dropped:
            who = (who + 1) % self.board.players
        if asked.offered is not None:
            ability = asked.offered
            asked = self.spent(asked, ability)._replace(offered=None)
            return ability.may, [
                (world, (self.applied(world, asked, ability), *rest)),
                (world, (asked, *rest)),
            ]
        chances = 1 if "614.5" not in self.dropped else 2
        found = [
            ability
            for ability in self.abilities(world, move)
            if asked.used.count(ability[:3]) < chances
            and ability.apply(world, ability.me, ability.you, move) is not None
        ]
        first = min((ability.rank for ability in found), default=5)
        found = [ability for ability in found if ability.rank == first]
        after: list[State] = []
        must = False
        for ability in found:
            if ability.may is not None and ability.may != who:
                must = True
                after.append((world, (asked._replace(offered=ability), *rest)))
                continue
            must |= ability.may is None
            now = self.applied(world, self.spent(asked, ability), ability)
            after.append((world, (now, *rest)))
        if not must or (after and "616.1f" in self.dropped):
            after.append((world, (*self.next_move(asked), *rest)))
        return who, after

    @staticmethod
    def spent(asked: Ask, ability: Ability) -> Ask:
        """The effect has had its opportunity; the one excepted (CR 903.9b) gets a further one."""
        used = [u for u in asked.used if u[0] != "command" or ability.name == "command"]
        return asked._replace(used=tuple(sorted([*used, ability[:3]])))

    @staticmethod
    def applied(world: World, asked: Ask, ability: Ability) -> Ask:
        """The object goes where the effect says."""
        to = ability.apply(world, ability.me, ability.you, asked.move)
        assert to is not None
        riders = asked.riders
        if ability.rider:
            riders = (*riders, (ability.rider, ability.you))
        return asked._replace(move=asked.move._replace(to=to), riders=riders)

    @staticmethod
    def next_move(asked: Ask) -> tuple[Item, ...]:
        """The next move is asked about, or all of them happen."""
        settled = (*asked.settled, Settled(asked.move, asked.riders))
        if asked.waiting:
            return (Ask(asked.waiting[0], (), (), asked.waiting[1:], settled),)
        return (settled,)

    def settle(self, world: World, moves: tuple[Settled, ...], rest: tuple[Item, ...]) -> State:
        """All of them move at once, and then what effects do besides."""
        libraries: dict[tuple[int, str], tuple[int, ...]] = {}
        zombies, life = list(world.zombies), list(world.life)
        for move, riders in moves:
            thing = world.things[move.thing]
            fresh = int(thing.commander and move.to in ("graveyard", "exile"))
            place = "library" if move.to in ("top", "bottom", "shuffled") else move.to
            if thing.token:
                place = "gone"
            elif move.to in ("top", "bottom"):
                where = (thing.owner, move.to)
                libraries[where] = (*libraries.get(where, ()), move.thing)
            new = Thing(thing.card, thing.owner, thing.owner, place, thing.token, thing.commander)
            world = _put(world, move.thing, **new._replace(fresh=fresh)._asdict())
            for rider, seat in riders:
                if rider == "zombie":
                    zombies[seat] += 1
                else:
                    life[seat] += 2
        world = world._replace(zombies=tuple(zombies), life=tuple(life))
        arranging = [Arrange(seat, to, cards) for (seat, to), cards in libraries.items()]
        return world, (*arranging, *rest)

    # --- State-based actions ---------------------------------------------------------------

    def check(self, world: World, rest: tuple[Item, ...]) -> Ways:
        """CR 704.3: all that has to be done at once, until there is nothing left."""
        if "704.6d" not in self.dropped:
            for seat in self.seats():
                for number, thing in enumerate(world.things):
                    if thing.owner == seat and thing.fresh == 1:
                        return seat, [
                            (_put(world, number, fresh=fresh), (Check(), *rest)) for fresh in (2, 0)
                        ]
        going = [i for i, thing in enumerate(world.things) if thing.fresh == 2]
        for number in going:
            world = _put(world, number, fresh=0, place="command")
        things = world.things
        loose = [
            i for i, thing in enumerate(things)
            if thing.place == "battlefield" and thing.attached is not None
            and thing.attached < SEAT and things[thing.attached].place != "battlefield"
        ]  # fmt: skip
        dead = [
            i for i, thing in enumerate(things)
            if thing.place == "battlefield" and thing.is_a("creature")
            and thing.damage >= CARDS[thing.card].toughness + self.added(things, i)
            and not (CARDS[thing.card].indestructible and "702.12b" not in self.dropped)
        ]  # fmt: skip
        if not going and not loose and not dead:
            return None, [(world, rest)]
        doom = self.doomed(world, tuple(dead), "damage", final=False)
        leaving = tuple(Move(i, "battlefield", "graveyard", "rule") for i in loose)
        return None, [(world, (doom._replace(leaving=leaving), Check(), *rest))]

    @staticmethod
    def added(things: tuple[Thing, ...], number: int) -> int:
        """What Auras add to the toughness."""
        size = {"Boar Umbra": 3, "Hyena Umbra": 1}
        return sum(size[t.card] for t in things if t.attached == number)


def outcome_of(world: World) -> Outcome:
    """What can be seen in the end."""
    found: set[tuple[str, str, object]] = set()
    for number, thing in enumerate(world.things):
        name = f"t{number}"
        if thing.place == "battlefield":
            found.add(("on_battlefield", name, thing.controller))
            if thing.tapped:
                found.add(("tapped", name, True))
            if thing.shield + thing.finality:
                found.add(("counters", name, thing.shield + thing.finality))
        elif thing.place not in ("library", "gone"):
            found.add((f"in_{thing.place}", name, thing.owner))
    for word, lists in (("library_top", world.tops), ("library_bottom", world.bottoms)):
        for seat, cards in enumerate(lists):
            if cards:
                found.add((word, str(seat), tuple(f"t{i}" for i in cards)))
    for word, numbers in (("zombie", world.zombies), ("gained", world.life)):
        found |= {(word, str(seat), n) for seat, n in enumerate(numbers) if n}
    return frozenset(found)


def play(board: Board, dropped: str = "") -> tuple[Counter[Outcome], list[frozenset[Outcome]]]:
    """Outcome -> number of orders; and for each seat the outcomes that it can force."""
    oracle = Oracle(board, frozenset({dropped} if dropped else ()))
    start = oracle.start()
    seats = range(board.players)
    return oracle.orders(start), [oracle.forceable(start, seat) for seat in seats]
