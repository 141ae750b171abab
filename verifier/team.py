"""One exploration by several processes of this machine."""

from __future__ import annotations

import multiprocessing
import signal
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from verifier.partition import LostError, Member

#: Seconds after which it is looked whether to go on.
LOOK = 0.05


class Processes:
    """Some processes as a `verifier.partition.Team`; those that end are replaced."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._processes: list[BaseProcess] = []
        self._pipes: list[Connection] = []

    def gather(self) -> int:
        """Start them."""
        self.dismiss()
        for _ in range(self._count):
            here, there = multiprocessing.Pipe()
            # A process that is forked has the ends of the others' pipes, too.
            others = [*self._pipes, here]
            process = multiprocessing.Process(target=_serve, args=(there, others), daemon=True)
            process.start()
            there.close()
            self._processes.append(process)
            self._pipes.append(here)
        return self._count

    def alive(self) -> list[BaseProcess]:
        """The processes that run."""
        return [process for process in self._processes if process.is_alive()]

    def dismiss(self) -> None:
        """End them; what they know is not needed any more."""
        for process in self._processes:
            process.kill()
        for process, pipe in zip(self._processes, self._pipes, strict=True):
            process.join()
            pipe.close()
        self._processes, self._pipes = [], []

    def call(
        self,
        calls: Sequence[tuple[int, str, tuple[Any, ...]]],
        meanwhile: Callable[[], None],
        check: Callable[[], None],
    ) -> list[Any]:
        """Call methods of theirs."""
        try:
            return self._call(calls, meanwhile, check)
        except (EOFError, OSError):
            raise LostError("processes were ended again and again") from None

    def _call(
        self,
        calls: Sequence[tuple[int, str, tuple[Any, ...]]],
        meanwhile: Callable[[], None],
        check: Callable[[], None],
    ) -> list[Any]:
        open_calls: dict[Connection, deque[int]] = defaultdict(deque)
        for place, (number, _, _) in enumerate(calls):
            open_calls[self._pipes[number]].append(place)
        # Each gets its next call when it has done the one before.
        for pipe, places in open_calls.items():
            pipe.send(calls[places[0]][1:])
        meanwhile()
        found: list[Any] = [None] * len(calls)
        while open_calls:
            check()
            ready = wait(list(open_calls), LOOK)
            for pipe in [pipe for pipe in open_calls if pipe in ready]:
                places = open_calls[pipe]
                result, problem = pipe.recv()
                if problem is not None:
                    raise problem
                found[places.popleft()] = result
                if places:
                    pipe.send(calls[places[0]][1:])
                else:
                    del open_calls[pipe]
        return found


def _serve(pipe: Connection, others: Sequence[Connection]) -> None:
    """Be a member until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for other in others:
        other.close()
    member = Member()
    with suppress(EOFError, OSError):
        while True:
            method, arguments = pipe.recv()
            try:
                pipe.send((getattr(member, method)(*arguments), None))
            except MemoryError:
                # As if it were ended from outside.
                return
            except Exception as problem:
                pipe.send((None, problem))
