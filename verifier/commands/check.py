"""Many scenarios at once."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from verifier.commands.options import (
    EXIT_CODES,
    cards_option,
    jobs_option,
    limits_options,
    output_option,
)
from verifier.commands.printing import print_checked, print_json, print_lines


@click.command("check", epilog=EXIT_CODES)
@click.argument("folders", nargs=-1, metavar="[DIR]...", type=click.Path(path_type=Path))
@cards_option
@limits_options
@jobs_option
@click.option("--list", "only_list", is_flag=True, help="Name the shipped scenarios.")
@output_option
def command(
    folders: Sequence[Path],
    card_folders: Sequence[Path],
    time_limit: float | None,
    max_states: int,
    jobs: int,
    only_list: bool,
    output: str,
) -> None:
    """Prove every scenario of some folders (the shipped ones unless given)."""
    from verifier import corpus

    if only_list:
        print_lines(corpus.shipped_names())
        return
    files = corpus.find(folders)
    results = corpus.run(
        files, cards=card_folders, time_limit=time_limit, max_states=max_states, jobs=jobs
    )
    if output == "json":
        print_json([result.to_dict() for result in results])
    else:
        print_checked(results)
    sys.exit(corpus.exit_code(results))
