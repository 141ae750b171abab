"""Words for the terms that the encodings derive.

The encodings derive typed terms and no English; this module turns them into phrases.  A term
without a phrase of its own is shown as it is, so that cards with a vocabulary of their own
still read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING

from verifier.terms import Function, Term, flatten, parse_term, signature

if TYPE_CHECKING:
    from verifier.graph import Step


class Wording:
    """Phrases for one scenario.

    Parameters
    ----------
    names
        Constants of cards and objects, and the names to show for them.
    players
        The players.
    """

    def __init__(self, names: Mapping[str, str], players: Collection[str]) -> None:
        self._names = names
        self._players = players

    # --- Steps --------------------------------------------------------------------------

    def step(self, step: Step) -> str:
        """What a step is, in a sentence."""
        item = parse_term(step.item)
        label = self.phrase(step.label)
        if signature(item)[0] == "event":
            before = self._would(_event(step.node))
            after = _event(step.target)
            if signature(parse_term(step.label))[0] in ("apply", "accept"):
                who = f"{step.player} {label}" if step.player else f"{_bare(label)} applies"
                return f"{before}: {who}; instead {self._now(after)}"
            return f"{before}: {step.player + ' lets it happen' if step.player else label}"
        if signature(item)[0] == "happen" and isinstance(item, Function):
            told = self._now(item.arguments[0])
            return f"{told}: {step.player} {label}" if step.player else told
        told = self.phrase(step.item)
        return f"{told}: {step.player} {label}" if step.player else told

    def choice(self, step: Step) -> str:
        """What a step's label says, with the number of the copy."""
        copy = f" #{step.copy}" if step.copy else ""
        return f"{step.player}: {self.phrase(step.label)}{copy}"

    # --- Terms --------------------------------------------------------------------------

    def name(self, term: Term) -> str:
        """A player, card or object by name."""
        if isinstance(term, Function) and term.name == "unnamed":
            return "an unnamed card"
        return self._names.get(str(term), str(term))

    def effect(self, term: Term) -> str:
        """``eff(Card,N,You,Source)``: the effect of a card under a player's control."""
        if isinstance(term, Function) and len(term.arguments) == 4:
            card, _, you, _ = term.arguments
            return f"{self.name(card)} ({self.name(you)})"
        return str(term)

    def phrase(self, text: str) -> str:
        """What an item or a label means."""
        return self.say(parse_term(text))

    def say(self, term: Term) -> str:
        """Like `phrase`, for a term."""
        phrase = _PHRASES.get(signature(term))
        if phrase is not None:
            return phrase(self, *(term.arguments if isinstance(term, Function) else ()))
        event = self._subject(term)
        if event is not None:
            return f"{event[0]} {_third_person(event[1])}"
        if isinstance(term, Function):
            if not term.name:
                return ", ".join(map(self.say, flatten(term)))
            return f"{_spaced(term.name)} ({', '.join(map(self.say, term.arguments))})"
        name = self.name(term)
        return name if name != str(term) else _spaced(name)

    def _subject(self, term: Term) -> tuple[str, str] | None:
        """An event as a player and what that player does."""
        if not isinstance(term, Function) or signature(term) not in _EVENTS:
            return None
        player, *others = term.arguments
        if str(player) not in self._players:
            return None
        return self.name(player), _EVENTS[signature(term)](self, *others)

    def _would(self, event: Term) -> str:
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


def _cards(number: Term) -> str:
    return "a card" if number == 1 else f"{_number(number)} cards"


def _number(term: Term) -> str:
    match term:
        case Function("times", (int(factor),)):
            return f"{factor} times that many"
        case Function("this_way", (what,)):
            return f"as many as were {what} this way"
        case int():
            return f"{term:,}"
        case _:
            return _spaced(str(term))


def _tokens(token: Term, number: Term) -> str:
    return f"{_number(number)} {_spaced(str(token)).title()} token{'' if number == 1 else 's'}"


def _role(wording: Wording, role: Term, context: Term) -> str:
    match role, context:
        case Function("player", (player,)), _:
            return wording.name(player)
        case "you", Function("ctx", (you, *_)):
            return wording.name(you)
        case "that_player", Function("ctx", (_, that, *_)):
            return wording.name(that)
    return _spaced(str(role))


_Phrase = Callable[..., str]

#: What a player does in an event; the first argument of the term is the player.
_EVENTS: dict[tuple[str, int], _Phrase] = {
    ("draw", 1): lambda w: "draw a card",
    ("draw", 2): lambda w, n: f"draw {_cards(n)}",
    ("discard", 2): lambda w, c: f"discard {w.name(c)}",
    ("mill", 2): lambda w, n: f"mill {_cards(n)}",
    ("exile_top", 5): lambda w, q, n, t, s: (
        f"exile {_cards(n)} from the top of {w.name(q)}'s library"
    ),
    ("gain_life", 2): lambda w, n: f"gain {_number(n)} life",
    ("lose_life", 2): lambda w, n: f"lose {_number(n)} life",
    ("create", 3): lambda w, t, n: f"create {_tokens(t, n)}",
    ("damage", 2): lambda w, n: f"take {_number(n)} damage",
    ("lose_game", 1): lambda w: "lose the game",
    ("win_game", 1): lambda w: "win the game",
}

#: Items, labels and instructions.
_PHRASES: dict[tuple[str, int], _Phrase] = {
    ("go", 0): lambda w: "goes on",
    ("happens", 0): lambda w: "it happens",
    ("yes", 0): lambda w: "does so",
    ("no", 0): lambda w: "does not",
    ("sba", 0): lambda w: "state-based actions are checked",
    ("triggers", 0): lambda w: "triggered abilities are put on the stack",
    ("game_over", 0): lambda w: "a player who is the last one left wins",
    ("reveal", 0): lambda w: "reveals it",
    ("keep", 0): lambda w: "does not reveal it",
    ("nothing", 0): lambda w: "nothing happens",
    ("timeline", 1): lambda w, n: f"entry {n} of the timeline is carried out",
    ("do", 5): lambda w, i, r, c, f, a: f"{_role(w, r, c)}: {w.say(i)}",
    ("happen", 3): lambda w, e, f, a: w.say(e),
    ("event", 3): lambda w, e, f, a: w.say(e),
    ("resolving", 4): lambda w, c, n, y, p: f"an ability of {w.name(c)} ({w.name(y)}) resolves",
    ("end_frame", 1): lambda w, f: "the effect is finished",
    ("move_top", 4): lambda w, p, n, to, f: f"{_cards(n)} from the top of {w.name(p)}'s library",
    ("select", 6): lambda w, a, *rest: f"choosing for {w.say(a)}",
    ("steps", 3): lambda w, c, p, x: f"the steps of {w.effect(c)} are carried out",
    ("offer", 2): lambda w, c, e: f"{w.effect(c)} may be used",
    ("apply", 1): lambda w, c: f"applies {w.effect(c)}",
    ("accept", 1): lambda w, c: f"uses {w.effect(c)}",
    ("decline", 1): lambda w, c: f"does not use {w.effect(c)}",
    ("pick", 1): lambda w, c: f"chooses {w.name(c)}",
    ("put", 3): lambda w, c, n, p: f"puts the trigger of {w.name(c)} on the stack",
    ("gain_life", 1): lambda w, n: f"gain {_number(n)} life",
    ("lose_life", 1): lambda w, n: f"lose {_number(n)} life",
    ("pay_life", 1): lambda w, n: f"pay {_number(n)} life",
    ("set_life", 1): lambda w, n: f"life becomes {_number(n)}",
    ("discard", 1): lambda w, n: f"discard {_cards(n)}",
    ("discard_hand", 0): lambda w: "discard the hand",
    ("mill", 1): lambda w, n: f"mill {_cards(n)}",
    ("exile_top", 2): lambda w, n, t: f"exile {_cards(n)} from the top of the library",
    ("create", 2): lambda w, t, n: f"create {_tokens(t, n)}",
    ("may", 1): lambda w, i: f"may {w.say(i)}",
    ("may", 2): lambda w, i, j: f"may {w.say(i)}, otherwise {w.say(j)}",
    ("if_this_way", 2): lambda w, t, i: f"if any was {t} this way, {w.say(i)}",
    ("if_this_way", 3): lambda w, t, i, j: (
        f"if any was {t} this way, {w.say(i)}, otherwise {w.say(j)}"
    ),
}


def _draw(wording: Wording, what: Term) -> str:
    """``draw(alice)`` is an event, ``draw(2)`` an instruction."""
    if isinstance(what, str) and what in wording._players:
        return f"{wording.name(what)} draws a card"
    return f"draw {_cards(what)}"


_PHRASES["draw", 1] = _draw
