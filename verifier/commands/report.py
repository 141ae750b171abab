"""Evidence pages."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from verifier.commands.options import EXIT_CODES, cards_option, jobs_option, limits_options
from verifier.commands.printing import Progress, print_checked


@click.command("report", epilog=EXIT_CODES)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "-o",
    "--output-file",
    "target",
    required=True,
    type=click.Path(path_type=Path),
    metavar="PAGE.html|DIR",
    help="The page to write; otherwise a folder, which gets an index and a page for each.",
)
@click.option(
    "--fold",
    type=click.IntRange(min=0),
    default=60,
    metavar="NODES",
    show_default=True,
    help="Fold a graph of choices that would have more nodes; 0 for never.",
)
@click.option(
    "-n",
    "--number",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    help="How many outcomes have a walkthrough; 0 for all.",
)
@jobs_option
@cards_option
@limits_options
@click.option("-q", "--quiet", is_flag=True, help="No progress on stderr.")
def command(
    files: Sequence[str],
    target: Path,
    fold: int,
    number: int,
    jobs: int,
    card_folders: Sequence[Path],
    time_limit: float | None,
    max_states: int,
    quiet: bool,
) -> None:
    """Write evidence pages: the board, every outcome, the graph of choices, walkthroughs.

    A page opens from disk, without network.  A folder stands for all scenarios in it; with
    several, there is also a list of them with their verdicts and filters.
    """
    from verifier import corpus
    from verifier.page import writing
    from verifier.page.document import Options

    names = writing.scenarios(files)
    options = Options(fold, number, card_folders)
    if names == list(files) and len(names) == 1 and writing.is_page(target):
        with Progress(quiet) as progress:
            limits = writing.Limits(max_states, time_limit, progress)
            made = writing.write_one(names[0], target, options, limits)
        click.echo(f"{target}: {made.line}")
        sys.exit(corpus.exit_code([made.row.checked]))
    limits = writing.Limits(max_states, time_limit)
    results = writing.write_several(names, target, options, limits, jobs)
    print_checked(results)
    sys.exit(corpus.exit_code(results))
