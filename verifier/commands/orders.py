"""Complete sequences of choices."""

from __future__ import annotations

import sys
from itertools import islice

import click

from verifier.commands.options import (
    EXIT_CODES,
    HOLDS,
    UNDECIDED,
    Explored,
    exploring,
    output_option,
)
from verifier.commands.printing import print_json


@click.command("orders", epilog=EXIT_CODES)
@click.argument("file")
@click.option(
    "-n",
    "--number",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    help="How many to list; 0 for all.",
)
@output_option
@exploring
def command(file: str, number: int, output: str, explored: Explored) -> None:
    """List the orders: complete sequences of choices, and where they end.

    All of them are counted without being listed.
    """
    from verifier.claims import describe
    from verifier.report import orders_text, verdict_line, wording

    graph = explored(file)
    if graph.orders_count is None:
        click.echo(f"cannot list the orders: {verdict_line(graph)}", err=True)
        sys.exit(UNDECIDED)
    words = wording(graph.scenario)
    found = islice(graph.orders(), number or None)
    if output == "json":
        print_json(
            {
                "schema_version": 1,
                "scenario": graph.scenario.name,
                "count": graph.orders_count,
                "orders": [
                    {
                        "outcome": outcome,
                        "choices": [
                            {
                                "player": s.player,
                                "choice": s.label,
                                "text": words.choice(s),
                                "copy": s.copy,
                                "rules": list(s.rules),
                            }
                            for s in steps
                        ],
                    }
                    for outcome, steps in found
                ],
            }
        )
        sys.exit(HOLDS)
    for place, (outcome, steps) in enumerate(found, start=1):
        choices = "; ".join(words.choice(step) for step in steps) or "nothing to choose"
        click.echo(f"{place:>4}. {choices}  ->  {describe(outcome)}")
    click.echo(orders_text(graph.orders_count) + " in all")
    sys.exit(HOLDS)
