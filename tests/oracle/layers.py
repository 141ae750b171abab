"""CR 613 in plain Python, written from the rules: what continuous effects make of objects.

Nothing here is shared with the encodings.  An effect is from a static ability of an object and
exists as long as the object has its rules text; it applies to all objects of its kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

#: What a land type that is set takes with it, and what a creature type does.
LAND_TYPES = frozenset({"forest", "swamp", "mountain"})
CREATURE_TYPES = frozenset({"goblin", "elf"})
TYPES = frozenset({"artifact", "creature", "enchantment", "land"})
COLORS = frozenset({"red", "green"})
KEYWORDS = frozenset({"flying", "vigilance"})
#: The rules text, and the mana abilities that come with land types.
TEXT, INTRINSIC = "text", "intrinsic"

#: In which layer a change is made.
LAYER = {
    "add_type": 4, "remove_type": 4, "add_subtype": 4, "set_land_type": 4,
    "set_creature_type": 4, "lose_land_types": 4, "lose_creature_types": 4,
    "add_color": 5, "set_color": 5, "become_colorless": 5,
    "gain": 6, "lose": 6, "cannot_have": 6, "lose_abilities": 6,
    "set_size": 7, "add_size": 8,
}  # fmt: skip


@dataclass
class Thing:
    """An object: its types, subtypes and colors, its abilities, its power and toughness."""

    words: set[str]
    abilities: set[str]
    size: tuple[int, int]
    refuses: set[str] = field(default_factory=set)

    def copy(self) -> Thing:
        """A thing of its own that is the same."""
        return Thing(set(self.words), set(self.abilities), self.size, set(self.refuses))

    def fits(self, kind: tuple[str, ...]) -> bool:
        """Whether it is of a kind: all of its parts, each a word or ``non`` a word."""
        return all(
            (part[1:] not in self) if part.startswith("-") else part in self for part in kind
        )

    def __contains__(self, word: str) -> bool:
        return word == "permanent" or word in self.words or word in self.abilities


@dataclass(frozen=True)
class Effect:
    """A static ability of `source`: objects of the kind change so; `time` is its timestamp."""

    source: str
    kind: tuple[str, ...]
    changes: tuple[tuple[str, str | tuple[int, int]], ...]
    time: int

    def layers(self) -> set[int]:
        """The layers that it has parts in."""
        return {LAYER[what] for what, _ in self.changes}

    def brings(self, layer: int) -> set[str]:
        """What it gives in a layer."""
        what = {"add_type", "add_subtype", "set_land_type", "set_creature_type", "add_color"}
        what |= {"set_color", "gain"}
        return {str(w) for c, w in self.changes if LAYER[c] == layer and c in what}

    def takes(self, layer: int) -> set[str]:
        """What it takes away in a layer."""
        found: set[str] = set()
        for change, word in self.changes:
            if LAYER[change] != layer:
                continue
            match change:
                case "remove_type":
                    found |= {str(word)}
                    found |= LAND_TYPES if word == "land" else set()
                    found |= CREATURE_TYPES if word == "creature" else set()
                case "set_land_type":  # CR 305.7
                    found |= LAND_TYPES | KEYWORDS | {TEXT}
                case "lose_land_types":
                    found |= LAND_TYPES
                case "set_creature_type" | "lose_creature_types":
                    found |= CREATURE_TYPES
                case "set_color" | "become_colorless":
                    found |= COLORS
                case "lose_abilities":
                    found |= KEYWORDS | {TEXT, INTRINSIC}
                case "lose" | "cannot_have":
                    found |= {str(word)}
        return found - self.brings(layer)

    def refused(self, layer: int) -> set[str]:
        """What things can't have because of it (CR 113.11)."""
        return {str(w) for c, w in self.changes if c == "cannot_have" and LAYER[c] == layer}


Things = dict[str, Thing]
#: Who waits for whom, why, and because of what.
Edge = tuple[str, str, str, str]


@dataclass
class Trace:
    """One application: the layer, the effect, and the dependencies among those left."""

    layer: int
    effect: str
    edges: set[Edge]


def evaluate(things: Things, effects: list[Effect]) -> tuple[Things, list[Trace]]:
    """What the objects are in the end, and how it came about."""
    now = {name: thing.copy() for name, thing in things.items()}
    begun: dict[Effect, set[str]] = {}
    trace: list[Trace] = []
    for layer in (4, 5, 6):
        applied: set[Effect] = set()
        while left := [e for e in _there(now, effects, begun, layer) if e not in applied]:
            edges = set(_edges(now, left, begun, layer))
            first = _first(left, edges)
            trace.append(Trace(layer, first.source, edges))
            reached = _reach(now, first, begun)
            begun.setdefault(first, reached)
            now = _apply(now, first, reached, layer)
            applied.add(first)
    for layer in (7, 8):
        for effect in sorted(_there(now, effects, begun, layer), key=lambda e: e.time):
            reached = _reach(now, effect, begun)
            begun.setdefault(effect, reached)
            for change, value in effect.changes:
                if LAYER[change] == layer and isinstance(value, tuple):
                    for name in reached:
                        p, t = now[name].size
                        more = value if layer == 7 else (p + value[0], t + value[1])
                        now[name].size = more
    return now, trace


def _there(
    now: Things, effects: list[Effect], begun: dict[Effect, set[str]], layer: int
) -> list[Effect]:
    return [
        effect
        for effect in effects
        if layer in effect.layers() and (effect in begun or TEXT in now[effect.source].abilities)
    ]


def _reach(now: Things, effect: Effect, begun: dict[Effect, set[str]]) -> set[str]:
    if effect in begun:  # CR 613.6
        return begun[effect]
    return {name for name, thing in now.items() if thing.fits(effect.kind)}


def _apply(now: Things, effect: Effect, reached: set[str], layer: int) -> Things:
    after = {name: thing.copy() for name, thing in now.items()}
    for name in reached:
        thing = after[name]
        gone, new = effect.takes(layer), effect.brings(layer) - thing.refuses
        known = KEYWORDS | {TEXT, INTRINSIC}
        thing.words = (thing.words - gone) | {w for w in new if w not in known}
        thing.abilities = (thing.abilities - gone) | {w for w in new if w in known}
        thing.refuses |= effect.refused(layer)
    return after


def _edges(
    now: Things, left: list[Effect], begun: dict[Effect, set[str]], layer: int
) -> Iterator[Edge]:
    """CR 613.8a, by trying."""
    for on in left:
        after = _apply(now, on, _reach(now, on, begun), layer)
        for effect in left:
            if effect is on or effect in begun:
                continue
            if TEXT not in after[effect.source].abilities:
                yield effect.source, on.source, "existence", effect.source
            before = {name for name, thing in now.items() if thing.fits(effect.kind)}
            then = {name for name, thing in after.items() if thing.fits(effect.kind)}
            for name in before ^ then:
                yield effect.source, on.source, "applies_to", name


def _first(left: list[Effect], edges: set[Edge]) -> Effect:
    """CR 613.8b, 613.7: the earliest of those that wait for none outside a loop of their own."""
    waits = {(a, b) for a, b, _, _ in edges}
    reach = set(waits)
    while more := {(a, d) for a, b in reach for c, d in waits if b == c} - reach:
        reach |= more
    free = [
        effect for effect in left if all((b, a) in reach for a, b in waits if a == effect.source)
    ]
    return min(free, key=lambda effect: effect.time)
