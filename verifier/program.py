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
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from verifier.asp import Literal, Predicate, Rule
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


class Index:
    """Rules by what they need, to find those that can fire without looking at all of them.

    Parameters
    ----------
    rules
        The rules.
    """

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = list(rules)
        self.heads = {rule.predicate for rule in self.rules}
        #: How many things a rule needs; the rules that need a thing.
        self.counts: dict[int, int] = {}
        self.users: dict[Predicate, list[Rule]] = defaultdict(list)
        #: The rules that need nothing.
        self.first: list[Rule] = []
        for rule in self.rules:
            needs = rule.required_predicates | {_holding(fluent) for fluent in _fluents(rule)}
            for need in needs:
                self.users[need].append(rule)
            self.counts[id(rule)] = len(needs)
            if not needs:
                self.first.append(rule)


def _firing(
    indexes: Sequence[Index], given: Iterable[Predicate], may: Callable[[Rule], bool]
) -> list[Rule]:
    """The rules that can fire, of those that `may`, in an order in which they can be derived."""
    chosen: list[Rule] = []
    missing: dict[int, int] = {}
    derived: set[Predicate] = set()

    def gain(gained: Predicate) -> None:
        if gained in derived:
            return
        derived.add(gained)
        for index in indexes:
            for user in index.users.get(gained, ()):
                left = missing.get(id(user), index.counts[id(user)]) - 1
                missing[id(user)] = left
                if not left and may(user):
                    chosen.append(user)

    for index in indexes:
        chosen += filter(may, index.first)
    for predicate in given:
        gain(predicate)
    for rule in chosen:
        for gained in _gains(rule):
            gain(gained)
    return chosen


class _Reach:
    """The rules that can fire for items, found without looking at all of them.

    Parameters
    ----------
    rules
        Rules that depend on a question.
    heads
        The predicates that such rules derive.
    """

    def __init__(self, rules: Iterable[Rule], heads: Set[Predicate]) -> None:
        self._counts: dict[int, int] = {}
        self._users: dict[Predicate, list[Rule]] = defaultdict(list)
        #: The rules that need nothing derived, by the functor of the item that they are about.
        self._first: dict[str, list[Rule]] = defaultdict(list)
        for rule in rules:
            needs = rule.required_predicates & heads
            for need in needs:
                self._users[need].append(rule)
            self._counts[id(rule)] = len(needs)
            if not needs:
                items = [p for p in _required(rule, ("item", 2)) if not isinstance(p, Variable)]
                self._first[signature(items[0])[0] if items else ""].append(rule)

    def among(
        self, may: Callable[[Rule], bool] = lambda _: True, item: str | None = None
    ) -> list[Rule]:
        """The rules that can fire, of those that `may`, in an order in which they can be derived.

        Parameters
        ----------
        may
            Whether a rule is to be looked at.
        item
            The functor of the item, if only rules about one item are wanted.
        """
        about = self._first if item is None else ("", item)
        chosen = [rule for name in about for rule in self._first.get(name, ()) if may(rule)]
        missing: dict[int, int] = {}
        derived: set[Predicate] = set()
        for rule in chosen:
            gained = rule.predicate
            if gained in derived:
                continue
            derived.add(gained)
            for user in self._users.get(gained, ()):
                left = missing.get(id(user), self._counts[id(user)]) - 1
                missing[id(user)] = left
                if not left and may(user):
                    chosen.append(user)
        return chosen


def _fluents(rule: Rule) -> set[Predicate]:
    """The fluents that a rule requires, by name and arity."""
    fluents = _required(rule, ("holds", 2))
    return {signature(fluent) for fluent in fluents if not isinstance(fluent, Variable)}


def _holding(fluent: Predicate) -> Predicate:
    """That such a fluent holds, among the things that a rule can need."""
    return f"holds {fluent[0]}", fluent[1]


def _gains(rule: Rule) -> Iterator[Predicate]:
    """What there can be once a rule has fired."""
    yield rule.predicate
    if rule.predicate == ("set", 3):
        yield _holding(signature(rule.head_arguments[2]))


class Split:
    """Rules, told apart by whether their heads depend on a question.

    What is found of the shipped rules is kept, so that the cards of a scenario cost little.

    Parameters
    ----------
    rules
        The rules.
    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = rules
        self._users: dict[Predicate, set[Predicate]] = defaultdict(set)
        for rule in rules:
            for shape in rule.body_predicates:
                self._users[shape].add(rule.predicate)
        self._dynamic = set(BASE)
        waiting = list(BASE)
        while waiting:
            more = self._users[waiting.pop()] - self._dynamic
            self._dynamic |= more
            waiting += more
        parts: tuple[list[Rule], list[Rule]] = ([], [])
        for rule in rules:
            parts[rule.predicate in self._dynamic].append(rule)
        #: The rules whose heads do not depend on a question.
        self.static = [Index(parts[0])]
        #: The others.
        self.others = [Index(parts[1])]

    def with_more(self, rules: Sequence[Rule]) -> Split:
        """The split of these rules and some others."""
        dynamic = self._dynamic
        if any(
            rule.predicate not in dynamic and (not dynamic.isdisjoint(rule.body_predicates))
            for rule in rules
        ):
            return Split([*self._rules, *rules])
        found = Split.__new__(Split)
        found._rules = [*self._rules, *rules]
        found._users, found._dynamic = self._users, dynamic
        found.static = [*self.static, Index(r for r in rules if r.predicate not in dynamic)]
        found.others = [*self.others, Index(r for r in rules if r.predicate in dynamic)]
        return found


def can_fire(rules: Sequence[Index], facts: Iterable[str]) -> list[Rule]:
    """The rules for which there can be all that they require, given some facts."""
    given = {signature(parse_term(fact)) for fact in facts}
    return _firing(rules, given, lambda _: True)


class Program:
    """The dynamic rules of a scenario, cut to what each kind of item can reach.

    Parameters
    ----------
    rules
        The rules of the loaded encodings that depend on a question.
    evaluated
        The static rules that were evaluated.
    static
        The static atoms, as text.
    fluents
        Fluents that hold at the start; with the ``set`` heads of the rules they say which
        fluents can ever hold.
    answers
        The text of ``answers.lp``.
    """

    def __init__(
        self,
        rules: Sequence[Index],
        evaluated: Sequence[Rule],
        static: Sequence[str],
        fluents: Iterable[str],
        answers: str,
    ) -> None:
        self._answers = answers
        self._facts: dict[Predicate, list[tuple[str, tuple[Term, ...]]]] = defaultdict(list)
        for text in static:
            term = parse_term(text)
            arguments = term.arguments if isinstance(term, Function) else ()
            self._facts[signature(term)].append((text, arguments))
        self._evaluated = evaluated
        self._heads = set().union(*(index.heads for index in rules))
        given = {*BASE, *(shape for shape in self._facts if shape not in self._heads)}
        given |= {_holding(signature(parse_term(fluent))) for fluent in fluents}
        self._rules = self._relevant(_firing(rules, given, self._is_supported))
        self._items = {id(rule): tuple(_required(rule, ("item", 2))) for rule in self._rules}
        self._reach = _Reach(self._rules, self._heads)
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

    def _is_supported(self, rule: Rule) -> bool:
        """Whether the static facts allow a rule to fire at all."""
        for literal in rule.required:
            shape = literal.predicate
            if shape not in BASE and shape not in self._heads:
                facts = self._facts.get(shape, ())
                if not any(all(map(unifies, literal.arguments, given)) for _, given in facts):
                    return False
        return True

    def _cut(self, kind: Kind) -> KindProgram:
        name, inner = kind

        def is_item(pattern: Term) -> bool:
            if isinstance(pattern, Variable):
                return True
            if signature(pattern)[0] != name:
                return False
            first = pattern.arguments[0] if isinstance(pattern, Function) else ""
            return isinstance(first, Variable) or kind_of(pattern)[1] == inner

        rules = self._reach.among(lambda rule: all(map(is_item, self._items[id(rule)])), name)
        while True:
            sources = _argument_sources(rules)
            fitting = [rule for rule in rules if _fits_kind(rule, sources, inner)]
            if len(fitting) == len(rules):
                break
            rules = _Reach(fitting, self._heads).among()
        rules = self._relevant(rules)
        needed = frozenset().union(*(rule.body_predicates for rule in rules))
        facts = [text for shape in needed for text, _ in self._facts.get(shape, ())]
        lines = [rule.text for rule in rules] + [f"{fact}." for fact in sorted(facts)]
        return KindProgram("\n".join([*lines, self._answers]), tuple(self._reads(rules)))

    @staticmethod
    def _relevant(rules: list[Rule]) -> list[Rule]:
        """The rules that an output depends on."""
        wanted = set(OUTPUTS)
        while True:
            used = (rule.body_predicates for rule in rules if rule.predicate in wanted)
            more = frozenset().union(*used) - wanted
            if not more:
                return [rule for rule in rules if rule.predicate in wanted]
            wanted |= more

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


def _required(rule: Rule, shape: Predicate) -> Iterator[Term]:
    """The second arguments of a rule's required literals over a base predicate."""
    return (literal.arguments[1] for literal in rule.required if literal.predicate == shape)


def _fits_kind(rule: Rule, sources: Sources, inner: str) -> bool:
    """Whether a rule's literals allow the item's first argument to be of this kind."""
    return all(
        path != (0,) or isinstance(argument, Variable) or signature(argument)[0] == inner
        for literal in rule.required
        if literal.predicate in sources
        for argument, path in zip(literal.arguments, sources[literal.predicate], strict=True)
    )


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
