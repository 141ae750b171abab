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
    """What did not hold, and how many fared how."""
    from verifier import corpus

    for result in results:
        if result.status != "holds":
            click.echo(f"{style(result.status, 'bad')}  {result.name}")
            print_lines(f"    {line}" for line in result.details)
    counts = corpus.counts(results)
    click.echo(", ".join(f"{number} {status}" for status, number in counts.items()))


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
