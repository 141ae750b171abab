"""Options that several commands share, and the exit codes."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from verifier.commands.printing import Progress

if TYPE_CHECKING:
    from verifier.cluster import Cluster
    from verifier.graph import Graph
    from verifier.scenario import Scenario

HOLDS, FAILS, BAD_INPUT, UNDECIDED = 0, 1, 2, 3

EXIT_CODES = """\b
Exit codes: 0 the claim holds (or none was made and everything was explored),
1 a claim fails, 2 usage or bad input, 3 undecided: a limit was reached."""


def _shared(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def add(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return add


class _Size(click.ParamType[int]):
    """A number of bytes, in words: 500M."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read a number with a unit."""
        match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT])(?:i?B)?", str(value).strip(), re.I)
        if match is None:
            self.fail(f"{value!r} is no size: write 500M or 4G", param, ctx)
        return int(float(match[1]) * 1024 ** (" KMGT".index(match[2].upper())))


def _limit_memory(ctx: click.Context, param: click.Parameter, size: int | None) -> None:
    """Let the system refuse this process, and those that it starts, more memory than this."""
    if size is None or ctx.resilient_parsing:
        return
    try:
        import resource
    except ImportError:
        raise click.BadParameter("this system cannot limit memory", ctx, param) from None
    # What is only reserved does not count, where the system can tell.
    kind = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
    _, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        size = min(size, hard)
    resource.setrlimit(kind, (size, hard))


cards_option = click.option(
    "--cards",
    "card_folders",
    multiple=True,
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="A folder with card encodings of your own; may be given more than once.",
)
output_option = click.option(
    "--output",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="The form of the result.",
)
report_option = click.option(
    "--output",
    type=click.Choice(["text", "json", "junit"]),
    default="text",
    show_default=True,
    help="The form of the result.",
)
jobs_option = click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    default=os.cpu_count() or 1,
    show_default="all processors",
    help="How many scenarios at once.",
)
scheduler_option = click.option(
    "--scheduler",
    metavar="ADDRESS|local[:N]",
    help="Let the workers of a Dask scheduler, or N of its own, do it (needs the extra: cluster).",
)
limits_options = _shared(
    click.option(
        "--time-limit",
        type=click.FloatRange(min=0),
        metavar="SECONDS",
        help="Give up after this time.",
    ),
    click.option(
        "--max-states",
        type=click.IntRange(min=1),
        default=5_000_000,
        metavar="N",
        show_default=True,
        help="Give up after this many states.",
    ),
    click.option(
        "--max-memory",
        type=_Size(),
        metavar="SIZE",
        expose_value=False,
        callback=_limit_memory,
        help="Give up when a process needs more memory: 500M, 4G.",
    ),
)


def connected(scheduler: str | None) -> AbstractContextManager[Cluster | None]:
    """The cluster that an option names; none if there is no option."""
    if scheduler is None:
        return nullcontext()
    from verifier.cluster import connected

    return connected(scheduler)


@dataclass(frozen=True)
class Explored:
    """Explores scenarios by name, within the limits of the command line."""

    cards: Sequence[Path]
    time_limit: float | None
    max_states: int
    quiet: bool
    reading: str = ""
    cluster: Cluster | None = None
    jobs: int = 1

    def load(self, name: str) -> Scenario:
        """A scenario, not explored."""
        from verifier.scenario import Scenario

        return Scenario.load(name, cards=self.cards).under(self.reading)

    def __call__(self, name: str) -> Graph:
        """Everything that can happen in a scenario."""
        return self._explore(self.load(name))

    def other_readings(self, graph: Graph) -> Iterator[Graph]:
        """The same under each other reading that the file names, unless one was asked for."""
        for reading in [] if self.reading else graph.scenario.readings:
            yield self._explore(graph.scenario.under(reading))

    def _explore(self, scenario: Scenario) -> Graph:
        from verifier.engine import explore
        from verifier.explorer import exploring_by

        way = None
        if self.cluster:
            way = self.cluster.exploring(scenario, self.cards)
        elif self.jobs > 1:
            from verifier.parcel import CardFiles, Parcel
            from verifier.partition import by_team
            from verifier.team import Processes

            way = by_team(Processes(self.jobs), Parcel.of(scenario), CardFiles.read(self.cards))
        with Progress(self.quiet) as progress, exploring_by(way):
            return explore(
                scenario, max_states=self.max_states, time_limit=self.time_limit, poll=progress
            )


def exploring(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of an exploration; the command gets them as ``explored(name)``."""

    @cards_option
    @limits_options
    @click.option(
        "--reading",
        default="",
        metavar="NAME",
        help="Only under this other reading of the rules; several with + between them.",
    )
    @click.option("-q", "--quiet", is_flag=True, help="No progress on stderr.")
    @wraps(command)
    def run(
        *arguments: Any,
        card_folders: Sequence[Path],
        time_limit: float | None,
        max_states: int,
        reading: str,
        quiet: bool,
        **options: Any,
    ) -> None:
        explored = Explored(card_folders, time_limit, max_states, quiet, reading)
        command(*arguments, explored=explored, **options)

    exploring: Callable[..., None] = run
    return exploring


def exit_code(graph: Graph) -> int:
    """The exit code for one scenario that was explored."""
    from verifier.claims import check_claim

    claim = check_claim(graph)
    if claim.failures:
        return FAILS
    return HOLDS if graph.exhausted or claim.holds else UNDECIDED
