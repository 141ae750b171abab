"""A scenario as a program for plain clingo."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from verifier.commands.options import cards_option
from verifier.commands.printing import print_lines


@click.command("facts")
@click.argument("file")
@cards_option
def command(file: str, card_folders: Sequence[Path]) -> None:
    """Print a scenario and its cards as facts, for plain clingo with encodings/orders.lp."""
    from verifier.engine import scenario_program
    from verifier.scenario import Scenario

    print_lines(scenario_program(Scenario.load(file, cards=card_folders)))
