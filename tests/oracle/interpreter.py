"""Every sequence of choices, by plain recursion.

An order is a complete sequence of choices from start to end.  Copies of a card are told
apart, a forced step counts once, and the orders of successive events multiply: all of that
comes of itself from following every branch and counting the ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from oracle.board import Board, Copy, Do, DrawStep
from oracle.effects import EFFECTS, LIMITS, DiscardOrMill, Effect, Event, Task, draw
from oracle.world import SHOWN, World, first_world

#: What an outcome records: ``(observable, seat) -> number``, as a frozen set of pairs.
Outcome = frozenset[tuple[tuple[str, int], int]]


class Pending(NamedTuple):
    """A task, and the effects that have had their opportunity at it (CR 614.5)."""

    task: Task
    used: frozenset[int]


class Entry(NamedTuple):
    """The entry of the timeline that comes next."""

    number: int


class Instruct(NamedTuple):
    """An instruction that comes next."""

    do: Do
    you: int


class Check(NamedTuple):
    """State-based actions are checked."""


Item = Pending | Entry | Instruct | Check
Agenda = tuple[Item, ...]
Branch = tuple[World, Agenda]

_NONE: frozenset[int] = frozenset()

#: What of a player leaves the game with them.
OWNED = ("hand", "graveyard", "library", "treasure", "bear")


def enumerate_orders(board: Board) -> Counter[Outcome]:
    """Outcome -> number of orders, one order after the other: only for small boards."""
    oracle = _Oracle(board)
    return Counter(oracle.walk(first_world(board), (Entry(0),)))


def count_orders(board: Board) -> Counter[Outcome]:
    """The same, looking at equal positions once."""
    oracle = _Oracle(board)
    return oracle.count(first_world(board), (Entry(0),))


class _Oracle:
    def __init__(self, board: Board) -> None:
        self.board = board
        #: Number of the ability -> the copy it is on and what it does.
        self.abilities = [
            (number, effect)
            for number, copy in enumerate(board.copies)
            for effect in EFFECTS.get(copy.card, ())
        ]
        self.known: dict[Branch, Counter[Outcome]] = {}

    # --- Following branches ---------------------------------------------------------------

    def walk(self, world: World, agenda: Agenda) -> Iterator[Outcome]:
        """The outcome of each order, in turn."""
        if not agenda:
            yield self.outcome(world)
            return
        for next_world, next_agenda in self.branches(world, agenda[0], agenda[1:]):
            yield from self.walk(next_world, next_agenda)

    def count(self, world: World, agenda: Agenda) -> Counter[Outcome]:
        """How many orders lead to each outcome."""
        if not agenda:
            return Counter({self.outcome(world): 1})
        position = (world, agenda)
        if position not in self.known:
            total: Counter[Outcome] = Counter()
            for branch in self.branches(world, agenda[0], agenda[1:]):
                total.update(self.count(*branch))
            self.known[position] = total
        return self.known[position]

    def outcome(self, world: World) -> Outcome:
        """What the end of an order shows."""
        shown = {
            (name, seat): number
            for (name, seat), number in world.counts
            if name in SHOWN and (name != "library" or self.board.library.get(seat) is not None)
        }
        shown |= {("lost", seat): 1 for seat in world.lost}
        shown |= {("won", seat): 1 for seat in world.won}
        if world.over and not world.won:
            shown["game_drawn", -1] = 1
        return frozenset(shown.items())

    # --- What can come next -----------------------------------------------------------------

    def branches(self, world: World, item: Item, rest: Agenda) -> list[Branch]:
        """One branch for each choice; a forced step is one branch."""
        match item:
            case Entry(number):
                return [self.begin(world, number, rest)]
            case Instruct(do, you):
                return [(world, (*self.instructed(world, do, you), *rest))]
            case Check():
                return [self.check(world, rest)]
            case Pending(DiscardOrMill(seat), used):
                return [self.discard_or_mill(world, seat, used, rest)]
            case Pending(Event() as event, used):
                return self.would(world, event, used, rest)
        raise AssertionError(item)

    def begin(self, world: World, index: int, rest: Agenda) -> Branch:
        """An entry of the timeline, then a check (CR 117.5), then the next entry."""
        entry = self.board.timeline[index]
        items: list[Item] = []
        if isinstance(entry, DrawStep):
            active = self.board.active
            world = world.with_changed(step="draw")
            world = world.add(("drawn_in_step", active, -world.number("drawn_in_step", active)))
            items.append(Pending(draw(active, 1), _NONE))  # CR 504.1
        else:
            you, instructions = entry
            if you not in world.lost:  # CR 800.4a: nor is anything of theirs on the stack
                items += [Instruct(do, you) for do in instructions]
        items.append(Check())
        if index + 1 < len(self.board.timeline):
            items.append(Entry(index + 1))
        return world, (*items, *rest)

    def instructed(self, world: World, do: Do, you: int) -> list[Pending]:
        """Whom an instruction names, in APNAP order (CR 101.4, 121.2c)."""
        everybody = set(range(self.board.players))
        named = {"each_player": everybody, "each_opponent": everybody - {you}}
        seats = named[do.who] if isinstance(do.who, str) else {do.who}
        pending = []
        for seat in self.board.apnap(seats - world.lost):
            if do.verb == "draw":
                events = [draw(seat, do.number)]
            elif do.verb == "discard":
                events = [Event("discard", seat)] * do.number
            else:
                events = [Event(do.verb, seat, do.number)]
            pending += [Pending(event, _NONE) for event in events]
        return pending

    def would(self, world: World, event: Event, used: frozenset[int], rest: Agenda) -> list[Branch]:
        """The affected player chooses among the effects that apply (CR 616.1)."""
        if event.seat in world.lost:
            return [(world, rest)]  # CR 800.4: who has left does nothing any more
        if self.impossible(world, event):
            return [(world, rest)]  # CR 614.17c: nor is it replaced
        found: list[Branch] = []
        may_happen = True
        for number, copy, effect in self.active(world):
            if number in used:
                continue  # CR 614.5
            tasks = effect.apply(self.board, world, copy, event)
            if tasks is None:
                continue
            may_happen &= effect.optional  # CR 616.1f: until none is left to apply
            after = world
            if effect.once:
                after = world.with_changed(spent=world.spent | {number})
            pending = [Pending(task, used | {number}) for task in tasks]
            found.append((after, (*pending, *rest)))
        if may_happen:
            found.append(self.happen(world, event, used, rest))
        return found

    def active(self, world: World) -> Iterator[tuple[int, Copy, Effect]]:
        """The effects that are there (CR 614.3, 614.4, 800.4a)."""
        for number, (index, effect) in enumerate(self.abilities):
            copy = self.board.copies[index]
            gone = copy.controller in world.lost and not effect.floating
            if number not in world.spent and not gone:
                yield number, copy, effect

    def impossible(self, world: World, event: Event) -> bool:
        """Whether a limit of one card a turn has been reached (CR 121.2b, 614.17)."""
        if event.verb not in ("draw", "draws"):
            return False
        return bool(world.number("drawn_this_turn", event.seat)) and any(
            copy.card in LIMITS
            and (LIMITS[copy.card] or copy.controller != event.seat)
            and copy.controller not in world.lost
            for copy in self.board.copies
        )

    # --- What happens ---------------------------------------------------------------------

    def happen(self, world: World, event: Event, used: frozenset[int], rest: Agenda) -> Branch:
        """An event that is not replaced any more."""
        seat, number = event.seat, event.number
        match event.verb:
            case "draws":
                # CR 121.2: one at a time; what has modified the whole has had its chance.
                return world, (*[Pending(draw(seat, 1), used)] * number, *rest)
            case "draw":
                return self.take(world, seat, "hand", "drawn"), rest
            case "exile":
                return self.take(world, seat, "exile", "exiled"), rest
            case "mill":
                for _ in range(number):
                    world = self.take(world, seat, "graveyard", "milled")
                return world, rest
            case "discard":
                return self.discard(world, seat), rest
            case "gain_life":
                return world.add(("life", seat, number)), rest
            case "lose_life":
                return world.add(("life", seat, -number)), rest
            case "win":
                # CR 104.2b, 104.1: the game ends at once.
                return world.with_changed(won=world.won | {seat}, over=True), ()
            case token:
                return world.add((token, seat, number)), rest

    def take(self, world: World, seat: int, zone: str, tally: str) -> World:
        """The top card of a player's library goes to a zone."""
        if self.board.library.get(seat) is not None:
            if not world.number("library", seat):
                if tally == "drawn":
                    return world.with_changed(missed=world.missed | {seat})  # CR 121.4
                return world
            world = world.add(("library", seat, -1))
        world = world.add((zone, seat, 1), (tally, seat, 1))
        if tally == "drawn":
            world = world.add(("drawn_this_turn", seat, 1))
            if world.step == "draw" and seat == self.board.active:
                world = world.add(("drawn_in_step", seat, 1))
        return world

    def discard(self, world: World, seat: int) -> World:
        """A player discards a card, if they have one (CR 609.3)."""
        if not world.number("hand", seat):
            return world
        return world.add(("hand", seat, -1), ("graveyard", seat, 1), ("discarded", seat, 1))

    def discard_or_mill(
        self, world: World, seat: int, used: frozenset[int], rest: Agenda
    ) -> Branch:
        """Chains: who has discarded draws, who has not mills."""
        if world.number("hand", seat):
            return self.discard(world, seat), (Pending(draw(seat, 1), used), *rest)
        return world, (Pending(Event("mill", seat), used), *rest)

    def check(self, world: World, rest: Agenda) -> Branch:
        """Players lose, all at once; the game may be over (CR 704.3, 704.5a-b, 104)."""
        playing = set(range(self.board.players)) - world.lost
        losers = {
            seat for seat in playing if seat in world.missed or world.number("life", seat) <= 0
        }
        world = world.with_changed(missed=_NONE, lost=world.lost | losers)
        for what, seat in product(OWNED, losers):  # CR 800.4a
            world = world.add((what, seat, -world.number(what, seat)))
        left = playing - losers
        if losers and len(left) < 2:
            return world.with_changed(won=frozenset(left), over=True), ()
        return world, rest
