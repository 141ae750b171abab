"""CR 613 in plain Python, written from the rules: what continuous effects make of objects.

Nothing here is shared with the encodings.  An effect is from a static ability of an object and
exists as long as the object has its rules text; it applies to all objects of its kind that its
controller, or anyone, controls, if its condition is met.  One that defines characteristics
applies to its own object.
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
    controller: str = "alice"

    def copy(self) -> Thing:
        """A thing of its own that is the same."""
        return Thing(
            set(self.words), set(self.abilities), self.size, set(self.refuses), self.controller
        )

    def fits(self, kind: tuple[str, ...]) -> bool:
        """Whether it is of a kind: all of its parts, each a word or ``non`` a word."""
        return all(
            (part[1:] not in self) if part.startswith("-") else part in self for part in kind
        )

    def __contains__(self, word: str) -> bool:
        return word == "permanent" or word in self.words or word in self.abilities


@dataclass(frozen=True)
class Condition:
    """How many things of a kind the controller of an effect has: ``controls``, ``odd``, ..."""

    what: str
    number: int
    kind: tuple[str, ...]

    def met(self, number: int) -> bool:
        """Whether so many are enough."""
        match self.what:
            case "controls":
                return number >= self.number
            case "controls_at_most":
                return number <= self.number
            case "controls_no":
                return number == 0
        return number % 2 == 1


#: What an effect does to a thing, and only if a condition is met.
Change = tuple[str, str | tuple[int, int]]


@dataclass(frozen=True)
class Effect:
    """A static ability of `source`: objects of the kind change so; `time` is its timestamp.

    `conditional` are changes that are made only while their conditions are met.
    """

    source: str
    kind: tuple[str, ...]
    changes: tuple[Change, ...]
    time: int
    condition: Condition | None = None
    conditional: tuple[tuple[Condition, Change], ...] = ()
    yours: bool = False
    defining: bool = False

    @property
    def name(self) -> str:
        """What tells it from other effects of its source."""
        return f"{self.source} defines" if self.defining else self.source

    def layers(self) -> set[int]:
        """The layers that it has parts in."""
        return {LAYER[what] for what, _ in (*self.changes, *(c for _, c in self.conditional))}

    def does(self, now: Things) -> tuple[Change, ...]:
        """What it does as things are."""
        return self.changes + tuple(
            change for condition, change in self.conditional if holds(now, self, condition)
        )

    def brings(self, layer: int, now: Things) -> set[str]:
        """What it gives in a layer."""
        what = {"add_type", "add_subtype", "set_land_type", "set_creature_type", "add_color"}
        what |= {"set_color", "gain"}
        return {str(w) for c, w in self.does(now) if LAYER[c] == layer and c in what}

    def takes(self, layer: int, now: Things) -> set[str]:
        """What it takes away in a layer."""
        return self.removes(layer, now) - self.brings(layer, now)

    def removes(self, layer: int, now: Things) -> set[str]:
        """What its changes take away in a layer, whatever others of them give."""
        found: set[str] = set()
        for change, word in self.does(now):
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
        return found

    def refused(self, layer: int, now: Things) -> set[str]:
        """What things can't have because of it (CR 113.11)."""
        return {str(w) for c, w in self.does(now) if c == "cannot_have" and LAYER[c] == layer}


Things = dict[str, Thing]


def holds(now: Things, effect: Effect, condition: Condition) -> bool:
    """Whether a condition is met for the controller of an effect."""
    you = now[effect.source].controller
    found = [t for t in now.values() if t.controller == you and t.fits(condition.kind)]
    return condition.met(len(found))


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
            trace.append(Trace(layer, first.name, edges))
            reached = _reach(now, first, begun)
            if not _idle(now, first):
                begun.setdefault(first, reached)
            now = _apply(now, first, reached, layer)
            applied.add(first)
    for layer in (7, 8):
        sizing = {effect: effect.does(now) for effect in effects}
        for effect in sorted(_there(now, effects, begun, layer), key=_rank):
            reached = _reach(now, effect, begun)
            begun.setdefault(effect, reached)
            for change, value in sizing[effect]:
                if LAYER[change] == layer and isinstance(value, tuple):
                    for name in reached:
                        p, t = now[name].size
                        more = value if layer == 7 else (p + value[0], t + value[1])
                        now[name].size = more
    return now, trace


def _rank(effect: Effect) -> tuple[bool, int]:
    """CR 613.3, 613.4a, 613.7: those that define characteristics first, then by timestamps."""
    return not effect.defining, effect.time


def _there(
    now: Things, effects: list[Effect], begun: dict[Effect, set[str]], layer: int
) -> list[Effect]:
    return [
        effect
        for effect in effects
        if layer in effect.layers() and (effect in begun or TEXT in now[effect.source].abilities)
    ]


def _idle(now: Things, effect: Effect) -> bool:
    """Whether its condition is not met."""
    return effect.condition is not None and not holds(now, effect, effect.condition)


def _reach(now: Things, effect: Effect, begun: dict[Effect, set[str]]) -> set[str]:
    return begun[effect] if effect in begun else _looks_for(now, effect)  # CR 613.6


def _looks_for(now: Things, effect: Effect) -> set[str]:
    if effect.defining:
        return {effect.source}
    if _idle(now, effect):
        return set()
    you = now[effect.source].controller
    return {
        name
        for name, thing in now.items()
        if thing.fits(effect.kind) and not (effect.yours and thing.controller != you)
    }


def _apply(now: Things, effect: Effect, reached: set[str], layer: int) -> Things:
    after = {name: thing.copy() for name, thing in now.items()}
    for name in reached:
        thing = after[name]
        gone, new = effect.takes(layer, now), effect.brings(layer, now) - thing.refuses
        known = KEYWORDS | {TEXT, INTRINSIC}
        thing.words = (thing.words - gone) | {w for w in new if w not in known}
        thing.abilities = (thing.abilities - gone) | {w for w in new if w in known}
        thing.refuses |= effect.refused(layer, now)
    return after


def _edges(
    now: Things, left: list[Effect], begun: dict[Effect, set[str]], layer: int
) -> Iterator[Edge]:
    """CR 613.8a, by trying."""
    for on in left:
        after = _apply(now, on, _reach(now, on, begun), layer)
        for effect in left:
            if effect is on or effect.defining != on.defining:
                continue
            if effect not in begun:
                if TEXT not in after[effect.source].abilities:
                    yield effect.name, on.name, "existence", effect.source
                before, then = _looks_for(now, effect), _looks_for(after, effect)
                for name in before ^ then:
                    yield effect.name, on.name, "applies_to", name
            else:
                before = then = begun[effect]
            for name in before & then:
                if _done(now, effect, name, layer) != _done(after, effect, name, layer):
                    yield effect.name, on.name, "does", name


def _done(now: Things, effect: Effect, name: str, layer: int) -> tuple[set[str], ...]:
    """What an effect does to a thing: what it gives that the thing can have, what it takes."""
    given, gone = effect.brings(layer, now), effect.removes(layer, now)
    return given - now[name].refuses, gone, effect.refused(layer, now)


def _first(left: list[Effect], edges: set[Edge]) -> Effect:
    """CR 613.8b, 613.7: the earliest of those that wait for none outside a loop of their own."""
    waits = {(a, b) for a, b, _, _ in edges}
    reach = set(waits)
    while more := {(a, d) for a, b in reach for c, d in waits if b == c} - reach:
        reach |= more
    free = [effect for effect in left if all((b, a) in reach for a, b in waits if a == effect.name)]
    return min(free, key=_rank)
