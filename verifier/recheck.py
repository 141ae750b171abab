"""Checking a certificate, without anything of what has found it.

Nothing here explores.  The states of the certificate are taken as they are, and plain clingo,
with all rules of the encodings and the facts of the scenario, says for each of them what can be
done next.  The certificate is good if

- the first state is the one in which the scenario starts;
- whatever can be done in a state that it lists leads to a state that it lists;
- what is kept up (``standing`` in the encodings) comes up where something has changed that it
  may look at;
- it lists no others;
- what it leaves out of states is read by no rule that can fire, and shown by no outcome;
- the states in which nothing is left to do show its outcomes, and no others, in as many orders
  as it says.

The certificate of a run that was cut short says which states were not looked at.  Of them
nothing is asked, and nothing that needs all outcomes is called proven.

Reading scenarios and cards, terms and the names of what is counted are shared with the rest of
the package; cutting rules to what an item reaches, slices, cells, merging and walking are not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from verifier import asp, resources, rulecache
from verifier.asp import Rule
from verifier.claims import check_claim
from verifier.errors import InputError, Position, VerifierError
from verifier.outcomes import AT, ENDLESS, changed_everywhere, counted, largest, matches
from verifier.reads import Reads, dynamic_predicates
from verifier.rewording import reworded
from verifier.scenario import Scenario
from verifier.terms import (
    Function,
    Term,
    Variable,
    exact_number,
    flatten,
    number_term,
    parse_term,
    signature,
    unifies,
)

#: As in `verifier.certificate`, written once more: a change there must not pass here.
FORMAT = "certificate of ruling-verifier"
SCHEMA_VERSION = 3

#: What a certificate says of its scenario.
SAID = ("name", "text", "reading")

#: So many states are asked about in one grounding.
BATCH = 200

#: Up to this all numbers that a quantity reaches are given; beyond it those that rules name.
SMALL = 1_000


class RefusedError(VerifierError):
    """The certificate is not good; the message says why."""


@dataclass(frozen=True)
class State:
    """What holds, what the quantities are, what is still to do, what checkpoints have shown."""

    holds: frozenset[str]
    amounts: frozenset[tuple[str, int]]
    agenda: tuple[str, ...]
    seen: str = "{}"


@dataclass(frozen=True)
class Valid:
    """What a good certificate shows."""

    name: str
    reading: str
    states: int
    moves: int
    verdict: str
    outcomes: list[dict[str, Any]]
    orders: list[int | None]
    claim: str
    unexplored: int = 0


def recheck(document: Any, file: str, cards: Sequence[Path] = ()) -> Valid:
    """Check a certificate.

    Parameters
    ----------
    document
        The content of the file.
    file
        Its name, for messages.
    cards
        Folders with the user's own cards that the scenario names.

    Raises
    ------
    InputError
        If it is no certificate, or its scenario cannot be read.
    RefusedError
        If it is not good.
    """
    states = _read(document, file)
    name, text, reading = (document["scenario"][key] for key in SAID)
    scenario = Scenario.from_text(text, name=name, cards=cards).under(reading)
    return _Check(scenario, document, states).run()


# --- The file -----------------------------------------------------------------------------


def _read(document: Any, file: str) -> list[State]:
    """The states of a certificate."""
    try:
        if document["format"] != FORMAT or document["schema_version"] != SCHEMA_VERSION:
            raise ValueError
        if not all(isinstance(document["scenario"][key], str) for key in SAID):
            raise TypeError
        if not all(isinstance(row, dict) for row in document["outcomes"]):
            raise TypeError
        if not all(number is None or type(number) is int for number in document["orders"]):
            raise TypeError
        if not isinstance(document["limit"], str | None):
            raise TypeError
        terms = document["terms"]
        if not all(isinstance(term, str) for term in (*terms, *document["kept"])):
            raise TypeError
        states = [_state(row, terms) for row in document["states"]]
        if not states or len(document["orders"]) != len(document["outcomes"]):
            raise ValueError
        if not {type(number) for number in document["unexplored"]} <= {int}:
            raise TypeError
        if not set(document["unexplored"]) <= set(range(len(states))):
            raise ValueError
        if bool(document["unexplored"]) and document["limit"] is None:
            raise ValueError
        for term in terms:
            parse_term(term)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError):
        raise InputError(
            "this is no certificate",
            position=Position(file, 1, 1),
            hint="`verifier prove FILE --certificate CERTIFICATE.json` writes one",
        ) from None
    return states


def _state(row: dict[str, Any], terms: list[str]) -> State:
    import json

    if not all(isinstance(number, int) and number >= 0 for number in _numbers(row)):
        raise ValueError
    return State(
        frozenset(terms[number] for number in row["holds"]),
        frozenset((terms[number], int(value)) for number, value in row["amounts"] if value),
        tuple(terms[number] for number in row["agenda"]),
        json.dumps(row.get("seen", {}), sort_keys=True),
    )


def _numbers(row: dict[str, Any]) -> Iterator[Any]:
    yield from row["holds"]
    yield from row["agenda"]
    yield from (number for number, _ in row["amounts"])


# --- The check ----------------------------------------------------------------------------


class _Moves:
    """What can be done in one state, as clingo has answered."""

    def __init__(self) -> None:
        self.root: str | None = None
        self.errors = ""
        self.who: dict[str, str] = {}
        #: From a node to those that choices lead to, and in how many interchangeable ways.
        self.edges: dict[str, list[tuple[str, int]]] = defaultdict(list)
        self.leaves: dict[str, list[tuple[str, list[Term]]]] = defaultdict(list)
        #: For each leaf that is reached the number of the state that it leads to.
        self.leads_to: dict[str, int] = {}

    def nodes(self) -> list[str]:
        """The nodes that are reached from the root, each after all that lead to it."""
        if self.root is None:
            return []
        found: dict[str, bool] = {}
        order: list[str] = []
        stack = [(self.root, False)]
        while stack:
            node, is_left = stack.pop()
            if is_left:
                found[node] = True
                order.append(node)
            elif node not in found:
                found[node] = False
                stack.append((node, True))
                stack += [(target, False) for target, _ in self.edges.get(node, ())]
            elif not found[node]:
                raise RefusedError(f"the choices at {node} run in a circle")
        return order[::-1]

    def orders(self) -> dict[str, int]:
        """In how many ways each leaf is reached, interchangeable ones told apart."""
        ways: dict[str, int] = defaultdict(int)
        ways[self.root or ""] = 1
        for node in self.nodes():
            for target, copies in self.edges.get(node, ()):
                ways[target] += ways[node] * copies
        return {leaf: ways[leaf] for leaf in self.leaves if ways.get(leaf)}

    def is_won(self, player: str, won: set[int]) -> bool:
        """Whether a player can choose so that it leads to one of some states, in any case."""
        value: dict[str, bool] = {}
        for node in reversed(self.nodes()):
            if node in self.leads_to:
                value[node] = self.leads_to[node] in won
                continue
            event = node[2:].rpartition(",")[0]
            combine = any if (self.who.get(node) or self.who.get(event)) == player else all
            value[node] = combine(value[target] for target, _ in self.edges[node])
        return value[self.root or ""]


@lru_cache(maxsize=1)
def _game_rules() -> list[Rule]:
    """The rules of the game, as shipped."""
    return list(rulecache.read_program(resources.game_files()))


class _Check:
    def __init__(self, scenario: Scenario, document: dict[str, Any], states: list[State]) -> None:
        import json

        self._dumps = json.dumps
        self._loads = json.loads
        self._scenario = scenario
        self._document = document
        self._states = states
        self._places = {state: number for number, state in enumerate(states)}
        library = scenario.library
        cards = [library.files[card] for card in scenario.card_constants]
        facts = scenario.facts()
        said = asp.read_program(cards)
        said += reworded(said, facts)
        rules = [*_game_rules(), *said]
        readings = {str(part.arguments[0]) for rule in rules for part in rule.body
                    if part.predicate == ("reads_as", 1)}  # fmt: skip
        unknown = set(filter(None, scenario.reading.split("+"))) - readings
        if unknown:
            raise RefusedError(f"there is no reading {min(unknown)}")
        dynamic = dynamic_predicates(rules)
        asked = [rule for rule in rules if rule.predicate in dynamic]
        lines = [rule.text for rule in rules if rule.predicate not in dynamic]
        static = asp.evaluate("\n".join([*lines, *(f"{fact}." for fact in facts)]))
        self._static = list(map(parse_term, static))
        # What no rule about a question mentions says nothing there.
        used = {predicate for rule in asked for predicate in rule.body_predicates}
        lines = [f"{text}." for text, term in zip(static, self._static, strict=True)
                 if signature(term) in used]  # fmt: skip
        self._program = "\n".join([*(rule.text for rule in asked), *lines])
        self._answers = resources.encodings("answers.lp").read_text(encoding="utf-8")
        self._shown = [
            term for term in self._static
            if isinstance(term, Function) and term.name.startswith("observes")
        ]  # fmt: skip
        self._during = {
            (str(term.arguments[0]), str(term.arguments[1])): Function(
                str(term.arguments[2]), (Variable(""), term.arguments[1])
            )
            for term in self._static
            if isinstance(term, Function) and term.name == "shown_during"
        }
        self._kept = set(document["kept"])
        reads = Reads(asked, self._static)
        self._reads = reads.of_all
        standing = sorted(
            (int(str(term.arguments[0])), str(term.arguments[1]))
            for term in self._static
            if isinstance(term, Function) and signature(term) == ("standing", 2)
        )
        #: What comes up again when something has changed that it looks at, and what that is.
        self._standing = [item for _, item in standing]
        self._looks_at = reads.of(list(map(parse_term, self._standing))) if standing else set()
        self._left_out: dict[str, bool] = {}
        self._unexplored = set(document["unexplored"])
        self._moves: dict[int, _Moves] = {}
        numbers = {
            abs(part) for rule in rules for literal in rule.body
            for part in literal.arguments if isinstance(part, int)
        }  # fmt: skip
        self._large = sorted(number for number in numbers if number > SMALL)

    def run(self) -> Valid:
        if len(self._places) != len(self._states):
            raise RefusedError("a state is listed twice")
        start = self._start()
        if self._states[0] != start:
            raise RefusedError(
                f"state 0 is not where the scenario starts: {_difference(self._states[0], start)}"
            )
        targets = self._targets()
        reached = _closure([0], targets)
        ends = self._ends(reached)
        looked_at = _closure([0, *(n for starts in ends.values() for n in starts)], targets)
        for number in range(len(self._states)):
            if number not in looked_at:
                raise RefusedError(f"state {number} is not reached from the start")
        shown = self._outcomes(reached, targets)
        outcomes = [self._loads(text) for text in shown]
        listed = self._document["outcomes"]
        found = set(shown)
        claimed = {self._text(outcome) for outcome in listed}
        for text in sorted(claimed - found):
            raise RefusedError(f"no final state shows the outcome {text}")
        for text in sorted(found - claimed):
            raise RefusedError(f"an outcome is not listed: {text}")
        if len(listed) != len(claimed):
            raise RefusedError("an outcome is listed twice")
        verdict = self._verdict(outcomes)
        if verdict != self._document["verdict"]:
            raise RefusedError(f"the verdict is {verdict}, and not {self._document['verdict']}")
        orders = self._orders(shown, reached)
        for outcome, said in zip(listed, self._document["orders"], strict=True):
            if orders[self._text(outcome)] != said:
                raise RefusedError(
                    f"the orders to the outcome {self._text(outcome)} are "
                    f"{orders[self._text(outcome)]}, and not {said}"
                )
        moves = sum(map(len, targets))
        return Valid(
            self._scenario.name, self._scenario.reading, len(self._states), moves, verdict,
            outcomes, list(orders.values()), self._claim(shown, orders, verdict),
            len(self._unexplored),
        )  # fmt: skip

    @property
    def _is_all(self) -> bool:
        """Whether the certificate is of everything that there is."""
        return self._document["limit"] is None

    def _text(self, outcome: Any) -> str:
        return self._dumps(outcome, sort_keys=True)

    def _verdict(self, outcomes: list[dict[str, Any]]) -> str:
        if not self._is_all:
            return "undecided"
        if not outcomes:
            return "none"
        if len(outcomes) > 1:
            return "several"
        return "loop" if outcomes[0] == ENDLESS else "unique"

    def _claim(
        self, shown: dict[str, list[int]], orders: dict[str, int | None], verdict: str
    ) -> str:
        """Whether the scenario's claim holds."""
        said = self._scenario.claim
        if not said:
            return "none"

        outcomes = list(map(self._in_order, map(self._loads, shown)))

        def can_force(player: str, pattern: dict[str, Any]) -> bool:
            goal = {n for outcome, ends in zip(outcomes, shown.values(), strict=True)
                    for n in ends if matches(outcome, pattern)}  # fmt: skip
            return 0 in self._won(player, goal)

        numbers = list(orders.values())
        graph: Any = SimpleNamespace(
            scenario=SimpleNamespace(claim=said),
            outcomes=[SimpleNamespace(outcome=outcome) for outcome in outcomes],
            exhausted=self._is_all,
            verdict=verdict,
            can_force=can_force,
            orders_count=None if None in numbers else sum(n for n in numbers if n is not None),
        )
        claim = check_claim(graph)
        return "fails" if claim.failures else "undecided" if claim.open else "holds"

    def _in_order(self, outcome: dict[str, Any]) -> dict[str, Any]:
        """An outcome in which lists whose order counts are no sets, for the claim."""
        lists = {
            (str(o.arguments[0]), str(o.arguments[1]))
            for o in self._shown if o.name == "observes_list"
        }  # fmt: skip
        return {
            name: {key: self._in_order(row) for key, row in rows.items()} if name == AT else {
                key: tuple(value) if (name, key) in lists and isinstance(value, list) else value
                for key, value in rows.items()
            }
            for name, rows in outcome.items()
        }  # fmt: skip

    def _won(self, player: str, goal: set[int]) -> set[int]:
        """The states from which a player reaches one of some, whatever the others choose."""
        won = set(goal)
        while True:
            more = {
                number for number, moves in self._moves.items()
                if number not in won and moves.is_won(player, won)
            }  # fmt: skip
            if not more:
                return won
            won |= more

    def _orders(self, shown: dict[str, list[int]], reached: set[int]) -> dict[str, int | None]:
        """In how many orders each outcome comes about; ``None`` if without end, or not known."""
        incoming: dict[int, int] = dict.fromkeys(reached, 0)
        for number in reached & self._moves.keys():
            for target in self._moves[number].leads_to.values():
                incoming[target] += 1
        ways = dict.fromkeys(reached, 0)
        ways[0] = 1
        ready = [number for number in reached if not incoming[number]]
        for number in ready:
            if number not in self._moves:
                continue
            moves = self._moves[number]
            for leaf, orders in moves.orders().items():
                target = moves.leads_to[leaf]
                ways[target] += ways[number] * orders
                incoming[target] -= 1
                if not incoming[target]:
                    ready.append(target)
        if not self._is_all or len(ready) != len(reached):
            return dict.fromkeys(shown)
        return {text: sum(ways[number] for number in ends) for text, ends in shown.items()}

    # --- States -------------------------------------------------------------------------

    def _start(self) -> State:
        holds: list[str] = []
        amounts: dict[str, int] = {}
        agenda: list[tuple[int, str]] = []
        for term in self._static:
            if not isinstance(term, Function):
                continue
            match signature(term), term.arguments:
                case ("initially", 1), (fluent,):
                    holds.append(str(fluent))
                case ("initially", 2), (quantity, int(number)):
                    amounts[str(quantity)] = number
                case ("agenda", 2), (int(place), item):
                    agenda.append((place, str(item)))
        items = [*self._standing[:1], *(item for _, item in sorted(agenda))]
        return self._made(holds, amounts, items, "{}")

    def _made(
        self, holds: Iterable[str], amounts: dict[str, int], agenda: Iterable[str], seen: str
    ) -> State:
        """A state without what the certificate leaves out, if that is right."""
        return State(
            frozenset(fluent for fluent in holds if self._is_kept(fluent, False)),
            frozenset((q, n) for q, n in amounts.items() if n and self._is_kept(q, True)),
            tuple(agenda),
            seen,
        )

    def _is_kept(self, text: str, is_quantity: bool) -> bool:
        term = parse_term(text)
        key = f"quantity {text}" if is_quantity else f"fluents {_group(term)}"
        if key in self._kept:
            return True
        if key not in self._left_out:
            like = term if is_quantity else _any_like(term)
            patterns = [*self._reads, *self._patterns]
            self._left_out[key] = any(unifies(pattern, like) for pattern in patterns)
        if self._left_out[key]:
            raise RefusedError(f"states leave out what matters: {text}")
        return False

    @property
    def _patterns(self) -> Iterator[Term]:
        """The fluents and quantities that outcomes show."""
        asks = [self._scenario.ask, *self._scenario.checkpoints.values()]
        for observable in self._shown:
            if any(_is_asked(observable, ask) for ask in asks):
                yield _shown_term(observable)
                if (during := self._during_of(observable)) is not None:
                    yield during

    def _during_of(self, observable: Function) -> Function | None:
        """The fluent without which there is nothing to be seen of it."""
        return self._during.get((str(observable.arguments[0]), str(observable.arguments[1])))

    def _after(self, state: State, changes: list[tuple[str, list[Term]]]) -> State:
        """The state after a leaf."""
        holds, amounts = set(state.holds), dict(state.amounts)
        pushes: list[tuple[int, str]] = []
        clears = False
        notes: list[str] = []
        order = {"u": 0, "z": 1, "s": 2, "a": 3}
        for kind, parts in sorted(changes, key=lambda change: order.get(change[0], 4)):
            what = str(parts[0]) if parts else ""
            match kind:
                case "u":
                    holds.discard(what)
                case "z":
                    amounts.pop(what, None)
                case "s":
                    holds.add(what)
                case "a":
                    amounts[what] = amounts.get(what, 0) + exact_number(parts[1])
                case "p":
                    pushes.append((int(what), str(parts[1])))
                case "x":
                    clears = True
                case "o":
                    notes.append(what)
        agenda = [item for _, item in sorted(pushes)]
        after = self._made(
            holds, amounts, [*agenda, *(() if clears else state.agenda[1:])], state.seen
        )
        if notes:
            seen = self._loads(state.seen)
            for name in notes:
                ask = self._scenario.checkpoints[name]
                seen[name] = self._loads(self._dumps(self._rows(after, ask, {})))
            after = State(
                after.holds, after.amounts, after.agenda, self._dumps(seen, sort_keys=True)
            )
        return after

    # --- Moves --------------------------------------------------------------------------

    def _targets(self) -> list[list[int]]:
        """For each state, the states that it leads to."""
        targets: list[list[int]] = [[] for _ in self._states]
        todo = [
            number for number, state in enumerate(self._states)
            if state.agenda and number not in self._unexplored
        ]  # fmt: skip
        for begin in range(0, len(todo), BATCH):
            part = todo[begin : begin + BATCH]
            asked = [self._states[number] for number in part]
            for number, moves in zip(part, self._ask(asked), strict=True):
                if moves.errors:
                    raise RefusedError(f"state {number} is not possible: {moves.errors}")
                leaves = [node for node in moves.nodes() if node in moves.leaves]
                if not leaves:
                    raise RefusedError(f"nothing can be done in state {number}")
                for leaf in leaves:
                    moves.leads_to[leaf] = self._target(number, leaf, moves.leaves[leaf])
                self._moves[number] = moves
                targets[number] = sorted(set(moves.leads_to.values()))
        return targets

    def _target(self, number: int, leaf: str, changes: list[tuple[str, list[Term]]]) -> int:
        """The number of the state that a leaf leads to."""
        state = self._states[number]
        after = self._after(state, changes)
        if self._is_due(state, after):
            after = State(
                after.holds, after.amounts, (self._standing[0], *after.agenda), after.seen
            )
        place = self._places.get(after)
        if place is None:
            raise RefusedError(
                f"state {number} leads to one that is not listed ({leaf}); "
                f"the most similar one: {_difference(self._nearest(after), after)}"
            )
        return place

    def _is_due(self, before: State, after: State) -> bool:
        """Whether something has changed that what is kept up looks at, but for itself."""
        if not self._standing:
            return False
        names = {signature(parse_term(item))[0] for item in (before.agenda[0], self._standing[0])}
        if len(names) == 1:
            return False
        changed = {_any_like(parse_term(fluent)) for fluent in before.holds ^ after.holds}
        changed |= {parse_term(name) for name, _ in before.amounts ^ after.amounts}
        return any(unifies(pattern, term) for term in changed for pattern in self._looks_at)

    def _nearest(self, state: State) -> State:
        return min(
            self._states,
            key=lambda other: (
                len(other.holds ^ state.holds)
                + len(other.amounts ^ state.amounts)
                + 2 * (other.agenda != state.agenda)
                + (other.seen != state.seen)
            ),
        )

    def _ask(self, states: Sequence[State]) -> list[_Moves]:
        lines = [self._program, self._answers]
        for place, state in enumerate(states):
            lines.append(f"item({place},{state.agenda[0]}).")
            lines += [f"holds({place},{fluent})." for fluent in sorted(state.holds)]
            for name, value in sorted(state.amounts):
                lines.append(f"amount({place},{name},{number_term(value)}).")
                if value > 0:
                    lines.append(f"at_least({place},{name},1..{min(value, SMALL)}).")
                lines += [f"at_least({place},{name},{n})." for n in self._large if n <= value]
        found = [_Moves() for _ in states]
        for text in asp.evaluate("\n".join(lines)):
            atom = parse_term(text)
            assert isinstance(atom, Function)
            at, *parts = [part for part in atom.arguments if part not in ('"|"', '"#"')]
            moves = found[int(str(at))]
            match atom.name, parts:
                case "r", [node]:
                    moves.root = str(node)
                case "edge", [node, _, target, copies]:
                    moves.edges[str(node)].append((str(target), exact_number(copies)))
                case "w", [node, player]:
                    moves.who[str(node)] = str(player)
                case "l", [leaf]:
                    moves.leaves[str(leaf)] += []
                case (("s" | "u" | "z" | "a" | "p" | "x" | "o"), [leaf, *more]):
                    moves.leaves[str(leaf)].append((atom.name, more))
                case "f", [error]:
                    moves.errors = str(error)
        return found

    # --- Outcomes -----------------------------------------------------------------------

    def _ends(self, reached: set[int]) -> dict[tuple[int, str], list[int]]:
        """For each final state and item to be looked at from there, where that starts."""
        found: dict[tuple[int, str], list[int]] = {}
        for number in sorted(reached):
            state = self._states[number]
            if state.agenda or number in self._unexplored:
                continue
            for observable in self._shown:
                if observable.name == "observes_most" and _is_asked(observable, self._scenario.ask):
                    item = str(observable.arguments[3])
                    begin = State(state.holds, state.amounts, (item,), state.seen)
                    if begin not in self._places:
                        raise RefusedError(
                            f"what can follow from the final state {number} by {item} is not listed"
                        )
                    found[number, item] = [self._places[begin]]
        return found

    def _outcomes(self, reached: set[int], targets: list[list[int]]) -> dict[str, list[int]]:
        """The outcomes, as text, and the final states that show each."""
        ends = self._ends(reached)
        finals = [
            number for number in sorted(reached)
            if not self._states[number].agenda and number not in self._unexplored
        ]  # fmt: skip
        rows: list[dict[str, Any]] = []
        for number in finals:
            state = self._states[number]
            options = {
                item: [
                    self._states[n] for n in _closure(starts, targets) if not self._states[n].agenda
                ]
                for (final, item), starts in ends.items()
                if final == number
            }
            row: dict[str, Any] = {}
            seen = self._loads(state.seen)
            if seen:
                row[AT] = {name: seen[name] for name in self._scenario.checkpoints if name in seen}
            rows.append(row | self._rows(state, self._scenario.ask, options))
        same: dict[str, list[int]] = defaultdict(list)
        for number, row in zip(finals, rows, strict=True):
            same[self._text(row)].append(number)
        asks = {**self._scenario.checkpoints, "": self._scenario.ask}
        named = [self._loads(text) for text in same]
        if None in asks.values():
            before = self._rows(self._states[0], None, {})
            named = changed_everywhere(named, self._loads(self._text(before)), asks)
        found = {self._text(row): ends for row, ends in zip(named, same.values(), strict=True)}
        if self._is_all and _trapped(reached, targets, set(finals)):
            found[self._text(ENDLESS)] = []
        return dict(sorted(found.items()))

    def _rows(
        self, state: State, ask: Sequence[str] | None, options: dict[str, list[State]]
    ) -> dict[str, Any]:
        """What a state shows."""
        found: dict[str, dict[str, Any]] = defaultdict(dict)
        for observable in sorted(self._shown, key=_order):
            if not _is_asked(observable, ask):
                continue
            during = self._during_of(observable)
            if during is not None and not _like(during, state):
                continue
            value = _value(observable, state, options)
            if value:
                name, key = map(str, observable.arguments[:2])
                before = found[name].get(key, 0)
                if isinstance(value, int) and isinstance(before, int) and before:
                    value += before
                found[name][key] = value
        rows: dict[str, Any] = self._loads(self._dumps(found))
        return {name: dict(sorted(rows[name].items())) for name in sorted(rows)}


# --- Graphs -------------------------------------------------------------------------------


def _closure(starts: Iterable[int], targets: list[list[int]]) -> set[int]:
    """All that some states lead to, they themselves among it."""
    found = set(starts)
    waiting = list(found)
    while waiting:
        for target in targets[waiting.pop()]:
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found


def _trapped(reached: set[int], targets: list[list[int]], finals: set[int]) -> bool:
    """Whether from some state no final one can be reached."""
    ending = set(finals)
    while True:
        more = {n for n in reached - ending if any(target in ending for target in targets[n])}
        if not more:
            return bool(reached - ending)
        ending |= more


def _difference(listed: State, right: State) -> str:
    """How a state differs from what it should be, in short."""
    said = [f"without {term}" for term in sorted(right.holds - listed.holds)]
    said += [f"with {term}" for term in sorted(listed.holds - right.holds)]
    mine, wanted = dict(listed.amounts), dict(right.amounts)
    for name in sorted(mine.keys() | wanted.keys()):
        if mine.get(name, 0) != wanted.get(name, 0):
            said.append(f"{name} is {mine.get(name, 0)}, not {wanted.get(name, 0)}")
    if listed.agenda != right.agenda:
        said.append(f"to do: {', '.join(listed.agenda) or 'nothing'}, "
                    f"not {', '.join(right.agenda) or 'nothing'}")  # fmt: skip
    if listed.seen != right.seen:
        said.append("a checkpoint shows something else")
    return "; ".join(said[:6])


# --- What is kept -------------------------------------------------------------------------


def _group(term: Term) -> str:
    """The name under which a certificate lists fluents that are kept: alike up to the first."""
    if isinstance(term, Function):
        return f"{term.name}/{len(term.arguments)} {term.arguments[0]}"
    return f"{term}/0"


def _any_like(term: Term) -> Term:
    if isinstance(term, Function):
        return Function(term.name, (term.arguments[0], *(Variable("") for _ in term.arguments[1:])))
    return term


# --- What is shown ------------------------------------------------------------------------


def _is_asked(observable: Function, ask: Sequence[str] | None) -> bool:
    if ask is None:
        return observable.name != "observes_most"
    return str(observable.arguments[0]) in ask


def _order(observable: Function) -> tuple[str, str, str]:
    return str(observable.arguments[0]), str(observable.arguments[1]), str(_shown_term(observable))


def _shown_term(observable: Function) -> Term:
    """The fluent or quantity that an observable shows; variables stand for anything."""
    rest = observable.arguments[2:]
    match observable.name:
        case "observes_all" | "observes_list":
            return Function(str(rest[0]), (rest[1], Variable("")))
        case "observes_word":
            return Function(str(rest[0]), (Variable(""), rest[1]))
        case "observes_counts" | "observes_most" if isinstance(rest[0], Function):
            return _any_like(rest[0])
    return rest[0]


def _value(observable: Function, state: State, options: dict[str, list[State]]) -> Any:
    """What a state shows of an observable."""
    term = _shown_term(observable)
    match observable.name:
        case "observes":
            return dict(state.amounts).get(str(term), 0)
        case "observes_flag":
            return str(term) in state.holds
        case "observes_counts":
            return _counts(term, state)
        case "observes_most":
            ends = options.get(str(observable.arguments[3]), [])
            return largest([_counts(term, end) for end in ends])
    fitting = _like(term, state)
    if observable.name == "observes_word":
        return str(fitting[0].arguments[0]) if fitting else ""
    lasts = [fluent.arguments[-1] for fluent in fitting]
    if observable.name == "observes_all":
        return sorted(str(last).strip('"') for last in lasts)
    things = [str(thing) for last in lasts for thing in flatten(last)]
    return things[::-1] if str(observable.arguments[4]) == "backward" else things


def _like(pattern: Term, state: State) -> list[Function]:
    """The fluents that hold and are like a pattern, sorted."""
    return [
        fluent for fluent in map(parse_term, sorted(state.holds))
        if isinstance(fluent, Function) and unifies(pattern, fluent)
    ]  # fmt: skip


def _counts(pattern: Term, state: State) -> dict[str, int]:
    found = {
        counted(parse_term(name)): number
        for name, number in sorted(state.amounts)
        if unifies(pattern, parse_term(name))
    }
    return dict(sorted(found.items()))
