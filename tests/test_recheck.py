"""Certificates are good, and any that says something else is refused, with the reason."""

from __future__ import annotations

import ast
import copy
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier import explore, recheck, resources
from verifier.certificate import certificate
from verifier.cli import main
from verifier.errors import InputError
from verifier.recheck import RefusedError

THREE = "draw/notion_thief_three_players"

#: One of each kind of thing that an outcome can show, with loops, checkpoints and counters.
SHOWN = [
    THREE,
    "draw/notion_thief_two_players",
    "mana/damping_sphere_contamination_and_mana_reflection",
]


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(main, list(map(str, arguments)))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def made(name: str) -> Any:
    return json.loads(json.dumps(certificate(explore(name))))


@pytest.fixture(scope="module")
def good() -> Any:
    return made(THREE)


# --- Good ones ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHOWN)
def test_a_certificate_is_good(name: str) -> None:
    valid = recheck.recheck(made(name), "x")
    graph = explore(name)
    assert valid.verdict == graph.verdict
    shown = [result.outcome for result in graph.outcomes]
    assert sorted(map(repr, valid.outcomes)) == sorted(map(repr, json.loads(json.dumps(shown))))


def board(timeline: str, more: str = "") -> str:
    return f"players: [alice, bob]\n{more}\ntimeline: [{timeline}]\n"


TEXTS = {
    "a checkpoint": board(
        "{resolve: {player: alice, does: [{draw: 1}]}}, {observe: {name: then, ask: [drawn]}}, "
        "{resolve: {player: alice, does: [{draw: 1}]}}",
        "battlefield: [{card: Notion Thief, controller: bob}]",
    ),
    "what changed": board("{resolve: {player: alice, does: [{draw: 2}]}}"),
    "what can be made": board(
        "{resolve: {player: alice, does: [{draw: 1}]}}",
        "battlefield: [{card: Forest, controller: alice}]\nask: [mana_options]",
    ),
}


@pytest.mark.parametrize("what", TEXTS)
def test_forms_of_outcomes(what: str) -> None:
    from verifier import Scenario

    graph = explore(Scenario.from_text(TEXTS[what]))
    document = json.loads(json.dumps(certificate(graph)))
    valid = recheck.recheck(document, "x")
    assert valid.outcomes == json.loads(json.dumps([r.outcome for r in graph.outcomes]))


#: Some of every subject: layers and durations that are kept up, loops, what can be forced, numbers
#: past 32 bits.
#: ``RECHECK_EVERY=1``: those of all shipped scenarios.
EVERY = int(os.environ.get("RECHECK_EVERY", "150"))
SOME = [
    "counters/forty_seasons_on_a_creature",
    # A fluent there has the name under which states keep what checkpoints show.
    "draw/breathstealers_crypt_thief",
    *resources.shipped_scenarios()[7 % EVERY :: EVERY],
]


@pytest.mark.parametrize("name", SOME)
def test_certificates_of_every_subject_are_good(name: str) -> None:
    graph = explore(name)
    if graph.explorer.rounds:
        pytest.skip("there is no certificate of a loop in which a number grows")
    valid = recheck.recheck(json.loads(json.dumps(certificate(graph))), "x")
    assert valid.verdict == graph.verdict
    assert valid.claim == "holds"
    assert sorted(map(str, valid.orders)) == sorted(str(r.orders) for r in graph.outcomes)


def test_an_item_that_is_kept_up_cannot_be_left_out() -> None:
    """The layers come up anew where something changes."""
    document = made("layers/texts_exchanged_under_humility")
    standing = document["states"][0]["agenda"][0]
    for state in document["states"][1:]:
        if standing in state["agenda"]:
            state["agenda"] = [item for item in state["agenda"] if item != standing]
    with pytest.raises(RefusedError):
        recheck.recheck(document, "x")


# --- Tampered ones ------------------------------------------------------------------------


def drop_state(document: Any) -> None:
    document["states"].pop()


def add_state(document: Any) -> None:
    document["states"].append(copy.deepcopy(document["states"][-1]))
    document["states"][-1]["agenda"] = []
    document["states"][-1]["amounts"] = []


def repeat_state(document: Any) -> None:
    document["states"].append(document["states"][-1])


def start_elsewhere(document: Any) -> None:
    document["states"][0] = {**document["states"][0], "holds": document["states"][0]["holds"][1:]}


def nothing_to_do(document: Any) -> None:
    document["states"][0]["agenda"] = []


def drop_outcome(document: Any) -> None:
    document["outcomes"].pop()
    document["orders"].pop()


def add_outcome(document: Any) -> None:
    document["outcomes"].append({"drawn": {"alice": 7}})
    document["orders"].append(1)


def alter_outcome(document: Any) -> None:
    document["outcomes"][0]["drawn"] = {"alice": 2}


def repeat_outcome(document: Any) -> None:
    document["outcomes"].append(document["outcomes"][0])
    document["orders"].append(document["orders"][0])


def miscount_orders(document: Any) -> None:
    document["orders"][0] += 1


def look_at_less(document: Any) -> None:
    """A state is said not to have been looked at, though the run was not cut short."""
    document["unexplored"] = [1]


def fewer_orders(document: Any) -> None:
    document["orders"].pop()


def alter_verdict(document: Any) -> None:
    document["verdict"] = "unique"


def leave_out(document: Any) -> None:
    """No state says how much life the players have, which state-based actions look at."""
    names = {n for n, term in enumerate(document["terms"]) if term.startswith("life(")}
    document["kept"] = [kept for kept in document["kept"] if not kept.startswith("quantity life")]
    for state in document["states"]:
        state["amounts"] = [pair for pair in state["amounts"] if pair[0] not in names]


def other_scenario(document: Any) -> None:
    document["scenario"]["text"] = document["scenario"]["text"].replace("{draw: 1}", "{draw: 2}")


def impossible_item(document: Any) -> None:
    document["states"][3]["agenda"] = [len(document["terms"])]
    document["terms"].append("no_such_item")


TAMPERED: list[tuple[Callable[[Any], None], str]] = [
    (drop_state, "leads to one that is not listed"),
    (add_state, "is not reached from the start"),
    (repeat_state, "a state is listed twice"),
    (start_elsewhere, "state 0 is not where the scenario starts: without"),
    (nothing_to_do, "state 0 is not where the scenario starts: to do: nothing"),
    (drop_outcome, "an outcome is not listed"),
    (add_outcome, 'no final state shows the outcome {"drawn": {"alice": 7}}'),
    (alter_outcome, "no final state shows the outcome"),
    (repeat_outcome, "an outcome is listed twice"),
    (alter_verdict, "the verdict is several, and not unique"),
    (miscount_orders, "the orders to the outcome"),
    (leave_out, "states leave out what matters: life("),
    (other_scenario, ""),
    (impossible_item, ""),
]


def rechecked(good: Any, tamper: Callable[[Any], None], folder: Path) -> Result:
    """What the command says of a certificate that has been tampered with."""
    document = copy.deepcopy(good)
    tamper(document)
    file = folder / "certificate.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    return run("recheck", file)


@pytest.mark.parametrize(("tamper", "why"), TAMPERED, ids=lambda x: getattr(x, "__name__", ""))
def test_a_tampered_certificate_is_refused(
    good: Any, tamper: Callable[[Any], None], why: str, tmp_path: Path
) -> None:
    result = rechecked(good, tamper, tmp_path)
    assert result.exit_code == 1
    assert result.stdout.startswith("refused  ")
    assert why in result.stdout
    assert result.stdout.count("\n") == 1


@pytest.mark.parametrize("tamper", [look_at_less, fewer_orders])
def test_parts_that_do_not_fit_together_are_no_certificate(
    good: Any, tamper: Callable[[Any], None], tmp_path: Path
) -> None:
    result = rechecked(good, tamper, tmp_path)
    assert result.exit_code == 2
    assert "this is no certificate" in result.stderr


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_any_change_of_a_state_is_refused(good: Any, data: st.DataObject) -> None:
    document = copy.deepcopy(good)
    state = data.draw(st.sampled_from(document["states"]))
    before = json.dumps(state, sort_keys=True)
    part = data.draw(st.sampled_from(["holds", "amounts", "agenda"]))
    match part:
        case "amounts":
            name = data.draw(st.integers(0, len(document["terms"]) - 1))
            state["amounts"] = [*state["amounts"][1:], [name, data.draw(st.integers(-3, 9))]]
        case _:
            numbers = st.lists(st.integers(0, len(document["terms"]) - 1), max_size=4)
            state[part] = data.draw(numbers)
    if json.dumps(state, sort_keys=True) == before or _same(state, json.loads(before)):
        return
    with pytest.raises((RefusedError, InputError)):
        recheck.recheck(document, "x")


def _same(one: Any, other: Any) -> bool:
    """Whether two states say the same."""
    return (
        set(one["holds"]) == set(other["holds"])
        and one["agenda"] == other["agenda"]
        and {tuple(pair) for pair in one["amounts"] if pair[1]}
        == {tuple(pair) for pair in other["amounts"] if pair[1]}
    )


# --- What is none -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content", ["{}", "[]", "7", "null", '{"format": "certificate of ruling-verifier"}']
)
def test_no_certificate(content: str, tmp_path: Path) -> None:
    file = tmp_path / "certificate.json"
    file.write_text(content, encoding="utf-8")
    result = run("recheck", file)
    assert result.exit_code == 2
    assert f"{file}:1:1: error: this is no certificate" in result.stderr


def test_what_is_undecided_proves_nothing() -> None:
    document = json.loads(json.dumps(certificate(explore(THREE, max_states=1))))
    valid = recheck.recheck(document, "x")
    assert valid.verdict == "undecided"
    assert valid.unexplored > 0
    assert valid.claim == "undecided"
    assert set(valid.orders) <= {None}
    document["verdict"], document["limit"], document["unexplored"] = "several", None, []
    with pytest.raises(RefusedError):
        recheck.recheck(document, "x")


def test_only_one_file(tmp_path: Path) -> None:
    target = tmp_path / "c.json"
    assert run("prove", THREE, THREE, "--certificate", target).exit_code == 2


# --- Independence -------------------------------------------------------------------------


def test_the_checker_uses_nothing_that_explores() -> None:
    tree = ast.parse(Path(recheck.__file__).read_text(encoding="utf-8"))
    used = {
        node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module
    }
    own = {name.removeprefix("verifier.") for name in used if name.startswith("verifier")}
    assert own == {
        "verifier", "asp", "claims", "errors", "outcomes", "reads", "rewording", "scenario",
        "terms",
    }  # fmt: skip
