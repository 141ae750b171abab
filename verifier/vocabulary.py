"""The words that cards and scenario files may use, checked against the encodings.

``encodings/vocabulary.lp`` gives every word a sort, and sorts to its arguments.  This module
holds what a card or a scenario says against that list; it knows no word itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from verifier import resources, rulecache
from verifier.asp import Predicate
from verifier.errors import CardError, InputError, Position, ScenarioError
from verifier.facts import claimed_rows, timeline_entries
from verifier.outcomes import ENDLESS, NOTHING
from verifier.program import BASE, OUTPUTS
from verifier.shape import meant_player, meant_whole
from verifier.source import WHOLE, shown
from verifier.terms import Function, Term, Variable, signature, unifies

if TYPE_CHECKING:
    from verifier.asp import Rule
    from verifier.outcomes import Observables
    from verifier.program import Split
    from verifier.scenario import Scenario
    from verifier.source import Key, Source

#: The largest number that a count can be.
LARGEST = 2**31 - 1

#: More words than this are listed only if none of them is near.
LONGEST_LIST = 12

#: The predicates that make the vocabulary; a card can extend it with them.
_DECLARES = {("word", 2), ("includes", 2)}

#: Sorts whose words mean what rules derive for them, and the predicates that do so.
_DERIVED = {"condition": {("met", 4), ("met_by", 3)}}

#: Words that say nothing in a scenario.
_ONLY_IN_CARDS = "only_in_cards"

#: What a permanent is.
_PERMANENT = "permanent_type"

#: What a permanent can be said to be besides, and what cards can speak of.
_ALSO = "plain_kind"
_KIND = "permanent_kind"

#: How like a known word another one must be to be taken for a slip.
_CLOSE = 0.8


@dataclass(frozen=True)
class Said:
    """A word, a number, or (``None``) anything, with its arguments and place."""

    name: str | int | None
    arguments: tuple[Said, ...]
    position: Position

    def __str__(self) -> str:
        inner = ", ".join(map(str, self.arguments))
        return f"{self.name}({inner})" if inner else str(self.name)


def said_by_term(term: Term, position: Position) -> Said:
    """What a term in a card file says; its parts have no places of their own."""
    if isinstance(term, Variable):
        return Said(None, (), position)
    if isinstance(term, Function):
        parts = tuple(said_by_term(part, position) for part in term.arguments)
        return Said(term.name, parts, position)
    return Said(term, (), position)


def said_in_file(source: Source, value: Any, key: Key) -> Said:
    """What a part of a scenario file says: ``{may: {draw: 2}}`` is may(draw(2)).

    Raises
    ------
    ScenarioError
        If it is neither a word nor a number nor a word with arguments.
    """
    position = source.at(*key)
    if isinstance(value, dict) and len(value) == 1:
        ((name, inner),) = value.items()
        here = (*key, name)
        listed = isinstance(inner, list)
        parts = [((*here, i), part) for i, part in enumerate(inner)] if listed else [(here, inner)]
        arguments = tuple(said_in_file(source, part, path) for path, part in parts)
        return Said(_word(source, name, source.at_key(*here)), arguments, source.at_key(*here))
    if isinstance(value, str):
        return Said(_word(source, value, position), (), position)
    if isinstance(value, int) and not isinstance(value, bool):
        return Said(value, (), position)
    raise ScenarioError(
        f"an integer or a word is needed here, not {shown(value)}",
        position=position,
        hint="an instruction with arguments is {may: {draw: 2}} or {create: [bear, 2]}",
    )


def _word(source: Source, text: str, position: Position) -> str:
    if not resources.is_word(text):
        hint = "words are small letters, digits and _, and begin with a letter"
        if resources.NUMBER.fullmatch(text):
            hint = WHOLE
        raise ScenarioError(
            f"`{text}` is no word of the vocabulary",
            position=position,
            hint=meant_player(source, text) or hint,
        )
    return text


class Vocabulary:
    """Words by sort.

    Parameters
    ----------
    rules
        The rules in which ``word/2`` and ``includes/2`` facts are looked for.
    """

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._words: dict[str, dict[str, list[tuple[Term, ...]]]] = defaultdict(dict)
        self._includes: dict[str, list[str]] = defaultdict(list)
        self._found: dict[str, dict[str, list[tuple[Term, ...]]]] = {}
        for rule in rules:
            shape = rule.predicate
            if shape == ("includes", 2):
                whole, part = map(str, rule.head_arguments)
                self._includes[whole].append(part)
            elif shape == ("word", 2):
                sort, word = rule.head_arguments
                sorts = word.arguments if isinstance(word, Function) else ()
                self._words[str(sort)].setdefault(signature(word)[0], []).append(sorts)

    def words(self, sort: str) -> dict[str, list[tuple[Term, ...]]]:
        """The words of a sort and the sorts of their arguments (one list for each number)."""
        if sort not in self._found:
            found: dict[str, list[tuple[Term, ...]]] = defaultdict(list)
            for part in self.sorts(sort):
                for name, arguments in self._words[part].items():
                    found[name] += arguments
            self._found[sort] = dict(found)
        return self._found[sort]

    def sorts(self, sort: str) -> list[str]:
        """A sort and all that it includes."""
        found = [sort]
        for part in found:
            found += [more for more in self._includes[part] if more not in found]
        return found

    def signatures(self, sort: str) -> set[Predicate]:
        """The words of a sort with their numbers of arguments."""
        return {(name, len(s)) for name, rows in self.words(sort).items() for s in rows}


@dataclass(frozen=True)
class Checker:
    """Holds what is said against the vocabulary.

    Attributes
    ----------
    error
        The exception to raise.
    card
        The card whose file it is.
    players
        Who can stand for a role.
    objects
        What a scenario can name.
    without
        A sort whose words say nothing here.
    """

    vocabulary: Vocabulary
    error: type[InputError]
    card: str | None = None
    players: Sequence[str] = ()
    objects: Sequence[str] = ()
    without: str | None = None

    def check(self, said: Said, sort: str) -> None:
        """Refuse what is not of a sort.

        Raises
        ------
        InputError
            With the place and what would be right.
        """
        sorts = self.vocabulary.sorts(sort)
        if said.name is None or (not said.arguments and self._is_basic(said, sorts)):
            return
        words = self.vocabulary.words(sort)
        silent = self.vocabulary.words(self.without) if self.without else {}
        known = words.keys()
        words = {word: rows for word, rows in words.items() if word not in silent}
        if said.name in silent and said.name in known:
            raise self.error(
                f"`{said.name}` says nothing here",
                position=said.position,
                hint="only in a card is there an ability whose event, number or source it means",
            )
        rows = words.get(str(said.name))
        if rows is None or isinstance(said.name, int):
            raise self._unknown(said, sort, words)
        fitting = [row for row in rows if len(row) == len(said.arguments)]
        if not fitting:
            possible = " or ".join(str(len(row)) for row in sorted(rows, key=len))
            plural = "" if possible == "1" else "s"
            raise self.error(
                f"`{said.name}` takes {possible} argument{plural}, not {len(said.arguments)}",
                position=said.position,
            )
        for part, wanted in zip(said.arguments, fitting[0], strict=True):
            self.check(part, str(wanted))

    def _is_basic(self, said: Said, sorts: Sequence[str]) -> bool:
        name = said.name
        if isinstance(name, int):
            if "integer" in sorts and -LARGEST <= name <= LARGEST:
                return True
            if "count" in sorts and not 0 <= name <= LARGEST:
                raise self.error(
                    f"the number {name} is {'below 0' if name < 0 else 'too large'}",
                    position=said.position,
                    hint=f"possible are 0 to {LARGEST}",
                )
            return "count" in sorts
        if name is None or name.startswith('"'):
            return "text" in sorts
        return (
            "constant" in sorts
            or ("own_card" in sorts and name == self.card)
            or ("object" in sorts and name in self.objects)
            or ("role" in sorts and name in self.players)
            or ("single_role" in sorts and name in self.players)
        )

    def _unknown(self, said: Said, sort: str, words: Iterable[str]) -> InputError:
        if sort == "own_card":
            return self.error(
                f"`{said}` is not the card of this file",
                position=said.position,
                hint=f"a file says what its own card does, which is `{self.card}`",
            )
        known = sorted(word for word in words if word)
        near = resources.nearest(str(said.name), [*self._extra(sort), *known])
        possible = [*self._extra(sort), *known]
        if "count" in self.vocabulary.sorts(sort):
            possible.insert(0, "an integer from 0")
        if not possible:
            possible = ["a string" if sort == "text" else "a word"]
        return self.error(
            f"unknown {sort.replace('_', ' ')} `{said.name or said}`",
            position=said.position,
            hint=_suggest(near, possible),
        )

    def _extra(self, sort: str) -> Sequence[str]:
        if sort == "object":
            return self.objects
        return self.players if sort in ("role", "single_role") else ()


def _suggest(near: str | None, possible: Sequence[str]) -> str:
    """The nearest word, and what else is possible if that is not too much to read."""
    if near and len(possible) > LONGEST_LIST:
        return f"did you mean `{near}`?"
    return (f"did you mean `{near}`? " if near else "") + f"possible here: {', '.join(possible)}"


# --- Cards --------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def shipped_words() -> tuple[Rule, ...]:
    """The vocabulary as shipped."""
    return tuple(rulecache.read_program([resources.encodings("vocabulary.lp")]))


@lru_cache(maxsize=1)
def _shipped_vocabulary() -> Vocabulary:
    return Vocabulary(shipped_words())


def told_readings() -> dict[str, tuple[str, str]]:
    """For each shipped reading the subrule that it reads, and what it says."""
    found = [rule.head_arguments for rule in shipped_words() if rule.predicate == ("reads", 3)]
    return {str(name): (_text(rule), _text(said)) for name, rule, said in found}


def _text(term: Term) -> str:
    """A string as it is read."""
    return str(term).strip('"')


def _vocabulary_with(rules: Iterable[Rule]) -> Vocabulary:
    """The vocabulary as shipped, and the words that cards have of their own."""
    own = [rule for rule in rules if rule.head in ("word", "includes")]
    return Vocabulary([*shipped_words(), *own]) if own else _shipped_vocabulary()


class Atoms(tuple[Term, ...]):
    """Static atoms, which can be looked up by name and arity."""

    @cached_property
    def like(self) -> dict[Predicate, list[Function]]:
        """The atoms that have arguments, by name and arity."""
        found: dict[Predicate, list[Function]] = defaultdict(list)
        for term in self:
            if isinstance(term, Function):
                found[signature(term)].append(term)
        return found


def check_cards(rules: Sequence[Rule], shipped: Split) -> None:
    """Refuse cards that say what no rule understands.

    Parameters
    ----------
    rules
        The rules of the cards.
    shipped
        The rules of the game, whose predicates the rules of a card may use.

    Raises
    ------
    CardError
        With file, line and column, and the nearest known word.
    """
    vocabulary = _vocabulary_with(rules)
    facts = vocabulary.words("fact")
    shapes = vocabulary.signatures("fact")
    read = shipped.read
    derived = shipped.heads | {rule.predicate for rule in rules}
    own = {literal.predicate for rule in rules for literal in rule.body}
    stated: set[tuple[str, str]] = set()
    for rule in rules:
        shape = rule.predicate
        if (rule.position.file, rule.text) in stated:
            raise CardError(
                "the same stands in this file twice",
                position=rule.position,
                hint="two equal steps need two numbers",
            )
        stated.add((rule.position.file, rule.text))
        if shape in shapes:
            head = said_by_term(Function(rule.head, rule.head_arguments), rule.position)
            card = resources.card_of(rule.position.file)
            Checker(vocabulary, CardError, card).check(head, "fact")
        elif shape not in read | own | OUTPUTS | _DECLARES:
            raise _unknown_predicate(shape, facts, shapes | read, rule.position)
        for literal in rule.body:
            if literal.predicate not in shapes | read | derived | BASE:
                raise _unknown_predicate(
                    literal.predicate, facts, shapes | read | derived, rule.position
                )
    _check_names(rules)
    _check_own_words(rules, shipped.rules)


def _check_names(rules: Sequence[Rule]) -> None:
    """Each file names its card, and is found by that name."""
    named = {rule.position.file for rule in rules if rule.predicate == ("name", 2)}
    for rule in rules:
        card = resources.card_of(rule.position.file)
        if rule.position.file not in named:
            raise CardError(
                "the file does not name its card",
                position=Position(rule.position.file, 1, 1),
                hint=f'`name({card}, "...").`',
            )
        if rule.predicate == ("name", 2) and not isinstance(rule.head_arguments[1], Variable):
            name = str(rule.head_arguments[1]).strip('"')
            wanted = resources.constant(name)
            if wanted != card:
                raise CardError(
                    f"the card `{name}` would not be found in a file of this name",
                    position=rule.position,
                    hint=f"the file of {name} is {wanted}.lp and speaks of `{wanted}`",
                )


def _check_own_words(rules: Sequence[Rule], shipped: Sequence[Rule]) -> None:
    """A word of a card's own that some rule must give a meaning has such a rule."""
    own = [rule for rule in rules if rule.predicate == ("word", 2)]
    for rule in own:
        sort, word = rule.head_arguments
        by = _DERIVED.get(str(sort))
        if by is None:
            continue
        shape = signature(word)
        pattern = Function(shape[0], (Variable("_"),) * shape[1]) if shape[1] else word
        if not any(
            other.predicate in by and unifies(pattern, other.head_arguments[1])
            for other in (*rules, *shipped)
        ):
            name, arity = min(by)
            raise CardError(
                f"no rule says when the {sort} `{word}` holds",
                position=rule.position,
                hint=f"such a rule has the head {name}/{arity}, as in encodings/rules/{sort}s.lp",
            )


def _unknown_predicate(
    shape: Predicate,
    facts: dict[str, list[tuple[Term, ...]]],
    known: Iterable[Predicate],
    position: Position,
) -> CardError:
    name, arity = shape
    if name in facts:
        possible = " or ".join(str(len(row)) for row in facts[name])
        return CardError(f"`{name}` takes {possible} arguments, not {arity}", position=position)
    near = resources.nearest(name, sorted(facts))
    near = near or resources.nearest(name, sorted({word for word, _ in known}))
    return CardError(
        f"unknown predicate {name}/{arity}",
        position=position,
        hint=(f"did you mean `{near}`? " if near else "")
        + "encodings/README.md lists the vocabulary",
    )


def check_faults(rules: Sequence[Rule], static: Atoms) -> None:
    """Refuse cards whose parts do not fit together, as ``encodings/rules/check.lp`` says.

    Raises
    ------
    CardError
        With the first line of the card that speaks of the ability, or of what the message names.
    """
    for term in _of(static, "fault", 2):
        card, text = term.arguments
        own = [rule for rule in rules if rule.head_arguments[:1] == (card,)]
        named = [r for word in str(text).split("`")[1::2] for r in own if r.head == word]
        raise CardError(f"{card} {str(text).strip(chr(34))}", position=(named or own)[0].position)
    for term in _of(static, "fault", 3):
        card, number, text = term.arguments
        places = [r.position for r in rules if r.head_arguments[:2] == (card, number)]
        raise CardError(
            f"ability {number} of {card} {str(text).strip(chr(34))}",
            position=min(places, key=lambda place: place.line, default=None),
        )
    for term in _of(static, "fault", 4):
        card, number, step, text = term.arguments
        places = [
            r.position
            for k in (3, 2)
            for r in rules
            if r.head_arguments[:k] == term.arguments[:k] and (k == 2 or f"`{r.head}`" in str(text))
        ]
        raise CardError(
            f"ability {number} of {card} has a step {step} {str(text).strip(chr(34))}",
            position=places[-1] if places else None,
        )


# --- Scenarios ----------------------------------------------------------------------------


def check_instructions(scenario: Scenario, rules: Iterable[Rule]) -> None:
    """Refuse instructions, roles and steps that the encodings do not have.

    Parameters
    ----------
    rules
        The rules of the cards, which may extend the vocabulary.

    Raises
    ------
    ScenarioError
        With the place of the word and the nearest known one.
    """
    source = scenario.source
    vocabulary = _vocabulary_with(rules)
    for index, player in enumerate(scenario.players):
        if player in vocabulary.words("role"):
            raise ScenarioError(
                f"`{player}` cannot be a player's name",
                position=source.at("players", index),
                hint="it is a role that instructions use",
            )
    _check_readings(scenario, vocabulary)
    checker = Checker(
        vocabulary,
        ScenarioError,
        players=scenario.players,
        objects=list(scenario.objects),
        without=_ONLY_IN_CARDS,
    )
    for path, entry in timeline_entries(scenario.data):
        if "begin" in entry:
            checker.check(said_in_file(source, entry["begin"], (*path, "begin")), "step")
        if "advance" in entry:
            to: Key = (*path, "advance")
            step = entry["advance"]
            if isinstance(step, dict):
                step, to = step["step"], (*to, "step")
            checker.check(said_in_file(source, step, to), "step")
        for place, step in enumerate(entry.get("resolve", {}).get("does", [])):
            here: Key = (*path, "resolve", "does", place)
            if isinstance(step, dict):
                if "who" in step:
                    who = said_in_file(source, step["who"], (*here, "who"))
                    checker.check(who, "role")
                step = {name: value for name, value in step.items() if name != "who"}
            checker.check(said_in_file(source, step, here), "instruction")


def _check_readings(scenario: Scenario, vocabulary: Vocabulary) -> None:
    """The readings that the file names, and the one that it is looked at under, are known."""
    known = sorted(vocabulary.words("reading"))
    for reading in dict.fromkeys([*scenario.readings, scenario.reading]):
        for word in filter(None, reading.split("+")):
            _known(word, known, "reading", scenario.source.at_key("readings", reading))


def check_words(scenario: Scenario, static: Atoms, observables: Observables) -> None:
    """Refuse abilities that a card does not have, and unknown observables.

    Raises
    ------
    ScenarioError
        With the place of the word and the nearest known one.
    """
    _check_permanents(scenario, static)
    _check_said_of_permanents(scenario, static)
    for key, what, content in _activations(scenario):
        _check_activated(scenario, static, content, (*key, what))
    for key, entry in timeline_entries(scenario.data):
        if "card" in entry.get("resolve", {}):
            _check_ability(scenario, static, entry["resolve"], (*key, "resolve"))
    for index, entry in enumerate(scenario.data.get("effects", [])):
        _check_effect(scenario, static, entry, ("effects", index))
        _check_target(scenario, static, entry, ("effects", index))
        _check_made_with(scenario, static, entry, ("effects", index))
        _check_exchanged(scenario, static, entry, ("effects", index))
    _check_observables(scenario, observables)
    _check_claimed_words(scenario, static)


def _of(static: Atoms, name: str, arity: int) -> Sequence[Function]:
    return static.like.get((name, arity), ())


def _known(word: str, known: Sequence[str], what: str, position: Position) -> None:
    if word not in known:
        near = resources.nearest(word, known)
        raise ScenarioError(
            f"unknown {what} `{word}`",
            position=position,
            hint=_suggest(near, known),
        )


def _check_permanents(scenario: Scenario, static: Atoms) -> None:
    """What is on the battlefield is a permanent, unless its file leaves its types open."""
    possible = _shipped_vocabulary().words(_PERMANENT)
    for index, entry in enumerate(scenario.data.get("battlefield", [])):
        card = resources.constant(entry["card"])
        types = [
            t
            for owner, t in (term.arguments for term in _of(static, "type", 2))
            if str(owner) == card
        ]
        if types and not any(str(t) in possible for t in types):
            raise ScenarioError(
                f"{entry['card']} is no permanent but {' '.join(map(str, types))}",
                position=scenario.source.at("battlefield", index, "card"),
                hint="`resolve: {player: ..., card: ...}` in the timeline lets it resolve; "
                "what it made before is in `effects`",
            )


def _check_said_of_permanents(scenario: Scenario, static: Atoms) -> None:
    """What is said of a permanent besides its card is something that a rule reads."""
    vocabulary = _shipped_vocabulary()
    kinds = {word for word, rows in vocabulary.words(_ALSO).items() if () in rows}
    silent = {word for word, rows in vocabulary.words(_KIND).items() if () in rows} - kinds
    silent |= {*vocabulary.words("mana_type")} - kinds
    subtypes = {str(term.arguments[1]) for term in _of(static, "subtype", 2)}
    subtypes |= {str(term.arguments[0]) for term in _of(static, "land_type", 1)}
    counters = {str(term.arguments[0]) for term in _of(static, "counter_kind", 1)}
    meaningful = {str(term.arguments[0]) for term in _of(static, "known_counter", 1)}
    for index, entry in enumerate(scenario.data.get("battlefield", [])):
        key: Key = ("battlefield", index)
        for place, word in enumerate(entry.get("also", [])):
            near = resources.nearest(word, sorted(kinds), cutoff=_CLOSE)
            if word in silent or (near and word not in kinds | subtypes):
                raise ScenarioError(
                    f"`{word}` is no type, subtype, supertype or color",
                    position=scenario.source.at(*key, "also", place),
                    hint=f"did you mean `{near}`?" if near else None,
                )
        card = resources.constant(entry["card"])
        if "imprinted" in entry and not _mentions(static, card, {"imprinted"}):
            raise ScenarioError(
                f"{entry['card']} says nothing of a card that is `imprinted`",
                position=scenario.source.at_key(*key, "imprinted"),
            )
        _check_attached(scenario, static, entry, key)
        _check_chosen_for(scenario, static, entry, key)
        for kind in entry.get("counters", {}):
            near = resources.nearest(kind, sorted(counters - {kind}), cutoff=_CLOSE)
            if near and kind not in meaningful and not _mentions(static, None, {kind}):
                raise ScenarioError(
                    f"no card here speaks of `{kind}` counters",
                    position=scenario.source.at_key(*key, "counters", kind),
                    hint=f"did you mean `{near}`?",
                )


def _check_attached(scenario: Scenario, static: Atoms, entry: dict[str, Any], key: Key) -> None:
    """Only what enchants players is attached to one."""
    host = entry.get("attached_to")
    card = resources.constant(entry["card"])
    enchanting = {str(term.arguments[0]) for term in _of(static, "enchants_player", 1)}
    if host in scenario.players and card not in enchanting:
        raise ScenarioError(
            f"`{host}` is a player, and {entry['card']} does not enchant players",
            position=scenario.source.at(*key, "attached_to"),
        )


def _check_chosen_for(scenario: Scenario, static: Atoms, entry: dict[str, Any], key: Key) -> None:
    """A word is chosen for a permanent if its card asks for one, a color if for a color.

    (What is chosen for an effect that it makes is said in `effects`.)
    """
    card = resources.constant(entry["card"])
    made = [term.arguments for term in _of(static, "floats", 2)]
    lasting = {number for owner, number in made if str(owner) == card}
    later = _mentions(static, card, {"choose_color"})
    sorts = {str(sort) for owner, sort in _pairs(static, "chosen_sort") if str(owner) == card}
    another = bool(sorts - {"color"})
    a_type = any(str(owner) == card for owner, _ in _pairs(static, "of_chosen_type"))
    a_type = a_type or (another and _mentions(static, card, {"chosen"}))
    a_color = later or (not another and _mentions(static, card, {"chosen"}, without=lasting))
    if "chosen" not in entry:
        if (a_type or a_color) and not later:
            raise ScenarioError(
                f"{entry['card']} needs what is `chosen` for it",
                position=scenario.source.at(*key),
                hint=f"chosen: {'elf' if a_type else 'red'}",
            )
        return
    if not a_type and not a_color and not sorts:
        raise ScenarioError(
            f"nothing is chosen for {entry['card']}",
            position=scenario.source.at_key(*key, "chosen"),
        )
    if not a_type and not another:
        colors = sorted(_shipped_vocabulary().words("color"))
        _known(entry["chosen"], colors, "color", scenario.source.at(*key, "chosen"))


def _mentions(
    static: Atoms, card: str | None, words: set[str], *, without: Collection[Term] = ()
) -> bool:
    """Whether a fact of a card, or of any, mentions one of some words.

    Some of the card's abilities can be left out.
    """
    facts = _shipped_vocabulary().signatures("fact")
    return any(
        words & set(_constants(term.arguments[1:]))
        for shape in facts
        for term in static.like.get(shape, ())
        if (card is None or str(term.arguments[0]) == card)
        and not any(number in term.arguments[1:2] for number in without)
    )


def _constants(terms: Iterable[Term]) -> Iterator[str]:
    """The words in some terms."""
    for term in terms:
        if isinstance(term, Function):
            yield term.name
            yield from _constants(term.arguments)
        else:
            yield str(term)


def _pairs(static: Atoms, name: str) -> Iterator[tuple[Term, Term]]:
    """The arguments of the static atoms of a predicate with two."""
    for term in _of(static, name, 2):
        first, second = term.arguments
        yield first, second


def _activations(scenario: Scenario) -> Iterator[tuple[Key, str, dict[str, Any]]]:
    """The entries of the timeline that activate an ability."""
    for key, entry in timeline_entries(scenario.data):
        for what in ("tap_for_mana", "activate"):
            if what in entry:
                yield key, what, entry[what]


def _check_activated(scenario: Scenario, static: Atoms, content: dict[str, Any], key: Key) -> None:
    """An ability said by its number is one of the card's activated abilities."""
    ability = content.get("ability", 1 if "from" in content else None)
    if not isinstance(ability, int):
        return
    name = content.get("from", scenario.objects[content["object"]])
    card = resources.constant(name)
    costs = [term.arguments for term in _of(static, "cost", 4)]
    known = sorted({number for owner, number, *_ in costs if str(owner) == card}, key=str)
    if ability not in known:
        listed = ", ".join(map(str, known))
        raise ScenarioError(
            f"{name} has no activated ability {ability}",
            position=scenario.source.at(*key, "ability" if "ability" in content else "from"),
            hint=f"its activated abilities are {listed}" if known else "it has none",
        )


def _check_ability(scenario: Scenario, static: Atoms, resolve: dict[str, Any], key: Key) -> None:
    card = resources.constant(resolve["card"])
    ability = str(resolve.get("ability", "spell"))
    steps = [t.arguments for t in _of(static, "effect_step", 5)]
    known = sorted({str(number) for owner, number, *_ in steps if owner == card})
    if ability not in known:
        what = (
            f"its abilities are {', '.join(known)}"
            if known
            else "nothing of it that resolves is encoded"
        )
        lacking = "spell effect" if ability == "spell" else f"ability {ability}"
        raise ScenarioError(
            f"{resolve['card']} has no {lacking}",
            position=scenario.source.at(*key, "ability" if "ability" in resolve else "card"),
            hint=what,
        )


def _check_effect(scenario: Scenario, static: Atoms, effect: dict[str, Any], key: Key) -> None:
    card = resources.constant(effect["card"])
    floating = [term.arguments for term in _of(static, "floats", 2)]
    known = sorted(str(number) for owner, number in floating if owner == card)
    ability = str(effect.get("ability", 1))
    if ability not in known:
        what = f"there is one of ability {', '.join(known)}" if known else "it makes none"
        raise ScenarioError(
            f"{effect['card']} makes no effect of ability {ability}",
            position=scenario.source.at(*key, "ability" if "ability" in effect else "card"),
            hint=what,
        )


def _check_target(scenario: Scenario, static: Atoms, effect: dict[str, Any], key: Key) -> None:
    made = (resources.constant(effect["card"]), int(effect.get("ability", 1)))
    target = effect.get("target")
    if target is None:
        if made in [term.arguments for term in _of(static, "needs_target", 2)]:
            raise ScenarioError(
                f"the effect of {effect['card']} needs a `target`",
                position=scenario.source.at(*key),
            )
        return
    aims = {
        str(term.arguments[2]) for term in _of(static, "aims_at", 3) if term.arguments[:2] == made
    }
    known = {"player": scenario.players, "object": list(scenario.objects)}
    if not aims:
        raise ScenarioError(
            f"the effect of {effect['card']} has no target",
            position=scenario.source.at_key(*key, "target"),
        )
    possible = [name for aim in sorted(aims, reverse=True) for name in known[aim]]
    _known(
        target,
        possible,
        " or ".join(sorted(aims, reverse=True)),
        scenario.source.at(*key, "target"),
    )


#: What an effect can be made with: its key, who needs it, and what is wrong without and with it.
_MADE_WITH = (
    ("x", "needs_x", "the effect of {} needs the number `x` that it was made with",
     "the effect of {} is made with no number `x`"),
    ("chosen", "needs_color", "the effect of {} needs the color `chosen` for it",
     "no color is chosen for the effect of {}"),
)  # fmt: skip


def _check_made_with(scenario: Scenario, static: Atoms, effect: dict[str, Any], key: Key) -> None:
    made = (resources.constant(effect["card"]), int(effect.get("ability", 1)))
    for word, predicate, lacking, needless in _MADE_WITH:
        needed = made in [term.arguments for term in _of(static, predicate, 2)]
        if needed and word not in effect:
            raise ScenarioError(lacking.format(effect["card"]), position=scenario.source.at(*key))
        if word in effect and not needed:
            raise ScenarioError(
                needless.format(effect["card"]), position=scenario.source.at_key(*key, word)
            )


def _check_exchanged(scenario: Scenario, static: Atoms, effect: dict[str, Any], key: Key) -> None:
    """Words are said of effects that exchange some, and of no others."""
    made = (resources.constant(effect["card"]), int(effect.get("ability", 1)))
    needed = made in [term.arguments for term in _of(static, "needs_words", 2)]
    if needed and not {"words", "target"} <= effect.keys():
        raise ScenarioError(
            f"the effect of {effect['card']} needs a `target` and its `words`",
            position=scenario.source.at(*key),
            hint="{card: ..., target: ID, words: {red: blue}}: red is exchanged for blue",
        )
    if "words" in effect and not needed:
        raise ScenarioError(
            f"the effect of {effect['card']} exchanges no words",
            position=scenario.source.at_key(*key, "words"),
        )
    sorts = {str(word): str(sort) for word, sort in _pairs(static, "sort_of_word")}
    for word, other in effect.get("words", {}).items():
        _known(word, sorted(sorts), "word", scenario.source.at_key(*key, "words", word))
        alike = sorted(name for name, sort in sorts.items() if sort == sorts[word])
        _known(other, alike, "word", scenario.source.at(*key, "words", word))


def _check_observables(scenario: Scenario, observables: Observables) -> None:
    source = scenario.source
    ask = scenario.ask
    for index, name in enumerate(ask or []):
        _known(name, observables.names, "observable", source.at("ask", index))
    for place, entry in timeline_entries(scenario.data):
        what = entry.get("observe")
        for index, name in enumerate(what.get("ask", []) if isinstance(what, dict) else []):
            position = source.at(*place, "observe", "ask", index)
            _known(name, observables.names, "observable", position)
    asks = {**scenario.checkpoints, "": scenario.ask}
    for key, checkpoint, rows in claimed_rows(scenario.claim):
        if rows == ENDLESS:
            continue
        ask = asks[checkpoint]
        for name, row in rows.items():
            position = source.at_key(*scenario.claim_key, *key, name)
            _known(name, observables.names, "observable", position)
            if ask is not None and name not in ask:
                raise ScenarioError(
                    f"the claim speaks of `{name}`, which is not asked for",
                    position=position,
                    hint=f"add it to `ask: [{', '.join(ask)}]`",
                )
            keys = sorted({o.key for o in observables.all if o.name == name})
            for who in row:
                what = "player" if set(keys) <= set(scenario.players) else "player or object"
                _known(who, keys, what, source.at_key(*scenario.claim_key, *key, name, who))
                form = next(o.claimed for o in observables.all if o.name == name)
                _check_form(form, name, row[who], source.at(*scenario.claim_key, *key, name, who))


#: How values are claimed, by the form of the observable (``Observable.claimed``).
_FORMS: dict[str, tuple[tuple[type, ...], str]] = {
    "number": ((int,), "an integer"),
    "flag": ((int,), "true or false"),
    "word": ((str,), "a word"),
    "list": ((list, int), "a list, or how many there are"),
    "counts": ((dict, int), "a mapping such as {green: 1}, or how many there are"),
    "options": ((list, int), "a list of mappings such as [{green: 1}], or how many there are"),
}


def _check_form(form: str, name: str, value: Any, position: Position) -> None:
    types, words = _FORMS[form]
    inner = dict if form == "options" else str
    wrong = isinstance(value, list) and not all(isinstance(part, inner) for part in value)
    if wrong or not isinstance(value, types):
        meant = ["array" if list in types else "", "integer" if int in types else ""]
        raise ScenarioError(
            f"`{name}` is {words}, not {shown(value)}",
            position=position,
            hint=meant_whole(meant, value),
        )


def _check_claimed_words(scenario: Scenario, static: Atoms) -> None:
    """The words and subrules in what is claimed are some that there are.

    Otherwise a claim that something never happens would hold because it is misspelt.
    """
    known: set[str] = set()
    for key, _, rows in claimed_rows(scenario.claim):
        for name, row in rows.items():
            for who, value in row.items():
                here: Key = (*scenario.claim_key, *key, name, who)
                for path, text in _texts(value, here):
                    known = known or {NOTHING, *_constants(static)}
                    _check_claimed_text(text, known, scenario.source.at(*path))


def _texts(value: Any, key: Key) -> Iterator[tuple[Key, str]]:
    """The texts in a claimed value, and where."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, dict):
        for text in value:
            yield (*key, text), text
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from _texts(part, (*key, index))


def _check_claimed_text(text: str, known: set[str], position: Position) -> None:
    if text[:1].isdigit():
        if text not in resources.rule_numbers():
            raise ScenarioError(
                f"the Comprehensive Rules have no {text}",
                position=position,
                hint="encodings/rules_index.txt lists the numbers there are",
            )
        return
    for word in resources.WORD.findall(text):
        if word not in known:
            near = resources.nearest(word, sorted(known), cutoff=_CLOSE)
            raise ScenarioError(
                f"nothing here is called `{word}`",
                position=position,
                hint=f"did you mean `{near}`?" if near else None,
            )
