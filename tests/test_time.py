"""Checkpoints, loops, long timelines, and what cannot be done at some time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from boards import to_yaml
from click.testing import CliRunner

from verifier import Graph, InputError, Scenario, UndecidedError, explore
from verifier.claims import check_claim, describe
from verifier.cli import main
from verifier.errors import IllegalActionError
from verifier.report import proof

PLAYERS = {"players": ["alice", "bob"]}


def may(player: str) -> dict[str, Any]:
    """The player may gain a life."""
    return {"resolve": {"player": player, "does": [{"may": {"gain_life": 1}}]}}


def gains(player: str, number: int = 1) -> dict[str, Any]:
    """The player gains life."""
    return {"resolve": {"player": player, "does": [{"gain_life": number}]}}


def explored(data: dict[str, Any], cards: Path | None = None, **limits: Any) -> Graph:
    return explore(
        Scenario.from_text(to_yaml(PLAYERS | data), cards=[cards] if cards else ()), **limits
    )


# --- Checkpoints ------------------------------------------------------------------------------

TWO_CHOICES = {
    "timeline": [may("alice"), {"observe": "first"}, may("bob"), {"observe": "second"}],
    "ask": ["life_gained"],
}


def shown(graph: Graph) -> list[str]:
    return [describe(result.outcome) for result in graph.outcomes]


def test_an_outcome_has_a_row_for_each_checkpoint() -> None:
    graph = explored(TWO_CHOICES)
    assert [result.outcome for result in graph.outcomes][-1] == {
        "at": {"first": {}, "second": {}},
    }
    assert shown(graph)[0] == (
        "at first (life_gained: alice 1); at second (life_gained: alice 1, bob 1); "
        "life_gained: alice 1, bob 1"
    )
    assert [result.orders for result in graph.outcomes] == [1, 1, 1, 1]


def test_equal_rows_are_one_state() -> None:
    """Thirty choices of which the checkpoints show nothing: what was gained so far matters."""
    timeline = [part for i in range(30) for part in (may("alice"), {"observe": f"c{i}"})]
    graph = explored({"timeline": timeline, "ask": ["drawn"]})
    assert len(graph.outcomes) == 1
    assert graph.orders_count == 2**30
    assert graph.states <= 31 * 32 / 2 + 1


def test_without_ask_a_row_shows_what_changed() -> None:
    graph = explored({"timeline": [gains("alice"), {"observe": "x"}, gains("bob")]})
    (result,) = graph.outcomes
    assert result.outcome["at"] == {"x": {"life": {"alice": 21}, "life_gained": {"alice": 1}}}
    assert result.outcome["life_gained"] == {"alice": 1, "bob": 1}


def test_a_checkpoint_with_other_observables() -> None:
    graph = explored(
        {
            "timeline": [gains("alice"), {"observe": {"name": "x", "ask": ["life"]}}],
            "ask": ["life_gained"],
        }
    )
    (result,) = graph.outcomes
    assert result.outcome == {
        "at": {"x": {"life": {"alice": 21, "bob": 20}}},
        "life_gained": {"alice": 1},
    }


def test_what_could_still_be_made_at_a_checkpoint() -> None:
    forest = {"card": "Forest", "controller": "alice", "id": "forest"}
    graph = explored(
        {
            "battlefield": [forest],
            "timeline": [
                {"observe": "before"},
                {"tap_for_mana": {"player": "alice", "object": "forest"}},
                {"begin": "end"},
            ],
            "ask": ["mana_options"],
        }
    )
    (result,) = graph.outcomes
    assert result.outcome["at"] == {"before": {"mana_options": {"alice": [{"green": 1}]}}}


def test_a_checkpoint_after_the_end_is_in_no_outcome() -> None:
    dies = {"resolve": {"player": "bob", "does": [{"may": {"lose_life": 20}}]}}
    graph = explored(
        {
            "timeline": [dies, {"observe": "later"}],
            "ask": ["lost"],
            "claim": {
                "unique": False,
                "possible": [{"at": {"later": {"lost": {"bob": False}}}}],
                "never": [{"at": {"later": {"lost": {"bob": True}}}}],
            },
        }
    )
    assert sorted("at" in result.outcome for result in graph.outcomes) == [False, True]
    assert check_claim(graph).holds


def test_claims_compare_only_what_is_named() -> None:
    wanted = {"at": {"second": {"life_gained": {"alice": 1}}}}
    graph = explored(
        TWO_CHOICES
        | {
            "claim": {
                "possible": [wanted],
                "never": [{"at": {"first": {"life_gained": {"bob": 1}}}}],
                "always": [{"at": {"first": {}}}],
                "can_force": {"player": "alice", "outcome": wanted},
            }
        }
    )
    assert check_claim(graph).failures == []
    assert not graph.can_force("bob", wanted)
    with pytest.raises(InputError, match="unknown checkpoint `third`"):
        graph.can_force("alice", {"at": {"third": {"life_gained": {"alice": 1}}}})


def test_exactly_looks_at_checkpoints_too() -> None:
    claim = {"exactly": True, "outcomes": [{"life_gained": {"alice": 1}}]}
    board = {"timeline": [gains("alice"), {"observe": "x"}], "ask": ["life_gained"]}
    assert check_claim(explored(board | {"claim": claim})).holds is False


def test_explain_and_orders_know_checkpoints() -> None:
    graph = explored(TWO_CHOICES)
    for result in graph.outcomes:
        assert graph.explain(result)
    assert len(list(graph.orders())) == 4
    assert {describe(outcome) for outcome, _ in graph.orders()} == set(shown(graph))


def test_a_table_in_text_and_in_notebooks() -> None:
    graph = explored(TWO_CHOICES)
    lines = [line.split() for line in proof(graph)]
    assert ["life_gained", "life_gained"] in lines
    assert ["alice", "bob"] in lines
    assert ["first", "1", "-"] in lines
    assert ["end", "1", "1"] in lines
    assert "<th>life_gained: alice</th>" in graph._repr_html_()
    assert "<td>second</td><td>1</td><td>1</td>" in graph._repr_html_()


# --- Loops ------------------------------------------------------------------------------------

CARDS = {
    "ebb": ("gain_life", "you, lose_life(1)"),
    "flow": ("lose_life", "you, gain_life(1)"),
    "eddy": ("lose_life", "you, may(gain_life(1))"),
    "chorus": ("gain_life", "each_opponent, gain_life(1)"),
}


@pytest.fixture
def cards(tmp_path: Path) -> Path:
    """Cards that trigger on changes of life."""
    for card, (event, step) in CARDS.items():
        text = [
            f"% {card}: a change of life after another.",
            f'name({card}, "{card}").',
            f"type({card}, enchantment).",
            f"trigger({card}, 1, on({event}), you).",
            f"effect_step({card}, 1, 1, {step}).",
        ]
        (tmp_path / f"{card}.lp").write_text("\n".join(text) + "\n", encoding="utf-8")
    return tmp_path


def loop(cards: Path, *names: str, entry: Any = None, **more: Any) -> Graph:
    """Alice controls the cards (of two copies bob has one), and gains life."""
    board = [
        {"card": name, "controller": "bob" if name in names[:place] else "alice"}
        for place, name in enumerate(names)
    ]
    data = {"battlefield": board, "timeline": [entry or gains("alice")], "ask": ["life"]}
    return explored(data | more, cards, max_states=2000)


def test_two_triggers_that_feed_each_other(cards: Path) -> None:
    graph = loop(cards, "ebb", "flow", claim={"loop": True})
    assert (graph.verdict, graph.orders_count) == ("loop", None)
    assert check_claim(graph).holds
    resolving = [s.item for s in graph.loop if s.item.startswith("resolving(")]
    assert len(resolving) == 2, "a round is each trigger once"
    document = graph.to_dict()
    assert next(step["text"] for step in document["loop"]) == "alice gains 1 life"
    assert document["outcomes"] == [{"loop": {"game": True}, "orders": None}]
    assert "  again and again, without end:" in list(proof(graph))
    json.dumps(document)


def test_a_loop_in_which_life_grows(cards: Path) -> None:
    graph = loop(cards, "chorus", "chorus", claim={"loop": True})
    assert graph.verdict == "loop"
    assert check_claim(graph).holds
    assert graph.explain(graph.outcomes[0])
    assert "119.3" in graph.rules


def test_what_grows_is_no_loop_if_it_ends(cards: Path) -> None:
    """Bob's life goes down until he has lost."""
    text = "effect_step(drain, 1, 1, each_opponent, lose_life(1))."
    flow = (
        "trigger(drain, 2, on(lose_life), opponent).\neffect_step(drain, 2, 1, you, gain_life(1))."
    )
    head = (
        'name(drain, "drain").\ntype(drain, enchantment).\ntrigger(drain, 1, on(gain_life), you).'
    )
    (cards / "drain.lp").write_text(f"% drain: life.\n{head}\n{text}\n{flow}\n", encoding="utf-8")
    graph = loop(cards, "drain", state={"bob": {"life": 400}})
    assert graph.verdict == "unique"
    assert graph.loop == []
    assert graph.outcomes[0].outcome == {"life": {"alice": 420}}


def test_a_loop_that_a_player_can_leave_is_none(cards: Path) -> None:
    graph = loop(cards, "ebb", "eddy", claim={"loop": False})
    assert (graph.verdict, graph.loop) == ("unique", [])
    assert check_claim(graph).holds


def test_a_loop_that_a_player_may_begin(cards: Path) -> None:
    claims = [{"loop": True}, {"loop": False}]
    graphs = [loop(cards, "ebb", "flow", entry=may("alice"), claim=c) for c in claims]
    assert [check_claim(graph).holds for graph in graphs] == [False, False]
    (graph, _) = graphs
    assert graph.verdict == "several"
    assert graph.loop
    frame = graph.to_dataframe()
    assert frame["life.alice"].isna().tolist() == [False, True]
    assert frame["loop.game"].tolist() == [False, True]
    assert frame["orders"].tolist() == [None, None]
    claim = {"outcomes": [{"loop": {"game": True}}, {"life": {"alice": 20}}]}
    assert check_claim(loop(cards, "ebb", "flow", entry=may("alice"), claim=claim)).holds
    with pytest.raises(UndecidedError):
        list(graph.orders())


# --- Long timelines ---------------------------------------------------------------------------


def test_a_timeline_of_200_steps() -> None:
    timeline = [part for i in range(100) for part in (gains("alice"), {"observe": f"c{i}"})]
    graph = explored({"timeline": timeline, "ask": ["life"]})
    (result,) = graph.outcomes
    assert result.outcome["at"]["c99"] == {"life": {"alice": 120, "bob": 20}}
    assert graph.states <= 5, "nothing is chosen"


# --- What cannot be done ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("timeline", "place", "message"),
    [
        (
            "- hold: {cast: {player: alice, object: bolt, free: true, targets: [bob]}}\n"
            "- cast: {player: alice, object: divination, free: true}\n",
            "10:3",
            "`cast` is not possible for divination: stack not empty",
        ),
        (
            "- tap_for_mana: {player: alice, object: sol_ring_1}\n"
            "- observe: tapped\n"
            "- tap_for_mana: {player: alice, object: sol_ring_1}\n",
            "11:3",
            "`tap_for_mana` is not possible for sol_ring_1: tapped (CR 107.5)",
        ),
        (
            "- leave: alice\n- tap_for_mana: {player: alice, object: sol_ring_1}\n",
            "10:3",
            "`tap_for_mana` is not possible for alice: left the game (CR 104.5)",
        ),
    ],
    ids=["sorcery with a spell on the stack", "tapped", "left the game"],
)
def test_illegal_actions(timeline: str, place: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "illegal.yaml"
    file.write_text(
        "players: [alice, bob, carol]\n"
        "battlefield:\n"
        "  - {card: Sol Ring, controller: alice}\n"
        "state:\n"
        "  alice:\n"
        "    hand: [{card: Lightning Bolt, id: bolt}, {card: Divination, id: divination}]\n"
        "ask: [tapped]\n"
        f"timeline:\n{timeline}",
        encoding="utf-8",
    )
    with pytest.raises(IllegalActionError):
        explore(file)
    result = CliRunner().invoke(main, ["prove", str(file)])
    assert result.exit_code == 2
    assert result.stderr.startswith(f"{file}:{place}: error: {message}")


_HEAD = """players: [alice, bob]
timeline:
  - resolve: {player: alice, does: [{draw: 1}]}
  - observe: later
"""


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        (
            "  - observe: later\n",
            "5:14",
            "there are two checkpoints `later`",
            "give each a name of its own",
        ),
        ("  - observe: end\n", "5:5", "`end` cannot be a name here", "a word with a meaning"),
        ("  - observe: {name: any}\n", "5:15", "`any` cannot be a name here", "a word"),
        ("  - observe: Later\n", "5:14", "`Later` is no name", ""),
        ("  - observe: {ask: [drawn]}\n", "5:14", "`observe` lacks `name`", ""),
        (
            "  - observe: {name: x, ask: [drwan]}\n",
            "5:30",
            "unknown observable `drwan`",
            "did you mean `drawn`?",
        ),
        (
            "claim: {always: [{at: {latter: {drawn: {alice: 1}}}}]}\n",
            "5:24",
            "unknown checkpoint `latter`",
            "did you mean `later`? the checkpoints are later",
        ),
        (
            "claim: {always: [{at: {later: {drwan: {alice: 1}}}}]}\n",
            "5:32",
            "unknown observable `drwan`",
            "did you mean `drawn`?",
        ),
        (
            "claim: {always: [{at: {later: {drawn: {alcie: 1}}}}]}\n",
            "5:40",
            "unknown player `alcie`",
            "did you mean `alice`?",
        ),
        (
            "ask: [drawn]\nclaim: {always: [{at: {later: {hand: {alice: 1}}}}]}\n",
            "6:32",
            "the claim speaks of `hand`, which is not asked for",
            "add it to",
        ),
        ("claim: {always: [{at: 3}]}\n", "5:23", "`at` must be a mapping, not 3", ""),
        ("claim: {loop: 3}\n", "5:15", "`loop` must be true or false, not 3", ""),
        (
            "battlefield: [{card: Sol Ring, controller: bob}]\n"
            "claim: {always: [{controller: {sol_ring_1: bobb}}]}\n",
            "6:44",
            "nothing here is called `bobb`",
            "did you mean `bob`?",
        ),
        (
            "battlefield: [{card: Sol Ring, controller: bob}]\n"
            "claim: {always: [{controller: {sol_ring_1: 1}}]}\n",
            "6:44",
            "`controller` is a word, not 1",
            "",
        ),
    ],
)
def test_faults(text: str, place: str, message: str, hint: str, tmp_path: Path) -> None:
    file = tmp_path / "fault.yaml"
    file.write_text(_HEAD + text, encoding="utf-8")
    result = CliRunner().invoke(main, ["prove", str(file)])
    assert result.exit_code == 2, result.output
    first, *rest = result.stderr.splitlines()
    assert first.startswith(f"{file}:{place}: error: {message}"), result.stderr
    assert hint in " ".join(rest)
