"""Boards about time for the figures: turns, triggers at the same time, choices that commute."""

from __future__ import annotations

from pathlib import Path

PLAYERS = ["ann", "bob", "cid", "dee"]


def nabbers() -> str:
    """Four Treasure Nabbers and a Sol Ring over two full rounds of the table.

    Whoever has it in their own turn taps it, and so the next player gets it last.
    """
    board = [f"  - {{card: Treasure Nabber, controller: {name}}}" for name in PLAYERS]
    lines = [f"players: [{', '.join(PLAYERS)}]", "battlefield:", *board]
    lines += ["  - {card: Sol Ring, controller: ann, id: ring}", "timeline:"]
    lines.append("  - tap_for_mana: {player: ann, object: ring}")
    for turn in range(1, 9):
        active = PLAYERS[turn % 4]
        lines.append(f"  - advance: {{player: {active}, step: precombat_main}}")
        lines.append(f"  - observe: turn_{turn}")
        lines.append(f"  - tap_for_mana: {{player: {active}, object: ring}}")
    return "\n".join([*lines, "ask: [controller, tapped]"]) + "\n"


def eight_triggers() -> str:
    """Four different abilities of each of two players that trigger at the same time."""
    names = [f"bell_{number}" for number in range(1, 5)]
    board = [f"  - {{card: {n}, controller: {p}}}" for p in ("ann", "bob") for n in names]
    lines = ["players: [ann, bob]", "battlefield:", *board, "timeline:", "  - begin: upkeep"]
    return "\n".join([*lines, "ask: [life]"]) + "\n"


def bells(folder: Path) -> Path:
    """The cards of `eight_triggers`: life for their controllers, each a different amount."""
    for number in range(1, 5):
        card = f"bell_{number}"
        text = [
            f"% {card}: life at each upkeep.",
            f'name({card}, "{card}").',
            f"type({card}, enchantment).",
            f"trigger({card}, 1, at(upkeep), any_player).",
            f"effect_step({card}, 1, 1, you, gain_life({number})).",
        ]
        (folder / f"{card}.lp").write_text("\n".join(text) + "\n", encoding="utf-8")
    return folder


def choices(number: int) -> str:
    """So many choices, each of which adds the same to one number."""
    step = "  - resolve: {player: ann, does: [{may: {gain_life: 1}}]}"
    return "\n".join(["players: [ann, bob]", "timeline:", *[step] * number, "ask: [life]"]) + "\n"
