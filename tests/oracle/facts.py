"""A naive reading of card files: what their replacement effects make of one event.

The facts of a card are read with a parser of a few lines and applied one effect after the
other, in every order, straight from CR 614 to 616.  What this reading does not know (a
condition, a word of the vocabulary) raises `UnreadError`, so that nothing is compared by halves.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

Term = str | tuple["Term", ...]


class UnreadError(Exception):
    """Something in a card that this reading does not know."""


# --- Card files ------------------------------------------------------------------------------

_TOKEN = re.compile(r'\s*("[^"]*"|[\w-]+|[(),])')


def parse(text: str) -> Term:
    """A term: a word, or a tuple of the name and the arguments (the name is empty for a pair)."""
    tokens = _TOKEN.findall(text)
    tokens.reverse()
    term = _term(tokens)
    if tokens:
        raise ValueError(text)
    return term


def _term(tokens: list[str]) -> Term:
    name = tokens.pop()
    if name == "(":
        name = ""
    elif not tokens or tokens[-1] != "(":
        return name
    else:
        tokens.pop()
    arguments = [_term(tokens)]
    while tokens.pop() == ",":
        arguments.append(_term(tokens))
    return (name, *arguments)


def listed(term: Term) -> list[Term]:
    """The elements of ``(a,(b,end))``."""
    found = []
    while isinstance(term, tuple) and term[0] == "":
        found.append(term[1])
        term = term[2]
    return found


@cache
def facts(path: Path) -> tuple[tuple[Term, ...], ...]:
    """The facts of a card file, each a tuple of the predicate and its arguments."""
    lines = re.sub(r"(?m)^%.*", "", path.read_text(encoding="utf-8"))
    found = []
    for text in re.findall(r'(?:"[^"]*"|[^."])+(?=\.)', lines):
        if ":-" in text or not text.strip():
            raise UnreadError(text.strip())
        term = parse(text)
        found.append(term if isinstance(term, tuple) else (term,))
    return tuple(found)


class Effect(NamedTuple):
    """A replacement effect: the ability of a copy of a card."""

    card: str
    number: Term
    you: int
    source: str


@dataclass(frozen=True)
class Thing:
    """An object, as far as effects ask about it."""

    words: frozenset[Term]
    controller: int
    owner: int


def words_of(path: Path) -> frozenset[Term]:
    """Types, supertypes, colors and subtypes."""
    found: set[Term] = {"permanent"}
    for fact in facts(path):
        if fact[0] in ("type", "supertype", "color"):
            found.add(fact[2])
        elif fact[0] == "subtype":
            found.add(("of", fact[2]))
    return frozenset(found)


# --- Events ----------------------------------------------------------------------------------


#: What an event is: its name, whom it happens to (a seat, or an object), its number, and
#: tokens by kind, or where an object goes.
class Event(NamedTuple):
    """Something that would happen."""

    name: str
    to: int | str = 0
    number: int = 0
    bag: tuple[tuple[str, int], ...] = ()
    place: str = ""


class State(NamedTuple):
    """An event with what effects have added to it: (card, ability, number)."""

    event: Event
    riders: tuple[tuple[str, Term, int], ...] = ()


NOTHING = Event("nothing")
#: The life that players have.
LIFE = 20


@dataclass
class Reading:
    """Effects on a board, and what causes the event."""

    players: int
    things: dict[str, Thing]
    cards: dict[str, Path]
    effects: tuple[Effect, ...]
    cause: Thing | None = None
    manners: frozenset[str] = frozenset()
    token_words: dict[str, frozenset[Term]] = field(default_factory=dict)
    #: In the main phase of the first player; nobody has cards in hand.
    conditions: dict[str, bool] = field(
        default_factory=lambda: {
            "first_in_draw_step": False,
            "own_draw_step": False,
            "hand_empty": True,
            "library_empty": False,
            "source_untapped": True,
            "source_tapped": False,
        }
    )

    # --- Cards -------------------------------------------------------------------------------

    def said(self, effect: Effect, name: str) -> Iterator[tuple[Term, ...]]:
        """What the card says of the ability under one word."""
        for fact in facts(self.cards[effect.card]):
            if fact[0] == name and len(fact) > 2 and fact[2] == effect.number:
                yield fact[3:]

    # --- Whether an effect applies -----------------------------------------------------------

    def kinds(self, event: Event) -> dict[str, int]:
        """The kinds of the event, and the player in regard to whom each is read."""
        name, to = event.name, event.to
        if isinstance(to, int):
            return {} if name in ("nothing", "steps", "win_game_now") else {name: to}
        thing = self.things[to]
        if name == "damage":
            found = {"damage_permanent": thing.controller}
            if "creature" in thing.words:
                found["damage_creature"] = thing.controller
            return found
        if name == "counters":
            return {"put_counters": thing.controller}
        raise UnreadError(name)

    def applies(self, effect: Effect, event: Event) -> int | None:
        """The player whom the event affects, if the effect applies to it."""
        kinds = self.kinds(event)
        for kind, scope in self.said(effect, "would"):
            player = kinds.get(str(kind))
            if player is None or not _in_scope(scope, effect.you, player):
                continue
            if self.fits(effect, event):
                return player
        return None

    def fits(self, effect: Effect, event: Event) -> bool:
        """What the effect demands besides."""
        if not all(self.met(effect, condition) for (condition,) in self.said(effect, "while")):
            return False
        if any(self.met(effect, condition) for (condition,) in self.said(effect, "except")):
            return False
        for (kind,) in self.said(effect, "affects"):
            if event.name == "create":
                if not self.about(effect, event):
                    return False
            elif isinstance(event.to, int):
                if kind == "target":
                    raise UnreadError("target")
            elif not self.is_kind(event.to, self.things[event.to], kind, effect):
                return False
        for kind, scope in self.said(effect, "caused_by"):
            if self.cause is None or not _in_scope(scope, effect.you, self.cause.controller):
                return False
            if kind != "any" and not self.is_kind("", self.cause, kind, effect):
                return False
        for (word,) in self.said(effect, "only"):
            known = set(self.manners) | {kind for kind, _ in event.bag if event.name == "counters"}
            if word not in known:
                return False
        return all(event.number >= int(str(n)) for (n,) in self.said(effect, "number_from"))

    def met(self, effect: Effect, condition: Term) -> bool:
        """Whether a condition is met; what is not said of the board is as in a scenario file."""
        if isinstance(condition, str) and condition in self.conditions:
            return self.conditions[condition]
        match condition:
            case "your_turn":
                return effect.you == 0
            case ("life_at_least", number):
                return int(str(number)) <= LIFE
            case ("controls", number, kind):
                own = [
                    name
                    for name, thing in self.things.items()
                    if thing.controller == effect.you and self.is_kind(name, thing, kind, effect)
                ]
                return len(own) >= int(str(number))
        raise UnreadError(str(condition))

    def decides(self, effect: Effect, player: int) -> int | None:
        """Who may leave an effect unapplied that says "may"."""
        for (role,) in self.said(effect, "optional"):
            if role not in ("you", "that_player"):
                raise UnreadError(str(role))
            return effect.you if role == "you" else player
        return None

    def is_kind(self, name: str, thing: Thing, kind: Term, effect: Effect) -> bool:
        """Whether an object is of a kind, as the effect speaks of it."""
        match kind:
            case ("and", one, other):
                return self.is_kind(name, thing, one, effect) and self.is_kind(
                    name, thing, other, effect
                )
            case ("or", one, other):
                return self.is_kind(name, thing, one, effect) or self.is_kind(
                    name, thing, other, effect
                )
            case ("non", one):
                return not self.is_kind(name, thing, one, effect)
            case ("controlled", scope):
                return _in_scope(scope, effect.you, thing.controller)
            case "this":
                return name == effect.source
            case "other":
                return name != effect.source
            case "attached" | "target" | "imprinted" | "tapped" | "untapped":
                raise UnreadError(str(kind))
        return kind in thing.words

    def about(self, effect: Effect, event: Event) -> list[str]:
        """The kinds of tokens of a creation that the effect is about."""
        asked = [kind for (kind,) in self.said(effect, "affects")]
        if not asked:
            return [token for token, _ in event.bag]
        return [
            token
            for token, _ in event.bag
            for kind in asked
            if self.is_kind("", Thing(self.words_of_token(token), 0, 0), kind, effect)
        ]

    def words_of_token(self, token: str) -> frozenset[Term]:
        """What a token is; it must be known."""
        if token not in self.token_words:
            raise UnreadError(token)
        return self.token_words[token]

    # --- What it becomes ---------------------------------------------------------------------

    def become(self, effect: Effect, state: State) -> list[State]:
        """What the effect makes of the event: more than one if something is chosen."""
        event, riders = state
        player = self.applies(effect, event)
        assert player is not None
        steps = sorted(self.said(effect, "instead"), key=lambda step: int(str(step[0])))
        _, role, first = steps[0]
        changed = self.altered(effect, event, first)
        if changed is not None:
            ends, number = changed
            added = ((effect.card, effect.number, number),) if len(steps) > 1 else ()
            return [State(end, riders + added) for end in ends]
        if len(steps) == 1:
            one = self.outright(effect, event, player, role, first)
            if one is not None:
                return [State(one, riders)]
        return [State(Event("steps", player, event.number, place=effect.card), riders)]

    def altered(self, effect: Effect, event: Event, word: Term) -> tuple[list[Event], int] | None:
        """The events that an alteration leaves, and what "that much" is; `None`: it is none."""
        if event.name == "create":
            return self.other_tokens(effect, event, word)
        if event.name == "counters":
            return self.other_counters(effect, event, word)
        old = event.number
        new = _new_number(word, old)
        if new is None:
            if isinstance(word, tuple) and word[0] == "redirect":
                return [self.redirected(effect, event, word[1])], old
            if isinstance(word, tuple) and word[0] == "as_counters":
                bag = ((str(word[1]), old),)
                return [Event("counters", event.to, bag=bag)], old
            return None
        gone = old - new if isinstance(word, tuple) and word[0] == "prevent" else old
        return [event._replace(number=new) if new > 0 else NOTHING], gone

    def redirected(self, effect: Effect, event: Event, to: Term) -> Event:
        """The same damage to something else."""
        if to == "this":
            return event._replace(to=effect.source)
        if to == "you":
            return event._replace(to=effect.you)
        raise UnreadError(str(to))

    def other_counters(
        self, effect: Effect, event: Event, word: Term
    ) -> tuple[list[Event], int] | None:
        """Each kind of counters that the effect is about in another number."""
        asked = {str(word) for (word,) in self.said(effect, "only")} & {"plus_one", "minus_one"}
        bag = []
        for kind, number in event.bag:
            new = _new_number(word, number) if not asked or kind in asked else number
            if new is None:
                return None
            bag += [(kind, new)] if new > 0 else []
        return [event._replace(bag=tuple(bag)) if bag else NOTHING], sum(n for _, n in event.bag)

    def other_tokens(
        self, effect: Effect, event: Event, word: Term
    ) -> tuple[list[Event], int] | None:
        """Other tokens, or other numbers of them."""
        bag = dict(event.bag)
        about = self.about(effect, event)
        number = sum(bag[token] for token in about)
        match word:
            case "under_your_control":
                return [event._replace(to=effect.you)], number
            case ("those_plus", token, many):
                more = number if many == "that_many" else int(str(many))
                bag[str(token)] = bag.get(str(token), 0) + more
                return [event._replace(bag=tuple(sorted(bag.items())))], number
            case ("instead_of_each", tokens):
                for token in about:
                    del bag[token]
                for new in listed(tokens):
                    bag[str(new)] = bag.get(str(new), 0) + number
                return [event._replace(bag=tuple(sorted(bag.items())))], number
            case ("multiply" | "half", _):
                for token in about:
                    bag[token] = _new_number(word, bag[token]) or 0
                left = tuple(sorted((token, n) for token, n in bag.items() if n))
                return [event._replace(bag=left) if left else NOTHING], number
            case ("all_become" | "copies_of", _):
                raise UnreadError(str(word[0]))
        return None

    def outright(
        self, effect: Effect, event: Event, player: int, role: Term, word: Term
    ) -> Event | None:
        """Another event, if the one step that the effect has is a whole event of one player."""
        if role not in ("you", "that_player"):
            return None
        who = effect.you if role == "you" else player
        match word:
            case "skip":
                return NOTHING
            case "win_game" | "lose_game":
                return Event(str(word), who)
            case ("draw" | "gain_life" | "lose_life" | "mill" as name, many):
                number = _quantity(many, event.number)
                if name == "draw":
                    return Event("draw" if number == 1 else "draw_several", who, number)
                return Event(str(name), who, number) if number else NOTHING
            case ("create", token, many):
                return Event("create", who, bag=((str(token), _quantity(many, event.number)),))
            case ("add_counter", kind):
                return Event("counters", effect.source, bag=((str(kind), 1),))
            case (name, *_) if name in ("damage", "exile_top", "exile_next", "put_top"):
                raise UnreadError(str(name))
        return None

    # --- Every order -------------------------------------------------------------------------

    def ends(self, event: Event) -> Counter[State]:
        """How many orders of application end with what."""
        known: dict[tuple[State, frozenset[int]], Counter[State]] = {}

        def count(state: State, used: frozenset[int]) -> Counter[State]:
            if (state, used) not in known:
                found: Counter[State] = Counter()
                must = False
                for place, effect in enumerate(self.effects):
                    player = None if place in used else self.applies(effect, state.event)
                    if player is None:
                        continue
                    decides = self.decides(effect, player)
                    # The affected player may leave it; another is asked once it is picked.
                    must |= decides != player
                    for end in self.become(effect, state):
                        found.update(count(end, used | {place}))
                    if decides not in (None, player):
                        found.update(count(state, used | {place}))
                if not must:
                    found[state] += 1
                known[state, used] = found
            return known[state, used]

        return count(State(event), frozenset())


def _in_scope(scope: Term, you: int, player: int) -> bool:
    match scope:
        case "you":
            return player == you
        case "opponent":
            return player != you
        case "any_player":
            return True
    raise UnreadError(str(scope))


def _quantity(many: Term, event: int) -> int:
    match many:
        case "that_many":
            return event
        case ("times", factor):
            return int(str(factor)) * event
        case str() if many.isdigit():
            return int(many)
    raise UnreadError(str(many))


def _new_number(word: Term, old: int) -> int | None:
    if not isinstance(word, tuple):
        return None
    name, said = word[0], word[1]
    if name in ("multiply", "plus", "minus", "make_it", "at_most", "at_least"):
        k = int(str(said))
        return {
            "multiply": old * k,
            "plus": old + k,
            "minus": max(old - k, 0),
            "make_it": k,
            "at_most": min(old, k),
            "at_least": max(old, k),
        }[str(name)]
    if name == "half":
        return old // 2 if said == "down" else (old + 1) // 2
    if name != "prevent":
        return None
    match said:
        case "all":
            return 0
        case ("half", "up"):
            return old // 2
        case ("half", "down"):
            return (old + 1) // 2
        case ("all_but", kept):
            return min(old, int(str(kept)))
        case str() if said.isdigit():
            return max(old - int(said), 0)
    raise UnreadError(str(said))


def effects_of(path: Path, you: int, source: str) -> list[Effect]:
    """The replacement effects of a copy of a card on the battlefield."""
    elsewhere = ("used_up", "lasting", "functions", "self_replacement")
    numbers = {fact[2] for fact in facts(path) if fact[0] == "would"}
    numbers -= {fact[2] for fact in facts(path) if fact[0] in elsewhere}
    card = str(facts(path)[0][1])
    return [Effect(card, number, you, source) for number in sorted(numbers, key=str)]


__all__ = ["Effect", "Event", "Reading", "State", "Thing", "UnreadError", "effects_of", "facts",
           "replace", "words_of"]  # fmt: skip
