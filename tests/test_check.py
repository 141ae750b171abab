"""Checking a corpus: what is kept, chosen and told."""

from __future__ import annotations

import json
import os
import pty
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from boards import scenario_data, thieves, to_yaml
from click.testing import CliRunner, Result

from verifier import choosing, corpus, kept
from verifier.asp import Literal, Rule
from verifier.cli import main
from verifier.engine import shipped_rules
from verifier.errors import InputError, Position
from verifier.kept import Ruleset, Store
from verifier.terms import Function, Variable

PLAYERS = ("alice", "bob", "carol", "dave", "erin")

CARD = """% Test Ring: an artifact that does nothing.
name(test_ring,"Test Ring").
type(test_ring,artifact).
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own for what is kept."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("VERIFIER_CACHE", str(folder))
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three scenarios: one holds, one fails, one claims nothing."""
    found = tmp_path / "rulings"
    found.mkdir()
    write(found / "two.yaml", 2, claim={"unique": True, "outcomes": [{"drawn": {"alice": 1}}]})
    write(found / "three.yaml", 3, claim={"unique": True})
    write(found / "four.yaml", 4)
    return found


def write(file: Path, players: int, **more: Any) -> None:
    data = scenario_data(thieves(players, 1, 0, 1), PLAYERS) | {"ask": ["drawn"], **more}
    file.write_text(to_yaml(data), encoding="utf-8")


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(main, ["check", *map(str, arguments)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def known(*arguments: str | Path) -> dict[str, bool]:
    """Which scenarios were known already, by the names of their files."""
    rows = json.loads(run(*arguments, "-j", "1", "--output", "json").stdout)
    return {Path(row["name"]).stem: row["known"] for row in rows}


# --- What is told -------------------------------------------------------------------------


def test_a_failure_is_one_line_with_what_was_expected_and_found(folder: Path) -> None:
    result = run(folder, "-j", "1")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        f"no claim  {folder / 'four.yaml'}",
        f"fails  {folder / 'three.yaml'}  expected one outcome; found {{drawn: alice 1}} or "
        "{drawn: bob 1} or {drawn: carol 1}",
        "1 holds, 1 no claim, 1 fails",
    ]


def test_an_error_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text("players: [alice]\ntimeline: [{drow: {player: alice}}]\n", encoding="utf-8")
    result = run(file, "-j", "1")
    assert result.exit_code == 2
    first, last = result.stdout.splitlines()
    assert first.startswith(f"error  {file}  {file}:2:")
    assert "; hint: " in first
    assert last == "1 error"


def test_junit(folder: Path) -> None:
    result = run(folder, "-j", "1", "--output", "junit")
    assert result.exit_code == 1
    root = ElementTree.fromstring(result.stdout)
    assert root.tag == "testsuites"
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("3", "1", "0")
    (suite,) = root.findall("testsuite")
    assert suite.get("name") == str(folder)
    cases = {case.get("name"): case for case in suite.findall("testcase")}
    assert sorted(map(str, cases)) == ["four.yaml", "three.yaml", "two.yaml"]
    failure = cases["three.yaml"].find("failure")
    assert failure is not None
    assert str(failure.get("message")).startswith("expected one outcome; found {drawn: alice 1}")
    assert failure.text == "claimed unique, but there are 3 outcomes"
    assert cases["two.yaml"].find("failure") is None


def test_junit_holds_what_xml_can_hold(tmp_path: Path) -> None:
    file = tmp_path / "odd.yaml"
    file.write_text('players: ["a\\u0001"]\ntimeline: []\n', encoding="utf-8")
    root = ElementTree.fromstring(run(file, "--output", "junit").stdout)
    assert root.get("errors") == "1"


@pytest.mark.skipif(os.name == "nt", reason="terminals")
def test_progress_on_a_terminal(folder: Path) -> None:
    leader, follower = pty.openpty()
    environment = {k: v for k, v in os.environ.items() if k not in ("CI", "NO_COLOR")}
    with subprocess.Popen(
        [sys.executable, "-m", "verifier", "check", str(folder), "-j", "1"],
        stdout=subprocess.PIPE, stderr=follower, env={**environment, "TERM": "xterm"},
    ) as process:  # fmt: skip
        output, _ = process.communicate(timeout=60)
    os.close(follower)
    shown = os.read(leader, 100_000).decode()
    os.close(leader)
    assert "/3" in shown
    assert "a second" in shown
    assert output.endswith(b"1 holds, 1 no claim, 1 fails\n")


# --- What is chosen -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "chosen"),
    [
        ("two", ["two"]),
        ("TWO or four", ["four", "two"]),
        ("not two", ["four", "three"]),
        ("rulings and not (two or three)", ["four"]),
        ("t and not (two or four)", ["three"]),
    ],
)
def test_chosen_by_name(
    folder: Path, expression: str, chosen: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    names = run(folder.name, "-k", expression, "--list").stdout.splitlines()
    assert [Path(name).stem for name in names] == chosen


@pytest.mark.parametrize("expression", ["", "and", "two or", "(two", "two)", "not", "two three"])
def test_no_expression(expression: str) -> None:
    with pytest.raises(InputError, match="-k cannot be"):
        choosing.by_name(expression)


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", "-C", folder, *identity, *arguments], check=True, capture_output=True)


@pytest.fixture
def repository(folder: Path) -> Path:
    """The three scenarios and a card of one's own that one of them uses, committed."""
    cards = folder / "cards"
    cards.mkdir()
    (cards / "test_ring.lp").write_text(CARD, encoding="utf-8")
    data = scenario_data(thieves(2, 1, 0, 1), PLAYERS)
    data["battlefield"].append({"card": "Test Ring", "controller": "alice"})
    (folder / "two.yaml").write_text(to_yaml(data), encoding="utf-8")
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "first")
    return folder


def changed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is chosen, as if nothing in the rules and this package had changed."""
    monkeypatch.setattr(choosing, "_own_folders", list)
    cards = [folder / "cards"]
    found = choosing.changed_since(corpus.find([folder]), "HEAD", cards)
    return [Path(name).stem for name in found]


def test_chosen_by_what_has_changed(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert changed(repository, monkeypatch) == []
    write(repository / "three.yaml", 2)
    write(repository / "five.yaml", 5)
    assert changed(repository, monkeypatch) == ["five", "three"]
    (repository / "cards" / "test_ring.lp").write_text(CARD + "% More.\n", encoding="utf-8")
    assert changed(repository, monkeypatch) == ["five", "three", "two"]


def test_changed_rules_concern_all(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = repository / "rules"
    rules.mkdir()
    (rules / "one.lp").write_text("a.\n", encoding="utf-8")
    monkeypatch.setattr(choosing, "_own_folders", lambda: [rules])
    found = list(choosing.changed_since(corpus.find([repository]), "HEAD"))
    assert [Path(name).stem for name in found] == ["four", "three", "two"]


def test_no_such_revision(repository: Path) -> None:
    result = run(repository, "--changed-since", "nonsense")
    assert result.exit_code == 2
    assert "has no revision `nonsense`" in result.stderr


def test_no_repository(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "_own_folders", list)
    result = run(folder, "--changed-since", "HEAD")
    assert result.exit_code == 2
    assert "error: " in result.stderr


# --- What is kept -------------------------------------------------------------------------


def test_a_second_run_does_what_has_changed(folder: Path) -> None:
    assert known(folder) == {"four": False, "three": False, "two": False}
    assert known(folder) == {"four": True, "three": True, "two": True}
    write(folder / "three.yaml", 3, claim={"unique": False})
    assert known(folder) == {"four": True, "three": False, "two": True}
    assert known(folder, "--fresh") == {"four": False, "three": False, "two": False}


def test_a_known_result_is_the_same(folder: Path) -> None:
    first, second = (json.loads(run(folder, "--output", "json").stdout) for _ in range(2))
    assert [row | {"known": True} for row in first] == second


def test_no_cache(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERIFIER_CACHE", "")
    for _ in range(2):
        assert not any(known(folder).values())


def test_a_card_that_has_changed(repository: Path) -> None:
    cards = ("--cards", repository / "cards")
    assert known(repository, *cards)["two"] is False
    assert known(repository, *cards)["two"] is True
    (repository / "cards" / "test_ring.lp").write_text(CARD + "% More.\n", encoding="utf-8")
    assert known(repository, *cards) == {"four": True, "three": True, "two": False}


def test_a_result_is_not_known_with_fewer_states(folder: Path) -> None:
    assert known(folder / "three.yaml") == {"three": False}
    assert known(folder / "three.yaml", "--max-states", "1") == {"three": False}
    assert known(folder / "three.yaml") == {"three": True}


def test_what_is_undecided_or_wrong_is_not_kept(folder: Path) -> None:
    (folder / "wrong.yaml").write_text("players: [alice]\ntimeline: [7]\n", encoding="utf-8")
    for _ in range(2):
        assert not any(known(folder, "--max-states", "1", "-k", "three or wrong").values())


def test_a_damaged_file_is_begun_anew(folder: Path, cache: Path) -> None:
    known(folder)
    (file,) = cache.glob("*.sqlite")
    file.write_bytes(b"nonsense" * 1000)
    assert not any(known(folder).values())
    assert all(known(folder).values())


def test_runs_side_by_side(folder: Path) -> None:
    command = [sys.executable, "-m", "verifier", "check", str(folder), "-j", "1"]
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(3)
    ]
    outputs = [process.communicate(timeout=120) for process in running]
    assert len(set(outputs)) == 1
    assert outputs[0][1] == b""
    assert all(known(folder).values())


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_nothing_is_lost_when_it_is_killed(tmp_path: Path, cache: Path) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for players in range(2, 14):
        data = scenario_data(
            thieves(players, 1, 0, 1), tuple(f"player_{n}" for n in range(players))
        )
        (folder / f"{players}.yaml").write_text(to_yaml(data), encoding="utf-8")
    command = [sys.executable, "-m", "verifier", "check", str(folder), "-j", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as process:
        deadline = time.monotonic() + 60
        while not rows(cache) and time.monotonic() < deadline:
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGKILL)
    done = rows(cache)
    assert done
    found = known(folder)
    assert sum(found.values()) == len(done)
    assert all(known(folder).values())


def rows(cache: Path) -> list[Any]:
    for file in cache.glob("*.sqlite"):
        try:
            with sqlite3.connect(file) as base:
                return base.execute("SELECT key FROM results").fetchall()
        except sqlite3.OperationalError:
            pass
    return []


# --- Rules that change --------------------------------------------------------------------


def rule(head: str, *required: tuple[str, tuple[Any, ...]]) -> Rule:
    """A rule that is not there: its head is an atom without arguments."""
    body = tuple(Literal(name, arguments, True) for name, arguments in required)
    said = ", ".join(str(Function(name, arguments)) for name, arguments in required)
    return Rule(f"{head} :- {said}." if said else f"{head}.", Position("x", 1, 1), head, (), body)


@pytest.fixture
def rules(monkeypatch: pytest.MonkeyPatch) -> list[Rule]:
    """The rules as they are for the store; a test may change the list."""
    found = list(shipped_rules())
    now: list[Ruleset] = []

    def current() -> Ruleset:
        ident = kept.short(" ".join(rule.text for rule in found))
        if not now or now[-1].id != ident:
            ruleset = Ruleset(ident)
            ruleset.__dict__["rules"] = {kept.short(rule.text): rule for rule in found}
            now.append(ruleset)
        return now[-1]

    monkeypatch.setattr(Ruleset, "current", current)
    return found


def used(folder: Path) -> tuple[str, list[int]]:
    """A scenario, and the numbers of the rules that could fire in it."""
    _, basis = corpus.check_and_tell(str(folder / "two.yaml"), corpus.How())
    assert basis is not None
    return str(folder / "two.yaml"), list(basis.fired)


def is_known(name: str) -> bool:
    store = Store.open()
    assert store is not None
    try:
        return name in store.find([name], 1000)
    finally:
        store.close()


def test_a_rule_that_cannot_fire_changes_nothing(folder: Path, rules: list[Rule]) -> None:
    name, fired = used(folder)
    corpus.run([name], corpus.How())
    assert is_known(name)
    rules.append(rule("new", ("no_such_predicate", (Variable("X"),))))
    assert is_known(name)
    rules.insert(0, rule("newer", ("player", ("nobody",))))
    assert is_known(name)
    idle = next(n for n in range(100, len(rules)) if n not in {f + 1 for f in fired})
    old = rules.pop(idle)
    spoken = {shape for r in rules for shape in (r.predicate, *r.body_predicates)}
    assert is_known(name) == ({old.predicate, *old.body_predicates} <= spoken)


def test_a_rule_that_can_fire_changes_the_result(folder: Path, rules: list[Rule]) -> None:
    name, _ = used(folder)
    corpus.run([name], corpus.How())
    rules.append(rule("new", ("player", ("alice",))))
    assert not is_known(name)
    rules[-1] = rule("new")
    assert not is_known(name)


def test_a_rule_that_fired_and_is_gone_changes_the_result(folder: Path, rules: list[Rule]) -> None:
    name, fired = used(folder)
    corpus.run([name], corpus.How())
    removed = rules.pop(fired[len(fired) // 2])
    assert not is_known(name)
    rules.append(removed)
    assert is_known(name), "the order of the rules does not matter"


# --- Processes that are killed ------------------------------------------------------------


def _killed_by_three(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_a_killed_process_costs_only_what_killed_it() -> None:
    numbers = list(range(8))
    found = dict(corpus.each_done(_killed_by_three, numbers, 2))
    assert found == {n: None if n == 3 else n * n for n in numbers}
