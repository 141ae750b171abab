"""What the loaded rules can derive for an item, and what they read for it.

Nothing here knows a rule of the game.  The encodings are treated as a logic program over
four base predicates that describe a question, ``item``, ``holds``, ``at_least`` and
``amount``; everything that does not depend on them is *static* and evaluated once per
scenario.  For each kind of item the rules that can fire are found by reachability over the
predicate dependencies, and their literals over the base predicates say which fluents an
answer can depend on: its *slice* of the state.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from verifier.asp import Literal, Predicate, Rule
from verifier.domains import Domains, Spreading
from verifier.terms import Function, Term, Variable, parse_term, signature, unifies

BASE = {("item", 2), ("holds", 2), ("at_least", 3), ("amount", 3)}

#: The predicates that are read out of an answer (``encodings/answers.lp``).
OUTPUTS = {
    ("root", 2), ("edge", 10), ("stands_for", 3),
    ("who", 3), ("leaf", 2), ("set", 3), ("unset", 3),
    ("add", 5), ("reset", 3), ("clear", 2), ("push", 4), ("note", 3), ("cites", 3), ("error", 2),
}  # fmt: skip

Path = tuple[int, ...]
Kind = tuple[str, str]
#: For each derived predicate, which part of the item each argument is, if it always is one.
Sources = dict[Predicate, list["Path | None"]]


def kind_of(item: Term) -> Kind:
    """The kind of an item: its functor and that of its first argument."""
    name = signature(item)[0]
    first = item.arguments[0] if isinstance(item, Function) and item.arguments else ""
    return name, first.name if isinstance(first, Function) else str(first)


@dataclass(frozen=True)
class Read:
    """A literal over a base predicate: what it looks at, as a pattern.

    ``thresholds`` are the numbers that a quantity is compared with, or ``None`` if its value
    itself is read.  Variables named ``@i.j`` stand for a part of the item, others for anything.
    """

    base: str
    pattern: Term
    thresholds: tuple[Term, ...] | None = None

    def for_item(self, item: Term) -> Read:
        """The same, with the parts of the item filled in."""
        bounds = self.thresholds and tuple(_fill(bound, item) for bound in self.thresholds)
        if bounds and not all(isinstance(bound, int) for bound in bounds):
            bounds = None
        return Read(self.base, _fill(self.pattern, item), bounds)


def _fill(pattern: Term, item: Term) -> Term:
    if isinstance(pattern, Variable) and pattern.name.startswith("@"):
        for index in map(int, pattern.name[1:].split(".")):
            if not isinstance(item, Function) or index >= len(item.arguments):
                return Variable("")
            item = item.arguments[index]
        return item
    if isinstance(pattern, Function):
        return Function(pattern.name, tuple(_fill(part, item) for part in pattern.arguments))
    return pattern


@dataclass(frozen=True)
class KindProgram:
    """The part of the encodings that questions about one kind of item need."""

    text: str
    reads: tuple[Read, ...]


#: What is not kept of a split, or in another form.
_NOT_PLAIN = {"rules", "domains"}


class Joined(Sequence[Rule]):
    """Two sequences of rules as one, of which neither is copied."""

    def __init__(self, first: Sequence[Rule], second: Sequence[Rule]) -> None:
        self._first, self._second = first, second
        self._size = len(first)

    def __len__(self) -> int:
        return self._size + len(self._second)

    def __getitem__(self, number: int) -> Rule:  # type: ignore[override]
        size = self._size
        return self._first[number] if number < size else self._second[number - size]


class Split:
    """Rules, told apart by whether their heads depend on a question.

    What is found of the shipped rules is kept, so that the cards of a scenario cost little.

    Parameters
    ----------
    rules
        The rules.

    Attributes
    ----------
    domains
        What the rules need and give.
    heads, read
        The predicates that they derive, and those that they look at.
    dynamic
        The predicates that depend on a question.
    derived
        The places of what a question asks and of what is derived about it.
    waiting, free
        What the rules wait for that depend on a question, and those that wait for nothing.
    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = rules
        self.domains = Domains(rules)
        self.heads = {rule.predicate for rule in rules}
        users: dict[Predicate, set[Predicate]] = defaultdict(set)
        for rule in rules:
            for shape in rule.body_predicates:
                users[shape].add(rule.predicate)
        self.read = set(users)
        self.dynamic = set(BASE)
        waiting = list(BASE)
        while waiting:
            more = users[waiting.pop()] - self.dynamic
            self.dynamic |= more
            waiting += more
        self.derived = self.domains.of_predicates(self.dynamic - BASE) + self.domains.of_items()
        self._gone: Collection[str] = ()
        self._new: list[int] = []
        self._begin(range(len(rules)))

    def _begin(self, numbers: Iterable[int]) -> None:
        """Fire what can fire in every scenario, of some rules."""
        parts: tuple[list[int], list[int]] = ([], [])
        for number in numbers:
            parts[self.rules[number].predicate in self.dynamic].append(number)
        static = Spreading(self.domains, self.domains.nothing(), {})
        static.look(parts[0])
        waiting, _ = static.waiting(parts[0])
        self._static = static.sets, dict(static.fired), waiting
        others = Spreading(self.domains, self.domains.nothing(), {})
        self.waiting, self.free = others.waiting(parts[1])

    def to_plain(self) -> Any:
        """All but the rules, in tuples, lists, sets and dictionaries."""
        plain = {name: part for name, part in vars(self).items() if name not in _NOT_PLAIN}
        return plain | {"domains": self.domains.to_plain()}

    @classmethod
    def from_plain(cls, rules: Sequence[Rule], plain: Any) -> Split:
        """What `to_plain` made of the split of some rules."""
        found = cls.__new__(cls)
        vars(found).update(plain)
        found.rules = rules
        found.domains = Domains.from_plain(plain["domains"])
        return found

    def without(self, texts: Collection[str]) -> Split:
        """The split of these rules but for those with some texts."""
        if not texts:
            return self
        found = copy(self)
        found._gone = texts
        found._begin(n for n, rule in enumerate(self.rules) if rule.text not in texts)
        return found

    def with_more(self, rules: Sequence[Rule]) -> Split:
        """The split of these rules and some others."""
        dynamic = self.dynamic
        if any(
            rule.predicate not in dynamic and (not dynamic.isdisjoint(rule.body_predicates))
            for rule in rules
        ):
            return Split([*self.rules, *rules]).without(self._gone)
        found = copy(self)
        found.rules = Joined(self.rules, rules)
        found.domains = self.domains.with_more(rules)
        new = range(len(self.rules), len(found.rules))
        static = [n for n in new if found.rules[n].predicate not in dynamic]
        found._new = [*self._new, *static]
        found.free = [*self.free, *(n for n in new if found.rules[n].predicate in dynamic)]
        return found

    @property
    def always(self) -> Collection[int]:
        """The rules that fire whatever is given, by number."""
        return self._static[1]

    def can_fire(self, facts: Iterable[str]) -> list[Rule]:
        """The rules whose heads do not depend on a question that can fire, given some facts."""
        domains = self.domains
        sets, fired, waiting = self._static
        static = Spreading(domains, list(sets), waiting)
        static.look(self._new)
        static.give(given for fact in facts for given in domains.of_atom(fact))
        return [self.rules[number] for number in dict.fromkeys([*fired, *static.fired])]


class Program:
    """The dynamic rules of a scenario, cut to what each kind of item can reach.

    Parameters
    ----------
    split
        The rules of the loaded encodings.
    evaluated
        The static rules that were evaluated.
    static
        The static atoms, as text.
    answers
        The rules of ``answers.lp``, each of which shows one predicate.
    """

    def __init__(
        self,
        split: Split,
        evaluated: Sequence[Rule],
        static: Sequence[str],
        answers: Sequence[Rule],
    ) -> None:
        # What no rule brings into another form is shown as it is.
        self._shown = {shape: [_show(shape)] for shape in OUTPUTS}
        for rule in answers:
            (shape,) = rule.body_predicates
            self._shown[shape] = [rule.text, _show(rule.predicate)]
        self.static = static
        self._facts: dict[Predicate, list[tuple[str, tuple[Term, ...]]]] = defaultdict(list)
        terms = list(map(parse_term, static))
        for text, term in zip(static, terms, strict=True):
            arguments = term.arguments if isinstance(term, Function) else ()
            self._facts[signature(term)].append((text, arguments))
        self._evaluated = evaluated
        self._domains = domains = split.domains
        spreading = Spreading(domains, domains.nothing(), split.waiting, domains.links)
        spreading.give(given for text in static for given in domains.of_atom(text))
        spreading.look(split.free)
        self._all = split.rules
        alive = self._relevant(spreading.fired)
        self._rules = [self._all[number] for number in alive]
        # What can be derived about an item is found for each kind of item anew.
        self._sets = spreading.sets
        for place in split.derived:
            self._sets[place] = 0
        self._waiting, self._free = Spreading(domains, self._sets, {}).waiting(alive)
        self._kinds: dict[Kind, KindProgram] = {}

    def kind(self, kind: Kind) -> KindProgram:
        """The rules that can matter for items of `kind`, and what they read."""
        if kind not in self._kinds:
            self._kinds[kind] = self._cut(kind)
        return self._kinds[kind]

    @property
    def rules(self) -> list[Rule]:
        """The rules that can fire in the scenario."""
        return [*self._evaluated, *self._rules]

    def can_use(self, texts: Collection[str]) -> bool:
        """Whether one of some rules, by their texts, can have mattered to what was asked.

        That is so if it was loaded for some kind of item, or is static and no mere fact.
        """
        if any(rule.text in texts for rule in self._evaluated if rule.body):
            return True
        loaded = {line for kind in self._kinds.values() for line in kind.text.splitlines()}
        return not loaded.isdisjoint(texts)

    def is_read(self, term: Term) -> bool:
        """Whether some loaded rule can read a fluent or quantity."""
        patterns = self._patterns.get(signature(term), set()) | self._patterns.get(None, set())
        return any(unifies(pattern, term) for pattern in patterns)

    # --- Which rules can fire -----------------------------------------------------------

    def _cut(self, kind: Kind) -> KindProgram:
        spreading = Spreading(self._domains, list(self._sets), self._waiting)
        spreading.look(self._free)
        spreading.give(self._domains.of_item(*kind))
        rules = [self._all[number] for number in self._relevant(spreading.fired)]
        needed = frozenset().union(*(rule.body_predicates for rule in rules))
        facts = [text for shape in needed for text, _ in self._facts.get(shape, ())]
        lines = [rule.text for rule in rules] + [f"{fact}." for fact in sorted(facts)]
        derived = {rule.predicate for rule in rules}
        shown = [line for shape in sorted(OUTPUTS & derived) for line in self._shown[shape]]
        return KindProgram("\n".join([*lines, "#show.", *shown]), tuple(self._reads(rules)))

    def _relevant(self, numbers: Iterable[int]) -> list[int]:
        """The rules, of some, that an output depends on."""
        wanted = set(OUTPUTS)
        rules = {number: self._all[number] for number in numbers}
        reads: dict[Predicate, set[Predicate]] = defaultdict(set)
        for rule in rules.values():
            reads[rule.predicate] |= rule.body_predicates
        waiting = list(OUTPUTS)
        for shape in waiting:
            if shape in reads:
                more = reads[shape] - wanted
                wanted |= more
                waiting += more
        return [number for number, rule in rules.items() if rule.predicate in wanted]

    # --- What they read -----------------------------------------------------------------

    @cached_property
    def _patterns(self) -> dict[Predicate | None, set[Term]]:
        """What rules look at in a state, by name and arity, or by none if it can be anything."""
        found: dict[Predicate | None, set[Term]] = defaultdict(set)
        for rule in self._rules:
            for literal in rule.body:
                if literal.predicate in BASE and literal.name != "item":
                    pattern = literal.arguments[1]
                    shape = None if isinstance(pattern, Variable) else signature(pattern)
                    found[shape].add(pattern)
        return found

    def _reads(self, rules: Sequence[Rule]) -> list[Read]:
        sources = _argument_sources(rules)
        found: dict[Read, None] = {}
        for rule in rules:
            paths = _variable_paths(rule, sources)
            for literal in rule.body:
                shape = literal.predicate
                if shape in BASE and shape != ("item", 2):
                    pattern = _with_paths(literal.arguments[1], paths)
                    bounds = self._thresholds(literal, rule, paths)
                    found[Read(literal.name, pattern, bounds)] = None
        return list(found)

    def _thresholds(
        self, literal: Literal, rule: Rule, paths: dict[str, Path]
    ) -> tuple[Term, ...] | None:
        """The numbers that an ``at_least`` literal compares with, if they are known."""
        if literal.name != "at_least":
            return None
        bound = literal.arguments[2]
        if isinstance(bound, int):
            return (bound,)
        if isinstance(bound, Variable) and bound.name in paths:
            return (_with_paths(bound, paths),)
        for other in rule.body:
            facts = self._facts.get(other.predicate)
            if facts is None or not other.required:
                continue
            values = {
                found
                for _, arguments in facts
                if all(map(unifies, other.arguments, arguments))
                for pattern, argument in zip(other.arguments, arguments, strict=True)
                for found in _bindings(pattern, argument, bound)
            }
            if values and all(isinstance(value, int) for value in values):
                return tuple(sorted(value for value in values if isinstance(value, int)))
        return None


def _show(shape: Predicate) -> str:
    return f"#show {shape[0]}/{shape[1]}."


def _bindings(pattern: Term, argument: Term, variable: Term) -> Iterable[Term]:
    """What `variable` is bound to when `pattern` meets `argument`."""
    if pattern == variable:
        yield argument
    elif isinstance(pattern, Function) and isinstance(argument, Function):
        for part, value in zip(pattern.arguments, argument.arguments, strict=True):
            yield from _bindings(part, value, variable)


def _with_paths(pattern: Term, paths: dict[str, Path]) -> Term:
    if isinstance(pattern, Variable):
        path = paths.get(pattern.name)
        return Variable("@" + ".".join(map(str, path))) if path else Variable("")
    if isinstance(pattern, Function):
        return Function(pattern.name, tuple(_with_paths(part, paths) for part in pattern.arguments))
    return pattern


def _variable_paths(rule: Rule, sources: Sources) -> dict[str, Path]:
    """Which variables of a rule are parts of the item."""
    paths: dict[str, Path] = {}
    for predicate, places in rule.places:
        if predicate == ("item", 2):
            for name, place in places:
                if place[0]:
                    paths.setdefault(name, place[1:])
        elif predicate in sources:
            row = sources[predicate]
            for name, place in places:
                path = row[place[0]] if len(place) == 1 else None
                if path:
                    paths.setdefault(name, path)
    return paths


def _argument_sources(rules: Sequence[Rule]) -> Sources:
    """For each derived predicate, which arguments are always the same part of the item.

    `rules` must come in an order in which they can be derived.
    """
    sources: Sources = {}
    users: dict[Predicate, list[Rule]] = defaultdict(list)
    for rule in rules:
        for literal in rule.required:
            users[literal.predicate].append(rule)
    waiting = deque(rules)
    while waiting:
        rule = waiting.popleft()
        paths = _variable_paths(rule, sources)
        row: list[Path | None] = [paths.get(name) if name else None for name in rule.head_variables]
        before = sources.get(rule.predicate)
        if before is not None:
            row = [a if a == b else None for a, b in zip(before, row, strict=True)]
        if row != before:
            sources[rule.predicate] = row
            if before is not None:
                waiting.extend(users[rule.predicate])
    return sources
