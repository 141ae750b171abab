"""One exploration by several: each owns the states that a hash assigns to it.

A *member* walks the states that it owns; what it comes to and does not own goes to the owner,
who merges equal ones.  The *coordinator* only collects: it hands on what members send each
other, gives open questions out in parts and all answers to everybody, and puts the graph
together.  All of it goes in rounds.

- Explorers that learn the same answers in the same order number cells and items alike, so a
  state travels as it is.  Only agendas and what checkpoints have shown are numbered as they come
  up; what these numbers mean goes along the first time (`Post`, `Reader`).
- The coordinator has every state of each finished round.  If a member is lost, all start anew
  with what the coordinator has; only the last two rounds are walked again.
- The states are numbered in the end (`verifier.explorer.Run.of`), so that the graph is the one
  that one process finds.

How members are reached is the business of a `Team`.
"""

from __future__ import annotations

import marshal
import time
import zlib
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

from verifier import asp
from verifier.explorer import (
    BATCH,
    Explorer,
    Exploring,
    Key,
    LimitReachedError,
    Limits,
    Run,
    Way,
    until_limit,
)
from verifier.garbage import keeping_all
from verifier.moves import Moves
from verifier.parcel import CardFiles, Parcel
from verifier.program import Kind
from verifier.state import EMPTY, Cells, State, Values

#: A member tells what it has found after so many states or seconds at the latest.
ROUND, ROUND_SECONDS = 50_000, 0.5

#: Fewer questions than this are not given to several members.
FEW = 50

#: Answers: the keys of the questions, and what the rules say of them.
Learned = tuple[list[Key], str]


class LostError(Exception):
    """A member of the team is gone."""


class Team(Protocol):
    """Those who explore together."""

    def gather(self) -> int:
        """Find out who takes part from now on, and how many they are.

        Raises
        ------
        VerifierError
            If there is nobody.
        """

    def dismiss(self) -> None:
        """Nobody is needed any more."""

    def call(
        self,
        calls: Sequence[tuple[int, str, tuple[Any, ...]]],
        meanwhile: Callable[[], None],
        check: Callable[[], None],
    ) -> list[Any]:
        """Call methods of members (`Member`), all at once; they are numbered from 0.

        Parameters
        ----------
        calls
            For each call the member, the method and its arguments.
        meanwhile
            What to do in the meantime.
        check
            Called now and then while waiting; may raise to give up.

        Raises
        ------
        LostError
            If one of them is gone.
        """


# --- States on their way ------------------------------------------------------------------


class NoteLog:
    """What checkpoints have shown to an explorer, with a state that shows it; numbers from 1."""

    def __init__(self, explorer: Explorer) -> None:
        self._number = explorer.note
        explorer.note = self.number
        self.log: list[tuple[str, Values]] = []

    def number(self, cells: Cells, name: str, values: Values) -> int:
        """The number of what a state shows at a checkpoint."""
        number = self._number(cells, name, values) if self._number else 1
        if number > len(self.log):
            self.log.append((name, values))
        return number


class Post:
    """Packs states for one receiver, with what the numbers in them mean if that is new."""

    def __init__(self, explorer: Explorer, notes: NoteLog) -> None:
        self._agendas, self._log = explorer.agendas, notes.log
        self._sent = (1, 0)

    def pack(self, states: list[State]) -> bytes:
        """States as bytes."""
        parts, log = self._agendas.parts, self._log
        news = parts[self._sent[0] :], log[self._sent[1] :]
        self._sent = len(parts), len(log)
        return marshal.dumps((*news, states))


class Reader:
    """Unpacks what one sender has packed."""

    def __init__(self, explorer: Explorer, notes: NoteLog) -> None:
        self._explorer, self._note = explorer, notes.number
        self._agendas = [EMPTY]
        self._notes = [0]

    def unpack(self, packed: bytes) -> list[State]:
        """The states, with the numbers that they have here."""
        agendas, log, states = marshal.loads(packed)
        mine, push = self._agendas, self._explorer.agendas.push
        for item, rest in agendas:
            mine.append(push([item], mine[rest]))
        cells = self._explorer.cells
        for name, values in log:
            self._notes.append(self._note(cells, name, self._seen(values)))
        if not cells.notes:
            return [(values, mine[agenda]) for values, agenda in states]
        return [(self._seen(values), mine[agenda]) for values, agenda in states]

    def _seen(self, values: Values) -> Values:
        here = list(values)
        for index in self._explorer.cells.notes:
            if index < len(here):
                here[index] = self._notes[here[index]]  # type: ignore[index]
        return tuple(here)


class _Digests(dict[Any, int]):
    """A number for each value of a cell that is the same in every process."""

    def __missing__(self, value: Any) -> int:
        found = value if isinstance(value, int) else zlib.crc32(repr(sorted(value)).encode())
        self[value] = found
        return found


class Owners:
    """Who owns a state, by its content."""

    def __init__(self, explorer: Explorer, count: int) -> None:
        self._parts, self._notes = explorer.agendas.parts, explorer.cells.notes
        self._count = count
        self._agendas = [0]
        self._digest = _Digests().__getitem__

    def of(self, state: State) -> int:
        """The number of the owner."""
        values, agenda = state
        agendas = self._agendas
        while agenda >= len(agendas):
            item, rest = self._parts[len(agendas)]
            agendas.append(hash((item, agendas[rest])))
        if self._notes:
            values = tuple(v for index, v in enumerate(values) if index not in self._notes)
        return hash((agendas[agenda], *map(self._digest, values))) % self._count


# --- Members ------------------------------------------------------------------------------


@dataclass
class Report:
    """What a member has done in a round.

    A state is told by ``place * members + owner``, its place among all that the owner owns, or
    among those that this member has sent to the owner.

    Attributes
    ----------
    states
        The states that are new to it, packed.
    arrived
        For each sender the places of the states that were in the inbox.
    looked_at
        The places of states of which all moves are known.
    firsts, sizes
        For each of these the number of its first transition, and how many moves it has.
    targets, orders
        The moves.
    rounds
        Places of states from which forced steps go round, and the number of steps.
    missing
        Open questions that were not told before.
    out
        For each other member, the states that are its own, packed.
    more
        Whether there are states left that could be looked at now.
    """

    arrived: dict[int, array[int]]
    states: bytes = b""
    looked_at: array[int] = field(default_factory=lambda: array("q"))
    firsts: array[int] = field(default_factory=lambda: array("q"))
    sizes: array[int] = field(default_factory=lambda: array("q"))
    targets: array[int] = field(default_factory=lambda: array("q"))
    orders: list[int] = field(default_factory=list)
    rounds: list[tuple[int, int]] = field(default_factory=list)
    missing: list[tuple[Key, Values]] = field(default_factory=list)
    out: dict[int, bytes] = field(default_factory=dict)
    more: bool = False


class Member:
    """Walks the states that it owns."""

    def __init__(self) -> None:
        #: Set from outside if nobody waits any more.
        self.given_up = False
        self._make: Callable[[], Explorer] | None = None

    def begin(
        self,
        parcel: Parcel,
        cards: CardFiles,
        number: int,
        count: int,
        learned: Sequence[Learned],
        states: bytes,
        ready: Sequence[int],
    ) -> None:
        """Start, or start anew: with these answers and these own states, some to be looked at."""
        if self._make is None:
            self._make = _explorer_of(parcel, cards)
        self._explorer = self._make()
        self._notes = NoteLog(self._explorer)
        self._number, self._count = number, count
        self._learn(learned)
        self._owners = Owners(self._explorer, count)
        self._posts = [Post(self._explorer, self._notes) for _ in range(count + 1)]
        self._readers = [Reader(self._explorer, self._notes) for _ in range(count + 1)]
        self._states = self._readers[count].unpack(states)
        self._told = len(self._states)
        self._refs = {state: n * count + number for n, state in enumerate(self._states)}
        self._sent = [0] * count
        self._ready = list(ready)
        self._blocked: list[int] = []
        self._begun: dict[int, list[Way]] = {}
        self._missing: dict[Key, Values] = {}

    def _learn(self, learned: Iterable[Learned]) -> None:
        for keys, shown in learned:
            self._explorer.learn(keys, shown)

    def answer(self, kind: Kind, facts: str, patience: float | None) -> str | None:
        """What the rules say of some questions; ``None`` if that takes too long."""
        deadline = None if patience is None else time.perf_counter() + patience

        def check() -> None:
            if self.given_up or (deadline is not None and time.perf_counter() > deadline):
                raise LimitReachedError

        try:
            with asp.polling(check):
                return self._explorer.answer(kind, facts)
        except LimitReachedError:
            return None

    def walk(self, learned: Sequence[Learned], inbox: Sequence[tuple[int, bytes]]) -> Report:
        """Go on for a round."""
        self._learn(learned)
        if learned:
            self._ready += self._blocked
            self._blocked = []
            self._missing = {}
        with keeping_all():
            report = Report(
                {
                    sender: array("q", map(self._place, self._readers[sender].unpack(packed)))
                    for sender, packed in inbox
                }
            )
            self._walk(report)
            report.states = self._posts[self._count].pack(self._states[self._told :])
        report.more = bool(self._ready)
        self._told = len(self._states)
        return report

    def _place(self, state: State) -> int:
        """The place of a state of its own."""
        ref = self._refs.get(state)
        return self._own(state) if ref is None else ref // self._count

    def _own(self, state: State) -> int:
        place = len(self._states)
        self._states.append(state)
        self._refs[state] = place * self._count + self._number
        self._ready.append(place)
        return place

    def _walk(self, report: Report) -> None:
        explorer, states, ready, refs = self._explorer, self._states, self._ready, self._refs
        count, number, owner_of = self._count, self._number, self._owners.of
        before = set(self._missing)
        out: defaultdict[int, list[State]] = defaultdict(list)
        ending = time.perf_counter() + ROUND_SECONDS
        left = ROUND
        while ready and left and not self.given_up:
            left -= 1
            if not left & 127 and time.perf_counter() > ending:
                break
            place = ready.pop()
            rounds = len(explorer.rounds)
            found = explorer.ways(place, states[place], self._begun, self._missing)
            if found is None:
                self._blocked.append(place)
                continue
            if len(explorer.rounds) > rounds:
                report.rounds.append((place, explorer.rounds[states[place]]))
            report.looked_at.append(place)
            report.firsts.append(found[0].first.number if found else 0)
            report.sizes.append(len(found))
            for target, orders, _, _ in found:
                ref = refs.get(target)
                if ref is None:
                    owner = owner_of(target)
                    if owner == number:
                        ref = self._own(target) * count + number
                    else:
                        ref = refs[target] = self._sent[owner] * count + owner
                        self._sent[owner] += 1
                        out[owner].append(target)
                report.targets.append(ref)
                report.orders.append(orders)
        report.missing = [item for item in self._missing.items() if item[0] not in before]
        report.out = {owner: self._posts[owner].pack(found) for owner, found in out.items()}


def _explorer_of(parcel: Parcel, cards: CardFiles) -> Callable[[], Explorer]:
    """How to make an explorer that has begun with a scenario."""
    from verifier.engine import set_up
    from verifier.outcomes import Notes

    scenario = parcel.scenario(cards.unpacked())
    setup = set_up(scenario)
    asks = (scenario.ask, *scenario.checkpoints.values())
    needed = setup.observables.needed(asks)

    def make() -> Explorer:
        notes = Notes(setup.observables, scenario.checkpoints)
        explorer = Explorer(setup.program, needed, notes.number, setup.standing)
        explorer.start(setup.fluents, setup.amounts, setup.agenda)
        return explorer

    return make


# --- The coordinator ----------------------------------------------------------------------


class _Shares:
    """Which state of the whole each number of a member means, since all have started last."""

    def __init__(self, explorer: Explorer, notes: NoteLog, count: int) -> None:
        self.count = count
        self.owners = Owners(explorer, count)
        self.posts = [Post(explorer, notes) for _ in range(count)]
        self.readers = [Reader(explorer, notes) for _ in range(count)]
        #: For each member the numbers of the states that it owns.
        self.own = [array("q") for _ in range(count)]
        #: The same of those that one (first) has sent to the other (second).
        self.sent = [[array("q") for _ in range(count)] for _ in range(count)]
        for number in range(count):
            self.sent[number][number] = self.own[number]
        #: The last reports, in which moves lead to states that their owners tell of next time.
        self.open: list[Report] = []


class Coordinator:
    """Puts together what the members of a team find.

    Parameters
    ----------
    explorer
        As in one process; ends up knowing the same.
    start
        The first state.
    limits
        When to give up.
    team
        Who explores.
    parcel, cards
        The scenario, for the members.
    """

    def __init__(
        self,
        explorer: Explorer,
        start: State,
        limits: Limits,
        team: Team,
        parcel: Parcel,
        cards: CardFiles,
    ) -> None:
        self._explorer, self._notes = explorer, NoteLog(explorer)
        self._limits, self._team = limits, team
        self._parcel, self._cards = parcel, cards
        self._states = [start]
        self._moves = Moves(explorer.transitions)
        self._learned: list[Learned] = []

    def run(self) -> Run:
        """Explore until every state was looked at or a limit is reached."""
        began = time.perf_counter()
        limit = until_limit(self._explore_patiently, self._check)
        self._team.dismiss()
        return Run.of(self._states, self._moves, limit, began)

    def _check(self) -> None:
        self._limits.check(len(self._states))

    def _explore_patiently(self) -> None:
        """Start anew if members are lost, unless that happens again and again."""
        lost, known = 0, (0, 0)
        while True:
            try:
                self._explore()
                return
            except LostError as problem:
                now = len(self._states), len(self._learned)
                lost, known = (lost + 1 if now == known else 1), now
                if lost == 3:
                    raise LimitReachedError(f"{problem}, perhaps for lack of memory") from None

    def _explore(self) -> None:
        shares = self._begin(self._team.gather())
        inboxes: list[list[tuple[int, bytes]]] = [[] for _ in range(shares.count)]
        news: list[Learned] = []
        reports: list[Report] = []
        missing: dict[Key, Values] = {}
        while True:
            calls = [(n, "walk", (news, inbox)) for n, inbox in enumerate(inboxes)]
            before, news = reports, []
            reports = self._team.call(calls, partial(self._collect, shares, before), self._check)
            inboxes = [[] for _ in inboxes]
            for number, report in enumerate(reports):
                missing.update(report.missing)
                for owner, packed in report.out.items():
                    inboxes[owner].append((number, packed))
            if any(inboxes) or any(report.more for report in reports):
                continue
            # Everything that can be looked at was: as in one process, all is asked together.
            self._collect(shares, reports)
            self._collect(shares, [])
            reports = []
            if not missing:
                return
            self._check()
            news = self._ask(missing, shares.count)
            missing = {}

    def _begin(self, count: int) -> _Shares:
        """Let the members begin with what is known."""
        shares = _Shares(self._explorer, self._notes, count)
        states: list[list[State]] = [[] for _ in range(count)]
        ready: list[list[int]] = [[] for _ in range(count)]
        for number, state in enumerate(self._states):
            owner = shares.owners.of(state)
            if number not in self._moves:
                ready[owner].append(len(states[owner]))
            states[owner].append(state)
            shares.own[owner].append(number)
        calls = []
        for n, post in enumerate(shares.posts):
            given = n, count, self._learned, post.pack(states[n]), ready[n]
            calls.append((n, "begin", (self._parcel, self._cards, *given)))
        self._team.call(calls, lambda: None, self._check)
        return shares

    def _collect(self, shares: _Shares, reports: list[Report]) -> None:
        """Take over new states, and the moves of the round before."""
        for number, report in enumerate(reports):
            new = shares.readers[number].unpack(report.states)
            begin, end = len(self._states), len(self._states) + len(new)
            self._states += new
            shares.own[number].extend(range(begin, end))
        for number, report in enumerate(reports):
            own = shares.own[number]
            for sender, places in report.arrived.items():
                shares.sent[sender][number].extend([own[place] for place in places])
        for number, report in enumerate(shares.open):
            self._connect(shares, number, report)
        shares.open = reports

    def _connect(self, shares: _Shares, number: int, report: Report) -> None:
        own, sent, count = shares.own[number], shares.sent[number], shares.count
        states = [own[place] for place in report.looked_at]
        targets = [sent[ref % count][ref // count] for ref in report.targets]
        self._moves.add_all(states, report.firsts, report.sizes, targets, report.orders)
        for place, steps in report.rounds:
            self._explorer.rounds[self._states[own[place]]] = steps

    def _ask(self, missing: dict[Key, Values], count: int) -> list[Learned]:
        """Answer open questions, shared among the members if they are many."""
        each = min(BATCH, max(FEW, -(-len(missing) // count)))
        batches = list(self._explorer.batches(missing, each))
        if len(batches) == 1 or count == 1:
            answers = [self._explorer.answer(batch.kind, batch.facts) for batch in batches]
        else:
            deadline = self._limits.deadline
            patience = None if deadline is None else max(deadline - time.perf_counter(), 0)
            calls = [
                (n % count, "answer", (batch.kind, batch.facts, patience))
                for n, batch in enumerate(batches)
            ]
            answers = self._team.call(calls, lambda: None, self._check)
        if None in answers:
            raise LimitReachedError("time limit reached")
        news = [(batch.keys, shown) for batch, shown in zip(batches, answers, strict=True)]
        for keys, shown in news:
            self._explorer.learn(keys, shown)
        self._learned += news
        return news


def by_team(team: Team, parcel: Parcel, cards: CardFiles) -> Exploring:
    """How a team explores a scenario, for `verifier.explorer.exploring_by`."""

    def run(explorer: Explorer, start: State, limits: Limits) -> Run:
        return Coordinator(explorer, start, limits, team, parcel, cards).run()

    return run
