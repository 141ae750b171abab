"""Explanations: walkthroughs, what separates, forces and prevents outcomes."""

from __future__ import annotations

import json
import random
import re
from itertools import chain, combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result

from verifier import InputError, NoSuchOutcomeError, Scenario, UndecidedError, explore, resources
from verifier.answers import Answer, Edge, Leaf
from verifier.cli import main
from verifier.errors import VerifierError
from verifier.explaining.games import Game, forceable, smallest
from verifier.explaining.removals import removals
from verifier.graph import Graph
from verifier.vocabulary import Vocabulary, shipped_words

THREE_THIEVES = "draw/notion_thief_three_players"


def of(text: str) -> Graph:
    return explore(Scenario.from_text(text))


def drawing(cards: str, entry: str = "{player: alice, does: [{draw: 2}]}", more: str = "") -> Graph:
    return of(
        f"players: [alice, bob]\nbattlefield:\n{cards}timeline:\n  - resolve: {entry}\n"
        f"ask: [drawn]\n{more}"
    )


SPIRIT = "  - {card: Spirit of the Labyrinth, controller: bob}\n"
NARSET = '  - {card: "Narset, Parter of Veils", controller: bob}\n'
THIEF = "  - {card: Notion Thief, controller: bob}\n"


# --- Walkthroughs ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        THREE_THIEVES,
        "draw/plagiarize_on_oneself",
        "mana/damping_sphere_contamination_and_mana_reflection",
        "mana/two_damping_spheres_with_two_multipliers_on_a_forest",
        "time/nabber_dies",
    ],
)
def test_walkthroughs_cover_every_step(name: str) -> None:
    graph = explore(name)
    explanation = graph.explanation()
    assert [walk.number for walk in explanation.walkthroughs] == [
        *range(1, len(graph.outcomes) + 1)
    ]
    for walk, result in zip(explanation.walkthroughs, graph.outcomes, strict=True):
        assert walk.result == result
        assert [told.step for told in walk.steps] == graph.explain(result)
        for told in walk.steps:
            assert told.step.label in [a.label for a in told.alternatives]
            cited = {r.rule for r in (*told.because, *told.withheld)} | {*told.step.rules}
            assert cited | ({told.decides} if told.decides else set()) <= resources.rule_numbers()
            applied = told.step.label.removeprefix("apply(")[:-1]
            if told.step.label.startswith("apply("):
                assert applied in {reason.effect for reason in told.because}
                assert applied not in {reason.effect for reason in told.withheld}
    text = "\n".join(explanation.lines())
    assert all(f"outcome {n}: " in text for n in range(1, len(graph.outcomes) + 1))
    assert json.dumps(explanation.to_dict(), sort_keys=True)


def test_what_is_said_of_an_event() -> None:
    walk = explore(THREE_THIEVES).why({"drawn": {"bob": 1}})
    first, second, third, last = (t for t in walk.steps if t.step.item.startswith("event"))
    assert first.decides == "616.1"
    assert {(r.effect, r.why, r.rule) for r in first.because} == {
        (f"eff(notion_thief,1,{you},any)", why, "614.1")
        for you in ("bob", "carol")
        for why in (f"watches(draw,opponent,{you},alice)", "no_exception(first_in_draw_step)")
    }
    assert third.decides is None, "nothing is left to choose"
    assert [(r.effect, r.why, r.rule) for r in third.withheld] == [
        ("eff(notion_thief,1,carol,any)", "had_its_chance", "614.5")
    ]
    assert [len(told.withheld) for told in (first, second, third, last)] == [0, 0, 1, 2]


def test_an_exception_keeps_an_effect_from_applying() -> None:
    graph = drawing(
        THIEF, "{player: alice, does: [{draw: 1}]}", "turn: {active: alice, step: draw}\n"
    )
    (event,) = (t for t in graph.why(1).steps if t.step.item.startswith("event"))
    assert [(r.why, r.rule) for r in event.withheld] == [("exception(first_in_draw_step)", "614.1")]


def test_what_cannot_happen_is_not_replaced() -> None:
    # CR 614.17c: of two draws the second can't happen, so that it is not replaced.
    graph = drawing("  - {card: Thought Reflection, controller: alice}\n" + SPIRIT)
    withheld = {r.why for told in graph.why(1).steps for r in told.withheld}
    assert "cannot_happen" in withheld


def test_the_choice_that_separates() -> None:
    explanation = explore(THREE_THIEVES).explanation()
    for walk in explanation.walkthroughs:
        assert walk.separating is not None
        assert walk.separating.step.player == "alice"
        assert {a.label: a.outcomes for a in walk.separating.alternatives} == {
            "apply(eff(notion_thief,1,bob,any))": (1, 3),
            "apply(eff(notion_thief,1,carol,any))": (1, 2),
        }
    lines = list(explanation.lines())
    assert "What separates the outcomes:" in lines
    assert "    - applies Notion Thief (bob): outcome 1 or 3" in lines


def test_choices_before_it_do_not_separate() -> None:
    """Which of two cards is discarded makes no difference to what is asked for; a "may" does."""
    graph = of(
        "players: [alice]\n"
        "state: {alice: {hand: [Forest, Island]}}\n"
        "timeline:\n  - resolve: {player: alice, does: [{discard: 1}, {may: {draw: 1}}]}\n"
        "ask: [drawn]\n"
    )
    walk = graph.why({"drawn": {"alice": 1}})
    chosen = [told for told in walk.steps if told.step.player]
    assert [told.separates for told in chosen] == [False, True]
    assert walk.separating is chosen[1]


def test_orders_that_agree() -> None:
    name = "mana/two_damping_spheres_with_two_multipliers_on_a_forest"
    agreement = explore(name).explanation().agreement
    assert agreement is not None
    sphere, reflection, nyxbloom = (
        f"eff({card},1,{you},any)"
        for card, you in (
            ("damping_sphere", "bob"),
            ("mana_reflection", "alice"),
            ("nyxbloom_ancient", "alice"),
        )
    )
    # The Sphere makes one colorless mana of anything; doubled before or after is not the same.
    assert {(p.first, p.second): p.commutes for p in agreement.pairs} == {
        (sphere, reflection): False,
        (sphere, nyxbloom): False,
        (reflection, nyxbloom): True,
    }
    assert len(agreement.commuting) == 1
    assert agreement.at_once == agreement.choices


def test_nothing_to_agree_on() -> None:
    assert explore("draw/notion_thief_two_players").explanation().agreement is None
    assert explore(THREE_THIEVES).explanation().agreement is None


def test_loops_show_the_cycle(tmp_path: Path) -> None:
    for card, event, step in (("ebb", "gain", "lose"), ("flow", "lose", "gain")):
        (tmp_path / f"{card}.lp").write_text(
            f'name({card}, "{card}").\ntype({card}, enchantment).\n'
            f"trigger({card}, 1, on({event}_life), you).\n"
            f"effect_step({card}, 1, 1, you, {step}_life(1)).\n",
            encoding="utf-8",
        )
    text = (
        "players: [alice, bob]\nbattlefield:\n"
        "  - {card: ebb, controller: alice}\n  - {card: flow, controller: alice}\n"
        "timeline:\n  - resolve: {player: alice, does: [{gain_life: 1}]}\nask: [life]\n"
    )
    graph = explore(Scenario.from_text(text, cards=tmp_path))
    assert graph.verdict == "loop"
    (walk,) = graph.explanation().walkthroughs
    assert [told.step for told in walk.again] == graph.loop
    assert "again and again" in "\n".join(graph.explanation().lines())
    assert graph.why({"loop": {"game": True}}).again == walk.again


def test_undecided_is_said() -> None:
    graph = explore("draw/notion_thief_three_players", time_limit=0)
    assert graph.verdict == "undecided"
    assert "Not everything was explored" in "\n".join(graph.explanation().lines())
    with pytest.raises(UndecidedError):
        graph.forceable("alice")
    found = graph.why_not({"drawn": {"alice": 3}})
    assert not found.decided
    assert "undecided" in "\n".join(found.lines())


def test_results_show_themselves() -> None:
    graph = explore(THREE_THIEVES)
    for result in (
        graph.explanation(),
        graph.why(1),
        graph.forceable("alice"),
        graph.why_not({"drawn": {"alice": 2}}, size=1),
    ):
        assert "<pre>" in result._repr_html_()
        assert "\n" not in repr(result)
        assert list(result.lines())
        assert json.dumps(result.to_dict())


# --- Naming outcomes ------------------------------------------------------------------------


def test_a_shortest_way() -> None:
    graph = explore(THREE_THIEVES)
    assert graph.why(2).number == graph.why({"drawn": {"bob": 1}}).number == 2
    assert graph.why(graph.outcomes[1]) == graph.why(graph.outcomes[1].outcome)
    # Several fit: the nearest.
    assert graph.why({"drawn": {"alice": 0}}).number in (2, 3)
    with pytest.raises(NoSuchOutcomeError):
        graph.why({"drawn": {"alice": 2}})
    with pytest.raises(InputError, match="no outcome 4"):
        graph.why(4)
    with pytest.raises(InputError, match="unknown player"):
        graph.why({"drawn": {"dave": 2}})


def test_what_nothing_changed_is_compared() -> None:
    graph = of(
        "players: [alice]\nstate: {alice: {life: 3}}\n"
        "timeline:\n  - resolve: {player: alice, does: [{draw: 1}]}\n"
    )
    assert graph.like({"life": {"alice": 3}}) == [1]
    assert graph.like({"life": {"alice": 0}}) == []


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["explain", *arguments], prog_name="verifier")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--why", "{drawn: {bobb: 1}}"], "--why:1:10: error: unknown player `bobb`"),
        (["--why", "{drawn: {bobb: 1}}"], "hint: did you mean `bob`?"),
        (["--why-not", "{drwn: {bob: 1}}"], "--why-not:1:2: error: unknown observable `drwn`"),
        (["--why-not", "{drwn: {bob: 1}}"], "did you mean `drawn`"),
        (["--why", "{hand: {bob: 1}}"], "add it to `ask: [drawn]`"),
        (["--why", "{drawn: 1}"], "--why:1:9: error:"),
        (["--why", "{drawn: {bob: yes}}"], "--why:1:15: error:"),
        (["--why", "{drawn: {bob: 1}"], "--why:1:"),
        (["--why", "7"], "--why:1:1: error: there is no outcome 7"),
        (["--why", "bob"], "an outcome is a number or a mapping"),
        (["--why", "{at: {later: {drawn: {bob: 1}}}}"], "unknown checkpoint `later`"),
        (["--player", "dave"], "the players are alice, bob, carol"),
        (["--player", "bob", "--why", "1"], "choose one of"),
        (["--size", "0", "--why-not", "1"], "--size"),
    ],
)
def test_bad_input(arguments: list[str], said: str) -> None:
    done = run(THREE_THIEVES, *arguments)
    assert done.exit_code == 2
    assert said in done.output


def test_exit_codes() -> None:
    assert run(THREE_THIEVES).exit_code == 0
    assert run(THREE_THIEVES, "--time-limit", "0").exit_code == 3
    assert run(THREE_THIEVES, "--why", "{drawn: {bob: 1}}").exit_code == 0
    assert run(THREE_THIEVES, "--why", "{drawn: {bob: 2}}").exit_code == 1
    assert run(THREE_THIEVES, "--why", "{drawn: {bob: 1}}", "--time-limit", "0").exit_code == 3
    assert run(THREE_THIEVES, "--player", "bob").exit_code == 0
    possible = run(THREE_THIEVES, "--why-not", "{drawn: {bob: 1}}")
    assert possible.exit_code == 1
    assert "it is possible, as outcome 2" in possible.output
    assert run(THREE_THIEVES, "--why-not", "{drawn: {bob: 2}}", "--time-limit", "0").exit_code == 3


def test_json_documents() -> None:
    for options in ([], ["--player", "bob"], ["--why", "1"], ["--why-not", "1"]):
        document = json.loads(run(THREE_THIEVES, *options, "--output", "json").output)
        assert document["schema_version"] == 1
        assert document["verdict"] == "several"
    document = json.loads(run(THREE_THIEVES, "-n", "1", "--output", "json").output)
    (walk,) = document["walkthroughs"]
    assert walk["separating"] == 2
    step = next(step for step in walk["steps"] if step["number"] == 2)
    assert step["separates"]
    assert step["choice"] == "apply(eff(notion_thief,1,bob,any))"
    assert {reason["rule"] for reason in step["can_apply"]} == {"614.1"}


# --- Games ----------------------------------------------------------------------------------


def random_graph(seed: int) -> Any:
    """A small game: states 0..n with moves of one node each, the last ones final."""
    rng = random.Random(seed)
    size, ends = rng.randint(2, 7), rng.randint(1, 4)
    moves, answers = {}, {}
    for number in range(size):
        loops = rng.random() < 0.3
        low = 0 if loops else number + 1
        targets = [rng.randrange(low, size + ends) for _ in range(rng.randint(1, 3))]
        leaves = [f"leaf{place}" for place in range(len(targets))]
        # Sometimes a second node inside the answer, of another player.
        edges = {"root": [Edge(leaf, leaf, 1) for leaf in leaves]}
        who = {"root": rng.choice("ab"), "inner": rng.choice("ab")}
        if len(leaves) == 3:
            edges = {
                "root": [Edge("in", "inner", 1), Edge(leaves[0], leaves[0], 1)],
                "inner": [Edge(leaf, leaf, 1) for leaf in leaves[1:]],
            }
        answer = Answer("root", edges, {}, who, dict.fromkeys(leaves, Leaf()))
        answers[number] = answer
        moves[number] = [
            SimpleNamespace(target=target, transition=SimpleNamespace(leaves=frozenset([leaf])))
            for target, leaf in zip(targets, leaves, strict=True)
        ]
    for number in range(size, size + ends):
        moves[number] = []
    return SimpleNamespace(
        run=SimpleNamespace(moves=moves, start=0, states=list(range(size + ends))),
        known=lambda state: ("item", SimpleNamespace(answer=answers[state])),
        ends=[[number] for number in range(size, size + ends)],
        outcomes=list(range(ends)),
        exhausted=True,
        scenario=SimpleNamespace(players=["a", "b"]),
        step=Graph.step,
        answers=answers,
    )


def naive(graph: Any, player: str, goal: set[int], by_others: bool = False) -> bool:
    """Whether a goal is forced: the values of the game, improved step by step."""
    value = dict.fromkeys(graph.run.moves, False) | dict.fromkeys(goal, True)

    def at(number: int, node: str) -> bool:
        for move in graph.run.moves[number]:
            if node in move.transition.leaves:
                return value[move.target]
        answer = graph.answers[number]
        mine = (answer.who[node] == player) is not by_others
        return (any if mine else all)(at(number, edge.target) for edge in answer.edges[node])

    for _ in graph.run.moves:
        for number, moves in graph.run.moves.items():
            if moves and number not in goal:
                value[number] = at(number, "root")
    return value[0]


@pytest.mark.parametrize("seed", range(60))
def test_forced_sets_are_the_smallest(seed: int) -> None:
    graph = random_graph(seed)
    first = graph.ends[0][0]
    count = len(graph.outcomes)
    subsets = chain.from_iterable(combinations(range(count), n) for n in range(1, count + 1))
    masks = {
        sum(1 << place for place in subset)
        for subset in subsets
        if naive(graph, "a", {first + place for place in subset})
    }
    assert Game(graph, "a").forced_sets() == sorted(
        smallest(masks), key=lambda mask: (mask.bit_count(), mask)
    )
    assert Game(graph, "a").single() == sum(mask for mask in masks if mask.bit_count() == 1)
    found = forceable(graph, "a")
    assert found.complete
    assert found.prevented == tuple(
        place + 1
        for place in range(count)
        if not naive(graph, "a", {first + place}, by_others=True)
    )
    for forced in found.sets:
        follow(graph, forced, {first + place - 1 for place in forced.outcomes})


def follow(graph: Any, forced: Any, goal: set[int]) -> None:
    """A strategy comes to its goal against everything that the others can do."""
    picks = {(d.state, d.step.node): d.step.target for d in forced.strategy}

    def play(number: int, node: str, before: frozenset[int]) -> None:
        for move in graph.run.moves[number]:
            if node in move.transition.leaves:
                if move.target not in goal:
                    assert graph.run.moves[move.target], "ends elsewhere"
                    assert move.target not in before, "goes round"
                    play(move.target, "root", before | {move.target})
                return
        answer = graph.answers[number]
        edges = answer.edges[node]
        if answer.who[node] == "a" and len(edges) > 1:
            play(number, picks[number, node], before)
            return
        for edge in edges:
            play(number, edge.target, before)

    if 0 not in goal:
        play(0, "root", frozenset([0]))


def test_what_players_can_force() -> None:
    graph = explore(THREE_THIEVES)
    found = {player: graph.forceable(player) for player in graph.scenario.players}
    assert {p: [f.outcomes for f in r.sets] for p, r in found.items()} == {
        "alice": [(1, 2), (1, 3)],
        "bob": [(1, 2)],
        "carol": [(1, 3)],
    }
    assert {p: r.prevented for p, r in found.items()} == {
        "alice": (2, 3),
        "bob": (3,),
        "carol": (2,),
    }
    (decision,) = found["alice"].sets[0].strategy
    assert decision.step.label == "apply(eff(notion_thief,1,carol,any))"
    assert decision.others == ("apply(eff(notion_thief,1,bob,any))",)
    with pytest.raises(InputError, match="unknown player"):
        graph.forceable("dave")


def test_can_force_agrees_with_forceable() -> None:
    graph = explore("draw/notion_thief_three_players")
    for player in graph.scenario.players:
        alone = {f.outcomes[0] for f in graph.forceable(player).sets if len(f.outcomes) == 1}
        for number, result in enumerate(graph.outcomes, start=1):
            assert graph.can_force(player, result.outcome) == (number in alone)


# --- What prevents an outcome ---------------------------------------------------------------


def causes(graph: Graph, pattern: Any, size: int = 2) -> set[frozenset[str]]:
    found = graph.why_not(pattern, size=size)
    assert found.decided
    for cause in found.causes:
        # What is found was seen to be possible.
        again = explore(graph.scenario, without=cause.removals)
        assert again.like(pattern)
    return {frozenset(r.what for r in cause.removals) for cause in found.causes}


def test_one_cause_in_several_guises() -> None:
    assert causes(drawing(SPIRIT), {"drawn": {"alice": 2}}) == {
        frozenset(["lifted(what_cannot_happen)"]),
        frozenset(["ability_of(spirit_of_the_labyrinth,1)"]),
        frozenset(["permanent_there(spirit_of_the_labyrinth_1)"]),
    }


def test_two_causes_together() -> None:
    spirit = {
        "ability_of(spirit_of_the_labyrinth,1)",
        "permanent_there(spirit_of_the_labyrinth_1)",
    }
    narset = {
        "ability_of(narset_parter_of_veils,1)",
        "permanent_there(narset_parter_of_veils_1)",
    }
    found = causes(drawing(SPIRIT + NARSET), {"drawn": {"alice": 2}})
    assert found == {frozenset(["lifted(what_cannot_happen)"])} | {
        frozenset([one, other]) for one in spirit for other in narset
    }


def test_one_of_several_is_enough() -> None:
    """Two Thieves take a draw from each other: whichever rule or Thief is not there."""
    found = causes(explore("draw/notion_thief_two_players"), {"drawn": {"bob": 1}}, 1)
    assert found == {
        frozenset(["lifted(each_effect_once)"]),
        frozenset(["lifted(all_effects_apply)"]),
        frozenset(["permanent_there(notion_thief_1)"]),
    }


def test_interchangeable_things_count_once() -> None:
    graph = drawing(SPIRIT.replace("bob}", "bob, count: 2}"))
    found = causes(graph, {"drawn": {"alice": 2}})
    assert {f for f in found if len(f) == 2} == {
        frozenset(f"permanent_there(spirit_of_the_labyrinth_{n})" for n in (1, 2))
    }


def test_an_exception_or_the_step_prevents() -> None:
    graph = drawing(
        THIEF, "{player: alice, does: [{draw: 1}]}", "turn: {active: alice, step: draw}\n"
    )
    assert causes(graph, {"drawn": {"bob": 1}}, 1) == {
        frozenset(["limit_of(notion_thief,1,except,first_in_draw_step)"]),
        frozenset(["stated(turn(alice,draw))"]),
    }


def test_a_life_total_prevents() -> None:
    graph = of(
        "players: [alice, bob]\nstate: {alice: {life: 1}}\n"
        "timeline:\n  - resolve: {player: alice, does: [{lose_life: 1}]}\nask: [won]\n"
    )
    assert causes(graph, {"won": {"bob": False}}, 1) == {
        frozenset(["lifted(must_lose)"]),
        frozenset(["stated(given(alice,life,1))"]),
    }


def test_why_something_is_illegal() -> None:
    graph = of(
        "players: [alice]\n"
        "battlefield:\n  - {card: Llanowar Elves, controller: alice, summoning_sick: true}\n"
        "timeline:\n  - attempt: {tap_for_mana: {player: alice, object: llanowar_elves_1}}\n"
        "ask: [illegal, mana]\n"
    )
    (cause, other) = graph.why_not({"illegal": {"llanowar_elves_1": []}}, size=1).causes
    assert [(r.kind, r.subrule) for r in cause.removals] == [("rule", "302.6")]
    assert [r.what for r in other.removals] == ["stated(given_sick(llanowar_elves_1))"]


def test_nothing_allows_it() -> None:
    graph = drawing(SPIRIT)
    found = graph.why_not({"drawn": {"alice": 5}}, size=1)
    assert found.decided
    assert not found.causes
    assert list(found.lines())[-1].startswith("no set up to 1 thing left out together allows it")
    assert found.to_dict()["causes"] == []


def test_limits_leave_it_undecided() -> None:
    found = drawing(SPIRIT).why_not({"drawn": {"alice": 5}}, size=1, time_limit=0)
    assert not found.decided
    assert "there may be sets" in list(found.lines())[-1]


def test_nothing_that_is_not_tried_would_allow_it() -> None:
    """One thing in three left out, also of what the search takes for idle."""
    graph = explore("draw/notion_thief_two_players")
    pattern = {"drawn": {"bob": 1}}
    allowing = set()
    for removal in removals(graph.scenario)[::3]:
        try:
            run_without = explore(graph.scenario, without=[removal])
        except VerifierError:
            continue
        if run_without.like(pattern):
            allowing.add(frozenset([removal.what]))
    assert allowing <= causes(graph, pattern, 1)


def test_what_is_left_out_exists() -> None:
    """Each group of rules that can be left out has rules, and a subrule that exists."""
    found = [r for r in removals(explore(THREE_THIEVES).scenario) if r.kind == "rule"]
    assert all(removal.drops for removal in found)
    assert {removal.subrule for removal in found} <= resources.rule_numbers()


def test_parts_of_cards_are_words_of_the_vocabulary() -> None:
    text = resources.encodings("lift.lp").read_text(encoding="utf-8")
    words = Vocabulary(shipped_words()).words("fact")
    for name in ("printed_part", "alone", "keyword_part"):
        listed = [
            w
            for group in re.findall(rf"^{name}\(\((.*)\)\)\.", text, re.M)
            for w in group.split(";")
        ]
        assert listed
        assert set(listed) <= set(words)


def test_no_replacement_effect_needs_no_chance() -> None:
    """A trigger is no effect that applies to an event once (CR 614.5)."""
    scenario = {
        "players": ["alice", "bob"],
        "battlefield": [{"card": "Soul Warden", "controller": "alice"}],
        "state": {"bob": {"hand": ["Grizzly Bears"]}},
        "timeline": [{"enter": {"player": "bob", "objects": ["grizzly_bears_1"]}}],
        "ask": ["life"],
    }
    graph = explore(Scenario.from_text(json.dumps(scenario)))
    causes = graph.why_not({"life": {"alice": 20}}, size=1).causes
    assert causes
    assert not [r for cause in causes for r in cause.removals if r.kind == "rule"]
