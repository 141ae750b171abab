"""Lands, what changes the mana they produce, and what they could produce: naively.

Nothing here is shared with the verifier.  Every order of the effects is tried one by one, each
copy by itself, and what lands could produce is found by starting with nothing and looking
again until nothing changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

COLORS = "WUBRG"
TYPES = "WUBRGC"

#: Mana, as how much of each type: ``(("B", 1), ("G", 2))``.
Mana = tuple[tuple[str, int], ...]

#: What an ability adds: fixed mana, so much of any color, one mana of what other lands could
#: produce (whose lands, and whether of a color only), or green for each creature.
FIXED: dict[str, list[dict[str, int]]] = {
    "Forest": [{"G": 1}],
    "Plains": [{"W": 1}],
    "Mountain": [{"R": 1}],
    "Bayou": [{"B": 1}, {"G": 1}],
    "Tundra": [{"W": 1}, {"U": 1}],
    "Wastes": [{"C": 1}],
    "Ancient Tomb": [{"C": 2}],
}
ANY_COLOR = {"City of Brass", "Mana Confluence"}
LOOKING = {"Reflecting Pool": ("own", TYPES), "Exotic Orchard": ("other", COLORS)}
BASIC_TYPES = {
    "Forest": {"Forest"},
    "Plains": {"Plains"},
    "Mountain": {"Mountain"},
    "Bayou": {"Swamp", "Forest"},
    "Tundra": {"Plains", "Island"},
}
BASICS = {"Forest", "Plains", "Mountain", "Wastes"}
LANDS = [*FIXED, *sorted(ANY_COLOR), *LOOKING, "Gaea's Cradle"]

EFFECTS = [
    "Mana Reflection", "Nyxbloom Ancient", "Virtue of Strength", "Contamination",
    "Infernal Darkness", "Ritual of Subdual", "Damping Sphere", "Pulse of Llanowar",
    "Hall of Gemstone", "Pale Moon", "Deep Water", "Harvest Mage",
]  # fmt: skip

#: Effects of spells and abilities that resolved before.
RESOLVED = {"Pale Moon", "Deep Water", "Harvest Mage", "Hall of Gemstone"}


@dataclass(frozen=True)
class Effect:
    """One copy of a replacement effect and the seat of its controller."""

    card: str
    controller: int


@dataclass(frozen=True)
class Land:
    """One land and the seat of its controller."""

    card: str
    controller: int


@dataclass(frozen=True)
class ManaBoard:
    """Lands and effects of some players; creatures of each.

    The color chosen for each Hall of Gemstone is red.
    """

    players: int
    lands: tuple[Land, ...]
    effects: tuple[Effect, ...]
    creatures: tuple[int, ...]
    cache: dict[tuple[Land, Mana, tuple[Effect, ...]], Counter[Mana]] = field(
        default_factory=dict, compare=False, hash=False
    )


def mana(amounts: dict[str, int]) -> Mana:
    """Amounts by type, in one form."""
    return tuple(sorted((kind, number) for kind, number in amounts.items() if number))


def applies(effect: Effect, land: Land, made: Mana) -> bool:
    """Whether an effect applies to a land that is tapped by its controller for some mana."""
    own = effect.controller == land.controller
    match effect.card:
        case "Mana Reflection" | "Nyxbloom Ancient" | "Deep Water" | "Harvest Mage":
            return own
        case "Virtue of Strength" | "Pulse of Llanowar":
            return own and land.card in BASICS
        case "Damping Sphere":
            return sum(number for _, number in made) >= 2
        case "Pale Moon":
            return land.card not in BASICS
    return True


def results(effect: Effect, made: Mana) -> list[Mana]:
    """What the mana becomes, one for each choice that the effect leaves."""
    total = sum(number for _, number in made)
    match effect.card:
        case "Mana Reflection":
            return [mana({kind: 2 * number for kind, number in made})]
        case "Nyxbloom Ancient" | "Virtue of Strength":
            return [mana({kind: 3 * number for kind, number in made})]
        case "Contamination":
            return [mana({"B": 1})]
        case "Damping Sphere":
            return [mana({"C": 1})]
        case "Infernal Darkness":
            return [mana({"B": total})]
        case "Ritual of Subdual" | "Pale Moon":
            return [mana({"C": total})]
        case "Deep Water":
            return [mana({"U": total})]
        case "Pulse of Llanowar":
            return [mana({color: total}) for color in COLORS]
        case "Harvest Mage":
            return [mana({color: 1}) for color in COLORS]
        case "Hall of Gemstone":
            colorless = dict(made).get("C", 0)
            return [mana({"R": total - colorless, "C": colorless})]
    raise ValueError(effect.card)


def produced(board: ManaBoard, land: Land, made: Mana, left: tuple[Effect, ...]) -> Counter[Mana]:
    """What the mana can become in the end, and in how many orders of the effects `left`."""
    key = (land, made, left)
    if key in board.cache:
        return board.cache[key]
    found: Counter[Mana] = Counter()
    applicable = [i for i, effect in enumerate(left) if applies(effect, land, made)]
    for i in applicable:
        for result in results(left[i], made):
            found += produced(board, land, result, left[:i] + left[i + 1 :])
    if not applicable:
        found[made] = 1
    board.cache[key] = found
    return found


def creatures_of(board: ManaBoard, seat: int) -> int:
    """How many creatures a player controls; some effects come from creatures."""
    return board.creatures[seat] + sum(
        effect.card == "Nyxbloom Ancient" and effect.controller == seat for effect in board.effects
    )


def options(board: ManaBoard, land: Land, could: dict[int, set[str]]) -> Iterator[list[Mana]]:
    """For each ability of a land, what it can add."""
    if land.card in FIXED:
        for fixed in FIXED[land.card]:
            yield [mana(fixed)]
    elif land.card in ANY_COLOR:
        yield [mana({color: 1}) for color in COLORS]
    elif land.card in LOOKING:
        whose, kinds = LOOKING[land.card]
        seen = set[str]().union(
            *(
                could[number]
                for number, other in enumerate(board.lands)
                if (other.controller == land.controller) == (whose == "own")
            )
        )
        yield [mana({kind: 1}) for kind in kinds if kind in seen]
    else:
        number = creatures_of(board, land.controller)
        yield [mana({"G": number})] if number else []


def could_produce(board: ManaBoard) -> dict[int, set[str]]:
    """For each land, by its number, the types that it could produce."""
    could: dict[int, set[str]] = {number: set() for number in range(len(board.lands))}
    changed = True
    while changed:
        changed = False
        for number, land in enumerate(board.lands):
            for added in options(board, land, could):
                for made in added:
                    for final in produced(board, land, made, board.effects):
                        kinds = {kind for kind, _ in final}
                        if not kinds <= could[number]:
                            could[number] |= kinds
                            changed = True
    return could


def tapped(board: ManaBoard, number: int) -> Counter[Mana]:
    """What a land can produce when it is tapped for mana, and in how many orders.

    Choosing the ability and the mana are choices too.
    """
    found: Counter[Mana] = Counter()
    land = board.lands[number]
    for added in options(board, land, could_produce(board)):
        for made in added:
            found += produced(board, land, made, board.effects)
        if not added:
            found[()] += 1
    return found
