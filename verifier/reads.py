"""What rules look at in a state, found for the check of certificates in its own way.

Which rules can fire follows from which constants and functors can stand where: in the arguments
of predicates and within terms, spread from the static atoms until nothing changes.  What those
look at that an answer rests on is what states may not leave out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from verifier.asp import Predicate, Rule
from verifier.terms import Function, Term, Variable, signature

#: The input of a question (``encodings/README.md``).
QUESTION = {("item", 2), ("holds", 2), ("at_least", 3), ("amount", 3)}

#: What the shown atoms of an answer rest on (``encodings/answers.lp``).
_ANSWERS = {
    "root", "edge", "stands_for", "who", "leaf", "set", "unset", "add", "reset", "clear", "push",
    "note", "cites", "error",
}  # fmt: skip

#: Where a term gets to from an argument of a predicate: what is set holds, and so on.
_GETS_TO = {
    ("initially", 1, 0): ["holds"], ("set", 3, 2): ["holds"],
    ("initially", 2, 0): ["amount", "at_least"], ("add", 5, 2): ["amount", "at_least"],
    ("agenda", 2, 1): ["item"], ("standing", 2, 1): ["item"], ("push", 4, 3): ["item"],
    ("observes_most", 4, 3): ["item"],
}  # fmt: skip

_ANY = "any"

#: A predicate or functor (its name followed by brackets), and its number of arguments.
_Owner = tuple[str, "int | str"]


def dynamic_predicates(rules: Sequence[Rule]) -> set[Predicate]:
    """The predicates that depend on a question."""
    users: dict[Predicate, list[Rule]] = defaultdict(list)
    for rule in rules:
        for predicate in rule.body_predicates:
            users[predicate].append(rule)
    found = set(QUESTION)
    waiting = list(found)
    while waiting:
        for rule in users[waiting.pop()]:
            if rule.predicate not in found:
                found.add(rule.predicate)
                waiting.append(rule.predicate)
    return found


class Reads:
    """What the rules that can fire, and on which an answer rests, look at.

    Parameters
    ----------
    rules
        Those that depend on a question.
    static
        The static atoms.
    """

    def __init__(self, rules: Sequence[Rule], static: Sequence[Term]) -> None:
        self._rules = rules
        self._static = static
        self._names = _Names()
        self.of_all = self._looked_at(self._names)

    def of(self, items: Collection[Term]) -> set[Term]:
        """What is looked at when one of some items comes up, in any state."""
        names = _Names(holding=self._names)
        for item in items:
            names.put(("item", "question", 0), {_name(item)})
            names.add(item, {}, within=True)
        return self._looked_at(names)

    def _looked_at(self, names: _Names) -> set[Term]:
        live = names.spread(self._static, self._rules)
        wanted = {rule.predicate for rule in live if rule.head in _ANSWERS}
        while True:
            used = {p for rule in live if rule.predicate in wanted for p in rule.body_predicates}
            if used <= wanted:
                break
            wanted |= used
        return {
            literal.arguments[1]
            for rule in live if rule.predicate in wanted
            for literal in rule.body
            if literal.predicate in QUESTION and literal.name != "item"
        }  # fmt: skip


class _Names:
    """Which constants and functors can be an argument of which predicate or functor.

    Parameters
    ----------
    holding
        What can hold, and the quantities, are taken from there; items are those that are put.
    """

    def __init__(self, holding: _Names | None = None) -> None:
        self._found: dict[tuple[str, int | str, int], set[str]] = defaultdict(set)
        self._changed: set[_Owner] = set()
        self._is_given = holding is not None
        if holding is not None:
            for place, said in holding._found.items():
                if place[0] != "item" and (place[1] == "question" or place[0].endswith("()")):
                    self.put(place, said)

    def spread(self, static: Sequence[Term], rules: Sequence[Rule]) -> list[Rule]:
        """Let everything be that follows from some atoms, and give the rules that can fire."""
        for atom in static:
            self.add(atom, {})
        live: dict[int, Rule] = {}
        users: dict[_Owner, list[int]] = defaultdict(list)
        for number, rule in enumerate(rules):
            for owner in _owners(rule):
                users[owner].append(number)
        waiting: dict[int, None] = dict.fromkeys(range(len(rules)))
        while waiting:
            self._changed.clear()
            for number in waiting:
                rule = rules[number]
                can_be = self.fit(rule)
                if can_be is None:
                    continue
                live[number] = rule
                if rule.head_arguments:
                    self.add(Function(rule.head, rule.head_arguments), can_be)
                else:
                    self.add(rule.head, can_be)
                for term in rule.built:
                    self.add(term, can_be, within=True)
            found = sorted({number for owner in self._changed for number in users[owner]})
            waiting = dict.fromkeys(found)
        return list(live.values())

    def fit(self, rule: Rule) -> dict[str, set[str]] | None:
        """What the variables of a rule can be; ``None`` if it cannot fire."""
        can_be: dict[str, set[str]] = {}
        for literal in rule.required:
            owner: _Owner = literal.predicate
            arguments = literal.arguments
            if literal.predicate in QUESTION:
                owner, arguments = (literal.name, "question"), arguments[1:2]
            there = arguments or self._found[literal.name, 0, 0]
            if not there or not self._fits(owner, arguments, can_be):
                return None
        return can_be

    def _fits(self, owner: _Owner, arguments: Sequence[Term], can_be: dict[str, set[str]]) -> bool:
        for index, argument in enumerate(arguments):
            there = self._found[(*owner, index)]
            if isinstance(argument, Variable):
                if argument.name in ("", "_"):
                    if argument.name and not there:
                        return False
                    continue
                known = can_be.get(argument.name, {_ANY})
                both = there if _ANY in known else known if _ANY in there else known & there
                if not both:
                    return False
                can_be[argument.name] = both
            elif _ANY not in there and _name(argument) not in there:
                return False
            elif isinstance(argument, Function):
                inner = (f"{argument.name}()", len(argument.arguments))
                if not self._fits(inner, argument.arguments, can_be):
                    return False
        return True

    def add(self, term: Term, can_be: dict[str, set[str]], within: bool = False) -> None:
        """Let an atom be, or a term within one."""
        if not isinstance(term, Function):
            if not within:
                self.put((str(term), 0, 0), {"true"})
            return
        owner = f"{term.name}()" if within else term.name
        for index, argument in enumerate(term.arguments):
            said = {_name(argument)}
            if isinstance(argument, Variable):
                said = can_be.get(argument.name, {_ANY})
            place = (owner, len(term.arguments), index)
            self.put(place, said)
            for predicate in _GETS_TO.get(place, ()):
                if not (self._is_given and predicate == "item"):
                    self.put((predicate, "question", 0), said)
            self.add(argument, can_be, within=True)

    def put(self, place: tuple[str, int | str, int], said: set[str]) -> None:
        """Let some names be at a place."""
        there = self._found[place]
        before = len(there)
        there |= said
        if len(there) > before:
            self._changed.add(place[:2])


def _owners(rule: Rule) -> set[_Owner]:
    """The predicates and functors on whose arguments it depends whether a rule can fire."""
    found: set[_Owner] = set()
    for literal in rule.required:
        is_question = literal.predicate in QUESTION
        found.add((literal.name, "question") if is_question else literal.predicate)
        for argument in literal.arguments:
            found.update(_functors(argument))
    return found


def _functors(term: Term) -> Iterator[_Owner]:
    if isinstance(term, Function):
        yield f"{term.name}()", len(term.arguments)
        for argument in term.arguments:
            yield from _functors(argument)


def _name(term: Term) -> str:
    """A constant or functor; all numbers are alike."""
    return "number" if isinstance(term, int) else "{}/{}".format(*signature(term))
