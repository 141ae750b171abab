"""The layers against CR 613 in plain Python: equal results, equal dependencies."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from itertools import pairwise, permutations
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
    Change,
    Condition,
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
CHANGES: dict[int, st.SearchStrategy[Change]] = {
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


#: Conditions count what the controller has of one kind.
conditions = st.builds(
    Condition,
    st.sampled_from(["controls", "controls_at_most", "controls_no", "odd"]),
    st.integers(1, 3),
    st.sampled_from(WORDS).map(lambda word: (word,)),
)
DEFINED: list[st.SearchStrategy[Change]] = [
    st.tuples(st.just("add_subtype"), st.sampled_from(sorted(CREATURE_TYPES))),
    st.tuples(st.just("set_color"), st.sampled_from(sorted(COLORS))),
    st.tuples(st.just("set_size"), sizes),
]


@st.composite
def effects_of(draw: st.DrawFn, number: int) -> Effect:
    """An effect of the source with that number, the later the larger it is."""
    changes = draw(several)
    given = tuple((draw(conditions), change) for change in changes if draw(st.integers(0, 3)) == 0)
    plain = tuple(c for c in changes if c not in [change for _, change in given])
    condition = draw(st.none() | st.none() | conditions)
    return Effect(
        f"source_{number}_1", draw(kinds), plain, number, condition, given, draw(st.booleans())
    )


@st.composite
def boards(draw: st.DrawFn) -> tuple[Things, list[Effect]]:
    number = draw(st.integers(2, 5))
    things = {f"source_{i}_1": draw(printed()) for i in range(number)}
    things |= {f"thing_{i}_1": draw(printed()) for i in range(draw(st.integers(1, 4)))}
    for thing in things.values():
        thing.controller = draw(st.sampled_from(["alice", "alice", "bob"]))
    return things, [draw(effects_of(i)) for i in range(number)]


@st.composite
def boards_that_define(draw: st.DrawFn) -> tuple[Things, list[Effect]]:
    """Where some sources also have an ability that defines characteristics (CR 604.3)."""
    things, effects = draw(boards())
    for i, change in enumerate(draw(st.lists(st.one_of(*DEFINED), max_size=len(effects)))):
        effects.append(Effect(f"source_{i}_1", (), (change,), i, defining=True))
    return things, effects


# --- The same for the encodings -----------------------------------------------------------


def _word(part: str) -> str:
    if part in KEYWORDS:
        return f"has({part})"
    return f"of({part})" if part in LAND_TYPES | CREATURE_TYPES else part


def _condition(condition: Condition) -> str:
    (word,) = condition.kind
    if condition.what == "odd":
        return f"odd({_word(word)},you)"
    number = "" if condition.what == "controls_no" else f"{condition.number},"
    return f"{condition.what}({number}{_word(word)})"


def _change(change: Change) -> str:
    what, value = change
    said = f"({value[0]},{value[1]})" if isinstance(value, tuple) else f"({value})"
    return f"{what}{said if value != '' else ''}"


def _kind(kind: tuple[str, ...]) -> str:
    said = [f"non({_word(p[1:])})" if p.startswith("-") else _word(p) for p in kind]
    return said[0] if len(said) == 1 else f"and({said[0]},{said[1]})"


def _card(name: str, thing: Thing, effects: list[Effect]) -> str:
    lines = [f'name({name}, "{name}").', f"mana_value({name}, 1)."]
    for word in sorted(thing.words):
        fact = "type" if word in TYPES else "color" if word in COLORS else "subtype"
        lines.append(f"{fact}({name}, {word}).")
    lines += [f"keyword({name}, {word})." for word in sorted(thing.abilities & KEYWORDS)]
    lines += [f"power({name}, {thing.size[0]}).", f"toughness({name}, {thing.size[1]})."]
    for effect in effects:
        if effect.defining:
            lines += [f"defines({name}, 2, {_change(change)})." for change in effect.changes]
            continue
        scope = "you" if effect.yours else "any_player"
        lines.append(f"continuous({name}, 1, {_kind(effect.kind)}, {scope}).")
        lines += [f"modifies({name}, 1, {_change(change)})." for change in effect.changes]
        lines += [
            f"modifies({name}, 1, given({_condition(condition)}, {_change(change)}))."
            for condition, change in effect.conditional
        ]
        if effect.condition is not None:
            lines.append(f"while({name}, 1, {_condition(effect.condition)}).")
    return "\n".join(lines) + "\n"


def explored(things: Things, effects: list[Effect], *, timestamps: str = "") -> Graph:
    """The board, explored; effects are in the order of their timestamps."""
    by_source: dict[str, list[Effect]] = {}
    for effect in effects:
        by_source.setdefault(effect.source, []).append(effect)
    order = [*by_source, *(name for name in things if name not in by_source)]
    with TemporaryDirectory() as folder:
        for name, thing in things.items():
            card = name.removesuffix("_1")
            text = _card(card, thing, by_source.get(name, []))
            Path(folder, f"{card}.lp").write_text(text, encoding="utf-8")
        board = "\n".join(
            f"  - {{card: {n.removesuffix('_1')}, controller: {things[n].controller}}}"
            for n in order
        )
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


def said_of(effect: str) -> str:
    """The name in the reference of ``static(Card,N,Source)``."""
    _, number, source = effect.rstrip(")").split(",")
    return f"{source} defines" if number == "2" else source


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
        (int(s.layer), said_of(s.applied[0]),
         {(said_of(d.effect), said_of(d.on), d.why, d.thing) for d in s.dependencies})
        for s in steps(graph)
    ]  # fmt: skip
    assert [(t.layer, t.effect, t.edges) for t in trace] == taken


@settings(max_examples=80, deadline=None, derandomize=True)
@given(boards_that_define())
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
        replace(effect, changes=(data.draw(CHANGES[layer]),), conditional=())
        for effect, layer in zip(effects, layers, strict=False)
    ]
    backwards = [replace(e, time=-e.time) for e in effects][::-1]
    assert said(evaluate(things, effects)[0]) == said(evaluate(things, backwards)[0])
    assert result(explored(things, effects)) == result(explored(things, backwards))


@settings(max_examples=20, deadline=None, derandomize=True)
@given(boards(), st.data())
def test_effects_in_different_layers_commute(
    board: tuple[Things, list[Effect]], data: st.DataObject
) -> None:
    """Two whose timestamps follow each other can change places if they share no layer."""
    things, effects = board
    effects = [
        replace(effect, changes=(data.draw(st.one_of(*CHANGES.values())),), conditional=())
        for effect in effects
    ]
    found = result(explored(things, effects))
    for place, (one, other) in enumerate(pairwise(effects)):
        if not one.layers() & other.layers():
            swapped = [*effects[:place], other, one, *effects[place + 2 :]]
            assert result(explored(things, swapped)) == found
            break
