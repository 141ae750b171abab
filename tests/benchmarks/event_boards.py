"""Boards of which speed in questions of damage, zones and tokens is measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from verifier import Scenario
from verifier.asp import enumerate_models
from verifier.engine import scenario_program
from verifier.resources import encodings

#: Modifiers of damage to a player or what the player controls, of five kinds, two of each.
KINDS = {
    "adder": "plus(2)",
    "raiser": "plus(1)",
    "doubler": "multiply(2)",
    "tripler": "multiply(3)",
    "preventer": "prevent(3)",
    "redirector": "redirect(this)",
}
TEN = ("adder", "raiser", "doubler", "doubler", "tripler", "tripler", "preventer", "preventer",
       "redirector", "redirector")  # fmt: skip

_FIRESTORM = """% firestorm: 10 damage to any target.
name(firestorm, "firestorm").
type(firestorm, instant).
color(firestorm, red).
mana_cost(firestorm, (red, end)).
effect_step(firestorm, spell, 1, you, deal_damage(10, any_target)).
"""


def modifying_cards(folder: Path) -> Path:
    """The cards of `modifiers`, and a spell whose damage they cannot prevent as a whole."""
    folder.mkdir(exist_ok=True)
    (folder / "firestorm.lp").write_text(_FIRESTORM, encoding="utf-8")
    for card, change in KINDS.items():
        text = [
            f"% {card}: changes the damage to its controller and their permanents.",
            f'name({card}, "{card}").',
            f"type({card}, creature).",
            f"power({card}, 0).",
            f"toughness({card}, 9).",
            f"would({card}, 1, damage, you).",
            f"would({card}, 1, damage_permanent, you).",
            f"instead({card}, 1, 1, you, {change}).",
            *([f"affects({card}, 1, other)."] if card == "redirector" else []),
        ]
        (folder / f"{card}.lp").write_text("\n".join(text) + "\n", encoding="utf-8")
    return folder


def modifiers(cards: Sequence[str] = TEN) -> str:
    """A spell of one player at another, who has so many effects that change its damage."""
    return "\n".join(
        [
            "players: [alice, bob]",
            "battlefield:",
            *(f"  - {{card: {card}, controller: bob}}" for card in cards),
            "state: {bob: {life: 100000}}",
            "timeline: [{resolve: {player: alice, card: firestorm, target: bob}}]",
            "ask: [damage]",
        ]
    )


CHANGES: dict[str, Callable[[int], int]] = {
    "adder": lambda n: n + 2,
    "raiser": lambda n: n + 1,
    "doubler": lambda n: 2 * n,
    "tripler": lambda n: 3 * n,
    "preventer": lambda n: max(n - 3, 0),
    "redirector": lambda n: n,
}


def one_more(end: tuple[str, int], place: int, cards: Sequence[str]) -> tuple[str, int]:
    """To whom how much damage is dealt after one more effect, by its place among the cards."""
    to, number = end
    card = cards[place]
    if card == "redirector":
        to = f"redirector_{cards[:place].count(card) + 1}"
    return to, CHANGES[card](number)


def one_end(order: Sequence[int], cards: Sequence[str]) -> tuple[str, int]:
    """What one order of the effects, by their places among the cards, ends with."""
    end = ("bob", 10)
    for place in order:
        end = one_more(end, place, cards)
    return end


def ends_of(cards: Sequence[str] = TEN) -> Counter[tuple[str, int]]:
    """How many orders end with which damage to whom: by hand, one order after the other merged."""
    now = Counter({(("bob", 10), frozenset[int]()): 1})
    for _ in cards:
        later: Counter[tuple[tuple[str, int], frozenset[int]]] = Counter()
        for (end, used), orders in now.items():
            for place in set(range(len(cards))) - used:
                later[one_more(end, place, cards), used | {place}] += orders
        now = later
    found: Counter[tuple[str, int]] = Counter()
    for (end, _), orders in now.items():
        found[end] += orders
    return found


def orders_by_clingo(board: Scenario) -> int:
    """The orders of the first event, each an answer set of the shipped files and clingo alone."""
    facts = "\n".join(scenario_program(board))
    return sum(1 for _ in enumerate_models([encodings("orders.lp")], facts))


def shields(number: int) -> str:
    """Damage to a player under so many shields, each good for another number."""
    made = "".join(
        f"  - {{card: Panacea, controller: bob, target: bob, x: {size}}}\n"
        for size in range(1, number + 1)
    )
    return (
        f"players: [alice, bob]\neffects:\n{made}"
        "timeline:\n  - resolve: {player: alice, does: [{deal_damage: [60, bob]}]}\nask: [life]\n"
    )


def seasons(number: int) -> str:
    """One Soldier under so many Doubling Seasons."""
    return "\n".join(
        [
            "players: [alice, bob]",
            f"battlefield: [{{card: Doubling Season, controller: alice, count: {number}}}]",
            "timeline: [{resolve: {player: alice, card: Raise the Alarm}}]",
            "ask: [soldier]",
        ]
    )
