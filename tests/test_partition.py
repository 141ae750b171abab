"""One exploration by several finds the graph that one process finds, byte for byte."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from verifier import Graph, Scenario
from verifier.certificate import certificate
from verifier.engine import explore
from verifier.errors import IllegalActionError, NumberTooLargeError
from verifier.explorer import exploring_by
from verifier.parcel import CardFiles, Parcel
from verifier.partition import LostError, Member, Team, by_team


def choices(number: int) -> Scenario:
    """So many choices, each of which adds the same to one number."""
    step = "  - resolve: {player: ann, does: [{may: {gain_life: 1}}]}"
    lines = ["players: [ann, bob]", "timeline:", *[step] * number, "ask: [life]"]
    return Scenario.from_text("\n".join(lines))


#: Three players replace each other's draws, of which one is of two cards.
THIEVES = """
players: [ann, bob, cat]
battlefield:
  - {card: Notion Thief, controller: ann}
  - {card: Notion Thief, controller: bob}
  - {card: Notion Thief, controller: cat}
  - {card: Thought Reflection, controller: ann}
timeline:
  - resolve: {player: ann, does: [{draw: 2}]}
ask: [drawn]
"""


class Here:
    """A team in this process, some calls of which are lost."""

    def __init__(self, sizes: Iterator[int] | int, lost: Collection[int] = ()) -> None:
        self._sizes, self._lost = sizes, lost
        self._members: list[Member] = []
        self._calls = 0

    def gather(self) -> int:
        """Begin with new members."""
        size = self._sizes if isinstance(self._sizes, int) else next(self._sizes)
        self._members = [Member() for _ in range(size)]
        return size

    def dismiss(self) -> None:
        """They end with this process."""

    def call(
        self,
        calls: Sequence[tuple[int, str, tuple[Any, ...]]],
        meanwhile: Callable[[], None],
        check: Callable[[], None],
    ) -> list[Any]:
        """Do it one after the other."""
        check()
        self._calls += 1
        meanwhile()
        found = [getattr(self._members[number], name)(*args) for number, name, args in calls]
        if self._calls in self._lost:
            raise LostError("members were lost again and again")
        return found


def together(board: Scenario, team: Team, cards: CardFiles | None = None, **limits: Any) -> Graph:
    with exploring_by(by_team(team, Parcel.of(board), cards or CardFiles())):
        return explore(board, **limits)


def written(graph: Graph, *, explained: bool = True) -> str:
    """Everything that can be written of an exploration."""
    told = graph.to_dict()
    del told["seconds"]
    why = graph.explanation().to_dict() if explained else {}
    moves = [
        [source, move.target, move.orders, repr(move.transition.changes)]
        for source, out in graph.run.moves.items()
        for move in out
    ]
    states = None if graph.explorer.rounds else certificate(graph)
    return json.dumps([told, why, moves, graph.run.terminals, states], indent=1)


#: Choices, and between them what they have led to is written down.
SEEN = """
players: [ann, bob]
timeline:
  - resolve: {player: ann, does: [{may: {gain_life: 1}}, {may: {draw: 1}}]}
  - observe: first
  - resolve: {player: bob, does: [{may: {gain_life: 2}}]}
  - observe: second
  - resolve: {player: ann, does: [{may: {gain_life: 1}}]}
ask: [life, drawn]
"""

BOARDS = {
    "events": Scenario.from_text(THIEVES),
    "checkpoints": Scenario.from_text(SEEN),
    "loop": Scenario.load("time/three_oblivion_rings"),
}


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("members", [1, 2, 5])
def test_the_graph_is_that_of_one_process(
    name: str, members: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Rounds end everywhere, questions are shared out however few they are.
    monkeypatch.setattr("verifier.partition.ROUND", 7)
    monkeypatch.setattr("verifier.partition.FEW", 1)
    board = BOARDS[name]
    assert written(together(board, Here(members))) == written(explore(board))


@pytest.mark.parametrize("name", BOARDS)
def test_members_that_are_lost_lose_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.partition.ROUND", 7)
    board = BOARDS[name]
    sizes = iter([2, 3, 1, 4, 2, 2])
    lost = [1, 6, 11, 19]
    graph = together(board, Here(sizes, lost))
    assert next(sizes) == 2, "all four losses have come"
    assert written(graph) == written(explore(board))


def test_a_loop_in_which_a_number_grows_is_found() -> None:
    board = Scenario.load("life/sanguine_bond_and_exquisite_blood")
    alone, graph = explore(board), together(board, Here(2))
    assert graph.to_dict() | {"seconds": 0} == alone.to_dict() | {"seconds": 0}
    assert (graph.loop, len(graph.explorer.rounds)) == (alone.loop, len(alone.explorer.rounds))


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        ({"max_states": 100}, "state limit reached"),
        ({"time_limit": 0}, "time limit reached"),
    ],
)
def test_limits(limits: dict[str, Any], reason: str) -> None:
    graph = together(choices(40), Here(2), **limits)
    assert (graph.exhausted, graph.limit) == (False, reason)


def test_losing_members_again_and_again_ends_it() -> None:
    graph = together(BOARDS["events"], Here(2, range(100)))
    assert graph.limit == "members were lost again and again, perhaps for lack of memory"


def test_ctrl_c_keeps_what_was_found() -> None:
    def poll(states: int) -> None:
        if states > 20:
            raise KeyboardInterrupt

    graph = together(BOARDS["events"], Here(2), poll=poll)
    assert graph.limit == "interrupted"


SCRIBE = """
name(scribe, "Scribe").
type(scribe, enchantment).
would(scribe, 1, gain_life, you).
instead(scribe, 1, 1, you, draw(times(2))).
"""


@pytest.mark.parametrize(
    ("entry", "error"),
    [
        ("play_land: {player: ann, object: forest_1}", IllegalActionError),
        ("resolve: {player: ann, does: [{gain_life: 2000000000}]}", NumberTooLargeError),
    ],
)
def test_errors_are_those_of_one_process(
    entry: str, error: type[Exception], tmp_path: Path
) -> None:
    (tmp_path / "scribe.lp").write_text(SCRIBE, encoding="utf-8")
    lines = [
        "players: [ann, bob]",
        "battlefield:",
        "  - {card: Scribe, controller: ann}",
        "  - {card: Forest, controller: ann}",
        f"timeline: [{{{entry}}}]",
        "ask: [life, drawn]",
    ]
    board = Scenario.from_text("\n".join(lines), cards=tmp_path)
    with pytest.raises(error) as alone:
        explore(board)
    with pytest.raises(error) as found:
        together(board, Here(2), cards=CardFiles.read([tmp_path]))
    assert str(found.value) == str(alone.value)
