"""Damage, life, counters and tokens, replaced and prevented, by plain recursion.

Each effect is written out from what its card does, as a function of one event: it gives the
event that takes its place and what follows immediately afterwards, or ``None`` where it does
not apply.  All sequences of application are followed (CR 616.1); nothing here knows
answer-set programs or the package under test.
"""

# Effects have one signature, and few need all of it.
# ruff: noqa: ARG005
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple


class Source(NamedTuple):
    """What deals damage or puts counters: whose it is, its color, and whether it is a spell."""

    controller: int
    color: str
    spell: bool = True


class Event(NamedTuple):
    """Something that would happen.

    ``to`` is a seat, or the number of a permanent from 100 on.  ``bag`` holds the tokens of
    a creation by kind; ``counter`` is the kind of counters.
    """

    verb: str
    to: int
    number: int = 0
    source: Source | None = None
    counter: str = ""
    bag: tuple[tuple[str, int], ...] = ()


class Change(NamedTuple):
    """What an effect makes of an event; ``fresh``: what follows is an event of its own."""

    event: Event | None
    then: tuple[Event, ...] = ()
    fresh: bool = False


@dataclass(frozen=True)
class Permanent:
    """One copy of a card on the battlefield."""

    card: str
    controller: int


@dataclass(frozen=True)
class Board:
    """Who has what, and the one event that would happen."""

    players: int
    permanents: tuple[Permanent, ...]
    event: Event
    active: int = 0

    def controller(self, to: int) -> int:
        """Whose the affected object is; a player is affected in person."""
        return to if to < 100 else self.permanents[to - 100].controller

    def creature(self, to: int) -> bool:
        """Whether the affected object is a creature."""
        return to >= 100 and self.permanents[to - 100].card in CREATURES


#: (board, number of the permanent that has the ability, its controller, event) -> change.
Apply = Callable[[Board, int, int, Event], "Change | None"]

#: The cards whose permanents are creatures: they can be dealt damage.
CREATURES = {
    "Torbran, Thane of Red Fell", "Embermaw Hellion", "Benevolent Unicorn", "Palisade Giant",
    "Soul-Scar Mage", "Swans of Bryn Argoll", "Vigor", "Purity", "Rhox Faithmender",
    "Angel of Vitality", "Bloodletter of Aclazotz", "Winding Constrictor", "Vizier of Remedies",
    "Vorinclex, Monstrous Raider", "Chatterfang, Squirrel General", "Xorn",
    "Academy Manufactor", "Gisela, Blade of Goldnight", "Grizzly Bears",
}  # fmt: skip

#: Of which a player has one (CR 704.5j).
LEGENDARY = {
    "Torbran, Thane of Red Fell", "Vorinclex, Monstrous Raider", "Chatterfang, Squirrel General",
    "Gisela, Blade of Goldnight", "Alhammarret's Archive",
}  # fmt: skip


def _number(event: Event, number: int) -> Event | None:
    return replace_number(event, number) if number > 0 else None


def replace_number(event: Event, number: int) -> Event:
    """The same event with another number."""
    return event._replace(number=number)


def _damage(fits: Callable[[Board, int, int, Event], bool], number: Callable[[int], int]) -> Apply:
    def apply(board: Board, me: int, you: int, event: Event) -> Change | None:
        if event.verb != "damage" or not fits(board, me, you, event):
            return None
        return Change(_number(event, number(event.number)))

    return apply


def _same(verb: str, mine: bool, number: Callable[[int], int]) -> Apply:
    def apply(board: Board, me: int, you: int, event: Event) -> Change | None:
        del board, me
        if event.verb != verb or (event.to == you) != mine:
            return None
        return Change(_number(event, number(event.number)))

    return apply


def _opposing(board: Board, me: int, you: int, event: Event) -> bool:
    del me
    return board.controller(event.to) != you


def _own_source(event: Event, you: int) -> bool:
    return event.source is not None and event.source.controller == you


def _palisade(board: Board, me: int, you: int, event: Event) -> Change | None:
    if event.verb != "damage" or board.controller(event.to) != you or event.to == me:
        return None
    return Change(event._replace(to=me))


def _soul_scar(board: Board, me: int, you: int, event: Event) -> Change | None:
    if event.verb != "damage" or not _own_source(event, you) or not board.creature(event.to):
        return None
    if not _opposing(board, me, you, event):
        return None
    put = Event("counters", event.to, event.number, Source(you, "red"), "minus_one")
    return Change(put)


def _purity(board: Board, me: int, you: int, event: Event) -> Change | None:
    del board, me
    if event.verb != "damage" or event.to != you:
        return None
    return Change(None, (Event("gain", you, event.number),), fresh=True)


def _vigor(board: Board, me: int, you: int, event: Event) -> Change | None:
    if event.verb != "damage" or not board.creature(event.to) or event.to == me:
        return None
    if board.controller(event.to) != you:
        return None
    put = Event("counters", event.to, event.number, Source(you, "green"), "plus_one")
    return Change(None, (put,), fresh=True)


def _swans(board: Board, me: int, you: int, event: Event) -> Change | None:
    del board, you
    if event.verb != "damage" or event.to != me or event.source is None:
        return None
    drawn = Event("draw", event.source.controller, event.number)
    return Change(None, (drawn,), fresh=True)


def _gisela(board: Board, me: int, you: int, event: Event) -> Change | None:
    if event.verb != "damage" or board.controller(event.to) != you:
        return None
    del me
    return Change(_number(event, event.number // 2))


def _remedy(board: Board, me: int, you: int, event: Event) -> Change | None:
    del board, me
    if event.verb != "gain" or event.to == you:
        return None
    return Change(Event("lose", event.to, event.number))


def _bloodletter(board: Board, me: int, you: int, event: Event) -> Change | None:
    del me
    if event.verb != "lose" or event.to == you or board.active != you:
        return None
    return Change(replace_number(event, 2 * event.number))


def _counters(
    kinds: str, fits: Callable[[Board, int, int, Event], bool], number: Callable[[int], int]
) -> Apply:
    def apply(board: Board, me: int, you: int, event: Event) -> Change | None:
        if event.verb != "counters" or (kinds and event.counter != kinds):
            return None
        if not fits(board, me, you, event):
            return None
        return Change(_number(event, number(event.number)))

    return apply


def _own_creature(board: Board, me: int, you: int, event: Event) -> bool:
    del me
    return board.creature(event.to) and board.controller(event.to) == you


def _own_permanent(board: Board, me: int, you: int, event: Event) -> bool:
    del me
    return event.to >= 100 and board.controller(event.to) == you


def _bag(change: Callable[[dict[str, int]], dict[str, int] | None]) -> Apply:
    def apply(board: Board, me: int, you: int, event: Event) -> Change | None:
        del board, me
        if event.verb != "tokens" or event.to != you:
            return None
        bag = change(dict(event.bag))
        return None if bag is None else Change(event._replace(bag=tuple(sorted(bag.items()))))

    return apply


def _twice(bag: dict[str, int]) -> dict[str, int]:
    return {kind: 2 * number for kind, number in bag.items()}


def _plus(bag: dict[str, int], kind: str, number: int) -> dict[str, int]:
    return bag | {kind: bag.get(kind, 0) + number}


def _visitation(bag: dict[str, int]) -> dict[str, int] | None:
    hit = {kind: number for kind, number in bag.items() if kind in CREATURE_TOKENS}
    if not hit:
        return None
    rest = {kind: number for kind, number in bag.items() if kind not in CREATURE_TOKENS}
    return _plus(rest, "angel", sum(hit.values()))


def _xorn(bag: dict[str, int]) -> dict[str, int] | None:
    return _plus(bag, "treasure", 1) if "treasure" in bag else None


def _manufactor(bag: dict[str, int]) -> dict[str, int] | None:
    trio = ("clue", "food", "treasure")
    number = sum(bag.get(kind, 0) for kind in trio)
    if not number:
        return None
    rest = {kind: n for kind, n in bag.items() if kind not in trio}
    return rest | dict.fromkeys(trio, number)


#: Tokens that are creatures.
CREATURE_TOKENS = {"soldier", "squirrel", "angel"}


def _any(board: Board, me: int, you: int, event: Event) -> bool:
    del board, me, you, event
    return True


def _red_at_opponents(board: Board, me: int, you: int, event: Event) -> bool:
    red = event.source is not None and event.source.color == "red"
    return red and _own_source(event, you) and _opposing(board, me, you, event)


def _another_red(board: Board, me: int, you: int, event: Event) -> bool:
    del board, me
    return event.source is not None and event.source.color == "red" and _own_source(event, you)


def _yours(board: Board, me: int, you: int, event: Event) -> bool:
    del board, me
    return _own_source(event, you)


def _theirs(board: Board, me: int, you: int, event: Event) -> bool:
    del board, me
    return event.source is not None and event.source.controller != you


EFFECTS: dict[str, tuple[Apply, ...]] = {
    "Furnace of Rath": (_damage(_any, lambda n: 2 * n),),
    "Torbran, Thane of Red Fell": (_damage(_red_at_opponents, lambda n: n + 2),),
    "Embermaw Hellion": (_damage(_another_red, lambda n: n + 1),),
    "Fiery Emancipation": (_damage(_yours, lambda n: 3 * n),),
    "Benevolent Unicorn": (
        _damage(lambda b, m, y, e: e.source is not None and e.source.spell, lambda n: n - 1),
    ),
    "Divine Presence": (_damage(lambda b, m, y, e: e.number >= 4, lambda n: 3),),
    "Urza's Armor": (_damage(lambda b, m, y, e: e.to == y, lambda n: n - 1),),
    "Gisela, Blade of Goldnight": (_damage(_opposing, lambda n: 2 * n), _gisela),
    "Palisade Giant": (_palisade,),
    "Soul-Scar Mage": (_soul_scar,),
    "Purity": (_purity,),
    "Vigor": (_vigor,),
    "Swans of Bryn Argoll": (_swans,),
    "Boon Reflection": (_same("gain", True, lambda n: 2 * n),),
    "Rhox Faithmender": (_same("gain", True, lambda n: 2 * n),),
    "Alhammarret's Archive": (_same("gain", True, lambda n: 2 * n),),
    "Angel of Vitality": (_same("gain", True, lambda n: n + 1),),
    "Tainted Remedy": (_remedy,),
    "Bloodletter of Aclazotz": (_bloodletter,),
    "Hardened Scales": (_counters("plus_one", _own_creature, lambda n: n + 1),),
    "Branching Evolution": (_counters("plus_one", _own_creature, lambda n: 2 * n),),
    "Winding Constrictor": (_counters("", _own_creature, lambda n: n + 1),),
    "Vizier of Remedies": (_counters("minus_one", _own_creature, lambda n: n - 1),),
    "Vorinclex, Monstrous Raider": (
        _counters("", _yours, lambda n: 2 * n),
        _counters("", _theirs, lambda n: n // 2),
    ),
    "Doubling Season": (
        _bag(_twice),
        _counters("", _own_permanent, lambda n: 2 * n),
    ),
    "Parallel Lives": (_bag(_twice),),
    "Chatterfang, Squirrel General": (_bag(lambda b: _plus(b, "squirrel", sum(b.values()))),),
    "Divine Visitation": (_bag(_visitation),),
    "Xorn": (_bag(_xorn),),
    "Academy Manufactor": (_bag(_manufactor),),
}

#: What an order ends with: ``(observable, seat or number of a permanent) -> number``.
Outcome = frozenset[tuple[tuple[str, int], int]]


@dataclass
class _Oracle:
    board: Board
    abilities: list[tuple[int, int, Apply]] = field(default_factory=list)
    known: dict[object, Counter[Outcome]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.abilities = [
            (100 + place, permanent.controller, apply)
            for place, permanent in enumerate(self.board.permanents)
            for apply in EFFECTS.get(permanent.card, ())
        ]

    def ways(self, event: Event, used: frozenset[int]) -> Iterator[tuple[int, Change]]:
        """The effects that can be applied next, with what they make of the event."""
        for number, (me, you, apply) in enumerate(self.abilities):
            if number not in used:
                change = apply(self.board, me, you, event)
                if change is not None:
                    yield number, change

    def count(
        self,
        event: Event | None,
        used: frozenset[int],
        then: tuple[tuple[Event, frozenset[int]], ...],
        agenda: tuple[tuple[Event, frozenset[int]], ...],
    ) -> Counter[Outcome]:
        """Orders by outcome: of an event, of what follows it, of what comes after that."""
        key = (event, used, then, agenda)
        if key not in self.known:
            self.known[key] = self._count(event, used, then, agenda)
        return self.known[key]

    def _count(
        self,
        event: Event | None,
        used: frozenset[int],
        then: tuple[tuple[Event, frozenset[int]], ...],
        agenda: tuple[tuple[Event, frozenset[int]], ...],
    ) -> Counter[Outcome]:
        found: Counter[Outcome] = Counter()
        ways = [] if event is None else list(self.ways(event, used))
        for number, change in ways:
            now = used | {number}
            more = tuple((e, frozenset() if change.fresh else now) for e in change.then if e.number)
            found.update(self.count(change.event, now, then + more, agenda))
        if ways:
            return found
        done, follows = self.happen(event, used)
        rest = follows + then + agenda
        if not rest:
            return Counter({frozenset(done.items()): 1})
        (first, had), later = rest[0], rest[1:]
        for outcome, orders in self.count(first, had, (), later).items():
            total = Counter(done)
            total.update(dict(outcome))
            found[frozenset(total.items())] += orders
        return found

    def happen(
        self, event: Event | None, used: frozenset[int]
    ) -> tuple[Counter[tuple[str, int]], tuple[tuple[Event, frozenset[int]], ...]]:
        """What the event changes, and what it contains."""
        match event:
            case None:
                return Counter(), ()
            case Event("damage", to, number) if to < 100:
                loss = Event("lose", to, number)
                return Counter({("damaged", to): number}), ((loss, used),)
            case Event("damage", to, number):
                return Counter({("damaged", to): number}), ()
            case Event("gain", to, number):
                return Counter({("life", to): number}), ()
            case Event("lose", to, number):
                return Counter({("life", to): -number}), ()
            case Event("counters", to, number):
                return Counter({(event.counter, to): number}), ()
            case Event("draw", to, number):
                return Counter({("drawn", to): number}), ()
            case Event("tokens", to):
                return Counter({(kind, to): number for kind, number in event.bag}), ()
        raise AssertionError(event)


def count_orders(board: Board) -> Counter[Outcome]:
    """Outcome -> number of orders, copies of a card told apart."""
    return _Oracle(board).count(board.event, frozenset(), (), ())


def kept(permanents: Iterable[Permanent]) -> tuple[Permanent, ...]:
    """Without further copies of one player that the legend rule would take."""
    found: list[Permanent] = []
    for permanent in permanents:
        if permanent.card not in LEGENDARY or permanent not in found:
            found.append(permanent)
    return tuple(found)
