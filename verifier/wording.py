"""Words for the terms that the encodings derive.

The encodings derive typed terms and no English; this module turns them into phrases.  A term
without a phrase of its own is shown as it is, so that cards with a vocabulary of their own
still read.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from verifier.phrases import BESIDES, EVENTS, KINDS, PHRASES, RULES, SCOPES
from verifier.terms import Function, Term, exact_number, flatten, parse_term, signature

if TYPE_CHECKING:
    from verifier.graph import Step


#: More symbols of one type are written as a number.
MOST_SYMBOLS = 6


class Wording:
    """Phrases for one scenario.

    Parameters
    ----------
    names
        Constants of cards and objects, and the names to show for them.
    players
        The players.
    numbered
        Constants of cards of which it is to be said which ability is meant.
    """

    def __init__(
        self,
        names: Mapping[str, str],
        players: Collection[str],
        numbered: Collection[str] = (),
    ) -> None:
        self._names = names
        self._players = players
        self._numbered = numbered

    # --- Steps --------------------------------------------------------------------------

    def step(self, step: Step) -> str:
        """What a step is, in a sentence."""
        label = self.phrase(step.label)
        before = self.before(step)
        is_event = signature(parse_term(step.item))[0] == "event"
        if is_event and signature(parse_term(step.label))[0] in ("apply", "accept"):
            who = f"{step.player} {label}" if step.player else f"{_bare(label)} applies"
            return f"{before}: {who}; instead {self._now(_event(step.target))}"
        if step.player:
            return f"{before}: {step.player} {label}"
        # A target is worth saying although there is no other.
        only = parse_term(step.label)
        if isinstance(only, Function) and signature(only) == ("target", 1):
            return f"{before}: the target is {self.name(only.arguments[0])}"
        return before

    def before(self, step: Step) -> str:
        """What is handled when a step is taken."""
        item = parse_term(step.item)
        if signature(item)[0] == "event":
            return self._would(_event(step.node))
        if signature(item)[0] == "happen" and isinstance(item, Function):
            return self._now(item.arguments[0])
        return self.say(item)

    def choice(self, step: Step) -> str:
        """What a step's label says, with the number of the copy."""
        copy = f" #{step.copy}" if step.copy else ""
        return f"{step.player}: {self.phrase(step.label)}{copy}"

    def pending(self, item: str, node: str) -> str:
        """What waits for a choice: the event that would happen, or the item."""
        if signature(parse_term(item))[0] == "event" and node.startswith("n("):
            return self._would(_event(node))
        return self.phrase(item)

    def to_dict(self, step: Step) -> dict[str, Any]:
        """A step as in the JSON output."""
        return {"player": step.player, "text": self.step(step), "rules": list(step.rules)}

    # --- Terms --------------------------------------------------------------------------

    def name(self, term: Term) -> str:
        """A player, card or object by name."""
        if isinstance(term, Function):
            return self.say(term)
        text = str(term)
        return self._names.get(text, RULES.get(text, text))

    def effect(self, term: Term) -> str:
        """``eff(Card,N,You,Source)``: the effect of a card under a player's control."""
        if isinstance(term, Function) and len(term.arguments) == 4:
            card, number, you, _ = term.arguments
            which = f", ability {number}" if card in self._numbered else ""
            return f"{self.name(card)} ({self.name(you)}{which})"
        return str(term)

    def applied(self, label: str) -> str | None:
        """The effect that a step with this label applies, if it applies one."""
        term = parse_term(label)
        if not isinstance(term, Function) or term.name not in ("apply", "accept"):
            return None
        return self.effect(term.arguments[0])

    def phrase(self, text: str) -> str:
        """What an item or a label means."""
        return self.say(parse_term(text))

    def say(self, term: Term) -> str:
        """Like `phrase`, for a term."""
        event = self._subject(term)
        if event is not None:
            return f"{event[0]} {_third_person(event[1])}"
        template = PHRASES.get(signature(term))
        if template is not None:
            return self._fill(template, term)
        if signature(term) == ("eff", 4):
            return self.effect(term)
        if signature(term) == ("draw", 1):
            return self._fill("draw {0:cards}", term)
        if isinstance(term, Function):
            if not term.name:
                return ", ".join(map(self.say, flatten(term)))
            return f"{_spaced(term.name)} ({', '.join(map(self.say, term.arguments))})"
        name = self.name(term)
        return name if name != str(term) else _spaced(name)

    def kind(self, term: Term) -> str:
        """A kind of event."""
        template = KINDS.get(signature(term))
        return self.say(term) if template is None else self._fill(template, term)

    def _fill(self, template: str, term: Term) -> str:
        arguments = term.arguments if isinstance(term, Function) else ()
        return template.format(*(_Part(self, argument, term) for argument in arguments))

    def _subject(self, term: Term) -> tuple[str, str] | None:
        """An event as a player and what that player does."""
        if not isinstance(term, Function) or signature(term) not in EVENTS:
            return None
        if str(term.arguments[0]) not in self._players:
            return None
        return self.name(term.arguments[0]), self._fill(EVENTS[signature(term)], term)

    def _would(self, event: Term) -> str:
        if isinstance(event, Function) and signature(event) == ("also", 2):
            return f"{self._would(event.arguments[0])}{self._fill(BESIDES, event)}"
        subject = self._subject(event)
        return f"{subject[0]} would {subject[1]}" if subject else self.say(event)

    def _now(self, event: Term) -> str:
        subject = self._subject(event)
        return f"{subject[0]} {_third_person(subject[1])}" if subject else self.say(event)


def _event(node: str) -> Term:
    """The event of a node: ``n(Event,Applied)`` or ``final(Event,Applied)``."""
    term = parse_term(node)
    return term.arguments[0] if isinstance(term, Function) else term


def _bare(label: str) -> str:
    return label.removeprefix("applies ").removeprefix("uses ")


def _third_person(verb: str) -> str:
    first, _, rest = verb.partition(" ")
    return f"{first}s {rest}" if rest else f"{first}s"


def _spaced(word: str) -> str:
    return word.replace("_", " ")


class _Part:
    """An argument of a term, shown as a template asks for it (see `verifier.phrases`)."""

    def __init__(self, wording: Wording, term: Term, whole: Term) -> None:
        self._wording = wording
        self._term = term
        self._whole = whole

    def __format__(self, how: str) -> str:
        if how.startswith("symbol "):
            return _symbols(self._term, how[-1])
        match how:
            case "name":
                return self._wording.name(self._term)
            case "effect":
                return self._wording.effect(self._term)
            case "cards":
                return "a card" if self._term == 1 else f"{self:number} cards"
            case "number":
                if isinstance(self._term, int) or signature(self._term) == ("big", 2):
                    return f"{exact_number(self._term):,}"
                return self._wording.say(self._term)
            case "factor":
                return "" if self._term == 1 else f"{exact_number(self._term):,} × "  # noqa: RUF001
            case "tokens":
                return self._tokens()
            case "counters":
                return self._counters()
            case "riders":
                return " and ".join(map(self._wording.say, reversed(flatten(self._term))))
            case "token":
                kind = self._wording.name(self._term)
                return kind if kind != str(self._term) else _spaced(kind).title()
            case "bag":
                return self._bag()
            case "how":
                return "" if str(self._term) == "plain" else f", {self._wording.say(self._term)}"
            case "word":
                return _spaced(str(self._term))
            case "kind":
                return self._wording.kind(self._term)
            case "event":
                kind = self._wording.kind(self._term)
                return kind if kind.endswith((" of", " to")) else f"{kind} by"
            case "scope":
                return SCOPES.get(str(self._term), _spaced(str(self._term)))
            case "role":
                return _role(self._wording, self._term, self._whole)
        return self._wording.say(self._term)

    def _counters(self) -> str:
        """Kinds of counters with their numbers, ``((Word,N),Rest)``."""
        kinds = [kind for kind in flatten(self._term) if isinstance(kind, Function)]
        parts = [
            f"{_Part(self._wording, number, self._whole):number} {_spaced(str(word))}"
            for word, number in (kind.arguments for kind in kinds)
        ]
        return f"{' and '.join(parts)} counters"

    def _tokens(self) -> str:
        """A kind of token with its number, which is the argument after it."""
        arguments = self._whole.arguments if isinstance(self._whole, Function) else ()
        return self._so_many(self._term, arguments[arguments.index(self._term) + 1])

    def _so_many(self, token: Term, number: Term) -> str:
        match token:
            case Function("copy", (card,)):
                kind = f"token{'' if number == 1 else 's'} copying {self._wording.name(card)}"
            case _:
                kind = f"{_spaced(str(token)).title()} token{'' if number == 1 else 's'}"
        return f"{_Part(self._wording, number, self._whole):number} {kind}"

    def _bag(self) -> str:
        """Tokens of several kinds, ``((Token,N),Rest)`` or ``end``."""
        said: list[str] = []
        bag = self._term
        while isinstance(bag, Function) and len(bag.arguments) == 2:
            pair, bag = bag.arguments
            if isinstance(pair, Function) and len(pair.arguments) == 2:
                said.append(self._so_many(*pair.arguments))
        return f"{', '.join(said[:-1])} and {said[-1]}" if len(said) > 1 else "".join(said)


def _symbols(amount: Term, letter: str) -> str:
    """So much mana of one type: each symbol if they are few, or how many."""
    if isinstance(amount, int) and amount <= MOST_SYMBOLS:
        return f"{{{letter}}}" * amount
    return f" {exact_number(amount):,} {{{letter}}} "


def _role(wording: Wording, role: Term, item: Term) -> str:
    """The role of ``do(Ins,Role,Context,...)``: a player, if the context tells which."""
    context = item.arguments[2] if isinstance(item, Function) else role
    match role, context:
        case Function("player", (player,)), _:
            return wording.name(player)
        case "you", Function("ctx", (you, *_)):
            return wording.name(you)
        case "that_player", Function("ctx", (_, that, *_)):
            return wording.name(that)
    return _spaced(str(role))
