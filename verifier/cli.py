"""The command line: the program, its errors, and finding its commands."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import Any, NoReturn

import click

from verifier import __version__
from verifier.commands.options import BAD_INPUT, EXIT_CODES, HOLDS, UNDECIDED
from verifier.errors import InputError, UndecidedError, VerifierError

#: Each of them is `command` in the module of `verifier.commands` that is called like it, which
#: is imported only if it is used.
COMMANDS = (
    "cards",
    "check",
    "coverage",
    "disputes",
    "explain",
    "facts",
    "graph",
    "judge",
    "orders",
    "outcomes",
    "prove",
    "recheck",
    "report",
    "schema",
    "sweep",
)


class _Group(click.Group):
    """Finds the commands; what goes wrong is a message, a traceback only if asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"verifier.commands.{cmd_name}").command
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except VerifierError as problem:
            if ctx.params.get("debug"):
                raise
            text = str(problem) if isinstance(problem, InputError) else f"error: {problem}"
            _stop(text, UNDECIDED if isinstance(problem, UndecidedError) else BAD_INPUT)
        except MemoryError:
            _stop("error: more memory is needed than --max-memory allows", UNDECIDED)
        except KeyboardInterrupt:
            _stop("interrupted", UNDECIDED)
        except BrokenPipeError:
            with suppress(OSError):
                sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
            sys.exit(HOLDS)


def _stop(message: str, code: int) -> NoReturn:
    click.echo(message, err=True)
    sys.exit(code)


def run() -> NoReturn:
    """The program: the command line, and an end without tidying up.

    Taking a large graph apart costs as much as a tenth of making it, and a grounding that was
    given up may still be busy in its thread.
    """
    code: Any = HOLDS
    try:
        main(prog_name="verifier")
    except SystemExit as end:
        code = end.code
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code if isinstance(code, int) else HOLDS)


@click.group(
    cls=_Group, epilog=EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, prog_name="verifier")
@click.option("--debug", is_flag=True, help="Show a traceback when something goes wrong.")
def main(debug: bool) -> None:
    """Prove rulings of Magic: The Gathering.

    A scenario is a YAML file: a board, what happens, and what is claimed.  Every legal
    outcome over all choices of all players is found.  A shipped scenario can be named
    without a path: draw/notion_thief_two_players.
    """
