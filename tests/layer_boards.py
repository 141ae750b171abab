"""Random boards for the layers, and the scenario files and cards that say the same."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from boards import to_yaml
from hypothesis import strategies as st
from oracle.layers import (
    COLORS,
    COUNTERS,
    CREATURE_TYPES,
    INTRINSIC,
    KEYWORDS,
    LAND_TYPES,
    TEXT,
    TYPES,
    Change,
    Condition,
    Effect,
    Number,
    Thing,
    Things,
    Trace,
)

from verifier import Graph, explore
from verifier.state import EMPTY, State
from verifier.stepwise import START, STEP, Step, steps_at
from verifier.terms import Function, parse_term

# --- Random boards ------------------------------------------------------------------------

WORDS = sorted(TYPES | COLORS | LAND_TYPES | CREATURE_TYPES)
PLAYERS = ("alice", "bob", "carol")
scopes = st.sampled_from(["any_player", "any_player", "you", "opponent"])
parts = st.sampled_from(WORDS + sorted(KEYWORDS)).flatmap(lambda w: st.sampled_from([w, "-" + w]))
kinds = (
    st.lists(parts, min_size=1, max_size=2, unique=True).map(tuple)
    | st.just(("permanent",))
    | st.tuples(st.sampled_from(["other", "other", "this", "attached"]), parts)
)
sizes = st.tuples(st.integers(0, 5), st.integers(1, 5))
#: Of what is counted on the battlefield.
counted = st.tuples(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=2, unique=True).map(tuple),
    st.sampled_from(["any_player", "you", "opponent"]),
)
set_sizes = sizes | sizes | st.tuples(st.just("keep"), st.integers(1, 5)) | st.tuples(
    counted, st.integers(1, 5)
)  # fmt: skip
added_sizes = st.tuples(st.integers(-2, 5), st.integers(-2, 5)) | st.tuples(counted, counted)

#: What an effect can do, by layer; those of layer 7 by sublayer.
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
    72: st.tuples(st.just("set_size"), set_sizes),
    73: st.tuples(st.just("add_size"), added_sizes),
    74: st.tuples(st.just("switch_size"), st.just("")),
}


def several(changes: Iterable[st.SearchStrategy[Change]]) -> st.SearchStrategy[tuple[Change, ...]]:
    """Changes of one effect: at most one of each, as several would be one after the other."""
    return st.lists(
        st.one_of(*changes), min_size=1, max_size=3, unique_by=lambda change: change[0]
    ).map(tuple)


@st.composite
def printed(draw: st.DrawFn, size: st.SearchStrategy[tuple[int, int]] = sizes) -> Thing:
    """A card."""
    types = draw(st.sets(st.sampled_from(sorted(TYPES)), min_size=1, max_size=2))
    words = set(types) | draw(st.sets(st.sampled_from(sorted(COLORS)), max_size=1))
    if "land" in types:
        words |= draw(st.sets(st.sampled_from(sorted(LAND_TYPES)), max_size=2))
    if "creature" in types:
        words |= draw(st.sets(st.sampled_from(sorted(CREATURE_TYPES)), max_size=2))
    keywords = draw(st.sets(st.sampled_from(sorted(KEYWORDS)), max_size=1))
    return Thing(words, keywords | {TEXT, INTRINSIC}, draw(size))


plain = st.sampled_from(WORDS).flatmap(lambda w: st.sampled_from([w, w, "-" + w]))
counted_kinds = st.lists(plain, min_size=1, max_size=2, unique=True).map(tuple)
some_scope = st.sampled_from(["you", "opponent", "any_player"])
#: Conditions count what players have of one kind.
conditions = st.builds(
    Condition,
    st.sampled_from(["controls", "controls_at_most", "controls_no"]),
    st.integers(1, 3),
    counted_kinds,
) | st.builds(Condition, st.just("odd"), st.just(1), counted_kinds, some_scope)
#: Conditions of one of several changes can also ask for abilities.
given_conditions = conditions | st.builds(
    Condition,
    st.just("some"),
    st.just(1),
    st.lists(parts, min_size=1, max_size=2, unique=True).map(tuple),
    some_scope,
)
DEFINED: list[st.SearchStrategy[Change]] = [
    st.tuples(st.just("add_subtype"), st.sampled_from(sorted(CREATURE_TYPES))),
    st.tuples(st.just("set_color"), st.sampled_from(sorted(COLORS))),
    st.tuples(st.just("set_size"), sizes | st.tuples(counted, counted)),
]


@st.composite
def effects_of(
    draw: st.DrawFn,
    number: int,
    changes: Iterable[st.SearchStrategy[Change]] = tuple(CHANGES.values()),
) -> Effect:
    """An effect of the source with that number, the later the larger it is."""
    made = draw(several(changes))
    given = tuple(
        (draw(given_conditions), change) for change in made if draw(st.integers(0, 3)) == 0
    )
    plain = tuple(c for c in made if c not in [change for _, change in given])
    condition = draw(st.none() | st.none() | conditions)
    return Effect(f"source_{number}_1", draw(kinds), plain, number, condition, given, draw(scopes))


@st.composite
def exchanges(draw: st.DrawFn, things: Things) -> tuple[str, str]:
    """A word of a text, and one of its sort that is to stand there instead (CR 612.2).

    (Of the creature types that creatures have.)
    """
    had = {w for t in things.values() if "creature" in t.words for w in t.words & CREATURE_TYPES}
    sorts = [COLORS, LAND_TYPES, *([CREATURE_TYPES] if had == CREATURE_TYPES else [])]
    old, new = draw(st.permutations(sorted(draw(st.sampled_from(sorts)))))[:2]
    return old, new


@st.composite
def boards(draw: st.DrawFn) -> tuple[Things, list[Effect]]:
    """Sources of effects and other things, with counters, attached, reworded."""
    number = draw(st.integers(2, 5))
    things = {f"source_{i}_1": draw(printed()) for i in range(number)}
    things |= {f"thing_{i}_1": draw(printed()) for i in range(draw(st.integers(1, 4)))}
    for name, thing in things.items():
        thing.controller = draw(st.sampled_from(["alice", "alice", "bob", "carol"]))
        if not draw(st.integers(0, 3)):
            thing.counters = draw(
                st.dictionaries(
                    st.sampled_from(sorted({*COUNTERS, *KEYWORDS})), st.integers(1, 3), max_size=2
                )
            )
        if name.startswith("source") and not draw(st.integers(0, 3)):
            thing.attached_to = draw(st.sampled_from([n for n in things if n != name]))
    return things, [draw(effects_of(i)) for i in range(number)]


@st.composite
def full_boards(draw: st.DrawFn) -> tuple[Things, list[Effect]]:
    """Where some sources also have an ability that defines characteristics (CR 604.3).

    Spells have made effects before, and exchanged words.
    """
    things, effects = draw(boards())
    for i, change in enumerate(draw(st.lists(st.one_of(*DEFINED), max_size=len(effects)))):
        effects.append(Effect(f"source_{i}_1", (), (change,), i, defining=True))
    time = 1000
    for i in range(draw(st.sampled_from([0, 0, 0, 1, 2]))):
        target = draw(st.sampled_from(sorted(things)))
        made = made_effect(i, draw(made_changes), time + i, [target])
        # (What is done again in another layer has only its last timestamp in the encodings.)
        often = draw(st.sampled_from([1, 2, 3])) if min(made.layers()) > 72 else 1
        effects.append(replace(made, times=often))
    for i in range(draw(st.sampled_from([0, 0, 0, 1, 1, 2]))):
        changed = things[draw(st.sampled_from(sorted(things)))].words_changed
        changed.append((*draw(exchanges(things)), 2000 + i))
    return things, effects


def _counts(change: Change) -> bool:
    return any(isinstance(n, tuple) for n in change[1])


#: What spells do; they count nothing.
made_changes = several(CHANGES.values()).filter(lambda changes: not any(map(_counts, changes)))


def made_effect(
    number: int, changes: tuple[Change, ...], time: int, locked: Iterable[str]
) -> Effect:
    """What the spell with that number has made for some things."""
    return Effect(f"spell_{number}", ("target",), changes, time, locked=frozenset(locked))


# --- The same for the encodings -----------------------------------------------------------


def _word(part: str) -> str:
    if part in KEYWORDS:
        return f"has({part})"
    return f"of({part})" if part in LAND_TYPES | CREATURE_TYPES | {"aura"} else part


def said_kind(kind: tuple[str, ...]) -> str:
    """A kind in the vocabulary."""
    said = [f"non({_word(p[1:])})" if p.startswith("-") else _word(p) for p in kind]
    text = said.pop()
    while said:
        text = f"and({said.pop()},{text})"
    return text


def _condition(condition: Condition) -> str:
    kind = said_kind(condition.kind)
    if condition.what in ("odd", "some"):
        return f"{condition.what}({kind},{condition.scope})"
    number = "" if condition.what == "controls_no" else f"{condition.number},"
    return f"{condition.what}({number}{kind})"


def _number(number: Number) -> str:
    return (
        f"permanents({said_kind(number[0])},{number[1]})"
        if isinstance(number, tuple)
        else str(number)
    )


def _change(change: Change) -> str:
    what, value = change
    if isinstance(value, tuple):
        return f"{what}({_number(value[0])},{_number(value[1])})"
    return f"{what}({value})" if value else what


def card_text(name: str, thing: Thing, effects: list[Effect]) -> str:
    """The file of a card."""
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
        lines.append(f"continuous({name}, 1, {said_kind(effect.kind)}, {effect.scope}).")
        lines += [f"modifies({name}, 1, {_change(change)})." for change in effect.changes]
        lines += [
            f"modifies({name}, 1, given({_condition(condition)}, {_change(change)}))."
            for condition, change in effect.conditional
        ]
        if effect.condition is not None:
            lines.append(f"while({name}, 1, {_condition(effect.condition)}).")
    return "\n".join(lines) + "\n"


#: A spell that exchanges words.
HACK = """name({0}, "{0}").
type({0}, instant).
effect_step({0}, spell, 1, you, reword(permanent, creature_type, for_good)).
"""


def spell_text(effect: Effect, *, for_good: bool = True) -> str:
    """The file of a spell that makes an effect, for a target or for what is of its kind."""
    name = effect.source
    makes = f"create_effect({name}, 1)"
    if effect.locked is None:
        makes = f"create_effect_on({name}, 1, {said_kind(effect.kind)}, {effect.scope})"
    lines = [
        f'name({name}, "{name}").',
        f"type({name}, instant).",
        f"effect_step({name}, spell, 1, you, {makes}).",
        f"lasting({name}, 1).",
        f"continuous({name}, 1, target, any_player).",
    ]
    lines += [f"target_kind({name}, 1, permanent)."] * (effect.locked is not None)
    lines += [f"without_end({name}, 1)."] * for_good
    lines += [f"modifies({name}, 1, {_change(change)})." for change in effect.changes]
    return "\n".join(lines) + "\n"


def run(
    things: Things,
    effects: list[Effect],
    *,
    data: dict[str, Any] | None = None,
    cards: dict[str, str] | None = None,
    default: dict[str, str] | None = None,
) -> Graph:
    """A board, explored, with other keys of the scenario and further (parts of) cards.

    `default` says who controls things without the effects of layer 2, and things are listed as
    they are; otherwise in the order of the timestamps of the effects that they are sources of.
    """
    by_source: dict[str, list[Effect]] = defaultdict(list)
    made = [effect for effect in effects if effect.locked is not None]
    for effect in effects:
        if effect.locked is None:
            by_source[effect.source].append(effect)
    order = [*by_source, *(name for name in things if name not in by_source)]
    order = order if default is None else [*things]
    texts = {n.removesuffix("_1"): card_text(n.removesuffix("_1"), t, by_source.get(n, []))
             for n, t in things.items()}  # fmt: skip
    texts |= {effect.source: spell_text(effect) for effect in made}
    for card, text in (cards or {}).items():
        texts[card] = texts.get(card, "") + text
    before: list[dict[str, Any]] = [
        {"card": effect.source, "controller": "alice", "target": name}
        for effect in made
        for name in sorted(effect.locked or ())
        for _ in range(effect.times)
    ]
    hacks = sorted((time, name, old, new)
                   for name, t in things.items() for old, new, time in t.words_changed)  # fmt: skip
    for place, (_, name, old, new) in enumerate(hacks):
        hack = f"hack_{place}"
        texts[hack] = HACK.format(hack)
        before.append({"card": hack, "controller": "bob", "target": name, "words": {old: new}})
    scenario = {
        "title": "a random board",
        "players": list(PLAYERS),
        "battlefield": [_entry(name, things[name], default or {}) for name in order],
        "effects": before,
        "timeline": [{"observe": "now"}],
        "ask": ["power", "toughness"],
    } | (data or {})
    with TemporaryDirectory() as folder:
        for card, text in texts.items():
            Path(folder, f"{card}.lp").write_text(text, encoding="utf-8")
        file = Path(folder, "board.yaml")
        file.write_text(to_yaml(scenario), encoding="utf-8")
        return explore(file, cards=folder)


def _entry(name: str, thing: Thing, default: dict[str, str]) -> dict[str, Any]:
    entry: dict[str, Any] = {"card": name.removesuffix("_1"), "controller": thing.controller}
    if name in default:
        entry["default_controller"] = entry["owner"] = default[name]
    if thing.counters:
        entry["counters"] = thing.counters
    if thing.attached_to is not None:
        entry["attached_to"] = thing.attached_to
    return entry


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
                if what.startswith("has(text_of("):
                    words.add(TEXT)
                elif not what.startswith("lacks_for_good") and what != "permanent":
                    words.add(what.removeprefix("has(").removeprefix("of(").rstrip(")"))
    return found


def said_of(effect: str) -> str:
    """The name in the reference of an effect of the encodings."""
    term = parse_term(effect)
    assert isinstance(term, Function)
    match term.name, list(map(str, term.arguments)):
        case "words", [thing, _, old, new]:
            return f"{thing}: {old} to {new}"
        case "made", [card, *_]:
            return card
        case "counted", [word, thing]:
            return f"{word} counter on {thing}"
        case _, [_, number, source]:
            return f"{source} defines" if number == "2" else source
    raise AssertionError(effect)


def taken(found: list[Step]) -> list[tuple[int, str, set[tuple[str, str, str, str]]]]:
    """Steps as the reference tells them."""
    return [
        (int(step.layer), said_of(step.applied[0]),
         {(said_of(d.effect), said_of(d.on), d.why, d.thing) for d in step.dependencies})
        for step in found
    ]  # fmt: skip


def last_steps(graph: Graph) -> list[Step]:
    """What is applied when the layers are gone through for the last time."""
    explorer, state = graph.explorer, graph.run.states[0]
    found: list[State] = []
    while state[1] != EMPTY:
        item = explorer.agendas.parts[state[1]][0]
        text = explorer.items[item].text
        found = [] if text == START else [*found, *[state] * (text == STEP)]
        (transition,) = explorer.known(item, state[0]).transitions
        state = explorer.apply(state, transition)
    return [step for step in steps_at(graph, found) if step.layer] if found else []


def check(graph: Graph, wanted: Things, trace: list[Trace]) -> None:
    """The one outcome of what was explored is as the reference says, and how it came about."""
    (shown,) = graph.outcomes
    words = result(graph)
    for name, thing in wanted.items():
        # (Where nothing changes what things are, that is not kept.)
        assert not words or (name, thing.words | thing.abilities) == (name, words[name])
        if "creature" in thing.words:
            size = [shown.outcome.get(k, {}).get(name, 0) for k in ("power", "toughness")]
            assert (name, *thing.size) == (name, *size)
    found = last_steps(graph)
    # (Where no card has the words that are exchanged there are no such steps.)
    worded = any(step.layer == "3" for step in found)
    assert [(t.layer, t.effect, t.edges) for t in trace if t.layer > 3 or worded] == taken(found)
