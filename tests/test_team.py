"""One exploration by several processes of this machine is that of one, also if they are killed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from click.testing import CliRunner
from test_partition import BOARDS, choices, together, written

from verifier.cli import main
from verifier.engine import explore
from verifier.team import Processes

if TYPE_CHECKING:
    import pytest


def test_the_graph_is_that_of_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    # Questions are shared out, several to each, however few they are.
    monkeypatch.setattr("verifier.partition.FEW", 1)
    monkeypatch.setattr("verifier.partition.BATCH", 1)
    team = Processes(2)
    board = BOARDS["checkpoints"]
    assert written(together(board, team)) == written(explore(board))
    assert not team.alive(), "none is left"


def test_a_process_that_is_killed_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.partition.ROUND", 50)
    board = choices(45)
    team = Processes(2)
    gather, begun = team.gather, []
    killed: list[int] = []

    def gathered() -> int:
        begun.append(gather())
        return begun[-1]

    monkeypatch.setattr(team, "gather", gathered)

    def poll(states: int) -> None:
        if states > 300 and not killed:
            process = team.alive()[0]
            process.kill()
            killed.append(states)

    graph, alone = together(board, team, poll=poll), explore(board)
    assert killed
    assert begun == [2, 2], "what was left was begun anew"
    assert alone.states > 900
    assert written(graph, explained=False) == written(alone, explained=False)


def test_ctrl_c_ends_the_processes() -> None:
    def poll(states: int) -> None:
        if states > 20:
            raise KeyboardInterrupt

    team = Processes(2)
    assert together(BOARDS["events"], team, poll=poll).limit == "interrupted"
    assert not team.alive()


def run(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["prove", "-q", *arguments])


def test_prove_with_jobs() -> None:
    name = "draw/notion_thief_three_players"
    found, here = (run(name, "--output", "json", "-j", number) for number in "21")
    assert (found.exit_code, here.exit_code) == (0, 0)
    assert json.loads(found.output) | {"seconds": 0} == json.loads(here.output) | {"seconds": 0}


def test_errors_are_those_of_one_process() -> None:
    result = run("no/such", "-j", "2")
    assert result.exit_code == 2
    assert "no/such" in result.output
