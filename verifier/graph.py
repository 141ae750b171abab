"""The result of an exploration: states, moves, outcomes, ways to reach them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any

from verifier.cards import rule_order
from verifier.errors import InputError, NoSuchOutcomeError, UndecidedError
from verifier.explaining.games import Forceable, Game, forceable
from verifier.explorer import LONGEST_RUN
from verifier.garbage import keeping_all
from verifier.outcomes import (
    ENDLESS,
    Notes,
    Options,
    Outcome,
    Rows,
    changed_everywhere,
    matches,
    parts,
)
from verifier.state import EMPTY, State

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from verifier.answers import Answer, Edge
    from verifier.engine import Setup
    from verifier.explaining.explanation import Explanation
    from verifier.explaining.preventing import WhyNot
    from verifier.explaining.walkthrough import Walkthrough
    from verifier.explorer import Explorer, Known, Run, Transition
    from verifier.scenario import Scenario
    from verifier.views.model import View

SCHEMA_VERSION = 1

#: If more ways than this are shown, it is looked first what they could show.
MANY_WAYS = 100


@dataclass(frozen=True)
class Step:
    """One step of a way to an outcome.

    Attributes
    ----------
    item
        The item that was handled, as a term: an event, an instruction, ...
    node
        Where in the item's moves the step starts.
    label
        What was chosen, or what happened.
    target
        The node that it leads to.
    player
        Who chose; ``None`` for a forced step.
    rules
        The subrules behind it.
    copy
        Which of several interchangeable copies, from 1; 0 if there is only one.
    """

    item: str
    node: str
    label: str
    target: str
    player: str | None
    rules: tuple[str, ...]
    copy: int = 0


@dataclass(frozen=True)
class Result:
    """One outcome and in how many orders it comes about (``None``: without end)."""

    outcome: Outcome
    orders: int | None

    def to_dict(self) -> dict[str, Any]:
        """The outcome with its orders, as in the JSON output."""
        return {**self.outcome, "orders": self.orders}


class Graph:
    """Everything that can happen in a scenario.

    Attributes
    ----------
    scenario
        What was explored.
    setup
        The scenario and the encodings brought together, before anything happens.
    exhausted
        Whether all of it was explored.  Nothing is claimed about all outcomes unless it was.
    limit
        The limit that was reached, if one was.
    seconds
        How long it took, from reading the encodings on.
    """

    def __init__(
        self,
        scenario: Scenario,
        setup: Setup,
        notes: Notes,
        explorer: Explorer,
        run: Run,
        options: Options,
        seconds: float,
    ) -> None:
        self.scenario = scenario
        self.seconds = seconds
        self.setup = setup
        self._observables = setup.observables
        self._notes = notes
        self._explorer = explorer
        self._run = run
        self._options = options
        self._first_paths: dict[tuple[int, frozenset[str]], list[Step]] = {}
        self._parts: dict[int, tuple[Step, ...]] = {}
        self._decisions: View | None = None

    def __repr__(self) -> str:
        found = len(self.outcomes)
        return f"<Graph of {self.scenario.name}: {self.verdict}, {found} outcomes>"

    # --- What was explored --------------------------------------------------------------

    @property
    def run(self) -> Run:
        """The states and the moves between them."""
        return self._run

    @property
    def explorer(self) -> Explorer:
        """What has answered the questions."""
        return self._explorer

    @property
    def options(self) -> Options:
        """For what is asked of all continuations of a state, the states where they end."""
        return self._options

    def shown_at(self, checkpoint: str, number: int) -> Rows:
        """What a checkpoint has shown, by the number that states keep of it."""
        return self._notes.shown(checkpoint, number)

    def known(self, state: State) -> tuple[str, Known]:
        """The topmost item of a state, and the answer about it."""
        number = self._explorer.agendas.parts[state[1]][0]
        return self._explorer.items[number].text, self._explorer.known(number, state[0])

    # --- Verdict ------------------------------------------------------------------------

    @property
    def exhausted(self) -> bool:
        """Whether every reachable state was looked at."""
        return self._run.exhausted

    @property
    def limit(self) -> str | None:
        """What cut the exploration short, if something did."""
        return self._run.limit

    @property
    def states(self) -> int:
        """How many states were found; forced steps make none."""
        return len(self._run.states)

    @cached_property
    def verdict(self) -> str:
        """``unique``, ``several``, ``none``, ``loop`` or ``undecided``."""
        if not self.exhausted:
            return "undecided"
        if not self.outcomes:
            return "none"
        if len(self.outcomes) > 1:
            return "several"
        return "loop" if self.outcomes[0].outcome == ENDLESS else "unique"

    # --- Outcomes and orders ------------------------------------------------------------

    @property
    def outcomes(self) -> list[Result]:
        """All outcomes, sorted."""
        return self._results[0]

    @property
    def ends(self) -> list[list[int]]:
        """For each outcome the final states that show it; of a loop, all states before it."""
        return self._results[1]

    @cached_property
    def _results(self) -> tuple[list[Result], list[list[int]]]:
        found = [
            (Result(self._named[number], self._orders_to(ends)), ends)
            for number, ends in self._ends.items()
        ]
        if self.exhausted and self._trapped:
            found.append((Result(ENDLESS, None), sorted(self._trapped)))
        found.sort(key=lambda pair: repr(pair[0].outcome))
        return [result for result, _ in found], [ends for _, ends in found]

    @cached_property
    def orders_count(self) -> int | None:
        """How many orders there are in all; ``None`` if without end or not exhausted."""
        if self._ways is None:
            return None
        return sum(self._ways[number] for number in self._run.terminals)

    @cached_property
    def _ends(self) -> dict[int, list[int]]:
        """Final states by outcome; the first of each stands for it."""
        same: dict[str, list[int]] = defaultdict(list)
        for number in self._run.terminals:
            same[repr(self._shown[number])].append(number)
        return {ends[0]: ends for ends in same.values()}

    @cached_property
    def _shown(self) -> dict[int, Outcome]:
        ask = self.scenario.ask
        cells = self._explorer.cells
        return {
            number: self._notes.outcome(ask, cells, self._run.states[number][0], self._options)
            for number in self._run.terminals
        }

    @cached_property
    def _named(self) -> dict[int, Outcome]:
        """The outcome of each representative, without what nothing changed."""
        outcomes = [self._shown[number] for number in self._ends]
        asks = {**self._notes.asks, "": self.scenario.ask}
        if None in asks.values():
            values = self._run.states[self._run.start][0]
            before = self._observables.rows(None, self._explorer.cells, values, {})
            outcomes = changed_everywhere(outcomes, before, asks)
        return dict(zip(self._ends, outcomes, strict=True))

    def _orders_to(self, ends: list[int]) -> int | None:
        return None if self._ways is None else sum(self._ways[number] for number in ends)

    @cached_property
    def _ways(self) -> list[int] | None:
        """In how many orders each state is reached; ``None`` if there is a cycle."""
        return self._run.moves.orders_to() if self.exhausted else None

    @property
    def loop(self) -> list[Step]:
        """The steps that repeat for ever in a run that never ends; empty if each can end."""
        return self._circle[1]

    @cached_property
    def _circle(self) -> tuple[list[Step], list[Step]]:
        """The steps to where a run that never ends goes round, and those of a round."""
        if not self.exhausted or not self._trapped:
            return [], []
        path = [self._first_trapped]
        while (target := self._run.moves[path[-1]][0].target) not in path:
            path.append(target)
        begin = path.index(target)
        before = [step for part in self._way_to(path[0]) for step in part]
        for number in path[: begin - 1] if begin else ():
            self._take(number, before)
        length = self._explorer.rounds.get(self._run.states[target])
        if length is None:
            again: list[Step] = []
            for number in path[max(begin - 1, 0) : begin]:
                self._take(number, before)
            for number in path[begin:]:
                self._take(number, again)
            return before, again
        # A run of forced steps was cut somewhere: it may have gone round before.
        number = path[max(begin - 1, 0)]
        state, transition = self._run.states[number], self._run.moves[number][0].transition
        while not self._explorer.round_from(state, length):
            before += self._steps(state, transition)
            state = self._explorer.apply(state, transition)
            transition = self.known(state)[1].transitions[0]
        return before, self._forced(state, length)

    def _take(self, number: int, steps: list[Step]) -> None:
        """Add the steps of the first move from a state, forced ones included."""
        state, transition = self._run.states[number], self._run.moves[number][0].transition
        steps += self._steps(state, transition)
        steps += self._forced(self._explorer.apply(state, transition))

    @property
    def _first_trapped(self) -> int:
        """The state, of those from which the scenario never ends, that is reached first."""
        return min(self._trapped, key=self._distance.__getitem__)

    @cached_property
    def _trapped(self) -> set[int]:
        """States from which the scenario never ends."""
        run = self._run
        if self._ways is not None:
            return set()
        sources: dict[int, list[int]] = defaultdict(list)
        for number in run.moves:
            for target in run.moves.targets(number):
                sources[target].append(number)
        ending = set(run.terminals)
        stack = list(run.terminals)
        while stack:
            for number in sources[stack.pop()]:
                if number not in ending:
                    ending.add(number)
                    stack.append(number)
        return set(range(len(run.states))) - ending

    # --- Ways ---------------------------------------------------------------------------

    def explain(self, outcome: Outcome | Result) -> list[Step]:
        """A shortest way to an outcome, step by step; of a loop, to where it begins.

        Raises
        ------
        NoSuchOutcomeError
            If it was not found.
        """
        wanted = outcome.outcome if isinstance(outcome, Result) else outcome
        if wanted == ENDLESS and self.exhausted and self._trapped:
            return self._circle[0]
        for place, result in enumerate(self.outcomes, start=1):
            if result.outcome == wanted:
                return [step for part in self._way_to(self.nearest_end(place)) for step in part]
        raise NoSuchOutcomeError(f"not among the outcomes: {wanted}")

    def explanation(self, numbers: Sequence[int] | None = None) -> Explanation:
        """How the outcomes come about, step by step, and what separates them.

        Parameters
        ----------
        numbers
            The numbers of the outcomes that are wanted, from 1; all unless given.
        """
        from verifier.explaining.explanation import explained

        return explained(self, numbers)

    def like(self, pattern: Outcome) -> list[int]:
        """The numbers, from 1, of the outcomes that are as `pattern` says.

        Unlike in claims, what nothing changed is compared, too.
        """
        found = []
        for number, (result, ends) in enumerate(zip(self.outcomes, self.ends, strict=True), 1):
            loops = result.outcome == ENDLESS
            shown = ENDLESS if loops else self._shown[ends[0]]
            if result.outcome == pattern or matches(shown, pattern):
                found.append(number)
        return found

    def why(self, outcome: Outcome | Result | int) -> Walkthrough:
        """A shortest way to an outcome, told step by step.

        Parameters
        ----------
        outcome
            An outcome, its number from 1, or a pattern such as ``{"drawn": {"alice": 1}}``.

        Raises
        ------
        InputError
            If a pattern names what is not known or not asked for.
        NoSuchOutcomeError
            If no outcome found is like it; `why_not` says what prevents it.
        """
        from verifier.explaining.explanation import why

        return why(self, outcome)

    def why_not(
        self,
        outcome: Outcome | Result | int,
        *,
        size: int = 2,
        max_states: int | None = None,
        time_limit: float | None = None,
        poll: Callable[[int], None] | None = None,
    ) -> WhyNot:
        """What prevents an outcome: the smallest sets of what can be left out to allow it.

        Parameters
        ----------
        outcome
            A pattern such as ``{"drawn": {"alice": 1}}``.
        size
            How much is left out at once, at most.
        max_states
            Give up on one set after so many states.
        time_limit
            Give up after this many seconds.
        poll
            Called now and then with the number of states so far; for progress displays.

        Raises
        ------
        InputError
            If the pattern names what is not known or not asked for.
        """
        from verifier.explaining.preventing import why_not

        limits = {} if max_states is None else {"max_states": max_states}
        return why_not(self, outcome, size=size, time_limit=time_limit, poll=poll, **limits)

    def nearest_end(self, number: int) -> int:
        """The final state of an outcome, by its number from 1, that is reached first."""
        return min(self.ends[number - 1], key=self._distance.__getitem__)

    def distance(self, number: int) -> int:
        """Where an outcome, by its number from 1, comes among all states by their distance."""
        return self._distance[self.nearest_end(number)]

    @property
    def _distance(self) -> Sequence[int]:
        """For each state its place among all by their distance."""
        return self._run.shortest[0]

    def _before(self, number: int) -> tuple[int, Transition] | None:
        """The step before a state on a shortest way."""
        if number == self._run.start:
            return None
        source = self._run.shortest[1][number]
        return source, self._run.moves.first(source, number)

    def _way_to(self, number: int) -> list[tuple[Step, ...]]:
        """The steps of a shortest way to a state, move by move."""
        parts: list[tuple[Step, ...]] = []
        before = self._before(number)
        while before is not None:
            parts.append(self._move_steps(number))
            number = before[0]
            before = self._before(number)
        return parts[::-1]

    def _move_steps(self, number: int) -> tuple[Step, ...]:
        """The steps of the move that reaches a state first, forced ones included."""
        if number not in self._parts:
            taken = [self._steps(*where) for where in self._taken(number)]
            self._parts[number] = tuple(step for steps in taken for step in steps)
        return self._parts[number]

    def _taken(self, number: int) -> Iterator[tuple[State, Transition]]:
        """The move that reaches a state first, and the forced ones after it: where, and what."""
        before = self._before(number)
        assert before is not None
        state, transition = self._run.states[before[0]], before[1]
        yield state, transition
        yield from self.forced_from(self._explorer.apply(state, transition))

    def trace(self, number: int) -> list[tuple[int | None, State, Step]]:
        """A shortest way to a state, step by step, with where each step is taken.

        A step that starts at a state of the graph comes with its number, a forced one between
        two of them with none.
        """
        moves: list[tuple[int, Transition]] = []
        while (before := self._before(number)) is not None:
            moves.append(before)
            number = before[0]
        traced: list[tuple[int | None, State, Step]] = []
        for source, transition in reversed(moves):
            state = self._run.states[source]
            traced += [(source, state, step) for step in self._steps(state, transition)]
            after = self._explorer.apply(state, transition)
            for forced, only in self.forced_from(after):
                traced += [(None, forced, step) for step in self._steps(forced, only)]
        return traced

    def _steps(self, state: State, transition: Transition) -> list[Step]:
        """The first path through an item's moves that the transition stands for."""
        return self._first_path(*self.known(state), transition)

    def _first_path(self, item: str, known: Known, transition: Transition) -> list[Step]:
        key = (id(known), transition.leaves)
        if key not in self._first_paths:
            path = known.answer.first_path(transition.leaves)
            self._first_paths[key] = [
                self.step(item, known.answer, node, edge) for node, edge in path
            ]
        return self._first_paths[key]

    def _forced(self, state: State, most: int = LONGEST_RUN) -> list[Step]:
        """The forced steps up to the next state, as the explorer took them."""
        forced = self.forced_from(state, most)
        return [step for place, only in forced for step in self._steps(place, only)]

    def forced_from(
        self, state: State, most: int = LONGEST_RUN
    ) -> Iterator[tuple[State, Transition]]:
        """The forced steps from a state: where each is taken, and what it changes."""
        for _ in range(most):
            if state[1] == EMPTY:
                break
            _, known = self.known(state)
            if len(known.transitions) > 1:
                break
            yield state, known.transitions[0]
            state = self._explorer.apply(state, known.transitions[0])

    @staticmethod
    def step(item: str, answer: Answer, node: str, edge: Edge, copy: int = 0) -> Step:
        """The step along an edge of the answer about an item."""
        label = answer.label(edge)
        rules = {*answer.cites.get(label, ()), *answer.cites.get(edge.target, ())}
        player = answer.chooser(node) if answer.is_choice(node) else None
        ordered = tuple(sorted(rules, key=rule_order))
        return Step(item, node, label, edge.target, player, ordered, copy)

    def orders(self) -> Iterator[tuple[Outcome, list[Step]]]:
        """All orders, lazily: the outcome and the choices that lead to it.

        Raises
        ------
        UndecidedError
            If the exploration was cut short or the orders are without end.
        """
        if self._ways is None:
            raise UndecidedError("the orders are not known: the run has no end or was cut short")
        names = {
            self._run.states[number]: self._named[first]
            for first, ends in self._ends.items()
            for number in ends
        }
        chosen: list[list[Step]] = []
        stack = [self._choices(self._run.states[self._run.start])]
        while stack:
            following = next(stack[-1], None)
            if following is None:
                stack.pop()
                if chosen:
                    chosen.pop()
                continue
            steps, state = following
            if state[1] == EMPTY:
                yield names[state], [step for part in (*chosen, steps) for step in part]
                continue
            chosen.append(steps)
            stack.append(self._choices(state))

    def _choices(self, state: State) -> Iterator[tuple[list[Step], State]]:
        """All ways to handle the topmost item, copies told apart."""
        if state[1] == EMPTY:
            yield [], state
            return
        item, known = self.known(state)
        for transition in known.transitions:
            after = self._explorer.apply(state, transition)
            for path in known.answer.paths(transition.leaves):
                copies = [range(1, edge.copies + 1) for _, edge in path]
                for picks in product(*copies):
                    yield (
                        [
                            self.step(
                                item, known.answer, node, edge, pick if edge.copies > 1 else 0
                            )
                            for (node, edge), pick in zip(path, picks, strict=True)
                            if known.answer.is_choice(node)
                        ],
                        after,
                    )

    # --- Games --------------------------------------------------------------------------

    def can_force(self, player: str, pattern: Outcome) -> bool:
        """Whether `player` can reach an outcome like `pattern` whatever the others choose.

        A run that never ends reaches nothing.

        Parameters
        ----------
        player
            A player of the scenario.
        pattern
            ``{observable: {player: value}}``, for checkpoints below ``at``; what is not named
            is not compared.

        Raises
        ------
        InputError
            If the player or something in the pattern is not known or not asked for.
        UndecidedError
            If the exploration was cut short.
        """
        if not self.exhausted:
            raise UndecidedError(f"the exploration was cut short: {self.limit}")
        self._check_names(player, pattern)
        good = {
            number
            for first, ends in self._ends.items()
            if matches(self._named[first], pattern)
            for number in ends
        }
        return self._run.start in Game(self, player).won(good)

    def forceable(self, player: str) -> Forceable:
        """Which outcomes `player` can force, whatever the others choose, and which prevent.

        Raises
        ------
        InputError
            If there is no such player.
        UndecidedError
            If the exploration was cut short.
        """
        return forceable(self, player)

    def _check_names(self, player: str, pattern: Outcome) -> None:
        if player not in self.scenario.players:
            names = ", ".join(self.scenario.players)
            raise InputError(f"unknown player `{player}`", hint=f"the players are {names}")
        asks = {**self._notes.asks, "": self.scenario.ask}
        for place, rows in parts(pattern):
            if place not in asks:
                names = ", ".join(self._notes.asks)
                hint = f"the checkpoints are {names or 'none'}"
                raise InputError(f"unknown checkpoint `{place}`", hint=hint)
            known = {(o.name, o.key) for o in self._observables.chosen(asks[place])}
            for name, row in rows.items():
                if not isinstance(row, dict):
                    raise InputError(f"`{name}` must map players to values")
                for key in row:
                    if (name, key) not in known:
                        raise InputError(
                            f"`{name}` of `{key}` is not known or not asked for",
                            hint="asked for: " + ", ".join(sorted({name for name, _ in known})),
                        )

    # --- Views --------------------------------------------------------------------------

    def decisions(self) -> View:
        """The choices of all players as a graph (see `verifier.views.decisions`)."""
        if self._decisions is None:
            from verifier.views.choices import decisions

            self._decisions = decisions(self)
        return self._decisions

    def effects(self) -> View:
        """How the replacement effects depend on each other (see `verifier.views.effects`)."""
        from verifier.views.relations import effects

        return effects(self)

    def layers(self) -> View:
        """In which order continuous effects are applied (see `verifier.views.layers`)."""
        from verifier.views.layers import layers

        return layers(self)

    # --- Other forms --------------------------------------------------------------------

    @property
    def rules(self) -> list[str]:
        """The subrules behind the ways that are shown, sorted."""
        shown = {min(ends, key=self._distance.__getitem__) for ends in self._ends.values()}
        if self.loop:
            shown.add(self._first_trapped)
        before = self._run.shortest[1]
        on_the_way = {self._run.start}
        #: The same steps are taken in many states.
        taken = {0: self.loop}
        # Where there are many ways, soon nothing new can come.
        most = self._citable if len(shown) > MANY_WAYS else None
        for end in shown:
            number = end
            if most is not None and most <= self._cited(taken.values()):
                break
            while number not in on_the_way:
                on_the_way.add(number)
                for where in self._taken(number):
                    steps = self._steps(*where)
                    taken[id(steps)] = steps
                number = before[number]
        return sorted(self._cited(taken.values()), key=rule_order)

    @staticmethod
    def _cited(parts: Iterable[Sequence[Step]]) -> set[str]:
        return {rule for steps in parts for step in steps for rule in step.rules}

    @property
    def _citable(self) -> set[str]:
        """The subrules behind all steps that were found."""
        return self._cited(
            self._first_path(item, known, transition)
            for item, known in self._explorer.all_answers()
            for transition in known.transitions
        )

    def page(self) -> str:
        """The evidence page: one HTML file with everything that was proven."""
        from verifier.page.document import Report
        from verifier.page.writing import page

        return page(self.scenario.title, Report(self).html())

    def to_networkx(self) -> nx.MultiDiGraph[int]:
        """The states as a graph.

        Nodes carry ``outcome`` if they are final; edges carry ``player``, ``label``, ``rules``
        and ``orders``.
        """
        import networkx

        graph: nx.MultiDiGraph[int] = networkx.MultiDiGraph(name=self.scenario.name)
        for number in range(self.states):
            graph.add_node(number, pending=self._pending(number))
        for first, ends in self._ends.items():
            for number in ends:
                graph.nodes[number]["outcome"] = self._named[first]
        for number, moves in self._run.moves.items():
            for move in moves:
                steps = self._steps(self._run.states[number], move.transition)
                players = sorted({step.player for step in steps if step.player})
                graph.add_edge(
                    number,
                    move.target,
                    player=", ".join(players),
                    label="; ".join(step.label for step in steps),
                    rules=sorted({rule for step in steps for rule in step.rules}),
                    orders=move.orders,
                )
        return graph

    def to_dataframe(self) -> pd.DataFrame:
        """The outcomes as a pandas data frame.

        Rows are outcomes, by their numbers from 1.  Columns are what they show, such as
        ``drawn.alice`` or, at a checkpoint, ``at.bobs_turn.controller.sol_ring_1``, and at
        last ``orders`` (exact numbers; ``None``: without end).  What an outcome leaves out
        is zero or empty; of a run without end it is not known.

        Raises
        ------
        ImportError
            Without pandas, which the extra ``notebook`` installs.
        """
        from verifier.frames import frame

        return frame(self)

    def _pending(self, number: int) -> str:
        agenda = self._run.states[number][1]
        if agenda == EMPTY:
            return ""
        return self._explorer.items[self._explorer.agendas.parts[agenda][0]].text

    def to_dict(self) -> dict[str, Any]:
        """The result as in ``--output json``."""
        with keeping_all():
            return self._told()

    def _told(self) -> dict[str, Any]:
        from verifier.claims import check_claim
        from verifier.report import shown_steps, wording
        from verifier.stamps import separating_orders

        claim = check_claim(self)
        words = wording(self.scenario)
        outcomes = [result.to_dict() for result in self.outcomes]
        for shown, order in zip(outcomes, separating_orders(self), strict=True):
            if order:
                shown["timestamps"] = [list(pair) for pair in order]
        return {
            "schema_version": SCHEMA_VERSION,
            "scenario": self.scenario.name,
            "title": self.scenario.title,
            "reading": self.scenario.reading or None,
            "verdict": self.verdict,
            "exhausted": self.exhausted,
            "limit": self.limit,
            "outcomes": outcomes,
            "orders": self.orders_count,
            "claim": claim.to_dict(),
            "loop": [words.to_dict(step) for step in shown_steps(self.loop)],
            "rules": self.rules,
            "states": self.states,
            "seconds": round(self.seconds, 3),
        }

    def _repr_html_(self) -> str:
        from verifier.report import html_table

        return html_table(self)
