"""How many cards of a list are encoded, and which subrules are exercised."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from verifier.commands.options import cards_option, jobs_option, output_option
from verifier.commands.printing import print_json, print_lines, write_file


@click.command("coverage")
@click.option(
    "-o",
    "--output-file",
    "target",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.md",
    help="Write the whole page, with the cards that are missing, to a file.",
)
@click.option(
    "--measure",
    "measured",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.json",
    help="Find which scenarios exercise which subrules (takes minutes), and write it to a file.",
)
@jobs_option
@cards_option
@output_option
def command(
    target: Path | None,
    measured: Path | None,
    jobs: int,
    card_folders: Sequence[Path],
    output: str,
) -> None:
    """Count the encoded cards that replace, prevent or forbid something, by kind of event.

    Of a list of such cards that is shipped; --output json and the page also say what those
    wait for that are not encoded.
    """
    from verifier import subrules
    from verifier.cards import Library
    from verifier.coverage import Coverage
    from verifier.resources import shipped_scenarios

    found = Coverage.of(Library(card_folders))
    if measured is not None:
        write_file(measured, subrules.kept(subrules.measure(shipped_scenarios(), jobs)))
    if target is not None:
        exercised = subrules.known() if measured is None else subrules.read(measured)
        write_file(target, f"{found.markdown()}\n{subrules.markdown(exercised)}")
    if output == "json":
        print_json(found.to_dict())
    else:
        print_lines(found.lines())
