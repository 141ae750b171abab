"""Certificates, checked again."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from verifier.commands.options import FAILS, HOLDS, cards_option, output_option
from verifier.commands.printing import print_json, style

_CODES = """\b
Exit codes: 0 the certificate is good, 1 it is refused, 2 usage or bad input."""


@click.command("recheck", epilog=_CODES)
@click.argument("file", metavar="CERTIFICATE.json", type=click.Path(path_type=Path))
@cards_option
@output_option
def command(file: Path, card_folders: Sequence[Path], output: str) -> None:
    """Check what `prove --certificate` has written, without any of the code that wrote it.

    Plain clingo says what can be done in each state that is listed; all of it must lead to
    states that are listed, from where the scenario starts to what the outcomes show.
    """
    from verifier.claims import describe
    from verifier.judging import read_json
    from verifier.recheck import RefusedError, recheck
    from verifier.report import orders_text

    try:
        valid = recheck(read_json(file), str(file), card_folders)
    except RefusedError as problem:
        if output == "json":
            print_json({"valid": False, "reason": str(problem)})
        else:
            click.echo(f"{style('refused', 'bad')}  {problem}")
        sys.exit(FAILS)
    if output == "json":
        print_json(
            {
                "valid": True,
                "scenario": valid.name,
                "reading": valid.reading,
                "states": valid.states,
                "moves": valid.moves,
                "verdict": valid.verdict,
                "outcomes": valid.outcomes,
                "orders": valid.orders,
                "claim": valid.claim,
                "unexplored": valid.unexplored,
            }
        )
    else:
        left = f", {valid.unexplored:,} not looked at" if valid.unexplored else ""
        click.echo(
            f"{style('valid', 'good')}  {valid.states:,} states{left}, {valid.moves:,} moves"
        )
        if valid.reading:
            click.echo(f"reading  {valid.reading}")
        click.echo(f"verdict  {valid.verdict}")
        click.echo(f"claim    {valid.claim}")
        for outcome, orders in zip(valid.outcomes, valid.orders, strict=True):
            click.echo(f"outcome  {describe(outcome)}  ({orders_text(orders)})")
    sys.exit(HOLDS)
