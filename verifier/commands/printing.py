"""What every command prints: text, JSON, files, progress."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from verifier.errors import InputError

if TYPE_CHECKING:
    from verifier.corpus import Checked

_COLOURS: dict[str, dict[str, Any]] = {
    "title": {"bold": True},
    "outcome": {"bold": True},
    "dim": {"dim": True},
    "good": {"fg": "green"},
    "unique": {"fg": "green"},
    "several": {"fg": "cyan"},
    "undecided": {"fg": "yellow"},
    "loop": {"fg": "yellow"},
    "bad": {"fg": "red", "bold": True},
}


def style(text: str, kind: str) -> str:
    """Colour a text for a terminal; elsewhere it stays as it is."""
    if not text or os.environ.get("NO_COLOR") or not sys.stdout.isatty():
        return text
    return click.style(text, **_COLOURS.get(kind, {}))


def print_lines(lines: Iterable[str]) -> None:
    """Print lines, if there are any."""
    text = "\n".join(lines)
    if text:
        click.echo(text)


def print_json(document: Any) -> None:
    """Print one document."""
    click.echo(json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False))


def write_file(target: Path, content: str | bytes) -> None:
    """Write what ``-o`` asks for.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    try:
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
    except OSError as problem:
        raise InputError(
            f"cannot write {target}: {problem.strerror}", hint="-o takes the name of a file"
        ) from None


def print_checked(results: Sequence[Checked]) -> None:
    """What did not hold, a line for each, and how many fared how."""
    from verifier import corpus

    for result in results:
        if result.status != "holds":
            told = f"  {result.told}" if result.told else ""
            click.echo(f"{style(result.status, 'bad')}  {result.name}{told}")
    counts = corpus.counts(results)
    said = [f"{number} {status}" for status, number in counts.items()]
    click.echo(", ".join(said) or "no scenarios")


class Progress:
    """A line on stderr for runs of more than a second: states and rate."""

    def __init__(self, quiet: bool) -> None:
        self._began = time.perf_counter()
        self._quiet = quiet or not sys.stderr.isatty() or bool(os.environ.get("CI"))
        self._live: Any = None

    def __call__(self, states: int) -> None:
        """Show how many states there are so far."""
        seconds = time.perf_counter() - self._began
        if self._quiet or seconds < 1:
            return
        from rich.console import Console
        from rich.live import Live

        if self._live is None:
            console = Console(stderr=True)
            self._live = Live(console=console, transient=True, refresh_per_second=8)
            self._live.start()
        self._live.update(f"{states:,} states, {states / seconds:,.0f} a second, {seconds:.0f} s")

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()


class CorpusProgress:
    """A bar on stderr for many scenarios: how many are done, at what rate, what failed."""

    def __init__(self, total: int, quiet: bool) -> None:
        self._total = total
        self._quiet = quiet or not sys.stderr.isatty() or bool(os.environ.get("CI"))
        self._bar: Any = None
        self._began = time.perf_counter()
        self._shown = 0.0
        self._done = self._wrong = self._known = 0

    def __call__(self, checked: Checked) -> None:
        """Count a scenario that is done."""
        self._done += 1
        self._known += checked.known
        self._wrong += checked.status not in ("holds", "no claim")
        # No thread of its own draws the bar: processes are forked while it is shown.
        if self._bar is not None and time.perf_counter() - self._shown > 0.1:
            self._shown = time.perf_counter()
            self._show()

    def _show(self) -> None:
        seconds = max(time.perf_counter() - self._began, 0.001)
        rate = (self._done - self._known) / seconds
        wrong = f"[red]{self._wrong} failed[/red]" if self._wrong else "none failed"
        self._bar.update(
            self._task, completed=self._done, told=f"{rate:,.0f} a second, {wrong}", refresh=True
        )

    def __enter__(self) -> CorpusProgress:
        if not self._quiet:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

            columns = (
                BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[told]}"),
            )  # fmt: skip
            self._bar = Progress(
                *columns, console=Console(stderr=True), transient=True, auto_refresh=False
            )
            self._task = self._bar.add_task("", total=self._total, told="")
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()
