"""The command line: every command, in text and JSON, with its exit codes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from math import factorial
from pathlib import Path
from typing import Any

import pytest
from boards import NAMES, scenario_data, thieves, to_yaml
from click.testing import CliRunner, Result

import verifier
from verifier.cli import main

TWO = "draw/notion_thief_two_players"
THREE = "draw/notion_thief_three_players"

COMMANDS = ["prove", "outcomes", "orders", "graph", "cards", "schema", "facts", "check"]


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, arguments)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def document(*arguments: str, code: int = 0) -> Any:
    """The JSON document that a command prints, and nothing else."""
    result = run(*arguments, "--output", "json")
    assert result.exit_code == code
    assert result.stderr == ""
    return json.loads(result.stdout)


def in_process(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "verifier", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, **environment},
    )


def board(folder: Path, *shape: int, **more: Any) -> str:
    """A file with a board of Notion Thieves."""
    file = folder / f"thieves_{'_'.join(map(str, shape))}.yaml"
    names = NAMES if shape[0] <= len(NAMES) else tuple(f"player_{n}" for n in range(shape[0]))
    file.write_text(to_yaml(scenario_data(thieves(*shape), names) | {"ask": ["drawn"], **more}))
    return str(file)


# --- The program --------------------------------------------------------------------------


def test_version_of_the_module() -> None:
    result = in_process("--version")
    assert result.returncode == 0
    assert result.stdout == f"verifier, version {verifier.__version__}\n"
    assert result.stderr == ""


def test_help_names_every_command_and_exit_code() -> None:
    text = run("--help").stdout
    for command in COMMANDS:
        assert f"\n  {command}" in text
    assert "0 the claim holds" in text


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help(command: str) -> None:
    assert run(command, "--help").exit_code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["prove"],
        ["outcomes"],
        ["nonsense"],
        ["prove", TWO, "--output", "xml"],
        ["prove", TWO, "--max-states", "0"],
        ["prove", TWO, "--time-limit", "-1"],
        ["orders", TWO, "-n", "-1"],
        ["orders", TWO, "-n", "many"],
    ],
)
def test_wrong_usage(arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Usage: " in result.stderr


def test_debug_shows_a_traceback() -> None:
    plain = in_process("prove", "nowhere")
    assert (plain.returncode, plain.stdout) == (2, "")
    assert plain.stderr.startswith("error: no scenario file nowhere\n")
    assert "Traceback" not in plain.stderr
    debug = in_process("--debug", "prove", "nowhere")
    assert debug.stderr.startswith("Traceback")
    assert "UnknownScenarioError" in debug.stderr


def test_output_that_nobody_reads_to_its_end(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "verifier", "orders", "-n", "0", board(tmp_path, 2, 8, 0, 1)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b"   1. ")
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(20) == 0


# --- prove --------------------------------------------------------------------------------


def test_prove_says_what_a_judge_wants_to_know() -> None:
    result = run("prove", TWO)
    assert result.exit_code == 0
    assert result.stderr == ""
    lines = result.stdout.splitlines()
    scenario = verifier.Scenario.load(TWO)
    assert lines[0] == scenario.title
    assert lines[1].startswith(f"{TWO} | ")
    assert "verdict  unique: 1 outcome, 1 order" in lines
    assert "claim    holds" in lines
    assert f"rules    {', '.join(scenario.rules)} (named by the file)" in lines
    outcome = next(place for place, line in enumerate(lines) if line.startswith("outcome 1: "))
    assert lines[outcome].startswith("outcome 1: drawn: ")
    assert lines[outcome].endswith("(1 order)")
    steps = lines[outcome + 1 :]
    assert steps[0].startswith("   1. ")
    assert any(line.endswith("[614.5, 616.1e]") or "616.1" in line for line in steps)


def test_prove_shows_who_chose_what() -> None:
    result = run("prove", THREE)
    assert result.exit_code == 0
    for number in (1, 2, 3):
        assert f"\noutcome {number}: drawn: " in result.stdout
    assert "Notion Thief" in result.stdout
    assert "616.1" in result.stdout


def test_prove_as_json() -> None:
    found = document("prove", THREE)
    assert found["schema_version"] == 1
    assert found["scenario"] == THREE
    assert found["verdict"] == "several"
    assert found["exhausted"] is True
    assert found["limit"] is None
    assert found["claim"] == {"failures": [], "holds": True}
    assert found["orders"] == 4
    assert sorted(row["orders"] for row in found["outcomes"]) == [1, 1, 2]
    assert all(set(row) == {"drawn", "orders"} for row in found["outcomes"])
    assert "616.1e" in found["rules"]
    assert isinstance(found["states"], int)
    assert isinstance(found["seconds"], float)


def test_json_has_sorted_keys_and_the_same_bytes_every_time() -> None:
    first, second = (
        in_process("prove", THREE, "--output", "json", PYTHONHASHSEED=seed).stdout
        for seed in ("1", "2")
    )

    def without_time(text: str) -> list[str]:
        return [line for line in text.splitlines() if '"seconds"' not in line]

    assert without_time(first) == without_time(second)
    assert without_time(first) != first.splitlines()
    loaded = json.loads(first)
    assert first == json.dumps(loaded, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def test_large_numbers_are_exact_in_json(tmp_path: Path) -> None:
    found = document("outcomes", board(tmp_path, 2, 8, 0, 1))
    assert found["orders"] == factorial(8) ** 2
    assert found["outcomes"] == [{"drawn": {"carol": 1}, "orders": factorial(8) ** 2}]


def test_prove_several_files() -> None:
    result = run("prove", TWO, THREE)
    assert result.exit_code == 0
    assert result.stdout.count("claim    holds") == 2
    found = document("prove", TWO, THREE)
    assert [part["scenario"] for part in found] == [TWO, THREE]


def test_a_claim_that_fails_says_what_is_wrong(tmp_path: Path) -> None:
    claim = {"unique": False, "outcomes": [{"drawn": {"alice": 1}}]}
    file = board(tmp_path, 2, 1, 0, 1, claim=claim)
    result = run("prove", file)
    assert result.exit_code == 1
    assert "claim    fails" in result.stdout
    assert "- claimed not unique, but it is" in result.stdout
    assert "- not claimed, but possible: drawn: carol 1" in result.stdout
    assert "- claimed, but not possible: drawn: alice 1" in result.stdout
    found = document("prove", file, code=1)
    assert found["claim"]["holds"] is False
    assert len(found["claim"]["failures"]) == 3
    assert run("prove", TWO, file).exit_code == 1
    assert run("outcomes", file).exit_code == 1


def test_no_claim_is_no_failure(tmp_path: Path) -> None:
    file = board(tmp_path, 3, 1, 0, 1)
    result = run("prove", file)
    assert result.exit_code == 0
    assert "claim    none made" in result.stdout
    assert document("prove", file)["claim"] == {"failures": [], "holds": None}


def test_no_colour_without_a_terminal_or_with_no_color() -> None:
    assert "\x1b" not in run("prove", TWO).stdout
    assert "\x1b" not in in_process("prove", TWO, NO_COLOR="1").stdout


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal")
@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)])
def test_colour_on_a_terminal(no_color: str, coloured: bool) -> None:
    first, second = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "verifier", "prove", TWO],
        stdout=second,
        env={**os.environ, "NO_COLOR": no_color},
    )
    os.close(second)
    text = b""
    while True:
        try:
            part = os.read(first, 4096)
        except OSError:
            break
        if not part:
            break
        text += part
    os.close(first)
    assert process.wait(20) == 0
    assert b"unique" in text
    assert (b"\x1b[" in text) is coloured


# --- outcomes, orders ---------------------------------------------------------------------


def test_outcomes_lists_them_with_their_orders(tmp_path: Path) -> None:
    result = run("outcomes", board(tmp_path, 3, 1, 0, 1))
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "drawn: alice 1  (1 order)",
        "drawn: carol 1  (2 orders)",
        "drawn: dave 1  (1 order)",
        "several: 3 outcomes, 4 orders",
    ]


def test_orders_lists_as_many_as_there_are(tmp_path: Path) -> None:
    file = board(tmp_path, 3, 2, 0, 1)
    result = run("orders", "-n", "0", file)
    assert result.exit_code == 0
    *lines, count = result.stdout.splitlines()
    assert len(lines) == 192
    assert count == "192 orders in all"
    told = [line.partition(". ")[2] for line in lines]
    assert len(set(told)) == 192, "copies are told apart"
    assert "Notion Thief (alice) #2" in result.stdout


def test_orders_as_json(tmp_path: Path) -> None:
    file = board(tmp_path, 3, 1, 0, 1)
    found = document("orders", "-n", "0", file)
    assert found["count"] == 4
    assert found["schema_version"] == 1
    ends = [json.dumps(order["outcome"]) for order in found["orders"]]
    assert sorted(ends.count(end) for end in set(ends)) == [1, 1, 2]
    step = found["orders"][0]["choices"][0]
    assert set(step) == {"player", "choice", "copy", "rules", "text"}
    assert step["player"] == "carol"
    assert len(document("orders", "-n", "2", file)["orders"]) == 2


def test_orders_come_ten_at_a_time(tmp_path: Path) -> None:
    lines = run("orders", board(tmp_path, 3, 2, 0, 1)).stdout.splitlines()
    assert len(lines) == 10 + 1


def test_first_of_very_many_orders_come_at_once(tmp_path: Path) -> None:
    file = board(tmp_path, 2, 8, 0, 1)
    began = time.perf_counter()
    result = run("orders", "-n", "3", file)
    assert time.perf_counter() - began < 5
    *lines, count = result.stdout.splitlines()
    assert len(lines) == 3
    assert count == "1,625,702,400 orders in all"


def test_orders_with_nothing_to_choose() -> None:
    result = run("orders", TWO)
    assert result.stdout == "   1. nothing to choose  ->  drawn: alice 1\n1 order in all\n"


# --- cards, schema, facts, check ----------------------------------------------------------


def test_cards_lists_them() -> None:
    result = run("cards")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    names = [line.partition("  ")[0] for line in lines]
    assert "Notion Thief" in names
    assert names == sorted(names)
    assert result.stderr == f"{len(lines)} cards\n"
    table = document("cards")
    assert [row["name"] for row in table] == names
    assert {"name": "Notion Thief", "constant": "notion_thief", "types": ["creature"]} in table


@pytest.mark.parametrize("name", ["Notion Thief", "notion_thief", "NOTION THIEF"])
def test_cards_shows_one(name: str) -> None:
    result = run("cards", name)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "Notion Thief  creature"
    assert "  would(notion_thief, 1, draw, opponent)." in lines
    assert f"  {TWO}" in lines
    assert any(line.startswith("rules      ") and "614" in line for line in lines)


def test_cards_shows_one_as_json() -> None:
    card = document("cards", "Notion Thief")
    assert card["name"] == "Notion Thief"
    assert TWO in card["scenarios"]
    assert card["summary"]
    assert "instead(notion_thief, 1, 1, you, draw(1))." in card["encoding"]


def test_schema_is_a_json_schema() -> None:
    result = run("schema")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert found["$schema"].startswith("https://json-schema.org/")
    assert found["required"] == ["players", "timeline"]


def test_facts_are_facts() -> None:
    result = run("facts", TWO)
    assert result.exit_code == 0
    assert result.stderr == ""
    lines = result.stdout.splitlines()
    assert "player(alice)." in lines
    assert all(line.endswith(".") for line in lines)


def test_check_a_folder(tmp_path: Path) -> None:
    good = board(tmp_path, 2, 1, 0, 1, claim={"unique": True})
    assert run("check", str(tmp_path)).stdout == "1 holds\n"
    bad = board(tmp_path, 3, 1, 0, 1, claim={"unique": True})
    none = board(tmp_path, 4, 1, 0, 1)
    result = run("check", str(tmp_path), "-j", "2")
    assert result.exit_code == 1
    assert result.stdout.endswith("1 holds, 1 no claim, 1 fails\n")
    assert f"fails  {bad}  expected one outcome; found {{" in result.stdout
    found = document("check", str(tmp_path), "-j", "1", code=1)
    assert [(row["name"], row["status"]) for row in found] == [
        (good, "holds"),
        (bad, "fails"),
        (none, "no claim"),
    ]


def test_check_with_limits(tmp_path: Path) -> None:
    board(tmp_path, 3, 1, 1, 3, claim={"unique": False, "orders": 10_648})
    assert run("check", str(tmp_path)).exit_code == 0
    result = run("check", str(tmp_path), "--max-states", "1")
    assert result.exit_code == 3
    assert "state limit reached: orders" in result.stdout


def test_check_a_folder_without_scenarios(tmp_path: Path) -> None:
    result = run("check", str(tmp_path))
    assert result.exit_code == 2
    assert result.stderr == f"error: no scenario files in {tmp_path}\n  hint: they end in .yaml\n"


def test_check_lists_the_shipped_scenarios() -> None:
    names = run("check", "--list").stdout.splitlines()
    assert TWO in names
    assert names == sorted(names)


# --- Cards of one's own -------------------------------------------------------------------


def test_card_of_ones_own(tmp_path: Path) -> None:
    folder = tmp_path / "cards"
    folder.mkdir()
    (folder / "ledger_keeper.lp").write_text(
        "% Ledger Keeper: drawing several at once becomes one card, and life.\n"
        'name(ledger_keeper, "Ledger Keeper").\n'
        "type(ledger_keeper, creature).\n"
        "would(ledger_keeper, 1, draw_several, any_player).\n"
        "instead(ledger_keeper, 1, 1, that_player, draw(1)).\n"
        "instead(ledger_keeper, 1, 2, you, gain_life(that_many)).\n"
    )
    file = tmp_path / "keeper.yaml"
    file.write_text(
        "players: [alice, bob]\n"
        "battlefield:\n"
        "  - {card: Ledger Keeper, controller: alice}\n"
        "  - {card: Thought Reflection, controller: alice}\n"
        "timeline:\n  - resolve: {player: alice, does: [{draw: 1}]}\n"
        "ask: [drawn, life_gained]\n"
        "claim: {unique: true, outcomes: [{drawn: {alice: 1}, life_gained: {alice: 2}}]}\n"
    )
    own = ["--cards", str(folder)]
    assert run("prove", str(file)).exit_code == 2
    for command in ("prove", "outcomes", "orders", "facts"):
        assert run(command, str(file), *own).exit_code == 0
    assert run("check", str(file), *own).exit_code == 0
    assert "Ledger Keeper  creature" in run("cards", "Ledger Keeper", *own).stdout
    assert "Ledger Keeper" in run("cards", *own).stdout


def test_card_of_ones_own_comes_before_the_shipped_one(tmp_path: Path) -> None:
    (tmp_path / "notion_thief.lp").write_text('name(notion_thief, "Notion-Thief").\n')
    result = run("prove", TWO, "--cards", str(tmp_path), "--output", "json")
    assert json.loads(result.stdout)["outcomes"] == [{"drawn": {"alice": 1}, "orders": 1}]
    assert "Notion-Thief" in run("cards", "--cards", str(tmp_path)).stdout


# --- Limits, progress, Ctrl-C -------------------------------------------------------------


@pytest.mark.parametrize(
    ("limit", "reason"),
    [
        (["--max-states", "100"], "state limit reached"),
        (["--time-limit", "0"], "time limit reached"),
        (["--time-limit", "0.3"], "time limit reached"),
    ],
)
def test_limits(tmp_path: Path, limit: list[str], reason: str) -> None:
    file = board(tmp_path, 4, 1, 1, 30, claim={"unique": False})
    result = in_process("prove", file, *limit)
    assert result.returncode == 3
    assert f"verdict  undecided: {reason}; " in result.stdout
    assert "claim    undecided (unique)" in result.stdout
    printed = in_process("outcomes", file, *limit, "--output", "json")
    assert (printed.returncode, printed.stderr) == (3, "")
    found = json.loads(printed.stdout)
    assert found["verdict"] == "undecided"
    assert found["exhausted"] is False
    assert found["limit"] == reason
    assert found["orders"] is None
    assert found["claim"] == {"failures": [], "holds": None}
    listed = in_process("orders", file, *limit)
    assert (listed.returncode, listed.stdout) == (3, "")
    assert listed.stderr.startswith(f"cannot list the orders: undecided: {reason}; ")


def test_what_was_found_before_a_limit_is_shown(tmp_path: Path) -> None:
    """Some outcomes are known: what they refute has failed, the rest is undecided."""
    file = board(tmp_path, 4, 1, 1, 4, claim={"unique": True})
    found = document("outcomes", file, "--max-states", "2000", code=1)
    assert found["exhausted"] is False
    assert 1 < len(found["outcomes"]) < 425
    assert all(row["orders"] is None for row in found["outcomes"])
    shown = run("prove", file, "--max-states", "2000")
    assert shown.exit_code == 1
    assert "verdict  undecided: state limit reached; " in shown.stdout
    assert "outcome 1: drawn: " in shown.stdout
    assert "\n   1. " in shown.stdout


def test_quiet_and_pipes_leave_stderr_empty(tmp_path: Path) -> None:
    file = board(tmp_path, 4, 1, 1, 30)
    for option in ([], ["-q"]):
        result = in_process("prove", file, "--time-limit", "1.5", *option)
        assert result.returncode == 3
        assert result.stderr == ""


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal")
@pytest.mark.parametrize("quiet", [False, True])
def test_progress_on_a_terminal(tmp_path: Path, quiet: bool) -> None:
    first, second = os.openpty()
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    command = ["prove", board(tmp_path, 4, 1, 1, 30), "--time-limit", "3"]
    process = subprocess.Popen(
        [sys.executable, "-m", "verifier", *command, *(["-q"] if quiet else [])],
        stdout=subprocess.PIPE,
        stderr=second,
        env=environment | {"TERM": "xterm", "COLUMNS": "100"},
    )
    os.close(second)
    output, _ = process.communicate(timeout=60)
    text = b""
    os.set_blocking(first, False)
    while True:
        try:
            part = os.read(first, 65536)
        except OSError:
            break
        if not part:
            break
        text += part
    os.close(first)
    assert process.returncode == 3
    assert b"undecided" in output
    assert b"a second" not in output
    assert (b"states, " in text) is not quiet


def interrupt(arguments: list[str], after: float) -> tuple[int, float, str, str]:
    """Send Ctrl-C to a command: its exit code, the seconds it took to stop, what it says."""
    process = subprocess.Popen(
        [sys.executable, "-m", "verifier", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    time.sleep(after)
    assert process.poll() is None, "it must still be running"
    sent = time.perf_counter()
    os.killpg(process.pid, signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    return process.returncode, time.perf_counter() - sent, output, errors


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize(
    "shape", [(16, 1, 0, 1), (4, 1, 1, 30)], ids=["in one grounding", "among many states"]
)
def test_ctrl_c_stops_at_once_and_says_so(tmp_path: Path, shape: tuple[int, ...]) -> None:
    file = board(tmp_path, *shape)
    code, seconds, output, errors = interrupt(["prove", file, "--output", "json"], 3)
    assert code == 3
    assert seconds < 0.5
    assert errors == ""
    found = json.loads(output)
    assert found["verdict"] == "undecided"
    assert found["limit"] == "interrupted"
    assert found["states"] >= 1


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_while_orders_are_listed(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "verifier", "orders", "-n", "0", board(tmp_path, 2, 8, 0, 1)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b"   1. ")
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=20)
        assert process.returncode == 3
        assert errors == b"interrupted\n"


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_in_a_corpus(tmp_path: Path, jobs: str) -> None:
    for players in (2, 3, 4, 16, 17):
        board(tmp_path, players, 1, 0, 1, claim={"unique": players == 2})
    code, seconds, output, errors = interrupt(
        ["check", str(tmp_path), "-j", jobs], 4 if jobs == "1" else 5
    )
    assert code == 3
    assert seconds < 1
    assert errors == ""
    assert "interrupted" in output
    assert "undecided" in output.splitlines()[-1]
