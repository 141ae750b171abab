"""From a scenario to the graph of everything that can happen."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from verifier import asp, resources, rulecache, vocabulary
from verifier.errors import CardError, IllegalActionError, Position, UndecidedError
from verifier.explorer import Explorer, IllegalMoveError, Limits, Run
from verifier.facts import timeline_entries
from verifier.garbage import keeping_all
from verifier.outcomes import Notes, Observables, Options
from verifier.program import Program, Split
from verifier.rewording import reworded
from verifier.shape import schema
from verifier.terms import Function, parse_term, signature

if TYPE_CHECKING:
    from verifier.explaining.removals import Removal
    from verifier.graph import Graph
    from verifier.scenario import Scenario

#: More states than this are not explored unless told so.
MAX_STATES = 5_000_000


@lru_cache(maxsize=1)
def shipped_split() -> Split:
    """The rules of the game, and what is found of them."""
    return rulecache.read_split(resources.game_files())


def shipped_rules() -> Sequence[asp.Rule]:
    """The rules of the game, as shipped."""
    return shipped_split().rules


@lru_cache(maxsize=1)
def _shipped_answers() -> Sequence[asp.Rule]:
    return rulecache.read_program([resources.encodings("answers.lp")])


@dataclass(frozen=True)
class Setup:
    """A scenario brought together with the encodings, before anything happens.

    Attributes
    ----------
    cards
        The rules of its cards.
    program
        The rules, to be cut to what each kind of item reaches.
    static
        The static atoms: the scenario's facts and what follows from them alone.
    observables
        What outcomes can record.
    standing
        Items that are kept up (`verifier.explorer.Explorer`).
    """

    cards: tuple[asp.Rule, ...]
    static: tuple[str, ...]
    program: Program
    observables: Observables
    fluents: tuple[str, ...]
    amounts: tuple[tuple[str, int], ...]
    agenda: tuple[str, ...]
    standing: tuple[str, ...]


@lru_cache(maxsize=4096)
def _rules_of_card(path: Path, content: bytes) -> tuple[asp.Rule, ...]:
    """The rules in a card's file, which are read once for many scenarios."""
    del content
    return tuple(asp.read_program([path]))


def card_rules(scenario: Scenario) -> list[asp.Rule]:
    """The encodings of the cards that a scenario names.

    Raises
    ------
    CardError
        If one has a syntax error, an unsafe variable or a word that no rule reads.
    """
    library = scenario.library
    paths = [library.files[card] for card in scenario.card_constants]
    rules = [rule for path in paths for rule in _rules_of_card(path, path.read_bytes())]
    said = {resources.card_of(rule.position.file) for rule in rules}
    for path in paths:
        if library.is_own(path):
            asp.check_program(path)
        if path.stem not in said:
            raise CardError(
                "the file says nothing of the card",
                position=Position(str(path), 1, 1),
                hint=f'at least `name({path.stem}, "...").`',
            )
    vocabulary.check_cards(rules, shipped_split())
    return rules


def set_up(scenario: Scenario, without: Sequence[Removal] = ()) -> Setup:
    """Bring a scenario together with the encodings and evaluate what is static.

    What is left out (`without`) may leave less than a card or scenario has to say, so that
    this is not checked then.
    """
    cards = card_rules(scenario)
    vocabulary.check_instructions(scenario, cards)
    dropped = {text for removal in without for text in removal.drops}
    cards = [rule for rule in cards if rule.text not in dropped]
    facts = [fact for fact in scenario.facts() if fact not in dropped]
    facts += [fact for removal in without for fact in removal.adds]
    cards += reworded(cards, facts)
    split = shipped_split().without(dropped).with_more(cards)
    evaluated = split.can_fire(facts)
    lines = [*(rule.text for rule in evaluated), *(f"{fact}." for fact in facts)]
    static = tuple(sorted(asp.evaluate("\n".join(lines))))
    terms = vocabulary.Atoms(map(parse_term, static))
    observables = Observables(static)
    if not without:
        vocabulary.check_faults(cards, terms)
        vocabulary.check_words(scenario, terms, observables)
    fluents: list[str] = []
    amounts: list[tuple[str, int]] = []
    agenda: list[tuple[int, str]] = []
    standing: list[tuple[int, str]] = []
    for term in terms:
        if not isinstance(term, Function):
            continue
        match signature(term), term.arguments:
            case ("initially", 1), (fluent,):
                fluents.append(str(fluent))
            case ("initially", 2), (quantity, int(number)):
                amounts.append((str(quantity), number))
            case ("agenda", 2), (int(place), item):
                agenda.append((place, str(item)))
            case ("standing", 2), (int(place), item):
                standing.append((place, str(item)))
    program = Program(split, evaluated, static, _shipped_answers())
    items = tuple(item for _, item in sorted(agenda))
    kept_up = tuple(item for _, item in sorted(standing))
    return Setup(
        tuple(cards), static, program, observables, tuple(fluents), tuple(amounts), items, kept_up
    )


def scenario_program(scenario: Scenario) -> list[str]:
    """A scenario, its cards and the first event in it, as a program for plain clingo.

    The program is the input of ``encodings/orders.lp``.
    """
    facts, cards = scenario.facts(), card_rules(scenario)
    lines = [f"{fact}." for fact in facts]
    lines += [rule.text for rule in (*cards, *reworded(cards, facts))]
    setup = set_up(scenario)
    explorer = Explorer(setup.program, (), standing=setup.standing)
    start = explorer.start(setup.fluents, setup.amounts, setup.agenda)
    with _told_where(scenario):
        return lines + explorer.first_question("event", start)


def explore(
    scenario: Scenario | str | Path,
    *,
    cards: str | Path | Sequence[str | Path] = (),
    max_states: int = MAX_STATES,
    time_limit: float | None = None,
    poll: Callable[[int], None] | None = None,
    without: Sequence[Removal] = (),
) -> Graph:
    """Find every legal outcome of a scenario.

    Parameters
    ----------
    scenario
        The scenario, or its path or name.
    cards
        A folder, or folders, with card encodings of your own; only with a path or name.
    max_states
        Give up after this many states.
    time_limit
        Give up after this many seconds.
    poll
        Called now and then with the number of states so far; for progress displays.
    without
        What is left out of the rules, the cards or the board, to see what would be possible
        then (`verifier.explaining.removals`).

    Returns
    -------
    Graph
        Everything that was found; ``graph.exhausted`` says whether that is all there is.

    Raises
    ------
    InputError
        If the scenario or one of its cards is at fault.
    NumberTooLargeError
        If a number passes what can be handled exactly.
    UndecidedError
        If the time is over before there is a state.
    """
    from verifier.graph import Graph
    from verifier.scenario import Scenario

    began = time.perf_counter()
    if not isinstance(scenario, Scenario):
        scenario = Scenario.load(scenario, cards=cards)
    deadline = None if time_limit is None else began + time_limit
    patience = None if deadline is None else max(deadline, began + LEAST_TO_SET_UP)
    with keeping_all(), asp.polling(partial(_wait, patience)):
        setup = set_up(scenario, without)
    notes = Notes(setup.observables, scenario.checkpoints)
    asks = (scenario.ask, *scenario.checkpoints.values())
    explorer = Explorer(setup.program, setup.observables.needed(asks), notes.number, setup.standing)
    start = explorer.start(setup.fluents, setup.amounts, setup.agenda)
    limits = Limits(max_states, deadline, poll)
    with _told_where(scenario):
        run = explorer.run(start, limits)
        options = find_options(scenario, setup.observables, notes, explorer, run, limits)
    seconds = time.perf_counter() - began
    return Graph(scenario, setup, notes, explorer, run, options, seconds)


#: Seconds that reading and setting up may take whatever the time limit is, so that a run that is
#: cut short is an undecided one; only a card whose rules have no end takes longer.
LEAST_TO_SET_UP = 5.0


def _wait(deadline: float | None) -> None:
    """Give up what comes before the first state once the time is over."""
    if deadline is not None and time.perf_counter() > deadline:
        raise UndecidedError("time limit reached before the first state")


def find_options(
    scenario: Scenario,
    observables: Observables,
    notes: Notes,
    explorer: Explorer,
    run: Run,
    limits: Limits,
) -> Options:
    """For what is asked of all continuations of a state, the states where they end.

    These are final states and those of checkpoints.  A continuation that is cut short cuts
    the run short.
    """
    options: Options = {}
    known = []
    for number in run.terminals:
        values = run.states[number][0]
        wanted = [
            (observable, state)
            for ask, state in [
                (scenario.ask, values),
                *((notes.asks[n], state) for n, state in notes.reached(explorer.cells, values)),
            ]
            for observable in observables.chosen(ask)
            if observable.item is not None
        ]
        for observable, state in wanted:
            if run.exhausted and (state, observable.item) not in options:
                ends = explorer.ends(state, str(observable.item), limits)
                if ends is None:
                    run.limit = f"{observable.name}: a limit was reached"
                else:
                    options[state, str(observable.item)] = ends
        # What the outcome would show is not known otherwise.
        if all((state, observable.item) in options for observable, state in wanted):
            known.append(number)
    run.terminals = known
    return options


@contextmanager
def _told_where(scenario: Scenario) -> Iterator[None]:
    """What cannot be carried out is an error of the scenario file, at its entry."""
    try:
        yield
    except IllegalMoveError as problem:
        raise _illegal(scenario, problem) from None


def _illegal(scenario: Scenario, problem: IllegalMoveError) -> IllegalActionError:
    """The message for an entry of the timeline that cannot be carried out."""
    from verifier.report import wording

    index = problem.entry - 1
    place, entry = list(timeline_entries(scenario.data))[index]
    (what,) = entry
    words = wording(scenario)
    return IllegalActionError(
        f"`{what}` is not possible for {problem.what}: "
        + "; ".join(f"{words.say(why)} (CR {rule})" for why, rule in problem.reasons),
        position=scenario.source.at_key(*place, what),
        hint=f"`attempt: {{{what}: ...}}` asks whether it is legal"
        if what in schema()["$defs"]["action"]["properties"]
        else "end the timeline before it",
    )
