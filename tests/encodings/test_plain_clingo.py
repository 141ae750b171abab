"""Plain clingo on the shipped files: without a warning, and with the answers of the driver."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import clingo
import pytest
from shipped import ENCODINGS, SCENARIOS
from trials import EXTRA, load

from verifier import Scenario, asp
from verifier.answers import Answer
from verifier.engine import scenario_program, set_up
from verifier.explorer import Explorer, Limits
from verifier.state import EMPTY
from verifier.terms import Function, parse_term

ORDERS = ENCODINGS / "orders.lp"


# --- Warnings --------------------------------------------------------------------------------


def messages(facts: str) -> list[str]:
    """What clingo says while it grounds ``orders.lp`` with some facts."""
    said: list[str] = []
    control = clingo.Control(logger=lambda _, text: said.append(text))
    control.load(str(ORDERS))
    control.add("base", [], facts)
    control.ground()
    return said


def test_nothing_is_said_without_a_scenario() -> None:
    assert messages("") == []


def test_a_misspelt_predicate_is_said() -> None:
    """The test of warnings would notice one."""
    assert "atom does not occur" in messages("ends(E) :- fnal(E).")[0]


#: One scenario in ten: all of them take minutes.
SOME = SCENARIOS[::10]


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, len(SOME), 50))
def test_nothing_is_said_about_scenarios(first: int) -> None:
    wrong = {}
    for name in SOME[first : first + 50]:
        said = messages("\n".join(scenario_program(load(name))))
        if said:
            wrong[name] = said
    assert not wrong


# --- Orders ----------------------------------------------------------------------------------

#: Scenarios whose first event leaves a choice, or shows how an effect is applied.
SAMPLE = [
    "draw/notion_thief_two_players",
    "draw/notion_thief_three_players",
    "draw/notion_thief_two_against_two",
    "draw/notion_thief_three_players_two_and_one",
    "draw/notion_thief_three_players_two_each",
    "draw/notion_thief_four_players",
    "draw/notion_thief_against_reflection",
    "draw/notion_thief_draw_step_reflection",
    "draw/abundance_against_thief",
    "draw/alms_collector_and_thief_two_players",
    "draw/chains_and_reflection_one_card",
    "draw/dredge_two_cards_one_draw",
    "draw/obstinate_familiar_thief",
    "draw/plagiarize_mutual",
    "draw/self_replacement_before_redirection",
    "draw/words_of_wilding_and_worship",
    "draw/words_of_worship_twice",
    "draw/zurs_weirding_thief_three_players",
    "draw/zurs_weirding_two_players",
    *(name for name in EXTRA if "class_of" in name),
]


def first_answer(scenario: Scenario) -> Answer:
    """The driver's answer about the first event of a scenario."""
    setup = set_up(scenario)
    explorer = Explorer(setup.program, ())
    state = explorer.start(setup.fluents, setup.amounts, setup.agenda)
    explorer.run(state, Limits(100_000))
    while state[1] != EMPTY:
        number = explorer.agendas.parts[state[1]][0]
        known = explorer.known(number, state[0])
        if explorer.items[number].text.startswith("event("):
            return known.answer
        (transition,) = known.transitions
        state = explorer.apply(state, transition)
    raise AssertionError(f"no event comes up in {scenario.name}")


def event_of(leaf: str) -> str:
    """The event of a leaf ``final(Event,Applied)``."""
    term = parse_term(leaf)
    assert isinstance(term, Function)
    assert term.name == "final"
    return str(term.arguments[0])


@pytest.mark.parametrize("name", SAMPLE, ids=lambda name: Path(name).stem)
def test_answer_sets_are_the_orders_of_the_driver(name: str) -> None:
    scenario = load(name)
    by_driver: Counter[str] = Counter()
    for leaf, orders in first_answer(scenario).orders().items():
        by_driver[event_of(leaf)] += orders
    facts = "\n".join(scenario_program(scenario))
    by_clingo: Counter[str] = Counter()
    different = set()
    for atoms in asp.enumerate_models([ORDERS], facts):
        (end,) = [atom for atom in atoms if atom.startswith("ends(")]
        by_clingo[end.removeprefix("ends(").removesuffix(")")] += 1
        different.add(tuple(atoms))
    assert by_clingo == by_driver
    assert len(different) == sum(by_clingo.values()), "each order is another answer set"


def test_the_documented_commands(tmp_path: Path) -> None:
    """``verifier facts`` and clingo, as the header of ``orders.lp`` says."""
    name = "draw/notion_thief_three_players"
    verifier = [sys.executable, "-m", "verifier", "facts", name]
    facts = tmp_path / "facts.lp"
    facts.write_text(subprocess.run(verifier, capture_output=True, text=True, check=True).stdout)
    command = [sys.executable, "-m", "clingo", str(ORDERS), str(facts), "0"]
    every = subprocess.run(command, capture_output=True, text=True, check=False)
    ends = subprocess.run(
        [*command, "--project=project"], capture_output=True, text=True, check=False
    )
    assert every.stderr == ends.stderr == ""
    assert "Models       : 4" in every.stdout
    assert "Models       : 3" in ends.stdout
