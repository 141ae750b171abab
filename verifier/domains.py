"""What can stand where in the atoms of a program, and so which rules can fire.

An abstract interpretation (Cousot and Cousot, POPL 1977) over *places*: the arguments of each
predicate and of each functor, whatever it stands in.  For each place there is a set of names
(constants and functors, by name and number of arguments) that can stand there.  A rule can fire
if each name that it requires can stand at its place and, for each of its variables, some name
can stand at all places of the variable; then what its head says can stand in the head.  The
sets are upper bounds: a rule that cannot fire by them derives nothing, so that it need not be
loaded, and grounding costs what fires, not what there is.

A set is an integer, a bit for each name that some rule requires; the first bit stands for all
other constants, the second for all numbers.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from copy import copy
from typing import Any

from verifier.asp import Predicate, Rule
from verifier.terms import Function, Term, Variable, parse_term, signature

#: Sets of names: anything, what no rule names, a number.
ANYTHING, OTHER, NUMBER = -1, 1, 2

#: Predicate or functor, the number of its arguments, and which of them.
Place = tuple[str, int, int]

#: What stands at one place can stand at others, too: what is set holds, what is pushed is asked.
_LEADS_FROM: dict[Place, tuple[Place, ...]] = {
    ("holds", 2, 1): (("initially", 1, 0), ("set", 3, 2)),
    ("amount", 3, 1): (("initially", 2, 0), ("add", 5, 2)),
    ("at_least", 3, 1): (("initially", 2, 0), ("add", 5, 2)),
    ("item", 2, 1): (
        ("agenda", 2, 1), ("standing", 2, 1), ("push", 4, 3), ("observes_most", 4, 3),
    ),
}  # fmt: skip

#: Places where the number of a question or of a threshold stands.
_NUMBERS = (
    ("item", 2, 0), ("holds", 2, 0), ("amount", 3, 0), ("at_least", 3, 0),
    ("amount", 3, 2), ("at_least", 3, 2),
)  # fmt: skip


#: What a rule needs and what it gives, with places by number: places and what must be able to
#: stand there; for each variable, its places; places and what can stand there once the rule
#: fires; places, and the number of the variable of which they get what it can be.
Needs = tuple[
    tuple[tuple[int, int], ...],
    tuple[tuple[int, ...], ...],
    tuple[tuple[int, int], ...],
    tuple[tuple[int, int], ...],
]


class Domains:
    """Places and names by number, and what rules need and give.

    Only what some rule requires is a place.

    Parameters
    ----------
    rules
        The rules.
    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._places: dict[Place, int] = {}
        self._bits: dict[Predicate, int] = {}
        self._by_name: dict[str, int] = {}
        self._atoms: dict[str, tuple[tuple[int, int], ...]] = {}
        required = [self._required(rule) for rule in rules]
        #: The places where what stands at a place can stand, too.
        self.links: dict[int, list[int]] = {}
        for key, number in list(self._places.items()):
            for source in _leads_from(key):
                place = self._places.setdefault(source, len(self._places))
                self.links.setdefault(place, []).append(number)
        #: The places of items, and those of the first thing in them.
        self._first_places: dict[str, list[int]] = {}
        for key, number in self._places.items():
            if key == _ITEM or (key[0].startswith(_ITEM_FUNCTOR) and not key[2]):
                self._first_places.setdefault(key[0], []).append(number)
        #: By number of the rule.
        self.needs = [
            self._needs(rule, *needed) for rule, needed in zip(rules, required, strict=True)
        ]

    def to_plain(self) -> Any:
        """All of it in tuples, lists and dictionaries."""
        return {name: part for name, part in vars(self).items() if name != "_atoms"}

    @classmethod
    def from_plain(cls, plain: Any) -> Domains:
        """What `to_plain` made of it."""
        found = cls([])
        vars(found).update(plain)
        return found

    def with_more(self, rules: Sequence[Rule]) -> Domains:
        """The same with some more rules.

        What only they require is no place, so that they can fire without; a name that only
        they require is any other one.
        """
        found = copy(self)
        more = [self._needs(rule, *self._required(rule, new=False)) for rule in rules]
        found.needs = [*self.needs, *more]
        return found

    # --- What a rule needs and gives ----------------------------------------------------

    def _required(
        self, rule: Rule, *, new: bool = True
    ) -> tuple[list[tuple[int, int]], dict[str, list[int]]]:
        """What the literals of a rule need, and where its variables stand in them."""
        names: list[tuple[int, int]] = []
        variables: dict[str, list[int]] = {}

        def require(owner: str, arguments: Sequence[Term], *, is_item: bool = False) -> None:
            # A predicate without arguments stands for itself.
            for index, argument in enumerate(arguments or (0,)):
                key = owner, len(arguments), index
                if new:
                    self._places.setdefault(key, len(self._places))
                place = self._places.get(key)
                if isinstance(argument, Variable):
                    # What is no plain variable can be anything, what has no name is another.
                    known = argument.name != "_"
                    name = argument.name if known else f"_{len(variables)}"
                    if name and place is not None:
                        variables.setdefault(name, []).append(place)
                    continue
                if place is not None:
                    names.append((place, self._names(argument, new=new)))
                if isinstance(argument, Function):
                    inner = (_of_item if is_item and index == 1 else _of_term)(argument.name)
                    require(inner, argument.arguments)

        for literal in rule.required:
            require(literal.name, literal.arguments, is_item=literal.predicate == _ITEM[:2])
        return names, variables

    def _names(self, term: Term, *, new: bool = False) -> int:
        """The set of the one name of a term; of all names, if it is a variable."""
        if isinstance(term, int):
            return NUMBER
        if isinstance(term, Variable):
            return ANYTHING
        shape = signature(term)
        bit = self._bits.get(shape, OTHER)
        if new and bit == OTHER:
            bit = self._bits[shape] = 1 << (len(self._bits) + 2)
            self._by_name[shape[0]] = self._by_name.get(shape[0], 0) | bit
        return bit

    def _needs(
        self, rule: Rule, names: Sequence[tuple[int, int]], variables: Mapping[str, Sequence[int]]
    ) -> Needs:
        order = {name: number for number, name in enumerate(variables)}
        gives: dict[tuple[int, int], None] = {}
        passes: dict[tuple[int, int], None] = {}
        head = Function(rule.head, rule.head_arguments)
        for place, term in self._stands(head, rule.built):
            if isinstance(term, Variable) and term.name in order:
                passes[place, order[term.name]] = None
            else:
                gives[place, self._names(term)] = None
        joins = map(tuple, variables.values())
        return tuple(dict.fromkeys(names)), tuple(joins), tuple(gives), tuple(passes)

    def _stands(self, atom: Term, built: Iterable[Term] = ()) -> Iterator[tuple[int, Term]]:
        """What an atom, and terms that are built besides, puts where."""
        waiting = [(signature(atom)[0], atom)]
        waiting += [(_of_term(signature(term)[0]), term) for term in built]
        for owner, term in waiting:
            arguments = term.arguments if isinstance(term, Function) else ()
            for index, argument in enumerate(arguments or (0,)):
                place = self._places.get((owner, len(arguments), index))
                if place is not None:
                    yield place, argument
                if isinstance(argument, Function):
                    waiting.append((_of_term(argument.name), argument))

    # --- Sets ---------------------------------------------------------------------------

    def nothing(self) -> list[int]:
        """What can stand where before there is anything."""
        sets = [0] * len(self._places)
        for place in map(self._places.get, _NUMBERS):
            if place is not None:
                sets[place] = ANYTHING
        return sets

    def of_atom(self, text: str) -> tuple[tuple[int, int], ...]:
        """What a ground atom puts where."""
        known = self._atoms.get(text)
        if known is None:
            given = [(p, self._names(term)) for p, term in self._stands(parse_term(text))]
            given += [(other, names) for p, names in given for other in self.links.get(p, ())]
            known = self._atoms[text] = tuple(dict.fromkeys(given))
        return known

    def of_predicates(self, predicates: Container[Predicate]) -> list[int]:
        """The places of some predicates."""
        return [n for (name, arity, _), n in self._places.items() if (name, arity) in predicates]

    def of_items(self) -> list[int]:
        """The places of items and of the first thing in them."""
        return [place for places in self._first_places.values() for place in places]

    def of_item(self, name: str, inner: str) -> list[tuple[int, int]]:
        """What an item of some kind puts where: itself and the first thing in it."""
        first = NUMBER if inner.isdigit() else self._called(inner)
        given = [(place, self._called(name)) for place in self._first_places["item"]]
        return given + [(place, first) for place in self._first_places.get(_of_item(name), ())]

    def _called(self, name: str) -> int:
        """The set of a constant and of all functors with a name, also those of no rule."""
        return self._by_name.get(name, 0) | OTHER


#: Rules by the place, and what must come to stand there, for which they wait.
Waiting = Mapping[int, Mapping[int, Iterable[int]]]


class Spreading:
    """Rules that fire as far as they can.

    A rule is looked at again only if what it waits for has come (as with watched literals:
    Moskewicz et al., DAC 2001).

    Parameters
    ----------
    domains
        What the rules need and give.
    sets
        What can stand where; it grows.
    waiting
        The rules to look at when something has come to a place.
    links
        The places where what stands at a place can stand, too.
    """

    def __init__(
        self,
        domains: Domains,
        sets: list[int],
        waiting: Waiting,
        links: Mapping[int, Sequence[int]] | None = None,
    ) -> None:
        self.sets = sets
        #: The rules that have fired, in an order in which they can be derived.
        self.fired: dict[int, None] = {}
        self._needs = domains.needs
        self._waiting = waiting
        self._links = links or {}
        #: For which place a rule waits now, and the rules that do so.
        self._waits: dict[int, int] = {}
        self._now_waiting: dict[int, dict[int, dict[int, None]]] = {}
        #: The rules that have fired, by the places of what they pass on.
        self._passing: dict[int, list[int]] = {}

    def give(self, given: Iterable[tuple[int, int]]) -> None:
        """Let names stand at places."""
        before: dict[int, int] = {}
        sets = self.sets
        for place, names in given:
            if sets[place] | names != sets[place]:
                before.setdefault(place, sets[place])
                sets[place] |= names
        self.look([rule for place, old in before.items() for rule in self._woken(place, ~old)])

    def _woken(self, place: int, new: int) -> list[int]:
        """The rules that wait for something at a place, of which this set is new."""
        woken: list[int] = []
        if place in self._waiting:
            waits = self._waits
            for wanted, rules in self._waiting[place].items():
                if wanted & new & self.sets[place]:
                    woken += [rule for rule in rules if waits.get(rule, place) == place]
        if place in self._now_waiting:
            groups = self._now_waiting[place]
            for wanted in [wanted for wanted in groups if wanted & new & self.sets[place]]:
                woken += groups.pop(wanted)
        woken += self._passing.get(place, ())
        return woken

    def _wait(self, number: int, place: int, wanted: int) -> None:
        self._now_waiting.setdefault(place, {}).setdefault(wanted, {})[number] = None

    def look(self, rules: Iterable[int]) -> None:
        """Fire those of some rules that can fire, and what can fire then."""
        sets, links, fired, needs = self.sets, self._links, self.fired, self._needs
        waits, passing = self._waits, self._passing
        queue = list(dict.fromkeys(rules))
        queued = set(queue)
        for number in queue:
            queued.discard(number)
            names, joins, gives, passes = needs[number]
            for place, wanted in names:
                if not sets[place] & wanted:
                    waits[number] = place
                    self._wait(number, place, wanted)
                    break
            else:
                values = []
                for places in joins:
                    value = ANYTHING
                    for place in places:
                        value &= sets[place]
                    if not value:
                        waits[number] = -1
                        for place in places:
                            self._wait(number, place, ANYTHING)
                        break
                    values.append(value)
                else:
                    given = [(place, values[which]) for place, which in passes]
                    if number not in fired:
                        fired[number] = None
                        given += gives
                        waits[number] = -1
                        for place in {place for _, which in passes for place in joins[which]}:
                            passing.setdefault(place, []).append(number)
                    for place, more in given:
                        before = sets[place]
                        if before | more != before:
                            sets[place] = before | more
                            given += [(linked, more) for linked in links.get(place, ())]
                            for rule in self._woken(place, ~before):
                                if rule not in queued:
                                    queued.add(rule)
                                    queue.append(rule)

    def waiting(self, rules: Iterable[int]) -> tuple[Waiting, list[int]]:
        """For what some rules wait now, and those that can fire.

        Those that can fire wait, too, for what they pass on.
        """
        found: dict[int, dict[int, list[int]]] = {}
        ready = []
        for number in rules:
            _, joins, _, passes = self._needs[number]
            missing = self._missing(number)
            if not missing:
                ready.append(number)
                missing = [(place, ANYTHING) for _, which in passes for place in joins[which]]
            for place, wanted in dict.fromkeys(missing):
                found.setdefault(place, {}).setdefault(wanted, []).append(number)
        return found, ready

    def _missing(self, number: int) -> Sequence[tuple[int, int]]:
        """The places, and what would have to stand there, for which a rule waits."""
        sets = self.sets
        names, joins, *_ = self._needs[number]
        for place, wanted in names:
            if not sets[place] & wanted:
                return ((place, wanted),)
        for places in joins:
            value = ANYTHING
            for place in places:
                value &= sets[place]
            if not value:
                return [(place, ANYTHING) for place in places]
        return ()


#: The place of items, and how the owners of places within them begin.
_ITEM = ("item", 2, 1)
_ITEM_FUNCTOR = "item "


def _of_term(functor: str) -> str:
    """The name under which the arguments of a functor are places."""
    return f"{functor}()"


def _of_item(functor: str) -> str:
    """The name under which the arguments of items are places, apart from those of other terms."""
    return f"{_ITEM_FUNCTOR}{functor}()"


def _leads_from(place: Place) -> tuple[Place, ...]:
    """The places from which things get to a place."""
    owner, arity, index = place
    if owner.startswith(_ITEM_FUNCTOR):
        return ((owner.removeprefix(_ITEM_FUNCTOR), arity, index),)
    return _LEADS_FROM.get(place, ())
