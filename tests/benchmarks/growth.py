"""How the time grows with the size of a question, for four ways to answer it.

Run as ``python tests/benchmarks/growth.py [SECONDS]``: every way gets a larger board until it
needs more than so many seconds (20).  The figures go into ``README.md`` and ``growth.svg`` beside
this file.

The ways: this verifier; clingo with the same encodings, each order an answer set; the same,
projected on what the event becomes; and Python that tries one order after the other and knows
nothing but the question.  All say in how many orders and to how many ends it can come (projected
answer sets do not count orders).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import clingo
from event_boards import TEN, modifiers, modifying_cards, one_end, shields
from figures import scenario as thieves

from verifier import Scenario, explore
from verifier.engine import scenario_program
from verifier.resources import encodings

HERE = Path(__file__).resolve().parent
SECONDS = 20.0

#: In how many orders it can come to how many ends; no number of orders where none is found.
Found = tuple[int | None, int]


@dataclass(frozen=True)
class Question:
    """Boards of a growing size, and the same question for bare Python.

    Attributes
    ----------
    title
        What is asked.
    unit
        What there is more and more of.
    sizes
        The sizes that are tried.
    board
        The scenario file of a size.
    ends
        What each order ends with, one after the other.
    shows
        What the curves show, for the page.
    """

    title: str
    unit: str
    sizes: range
    board: Callable[[int], str]
    ends: Callable[[int], Iterator[object]]
    shows: str


def _thief_orders(players: int) -> Iterator[object]:
    """Each Thief turns the draw of another player into one of its controller, once."""

    def draw(player: int, applied: frozenset[int]) -> Iterator[int]:
        thieves = [thief for thief in range(players) if thief != player and thief not in applied]
        if not thieves:
            yield player
        for thief in thieves:
            yield from draw(thief, applied | {thief})

    yield from draw(0, frozenset())


def _modifier_orders(number: int) -> Iterator[object]:
    yield from (one_end(order, TEN) for order in permutations(range(number)))


def _shield_orders(number: int) -> Iterator[object]:
    for order in permutations(range(1, number + 1)):
        damage = 60
        for shield in order:
            damage -= min(shield, damage)
        yield damage


QUESTIONS = {
    "thieves": Question(
        "A draw with a Notion Thief of each player",
        "players",
        range(2, 13),
        lambda number: thieves(number, 1, 0, 1),
        _thief_orders,
        "The orders grow faster than factorially, the states with the sets of Thieves that have "
        "been applied.",
    ),
    "modifiers": Question(
        "Damage under different modifiers of five kinds",
        "modifiers",
        range(2, 11),
        lambda number: modifiers(TEN[:number]),
        _modifier_orders,
        "Ten modifiers have 3,628,800 orders; the curve of the verifier is that of the events "
        "that they can make of the first one, a few thousand.",
    ),
    "shields": Question(
        "60 damage under shields of different sizes",
        "shields",
        range(2, 13),
        shields,
        _shield_orders,
        "What is left depends on which shields are used up, not on the order, so the curve of the "
        "verifier is that of the sets.",
    ),
}


def by_verifier(board: Scenario, _: Question, __: int) -> Found:
    """The verifier itself."""
    graph = explore(board)
    return graph.orders_count, len(graph.outcomes)


def by_orders(board: Scenario, _: Question, __: int) -> Found:
    """Clingo, an answer set for each order."""
    ends: set[str] = set()
    orders = 0
    for end in _ends(board, "0"):
        orders += 1
        ends.add(end)
    return orders, len(ends)


def by_projection(board: Scenario, _: Question, __: int) -> Found:
    """Clingo, an answer set for each end."""
    return None, len(set(_ends(board, "0", "--project=project")))


def by_force(_: Scenario, question: Question, size: int) -> Found:
    """Bare Python, one order after the other."""
    ends: set[object] = set()
    orders = 0
    for end in question.ends(size):
        orders += 1
        ends.add(end)
    return orders, len(ends)


def _ends(board: Scenario, *options: str) -> Iterator[str]:
    control = clingo.Control(list(options))
    control.load(str(encodings("orders.lp")))
    control.add("base", [], "\n".join(scenario_program(board)))
    control.ground()
    with control.solve(yield_=True) as models:
        for model in models:
            (end,) = (atom for atom in model.symbols(shown=True) if atom.name == "ends")
            yield str(end)


WAYS = {
    "verifier": by_verifier,
    "clingo, all orders": by_orders,
    "clingo, projected": by_projection,
    "Python, all orders": by_force,
}


def load(question: Question, size: int, folder: Path) -> Scenario:
    """The board of a size."""
    return Scenario.from_text(question.board(size), cards=modifying_cards(folder))


def timed(way: str, name: str, size: int, folder: Path, limit: float) -> float | None:
    """Seconds that a way needs, from the scenario file on; nothing if they are too many."""
    context = get_context("fork")
    receiver, sender = context.Pipe(duplex=False)

    def run() -> None:
        began = time.perf_counter()
        question = QUESTIONS[name]
        WAYS[way](load(question, size, folder), question, size)
        sender.send(time.perf_counter() - began)

    process = context.Process(target=run)
    process.start()
    process.join(limit + 1)
    if process.is_alive():
        process.kill()
    process.join()
    seconds = float(receiver.recv()) if receiver.poll() else None
    return seconds if seconds is not None and seconds <= limit else None


def measured(limit: float) -> dict[str, dict[str, dict[int, float]]]:
    """Seconds by question, way and size, as far as each way gets."""
    found: dict[str, dict[str, dict[int, float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, question in QUESTIONS.items():
            # Once before, for what is read once for all: rules and caches.
            by_verifier(load(question, question.sizes[0], Path(folder)), question, 0)
            found[name] = {way: {} for way in WAYS}
            for way, seconds in found[name].items():
                for size in question.sizes:
                    needed = timed(way, name, size, Path(folder), limit)
                    print(f"{name} {way} {size}: {needed}", file=sys.stderr, flush=True)
                    if needed is None:
                        break
                    seconds[size] = needed
    return found


# --- Many states ------------------------------------------------------------------------------

#: Players, Thieves each, Reflections and draws.
MANY = (4, 1, 1, 15)


class States(NamedTuple):
    """How a board with many states was explored.

    By whom; seconds, and those of all processors together; GiB of the largest process.
    """

    by: str
    states: int
    seconds: float
    processors: float
    memory: float


def many_states(by: str = "", board: tuple[int, int, int, int] = MANY) -> States:
    """Explore a board in one process, or as options say (``-j 2``, ``--scheduler local:2``)."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "board.yaml"
        file.write_text(thieves(*board), encoding="utf-8")
        command = [sys.executable, "-m", "verifier", "prove", "--output", "json",
                   "--max-states", "3000000", str(file), *by.split()]  # fmt: skip
        began = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert process.stdout
        with process.stdout:
            found = json.loads(process.stdout.read())
        _, process.returncode, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - began
    processors = used.ru_utime + used.ru_stime
    return States(by, found["states"], seconds, processors, used.ru_maxrss / 2**20)


# --- The page ---------------------------------------------------------------------------------


def page(
    found: dict[str, dict[str, dict[int, float]]], states: Sequence[States], limit: float
) -> str:
    """The figures as a text."""
    lines = [
        "# How the time grows",
        "",
        "Written by `python tests/benchmarks/growth.py`, with what it draws, on two processors;",
        "other figures are printed by `figures.py`, the ratios that must hold are in",
        "`test_speed.py`.  Seconds from the scenario file on, the start of the process excluded;",
        f"no figure where a way needs more than {limit:g}.  That all ways say the same is tested",
        "in `test_growth.py`.",
        "",
        "![The same as curves](growth.svg)",
    ]
    for name, question in QUESTIONS.items():
        ways = found[name]
        lines += ["", f"## {question.title}", "", question.shows, ""]
        lines.append("| " + " | ".join([question.unit, *WAYS]) + " |")
        lines.append("|---:" * (len(WAYS) + 1) + "|")
        for size in question.sizes:
            cells = [f"{ways[way][size]:.3f}" if size in ways[way] else "" for way in WAYS]
            if any(cells):
                lines.append("| " + " | ".join([str(size), *cells]) + " |")
    lines += [
        "",
        "## A million states",
        "",
        "Four players with a Notion Thief each, one of them with a Thought Reflection, who draws",
        f"{MANY[3]} cards: `verifier prove`, the whole process; memory is that of the largest one.",
        "",
        "| by | states | seconds | of all processors | GiB |",
        "|---|---:|---:|---:|---:|",
    ]
    for by, number, *figures in states:
        said = " | ".join(f"{figure:.1f}" for figure in figures)
        lines.append(f"| {f'`{by}`' if by else 'one process'} | {number:,} | {said} |")
    return "\n".join(lines) + "\n"


def draw(found: dict[str, dict[str, dict[int, float]]], limit: float, file: Path) -> None:
    """The figures as curves."""
    import matplotlib as mpl

    mpl.use("svg")
    import matplotlib.pyplot as plt

    mpl.rcParams["svg.hashsalt"] = "growth"
    figure, axes = plt.subplots(1, len(QUESTIONS), figsize=(12, 4), sharey=True)
    colors = dict(zip(WAYS, ("#0072B2", "#D55E00", "#009E73", "#CC79A7"), strict=True))
    marks = dict(zip(WAYS, "osD^", strict=True))
    for axis, (name, question) in zip(axes, QUESTIONS.items(), strict=True):
        for way, seconds in found[name].items():
            axis.plot(list(seconds), list(seconds.values()), color=colors[way], marker=marks[way],
                      label=way)  # fmt: skip
        axis.axhline(limit, color="#888888", linewidth=0.8, linestyle="--")
        axis.set_yscale("log")
        axis.set_title(question.title, fontsize=9)
        axis.set_xlabel(question.unit)
    axes[0].set_ylabel("seconds")
    axes[0].legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(file, format="svg", metadata={"Date": None})


def main(limit: float) -> None:
    """Measure, and write the page and the picture."""
    found = measured(limit)
    states = [many_states(by) for by in ("", "-j 2", "--scheduler local:2")]
    (HERE / "README.md").write_text(page(found, states, limit), encoding="utf-8")
    draw(found, limit, HERE / "growth.svg")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS)
