"""Paying mana and making it, tried out one mana at a time.

Nothing is taken from the encodings: what cards do is said again here.  CR 106.6, 107.4,
118.3, 302.6, 605.3a, 605.4a, 702.51a, 702.126a.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product

TYPES = ("white", "blue", "black", "red", "green", "colorless")
COLORS = TYPES[:5]
LETTERS = dict(zip("WUBRGC", TYPES, strict=True))

#: Mana of each type, sorted.
Pool = tuple[tuple[str, int], ...]
#: What a mana can be of to pay for a demand; nothing is two life.
Demand = tuple[str, ...]


def pool_of(counts: dict[str, int]) -> Pool:
    return tuple(sorted((kind, number) for kind, number in counts.items() if number))


# --- Paying ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Helper:
    """A permanent tapped to help: what it pays for besides generic mana."""

    card: str
    pays: tuple[str, ...]
    how: str


HELPERS = (
    Helper("Llanowar Elves", ("green",), "convoke"),
    Helper("Notion Thief", ("blue", "black"), "convoke"),
    Helper("Memnite", (), "convoke"),
    Helper("Mox Ruby", (), "improvise"),
)

SYMBOLS = (
    *("0", "1", "2", "W", "U", "G", "C"),
    *("W/U", "G/U", "R/G", "C/R", "2/W", "2/B", "U/P", "G/P", "G/U/P"),
)


def ways(symbol: str) -> list[list[Demand]]:
    """The ways to pay for a symbol (CR 107.4)."""
    if symbol.isdigit():
        return [[TYPES] * int(symbol)]
    *halves, last = symbol.split("/")
    if last == "P":
        return [*_each_of(halves), [()]]
    if halves == ["2"]:
        return [[TYPES, TYPES], *_each_of([last])]
    return _each_of([*halves, last])


def _each_of(letters: Iterable[str]) -> list[list[Demand]]:
    return [[(LETTERS[letter],)] for letter in letters]


def payments(
    pool: dict[str, int], life: int, symbols: Sequence[str], helpers: Sequence[Helper]
) -> set[tuple[Pool, int]]:
    """What pool and how much life can be left; every helper has to help."""
    found = set()

    def pay(demands: Sequence[Demand], pool: Counter[str], life: int, used: frozenset[int]) -> None:
        if not demands:
            if len(used) == len(helpers):
                found.add((pool_of(pool), life))
            return
        (demand, *rest) = demands
        if not demand and life >= 2:
            pay(rest, pool, life - 2, used)
        for kind in demand:
            if pool[kind]:
                pay(rest, pool - Counter([kind]), life, used)
        for number, helper in enumerate(helpers):
            if number not in used and (demand == TYPES or set(demand) & set(helper.pays)):
                pay(rest, pool, life, used | {number})

    for chosen in product(*map(ways, symbols)):
        pay([demand for part in chosen for demand in part], Counter(pool), life, frozenset())
    return found


# --- Making ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ability:
    """A mana ability: what it costs, and what it can add."""

    adds: tuple[dict[str, int], ...] | str
    mana: tuple[Demand, ...] = ()
    taps: bool = True
    sacrifice: bool = False
    taps_creature: bool = False
    life: int = 0


def _any(number: int, kinds: Iterable[str]) -> tuple[dict[str, int], ...]:
    return tuple(dict(Counter(some)) for some in combinations_with_replacement(kinds, number))


@dataclass(frozen=True)
class Source:
    """What a card is, and its mana abilities."""

    types: str
    abilities: tuple[Ability, ...]


ANY = (TYPES,)
SOURCES = {
    "Forest": Source("land", (Ability(_any(1, ["green"])),)),
    "Swamp": Source("land swamp", (Ability(_any(1, ["black"])),)),
    "Plains": Source("land", (Ability(_any(1, ["white"])),)),
    "Mystic Gate": Source(
        "land",
        (
            Ability(_any(1, ["colorless"])),
            Ability(_any(2, ["white", "blue"]), mana=(("white", "blue"),)),
        ),
    ),
    "Gruul Signet": Source("artifact", (Ability(({"red": 1, "green": 1},), mana=ANY),)),
    "Simic Signet": Source("artifact", (Ability(({"blue": 1, "green": 1},), mana=ANY),)),
    "Castle Sengir": Source(
        "land",
        (
            Ability(_any(1, ["colorless"])),
            Ability(_any(1, ["black"]), mana=ANY),
            Ability(_any(1, ["blue", "red"]), mana=ANY * 2),
        ),
    ),
    "Crystal Vein": Source(
        "land",
        (Ability(_any(1, ["colorless"])), Ability(_any(2, ["colorless"]), sacrifice=True)),
    ),
    "Eye of Ramos": Source(
        "artifact",
        (Ability(_any(1, ["blue"])), Ability(_any(1, ["blue"]), taps=False, sacrifice=True)),
    ),
    "Springleaf Drum": Source("artifact", (Ability(_any(1, COLORS), taps_creature=True),)),
    "Llanowar Elves": Source("creature", (Ability(_any(1, ["green"])),)),
    "Memnite": Source("creature artifact", ()),
    "Horizon Canopy": Source("land", (Ability(_any(1, ["green", "white"]), life=1),)),
    "Cabal Coffers": Source("land", (Ability("black for each swamp", mana=ANY * 2),)),
    "Doubling Cube": Source("artifact", (Ability("as much again", mana=ANY * 3),)),
    "Mox Ruby": Source("artifact", (Ability(_any(1, ["red"])),)),
}


@dataclass(frozen=True)
class Permanent:
    """A card on the battlefield, and whether it came this turn."""

    card: str
    sick: bool


@dataclass(frozen=True)
class Moment:
    """Which permanents are tapped and gone, the pool and the player's life."""

    tapped: frozenset[int]
    gone: frozenset[int]
    pool: Pool
    life: int


def options(permanents: Sequence[Permanent], life: int, *, flare: bool) -> list[Pool]:
    """The pools that a player can make, without those that another one exceeds."""
    start = Moment(frozenset(), frozenset(), (), life)
    seen, todo = {start}, [start]
    while todo:
        for then in _next(permanents, todo.pop(), flare=flare):
            if then not in seen:
                seen.add(then)
                todo.append(then)
    pools = {moment.pool for moment in seen}
    return sorted(
        pool
        for pool in pools
        if pool
        and not any(
            pool != more and all(dict(more).get(kind, 0) >= number for kind, number in pool)
            for more in pools
        )
    )


def _next(permanents: Sequence[Permanent], now: Moment, *, flare: bool) -> Iterator[Moment]:
    there = [number for number in range(len(permanents)) if number not in now.gone]
    types = [SOURCES[permanent.card].types.split() for permanent in permanents]
    for number in there:
        sick = permanents[number].sick and "creature" in types[number]
        for ability in SOURCES[permanents[number].card].abilities:
            if (ability.taps and (sick or number in now.tapped)) or ability.life > now.life:
                continue
            tapped = now.tapped | {number} if ability.taps else now.tapped
            others: list[frozenset[int]] = [tapped]
            if ability.taps_creature:
                others = [
                    tapped | {other}
                    for other in there
                    if "creature" in types[other] and other not in tapped
                ]
            gone = now.gone | {number} if ability.sacrifice else now.gone
            swamps = sum("swamp" in types[other] for other in there)
            for all_tapped in others:
                for left in _after_paying(Counter(dict(now.pool)), ability.mana):
                    adds = ability.adds
                    if adds == "black for each swamp":
                        adds = ({"black": swamps},)
                    elif isinstance(adds, str):
                        adds = (dict(left),)
                    for added in adds:
                        more = [kind for kind, some in added.items() if some]
                        watched = flare and ability.taps and "land" in types[number]
                        for extra in more if watched and more else [None]:
                            pool = left + Counter(added) + Counter([extra] if extra else [])
                            yield Moment(all_tapped, gone, pool_of(pool), now.life - ability.life)


def _after_paying(pool: Counter[str], demands: Sequence[Demand]) -> Iterator[Counter[str]]:
    if not demands:
        yield pool
        return
    for kind in demands[0]:
        if pool[kind]:
            yield from _after_paying(pool - Counter([kind]), demands[1:])
