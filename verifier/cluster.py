"""Corpora and explorations on a Dask cluster: the only module that imports Dask.

Workers have this package installed; one that has another version of it, or other encodings, is
refused.  What is the user's own, scenarios and cards, is sent.  A worker process does one thing
at a time, whatever the number of its threads.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import logging
import os
import queue
import re
import signal
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verifier import __version__
from verifier.errors import InputError, VerifierError
from verifier.parcel import CardFiles, Parcel, installation
from verifier.partition import LostError, Member, by_team

if TYPE_CHECKING:
    from distributed import Client

    from verifier.corpus import Checked, How
    from verifier.explorer import Exploring
    from verifier.kept import Basis
    from verifier.scenario import Scenario

#: Seconds to wait for a scheduler, and for a worker if there is none.
PATIENCE = 15.0

#: Seconds after which it is looked whether workers that something is waited for are still there.
LOOK = 1.0

#: What Dask would look at in each local worker besides, many times a second.
_QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.gil.enabled": False,
    "distributed.admin.system-monitor.interval": "10s",
}

_ADDRESS = re.compile(r"(?:[a-z+]+://)?\S+:\d+")

_NEEDED = "start one with `dask scheduler`, and workers with `dask worker ADDRESS --nthreads 1`"


@contextmanager
def connected(scheduler: str) -> Iterator[Cluster]:
    """A cluster: ``local``, ``local:4`` or the address of a scheduler.

    Raises
    ------
    InputError
        If Dask is not installed, nothing answers there, or a worker cannot take part.
    """
    try:
        import dask
        import distributed
    except ImportError:
        raise InputError(
            "--scheduler needs Dask", hint="pip install 'ruling-verifier[cluster]'"
        ) from None
    # Workers that end are told of here, not in its log.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    name, _, number = scheduler.partition(":")
    if name == "local":
        if not re.fullmatch(r"[1-9]\d{0,3}|", number):
            raise InputError(f"`{number}` is no number of workers", hint="local:4")
        count = int(number or os.cpu_count() or 1)
        with _ignoring_interrupts(), dask.config.set(_QUIET):
            local = distributed.LocalCluster(
                n_workers=count,
                threads_per_worker=1,
                memory_limit=0,
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
            )
        with (
            local as cluster,
            distributed.Client(cluster, direct_to_workers=True, set_as_default=False) as client,
        ):
            yield Cluster(client)
        return
    if not _ADDRESS.fullmatch(scheduler):
        raise InputError(
            f"`{scheduler}` is no scheduler", hint="tcp://HOST:PORT, local or local:WORKERS"
        )
    try:
        client = distributed.Client(
            scheduler, timeout=PATIENCE, direct_to_workers=True, set_as_default=False
        )
    except (OSError, ValueError) as problem:
        reason = str(problem).splitlines()[0] if str(problem) else "no answer"
        raise InputError(f"no scheduler at {scheduler}: {reason}", hint=_NEEDED) from None
    with client:
        yield Cluster(client)


@contextmanager
def _ignoring_interrupts() -> Iterator[None]:
    """Start processes that leave Ctrl-C, which reaches all of a terminal, to this one."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class Cluster:
    """Workers that can take part."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.workers()

    def workers(self) -> list[str]:
        """The addresses of all workers.

        Raises
        ------
        InputError
            If there are none, or one has other encodings.
        """
        client = self.client
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
            found = client.run(_identity, on_error="return")
        except (OSError, TimeoutError) as problem:
            if "closed" in str(problem):
                raise VerifierError(f"the scheduler is gone: {problem}") from None
            raise InputError("the scheduler has no workers", hint=_NEEDED) from None
        here = _identity()
        for address, identity in sorted(found.items()):
            if isinstance(identity, ImportError):
                raise InputError(
                    f"the worker {address} lacks this package: {identity}",
                    hint=f"install ruling-verifier {__version__} there",
                )
            if identity != here and not isinstance(identity, Exception):
                raise _other(address)
        return sorted(address for address, known in found.items() if known == here)

    def exploring(self, scenario: Scenario, cards: Sequence[Path]) -> Exploring:
        """How the workers explore a scenario together."""
        return by_team(_Team(self), Parcel.of(scenario), CardFiles.read(cards))

    def each_done(
        self, names: Sequence[str], how: How
    ) -> Iterator[tuple[int, tuple[Checked, Basis | None] | None]]:
        """Prove scenarios, a task for each; results come as they are done, with their places.

        What a worker was busy with that is killed is tried again by others, at most three
        times; then the result is ``None``.

        Raises
        ------
        VerifierError
            If the workers or the scheduler are gone.
        """
        from distributed.scheduler import KilledWorker

        from verifier.corpus import check_and_tell

        try:
            cards = CardFiles.read(how.cards)
        except VerifierError:
            # That is what is to be said of each of them.
            yield from ((n, check_and_tell(name, how)) for n, name in enumerate(names))
            return
        there = replace(how, cards=())
        scattered = self.client.scatter(cards, broadcast=True) if cards.folders else cards
        done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        tasks = {}
        try:
            for number, name in enumerate(names):
                try:
                    parcel = Parcel.read(name)
                except VerifierError:
                    yield number, check_and_tell(name, how)
                    continue
                task = self.client.submit(
                    _check, parcel, scattered, there, installation(), pure=False
                )
                tasks[task] = number
                task.add_done_callback(done.put)
            while tasks:
                task = self._next(done)
                number = tasks.pop(task)
                if task.status == "cancelled":
                    raise VerifierError("the scheduler is gone")
                problem = task.exception()
                if problem is None:
                    yield number, task.result()
                elif isinstance(problem, KilledWorker):
                    yield number, None
                else:
                    raise problem
        finally:
            with suppress(Exception):
                self.client.cancel([*tasks], force=True)

    def _next(self, done: queue.SimpleQueue[Any]) -> Any:
        """The next task that is done."""
        while True:
            with suppress(queue.Empty):
                return done.get(timeout=LOOK)
            if not self.alive():
                self.workers()

    def alive(self) -> set[str]:
        """The workers that there are now, whatever they have installed."""
        try:
            return set(self.client.nthreads())
        except (OSError, TimeoutError, RuntimeError) as problem:
            raise VerifierError(f"the scheduler is gone: {problem}") from None


def _other(address: str) -> InputError:
    return InputError(
        f"the worker {address} has another version of this package, or other encodings",
        hint="install the same there (and the same Python and clingo)",
    )


class _Team:
    """The workers of a cluster as a `verifier.partition.Team`."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._run = ""
        self._members: list[str] = []

    def gather(self) -> int:
        self.dismiss()
        self._run = uuid.uuid4().hex
        self._members = self._cluster.workers()
        return len(self._members)

    def call(
        self,
        calls: Sequence[tuple[int, str, tuple[Any, ...]]],
        meanwhile: Callable[[], None],
        check: Callable[[], None],
    ) -> list[Any]:
        client = self._cluster.client
        tasks = [
            client.submit(
                _call,
                self._run,
                installation(),
                method,
                arguments,
                workers=[self._members[number]],
                pure=False,
            )
            for number, method, arguments in calls
        ]
        loop: Any = client.loop
        gathering = asyncio.run_coroutine_threadsafe(_gathered(client, tasks), loop.asyncio_loop)
        try:
            meanwhile()
            looked = time.monotonic()
            while True:
                try:
                    return gathering.result(timeout=0.05)
                except concurrent.futures.TimeoutError:
                    if gathering.done():
                        raise
                check()
                if time.monotonic() > looked + LOOK:
                    looked = time.monotonic()
                    if not self._cluster.alive() >= set(self._members):
                        raise LostError("workers were lost again and again")
        except (concurrent.futures.CancelledError, OSError):
            self._cluster.alive()
            raise LostError("workers were lost again and again") from None
        except BaseException:
            with suppress(Exception):
                client.cancel(tasks, force=True)
                self.dismiss()
                gathering.exception(timeout=LOOK)
            raise

    def dismiss(self) -> None:
        """Let the workers leave what they are busy with, and forget it."""
        if self._run:
            with suppress(Exception):
                self._cluster.client.run(_forget, self._run, on_error="ignore", wait=False)
            self._run = ""


async def _gathered(client: Client, tasks: list[Any]) -> list[Any]:
    found: list[Any] = await client.gather(tasks, direct=True, asynchronous=True)
    return found


# --- What workers do ----------------------------------------------------------------------

#: A process does one thing at a time.
_busy = threading.Lock()

#: The explorations that this process takes part in; those that were ended are ``None``.
_members: dict[str, Member | None] = {}


def _identity() -> tuple[str, str]:
    return __version__, installation()


def _refuse(expected: str) -> None:
    """Refuse to take part with other encodings, if a worker has joined later."""
    if installation() != expected:
        from distributed import get_worker

        raise _other(get_worker().address)


def _call(run: str, expected: str, method: str, arguments: tuple[Any, ...]) -> Any:
    """Call a method of the member of an exploration."""
    with _busy:
        if method == "begin":
            _refuse(expected)
            _members.setdefault(run, Member())
        member = _members.get(run)
        if member is None:
            raise LostError("a worker was started anew")
        return getattr(member, method)(*arguments)


def _forget(run: str) -> None:
    member = _members.get(run)
    if member is not None:
        member.given_up = True
    _members[run] = None


def _check(
    parcel: Parcel, cards: CardFiles, how: How, expected: str
) -> tuple[Checked, Basis | None]:
    """Prove a scenario."""
    from verifier.corpus import check_and_tell

    _refuse(expected)
    with _busy:
        checked, basis = check_and_tell(parcel.name, how, lambda: parcel.scenario(cards.unpacked()))
    if cards.folders:
        details = list(map(cards.restored, checked.details))
        checked = replace(checked, details=details)
    return checked, basis
