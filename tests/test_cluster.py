"""Corpora and explorations on a Dask cluster come out as with local processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")

from test_partition import SCRIBE, choices, written

from verifier import corpus, resources
from verifier.cli import main
from verifier.cluster import Cluster, _Team, connected
from verifier.engine import explore
from verifier.errors import InputError
from verifier.explorer import exploring_by

#: Dask is not ours to warn of.
pytestmark = pytest.mark.filterwarnings("default")

SMALL = ["draw/notion_thief_three_players", "time/three_oblivion_rings"]

CHECKED = """
players: [ann, bob]
battlefield: [{card: Scribe, controller: ann}]
timeline: [{resolve: {player: ann, does: [{gain_life: 2}]}}]
ask: [life, drawn]
claim: {outcomes: [{drawn: {ann: NUMBER}}]}
"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with connected("local:2") as found:
        yield found


def address(cluster: Cluster) -> str:
    return str(cluster.client.scheduler_info()["address"])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Scenarios that hold, fail and are at fault, and a card of the user's own."""
    for name, number in (("right", "4"), ("wrong", "5"), ("fault", "[")):
        text = CHECKED.replace("NUMBER", number)
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "unknown.yaml").write_text(CHECKED.replace("Scribe", "Scribble"), encoding="utf-8")
    (tmp_path / "latin.yaml").write_bytes(b"# \xff\n")
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / "scribe.lp").write_text("% Scribe.\n" + SCRIBE, encoding="utf-8")
    return tmp_path


# --- Corpora ------------------------------------------------------------------------------


def told(results: list[corpus.Checked]) -> list[dict[str, Any]]:
    """What is the same in each run."""
    return [result.to_dict() | {"seconds": 0, "kept": result.outcomes} for result in results]


def test_a_corpus_fares_as_with_local_processes(cluster: Cluster, folder: Path) -> None:
    names = [*SMALL, *map(str, sorted(folder.glob("*.yaml"))), "no/such"]
    how = corpus.How((folder / "cards",), jobs=1, fresh=True)
    there = corpus.run(names, how, cluster=cluster)
    assert told(there) == told(corpus.run(names, how))
    statuses = [result.status for result in there]
    assert statuses == ["holds", "holds", "error", "error", "holds", "error", "fails", "error"]


def test_what_is_exported_is_the_same(cluster: Cluster, tmp_path: Path) -> None:
    files = [str(resources.find_scenario(name)) for name in SMALL]
    there = ["--scheduler", address(cluster)]
    for target, more in (("here", []), ("there", there)):
        done = run("check", *files, "--fresh", "-q", "--export", str(tmp_path / target), *more)
        assert done.exit_code == 0
    written = [
        {file.relative_to(tmp_path / target): file.read_bytes()
         for file in (tmp_path / target).rglob("*.json")}
        for target in ("here", "there")
    ]  # fmt: skip
    assert len(written[0]) == len(SMALL)
    assert written[0] == written[1]


def test_what_was_proved_there_is_known_here(cluster: Cluster, folder: Path) -> None:
    file = folder / "right.yaml"
    file.write_text(f"{file.read_text()}# {folder}\n")
    name = str(file)
    how = corpus.How((folder / "cards",), jobs=1)
    assert [result.known for result in corpus.run([name], how, cluster=cluster)] == [False]
    assert [result.known for result in corpus.run([name], how)] == [True]


def test_ctrl_c_keeps_what_is_done(cluster: Cluster) -> None:
    def progress(_: corpus.Checked) -> None:
        raise KeyboardInterrupt

    results = corpus.run(SMALL, corpus.How(fresh=True), progress, cluster)
    assert sorted(result.status for result in results) == ["holds", "undecided"]


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_a_worker_that_is_killed_costs_nothing(cluster: Cluster) -> None:
    names = [*SMALL, "draw/notion_thief_two_players"] * 2
    killed: list[int] = []

    def progress(_: corpus.Checked) -> None:
        if not killed:
            killed.append(kill_one(cluster))

    results = corpus.run(names, corpus.How(fresh=True), progress, cluster)
    assert killed
    assert {result.status for result in results} == {"holds"}


def kill_one(cluster: Cluster) -> int:
    """End the process of a worker."""
    number = next(iter(cluster.client.run(os.getpid).values()))
    assert number != os.getpid()
    with suppress(ProcessLookupError):
        os.kill(number, signal.SIGKILL)
    return int(number)


# --- One exploration ----------------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_the_graph_is_that_of_one_process_also_if_a_worker_is_killed(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    # One may just be starting anew, and would not take part.
    cluster.client.wait_for_workers(2, timeout=30)
    board = choices(45)
    alone = explore(board)
    killed: list[int] = []
    gather, begun = _Team.gather, []

    def gathered(team: _Team) -> int:
        begun.append(gather(team))
        return begun[-1]

    monkeypatch.setattr(_Team, "gather", gathered)

    def poll(states: int) -> None:
        if states > 300 and not killed:
            killed.append(kill_one(cluster))

    with exploring_by(cluster.exploring(board, ())):
        together = explore(board, poll=poll)
    assert killed
    assert len(begun) == 2, "what was left was begun anew"
    assert alone.states > 900
    assert written(together, explained=False) == written(alone, explained=False)


# --- The command line ---------------------------------------------------------------------


def run(*arguments: str) -> Any:
    return CliRunner().invoke(main, arguments)


def test_prove_and_check_and_sweep(cluster: Cluster, folder: Path) -> None:
    there = ["--scheduler", address(cluster), "-q"]
    found = run("prove", SMALL[0], *there, "--output", "json")
    here = run("prove", SMALL[0], "-q", "--output", "json")
    assert (found.exit_code, here.exit_code) == (0, 0)
    assert json.loads(found.output) | {"seconds": 0} == json.loads(here.output) | {"seconds": 0}
    own = ["--cards", str(folder / "cards")]
    wrong = run("check", str(folder / "wrong.yaml"), *own, *there)
    assert wrong.exit_code == 1
    template = folder / "template.yaml"
    template.write_text(CHECKED.replace("NUMBER", "$number"), encoding="utf-8")
    table = run("sweep", str(template), *own, "--over", "number=3..5", *there, "--output", "csv")
    assert table.exit_code == 1
    assert [line.split(",")[6] for line in table.output.splitlines()[1:]] == [
        "fails",
        "holds",
        "fails",
    ]


@pytest.mark.parametrize(
    ("scheduler", "message"),
    [
        ("tcp://127.0.0.1:1", "no scheduler at tcp://127.0.0.1:1: "),
        ("odd://127.0.0.1:1", "no scheduler at odd://127.0.0.1:1: "),
        ("somewhere", "`somewhere` is no scheduler"),
        ("local:none", "`none` is no number of workers"),
    ],
)
def test_what_is_no_scheduler(
    scheduler: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verifier.cluster.PATIENCE", 0.2)
    result = run("prove", SMALL[0], "--scheduler", scheduler)
    assert result.exit_code == 2
    assert message in result.output
    assert "hint: " in result.output


def test_dask_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    result = run("prove", SMALL[0], "--scheduler", "local")
    assert result.exit_code == 2
    assert "--scheduler needs Dask" in result.output
    assert "ruling-verifier[cluster]" in result.output


def test_a_worker_with_other_encodings_is_refused(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verifier.cluster.installation", lambda: "other")
    result = run("prove", SMALL[0], "--scheduler", address(cluster))
    assert result.exit_code == 2
    assert "has another version of this package, or other encodings" in result.output
    # Also one that joins when the work has begun.
    with pytest.raises(InputError, match="has another version of this package"):
        dict(cluster.each_done(SMALL, corpus.How()))


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_in_a_terminal_ends_it_without_noise() -> None:
    """It reaches the workers, too, which leave it to the first process."""
    process = subprocess.Popen(
        [sys.executable, "-m", "verifier", "check", "--scheduler", "local:2", "--fresh", "-q"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    time.sleep(6)
    os.killpg(process.pid, signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (3, "")
    assert "interrupted" in output
