"""Checking a certificate, without anything of what has found it.

Nothing here explores.  The states of the certificate are taken as they are, and plain clingo,
with all rules of the encodings and the facts of the scenario, says for each of them what can be
done next.  The certificate is good if

- the first state is the one in which the scenario starts;
- whatever can be done in a state that it lists leads to a state that it lists;
- it lists no others;
- what it leaves out of states is read by no rule that can fire, and shown by no outcome;
- the states in which nothing is left to do show its outcomes, and no others.

Reading scenarios and cards, terms and the names of what is counted are shared with the rest of
the package; cutting rules to what an item reaches, slices, cells, merging and walking are not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from verifier import asp, resources, rulecache
from verifier.asp import Predicate, Rule
from verifier.claims import check_claim
from verifier.errors import InputError, Position, VerifierError
from verifier.outcomes import AT, ENDLESS, changed_everywhere, counted, largest
from verifier.rewording import reworded
from verifier.scenario import Scenario
from verifier.terms import (
    Function,
    Term,
    Variable,
    exact_number,
    flatten,
    parse_term,
    signature,
    unifies,
)

#: As in `verifier.certificate`, written once more: a change there must not pass here.
FORMAT = "certificate of ruling-verifier"
SCHEMA_VERSION = 1

#: So many states are asked about in one grounding.
BATCH = 200

#: Up to this all numbers that a quantity reaches are given; beyond it those that rules name.
SMALL = 1_000

#: The largest number that the solver holds.
LARGEST = 2**31 - 1

_QUESTION = {("item", 2), ("holds", 2), ("at_least", 3), ("amount", 3)}

#: What the shown atoms of an answer rest on (``encodings/answers.lp``).
_ANSWERS = {
    "root", "edge", "stands_for", "who", "leaf", "set", "unset", "add", "reset", "clear", "push",
    "note", "cites", "error",
}  # fmt: skip


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
    states: int
    moves: int
    verdict: str
    outcomes: list[dict[str, Any]]
    claim: str


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
    scenario = Scenario.from_text(
        document["scenario"]["text"], name=document["scenario"]["name"], cards=cards
    )
    return _Check(scenario, document, states).run()


# --- The file -----------------------------------------------------------------------------


def _read(document: Any, file: str) -> list[State]:
    """The states of a certificate."""
    try:
        if document["format"] != FORMAT or document["schema_version"] != SCHEMA_VERSION:
            raise ValueError
        if not all(isinstance(document["scenario"][key], str) for key in ("name", "text")):
            raise TypeError
        if not all(isinstance(row, dict) for row in document["outcomes"]):
            raise TypeError
        terms = document["terms"]
        if not all(isinstance(term, str) for term in (*terms, *document["kept"])):
            raise TypeError
        states = [_state(row, terms) for row in document["states"]]
        if not states:
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


@dataclass
class _Moves:
    """What can be done in one state, as clingo has answered."""

    root: str | None = None
    errors: str = ""

    def __post_init__(self) -> None:
        self.edges: dict[str, list[str]] = defaultdict(list)
        self.leaves: dict[str, list[tuple[str, list[Term]]]] = defaultdict(list)

    def reached(self) -> list[str]:
        """The leaves that choices lead to from the root."""
        if self.root is None:
            return []
        found = [self.root]
        known = set(found)
        for node in found:
            for target in self.edges.get(node, ()):
                if target not in known:
                    known.add(target)
                    found.append(target)
        return [node for node in found if node in self.leaves]


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
        self._facts = scenario.facts()
        said = asp.read_program(cards)
        said += reworded(said, self._facts)
        self._rules = [*rulecache.read_program(resources.game_files()), *said]
        self._program = "\n".join(
            [*(rule.text for rule in self._rules), *(f"{fact}." for fact in self._facts)]
        )
        self._answers = resources.encodings("answers.lp").read_text(encoding="utf-8")
        dynamic = _dynamic(self._rules)
        lines = [rule.text for rule in self._rules if rule.predicate not in dynamic]
        static = asp.evaluate("\n".join([*lines, *(f"{fact}." for fact in self._facts)]))
        self._static = list(map(parse_term, static))
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
        self._reads = _what_is_read(self._rules, dynamic, self._static)
        self._left_out: dict[str, bool] = {}
        numbers = {
            abs(part) for rule in self._rules for literal in rule.body
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
        for number, state in enumerate(self._states):
            for name, value in state.amounts:
                if value > LARGEST:
                    raise InputError(
                        f"state {number} has {value} of {name}, more than plain clingo holds"
                    )
        targets = self._targets()
        reached = _closure([0], targets)
        ends = self._ends(reached)
        looked_at = _closure([0, *(n for starts in ends.values() for n in starts)], targets)
        for number in range(len(self._states)):
            if number not in looked_at:
                raise RefusedError(f"state {number} is not reached from the start")
        outcomes = self._outcomes(reached, targets)
        listed = self._document["outcomes"]
        found = {self._text(outcome) for outcome in outcomes}
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
        moves = sum(map(len, targets))
        return Valid(
            self._scenario.name, len(self._states), moves, verdict, outcomes,
            self._claim(outcomes, verdict),
        )  # fmt: skip

    def _text(self, outcome: Any) -> str:
        return self._dumps(outcome, sort_keys=True)

    @staticmethod
    def _verdict(outcomes: list[dict[str, Any]]) -> str:
        if not outcomes:
            return "none"
        if len(outcomes) > 1:
            return "several"
        return "loop" if outcomes[0] == ENDLESS else "unique"

    def _claim(self, outcomes: list[dict[str, Any]], verdict: str) -> str:
        """Whether the scenario's claim holds, as far as it is about outcomes."""
        said = self._scenario.claim
        asked = {key: said[key] for key in said if key not in ("can_force", "orders")}
        if not asked:
            return "not rechecked" if said else "none"
        graph: Any = SimpleNamespace(
            scenario=SimpleNamespace(claim=asked),
            outcomes=[SimpleNamespace(outcome=outcome) for outcome in outcomes],
            exhausted=True,
            verdict=verdict,
        )
        text = "fails" if check_claim(graph).failures else "holds"
        return text if len(asked) == len(said) else f"{text} as far as outcomes go"

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
        return self._made(holds, amounts, [item for _, item in sorted(agenda)], "{}")

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
            self._left_out[key] = any(unifies(pattern, like) for pattern in self._reads) or any(
                unifies(pattern, like) for pattern in self._patterns
            )
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
        todo = [number for number, state in enumerate(self._states) if state.agenda]
        for begin in range(0, len(todo), BATCH):
            part = todo[begin : begin + BATCH]
            for number, moves in zip(part, self._ask(part), strict=True):
                state = self._states[number]
                if moves.errors:
                    raise RefusedError(f"state {number} is not possible: {moves.errors}")
                leaves = moves.reached()
                if not leaves:
                    raise RefusedError(f"nothing can be done in state {number}")
                for leaf in leaves:
                    after = self._after(state, moves.leaves[leaf])
                    place = self._places.get(after)
                    if place is None:
                        near = self._nearest(after)
                        raise RefusedError(
                            f"state {number} leads to one that is not listed ({leaf}); "
                            f"the most similar one: {_difference(near, after)}"
                        )
                    if place not in targets[number]:
                        targets[number].append(place)
        return targets

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

    def _ask(self, numbers: Sequence[int]) -> list[_Moves]:
        lines = [self._program, self._answers]
        for place, number in enumerate(numbers):
            state = self._states[number]
            lines.append(f"item({place},{state.agenda[0]}).")
            lines += [f"holds({place},{fluent})." for fluent in sorted(state.holds)]
            for name, value in sorted(state.amounts):
                lines.append(f"amount({place},{name},{value}).")
                if value > 0:
                    lines.append(f"at_least({place},{name},1..{min(value, SMALL)}).")
                lines += [f"at_least({place},{name},{n})." for n in self._large if n <= value]
        found = [_Moves() for _ in numbers]
        for text in asp.evaluate("\n".join(lines)):
            atom = parse_term(text)
            assert isinstance(atom, Function)
            at, *parts = [part for part in atom.arguments if part not in ('"|"', '"#"')]
            moves = found[int(str(at))]
            match atom.name, parts:
                case "r", [node]:
                    moves.root = str(node)
                case "edge" | "e", [node, _, target, _]:
                    moves.edges[str(node)].append(str(target))
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
            if state.agenda:
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

    def _outcomes(self, reached: set[int], targets: list[list[int]]) -> list[dict[str, Any]]:
        ends = self._ends(reached)
        finals = [number for number in sorted(reached) if not self._states[number].agenda]
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
        asks = {**self._scenario.checkpoints, "": self._scenario.ask}
        if None in asks.values():
            before = self._rows(self._states[0], None, {})
            different = list({self._text(row): row for row in rows}.values())
            rows = changed_everywhere(different, self._loads(self._text(before)), asks)
        found = {self._text(row): row for row in rows}
        if _trapped(reached, targets, set(finals)):
            found[self._text(ENDLESS)] = ENDLESS
        return [self._loads(text) for text in sorted(found)]

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


# --- What is read -------------------------------------------------------------------------


def _dynamic(rules: Sequence[Rule]) -> set[Predicate]:
    """The predicates that depend on a question."""
    found = set(_QUESTION)
    while True:
        more = {
            rule.predicate for rule in rules
            if rule.predicate not in found and not found.isdisjoint(rule.body_predicates)
        }  # fmt: skip
        if not more:
            return found
        found |= more


def _what_is_read(
    rules: Sequence[Rule], dynamic: set[Predicate], static: Sequence[Term]
) -> set[Term]:
    """What the rules that can fire, and on which an answer rests, look at in a state."""
    names = _Names()
    for atom in static:
        names.add(atom, {})
    waiting = [rule for rule in rules if rule.predicate in dynamic]
    live: dict[int, Rule] = {}
    while True:
        before = names.size
        for number, rule in enumerate(waiting):
            can_be = names.fit(rule)
            if can_be is not None:
                live[number] = rule
                head = (
                    Function(rule.head, rule.head_arguments) if rule.head_arguments else rule.head
                )
                names.add(head, can_be)
                for term in rule.built:
                    names.add(term, can_be, within=True)
        if names.size == before:
            break
    wanted = {rule.predicate for rule in live.values() if rule.head in _ANSWERS}
    while True:
        used = {p for r in live.values() if r.predicate in wanted for p in r.body_predicates}
        if used <= wanted:
            break
        wanted |= used
    return {
        literal.arguments[1]
        for rule in live.values() if rule.predicate in wanted
        for literal in rule.body
        if literal.predicate in _QUESTION and literal.name != "item"
    }  # fmt: skip


#: Where a term gets to from an argument of a predicate: what is set holds, and so on.
_GETS_TO = {
    ("initially", 1, 0): ["holds"], ("set", 3, 2): ["holds"],
    ("initially", 2, 0): ["amount", "at_least"], ("add", 5, 2): ["amount", "at_least"],
    ("agenda", 2, 1): ["item"], ("standing", 2, 1): ["item"], ("push", 4, 3): ["item"],
    ("observes_most", 4, 3): ["item"],
}  # fmt: skip

_ANY = "any"


class _Names:
    """Which constants and functors can be an argument of which predicate or functor."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, int | str, int], set[str]] = defaultdict(set)
        self.size = 0

    def fit(self, rule: Rule) -> dict[str, set[str]] | None:
        """What the variables of a rule can be; ``None`` if it cannot fire."""
        can_be: dict[str, set[str]] = {}
        for literal in rule.required:
            owner: tuple[str, int | str] = literal.predicate
            arguments = literal.arguments
            if literal.predicate in _QUESTION:
                owner, arguments = (literal.name, "question"), arguments[1:2]
            there = arguments or self._found[literal.name, 0, 0]
            if not there or not self._fits(owner, arguments, can_be):
                return None
        return can_be

    def _fits(
        self, owner: tuple[str, int | str], arguments: Sequence[Term], can_be: dict[str, set[str]]
    ) -> bool:
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
                self._put((str(term), 0, 0), {"true"})
            return
        owner = f"{term.name}()" if within else term.name
        for index, argument in enumerate(term.arguments):
            said = {_name(argument)}
            if isinstance(argument, Variable):
                said = can_be.get(argument.name, {_ANY})
            place = (owner, len(term.arguments), index)
            self._put(place, said)
            for predicate in _GETS_TO.get(place, ()):
                self._put((predicate, "question", 0), said)
            self.add(argument, can_be, within=True)

    def _put(self, place: tuple[str, int | str, int], said: set[str]) -> None:
        before = len(self._found[place])
        self._found[place] |= said
        self.size += len(self._found[place]) - before


def _name(term: Term) -> str:
    """A constant or functor; all numbers are alike."""
    return "number" if isinstance(term, int) else "{}/{}".format(*signature(term))


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
