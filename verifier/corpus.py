"""Many scenarios at once, in parallel processes."""

from __future__ import annotations

import multiprocessing
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from verifier import resources
from verifier.errors import InputError, VerifierError
from verifier.explorer import INTERRUPTED

if TYPE_CHECKING:
    from verifier.graph import Graph

Job = TypeVar("Job")
Done = TypeVar("Done")

#: Exit code by the worst that happened.
_CODES = {"holds": 0, "no claim": 0, "fails": 1, "error": 2, "undecided": 3}


@dataclass(frozen=True)
class Checked:
    """How one scenario of a corpus fared.

    Attributes
    ----------
    status
        ``holds``, ``no claim``, ``fails``, ``undecided`` or ``error``.
    details
        What is wrong.
    """

    name: str
    status: str
    details: list[str]
    verdict: str | None = None
    states: int = 0
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON output."""
        return asdict(self)


def shipped_names() -> list[str]:
    """The names of the shipped scenarios."""
    return resources.shipped_scenarios()


def find(folders: Sequence[Path]) -> list[str]:
    """The scenario files in some folders; the shipped scenarios if there are none.

    Raises
    ------
    InputError
        If a folder does not exist or holds no scenario.
    """
    if not folders:
        return shipped_names()
    found: list[str] = []
    for folder in folders:
        if not folder.exists():
            raise InputError(
                f"there is no folder {folder}",
                hint="without a folder, the shipped scenarios are checked",
            )
        files = [folder] if folder.is_file() else sorted(folder.rglob("*.yaml"))
        if not files:
            raise InputError(f"no scenario files in {folder}", hint="they end in .yaml")
        found += map(str, files)
    return found


def run(
    names: Sequence[str],
    *,
    cards: Sequence[Path] = (),
    time_limit: float | None = None,
    max_states: int = 5_000_000,
    jobs: int = 1,
) -> list[Checked]:
    """Prove each scenario; the results come in the order of `names`.

    What Ctrl-C leaves open is undecided.
    """
    one = partial(check, cards=tuple(cards), time_limit=time_limit, max_states=max_states)
    found: list[Checked] = []
    with suppress(KeyboardInterrupt):
        for result in each(one, names, jobs):
            found.append(result)
    return found + [Checked(name, "undecided", [INTERRUPTED]) for name in names[len(found) :]]


def each(one: Callable[[Job], Done], names: Sequence[Job], jobs: int) -> Iterator[Done]:
    """Do something with each of several scenarios, in parallel; results come in order."""
    if jobs == 1 or len(names) == 1:
        yield from map(one, names)
        return
    pool = ProcessPoolExecutor(jobs, initializer=_ignore_interrupts)
    try:
        yield from pool.map(one, names, chunksize=4)
    except KeyboardInterrupt:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in multiprocessing.active_children():
            child.terminate()
        raise
    finally:
        pool.shutdown()


def _ignore_interrupts() -> None:
    """Leave Ctrl-C, which reaches all processes of a terminal, to the first one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def check(
    name: str,
    *,
    cards: Sequence[Path] = (),
    time_limit: float | None = None,
    max_states: int = 5_000_000,
) -> Checked:
    """Prove one scenario.

    Raises
    ------
    KeyboardInterrupt
        Also if it came during the exploration.
    """
    from verifier.engine import explore
    from verifier.scenario import Scenario

    try:
        scenario = Scenario.load(name, cards=cards)
        graph = explore(scenario, max_states=max_states, time_limit=time_limit)
    except VerifierError as problem:
        return Checked(name, "error", str(problem).splitlines())
    if graph.limit == INTERRUPTED:
        raise KeyboardInterrupt
    return judge(name, graph)


def judge(name: str, graph: Graph) -> Checked:
    """How a scenario that was explored fared."""
    from verifier.claims import check_claim

    claim = check_claim(graph)
    if claim.failures:
        status = "fails"
    elif claim.holds or (graph.exhausted and not claim.made):
        status = "holds" if claim.made else "no claim"
    else:
        status = "undecided"
    details = claim.failures or [f"{graph.limit}: {part}" for part in claim.open]
    return Checked(name, status, details, graph.verdict, graph.states, round(graph.seconds, 3))


def counts(results: Sequence[Checked]) -> dict[str, int]:
    """How many scenarios fared how."""
    found = Counter(result.status for result in results)
    return {status: found[status] for status in _CODES if found[status]}


def exit_code(results: Sequence[Checked]) -> int:
    """1 if a claim fails, else 2 on bad input, else 3 if something is undecided."""
    statuses = {result.status for result in results}
    return next((_CODES[s] for s in ("fails", "error", "undecided") if s in statuses), 0)
