"""What cards say with other words in their text.

Which words can take the place of which others, and in which places of a fact words stand that are
symbols, is said by ``encodings/texts.lp``; here facts are written anew with other words in them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from verifier import asp, resources, rulecache
from verifier.errors import Position
from verifier.terms import Function, Term, parse_term

#: A place in a term: its functor, the number of its arguments, and which of them (from 1 on).
Place = tuple[str, int, int]


def reworded(cards: Sequence[asp.Rule], facts: Sequence[str]) -> list[asp.Rule]:
    """The facts of cards as they read with other words, and which text becomes which.

    Parameters
    ----------
    cards
        What the cards of a scenario say.
    facts
        The facts of the scenario.
    """
    changers, symbols = _signs()
    if not any(changer in text for changer in changers for text in (*_texts(cards), *facts)):
        return []
    said = [rule for rule in cards if not rule.body and rule.head_arguments]
    mentioned = {
        f"mentions({rule.head_arguments[0]},{word})."
        for rule in said
        for place, part in enumerate(rule.head_arguments[1:], start=2)
        if (rule.head, len(rule.head_arguments), place) not in symbols
        for word in _words(part, symbols)
    }
    program = resources.encodings("texts.lp").read_text(encoding="utf-8")
    lines = [program, *_texts(cards), *(f"{fact}." for fact in facts), *sorted(mentioned)]
    words: dict[tuple[Term, Term], dict[str, Term]] = defaultdict(dict)
    made: list[asp.Rule] = []
    origin = Position(str(resources.encodings("texts.lp")), 1, 1)
    for atom in map(parse_term, sorted(asp.evaluate("\n".join(lines)))):
        if not isinstance(atom, Function):
            continue
        if atom.name == "reads":
            new, card, word, other = atom.arguments
            words[new, card][str(word)] = other
        else:
            made.append(asp.Rule(f"{atom}.", origin, atom.name, atom.arguments))
    for (new, card), others in words.items():
        # A card can be called like a word (a basic land).
        instead = {str(card): new, **others}
        for rule in said:
            if rule.head_arguments[0] == card:
                arguments = _parts(Function(rule.head, rule.head_arguments), instead, symbols)
                arguments = (new, *arguments[1:])
                text = f"{Function(rule.head, arguments)}."
                made.append(replace(rule, text=text, head_arguments=arguments))
    return made


def _texts(rules: Sequence[asp.Rule]) -> list[str]:
    return [rule.text for rule in rules]


@lru_cache(maxsize=1)
def _signs() -> tuple[list[str], frozenset[Place]]:
    """What shows that words can change at all, and the places in which symbols stand."""
    rules = rulecache.read_program([resources.encodings("texts.lp")])
    changers = [f"{rule.head_arguments[0]}(" for rule in rules if rule.head == "changer"]
    symbols = frozenset(
        (str(name), int(str(arity)), int(str(place)))
        for rule in rules
        if rule.head == "symbol_at"
        for name, arity, place in [rule.head_arguments]
    )
    return changers, symbols


def _words(term: Term, symbols: frozenset[Place]) -> Iterator[str]:
    """The constants in a term, besides symbols."""
    if isinstance(term, Function):
        for place, part in enumerate(term.arguments, start=1):
            if (term.name, len(term.arguments), place) not in symbols:
                yield from _words(part, symbols)
    elif isinstance(term, str) and not term.startswith('"'):
        yield term


def _exchanged(term: Term, words: dict[str, Term], symbols: frozenset[Place]) -> Term:
    """A term with other words in it."""
    if isinstance(term, Function):
        return Function(term.name, _parts(term, words, symbols))
    return words.get(term, term) if isinstance(term, str) else term


def _parts(term: Function, words: dict[str, Term], symbols: frozenset[Place]) -> tuple[Term, ...]:
    """The arguments of a term with other words in them."""
    return tuple(
        part
        if (term.name, len(term.arguments), place) in symbols
        else _exchanged(part, words, symbols)
        for place, part in enumerate(term.arguments, start=1)
    )
