"""The questions whose answer is disputed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from verifier.commands.options import cards_option, output_option
from verifier.commands.printing import print_json, print_lines, write_file


@click.command("disputes")
@click.argument("folders", nargs=-1, metavar="[DIR|FILE]...", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output-file",
    "target",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.md",
    help="Write them as a page to a file.",
)
@cards_option
@output_option
def command(
    folders: Sequence[Path], target: Path | None, card_folders: Sequence[Path], output: str
) -> None:
    """List the scenarios with disputed answers or several readings of the rules.

    Those of some folders, the shipped ones unless given.
    """
    from verifier import corpus, disputes

    found = disputes.find(corpus.find(folders), card_folders)
    if target is not None:
        write_file(target, disputes.markdown(found))
    if output == "json":
        print_json([one.to_dict() for one in found])
    else:
        print_lines(f"{one.name}  {one.title}" for one in found)
