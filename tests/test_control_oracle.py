"""Who controls what as the game goes on, and what that makes of everything (CR 613.1b).

``HYPOTHESIS_PROFILE=long`` looks at many more boards (and ``ORACLE_EXAMPLES`` says how many).
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from layer_boards import (
    CHANGES,
    PLAYERS,
    check,
    counted,
    counted_kinds,
    effects_of,
    made_effect,
    printed,
    result,
    run,
    scopes,
    several,
    spell_text,
)
from oracle.control import Game
from oracle.layers import COLORS, Change, Effect
from test_layers_against_oracle import some

from verifier import Graph

# --- Random games -------------------------------------------------------------------------

# State-based actions are checked here, so nothing becomes too small or stops being an Aura, and no
# Aura becomes a creature.
_SIZES = st.tuples(st.integers(1, 5), st.integers(1, 5))
_HARMLESS: list[st.SearchStrategy[Change]] = [
    CHANGES[4],
    CHANGES[5],
    CHANGES[6],
    st.tuples(st.just("set_size"), _SIZES | st.tuples(st.just("keep"), st.integers(1, 5))),
    st.tuples(st.just("add_size"), st.tuples(st.integers(0, 3), st.integers(0, 3))),
    CHANGES[74],
]
_COUNTING = [*_HARMLESS, st.tuples(st.just("add_size"), st.tuples(counted, counted))]
_COUNTERS = ("plus_one", "plus_one_plus_zero", "flying", "vigilance")

#: What happens: a word, and numbers that say what with.
Deed = tuple[str, tuple[int, int, int]]
_WORDS = ["gain", "gain", "while", "there", "exchange", "attach", "attach", "spell", "spell",
          "turn", "counters", "counters", "text", "destroy", "leave"]  # fmt: skip
_numbers = st.integers(0, 59)


def _without_auras(effect: Effect) -> Effect:
    return replace(effect, kind=(*effect.kind, "-aura"))


@st.composite
def games(draw: st.DrawFn) -> tuple[Game, list[Effect], list[Deed]]:
    """Creatures and others, Auras on them, most of which give control, spells, what happens."""
    number = draw(st.integers(1, 3))
    things = {f"source_{i}_1": draw(printed(_SIZES)) for i in range(number)}
    statics = [_without_auras(draw(effects_of(i, _COUNTING))) for i in range(number)]
    things |= {f"thing_{i}_1": draw(printed(_SIZES)) for i in range(draw(st.integers(1, 3)))}
    auras = [f"aura_{i}_1" for i in range(draw(st.integers(0, 3)))]
    for aura in auras:
        things[aura] = draw(printed(_SIZES))
        things[aura].words = {"enchantment", "aura"} | (things[aura].words & COLORS)
        host = st.sampled_from([name for name in [*things, *auras] if name != aura])
        things[aura].attached_to = draw(host)
        if draw(st.booleans()):
            effect = replace(draw(effects_of(0, _COUNTING)), source=aura)
            kind = draw(st.sampled_from([("attached",), effect.kind]))
            statics.append(_without_auras(replace(effect, kind=kind)))
    for thing in things.values():
        thing.controller = draw(st.sampled_from(PLAYERS))
    takers = {aura for aura in auras if draw(st.integers(0, 3))}
    spells = []
    for i in range(draw(st.integers(0, 3))):
        spell = made_effect(i, draw(several(_HARMLESS)), 0, ())
        if draw(st.booleans()):
            kind = (*draw(counted_kinds), "-aura")
            spell = replace(spell, kind=kind, scope=draw(scopes), locked=None)
        spells.append(spell)
    deeds = st.tuples(st.sampled_from(_WORDS), st.tuples(_numbers, _numbers, _numbers))
    return Game(things, statics, takers), spells, draw(st.lists(deeds, min_size=1, max_size=7))


def _do(game: Game, spells: list[Effect], deed: Deed) -> dict[str, Any] | None:
    """Do it, and say so in an entry of a timeline; or it can't be done."""
    what, (one, two, three) = deed
    names = list(game.things)
    if not names:
        return None
    player, thing = game.players[three % len(game.players)], names[one % len(names)]
    others = [name for name in names if name != thing]
    other = others[two % len(others)] if others else None
    lasting = ("for_good", "turn_end")[two % 2]
    instruction: dict[str, Any] = {}
    match what:
        case "gain":
            game.gain(player, thing, lasting)
            instruction = {"gain_control_of": [thing, lasting]}
        case "while" | "there" if other is not None:
            game.gain(player, thing, other, while_there=what == "there")
            word = "there" if what == "there" else "you_control"
            instruction = {"gain_control_of": [thing, {"while": [word, other]}]}
        case "exchange" if other is not None:
            game.exchange(thing, other)
            instruction = {"exchange_control": [thing, other]}
        case "counters":
            game.put_counters(thing, _COUNTERS[two % 4], 1 + two % 3)
            instruction = {"put_counters_on": [thing, _COUNTERS[two % 4], 1 + two % 3]}
        case "text":
            old, new = (("red", "green"), ("forest", "swamp"), ("swamp", "forest"))[two % 3]
            game.exchange_words(thing, old, new)
            instruction = {"change_text": [thing, old, new]}
        case "destroy" if len(names) > 1:
            game.destroy(thing)
            return {"destroy": {"objects": [thing]}}
        case "turn":
            game.end_turn()
            return {"advance": {"player": game.players[0], "step": "precombat_main"}}
        case "leave" if len(game.players) > 2 and player != game.players[0]:
            game.leave(player)
            return {"leave": player}
        case "spell" if spells:
            return _cast(game, spells.pop(), player, two)
        case "attach":
            return _move(game, one, two)
    return {"resolve": {"player": player, "does": [instruction]}} if instruction else None


def _cast(game: Game, spell: Effect, player: str, which: int) -> dict[str, Any] | None:
    entry: dict[str, Any] = {"player": player, "card": spell.source}
    if spell.locked is not None:
        targets = [name for name, thing in game.things.items() if "aura" not in thing.words]
        if not targets:
            return None
        entry["target"] = targets[which % len(targets)]
        spell = replace(spell, locked=frozenset([entry["target"]]))
    game.make(player, spell, for_good=_for_good(spell))
    return {"resolve": entry}


def _for_good(spell: Effect) -> bool:
    """Whether the effect of a spell does not end with the turn."""
    return spell.source.endswith("1")


def _move(game: Game, one: int, two: int) -> dict[str, Any] | None:
    """Whoever controls an Aura moves it."""
    auras = [name for name, thing in game.things.items() if "aura" in thing.words]
    if not auras:
        return None
    aura = auras[one % len(auras)]
    hosts = [name for name in game.things if name != aura]
    host, player = hosts[two % len(hosts)], game.controllers()[aura]
    game.attach(aura, host)
    return {"activate": {"player": player, "object": aura, "ability": 3, "targets": [host]}}


def _aura(name: str, *, takes: bool) -> str:
    card = name.removesuffix("_1")
    text = (
        f"enchants({card}, permanent).\ncost({card}, 3, 1, mana((generic(0), end))).\n"
        f"effect_step({card}, 3, 1, you, attach(permanent, any_player)).\n"
    )
    return text + (f"controls_attached({card}, 4).\n" if takes else "")


def _explored(game: Game, cards: dict[str, str], timeline: list[dict[str, Any]]) -> Graph:
    """A game from how it is now, with further cards."""
    cards = {n.removesuffix("_1"): _aura(n, takes=n in game.takers)
             for n, thing in game.things.items() if "aura" in thing.words} | cards  # fmt: skip
    data = {"timeline": timeline, "ask": ["power", "toughness", "controller"]}
    begun = game.controllers()
    battlefield = {n: replace(t, controller=begun[n]) for n, t in game.things.items()}
    default = {n: thing.controller for n, thing in game.things.items()}
    return run(battlefield, game.statics, data=data, cards=cards, default=default)


def _played(game: Game, spells: list[Effect], deeds: list[Deed]) -> tuple[Graph, Expected]:
    """A game from its beginning, and who should control what after each deed."""
    cards = {s.source: spell_text(s, for_good=_for_good(s)) for s in spells}
    before = Game({n: t.copy() for n, t in game.things.items()}, game.statics, game.takers)
    spells, expected = [*spells], {"c": game.controllers()}
    timeline: list[dict[str, Any]] = [{"observe": "c"}]
    for deed in deeds:
        entry = _do(game, spells, deed)
        if entry is not None:
            timeline += [entry, {"observe": f"c{len(timeline)}"}]
            expected[f"c{len(timeline) - 2}"] = game.controllers()
    return _explored(before, cards, timeline), expected


Expected = dict[str, dict[str, str]]


@some(40)
@given(games())
def test_control_as_the_game_goes_on(case: tuple[Game, list[Effect], list[Deed]]) -> None:
    game, spells, deeds = case
    graph, expected = _played(game, spells, deeds)
    (shown,) = graph.outcomes
    for name, wanted in expected.items():
        rows: Any = shown.outcome["at"][name]
        assert (name, rows.get("controller", {})) == (name, wanted)
    check(graph, *game.now())


#: Of what can be done in timelines, what is applied in which layer.
_BY_LAYER = {4: CHANGES[4], 5: CHANGES[5], 6: CHANGES[6], 72: _HARMLESS[3], 73: _HARMLESS[4],
             74: CHANGES[74]}  # fmt: skip


@st.composite
def apart(draw: st.DrawFn) -> tuple[Game, dict[str, str], list[dict[str, Any]]]:
    """A board, and entries of a timeline that make effects in one layer each, with their spells."""
    game, _, _ = draw(games())
    names = list(game.things)
    plain = [name for name in names if "aura" not in game.things[name].words]
    cards: dict[str, str] = {}
    entries: list[dict[str, Any]] = []
    for layer in draw(st.lists(st.sampled_from([2, 3, *_BY_LAYER]), min_size=2, unique=True)):
        player, thing = draw(st.sampled_from(PLAYERS)), draw(st.sampled_from(names))
        if layer in _BY_LAYER:
            spell = made_effect(layer, (draw(_BY_LAYER[layer]),), 0, ())
            cards[spell.source] = spell_text(spell)
            target = draw(st.sampled_from(plain))
            entries.append({"player": player, "card": spell.source, "target": target})
            continue
        words = draw(st.sampled_from([["red", "green"], ["swamp", "forest"]]))
        does: dict[str, Any] = {"gain_control_of": [thing, "for_good"]} if layer == 2 else {
            "change_text": [thing, *words]}  # fmt: skip
        entries.append({"player": player, "does": [does]})
    return game, cards, [{"resolve": entry} for entry in entries]


@some(20)
@given(apart(), st.randoms(use_true_random=False))
def test_what_is_made_in_different_layers_commutes(
    case: tuple[Game, dict[str, str], list[dict[str, Any]]], random: Random
) -> None:
    """Control and text included: in which order it resolves makes no difference (CR 613.7)."""
    game, cards, entries = case
    found = []
    for _ in range(2):
        graph = _explored(game, cards, entries)
        (outcome,) = graph.outcomes
        found.append((result(graph), outcome.outcome))
        random.shuffle(entries)
    assert found[0] == found[1]
