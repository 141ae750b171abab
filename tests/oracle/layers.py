"""CR 613 in plain Python, written from the rules: what continuous effects make of objects.

Nothing here is shared with the encodings.  An effect is from a static ability of an object and
exists as long as the object has its rules text, or it was made by something that resolved, for
objects that are locked in.  It applies to all objects of its kind that players in its scope
control, if its condition is met.  One that defines characteristics applies to its own object.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field, replace
from typing import TypeVar

#: What a land type that is set takes with it, and what a creature type does.
LAND_TYPES = frozenset({"forest", "swamp", "mountain"})
CREATURE_TYPES = frozenset({"goblin", "elf"})
TYPES = frozenset({"artifact", "creature", "enchantment", "land"})
COLORS = frozenset({"red", "green"})
KEYWORDS = frozenset({"flying", "vigilance"})
#: The type that a subtype is of (CR 205.3).
TYPE_OF = dict.fromkeys(LAND_TYPES, "land") | dict.fromkeys(CREATURE_TYPES, "creature")
#: The rules text, and the mana abilities that come with land types.
TEXT, INTRINSIC = "text", "intrinsic"
#: Parts of a kind that speak of the source of the effect.
RELATIVE = frozenset({"this", "other", "attached"})
#: What counters add to power and toughness (CR 122.1a, 613.4c).
COUNTERS = {"plus_one": (1, 1), "minus_one": (-1, -1), "plus_one_plus_zero": (1, 0)}

#: Keyword counters are later than all permanents and earlier than what spells have made.
COUNTED = 500

#: In which layer a change is made; those of layer 7 are its sublayers a to d (CR 613.4).
LAYER = {
    "add_type": 4, "remove_type": 4, "add_subtype": 4, "set_land_type": 4,
    "set_creature_type": 4, "lose_land_types": 4, "lose_creature_types": 4,
    "add_color": 5, "set_color": 5, "become_colorless": 5,
    "gain": 6, "lose": 6, "cannot_have": 6, "lose_abilities": 6,
    "set_size": 72, "add_size": 73, "switch_size": 74,
}  # fmt: skip

#: So many permanents of a kind that players in a scope control: a number that is counted.
Count = tuple[tuple[str, ...], str]
#: A power or a toughness; ``keep`` if it stays as it is.
Number = int | str | Count
Size = tuple[Number, Number]
#: What an effect does to a thing.
Change = tuple[str, str | Size]


@dataclass
class Thing:
    """An object: its types, subtypes and colors, its abilities, its power and toughness.

    `counted_since` says when the last counter of a kind was put on it (CR 613.7c), if that is
    known; `words_changed` are the text-changing effects on it: which word stands for which other
    one since when.
    """

    words: set[str]
    abilities: set[str]
    size: tuple[int, int]
    refuses: set[str] = field(default_factory=set)
    controller: str = "alice"
    counters: dict[str, int] = field(default_factory=dict)
    counted_since: dict[str, int] = field(default_factory=dict)
    attached_to: str | None = None
    words_changed: list[tuple[str, str, int]] = field(default_factory=list)

    def copy(self) -> Thing:
        """A thing of its own that is the same."""
        return replace(
            self,
            words=set(self.words),
            abilities=set(self.abilities),
            refuses=set(self.refuses),
            counters=dict(self.counters),
            counted_since=dict(self.counted_since),
            words_changed=list(self.words_changed),
        )

    def fits(self, kind: Iterable[str]) -> bool:
        """Whether it is of a kind: all of its parts, each a word or ``non`` a word."""
        return all(
            (part[1:] not in self) if part.startswith("-") else part in self for part in kind
        )

    def __contains__(self, word: str) -> bool:
        return word == "permanent" or word in self.words or word in self.abilities


def in_scope(scope: str, you: str, player: str) -> bool:
    """Whether a player is in the scope of what someone controls."""
    return scope == "any_player" or (scope == "you") == (you == player)


@dataclass(frozen=True)
class Condition:
    """How many things of a kind there are under the control of players in the scope.

    `what` is ``controls``, ``controls_at_most``, ``controls_no`` (all of the controller of the
    effect), ``odd`` or ``some``.
    """

    what: str
    number: int
    kind: tuple[str, ...]
    scope: str = "you"

    def met(self, number: int) -> bool:
        """Whether so many are enough."""
        match self.what:
            case "controls":
                return number >= self.number
            case "controls_at_most":
                return number <= self.number
            case "controls_no":
                return number == 0
            case "some":
                return number > 0
        return number % 2 == 1


@dataclass(frozen=True)
class Effect:
    """Objects of the kind change so; `time` is its timestamp.

    Attributes
    ----------
    source
        Whose static ability it is, or what has made it.
    conditional
        Changes that are made only while their conditions are met.
    scope
        Who controls the objects: ``you``, ``opponent`` or ``any_player``.
    locked
        The objects that it was made for (CR 611.2c); of static abilities none.
    times
        How often it was made for them.
    """

    source: str
    kind: tuple[str, ...]
    changes: tuple[Change, ...]
    time: int
    condition: Condition | None = None
    conditional: tuple[tuple[Condition, Change], ...] = ()
    scope: str = "any_player"
    defining: bool = False
    locked: frozenset[str] | None = None
    times: int = 1

    @property
    def name(self) -> str:
        """What tells it from other effects of its source."""
        return f"{self.source} defines" if self.defining else self.source

    def layer(self, change: str) -> int:
        """The layer of a change (CR 613.4a: what defines power and toughness is first)."""
        return 71 if self.defining and change == "set_size" else LAYER[change]

    def layers(self) -> set[int]:
        """The layers that it has parts in."""
        return {self.layer(what) for what, _ in (*self.changes, *(c for _, c in self.conditional))}

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
                case "remove_type" | "lose" | "cannot_have":
                    found |= {str(word)}
        return found

    def refused(self, layer: int, now: Things) -> set[str]:
        """What things can't have because of it (CR 113.11)."""
        return {str(w) for c, w in self.does(now) if c == "cannot_have" and LAYER[c] == layer}

    def reworded(self, old: str, new: str) -> Effect:
        """The effect of the ability with another word in it (CR 612.1, 612.2)."""
        conditional = tuple(
            (_other_condition(condition, old, new), _other_change(change, old, new))
            for condition, change in self.conditional
        )
        condition = self.condition
        return replace(
            self,
            kind=_other_kind(self.kind, old, new),
            changes=tuple(_other_change(change, old, new) for change in self.changes),
            condition=None if condition is None else _other_condition(condition, old, new),
            conditional=conditional,
        )


@dataclass(frozen=True)
class Control:
    """Players control things, or whoever controls an Aura does; `time` is its timestamp."""

    things: tuple[str, ...]
    time: int
    players: tuple[str, ...] = ()
    aura: str | None = None

    @property
    def name(self) -> str:
        """What tells it from others."""
        return f"{self.aura} controls {self.things} since {self.time} for {self.players}"


Things = dict[str, Thing]


def holds(now: Things, effect: Effect, condition: Condition) -> bool:
    """Whether a condition is met for the controller of an effect."""
    return condition.met(count(now, effect, (condition.kind, condition.scope)))


def count(now: Things, effect: Effect, what: Count) -> int:
    """How many things there are of a kind, for the controller of the source of an effect."""
    (kind, scope), you = what, now[effect.source].controller
    return sum(t.fits(kind) and in_scope(scope, you, t.controller) for t in now.values())


#: Who waits for whom, why, and because of what.
Edge = tuple[str, str, str, str]


@dataclass
class Trace:
    """One application: the layer, the effect, and the dependencies among those left."""

    layer: int
    effect: str
    edges: set[Edge]


def evaluate(
    things: Things, effects: list[Effect], controls: Iterable[Control] = ()
) -> tuple[Things, list[Trace]]:
    """What the objects are in the end, and how it came about.

    The trace is of layers 3 to 6; things that are given are under the control of those who
    control them by default (CR 110.2).
    """
    now = {name: thing.copy() for name, thing in things.items()}
    for name, player in controllers(things, controls).items():
        now[name].controller = player
    effects, trace = _with_other_words(now, effects + _keyword_counters(now))
    begun = {e: set(e.locked & set(now)) for e in effects if e.locked is not None}
    for layer in (4, 5, 6):
        applied: set[Effect] = set()
        while left := [e for e in _there(now, effects, begun, layer) if e not in applied]:
            edges = set(_edges(now, left, begun, layer))
            first = _first(left, [(a, b) for a, b, _, _ in edges])
            trace.append(Trace(layer, first.name, edges))
            reached = _reach(now, first, begun)
            if not _idle(now, first):
                begun.setdefault(first, reached)
            now = _apply(now, first, reached, layer)
            applied.add(first)
    # (No effect here looks at power or toughness, so that in layer 7 none depends on another.)
    sizing = {effect: effect.does(now) for effect in effects if effect.layers() & {71, 72, 73, 74}}
    for layer in (71, 72, 73, 74):
        if layer == 73:
            for thing in now.values():
                for word, number in thing.counters.items():
                    power, toughness = COUNTERS.get(word, (0, 0))
                    thing.size = _resized(thing.size, (power * number, toughness * number), layer)
        for effect in sorted(_there(now, effects, begun, layer), key=_rank):
            reached = _reach(now, effect, begun)
            begun.setdefault(effect, reached)
            for change, value in sizing[effect] * (effect.times if layer > 72 else 1):
                if effect.layer(change) == layer:
                    size = () if isinstance(value, str) else value
                    told = [count(now, effect, n) if isinstance(n, tuple) else n for n in size]
                    for name in reached:
                        now[name].size = _resized(now[name].size, tuple(told), layer)
    return now, trace


def _keyword_counters(now: Things) -> list[Effect]:
    """CR 122.1b, 613.1f: each kind on a thing gives it the keyword."""
    found: list[Effect] = []
    for word in sorted(KEYWORDS):
        for name in sorted(now):
            if word in now[name].counters:
                source = f"{word} counter on {name}"
                time = now[name].counted_since.get(word, COUNTED + len(found))
                gain = ("gain", word)
                found.append(Effect(source, (), (gain,), time, locked=frozenset([name])))
    return found


def _resized(size: tuple[int, int], how: tuple[int | str, ...], layer: int) -> tuple[int, int]:
    """CR 613.4: set, added to or switched."""
    if layer == 74:
        return size[1], size[0]
    before = size if layer == 73 else (0, 0)
    power, toughness = (
        old if isinstance(number, str) else number + more
        for old, number, more in zip(size, how, before, strict=True)
    )
    return power, toughness


# --- Layer 2 ------------------------------------------------------------------------------


def controllers(things: Things, controls: Iterable[Control]) -> dict[str, str]:
    """CR 613.1b: who controls what.

    What an Aura does depends on what changes who controls that Aura (CR 613.8a), which is tried.
    """
    now = {name: thing.controller for name, thing in things.items()}
    left = [c for c in controls if c.aura is None or c.aura in things]
    while left:
        waits = [
            (one.name, other.name)
            for one in left
            for other in left
            if one.aura is not None
            and _says(other, now).get(one.aura, now[one.aura]) != now[one.aura]
        ]
        first = _first(left, waits)
        now |= _says(first, now)
        left.remove(first)
    return {name: now[name] for name in things}


def _says(control: Control, now: dict[str, str]) -> dict[str, str]:
    """Who controls what, says an effect."""
    if control.aura is not None:
        return dict.fromkeys(control.things, now[control.aura])
    return dict(zip(control.things, control.players, strict=True))


# --- Layer 3 ------------------------------------------------------------------------------


def _with_other_words(now: Things, effects: list[Effect]) -> tuple[list[Effect], list[Trace]]:
    """CR 612.1, 613.1c: each exchanges a word in the rules text and on the type line."""
    changes = sorted(
        (time, name, old, new)
        for name, thing in now.items()
        for old, new, time in thing.words_changed
    )
    for _, name, old, new in changes:
        words = now[name].words
        if old in words and old not in COLORS:
            words.remove(old)
            words.add(new)
        effects = [
            effect.reworded(old, new) if effect.source == name and effect.locked is None else effect
            for effect in effects
        ]
    # (None of them changes what another one does, which is to exchange all those words.)
    return effects, [Trace(3, f"{name}: {old} to {new}", set()) for _, name, old, new in changes]


def _other_kind(kind: tuple[str, ...], old: str, new: str) -> tuple[str, ...]:
    return tuple({old: new, f"-{old}": f"-{new}"}.get(part, part) for part in kind)


def _other_change(change: Change, old: str, new: str) -> Change:
    what, value = change
    if isinstance(value, str):
        return what, new if value == old else value
    power, toughness = (
        (_other_kind(n[0], old, new), n[1]) if isinstance(n, tuple) else n for n in value
    )
    return what, (power, toughness)


def _other_condition(condition: Condition, old: str, new: str) -> Condition:
    return replace(condition, kind=_other_kind(condition.kind, old, new))


# --- Layers 4 to 7 ------------------------------------------------------------------------


def _rank(effect: Effect | Control) -> tuple[bool, int]:
    """CR 613.3, 613.7: those that define characteristics first, then by timestamps."""
    return not (isinstance(effect, Effect) and effect.defining), effect.time


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
    you, host = now[effect.source].controller, now[effect.source].attached_to
    kind = [part for part in effect.kind if part not in RELATIVE]
    return {
        name
        for name, thing in now.items()
        if thing.fits(kind)
        and in_scope(effect.scope, you, thing.controller)
        and not ("this" in effect.kind and name != effect.source)
        and not ("other" in effect.kind and name == effect.source)
        and not ("attached" in effect.kind and name != host)
    }


def _apply(now: Things, effect: Effect, reached: set[str], layer: int) -> Things:
    after = {name: thing.copy() for name, thing in now.items()}
    for name in reached:
        thing = after[name]
        given, gone = _given(now, effect, name, layer), _gone(now, effect, name, layer)
        known = KEYWORDS | {TEXT, INTRINSIC}
        thing.words = (thing.words - gone) | {w for w in given if w not in known}
        thing.abilities = (thing.abilities - gone) | {w for w in given if w in known}
        thing.refuses |= effect.refused(layer, now)
    return after


def _types(now: Things, effect: Effect, name: str, layer: int) -> Set[str]:
    """The types that a thing has with the effect."""
    words = (now[name].words - effect.takes(layer, now)) | effect.brings(layer, now)
    return words & TYPES


def _given(now: Things, effect: Effect, name: str, layer: int) -> set[str]:
    """What a thing gains: no ability that it can't have, no subtype of no type of its own.

    CR 113.11, 205.3d.
    """
    types = _types(now, effect, name, layer)
    given = effect.brings(layer, now) - now[name].refuses
    return {word for word in given if TYPE_OF.get(word) in types | {None}}


def _gone(now: Things, effect: Effect, name: str, layer: int) -> set[str]:
    """What a thing loses: with a type go its subtypes (CR 205.1a)."""
    types, taken = _types(now, effect, name, layer), effect.takes(layer, now)
    if layer == 4 and "land" not in types:  # CR 305.7 is about lands.
        taken -= KEYWORDS | {TEXT}
    lost = now[name].words & TYPES & taken
    subtypes = {word for word in now[name].words if TYPE_OF.get(word) in lost}
    return taken | (subtypes - effect.brings(layer, now))


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
    given, gone = _given(now, effect, name, layer), effect.removes(layer, now)
    return given, gone, effect.refused(layer, now)


Waiting = TypeVar("Waiting", Effect, Control)


def _first(left: list[Waiting], waits: Iterable[tuple[str, str]]) -> Waiting:
    """CR 613.8b, 613.7: the earliest of those that wait for none outside a loop of their own."""
    pairs = set(waits)
    reach = set(pairs)
    while more := {(a, d) for a, b in reach for c, d in pairs if b == c} - reach:
        reach |= more
    free = [effect for effect in left if all((b, a) in reach for a, b in pairs if a == effect.name)]
    return min(free, key=_rank)
