"""Several readings of the rules: what is explored, claimed, told and listed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from boards import to_yaml
from click.testing import CliRunner, Result

from verifier import Scenario, ScenarioError, disputes, explore, resources
from verifier.cli import main
from verifier.vocabulary import told_readings

ROOT = Path(__file__).parent.parent

#: Gnomes and a Hall on mana that is not white: which comes last, or whether the Gnomes wait.
BOARD: dict[str, Any] = {
    "players": ["alice", "bob"],
    "battlefield": [{"card": "Tundra", "controller": "alice", "id": "tundra"}],
    "effects": [
        {"card": "Quarum Trench Gnomes", "controller": "bob", "target": "tundra"},
        {"card": "Hall of Gemstone", "controller": "bob", "chosen": "white"},
    ],
    "timeline": [
        {"observe": "before"},
        {"tap_for_mana": {"player": "alice", "object": "tundra", "ability": "island"}},
    ],
    "ask": ["mana"],
    "claim": {"unique": False},
}
READING = "there_must_be_other_mana"
COLORLESS = {"mana": {"alice": {"colorless": 1}}}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERIFIER_CACHE", str(tmp_path / "cache"))


def written(tmp_path: Path, readings: dict[str, Any], **more: Any) -> Path:
    file = tmp_path / "board.yaml"
    file.write_text(to_yaml(BOARD | {"readings": readings} | more), encoding="utf-8")
    return file


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(main, [*map(str, arguments)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def explore_all(text: str) -> None:
    scenario = Scenario.from_text(text, name="board.yaml")
    for reading in ("", *scenario.readings):
        explore(scenario.under(reading))


def refused(readings: dict[str, Any]) -> str:
    with pytest.raises(ScenarioError) as caught:
        explore_all(to_yaml(BOARD | {"readings": readings}))
    return str(caught.value)


# --- The readings that there are ----------------------------------------------------------


def test_each_reading_is_told_of_read_by_a_rule_and_used() -> None:
    vocabulary = resources.encodings("vocabulary.lp").read_text(encoding="utf-8")
    words = re.findall(r"^word\(reading, (\w+)\)\.", vocabulary, re.M)
    assert sorted(words) == sorted(told_readings()) != []
    assert {rule for rule, _ in told_readings().values()} <= resources.rule_numbers()
    rules = "".join(file.read_text(encoding="utf-8") for file in resources.rule_files())
    assert {*re.findall(r"reads_as\((\w+)\)", rules)} == {*words}
    used = {word for one in disputes.find() for name in one.answers for word in name.split("+")}
    assert used - {""} == {*words}


def test_the_page_on_disputes_is_what_the_command_writes() -> None:
    page = (ROOT / "scenarios" / "DISPUTES.md").read_text(encoding="utf-8")
    assert page == disputes.markdown(disputes.find()), (
        "run: verifier disputes -o scenarios/DISPUTES.md"
    )


# --- Exploring ----------------------------------------------------------------------------


def test_a_scenario_under_a_reading() -> None:
    whole = BOARD | {"readings": {READING: {"outcomes": [COLORLESS]}}}
    scenario = Scenario.from_text(to_yaml(whole))
    assert explore(scenario).verdict == "several"
    graph = explore(scenario.under(READING))
    assert [result.outcome["mana"] for result in graph.outcomes] == [COLORLESS["mana"]]
    assert graph.to_dict()["reading"] == READING
    assert graph.to_dict()["claim"]["holds"]


def test_a_certificate_is_of_one_reading(tmp_path: Path) -> None:
    file = written(tmp_path, {READING: {"outcomes": [COLORLESS]}})
    target = tmp_path / "certificate.json"
    result = run("prove", file, "--certificate", target)
    assert "--reading writes those under one" in result.stderr
    assert "verdict  several" in run("recheck", target).stdout
    assert not run("prove", file, "--certificate", target, "--reading", READING).stderr
    rechecked = run("recheck", target)
    assert f"reading  {READING}\nverdict  unique" in rechecked.stdout
    document = json.loads(target.read_text(encoding="utf-8"))
    for reading, code in (("", 1), ("there_is_none", 1), (7, 2)):
        document["scenario"]["reading"] = reading
        target.write_text(json.dumps(document), encoding="utf-8")
        assert run("recheck", target).exit_code == code


def test_prove_shows_each_reading(tmp_path: Path) -> None:
    file = written(
        tmp_path, {READING: {"outcomes": [COLORLESS]}, f"tapping_is_enough+{READING}": None}
    )
    result = run("prove", file)
    assert result.exit_code == 0
    assert "verdict  several: 2 outcomes" in result.stdout
    assert f"reading  {READING}: " in result.stdout
    assert "(106.12b)" in result.stdout
    assert result.stdout.count("verdict  unique: 1 outcome") == 2
    (document,) = [json.loads(run("prove", file, "--output", "json").stdout)]
    assert document["reading"] is None
    assert {*document["readings"]} == {READING, f"tapping_is_enough+{READING}"}
    (outcome,) = document["readings"][READING]["outcomes"]
    assert outcome["mana"] == COLORLESS["mana"]


def test_one_reading_alone(tmp_path: Path) -> None:
    file = tmp_path / "board.yaml"
    file.write_text(to_yaml({k: v for k, v in BOARD.items() if k != "claim"}), encoding="utf-8")
    result = run("prove", file, "--reading", READING)
    assert result.exit_code == 0
    assert "verdict  unique: 1 outcome" in result.stdout
    assert "several" not in result.stdout
    assert "colorless" in run("outcomes", file, "--reading", READING).stdout
    wrong = run("outcomes", file, "--reading", "there_must_be_no_mana")
    assert wrong.exit_code == 2
    assert f"did you mean `{READING}`?" in wrong.stderr


def test_a_claim_that_fails_under_a_reading(tmp_path: Path) -> None:
    file = written(tmp_path, {READING: {"unique": False}})
    assert run("prove", file).exit_code == 1
    result = run("check", file)
    assert result.exit_code == 1
    line = result.stdout.splitlines()[0]
    assert line == (
        f"fails  {file}  expected under the reading {READING} several outcomes; "
        "found {at before (nothing); mana: alice 1 colorless}"
    )


def test_check_keeps_what_was_found_under_all_readings(tmp_path: Path) -> None:
    file = written(tmp_path, {READING: {"unique": True}})
    first, second = (json.loads(run("check", file, "--output", "json").stdout)[0] for _ in range(2))
    assert first["status"] == second["status"] == "holds"
    assert not first["known"]
    assert second["known"]
    assert second["readings"] == {READING: {"status": "holds", "details": [], "verdict": "unique"}}


# --- What is refused ----------------------------------------------------------------------


def test_an_unknown_reading() -> None:
    text = refused({"there_must_be_another_mana": {"unique": True}})
    assert text.startswith("board.yaml:")
    assert "unknown reading `there_must_be_another_mana`" in text
    assert f"did you mean `{READING}`?" in text
    assert "unknown reading" in refused({f"{READING}+no_such_reading": None})


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        ({"outcomes": [{"mana": {"carol": {"red": 1}}}]}, "carol"),
        ({"outcomes": [{"hand": {"alice": 1}}]}, "not asked for"),
        ({"outcomes": [{"at": {"befor": COLORLESS}}]}, "did you mean `before`?"),
        ({"can_force": {"player": "bobby", "outcome": COLORLESS}}, "did you mean `bob`?"),
        ({"always": [{"mana": {"alice": {"colourless": 1}}}]}, "colourless"),
        ({}, "must not be empty"),
    ],
)
def test_what_is_claimed_under_a_reading_is_checked(claim: dict[str, Any], told: str) -> None:
    text = refused({READING: claim})
    assert text.startswith("board.yaml:")
    assert not text.startswith("board.yaml:1:")
    assert told in text


# --- The list -----------------------------------------------------------------------------


def test_what_the_command_lists(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        {READING: {"outcomes": [COLORLESS]}},
        title="What is it?",
        dispute="Some say so,\nothers not.",
        cases=["one", "two"],
        rules=["106.12b"],
    )
    page = tmp_path / "page.md"
    assert run("disputes", tmp_path, "-o", page).stdout == f"{file}  What is it?\n"
    text = page.read_text(encoding="utf-8")
    assert "### What is it?" in text
    assert "case `one`, `two`; CR 106.12b" in text
    assert "Some say so, others not." in text
    assert "- as it is read here: several outcomes\n" in text
    assert f"- `{READING}`: {{mana: alice 1 colorless}}\n" in text
    (row,) = json.loads(run("disputes", file, "--output", "json").stdout)
    assert row["answers"] == {
        "as_read_here": "several outcomes",
        READING: "{mana: alice 1 colorless}",
    }
