"""What other engines report, held against the complete sets of legal outcomes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from boards import scenario_data, thieves, to_yaml
from click.testing import CliRunner, Result

from verifier.cli import main
from verifier.judging import NOT_COMPARABLE, RIGHT, WRONG, Legal, judge

THREE = "draw/notion_thief_three_players"


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERIFIER_CACHE", str(tmp_path_factory.getbasetemp() / "judge_cache"))


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(main, list(map(str, arguments)))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def said(tmp_path: Path, rows: Any, *more: str | Path) -> Result:
    file = tmp_path / "results.json"
    file.write_text(rows if isinstance(rows, str) else json.dumps(rows), encoding="utf-8")
    return run("judge", file, *more)


def statuses(tmp_path: Path, *rows: dict[str, Any], name: str = THREE) -> list[tuple[str, str]]:
    """Status and reason of some results about a scenario."""
    result = said(tmp_path, [{"scenario": name, **row} for row in rows], "--output", "json")
    return [(row["status"], row["told"]) for row in json.loads(result.stdout)]


# --- Right and wrong ----------------------------------------------------------------------


def test_right_wrong_and_neither(tmp_path: Path) -> None:
    result = said(
        tmp_path,
        [
            {"scenario": THREE, "outcome": {"drawn": {"alice": 1}}},
            {"scenario": THREE, "outcome": {"drawn": {"bob": 1, "carol": 0}}},
            {"scenario": THREE, "outcome": {"drawn": {"alice": 2}}},
            {"scenario": "draw/no_such_scenario", "outcome": {}},
            {"scenario": THREE, "error": "crashed"},
        ],
    )
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        f"wrong  {THREE}  {{drawn: alice 2}} is not possible; possible: {{drawn: alice 1}} or "
        "{drawn: bob 1} or {drawn: carol 1}",
        "not comparable  draw/no_such_scenario  there is no such scenario",
        f"not comparable  {THREE}  the engine has no outcome: crashed",
        "2 right, 1 wrong, 2 not comparable",
        "2 of 3 legal outcomes seen",
    ]


def test_exit_codes(tmp_path: Path) -> None:
    right = {"scenario": THREE, "outcome": {"drawn": {"alice": 1}}}
    assert said(tmp_path, [right]).exit_code == 0
    assert said(tmp_path, {"results": [right]}).exit_code == 0
    assert said(tmp_path, [right, {"scenario": THREE, "error": "crashed"}]).exit_code == 3
    assert said(tmp_path, []).stdout == "no results\n"


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ({}, "there is no `outcome`"),
        ({"outcome": []}, "there is no `outcome`"),
        ({"outcome": {"hand": {"alice": 1}}}, "`hand` is not recorded; recorded are drawn"),
        ({"outcome": {"drawn": 1}}, "`drawn` says of whom: {alice: ...}"),
        ({"outcome": {"drawn": {"dave": 1}}}, "`drawn` is recorded of alice, bob, carol, not of"),
        ({"outcome": {"drawn": {"alice": "1"}}}, "`drawn` of alice is a whole number"),
        ({"outcome": {"drawn": {"alice": True}}}, "`drawn` of alice is a whole number"),
        ({"outcome": {"at": 7}}, "`at` is an object of checkpoints"),
        ({"outcome": {}, "observed": ["life"]}, "`observed` is a list of these: drawn"),
        ({"outcome": {}, "fingerprint": "0"}, "another version of the scenario"),
    ],
)
def test_not_comparable(tmp_path: Path, row: dict[str, Any], why: str) -> None:
    ((status, told),) = statuses(tmp_path, row)
    assert status == NOT_COMPARABLE
    assert why in told


def test_what_is_undecided_is_not_comparable(tmp_path: Path) -> None:
    rows = [{"scenario": THREE, "outcome": {"drawn": {"alice": 1}}}]
    data = scenario_data(thieves(3, 1, 0, 1), ("alice", "bob", "carol")) | {"ask": ["drawn"]}
    (tmp_path / "three.yaml").write_text(to_yaml(data), encoding="utf-8")
    rows[0]["scenario"] = str(tmp_path / "three.yaml")
    result = said(tmp_path, rows, "--max-states", "1")
    assert result.exit_code == 3
    assert "not comparable" in result.stdout


# --- Forms of values ----------------------------------------------------------------------

OBSERVABLES = {
    "life": {"form": "number", "of": ["alice", "bob"]},
    "lost": {"form": "flag", "of": ["alice", "bob"]},
    "chosen": {"form": "word", "of": ["clone"]},
    "graveyard": {"form": "set", "of": ["alice"]},
    "library": {"form": "sequence", "of": ["alice"]},
    "mana": {"form": "counts", "of": ["alice"]},
    "pools": {"form": "options", "of": ["alice"]},
}


def one(outcome: Any, legal: list[dict[str, Any]], **more: Any) -> str:
    case = Legal("f", legal, OBSERVABLES, more.pop("everything", False))
    (judged,) = judge([{"scenario": "x", "outcome": outcome, **more}], {"x": case})
    return judged.status


@pytest.mark.parametrize(
    ("outcome", "legal", "status"),
    [
        ({"life": {"alice": 3}}, {"life": {"alice": 3}}, RIGHT),
        ({"life": {"alice": 3}}, {"life": {"alice": 3, "bob": 1}}, WRONG),
        ({"life": {"alice": 3, "bob": 0}}, {"life": {"alice": 3}}, RIGHT),
        ({"lost": {"alice": False}}, {}, RIGHT),
        ({"chosen": {"clone": "none"}}, {}, RIGHT),
        ({"chosen": {"clone": "red"}}, {"chosen": {"clone": "blue"}}, WRONG),
        ({"graveyard": {"alice": ["b", "a"]}}, {"graveyard": {"alice": ["a", "b"]}}, RIGHT),
        ({"library": {"alice": ["b", "a"]}}, {"library": {"alice": ["a", "b"]}}, WRONG),
        ({"mana": {"alice": {"red": 2, "blue": 0}}}, {"mana": {"alice": {"red": 2}}}, RIGHT),
        (
            {"pools": {"alice": [{"red": 1}, {"blue": 1}]}},
            {"pools": {"alice": [{"blue": 1}, {"red": 1}]}},
            RIGHT,
        ),
        ({"loop": {"game": True}}, {"loop": {"game": True}}, RIGHT),
        ({"loop": {"game": True}}, {"life": {"alice": 1}}, WRONG),
        (
            {"at": {"then": {"life": {"bob": 0, "alice": 2}}}},
            {"at": {"then": {"life": {"alice": 2}}}},
            RIGHT,
        ),
        ({"at": {}}, {"at": {"then": {"life": {"alice": 2}}}}, WRONG),
    ],
)
def test_values(outcome: Any, legal: dict[str, Any], status: str) -> None:
    assert one(outcome, [legal]) == status


def test_an_engine_that_sees_less() -> None:
    legal = [{"life": {"alice": 3}, "lost": {"bob": True}}]
    assert one({"life": {"alice": 3}}, legal) == WRONG
    assert one({"life": {"alice": 3}}, legal, observed=["life"]) == RIGHT
    assert one({"life": {"alice": 4}}, legal, observed=["life"]) == WRONG
    assert one({"lost": {"bob": True}}, legal, observed=["life"]) == NOT_COMPARABLE


def test_what_does_not_change_is_not_comparable_if_nothing_is_asked_for() -> None:
    legal = [{"life": {"alice": 3}}]
    assert one({"life": {"alice": 3}}, legal, everything=True) == RIGHT
    assert one({"life": {"alice": 3, "bob": 20}}, legal, everything=True) == NOT_COMPARABLE


# --- Files --------------------------------------------------------------------------------


def test_against_what_was_exported(tmp_path: Path) -> None:
    out = tmp_path / "legal"
    result = run("check", "-k", "notion_thief_t", "--export", out, "-j", "1")
    assert result.exit_code == 0
    assert result.stderr.endswith(f" files written to {out}\n")
    document = json.loads((out / f"{THREE}.json").read_text(encoding="utf-8"))
    assert document["exhausted"] is True
    assert document["outcomes"] == [
        {"outcome": {"drawn": {"alice": 1}}, "orders": 2},
        {"outcome": {"drawn": {"bob": 1}}, "orders": 1},
        {"outcome": {"drawn": {"carol": 1}}, "orders": 1},
    ]
    assert "claim" not in document["input"]
    played = [{
        "scenario": document["scenario"], "fingerprint": document["fingerprint"],
        "outcome": row["outcome"],
    } for row in document["outcomes"]]  # fmt: skip
    result = said(tmp_path, played, "--against", out)
    assert result.exit_code == 0
    assert result.stdout == "3 right\n3 of 3 legal outcomes seen\n"


def test_every_exported_outcome_is_right(tmp_path: Path) -> None:
    """Also what was written and read again, whatever the forms of its values."""
    out = tmp_path / "legal"
    run("check", "-k", "miracle or mana/cabal or time/cas", "--export", out, "-j", "2")
    documents = [json.loads(file.read_text("utf-8")) for file in sorted(out.rglob("*.json"))]
    assert len(documents) > 3
    rows = [
        {"scenario": document["scenario"], "outcome": row["outcome"]}
        for document in documents
        for row in document["outcomes"]
    ]
    result = said(tmp_path, rows, "--against", out)
    assert result.stdout.startswith(f"{len(rows)} right\n")


def test_exported_files_have_names_of_their_own(tmp_path: Path) -> None:
    for place in ("a/one", "b/one"):
        file = tmp_path / f"{place}.yaml"
        file.parent.mkdir()
        data = scenario_data(thieves(2, 1, 0, 1), ("alice", "bob"))
        file.write_text(to_yaml(data), encoding="utf-8")
    out = tmp_path / "out"
    run("check", tmp_path / "a", tmp_path / "b", "--export", out)
    assert sorted(p.relative_to(out).as_posix() for p in out.rglob("*.json")) == [
        "a/one.json", "b/one.json",
    ]  # fmt: skip


def test_junit(tmp_path: Path) -> None:
    rows = [
        {"scenario": THREE, "outcome": {"drawn": {"alice": 2}}},
        {"scenario": THREE, "error": "crashed"},
    ]
    root = ElementTree.fromstring(said(tmp_path, rows, "--output", "junit").stdout)
    assert (root.get("failures"), root.get("skipped")) == ("1", "1")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "results.json:1:2: error: not JSON"),
        ("[" * 100_000, "error: nested too deeply"),
        ("7", "a list of results is needed here"),
        ('[{"outcome": {}}]', "result 1 does not name its `scenario`"),
        ('[{"scenario": "x", "outcom": {}}]', "result 1 has the unknown key `outcom`"),
    ],
)
def test_no_results(tmp_path: Path, content: str, told: str) -> None:
    result = said(tmp_path, content)
    assert result.exit_code == 2
    assert told in result.stderr


def test_no_file(tmp_path: Path) -> None:
    assert run("judge", tmp_path / "none.json").exit_code == 2
    assert said(tmp_path, [], "--against", tmp_path / "none").exit_code == 2
    (tmp_path / "exported").mkdir()
    (tmp_path / "exported" / "a.json").write_text("[]", encoding="utf-8")
    result = said(tmp_path, [], "--against", tmp_path / "exported")
    assert result.exit_code == 2
    assert "this is no exported scenario" in result.stderr
