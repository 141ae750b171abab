"""Why outcomes come about, or do not."""

from __future__ import annotations

import sys

import click

from verifier.commands.options import EXIT_CODES, Explored, exploring, output_option
from verifier.commands.printing import Progress, print_json, print_lines, style


@click.command("explain", epilog=EXIT_CODES)
@click.argument("file")
@click.option("--player", metavar="PLAYER", help="What this player can force and prevent.")
@click.option("--why", metavar="OUTCOME", help="A shortest way to an outcome.")
@click.option("--why-not", metavar="OUTCOME", help="What prevents an outcome.")
@click.option(
    "-n",
    "--number",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    help="How many outcomes to explain; 0 for all.",
)
@click.option(
    "--size",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    help="How many things --why-not leaves out together, at most.",
)
@output_option
@exploring
def command(
    file: str,
    player: str | None,
    why: str | None,
    why_not: str | None,
    number: int,
    size: int,
    output: str,
    explored: Explored,
) -> None:
    """Explain how the outcomes come about, step by step, and what separates them.

    An OUTCOME is its number or a pattern: --why '{drawn: {alice: 1}}'.
    """
    from verifier.explaining import asking

    if sum(option is not None for option in (player, why, why_not)) > 1:
        raise click.UsageError("choose one of --player, --why and --why-not")
    graph = explored(file)
    if player is not None:
        answer = asking.player(graph, player)
    elif why is not None:
        answer = asking.why(graph, why)
    elif why_not is not None:
        with Progress(explored.quiet) as progress:
            answer = asking.why_not(
                graph, why_not, size, explored.max_states, explored.time_limit, progress
            )
    else:
        answer = asking.everything(graph, number)
    if output == "json":
        print_json(answer.document)
    else:
        print_lines(answer.lines(style))
    sys.exit(answer.code)
