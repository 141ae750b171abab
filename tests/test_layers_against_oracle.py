"""The layers against CR 613 in plain Python: equal results, equal dependencies.

``HYPOTHESIS_PROFILE=long`` looks at many more boards (and ``ORACLE_EXAMPLES`` says how many).
"""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import pairwise, permutations
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from layer_boards import CHANGES, boards, check, full_boards, result, run
from oracle.layers import Effect, Things, evaluate
from test_against_oracle import LONG

from verifier import Graph

EXAMPLES = int(os.environ.get("ORACLE_EXAMPLES", "2000" if LONG else "80"))


def some(examples: int) -> settings:
    """So many examples in a usual run, and as many as for the others in a long one."""
    return settings(
        max_examples=EXAMPLES if LONG else examples,
        deadline=None,
        derandomize=not LONG,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


@some(80)
@given(full_boards())
def test_the_layers_are_as_the_rules_say(board: tuple[Things, list[Effect]]) -> None:
    check(run(*board), *evaluate(*board))


def said(things: Things) -> frozenset[tuple[str, frozenset[str]]]:
    """What objects are, so that it can be in a set."""
    return frozenset((n, frozenset(t.words | t.abilities)) for n, t in things.items())


def shown(graph: Graph) -> tuple[dict[str, set[str]], dict[str, Any]]:
    """What the objects are in the one final state, and how large creatures are."""
    (outcome,) = graph.outcomes
    return result(graph), outcome.outcome


@some(25)
@given(boards())
def test_all_orders_are_explored_where_timestamps_are_open(
    board: tuple[Things, list[Effect]],
) -> None:
    things, effects = board
    effects = effects[:3]
    # (That Auras and the like became attached later is not left open.)
    things = {name: replace(thing, attached_to=None) for name, thing in things.items()}
    wanted = set()
    for order in permutations(range(len(effects))):
        stamped = [replace(e, time=t) for e, t in zip(effects, order, strict=True)]
        wanted.add(said(evaluate(things, stamped)[0]))
    graph = run(things, effects, data={"timestamps": "open"})
    found = {
        frozenset((name, frozenset(words)) for name, words in result(graph, end).items())
        for end in graph.run.terminals
    }
    assert found == wanted


@some(20)
@given(boards(), st.permutations(sorted(CHANGES)), st.data())
def test_timestamps_matter_only_within_a_layer(
    board: tuple[Things, list[Effect]], layers: list[int], data: st.DataObject
) -> None:
    """Of effects of which no two share a layer or sublayer (CR 613.7)."""
    things, effects = board
    effects = [
        replace(effect, changes=(data.draw(CHANGES[layer]),), conditional=())
        for effect, layer in zip(effects, layers, strict=False)
    ]
    backwards = [replace(e, time=-e.time) for e in effects][::-1]
    assert said(evaluate(things, effects)[0]) == said(evaluate(things, backwards)[0])
    assert shown(run(things, effects)) == shown(run(things, backwards))


@some(25)
@given(boards(), st.data())
def test_effects_in_different_layers_commute(
    board: tuple[Things, list[Effect]], data: st.DataObject
) -> None:
    """Two whose timestamps follow each other can change places if they share no (sub)layer."""
    things, effects = board
    effects = [
        replace(effect, changes=(data.draw(st.one_of(*CHANGES.values())),), conditional=())
        for effect in effects
    ]
    found = shown(run(things, effects))
    for place, (one, other) in enumerate(pairwise(effects)):
        if not one.layers() & other.layers():
            swapped = [*effects[:place], other, one, *effects[place + 2 :]]
            assert shown(run(things, swapped)) == found
            break
