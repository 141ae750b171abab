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
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

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
    """The facts of a card file, each a tuple of the predicate and its arguments.

    What is said of another face of the card is left out.
    """
    lines = re.sub(r"(?m)^%.*", "", path.read_text(encoding="utf-8"))
    found = []
    for text in re.findall(r'(?:"[^"]*"|[^."])+(?=\.)', lines):
        if ":-" in text or not text.strip():
            raise UnreadError(text.strip())
        term = parse(text)
        found.append(term if isinstance(term, tuple) else (term,))
    return tuple(fact for fact in found if fact[1:2] == found[0][1:2])


class Effect(NamedTuple):
    """A replacement effect: the ability of a copy of a card."""

    card: str
    number: Term
    you: int
    source: str


@dataclass(frozen=True)
class Thing:
    """An object, as far as effects ask about it; ``there``: on the battlefield."""

    words: frozenset[Term]
    controller: int
    owner: int
    there: bool = True
    card: str = ""
    attached: str = ""
    chosen: str = ""


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
#: tokens or counters by kind, or where an object goes; how something enters.
class Event(NamedTuple):
    """Something that would happen."""

    name: str
    to: int | str = 0
    number: int = 0
    bag: tuple[tuple[str, int], ...] = ()
    place: str = ""
    how: tuple[str, ...] = ()


class State(NamedTuple):
    """An event with what effects have added to it: (card, ability, number)."""

    event: Event
    riders: tuple[tuple[str, Term, int], ...] = ()


NOTHING = Event("nothing")
#: The players.
SEATS = ("alice", "bob")
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
    #: What effects were made for that have resolved.
    target: int | str | None = None
    #: Whether what is known of it can change what the thing that enters is.
    turning: bool = False
    #: The effects that have been applied in some order.
    applied: set[int] = field(default_factory=set)
    #: In the main phase of the first player; nobody has cards in hand.
    conditions: dict[str, bool] = field(
        default_factory=lambda: {
            "first_in_draw_step": False,
            "first_tokens": True,
            "source_solved": False,
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
        for fact in (*facts(self.cards[effect.card]), *in_full(self.cards[effect.card])):
            if fact[0] == name and len(fact) > 2 and fact[2] == effect.number:
                yield fact[3:]

    # --- Whether an effect applies -----------------------------------------------------------

    def kinds(self, event: Event) -> dict[str, int]:
        """The kinds of the event, and the player in regard to whom each is read."""
        name, to = event.name, event.to
        if isinstance(to, int):
            over = ("nothing", "steps", "win_game_now", "exile_next")
            return {} if name in over else {name: to}
        thing = self.things[to]
        if name == "damage":
            found = {"damage_permanent": thing.controller}
            if "creature" in thing.words:
                found["damage_creature"] = thing.controller
            return found
        if name == "counters":
            return {"put_counters": thing.controller}
        if name == "enter":
            found = {"enters": event.number}
            return found | ({"put_counters": event.number} if event.bag else {})
        if name == "move":
            found = {MOVED_TO[event.place]: thing.owner} if event.place in MOVED_TO else {}
            if thing.there:
                found["leaves"] = thing.controller
                if event.place == "graveyard":
                    found["dies"] = thing.controller
            return found
        if name in ("goes", "after", "removed"):
            return {}
        if name == "destroy":
            return {"destroy": thing.controller}
        raise UnreadError(name)

    def chooser(self, event: Event, player: int) -> int:
        """Who chooses among effects: of what moves its controller."""
        return self.things[str(event.to)].controller if event.name == "move" else player

    def applies(self, effect: Effect, event: Event) -> int | None:
        """The player whom the event affects, if the effect applies to it."""
        kinds = self.kinds(event)
        for kind, scope in self.said(effect, "would"):
            player = kinds.get(str(kind))
            if player is None:
                continue
            if scope == "enchanted":
                if self.things[effect.source].attached != SEATS[player]:
                    continue
            elif scope == "target":
                if player != self.target:
                    continue
            elif not _in_scope(scope, effect.you, player):
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
                if kind == "target" and event.to != self.target:
                    return False
            elif not self.is_kind(event.to, self.things[event.to], kind, effect):
                return False
        for kind, scope in self.said(effect, "caused_by"):
            if self.cause is None or not _in_scope(scope, effect.you, self.cause.controller):
                return False
            if kind != "any" and not self.is_kind("", self.cause, kind, effect):
                return False
        for (word,) in self.said(effect, "only"):
            counters = event.name in ("counters", "enter")
            known = set(self.manners) | {kind for kind, _ in event.bag if counters}
            if word not in known:
                return False
        most = [int(str(n)) for (n,) in self.said(effect, "number_to")]
        if any(event.number > number for number in most):
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
                return len(self.controlled(effect, kind)) >= int(str(number))
            case ("controls_at_most", number, kind):
                return len(self.controlled(effect, kind)) <= int(str(number))
            case ("controls_no", kind):
                return not self.controlled(effect, kind)
            case ("someone_at_most", number):
                return int(str(number)) >= LIFE
            case ("life_at_most", number):
                return int(str(number)) >= LIFE
            case ("opponents_at_least", number):
                return self.players > int(str(number))
            case ("hand_has", number):
                return int(str(number)) <= 0
            case ("source_counters", _, number):
                return int(str(number)) <= 0
            case ("source_level", number):
                return int(str(number)) <= 1
        raise UnreadError(str(condition))

    def controlled(self, effect: Effect, kind: Term) -> list[str]:
        """The permanents of a kind that the effect's controller controls."""
        return [
            name
            for name, thing in self.things.items()
            if thing.there
            and thing.controller == effect.you
            and self.is_kind(name, thing, kind, effect)
        ]

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
            case "attached":
                return name == self.things[effect.source].attached
            case "untapped":
                return thing.there
            case "enchanted":
                return any(
                    other.attached == name and ("of", "aura") in other.words
                    for other in self.things.values()
                )
            case "tapped":
                return False
            case ("mana_value_at_most", _) | ("with", _) | ("without", _) | ("with_counters", _):
                raise UnreadError(str(kind[0]))
            case "chosen":
                chosen = self.things[effect.source].chosen
                return chosen in thing.words or ("of", chosen) in thing.words
            case "target":
                return name == self.target
            case "imprinted":
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
        """What a token is: what a card says of it."""
        if token.startswith("copy("):
            return words_of(self.cards[token[5:-1]]) | {"token"}
        found: set[Term] = {
            fact[3]
            for path in self.cards.values()
            for fact in facts(path)
            if fact[0] == "token_type" and fact[2] == token
        }
        if not found and token not in self.token_words:
            raise UnreadError(token)
        return self.token_words.get(token, frozenset({*found, "token", "permanent"}))

    # --- What it becomes ---------------------------------------------------------------------

    def become(self, effect: Effect, state: State) -> list[State]:
        """What the effect makes of the event: more than one if something is chosen."""
        event, riders = state
        player = self.applies(effect, event)
        assert player is not None
        steps = sorted(self.said(effect, "instead"), key=lambda step: int(str(step[0])))
        _, role, first = steps[0]
        if first == ("prevent", "next"):
            return [self.shielded(effect, state)]
        size = shields(self.cards[effect.card]).get(effect.number, "all")
        if first[0] == "redirect" and str(size).isdigit() and event.number > int(str(size)):
            return [self.split(effect, state, int(str(size)), first[1])]
        changed = self.altered(effect, event, first)
        if changed is not None:
            ends, number = changed
            rule = ("umbra armor", "1") if effect.number == "umbra" else effect[:2]
            told = len(steps) > 1 or effect.number in shields(self.cards[effect.card])
            added = ((*rule, number),) if told else ()
            return [State(end, riders + added) for end in ends]
        if len(steps) == 1:
            one = self.outright(effect, event, player, role, first)
            if one is not None:
                return [State(one, riders)]
        return [State(Event("steps", player, event.number, place=effect.card), riders)]

    def split(self, effect: Effect, state: State, part: int, to: Term) -> State:
        """A part of the damage is put aside for something else (CR 614.9)."""
        event, riders = state
        left = event._replace(number=event.number - part)
        goes = self.redirected(effect, event, to).to
        return State(left, (*riders, ("aside", str(goes), part)))

    def shielded(self, effect: Effect, state: State) -> State:
        """As much is prevented as the effect is good for (CR 615.7, 615.8)."""
        event, riders = state
        size = shields(self.cards[effect.card])[effect.number]
        if not (isinstance(size, str) and (size == "all" or size.isdigit())):
            size = "2"
        gone = event.number if size == "all" else min(event.number, int(size))
        left = event._replace(number=event.number - gone) if gone < event.number else NOTHING
        return State(left, (*riders, (effect.card, effect.number, gone)))

    def altered(self, effect: Effect, event: Event, word: Term) -> tuple[list[Event], int] | None:
        """The events that an alteration leaves, and what "that much" is; `None`: it is none."""
        if event.name == "create":
            return self.other_tokens(effect, event, word)
        if event.name == "counters":
            return self.other_counters(effect, event, word)
        if event.name == "enter":
            ways = self.entered(effect, event, word)
            if ways is None:
                return self.other_counters(effect, event, word)
            # (Where a way is chosen, the permanent is looked at again with what comes next.)
            if self.turning and word[0] != "one_of":
                ways = [after(way) if way.name == "enter" else way for way in ways]
            return ways, 0
        if event.name == "move":
            if isinstance(word, tuple) and word[0] == "go_to":
                return [event._replace(place=str(word[1]))], 1
            return None
        if word == "destroy_this":
            return [event._replace(to=effect.source)], 1
        old = event.number
        if isinstance(word, tuple) and word[1] == "power_of_this":
            word = (word[0], self.printed_power(effect))
        new = _new_number(word, old)
        if new is None:
            if isinstance(word, tuple) and word[0] == "redirect":
                return [self.redirected(effect, event, word[1])], old
            if isinstance(word, tuple) and word[0] == "as_counters":
                bag = ((str(word[1]), old),)
                return [Event("counters", event.to, bag=bag)], old
            return None
        if event.name == "draw" and new > 1:
            event = event._replace(name="draw_several")
        gone = old - new if isinstance(word, tuple) and word[0] == "prevent" else old
        return [event._replace(number=new) if new > 0 else NOTHING], gone

    def printed_power(self, effect: Effect) -> str:
        """The power of the source of an effect."""
        (power,) = [f[2] for f in facts(self.cards[effect.card]) if f[0] == "power"]
        return str(power)

    def redirected(self, effect: Effect, event: Event, to: Term) -> Event:
        """The same damage to something else."""
        if to == "this":
            return event._replace(to=effect.source)
        if to == "you":
            return event._replace(to=effect.you)
        if to == "that_player":
            hit = event.to if isinstance(event.to, int) else self.things[event.to].controller
            return event._replace(to=hit)
        if to == "its_controller" and self.cause:
            return event._replace(to=self.cause.controller)
        if to == "attached":
            return event._replace(to=self.things[effect.source].attached)
        raise UnreadError(str(to))

    def other_counters(
        self, effect: Effect, event: Event, word: Term
    ) -> tuple[list[Event], int] | None:
        """Each kind of counters that the effect is about in another number."""
        asked = {str(word) for (word,) in self.said(effect, "only")} & {"plus_one", "minus_one"}
        bag: list[tuple[str, int]] = []
        for kind, number in event.bag:
            new = _new_number(word, number) if not asked or kind in asked else number
            if new is None:
                return None
            bag += [(kind, new)] if new > 0 else []
        left = event._replace(bag=tuple(bag))
        number = sum(n for _, n in event.bag)
        return [left if bag or event.name == "enter" else NOTHING], number

    # --- Entering ----------------------------------------------------------------------------

    def entered(self, effect: Effect, event: Event, word: Term) -> list[Event] | None:
        """What a permanent would enter as; `None`: that is no word about entering."""
        player = event.number
        match word:
            case "enter_tapped" | "enter_untapped":
                rest = event.how[1:]
                return [event._replace(how=("tapped" if word == "enter_tapped" else "", *rest))]
            case "nothing_else":
                return [event]
            case "with_haste":
                return [noted(event, "has_haste")]
            case "under_your_control":
                return [after(event._replace(number=effect.you))]
            case "under_control_of_an_opponent":
                others = [seat for seat in range(self.players) if seat != player]
                return [after(event._replace(number=seat)) for seat in others]
            case ("with_counters", kind, many):
                number = self.entry_number(many)
                return [event._replace(bag=with_more(event.bag, str(kind), number))]
            case ("then", first, second):
                return self.each_way(effect, self.each_way(effect, [event], first), second)
            case ("if_type", kind, one):
                words = words_of(self.cards[event.place])
                return self.each_way(effect, [event], one) if kind in words else [event]
            case ("to", place):
                return [Event("goes", event.to, place=str(place))]
            case ("become_copy", whose):
                source = self.things[effect.source]
                model = source.card if whose == "this" else self.things[source.attached].card
                return [after(event._replace(place=model))]
            case ("copy_of", kind, *then):
                return self.as_copy(effect, event, kind, then[0] if then else "nothing_else")
            case ("choose_for_it" | "opponent_chooses", sort):
                return [noted(event, f"chosen({value})") for value in self.sorts(sort, player)]
            case ("one_of", one, other):
                return self.each_way(effect, [event], one) + self.each_way(effect, [event], other)
            case ("unless" | "or_else" as which, cost, otherwise):
                paid = [after(event)] if self.can_pay(effect, cost) else []
                declined = self.each_way(effect, [event], otherwise)
                return paid + declined if which == "unless" or not paid else paid
            case ("any_number", "sacrifice", kind, step):
                found = [event]
                own = self.controlled(effect, kind)
                for taken in range(1, len(own) + 1):
                    ways = [event]
                    for _ in range(taken):
                        ways = self.each_way(effect, ways, step)
                    found += [after(way) for way in ways for _ in combinations(own, taken)]
                return found
            case ("any_number", "exile", _, _):
                return [event]
        return None

    def each_way(self, effect: Effect, events: list[Event], word: Term) -> list[Event]:
        """A further step of each."""
        found: list[Event] = []
        for event in events:
            ways = self.entered(effect, event, word)
            if ways is None:
                raise UnreadError(str(word))
            found += ways
        return found

    def as_copy(self, effect: Effect, event: Event, kind: Term, then: Term) -> list[Event]:
        """As itself, or as a copy of a permanent."""
        ways = [event]
        for name, thing in self.things.items():
            if not thing.there or not self.is_kind(name, thing, kind, effect):
                continue
            step = then
            if isinstance(then, tuple) and then[0] == "if_yours":
                step = then[1] if thing.controller == event.number else "nothing_else"
            copy = event._replace(place=thing.card)
            ways += [after(way) for way in self.each_way(effect, [copy], step)]
        return ways

    def entry_number(self, many: Term) -> int:
        """How many counters: graveyards are empty, and it was not cast."""
        match many:
            case "x" | ("cards_in_graveyard", _):
                return 0
            case "life_total":
                return LIFE
            case str() if many.isdigit():
                return int(many)
        raise UnreadError(str(many))

    def sorts(self, sort: Term, player: int) -> list[str]:
        """What can be chosen."""
        match sort:
            case "color":
                return ["white", "blue", "black", "red", "green"]
            case "basic_land_type":
                return ["plains", "island", "swamp", "mountain", "forest"]
            case "opponent":
                return [f"seat{seat}" for seat in range(self.players) if seat != player]
            case "player":
                return [f"seat{seat}" for seat in range(self.players)]
            case "creature_type":
                types = {
                    str(word[1])
                    for thing in self.things.values()
                    if "creature" in thing.words
                    for word in thing.words
                    if isinstance(word, tuple)
                }
                return [*sorted(types | self.token_creature_types()), "another_type"]
            case "nonbasic_land_name":
                lands = {
                    thing.card
                    for thing in self.things.values()
                    if "land" in thing.words and "basic" not in thing.words
                }
                return [*sorted(lands), "another_name"]
            case ("form", card):
                forms = [f[2] for f in facts(self.cards[str(card)]) if f[0] == "as_form"]
                return [f"{form}" for form in dict.fromkeys(forms)]
        raise UnreadError(str(sort))

    def token_creature_types(self) -> set[str]:
        """The creature types of tokens that cards make."""
        said = [fact for path in self.cards.values() for fact in facts(path)]
        kinds = {f[2] for f in said if f[0] == "token_type" and f[3] == "creature"}
        return {
            str(f[3][1])
            for f in said
            if f[0] == "token_type" and f[2] in kinds and isinstance(f[3], tuple)
        }

    def can_pay(self, effect: Effect, cost: Term) -> bool:
        """Whether a cost can be paid: players have life, and no cards in hand."""
        match cost:
            case ("pay_life", number):
                return int(str(number)) <= LIFE
            case ("reveal_from_hand" | "discard_card", _):
                return False
            case ("sacrifice", kind, number):
                return len(self.controlled(effect, kind)) >= int(str(number))
        raise UnreadError(str(cost))

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
            case ("all_become", tokens):
                for token in about:
                    del bag[token]
                chosen = [bag | {str(new): bag.get(str(new), 0) + number} for new in listed(tokens)]
                return [event._replace(bag=tuple(sorted(new.items()))) for new in chosen], number
            case ("copies_of", kind):
                total = sum(bag.values())
                copied = sorted({
                    thing.card
                    for name, thing in self.things.items()
                    if thing.there and self.is_kind(name, thing, kind, effect)
                })  # fmt: skip
                if not copied:
                    return [event], number
                return [event._replace(bag=((f"copy({card})", total),)) for card in copied], total
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
            case ("put_counters", kind, many):
                number = _quantity(many, event.number)
                return Event("counters", effect.source, bag=((str(kind), number),))
            case ("add_counter", kind):
                return Event("counters", effect.source, bag=((str(kind), 1),))
            case ("exile_top", many, _):
                return Event("exile_top", who, _quantity(many, event.number))
            case ("exile_next", _):
                return Event("exile_next", who)
            case (name, *_) if name in ("damage", "put_top"):
                raise UnreadError(str(name))
        return None

    # --- Every order -------------------------------------------------------------------------

    def rank(self, effect: Effect) -> int:
        """CR 616.1b, 616.1c: under whose control it enters comes before what it is a copy of."""
        words = [step[2] for step in self.said(effect, "instead") if step[0] == "1"]
        names = {word[0] if isinstance(word, tuple) else word for word in words}
        if names & {"under_your_control", "under_control_of_an_opponent"}:
            return 2
        return 3 if names & {"copy_of", "become_copy"} else 5

    def ends(self, event: Event) -> Counter[State]:
        """How many orders of application end with what."""
        known: dict[tuple[State, frozenset[int]], Counter[State]] = {}

        def count(state: State, used: frozenset[int]) -> Counter[State]:
            if (state, used) not in known:
                found: Counter[State] = Counter()
                must = False
                ways = [
                    (place, effect, player)
                    for place, effect in enumerate(self.effects)
                    for player in [self.applies(effect, state.event)]
                    if place not in used and player is not None
                ]
                first = min((self.rank(effect) for _, effect, _ in ways), default=0)
                for place, effect, player in ways:
                    if self.rank(effect) > first:
                        continue
                    self.applied.add(place)
                    decides = self.decides(effect, player)
                    # Who chooses may leave it; another player is asked once it is picked.
                    asked = self.chooser(state.event, player)
                    must |= decides != asked
                    for end in self.become(effect, state):
                        found.update(count(end, used | {place}))
                    if decides not in (None, asked):
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
        if not (isinstance(said, str) and said.isdigit()):
            raise UnreadError(str(said))
        k = int(said)
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


#: Kinds of moves by where to; read for the owner.
MOVED_TO = {
    "graveyard": "put_into_graveyard",
    "exile": "put_into_exile",
    "hand": "put_into_hand",
    "top": "put_into_library",
    "bottom": "put_into_library",
    "shuffled": "put_into_library",
}


def after(event: Event) -> Event:
    """The same as a new question: what applied before stays applied."""
    return event._replace(name="after")


def noted(event: Event, word: str) -> Event:
    """With something that has been chosen for it."""
    first, *rest = event.how
    return event._replace(how=(first, *sorted({*rest, word})))


def with_more(bag: tuple[tuple[str, int], ...], kind: str, number: int) -> Any:
    """With more counters of a kind, the kinds in order."""
    found = dict(bag)
    if number:
        found[kind] = found.get(kind, 0) + number
    return tuple(sorted(found.items()))


@cache
def in_full(path: Path) -> tuple[tuple[Term, ...], ...]:
    """What a card says of how it enters in short, as effects."""
    found: list[tuple[Term, ...]] = []
    for fact in facts(path):
        number: Term
        word: Term
        match fact:
            case ("enters_tapped", card):
                number, word = "tapped", "enter_tapped"
            case ("enters_with", card, kind, many):
                number, word = ("with", kind), ("with_counters", kind, many)
            case ("loyalty", card, many):
                number, word = ("with", "loyalty"), ("with_counters", "loyalty", many)
            case ("may_copy", card, copy, kind):
                number, word = ("copy", copy), ("copy_of", kind)
            case ("umbra_armor", card):
                found.append(("would", card, "umbra", "destroy", "any_player"))
                found.append(("affects", card, "umbra", "attached"))
                found.append(("instead", card, "umbra", "1", "you", "destroy_this"))
                found.append(("instead", card, "umbra", "2", "you", "heal_attached"))
                continue
            case _:
                continue
        found.append(("would", card, number, "enters", "you"))
        found.append(("functions", card, number, "itself"))
        found.append(("instead", card, number, "1", "you", word))
    return tuple(found)


def effects_of(path: Path, you: int, source: str) -> list[Effect]:
    """The replacement effects of a copy of a card on the battlefield."""
    elsewhere = ("used_up", "lasting", "functions", "self_replacement")
    said = (*facts(path), *in_full(path))
    numbers = {fact[2] for fact in said if fact[0] == "would"}
    numbers -= {fact[2] for fact in said if fact[0] in elsewhere}
    numbers -= shields(path).keys()
    card = str(facts(path)[0][1])
    return [Effect(card, number, you, source) for number in sorted(numbers, key=str)]


@cache
def shields(path: Path) -> dict[Term, Term]:
    """The effects that only an ability makes, on the next so much, on the next time: how much."""
    found: dict[Term, Term] = {}

    def look(term: Term) -> None:
        if isinstance(term, tuple):
            if term[0] in ("shield", "shield_each"):
                found[term[2]] = term[3]
            for part in term[1:]:
                look(part)

    for fact in facts(path):
        if fact[0] in ("effect_step", "instead"):
            look(fact)
    return found


def about(path: Path, number: Term) -> set[Term]:
    """What an effect of the card is about."""
    return {f[3] for f in facts(path) if f[0] == "affects" and f[2] == number}


def made_effects(path: Path, you: int) -> list[Effect]:
    """The effects of resolved spells and abilities, for the target or with none."""
    said = facts(path)
    numbers = {fact[2] for fact in said if fact[0] in ("used_up", "lasting")}
    numbers |= shields(path).keys()
    # Those about a source of choice, or for something else, are not among them.
    numbers -= {f[2] for f in said if f[0] == "fills" and f[3:] != ("protected", "target")}
    filled = {f[2] for f in said if f[0] == "fills"}
    numbers -= {n for n in shields(path) if n not in filled and "target" in about(path, n)}
    numbers &= {fact[2] for fact in said if fact[0] == "would"}
    card = str(said[0][1])
    return [Effect(card, number, you, "made") for number in sorted(numbers, key=str)]


def own_effects(path: Path, you: int, source: str) -> list[Effect]:
    """The effects of a card on what happens to itself, wherever it is."""
    said = (*facts(path), *in_full(path))
    itself = {fact[2] for fact in said if fact[0] == "functions" and fact[3] == "itself"}
    numbers = {fact[2] for fact in said if fact[0] == "would"} & itself
    card = str(facts(path)[0][1])
    return [Effect(card, number, you, source) for number in sorted(numbers, key=str)]


__all__ = ["Effect", "Event", "Reading", "State", "Thing", "UnreadError", "effects_of", "facts",
           "in_full", "made_effects", "own_effects", "replace", "shields", "words_of"]  # fmt: skip
