"""The layers against CR 613 in plain Python: equal results, equal dependencies."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st
from oracle.layers import (
    COLORS,
    CREATURE_TYPES,
    INTRINSIC,
    KEYWORDS,
    LAND_TYPES,
    TEXT,
    TYPES,
    Effect,
    Thing,
    Things,
    evaluate,
)

from verifier.engine import explore
from verifier.graph import Graph
from verifier.stepwise import steps
from verifier.terms import Function, parse_term

# --- Random boards ------------------------------------------------------------------------

WORDS = sorted(TYPES | COLORS | LAND_TYPES | CREATURE_TYPES)
parts = st.sampled_from(WORDS + sorted(KEYWORDS)).flatmap(lambda w: st.sampled_from([w, "-" + w]))
kinds = st.lists(parts, min_size=1, max_size=2, unique=True).map(tuple) | st.just(("permanent",))
sizes = st.tuples(st.integers(0, 5), st.integers(1, 5))
#: What an effect can do, by layer.
CHANGES: dict[int, st.SearchStrategy[tuple[str, str | tuple[int, int]]]] = {
    4: st.one_of(
        st.tuples(st.sampled_from(["add_type", "remove_type"]), st.sampled_from(sorted(TYPES))),
        st.tuples(st.just("add_subtype"), st.sampled_from(sorted(LAND_TYPES | CREATURE_TYPES))),
        st.tuples(st.just("set_land_type"), st.sampled_from(sorted(LAND_TYPES))),
        st.tuples(st.just("set_creature_type"), st.sampled_from(sorted(CREATURE_TYPES))),
        st.tuples(st.sampled_from(["lose_land_types", "lose_creature_types"]), st.just("")),
    ),
    5: st.one_of(
        st.tuples(st.sampled_from(["add_color", "set_color"]), st.sampled_from(sorted(COLORS))),
        st.tuples(st.just("become_colorless"), st.just("")),
    ),
    6: st.one_of(
        st.tuples(
            st.sampled_from(["gain", "lose", "cannot_have"]), st.sampled_from(sorted(KEYWORDS))
        ),
        st.tuples(st.just("lose_abilities"), st.just("")),
    ),
    7: st.tuples(st.sampled_from(["set_size", "add_size"]), sizes),
}
#: At most one of each, as several in one effect would be one after the other.
several = st.lists(
    st.one_of(*CHANGES.values()), min_size=1, max_size=3, unique_by=lambda change: change[0]
).map(tuple)


@st.composite
def printed(draw: st.DrawFn) -> Thing:
    types = draw(st.sets(st.sampled_from(sorted(TYPES)), min_size=1, max_size=2))
    words = set(types) | draw(st.sets(st.sampled_from(sorted(COLORS)), max_size=1))
    if "land" in types:
        words |= draw(st.sets(st.sampled_from(sorted(LAND_TYPES)), max_size=2))
    if "creature" in types:
        words |= draw(st.sets(st.sampled_from(sorted(CREATURE_TYPES)), max_size=2))
    keywords = draw(st.sets(st.sampled_from(sorted(KEYWORDS)), max_size=1))
    return Thing(words, keywords | {TEXT, INTRINSIC}, draw(sizes))


@st.composite
def boards(draw: st.DrawFn) -> tuple[Things, list[Effect]]:
    number = draw(st.integers(2, 5))
    things = {f"source_{i}_1": draw(printed()) for i in range(number)}
    things |= {f"thing_{i}_1": draw(printed()) for i in range(draw(st.integers(1, 4)))}
    effects = [Effect(f"source_{i}_1", draw(kinds), draw(several), i) for i in range(number)]
    return things, effects


# --- The same for the encodings -----------------------------------------------------------


def _word(part: str) -> str:
    if part in KEYWORDS:
        return f"has({part})"
    return f"of({part})" if part in LAND_TYPES | CREATURE_TYPES else part


def _kind(kind: tuple[str, ...]) -> str:
    said = [f"non({_word(p[1:])})" if p.startswith("-") else _word(p) for p in kind]
    return said[0] if len(said) == 1 else f"and({said[0]},{said[1]})"


def _card(name: str, thing: Thing, effect: Effect | None) -> str:
    lines = [f'name({name}, "{name}").', f"mana_value({name}, 1)."]
    for word in sorted(thing.words):
        fact = "type" if word in TYPES else "color" if word in COLORS else "subtype"
        lines.append(f"{fact}({name}, {word}).")
    lines += [f"keyword({name}, {word})." for word in sorted(thing.abilities & KEYWORDS)]
    lines += [f"power({name}, {thing.size[0]}).", f"toughness({name}, {thing.size[1]})."]
    if effect is not None:
        lines.append(f"continuous({name}, 1, {_kind(effect.kind)}, any_player).")
        for what, value in effect.changes:
            said = f"({value[0]},{value[1]})" if isinstance(value, tuple) else f"({value})"
            lines.append(f"modifies({name}, 1, {what}{said if value != '' else ''}).")
    return "\n".join(lines) + "\n"


def explored(things: Things, effects: list[Effect], *, timestamps: str = "") -> Graph:
    """The board, explored; effects are in the order of their timestamps."""
    by_source = {effect.source: effect for effect in effects}
    order = [*by_source, *(name for name in things if name not in by_source)]
    with TemporaryDirectory() as folder:
        for name, thing in things.items():
            card = name.removesuffix("_1")
            text = _card(card, thing, by_source.get(name))
            Path(folder, f"{card}.lp").write_text(text, encoding="utf-8")
        board = "\n".join(f"  - {{card: {n.removesuffix('_1')}, controller: alice}}" for n in order)
        file = Path(folder, "board.yaml")
        file.write_text(
            f"title: a random board\nplayers: [alice, bob]\n{timestamps}battlefield:\n"
            f"{board}\ntimeline:\n  - observe: now\nask: [power, toughness]\n",
            encoding="utf-8",
        )
        return explore(file, cards=folder)


def result(graph: Graph, end: int | None = None) -> dict[str, set[str]]:
    """What the objects are in a final state, if it is not said which in the only one."""
    if end is None:
        (end,) = graph.run.terminals
    found: dict[str, set[str]] = defaultdict(set)
    for cell in graph.run.states[end][0]:
        for fluent in cell if isinstance(cell, frozenset) else ():
            term = parse_term(fluent)
            if isinstance(term, Function) and term.name == "is":
                thing, what = map(str, term.arguments)
                words = found[thing]
                if not what.startswith("lacks_for_good") and what != "permanent":
                    words.add(what.removeprefix("has(").removeprefix("of(").rstrip(")"))
    return found


def source(effect: str) -> str:
    """The source in ``static(Card,N,Source)``."""
    return effect.rstrip(")").rpartition(",")[2]


def check(things: Things, effects: list[Effect]) -> None:
    wanted, trace = evaluate(things, effects)
    graph = explored(things, effects)
    found = result(graph)
    assert {name: thing.words | thing.abilities for name, thing in wanted.items()} == found
    (shown,) = graph.outcomes
    for name, thing in wanted.items():
        if "creature" in thing.words:
            size = [shown.outcome.get(k, {}).get(name, 0) for k in ("power", "toughness")]
            assert (name, *thing.size) == (name, *size)
    taken = [
        (int(s.layer), source(s.applied[0]),
         {(source(d.effect), source(d.on), d.why, d.thing) for d in s.dependencies})
        for s in steps(graph)
    ]  # fmt: skip
    assert [(t.layer, t.effect, t.edges) for t in trace] == taken


@settings(max_examples=60, deadline=None, derandomize=True)
@given(boards())
def test_the_layers_are_as_the_rules_say(board: tuple[Things, list[Effect]]) -> None:
    check(*board)


def said(things: Things) -> frozenset[tuple[str, frozenset[str]]]:
    """What objects are, so that it can be in a set."""
    return frozenset((n, frozenset(t.words | t.abilities)) for n, t in things.items())


@settings(max_examples=25, deadline=None, derandomize=True)
@given(boards())
def test_all_orders_are_explored_where_timestamps_are_open(
    board: tuple[Things, list[Effect]],
) -> None:
    things, effects = board
    effects = effects[:3]
    wanted = set()
    for order in permutations(range(len(effects))):
        stamped = [replace(e, time=t) for e, t in zip(effects, order, strict=True)]
        wanted.add(said(evaluate(things, stamped)[0]))
    graph = explored(things, effects, timestamps="timestamps: open\n")
    found = {
        frozenset((name, frozenset(words)) for name, words in result(graph, end).items())
        for end in graph.run.terminals
    }
    assert found == wanted


@settings(max_examples=15, deadline=None, derandomize=True)
@given(boards(), st.permutations([4, 5, 6]), st.data())
def test_timestamps_matter_only_within_a_layer(
    board: tuple[Things, list[Effect]], layers: list[int], data: st.DataObject
) -> None:
    things, effects = board
    effects = [
        replace(effect, changes=(data.draw(CHANGES[layer]),))
        for effect, layer in zip(effects, layers, strict=False)
    ]
    backwards = [replace(e, time=-e.time) for e in effects][::-1]
    assert said(evaluate(things, effects)[0]) == said(evaluate(things, backwards)[0])
    assert result(explored(things, effects)) == result(explored(things, backwards))
