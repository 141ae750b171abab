"""Many scenarios at once, in parallel processes; what is known already is not proved again."""

from __future__ import annotations

import multiprocessing
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from verifier import resources
from verifier.errors import InputError, UndecidedError, VerifierError
from verifier.explorer import INTERRUPTED, OUT_OF_MEMORY
from verifier.kept import Basis, Store

if TYPE_CHECKING:
    from verifier.cluster import Cluster
    from verifier.graph import Graph
    from verifier.scenario import Scenario

Job = TypeVar("Job")
Done = TypeVar("Done")

#: Exit code by the worst that happened.
_CODES = {"holds": 0, "no claim": 0, "fails": 1, "error": 2, "undecided": 3}

#: What decides over how a scenario fared that is looked at under several readings.
_WORSE = ("fails", "undecided", "holds", "no claim")

#: What is said of a scenario whose process was killed, once alone, too.
_KILLED = "the process that proved it was ended from outside, perhaps for lack of memory"

#: Old results are dropped after so many new ones.
_TIDY_AFTER = 100


@dataclass(frozen=True)
class Checked:
    """How one scenario of a corpus fared.

    Attributes
    ----------
    status
        ``holds``, ``no claim``, ``fails``, ``undecided`` or ``error``.
    details
        What is wrong.
    expected, found
        If the claim fails: what it says, and the outcomes.
    readings
        For each other reading of the rules that the scenario names: how it fared under that.
    known
        Whether it was known from an earlier run.
    outcomes
        The complete set of outcomes with their orders, if everything was explored.
    observables
        What they record: for each its ``form`` and what it is recorded ``of``.
    everything
        Whether the scenario asks for nothing by name, so that they record what changed.
    """

    name: str
    status: str
    details: list[str]
    verdict: str | None = None
    states: int = 0
    seconds: float = 0.0
    expected: str = ""
    found: str = ""
    readings: dict[str, dict[str, Any]] = field(default_factory=dict, repr=False)
    known: bool = False
    outcomes: list[dict[str, Any]] | None = field(default=None, repr=False)
    observables: dict[str, Any] = field(default_factory=dict, repr=False)
    everything: bool = field(default=False, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON output."""
        return {"name": self.name, **self._fared(), "known": self.known}

    def to_keep(self) -> dict[str, Any]:
        """What is the same wherever the scenario lies, except for the outcomes."""
        return {
            **self._fared(),
            "observables": self.observables,
            "everything": self.everything,
        }

    def _fared(self) -> dict[str, Any]:
        return {
            "status": self.status,
            "details": self.details,
            "verdict": self.verdict,
            "states": self.states,
            "seconds": self.seconds,
            "expected": self.expected,
            "found": self.found,
            "readings": self.readings,
        }

    def reading(self) -> dict[str, Any]:
        """What is told of it as one of several readings."""
        return {"status": self.status, "details": self.details, "verdict": self.verdict}

    @property
    def folder(self) -> str:
        """The folder that the scenario lies in."""
        return self.name.rpartition("/")[0] or "."

    @property
    def told(self) -> str:
        """What is wrong, on one line."""
        if self.status == "fails":
            return f"expected {self.expected}; found {self.found}"
        return "; ".join(line.strip() for line in self.details)


@dataclass(frozen=True)
class How:
    """How scenarios are checked.

    Attributes
    ----------
    cards
        Folders with the user's own cards.
    time_limit, max_states
        When to give up, for each scenario.
    jobs
        How many at once.
    fresh
        Whether what is known from earlier runs is found again.
    """

    cards: tuple[Path, ...] = ()
    time_limit: float | None = None
    max_states: int = 5_000_000
    jobs: int = 1
    fresh: bool = False


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
    how: How,
    progress: Callable[[Checked], None] = lambda _: None,
    cluster: Cluster | None = None,
) -> list[Checked]:
    """Prove each scenario of which nothing is known; the results come in the order of `names`.

    What Ctrl-C leaves open is undecided.

    Parameters
    ----------
    names
        The scenarios.
    how
        How they are checked.
    progress
        Called with each result as soon as there is one.
    cluster
        Who proves them, if not processes on this machine.
    """
    found: dict[str, Checked] = {}
    store = Store.open(how.cards)
    try:
        with suppress(KeyboardInterrupt):
            kept = store.find(names, how.max_states) if store and not how.fresh else {}
            for name, (result, outcomes) in kept.items():
                found[name] = Checked(name, **result, known=True, outcomes=outcomes)
                progress(found[name])
            todo = [name for name in dict.fromkeys(names) if name not in found]
            if cluster is None:
                results = each_done(partial(check_and_tell, how=how), todo, how.jobs)
            else:
                results = cluster.each_done(todo, how)
            for place, done in results:
                checked, basis = done or (Checked(todo[place], "error", [_KILLED]), None)
                found[checked.name] = checked
                if store and basis is not None and checked.outcomes is not None:
                    store.keep(checked.name, checked.to_keep(), checked.outcomes, basis)
                progress(checked)
            if store and len(todo) >= _TIDY_AFTER:
                store.tidy()
    finally:
        if store:
            store.close()
    return [found.get(name) or Checked(name, "undecided", [INTERRUPTED]) for name in names]


# --- In parallel --------------------------------------------------------------------------


def each(one: Callable[[Job], Done], names: Sequence[Job], jobs: int) -> Iterator[Done]:
    """Do something with each of several scenarios, in parallel; results come in order."""
    if jobs == 1 or len(names) == 1:
        yield from map(one, names)
        return
    pool = ProcessPoolExecutor(jobs, initializer=_ignore_interrupts)
    try:
        yield from pool.map(one, names, chunksize=4)
    except KeyboardInterrupt:
        _stop(pool)
        raise
    finally:
        pool.shutdown()


def each_done(
    one: Callable[[Job], Done], names: Sequence[Job], jobs: int
) -> Iterator[tuple[int, Done | None]]:
    """Do something with each of several scenarios, in parallel; results come as they are done.

    Each comes with its place among `names`.  If a process is killed, what it was busy with is
    tried once more in a process of its own; if that is killed, too, the result is ``None``.
    """
    if not names:
        return
    if jobs == 1 or len(names) == 1:
        yield from enumerate(map(one, names))
        return
    _warm_up()
    todo = list(range(len(names)))
    while todo:
        left, busy = set(todo), set()
        pool = ProcessPoolExecutor(min(jobs, len(todo)), initializer=_start_worker)
        try:
            tasks: dict[Future[Done], int] = {pool.submit(one, names[n]): n for n in todo}
            for task in as_completed(tasks):
                try:
                    result = task.result()
                except BrokenProcessPool:
                    # Several are called running; the one that was is among them.
                    busy.add(tasks[task])
                    continue
                left.remove(tasks[task])
                yield tasks[task], result
        except BrokenProcessPool:
            busy |= left
        except (KeyboardInterrupt, GeneratorExit):
            _stop(pool)
            raise
        finally:
            pool.shutdown()
        todo = sorted(left)
        for number in sorted(busy)[: 2 * jobs]:
            yield number, _alone(one, names[number])
            todo.remove(number)


def _alone(one: Callable[[Job], Done], name: Job) -> Done | None:
    """Do something in a process of its own; ``None`` if that is killed."""
    with ProcessPoolExecutor(1, initializer=_start_worker) as pool:
        try:
            return pool.submit(one, name).result()
        except BrokenProcessPool:
            return None


def _stop(pool: ProcessPoolExecutor) -> None:
    """Leave what is not done."""
    pool.shutdown(wait=False, cancel_futures=True)
    for child in multiprocessing.active_children():
        child.terminate()


def _warm_up() -> None:
    """Load what every scenario needs."""
    from verifier.engine import shipped_rules

    shipped_rules()


def _start_worker() -> None:
    _ignore_interrupts()
    _warm_up()


def _ignore_interrupts() -> None:
    """Leave Ctrl-C, which reaches all processes of a terminal, to the first one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


# --- One scenario -------------------------------------------------------------------------


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
    return check_and_tell(name, How(tuple(cards), time_limit, max_states))[0]


def check_and_tell(
    name: str, how: How, read: Callable[[], Scenario] | None = None
) -> tuple[Checked, Basis | None]:
    """Prove one scenario, and tell what the result rests on if it is one to be kept.

    It is read by `read`, if it is not to be found by its name.
    """
    from verifier.engine import explore
    from verifier.scenario import Scenario

    try:
        scenario = read() if read else Scenario.load(name, cards=how.cards)
        graph, *others = (
            explore(read, max_states=how.max_states, time_limit=how.time_limit)
            for read in (scenario, *map(scenario.under, scenario.readings))
        )
    except (UndecidedError, MemoryError) as problem:
        return Checked(name, "undecided", [str(problem) or OUT_OF_MEMORY]), None
    except VerifierError as problem:
        return Checked(name, "error", str(problem).splitlines()), None
    if INTERRUPTED in [part.limit for part in (graph, *others)]:
        raise KeyboardInterrupt
    checked = judge(name, graph)
    for other in others:
        checked = _with_reading(checked, other)
    if not all(part.exhausted for part in (graph, *others)):
        return checked, None
    outcomes = [result.to_dict() for result in graph.outcomes]
    return (
        replace(
            checked,
            outcomes=outcomes,
            observables=_observables(graph),
            everything=scenario.ask is None,
        ),
        Basis.of(graph).joined(map(Basis.of, others)),
    )


def _with_reading(checked: Checked, graph: Graph) -> Checked:
    """How a scenario fared with another reading of the rules besides."""
    under = judge(checked.name, graph)
    reading = f"under the reading {graph.scenario.reading}"
    worse = _WORSE.index(under.status) < _WORSE.index(checked.status)
    told = under if worse else checked
    return replace(
        checked,
        status=told.status,
        details=[*checked.details, *(f"{reading}: {line}" for line in under.details)],
        states=checked.states + under.states,
        seconds=round(checked.seconds + under.seconds, 3),
        expected=f"{reading} {told.expected}" if worse and told.expected else checked.expected,
        found=told.found if worse else checked.found,
        readings={**checked.readings, graph.scenario.reading: under.reading()},
    )


def _observables(graph: Graph) -> dict[str, Any]:
    """What the outcomes record, in the end and at checkpoints."""
    found: dict[str, Any] = {}
    for ask in (graph.scenario.ask, *graph.scenario.checkpoints.values()):
        for observable in graph.setup.observables.chosen(ask):
            row = found.setdefault(observable.name, {"form": observable.kind, "of": []})
            if observable.key not in row["of"]:
                row["of"].append(observable.key)
    return found


def judge(name: str, graph: Graph) -> Checked:
    """How a scenario that was explored fared."""
    from verifier.claims import check_claim, claimed, found

    claim = check_claim(graph)
    if claim.failures:
        status = "fails"
    elif claim.holds or (graph.exhausted and not claim.made):
        status = "holds" if claim.made else "no claim"
    else:
        status = "undecided"
    details = claim.failures or [f"{graph.limit}: {part}" for part in claim.open]
    told = (claimed(graph.scenario.claim), found(graph)) if status == "fails" else ("", "")
    return Checked(
        name, status, details, graph.verdict, graph.states, round(graph.seconds, 3), *told
    )


def counts(results: Sequence[Checked]) -> dict[str, int]:
    """How many scenarios fared how."""
    found = Counter(result.status for result in results)
    return {status: found[status] for status in _CODES if found[status]}


def exit_code(results: Sequence[Checked]) -> int:
    """1 if a claim fails, else 2 on bad input, else 3 if something is undecided."""
    statuses = {result.status for result in results}
    return next((_CODES[s] for s in ("fails", "error", "undecided") if s in statuses), 0)
