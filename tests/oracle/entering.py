"""Cards that enter the battlefield, by plain recursion: how, as what, for whom, or not at all.

Straight from CR 110.5b, 122.6, 614.1c-d, 614.12 and 616.1: before any of them enters, it is asked
of each what it would enter as, in every order of the effects.  Each effect is written out from
what its card does.  A rule can be left out (`DROPPABLE`), to see that the boards would notice.
"""

# Effects have one signature, and few need all of it.
# ruff: noqa: ARG001, ARG005
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

#: Rules that can be left out.
DROPPABLE = {
    "110.5b": "of effects that tap and untap it the last one counts",
    "122.6": "what it enters with is put on it",
    "614.12": "what it would be on the battlefield counts, not what is printed on it",
    "614.4": "what enters at the same time is not there yet",
    "614.5": "an effect gets one opportunity",
    "616.1": "the player for whom it would enter chooses",
    "616.1b": "under whose control it enters comes first",
    "616.1c": "then what it is a copy of",
    "616.1f": "all effects are applied that can be",
    "614.17": "what can't have counters enters without",
    "119.4": "no more life can be paid than there is",
}


class Printed(NamedTuple):
    """What a card is."""

    words: frozenset[str]
    toughness: int = 1


def _printed(words: str, toughness: int = 1) -> Printed:
    return Printed(frozenset(words.split()), toughness)


CARDS = {
    "Grizzly Bears": _printed("creature bear"),
    "Bramblewood Paragon": _printed("creature elf warrior"),
    "Gruul Spellbreaker": _printed("creature ogre warrior"),
    "Rusted Sentinel": _printed("artifact creature golem"),
    "Steel Dromedary": _printed("artifact creature camel"),
    "Primeval Spawn": _printed("creature avatar"),
    "Clone": _printed("creature shapeshifter", 0),
    "Undercover Operative": _printed("creature shapeshifter rogue", 0),
    "Containment Priest": _printed("creature human cleric"),
    "Essence of the Wild": _printed("creature avatar"),
    "Winding Constrictor": _printed("creature snake"),
    "Imposing Sovereign": _printed("creature human"),
    "Vivid Grove": _printed("land"),
    "Azorius Guildgate": _printed("land gate"),
    "Gond Gate": _printed("land gate"),
    "Hallowed Fountain": _printed("land plains island"),
    "Frozen Aether": _printed("enchantment"),
    "Blind Obedience": _printed("enchantment"),
    "Orb of Dreams": _printed("artifact"),
    "Root Maze": _printed("enchantment"),
    "Spelunking": _printed("enchantment"),
    "Rhythm of the Wild": _printed("enchantment"),
    "Doubling Season": _printed("enchantment"),
    "Hardened Scales": _printed("enchantment"),
    "Branching Evolution": _printed("enchantment"),
    "Solemnity": _printed("enchantment"),
}


class Copy(NamedTuple):
    """A permanent, or an effect that has resolved."""

    card: str
    controller: int


class Card(NamedTuple):
    """A card that is to enter."""

    card: str
    owner: int


class Board(NamedTuple):
    """What is there, and what enters for whom: cast, or put there (perhaps tapped)."""

    players: int
    permanents: tuple[Copy, ...]
    floating: tuple[Copy, ...]
    cards: tuple[Card, ...]
    player: int
    cast: bool = False
    tapped: bool = False
    active: int = 0
    life: int = 20


Bag = tuple[tuple[str, int], ...]


class Entry(NamedTuple):
    """What a card would enter as, and how; ``to``: where it goes."""

    number: int
    card: str
    player: int
    tapped: bool = False
    counters: Bag = ()
    to: str = "battlefield"

    def is_a(self, word: str) -> bool:
        """Whether it would be of a type or subtype."""
        return word == "permanent" or word in CARDS[self.card].words


class Way(NamedTuple):
    """What an effect makes of an entry, and the life that is paid for it."""

    entry: Entry
    paid: int = 0


#: What effects make of an entry: outright, or what its player chooses from.
Apply = Callable[["Oracle", Entry], "Way | tuple[Way, ...]"]


class Ability(NamedTuple):
    """An effect: its name and source, whether it is about an entry, what it does, its class."""

    name: str
    source: int
    apply: Apply
    rank: int = 5


def more(bag: Bag, word: str, number: int) -> Bag:
    """The bag with more counters of a kind."""
    found = dict(bag)
    found[word] = found.get(word, 0) + number
    return tuple(sorted(found.items()))


def _tap(oracle: Oracle, entry: Entry) -> Way:
    return Way(entry._replace(tapped=True))


def _untap(oracle: Oracle, entry: Entry) -> Way:
    stays = entry.tapped and "110.5b" in oracle.dropped
    return Way(entry._replace(tapped=stays))


def _with(word: str, number: int) -> Apply:
    def apply(oracle: Oracle, entry: Entry) -> Way:
        if oracle.has_no_counters():
            return Way(entry)
        return Way(entry._replace(counters=more(entry.counters, word, number)))

    return apply


def _then(first: Apply, second: Apply) -> Apply:
    def apply(oracle: Oracle, entry: Entry) -> Way:
        way = first(oracle, entry)
        assert isinstance(way, Way)
        last = second(oracle, way.entry)
        assert isinstance(last, Way)
        return last

    return apply


def _riot(oracle: Oracle, entry: Entry) -> tuple[Way, ...]:
    counter = _with("plus_one", 1)(oracle, entry)
    assert isinstance(counter, Way)
    return (counter, Way(entry))


def _fountain(oracle: Oracle, entry: Entry) -> tuple[Way, ...]:
    return (Way(entry, 2), Way(entry._replace(tapped=True)))


def _to_exile(oracle: Oracle, entry: Entry) -> Way:
    return Way(entry._replace(to="exile"))


def _copies(shield: bool) -> Apply:
    def apply(oracle: Oracle, entry: Entry) -> tuple[Way, ...]:
        ways = [Way(entry)]
        for other in oracle.there():
            if "creature" in CARDS[other.card].words:
                copy = entry._replace(card=other.card)
                if shield and other.controller == entry.player:
                    shielded = _with("shield", 1)(oracle, copy)
                    assert isinstance(shielded, Way)
                    copy = shielded.entry
                ways.append(Way(copy))
        return tuple(ways)

    return apply


def _bag(change: Callable[[str, int], int]) -> Apply:
    def apply(oracle: Oracle, entry: Entry) -> Way:
        bag = tuple((word, change(word, number)) for word, number in entry.counters)
        return Way(entry._replace(counters=bag))

    return apply


#: Of the card that enters.
ITSELF: dict[str, tuple[Apply, int]] = {
    "Rusted Sentinel": (_tap, 5),
    "Azorius Guildgate": (_tap, 5),
    "Vivid Grove": (_then(_tap, _with("charge", 2)), 5),
    "Steel Dromedary": (_then(_tap, _with("plus_one", 2)), 5),
    "Gruul Spellbreaker": (_riot, 5),
    "Hallowed Fountain": (_fountain, 5),
    "Primeval Spawn": (_to_exile, 5),
    "Clone": (_copies(shield=False), 3),
    "Undercover Operative": (_copies(shield=True), 3),
}

#: Of permanents: whose entries (``you``, ``opponent``, ``any``), of what (any of these types and
#: subtypes), what becomes of them.
OTHERS: dict[str, tuple[str, str, Apply]] = {
    "Frozen Aether": ("opponent", "artifact creature land", _tap),
    "Blind Obedience": ("opponent", "artifact creature", _tap),
    "Imposing Sovereign": ("opponent", "creature", _tap),
    "Orb of Dreams": ("any", "permanent", _tap),
    "Root Maze": ("any", "artifact land", _tap),
    "Spelunking": ("you", "land", _untap),
    "Gond Gate": ("you", "gate", _untap),
    "Bramblewood Paragon": ("you", "warrior", _with("plus_one", 1)),
    "Rhythm of the Wild": ("you", "creature", _riot),
    "Containment Priest": ("any", "creature", _to_exile),
}

#: Of permanents, on the counters that it would enter with: of what, of which counters.
ON_COUNTERS: dict[str, tuple[str, str, Apply]] = {
    "Doubling Season": ("permanent", "", _bag(lambda word, number: 2 * number)),
    "Winding Constrictor": ("artifact creature", "", _bag(lambda word, number: number + 1)),
    "Hardened Scales": (
        "creature", "plus_one",
        _bag(lambda word, number: number + (word == "plus_one")),
    ),
    "Branching Evolution": (
        "creature", "plus_one",
        _bag(lambda word, number: number * (1 + (word == "plus_one"))),
    ),
}  # fmt: skip


class Plan(NamedTuple):
    """A card would enter: its effects are applied; then it is the turn of the next."""

    entry: Entry
    used: tuple[tuple[str, int], ...] = ()


class Choice(NamedTuple):
    """Its player chooses what an effect does."""

    ways: tuple[Way, ...]
    used: tuple[tuple[str, int], ...]


class State(NamedTuple):
    """What is being asked, what has been planned, the life of the player."""

    item: Plan | Choice | None
    settled: tuple[Entry, ...]
    life: int


Outcome = frozenset[tuple[str, str, object]]


@dataclass
class Oracle:
    """All games on one board, without the rules in `dropped`."""

    board: Board
    dropped: frozenset[str] = frozenset()
    counted: dict[State, Counter[Outcome]] = field(default_factory=dict)
    forced: dict[tuple[State, int], frozenset[Outcome]] = field(default_factory=dict)
    settled: tuple[Entry, ...] = ()

    def start(self) -> State:
        """Before anything is asked."""
        return State(self.first(0), (), self.board.life)

    def first(self, number: int) -> Plan | None:
        """The card, as it would enter without any effect."""
        board = self.board
        if number == len(board.cards):
            return None
        card = board.cards[number].card
        return Plan(Entry(number, card, board.player, tapped=board.tapped))

    def there(self) -> list[Copy]:
        """The permanents that count."""
        found = list(self.board.permanents)
        if "614.4" in self.dropped:
            found += [Copy(e.card, e.player) for e in self.settled if e.to == "battlefield"]
        return found

    def has_no_counters(self) -> bool:
        """CR 614.17: Solemnity is there."""
        return "614.17" not in self.dropped and any(p.card == "Solemnity" for p in self.there())

    # --- Effects ---------------------------------------------------------------------------

    def abilities(self, entry: Entry) -> Iterator[Ability]:
        """The effects that apply to an entry."""
        printed = self.board.cards[entry.number].card
        seen = entry._replace(card=printed) if "614.12" in self.dropped else entry
        cast = self.board.cast
        itself = ITSELF.get(seen.card)
        if itself and not (seen.card == "Primeval Spawn" and cast):
            apply, rank = itself
            yield Ability(f"own {seen.card}", -1, apply, rank)
        for source, copy in enumerate(self.there()):
            mine = copy.controller == entry.player
            if copy.card == "Essence of the Wild" and mine and seen.is_a("creature"):
                yield Ability(copy.card, source, self.become("Essence of the Wild"), 3)
            if copy.card in OTHERS:
                scope, words, apply = OTHERS[copy.card]
                fits = any(seen.is_a(word) for word in words.split())
                right = scope == "any" or (scope == "you") == mine
                if fits and right and not (copy.card == "Containment Priest" and cast):
                    yield Ability(copy.card, source, apply)
            if copy.card in ON_COUNTERS and mine and "122.6" not in self.dropped:
                words, word, apply = ON_COUNTERS[copy.card]
                fits = any(seen.is_a(word) for word in words.split())
                if fits and entry.counters and (not word or word in dict(entry.counters)):
                    yield Ability(copy.card, source, apply)
        for source, copy in enumerate(self.board.floating):
            if not seen.is_a("creature"):
                continue
            if copy.card == "Gather Specimens" and copy.controller != entry.player:
                yield Ability(copy.card, source, self.taken(copy.controller), 2)
            if copy.card == "Hallowed Moonlight" and not cast:
                yield Ability(copy.card, source, _to_exile)

    @staticmethod
    def become(card: str) -> Apply:
        """It enters as a copy of the card."""
        return lambda oracle, entry: Way(entry._replace(card=card))

    @staticmethod
    def taken(seat: int) -> Apply:
        """It enters under the control of the seat."""
        return lambda oracle, entry: Way(entry._replace(player=seat))

    # --- Folds -----------------------------------------------------------------------------

    def orders(self, state: State) -> Counter[Outcome]:
        """Outcome -> number of sequences of choices."""
        if state not in self.counted:
            if state.item is None:
                return Counter({self.outcome(state): 1})
            found: Counter[Outcome] = Counter()
            for after in self.ways(state)[1]:
                found.update(self.orders(after))
            self.counted[state] = found
        return self.counted[state]

    def forceable(self, state: State, seat: int) -> frozenset[Outcome]:
        """The outcomes that one player can bring about whatever the others choose."""
        if (state, seat) not in self.forced:
            if state.item is None:
                return frozenset({self.outcome(state)})
            who, after = self.ways(state)
            sets = [self.forceable(end, seat) for end in after]
            fold = frozenset.union if who == seat or len(sets) == 1 else frozenset.intersection
            self.forced[state, seat] = fold(*sets)
        return self.forced[state, seat]

    # --- Steps -----------------------------------------------------------------------------

    def ways(self, state: State) -> tuple[int, list[State]]:
        """Who chooses, and what it leads to."""
        item = state.item
        self.settled = state.settled
        if isinstance(item, Choice):
            who = item.ways[0].entry.player
            ways = [w for w in item.ways if w.paid <= state.life or "119.4" in self.dropped]
            return self.asked(who), [
                state._replace(item=Plan(way.entry, item.used), life=state.life - way.paid)
                for way in ways
            ]
        assert item is not None
        chances = 1 if "614.5" not in self.dropped else 2
        found = [
            ability
            for ability in (self.abilities(item.entry) if item.entry.to == "battlefield" else ())
            if item.used.count(ability[:2]) < chances
        ]
        ranks = {rank for rank, rule in ((2, "616.1b"), (3, "616.1c")) if rule not in self.dropped}
        first = min((a.rank for a in found if a.rank in ranks), default=None)
        if first is not None:
            found = [ability for ability in found if ability.rank == first]
        after = []
        for ability in found:
            used = tuple(sorted([*item.used, ability[:2]]))
            made = ability.apply(self, item.entry)
            new = Plan(made.entry, used) if isinstance(made, Way) else Choice(made, used)
            after.append(state._replace(item=new))
        if not found or "616.1f" in self.dropped:
            settled = (*state.settled, item.entry)
            after.append(State(self.first(len(settled)), settled, state.life))
        return self.asked(item.entry.player), after

    def asked(self, seat: int) -> int:
        """Who chooses."""
        return seat if "616.1" not in self.dropped else (seat + 1) % self.board.players

    # --- Outcomes --------------------------------------------------------------------------

    def outcome(self, state: State) -> Outcome:
        """What can be seen in the end; what has no toughness has died (CR 704.5f)."""
        found: set[tuple[str, str, object]] = set()
        for entry in state.settled:
            card = self.board.cards[entry.number]
            name = f"t{entry.number}"
            if entry.to == "exile":
                found.add(("in_exile", name, card.owner))
                continue
            counters = dict(entry.counters)
            alive = CARDS[entry.card].toughness + counters.get("plus_one", 0) > 0
            if not alive:
                found.add(("in_graveyard", name, card.owner))
                continue
            if entry.card != card.card:
                constant = entry.card.lower().replace("'", "").replace(" ", "_")
                name = f"copy({name},{constant})"
            found.add(("on_battlefield", name, entry.player))
            if entry.tapped:
                found.add(("tapped", name, True))
            found |= {(f"{word} counters", name, number) for word, number in counters.items()}
        if state.life != self.board.life:
            found.add(("paid", str(self.board.player), self.board.life - state.life))
        return frozenset(found)


def play(board: Board, dropped: str = "") -> tuple[Counter[Outcome], list[frozenset[Outcome]]]:
    """Outcome -> number of orders; and for each seat the outcomes that it can force."""
    oracle = Oracle(board, frozenset({dropped} if dropped else ()))
    start = oracle.start()
    seats = range(board.players)
    return oracle.orders(start), [oracle.forceable(start, seat) for seat in seats]
