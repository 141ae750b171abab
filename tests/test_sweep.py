"""A scenario over parameters: combinations, tables, maps, and what is wrong with a template."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from verifier.cli import main

TEMPLATE = """players: [alice, bob]
battlefield:
  - {card: $first, controller: alice}
  - {card: $second, controller: bob}
timeline:
  - resolve: {player: alice, does: [{draw: 1}]}
ask: [drawn]
"""
CARDS = "Notion Thief,Thought Reflection"


@pytest.fixture
def template(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VERIFIER_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "pairs.yaml"
    file.write_text(TEMPLATE, encoding="utf-8")
    return Path(file.name)


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(main, ["sweep", *map(str, arguments), "-j", "1"])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def both(template: Path, *more: str | Path) -> Result:
    return run(template, "--over", f"first={CARDS}", "--over", f"second={CARDS}", *more)


def test_two_parameters_are_a_map(template: Path) -> None:
    result = both(template)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "outcomes by first (down) and second (across)",
        "                    1  2",
        "Notion Thief        1  1",
        "Thought Reflection  2  1",
        "second: 1 Notion Thief; 2 Thought Reflection",
    ]


def test_unordered_pairs(template: Path) -> None:
    rows = json.loads(both(template, "--unordered", "--output", "json").stdout)
    assert len(rows) == 3


def test_files(template: Path, tmp_path: Path) -> None:
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    for name in ("rows.csv", "rows.json", "rows.parquet"):
        assert both(template, "-o", name).exit_code == 0
    rows = list(csv.DictReader(io.StringIO((tmp_path / "rows.csv").read_text("utf-8"))))
    assert [row["outcomes"] for row in rows] == ["1", "1", "2", "1"]
    assert rows[0]["found"] == "drawn: alice 1"
    assert [row["first"] for row in json.loads((tmp_path / "rows.json").read_text("utf-8"))] == [
        row["first"] for row in rows
    ]
    frame = pd.read_parquet(tmp_path / "rows.parquet")
    assert list(frame["outcomes"]) == [1, 1, 2, 1]


def test_a_heat_map(template: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert both(template, "--map", "map.svg", "--show", "verdict").exit_code == 0
    assert "<svg" in (tmp_path / "map.svg").read_text(encoding="utf-8")


def test_numbers_players_and_lists_of_cards(template: Path, tmp_path: Path) -> None:
    text = TEMPLATE.replace("alice, does: [{draw: 1}]", "$who, does: [{draw: $n}]")
    template.write_text(text.replace("$first", "$card").replace("$second", "$card"), "utf-8")
    (tmp_path / "cards.txt").write_text("# the one\nNotion Thief\n", encoding="utf-8")
    result = run(
        template, "--over", "card=@cards.txt", "--over", "who=players", "--over", "n=1..2",
    )  # fmt: skip
    assert result.stdout.splitlines() == [
        "card          who    n  outcomes",
        "Notion Thief  alice  1  1",
        "Notion Thief  alice  2  1",
        "Notion Thief  bob    1  1",
        "Notion Thief  bob    2  1",
    ]


def test_a_claim_that_fails_somewhere(template: Path) -> None:
    template.write_text(TEMPLATE + "claim: {unique: true}\n", encoding="utf-8")
    assert both(template).exit_code == 1


def test_what_cannot_be_proved_is_told_once(template: Path) -> None:
    result = run(template, "--over", "first=Nothing", "--over", f"second={CARDS}")
    assert result.exit_code == 2
    assert (
        "first=Nothing, second=Notion Thief and 1 more: pairs.yaml:3:12: error: unknown card"
        in (result.stderr)
    )
    assert result.stdout.splitlines()[2].split() == ["Nothing", "!", "!"]


def test_undecided(template: Path) -> None:
    result = both(template, "--max-states", "1")
    assert result.exit_code == 3
    assert "?" in result.stdout


@pytest.mark.parametrize(
    ("over", "told"),
    [
        (["first"], "`first` is no parameter"),
        (["first=,"], "`first=,` has no values"),
        (["first=cards:drawing", "second=1"], "unknown kind of cards `drawing`"),
        (["first=@none.txt"], "cannot read none.txt"),
        (["first=1..99999999"], "more than 20,000 numbers"),
        (["first=1..200", "second=1..200"], "40,000 combinations are more than 20,000"),
        (["first=A"], "pairs.yaml uses $second"),
        (["first=A", "second=B", "third=C"], "pairs.yaml does not use $third"),
        (["first=A", "first=B"], "a parameter is given twice"),
    ],
)
def test_no_parameters(template: Path, over: list[str], told: str) -> None:
    result = run(template, *(word for text in over for word in ("--over", text)))
    assert result.exit_code == 2
    assert told in result.stderr


def test_a_form_that_is_none(template: Path) -> None:
    assert "cannot tell the form of rows.xls" in both(template, "-o", "rows.xls").stderr


def test_no_template(template: Path) -> None:
    template.unlink()
    result = both(template)
    assert result.exit_code == 2
    assert "pairs.yaml:1:1: error: cannot read the file" in result.stderr
