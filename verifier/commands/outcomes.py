"""Every outcome and the number of orders that lead to it."""

from __future__ import annotations

import sys

import click

from verifier.commands.options import EXIT_CODES, Explored, exit_code, exploring, output_option
from verifier.commands.printing import print_json, print_lines, style


@click.command("outcomes", epilog=EXIT_CODES)
@click.argument("file")
@output_option
@exploring
def command(file: str, output: str, explored: Explored) -> None:
    """List every outcome and the number of orders that lead to it."""
    from verifier.report import outcome_lines, verdict_line

    graph = explored(file)
    if output == "json":
        print_json(graph.to_dict())
    else:
        print_lines(outcome_lines(graph))
        click.echo(style(verdict_line(graph), graph.verdict))
    sys.exit(exit_code(graph))
