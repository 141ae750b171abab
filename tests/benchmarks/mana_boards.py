"""Boards of which speed in questions of mana is measured."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from pathlib import Path

from verifier import Scenario
from verifier.asp import enumerate_models
from verifier.engine import scenario_program
from verifier.resources import encodings

#: Six different effects that change types and amounts.
SIX = (
    "mana_reflection", "nyxbloom_ancient", "contamination", "infernal_darkness",
    "ritual_of_subdual", "damping_sphere",
)  # fmt: skip

_NAMES = {
    "mana_reflection": "Mana Reflection",
    "nyxbloom_ancient": "Nyxbloom Ancient",
    "contamination": "Contamination",
    "infernal_darkness": "Infernal Darkness",
    "ritual_of_subdual": "Ritual of Subdual",
    "damping_sphere": "Damping Sphere",
}


def scenario(permanents: Iterable[str], ask: str, timeline: str = "") -> str:
    """A scenario file with some permanents; without a timeline nothing happens."""
    happens = timeline or "check: state_based_actions"
    lines = [
        "players: [alice, bob]",
        "battlefield:",
        *(f"  - {{{permanent}}}" for permanent in permanents),
        f"timeline: [{{{happens}}}]",
        f"ask: [{ask}]",
    ]
    return "\n".join(lines)


def tapped_forest(permanents: Iterable[str]) -> str:
    """Alice taps a Forest for mana."""
    return scenario(
        ["card: Forest, controller: alice", *permanents],
        "mana",
        "tap_for_mana: {player: alice, object: forest_1}",
    )


def nyxblooms(number: int) -> str:
    """A Forest with some Nyxbloom Ancients."""
    return tapped_forest([f"card: Nyxbloom Ancient, controller: alice, count: {number}"])


def six_effects() -> str:
    """A Forest with six different effects."""
    return tapped_forest(f"card: {_NAMES[card]}, controller: alice" for card in SIX)


def looking_lands(number: int) -> str:
    """So many lands of two players that look at each other, but for a few."""
    third = number // 3
    return scenario(
        [
            f"card: Reflecting Pool, controller: alice, count: {third}",
            f"card: Exotic Orchard, controller: alice, count: {third // 2}",
            f"card: Exotic Orchard, controller: bob, count: {third // 2}",
            f"card: Reflecting Pool, controller: bob, count: {number - 3 - third - third // 2 * 2}",
            "card: Forest, controller: alice",
            "card: Island, controller: bob",
            "card: Bayou, controller: bob",
        ],
        "could_produce",
    )


def twelve_sources() -> str:
    """Twelve sources of five colors."""
    cards = [
        "Forest", "Island", "Swamp", "Mountain", "Plains", "Bayou", "Tundra", "Birds of Paradise",
        "City of Brass", "Mana Confluence", "Llanowar Elves", "Sol Ring",
    ]  # fmt: skip
    return scenario([f"card: {card}, controller: alice" for card in cards], "mana_options")


def one_order(facts: str, order: tuple[str, ...]) -> set[str]:
    """What the event becomes in one order of preference, by the shipped files and clingo alone."""
    ranks = "\n".join(f"rank_in_order({card},{place})." for place, card in enumerate(order))
    forced = """
        ranked(S,L,R) :- stands_for(S,L,apply(eff(Card,_,_,_))), rank_in_order(Card,R).
        :- take(S,N,_,L,_,_), ranked(S,L,R), way(S,N,M,_,_), ranked(S,M,Q), Q < R.
    """
    files: list[Path] = [encodings("orders.lp")]
    return {
        atom
        for model in enumerate_models(files, f"{facts}\n{ranks}\n{forced}")
        for atom in model
        if atom.startswith("ends(")
    }


def tried_one_by_one(board: Scenario, orders: Iterable[tuple[str, ...]]) -> set[str]:
    """What the first event can become in some orders, each tried with a run of clingo."""
    facts = "\n".join(scenario_program(board))
    return set[str]().union(*(one_order(facts, order) for order in orders))


ALL_ORDERS = list(permutations(SIX))

#: Boards by what they show, and the seconds allowed for the whole process.
BOARDS = {
    "30 Nyxbloom Ancients": (nyxblooms(30), 1.0),
    "six effects": (six_effects(), 1.0),
    "60 lands look at each other": (looking_lands(60), 2.0),
    "12 sources of 5 colors": (twelve_sources(), 2.0),
}
