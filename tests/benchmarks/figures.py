"""Print the tables of figures: whole-process times of boards of every subject.

Run as ``python tests/benchmarks/figures.py [RUNS]``; the best of some runs (3) is shown.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from event_boards import modifiers, modifying_cards, seasons
from mana_boards import BOARDS as MANA_BOARDS
from time_boards import bells, choices, eight_triggers, nabbers

#: players, Thieves each, Reflections of the first player, cards that player draws; seconds
#: allowed.
BOARDS = {
    (2, 1, 0, 1): 0.5,
    (3, 1, 0, 1): 0.5,
    (3, 2, 0, 1): 0.5,
    (4, 1, 0, 1): 0.5,
    (2, 8, 0, 1): 0.5,
    (3, 1, 1, 3): 0.6,
    (3, 1, 2, 3): 0.8,
    (4, 1, 1, 7): 3.0,
    (8, 1, 0, 1): 0.7,
    (12, 1, 0, 1): 2.0,
}

TIME_BOARDS = {
    "four Nabbers, two rounds": nabbers(),
    "eight triggers at once": eight_triggers(),
    "twenty choices": choices(20),
}

EVENT_BOARDS = {
    "ten modifiers of five kinds": (modifiers(), 1.5),
    "20 Doubling Seasons": (seasons(20), 1.0),
    "40 Doubling Seasons": (seasons(40), 1.0),
}
#: A shipped scenario: forty creatures under three replacement effects.
WIPE, WIPE_ALLOWED = "zones/board_wipe_of_forty", 3.0


def scenario(players: int, thieves: int, reflections: int, draws: int) -> str:
    """The board as a scenario file."""
    names = [f"p{number}" for number in range(1, players + 1)]
    board = [f"  - {{card: Notion Thief, controller: {n}, count: {thieves}}}" for n in names]
    if reflections:
        board.append(f"  - {{card: Thought Reflection, controller: p1, count: {reflections}}}")
    return "\n".join(
        [
            f"players: [{', '.join(names)}]",
            "battlefield:",
            *board,
            "timeline:",
            f"  - resolve: {{player: p1, does: [{{draw: {draws}}}]}}",
            "ask: [drawn]",
        ]
    )


def timed(arguments: list[str], runs: int) -> tuple[float, str]:
    """The best time of some runs of the command line, and what it printed."""
    best, output = float("inf"), ""
    for _ in range(runs):
        began = time.perf_counter()
        command = [sys.executable, "-m", "verifier", *arguments]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        best = min(best, time.perf_counter() - began)
    return best, output


def main(runs: int) -> None:
    """Print a row for each board."""
    print(f"{'n k r d':12} {'outcomes':>8} {'orders':>27} {'seconds':>8} {'allowed':>8}")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "board.yaml"
        for board, allowed in BOARDS.items():
            file.write_text(scenario(*board), encoding="utf-8")
            seconds, output = timed(["prove", "--output", "json", str(file)], runs)
            found = json.loads(output)
            name = " ".join(map(str, board))
            print(
                f"{name:12} {len(found['outcomes']):>8,} {found['orders']:>27,}"
                f" {seconds:>8.2f} {allowed:>8.1f}"
            )
        print(f"\n{'mana':28} {'seconds':>8} {'allowed':>8}")
        for name, (text, allowed) in MANA_BOARDS.items():
            file.write_text(text, encoding="utf-8")
            seconds, _ = timed(["prove", "--output", "json", str(file)], runs)
            print(f"{name:28} {seconds:>8.2f} {allowed:>8.1f}")
        print(f"\n{'time':28} {'states':>8} {'orders':>10} {'seconds':>8} {'allowed':>8}")
        cards = str(bells(Path(folder)))
        for name, text in TIME_BOARDS.items():
            file.write_text(text, encoding="utf-8")
            arguments = ["prove", "--output", "json", "--cards", cards, str(file)]
            seconds, output = timed(arguments, runs)
            found = json.loads(output)
            print(
                f"{name:28} {found['states']:>8,} {found['orders']:>10,} {seconds:>8.2f} {2:>8.1f}"
            )
        print(f"\n{'events':28} {'states':>8} {'outcomes':>8} {'seconds':>8} {'allowed':>8}")
        cards = str(modifying_cards(Path(folder) / "modifiers"))
        boards = [(name, str(file), text, most) for name, (text, most) in EVENT_BOARDS.items()]
        for name, where, text, most in [*boards, (WIPE, WIPE, "", WIPE_ALLOWED)]:
            file.write_text(text, encoding="utf-8")
            arguments = ["prove", "--output", "json", "--cards", cards, where]
            seconds, output = timed(arguments, runs)
            found = json.loads(output)
            print(
                f"{name:28} {found['states']:>8,} {len(found['outcomes']):>8,}"
                f" {seconds:>8.2f} {most:>8.1f}"
            )
    for arguments in (["--version"], ["cards"]):
        print(f"verifier {' '.join(arguments):12} {timed(arguments, runs)[0]:.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
