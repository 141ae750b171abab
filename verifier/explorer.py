"""Walk all states that a scenario can reach.

The explorer knows items, cells and answers, nothing else.  States with the same cells and
agenda are one node; a step that leaves nothing to choose is followed at once and makes no
node.  Questions are kept per (item, slice): all open ones of a frontier are put into one
grounding per kind of item.
"""

from __future__ import annotations

import time
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from verifier import asp
from verifier.answers import Answer, read_answers
from verifier.errors import (
    AmbiguousSourceError,
    EncodingError,
    NumberTooLargeError,
    UnknownCardsError,
    VerifierError,
)
from verifier.garbage import keeping_all
from verifier.moves import Moves
from verifier.program import Kind, Program, Read, kind_of
from verifier.state import EMPTY, Agendas, Cells, Change, State, Values, group
from verifier.terms import (
    LARGEST,
    Function,
    Term,
    Variable,
    number_term,
    parse_term,
    signature,
    unifies,
)

#: What cut an exploration short that the user ended.
INTERRUPTED = "interrupted"

#: What cut an exploration short that needed more memory than there is.
OUT_OF_MEMORY = "memory limit reached"

#: A run of forced steps longer than this is cut into states, so that loops are found.
LONGEST_RUN = 500

#: A round of a loop of forced steps that is longer than this is not recognised.
LONGEST_ROUND = 2000

#: Questions in one grounding.  More would make a grounding, which cannot be stopped, long.
BATCH = 2000


@dataclass(frozen=True, slots=True)
class Transition:
    """A way on from an item: what changes, what comes next, in how many ways.

    ``number`` is its place among all of an exploration.  ``notes`` are the checkpoints that it
    reaches.  ``leaves`` are the leaves of the answer that this stands for; they change the same.
    """

    number: int
    orders: int
    changes: tuple[Change, ...]
    pushes: tuple[int, ...]
    clears: bool
    notes: tuple[str, ...]
    leaves: frozenset[str]


@dataclass(slots=True)
class Item:
    """An item of the agenda and the cells that an answer about it depends on."""

    text: str
    term: Term
    reads: tuple[Read, ...]
    #: (cell, thresholds): the value itself if there are none.
    slice: list[tuple[int, tuple[int, ...] | None]] = field(default_factory=list)
    cells_known: int = -1


Key = tuple[int, tuple[object, ...]]

#: What a leaf does: changes, items, whether it clears the agenda, checkpoints.
Effect = tuple[tuple[Change, ...], tuple[int, ...], bool, tuple[str, ...]]


@dataclass(slots=True)
class Known:
    """An answer and the transitions that it stands for."""

    answer: Answer
    transitions: tuple[Transition, ...]


class Batch(NamedTuple):
    """Questions about one kind of item that are answered together, as facts."""

    kind: Kind
    keys: list[Key]
    facts: str


class Way(NamedTuple):
    """A transition and the forced steps after it: where they have led, how many may follow."""

    state: State
    orders: int
    left: int
    first: Transition


@dataclass(frozen=True, slots=True)
class Limits:
    """When to give up.

    Attributes
    ----------
    max_states
        After so many states.
    deadline
        At this time of ``time.perf_counter``.
    poll
        Called now and then with the number of states so far.
    """

    max_states: int
    deadline: float | None = None
    poll: Callable[[int], None] | None = None

    def check(self, states: int) -> None:
        """Give up if it is time to.

        Raises
        ------
        LimitReachedError
            If a limit is reached.
        """
        if self.deadline is not None and time.perf_counter() > self.deadline:
            raise LimitReachedError("time limit reached")
        if states > self.max_states:
            raise LimitReachedError("state limit reached")
        if self.poll is not None:
            self.poll(states)


@dataclass
class Run:
    """What an exploration found; `limit` says which limit cut it short."""

    states: list[State]
    moves: Moves
    terminals: list[int]
    limit: str | None
    seconds: float
    start: int = 0

    @classmethod
    def of(cls, states: list[State], moves: Moves, limit: str | None, began: float) -> Run:
        """What was found from the first state since then.

        If that is all, the states are numbered anew: from the first one, the nearest first, as
        their moves come.  So the numbers do not depend on the order in which they were looked at.
        Whoever has given up does not wait for an order, which would differ anyway.
        """
        if limit is not None:
            return cls(states, moves, moves.final(), limit, time.perf_counter() - began)
        with keeping_all():
            order, before = moves.nearest_first(len(states))
            places = array("q", before)
            for place, state in enumerate(order):
                places[state] = place
            moves = moves.numbered(order, places)
            run = cls([states[old] for old in order], moves, moves.final(), None, 0)
            run.shortest = range(len(order)), [places[before[old]] for old in order]
        run.seconds = time.perf_counter() - began
        return run

    @property
    def exhausted(self) -> bool:
        """Whether every reachable state was looked at."""
        return self.limit is None

    @cached_property
    def shortest(self) -> tuple[Sequence[int], Sequence[int]]:
        """For each state its place by distance, and the one before it on a shortest way."""
        order, before = self.moves.nearest_first(len(self.states))
        places = [-1] * len(self.states)
        for place, state in enumerate(order):
            places[state] = place
        return places, before


class IllegalMoveError(Exception):
    """What an entry of the timeline says cannot be done.

    Attributes
    ----------
    entry
        The number of the entry, from 1.
    what
        The object or player that it is about.
    reasons
        Terms that say why, each with its subrule.
    """

    def __init__(self, errors: Sequence[Term]) -> None:
        super().__init__(", ".join(map(str, errors)))
        said = [error.arguments for error in errors if isinstance(error, Function)]
        self.entry = int(str(said[0][0]))
        self.what = str(said[0][1])
        self.reasons = [(why, str(rule).strip('"')) for _, _, rule, why in said]


class LimitReachedError(Exception):
    """Raised inside an exploration to end it early."""


def until_limit(explore: Callable[[], None], check: Callable[[], None]) -> str | None:
    """Explore until a limit is reached, and say which; ``None`` if none is.

    `check` is called while clingo is busy, and raises if one is.
    """
    try:
        with keeping_all(), asp.polling(check):
            explore()
    except LimitReachedError as reached:
        return str(reached)
    except KeyboardInterrupt:
        return INTERRUPTED
    except MemoryError:
        return OUT_OF_MEMORY
    return None


class Explorer:
    """Explores the states of one scenario.

    Parameters
    ----------
    program
        The rules, cut to what each kind of item reaches.
    observed
        The fluents and quantities that outcomes record, besides those that rules read.
    note
        Gives what is to be seen at a checkpoint a number, which the state keeps.
    standing
        Items of which the first comes up before anything else at the start and whenever
        something has changed that an answer about any of them depends on; what items with
        its functor change does not count.
    """

    def __init__(
        self,
        program: Program,
        observed: Iterable[Term],
        note: Callable[[Cells, str, Values], int] | None = None,
        standing: Sequence[str] = (),
    ) -> None:
        shown = list(observed)
        self.note = note
        self._program = program
        self._groups = {group(term) for term in shown}
        self._shown = set(map(str, shown))
        self._like = [term for term in shown if _is_pattern(term)]
        self.cells = Cells(self._matters)
        self.agendas = Agendas()
        self.items: list[Item] = []
        self._item_numbers: dict[str, int] = {}
        self._known: dict[Key, Known] = {}
        #: The transitions of all answers, in the order in which these came.
        self.transitions: list[Transition] = []
        #: The states from which forced steps go round without end (in their moves they lead
        #: to themselves), and how many steps a round has.
        self.rounds: dict[State, int] = {}
        self._standing = [self.item(text) for text in standing]
        #: The cells that answers about these items depend on, of the first so many.
        self._kept_up: tuple[int, frozenset[int]] = (-1, frozenset())

    def _matters(self, term: Term) -> bool:
        return (
            str(term) in self._shown
            or group(term) in self._groups
            or any(unifies(pattern, term) for pattern in self._like)
            or self._program.is_read(term)
        )

    # --- Items and questions ------------------------------------------------------------

    def item(self, text: str) -> int:
        """The number of an item."""
        number = self._item_numbers.get(text)
        if number is None:
            number = self._item_numbers[text] = len(self.items)
            term = parse_term(text)
            reads = self._program.kind(kind_of(term)).reads
            self.items.append(Item(text, term, tuple(r.for_item(term) for r in reads)))
        return number

    def _find_slice(self, item: Item) -> None:
        """Which cells the answers about an item depend on, among those there are."""
        item.slice.clear()
        for index, example in enumerate(self.cells.examples):
            wanted: set[int] | None = set()
            is_quantity = self.cells.is_quantity[index]
            for read in item.reads:
                if (read.base != "holds") != is_quantity:
                    continue
                if not (unifies if is_quantity else _same_cell)(read.pattern, example):
                    continue
                if read.thresholds is None:
                    wanted = None
                    break
                assert wanted is not None
                wanted |= {bound for bound in read.thresholds if isinstance(bound, int)}
            if wanted is None:
                item.slice.append((index, None))
            elif wanted:
                item.slice.append((index, tuple(sorted(wanted))))
        item.cells_known = len(self.cells)

    def key(self, number: int, values: Values) -> Key:
        """What an answer is kept under: the item and its slice of the state."""
        item = self.items[number]
        if item.cells_known != len(self.cells):
            self._find_slice(item)
        size = len(values)
        seen: list[object] = []
        for index, thresholds in item.slice:
            value = values[index] if index < size else 0
            if thresholds is None:
                seen.append(value or 0)
            else:
                seen += [value >= bound for bound in thresholds]  # type: ignore[operator]
        # Cells that came up later, and so lie last, must not make another key of it.
        while seen and not seen[-1]:
            seen.pop()
        return number, tuple(seen)

    def question(self, number: int, place: int, values: Values) -> list[str]:
        """A question, by number of its item: the item and its slice of the state, as facts."""
        item = self.items[number]
        if item.cells_known != len(self.cells):
            self._find_slice(item)
        facts = [f"item({place},{item.text})."]
        for index, thresholds in item.slice:
            value = values[index] if index < len(values) else 0
            if not value:
                continue
            if not self.cells.is_quantity[index]:
                facts += [f"holds({place},{fluent})." for fluent in sorted(value)]  # type: ignore[arg-type]
                continue
            assert isinstance(value, int)
            name = self.cells.examples[index]
            if thresholds is not None:
                facts += [f"at_least({place},{name},{b})." for b in thresholds if value >= b]
                continue
            facts.append(f"amount({place},{name},{number_term(value)}).")
            facts += [f"at_least({place},{name},{b})." for b in self._bounds(item, name, value)]
        return facts

    @staticmethod
    def _bounds(item: Item, quantity: Term, value: int) -> list[str]:
        """The numbers up to `value` that the rules compare a quantity with."""
        found: set[int] = set()
        for read in item.reads:
            if read.base == "at_least" and unifies(read.pattern, quantity):
                if read.thresholds is None:
                    if value > LARGEST:
                        raise NumberTooLargeError(
                            f"{quantity} is {value}, more than can be counted up to in {item.text}"
                        )
                    return [f"1..{value}"]
                found |= {bound for bound in read.thresholds if isinstance(bound, int)}
        return [str(bound) for bound in sorted(found) if bound <= value]

    def first_question(self, name: str, start: State) -> list[str]:
        """The state in which the first item called `name` comes up, and the item, as facts.

        Empty if there is a choice before, or no such item.
        """
        state = start
        while state[1] != EMPTY:
            values = state[0]
            number = self.agendas.parts[state[1]][0]
            if kind_of(self.items[number].term)[0] == name:
                return [f"item(0,{self.items[number].text}).", "stated.", *self._facts(values)]
            key = self.key(number, values)
            if key not in self._known:
                self._ask({key: values})
            transitions = self._known[key].transitions
            if len(transitions) > 1:
                break
            state = self.apply(state, transitions[0])
        return []

    def _facts(self, values: Values) -> list[str]:
        facts: list[str] = []
        for index, value in enumerate(values):
            if isinstance(value, frozenset):
                facts += [f"holds(0,{fluent})." for fluent in sorted(value)]
            elif value:
                facts.append(f"amount(0,{self.cells.examples[index]},{value}).")
        return facts

    def rules_about(self, number: int) -> str:
        """The rules that can matter for an item, and everything static."""
        text = self._program.kind(kind_of(self.items[number].term)).text
        return "\n".join([text, *(f"{atom}." for atom in self._program.static)])

    def ends(self, values: Values, item: str, limits: Limits) -> list[Values] | None:
        """The cells of all states in which an item alone can end; ``None`` if cut short."""
        start = (values, self.agendas.push([self.item(item)], EMPTY))
        run = self._run(start, limits)
        return [run.states[number][0] for number in run.terminals] if run.exhausted else None

    def known(self, number: int, values: Values) -> Known:
        """The answer about an item in a state that has been looked at."""
        return self._known[self.key(number, values)]

    def is_known(self, number: int, values: Values) -> bool:
        """Whether there is an answer about an item in a state."""
        return self.key(number, values) in self._known

    def answers(self, name: str) -> Iterator[tuple[str, Known]]:
        """All answers about items with a functor, with the item."""
        for item, known in self.all_answers():
            if signature(parse_term(item))[0] == name:
                yield item, known

    def all_answers(self) -> Iterator[tuple[str, Known]]:
        """All answers, with the item."""
        for (number, _), known in self._known.items():
            yield self.items[number].text, known

    def _ask(self, questions: dict[Key, Values]) -> None:
        """Answer all open questions, those about one kind of item in one grounding."""
        for batch in self.batches(questions, BATCH):
            self.learn(batch.keys, self.answer(batch.kind, batch.facts))

    def batches(self, questions: Mapping[Key, Values], size: int) -> Iterator[Batch]:
        """Open questions by kind of item, at most so many together.

        They come in an order that does not depend on how they came up.
        """
        kinds: defaultdict[Kind, list[Key]] = defaultdict(list)
        for key in sorted(questions, key=self._told):
            kinds[kind_of(self.items[key[0]].term)].append(key)
        for kind, keys in kinds.items():
            for begin in range(0, len(keys), size):
                part = keys[begin : begin + size]
                facts = [
                    fact
                    for place, key in enumerate(part)
                    for fact in self.question(key[0], place, questions[key])
                ]
                yield Batch(kind, part, "\n".join(facts))

    def _told(self, key: Key) -> tuple[str, str]:
        """A key as text that is the same in every run."""
        number, seen = key
        parts = [sorted(value) if isinstance(value, frozenset) else value for value in seen]
        return self.items[number].text, repr(parts)

    def answer(self, kind: Kind, facts: str) -> str:
        """What the rules say of questions about one kind of item, as text."""
        return asp.evaluate_to_text(f"{self._program.kind(kind).text}\n{facts}")

    def learn(self, keys: Sequence[Key], shown: str) -> None:
        """Take over answers.

        Cells and items are numbered here, so that explorers that learn the same in the same
        order have the same numbers.
        """
        for key, answer in zip(keys, read_answers(shown, len(keys)), strict=True):
            known = self._known[key] = self._compile(self.items[key[0]], answer)
            self.transitions += known.transitions

    def _compile(self, item: Item, answer: Answer) -> Known:
        illegal = [error for error in sorted(answer.errors) if error.startswith("illegal(")]
        if illegal:
            raise IllegalMoveError(list(map(parse_term, illegal)))
        for error in sorted(answer.errors):
            kind, (problem, advice) = _error(error)
            raise kind(f"{problem} ({error}, when {item.text} is looked at); {advice}")
        same: dict[Effect, tuple[int, set[str]]] = {}
        for leaf, orders in sorted(answer.orders().items()):
            what = answer.leaves[leaf]
            for name in sorted(what.notes):
                self.cells.of_note(name)
            effect = (
                self.cells.compile(what.changes),
                tuple(self.item(text) for _, text in sorted(what.pushes)),
                what.clears,
                tuple(sorted(what.notes)),
            )
            before, leaves = same.get(effect, (0, set()))
            same[effect] = (before + orders, leaves | {leaf})
        if not same:
            raise EncodingError(f"nothing can be done with {item.text}")
        return Known(
            answer,
            tuple(
                Transition(number, orders, *effect, frozenset(leaves))
                for number, (effect, (orders, leaves)) in enumerate(
                    same.items(), len(self.transitions)
                )
            ),
        )

    # --- States -------------------------------------------------------------------------

    def apply(self, state: State, transition: Transition) -> State:
        """The state after a transition from `state`."""
        values, agenda = state
        top, rest = self.agendas.parts[agenda]
        if transition.clears:
            rest = EMPTY
        before = values
        values = self.cells.change(values, transition.changes)
        for name in transition.notes:
            number = self.note(self.cells, name, values) if self.note else 1
            values = self.cells.change(values, [(self.cells.of_note(name), "n", number)])
        agenda = self.agendas.push(transition.pushes, rest)
        if self._standing and self._is_due(top, transition.changes, before, values):
            agenda = self.agendas.push(self._standing[:1], agenda)
        return values, agenda

    def _is_due(self, top: int, changes: Sequence[Change], before: Values, after: Values) -> bool:
        """Whether what an item has changed is looked at by what is kept up."""
        name = signature(self.items[self._standing[0]].term)[0]
        if not changes or signature(self.items[top].term)[0] == name:
            return False
        if self._kept_up[0] != len(self.cells):
            items = [self.items[number] for number in self._standing]
            for item in items:
                self._find_slice(item)
            looked_at = frozenset(index for item in items for index, _ in item.slice)
            self._kept_up = len(self.cells), looked_at

        def value(values: Values, index: int) -> object:
            return (values[index] if index < len(values) else 0) or 0

        return any(
            value(before, index) != value(after, index)
            for index in {index for index, _, _ in changes} & self._kept_up[1]
        )

    def follow(self, way: Way, missing: dict[Key, Values]) -> Way:
        """Take forced steps until there is a choice.

        If an answer is missing, it is noted in `missing`, and steps are left to take.
        """
        state, orders, left, first = way
        while left:
            values, agenda = state
            if agenda == EMPTY:
                break
            key = self.key(self.agendas.parts[agenda][0], values)
            known = self._known.get(key)
            if known is None:
                missing[key] = values
                return Way(state, orders, left, first)
            if len(known.transitions) > 1:
                break
            orders *= known.transitions[0].orders
            state = self.apply(state, known.transitions[0])
            left -= 1
        return Way(state, orders, 0, first)

    def start(
        self, fluents: Iterable[str], amounts: Iterable[tuple[str, int]], items: Iterable[str]
    ) -> State:
        """The first state."""
        changes = [("s", fluent, 0) for fluent in fluents]
        changes += [("a", quantity, number) for quantity, number in amounts]
        values = self.cells.change((), self.cells.compile(changes))
        agenda = [*self._standing[:1], *(self.item(text) for text in items)]
        return values, self.agendas.push(agenda, EMPTY)

    def run(self, start: State, limits: Limits) -> Run:
        """Explore from `start` until every state was looked at or a limit is reached.

        By another way of doing so within `exploring_by`.
        """
        by = _by.get()
        return self._run(start, limits) if by is None else by(self, start, limits)

    def _run(self, start: State, limits: Limits) -> Run:
        began = time.perf_counter()
        states: list[State] = [start]
        moves = Moves(self.transitions)

        def check() -> None:
            limits.check(len(states))

        limit = until_limit(lambda: self._walk(states, moves, check), check)
        return Run.of(states, moves, limit, began)

    def _walk(
        self,
        states: list[State],
        moves: Moves,
        check: Callable[[], None],
    ) -> None:
        """Look at all states that follow the first one."""
        numbers: dict[State, int] = {states[0]: 0}
        begun: dict[int, list[Way]] = {}
        ready = [0]
        while ready:
            missing: dict[Key, Values] = {}
            blocked: list[int] = []
            while ready:
                number = ready.pop()
                if not number & 127:
                    check()
                found = self.ways(number, states[number], begun, missing)
                if found is None:
                    blocked.append(number)
                    continue
                targets: list[int] = []
                for target, *_ in found:
                    place = numbers.get(target)
                    if place is None:
                        place = numbers[target] = len(states)
                        states.append(target)
                        ready.append(place)
                    targets.append(place)
                first = found[0].first.number if found else 0
                moves.add(number, first, targets, [way.orders for way in found])
            if missing:
                check()
                self._ask(missing)
            ready = blocked

    def ways(
        self, number: int, state: State, begun: dict[int, list[Way]], missing: dict[Key, Values]
    ) -> list[Way] | None:
        """The ways on from a state; ``None`` if an answer is missing, which is noted then.

        What was taken before an answer was missing is kept in `begun`, and not taken again.
        """
        if number in begun:
            found = [self.follow(way, missing) for way in begun[number]]
        else:
            expanded = self._expand(state, missing)
            if expanded is None:
                return None
            found = expanded
        if any(way.left for way in found):
            begun[number] = found
            return None
        begun.pop(number, None)
        return found

    def _next(self, state: State) -> tuple[Transition, ...]:
        """The transitions from a state, if they are known."""
        values, agenda = state
        if agenda == EMPTY:
            return ()
        known = self._known.get(self.key(self.agendas.parts[agenda][0], values))
        return known.transitions if known is not None else ()

    def round_from(self, start: State, longest: int = LONGEST_ROUND) -> int:
        """The number of forced steps after which everything goes on as before; 0 if unknown.

        That is so if the agenda is the same again, and each cell either is, too, or is a
        quantity that was only added to, and whatever was asked about it in this round ("is
        it N or more?") has the same answer the further it goes the same way.
        """
        state = start
        taken: list[tuple[State, Transition]] = []
        while len(taken) < longest:
            transitions = self._next(state)
            if len(transitions) != 1:
                return 0
            taken.append((state, transitions[0]))
            state = self.apply(state, transitions[0])
            if state[1] == start[1] and self._repeats(taken, start[0], state[0]):
                return len(taken)
        return 0

    def _repeats(self, taken: list[tuple[State, Transition]], before: Values, now: Values) -> bool:
        """Whether the steps of a round will be taken again and again."""
        size = max(len(before), len(now))
        more: dict[int, int] = {}
        for index in range(size):
            old = before[index] if index < len(before) else 0
            new = now[index] if index < len(now) else 0
            if (old or 0) != (new or 0):
                if not self.cells.is_quantity[index]:
                    return False
                more[index] = int(new) - int(old)  # type: ignore[arg-type]
        for (values, agenda), transition in taken if more else ():
            if any(index in more and kind != "a" for index, kind, _ in transition.changes):
                return False
            item = self.items[self.agendas.parts[agenda][0]]
            for index, thresholds in item.slice:
                if index in more:
                    value = values[index] if index < len(values) else 0
                    if thresholds is None or any(
                        (value >= bound) != (more[index] > 0)  # type: ignore[operator]
                        for bound in thresholds
                    ):
                        return False
        return not any(transition.notes for _, transition in taken)

    def _expand(self, state: State, missing: dict[Key, Values]) -> list[Way] | None:
        """The ways on from a state, as far as answers are known; ``None`` if none is."""
        values, agenda = state
        if agenda == EMPTY:
            return []
        key = self.key(self.agendas.parts[agenda][0], values)
        known = self._known.get(key)
        if known is None:
            missing[key] = values
            return None
        # Without a choice: the start, or a long run of forced steps was cut here.
        if len(known.transitions) == 1 and (steps := self.round_from(state)):
            self.rounds[state] = steps
            return [Way(state, 1, 0, known.transitions[0])]
        return [
            self.follow(Way(self.apply(state, first), first.orders, LONGEST_RUN, first), missing)
            for first in known.transitions
        ]


#: How a scenario is explored, if not by the explorer alone.
Exploring = Callable[[Explorer, State, Limits], Run]

_by: ContextVar[Exploring | None] = ContextVar("by", default=None)


@contextmanager
def exploring_by(way: Exploring | None) -> Iterator[None]:
    """Let scenarios be explored in another way within this context; in the usual one if none."""
    token = _by.set(way)
    try:
        yield
    finally:
        _by.reset(token)


#: What an error term of the encodings means, by its functor.
_ERRORS: dict[str, tuple[type[VerifierError], tuple[str, str]]] = {
    "number_too_large": (
        NumberTooLargeError,
        (f"a number would pass {LARGEST}, the largest that the solver holds", "use less"),
    ),
    "too_many_effects": (
        NumberTooLargeError,
        ("more effects than can be told apart in one event", "leave some out"),
    ),
    "too_many_tokens": (
        NumberTooLargeError,
        ("more tokens than can be told apart would enter", "let fewer be created"),
    ),
    "several_sources": (
        AmbiguousSourceError,
        ("an ability could be that of several permanents", "put only one on the battlefield"),
    ),
    "several_restrictions": (
        AmbiguousSourceError,
        (
            "mana would be restricted in two ways, and only one can be written",
            "use another permanent",
        ),
    ),
    "unknown_cards": (
        UnknownCardsError,
        ("the answer depends on cards that are not named", "name them in `state`"),
    ),
    "nothing_chosen": (
        UnknownCardsError,
        (
            "the answer depends on what is chosen for a permanent as it enters",
            "let it be there from the beginning, with `chosen`",
        ),
    ),
    "unknown_symbols": (
        UnknownCardsError,
        (
            "the answer depends on the mana cost of a card, whose file does not say it",
            "add `mana_cost`",
        ),
    ),
    "unknown_mana_value": (
        UnknownCardsError,
        (
            "the answer depends on the mana value of a card, whose file does not say it",
            "add `mana_cost`",
        ),
    ),
    "other_words_in_text": (
        UnknownCardsError,
        (
            "a text in which words were exchanged is exchanged with another",
            "such a text would be one of a card that is not there",
        ),
    ),
    "unknown_word": (
        UnknownCardsError,
        (
            "a text is changed in a word that is no color, basic land type or creature type here",
            "`change_text` takes a permanent, the word and the one that takes its place",
        ),
    ),
    "unknown_token": (
        UnknownCardsError,
        (
            "the answer depends on what a token is, which no card says",
            "add `token_type` to a card",
        ),
    ),
    "unknown_cost": (
        UnknownCardsError,
        (
            "a card is cast whose file does not say its mana cost",
            "add `mana_cost`, or cast it with `free: true`",
        ),
    ),
    "unknown_order": (
        UnknownCardsError,
        (
            "the answer depends on which of several effects began later, which is left open",
            "say it with `timestamp`",
        ),
    ),
    "unknown_world_order": (
        UnknownCardsError,
        (
            "the answer depends on which of several world permanents came last",
            "let one of them enter in the timeline",
        ),
    ),
    "unknown_power": (
        UnknownCardsError,
        (
            "the answer depends on the power or toughness of a creature whose card does not say it",
            "add `power` and `toughness`",
        ),
    ),
}


def _error(text: str) -> tuple[type[VerifierError], tuple[str, str]]:
    fallback = (EncodingError, ("the encodings cannot answer this", "please report it"))
    return _ERRORS.get(signature(parse_term(text))[0], fallback)


def _is_pattern(term: Term) -> bool:
    """Whether it stands for several fluents, whatever their first argument is."""
    return isinstance(term, Function) and isinstance(term.arguments[0], Variable)


def _same_cell(pattern: Term, example: Term) -> bool:
    """Whether a pattern could match a fluent of the same cell as `example`."""
    if not isinstance(pattern, Function) or not isinstance(example, Function):
        return unifies(pattern, example)
    return (
        pattern.name == example.name
        and len(pattern.arguments) == len(example.arguments)
        and unifies(pattern.arguments[0], example.arguments[0])
    )
