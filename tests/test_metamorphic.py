"""Changes to a scenario that change nothing, or only names.

Here the engine is compared with itself, so these hold for boards that the oracle does not
know as well.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from dataclasses import replace
from typing import Any

from boards import NAMES, Found, found_by_engine, scenario_data
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracle import Board, Copy, Do, DrawStep
from strategies import boards

LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"

_SETTINGS = settings(
    max_examples=int(os.environ.get("METAMORPHIC_EXAMPLES", "500" if LONG else "5")),
    deadline=None,
    derandomize=not LONG,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


# --- Names ----------------------------------------------------------------------------------


def renamed(found: Found, names: dict[str, str]) -> Found:
    """Outcomes with other names of players."""
    return Counter(
        {
            frozenset(((name, names.get(key, key)), value) for (name, key), value in outcome): n
            for outcome, n in found.items()
        }
    )


@given(boards(), st.permutations(NAMES))
@_SETTINGS
def test_names_of_players_do_not_matter(board: Board, names: list[str]) -> None:
    before = found_by_engine(scenario_data(board))
    after = found_by_engine(scenario_data(board, tuple(names)))
    assert after == renamed(before, dict(zip(NAMES, names, strict=True)))


@given(boards(), st.randoms(use_true_random=False))
@_SETTINGS
def test_names_of_permanents_do_not_matter(board: Board, chance: random.Random) -> None:
    data = scenario_data(board)
    before = found_by_engine(data)
    ids = [f"{letter}{number}" for number, letter in enumerate("zyxwvu")]
    chance.shuffle(ids)
    for entry, name in zip(data["battlefield"], ids, strict=False):
        entry["id"] = name
    assert found_by_engine(data) == before


# --- The order of lines, and other ways to write the same -------------------------------------


def shuffled(value: Any, chance: random.Random) -> Any:
    """A mapping with its keys, and those of what is in it, in another order."""
    if isinstance(value, dict):
        keys = list(value)
        chance.shuffle(keys)
        return {key: shuffled(value[key], chance) for key in keys}
    if isinstance(value, list):
        return [shuffled(element, chance) for element in value]
    return value


@given(boards(), st.randoms(use_true_random=False))
@_SETTINGS
def test_order_of_lines_does_not_matter(board: Board, chance: random.Random) -> None:
    data = scenario_data(board)
    before = found_by_engine(data)
    for key in ("battlefield", "effects", "ask"):
        chance.shuffle(data[key])
    assert found_by_engine(shuffled(data, chance)) == before


@given(boards())
@_SETTINGS
def test_a_count_stands_for_as_many_entries(board: Board) -> None:
    data = scenario_data(board)
    before = found_by_engine(data)
    for key in ("battlefield", "effects"):
        counts = Counter(tuple(entry.items()) for entry in data[key])
        data[key] = [{**dict(entry), "count": n} for entry, n in counts.items()]
    assert found_by_engine(data) == before


def test_equal_entries_of_effects_add_up() -> None:
    """Facts are a set: two equal lines of a file must not become one."""
    board = Board(2, (Copy("Words of Wilding", 0),) * 2, ((0, (Do("draw", 3, 0),)),))
    ((outcome, orders),) = found_by_engine(scenario_data(board)).items()
    assert (("bear", "carol"), 2) in outcome
    assert (("drawn", "carol"), 1) in outcome
    assert orders == 2


# --- What cannot apply ------------------------------------------------------------------------

#: They watch draws from an empty library.
_NEVER = ["Laboratory Maniac", "Living Conundrum"]


@given(boards(), st.sampled_from(_NEVER), st.integers(0, 3))
@_SETTINGS
def test_effect_whose_condition_cannot_hold(board: Board, card: str, seat: int) -> None:
    """An effect for an empty library, of a player whose library has no end."""
    seat %= board.players
    board = replace(board, library={**board.library, seat: None})
    more = replace(board, copies=(*board.copies, Copy(card, seat)))
    assert found_by_engine(scenario_data(more)) == found_by_engine(scenario_data(board))


@given(boards(cards=["Notion Thief", "Uba Mask", "Chains of Mephistopheles", "Blood Scrivener"]))
@_SETTINGS
def test_effect_on_an_event_that_never_happens(board: Board) -> None:
    """Nobody gains life here, so what changes a gain of life (and no draw) does nothing."""
    data = scenario_data(board)
    before = found_by_engine(data)
    data["battlefield"].append({"card": "Nefarious Lich", "controller": NAMES[0]})
    assert found_by_engine(data) == before


@given(
    boards(cards=["Notion Thief", "Thought Reflection", "Obstinate Familiar", "Alms Collector"]),
    st.sampled_from(
        [
            "Thought Reflection",
            "Obstinate Familiar",
            "Words of Wilding",
            "Blood Scrivener",
            "Laboratory Maniac",
            "Asmodeus the Archfiend",
        ]
    ),
)
@_SETTINGS
def test_effect_of_a_player_who_never_draws(board: Board, card: str) -> None:
    """A bystander's effects on the bystander's own draws."""
    board = replace(board, timeline=_without_groups(board), life={})
    more = replace(board, players=board.players + 1)
    mine = replace(more, copies=(*more.copies, Copy(card, board.players)))
    ask = {"ask": scenario_data(more)["ask"]}
    assert found_by_engine(scenario_data(mine) | ask) == found_by_engine(scenario_data(more) | ask)


# --- Bystanders -------------------------------------------------------------------------------


def _without_groups(board: Board) -> Any:
    """The timeline with instructions to one player only."""
    return tuple(
        entry
        if isinstance(entry, DrawStep)
        else (
            entry[0],
            tuple(replace(do, who=entry[0] if isinstance(do.who, str) else do.who)
                  for do in entry[1]),
        )
        for entry in board.timeline
    )  # fmt: skip


@given(boards(most_players=3))
@_SETTINGS
def test_bystander_changes_nothing_while_nobody_loses(board: Board) -> None:
    """A further player, last in turn order, with no effects, cards or draws.

    True as long as no instruction names a group of players and nobody loses: a bystander is
    an opponent (and so would be told to draw or discard with the others), and one who is
    still there when all others but one have lost keeps the game going.
    """
    board = replace(
        board, timeline=_without_groups(board), library={}, life={},
        copies=tuple(copy for copy in board.copies if copy.card != "Words of Waste"),
    )  # fmt: skip
    before = found_by_engine(scenario_data(board))
    after = found_by_engine(scenario_data(replace(board, players=board.players + 1)))
    newcomer = NAMES[board.players]
    assert all((("life", newcomer), 20) in outcome for outcome in after)
    assert before == Counter(
        {outcome - {(("life", newcomer), 20)}: orders for outcome, orders in after.items()}
    )


def test_bystander_matters_where_a_game_would_end() -> None:
    """Without a bystander the second draw does not take place: the game is over."""
    timeline = ((0, (Do("draw", 1, 0),)), (1, (Do("draw", 1, 1),)))
    board = Board(2, (), timeline, library={0: 0})
    (alone,) = found_by_engine(scenario_data(board))
    (watched,) = found_by_engine(scenario_data(replace(board, players=3)))
    assert (("won", "alice"), 1) in alone
    assert (("drawn", "alice"), 1) not in alone
    assert (("drawn", "alice"), 1) in watched


def test_bystander_matters_as_an_opponent_with_an_effect() -> None:
    """A further Thief is a further place where a draw can end."""
    pair = Board(2, (Copy("Notion Thief", 0), Copy("Notion Thief", 1)),
                 ((0, (Do("draw", 1, 0),)),))  # fmt: skip
    watched = replace(pair, players=3)
    three = replace(watched, copies=(*pair.copies, Copy("Notion Thief", 2)))
    assert [len(found_by_engine(scenario_data(board))) for board in (pair, watched, three)] == [
        1, 1, 3,
    ]  # fmt: skip


def test_bystander_matters_to_instructions_that_name_a_group() -> None:
    """Each opponent draws: a bystander does as well."""
    board = Board(2, (), ((0, (Do("draw", 1, "each_opponent"),)),))
    (outcome,) = found_by_engine(scenario_data(replace(board, players=3)))
    assert {(("drawn", "alice"), 1), (("drawn", "dave"), 1)} <= outcome
