"""Many scenarios at once."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from verifier.commands.options import (
    EXIT_CODES,
    cards_option,
    connected,
    jobs_option,
    limits_options,
    report_option,
    scheduler_option,
)
from verifier.commands.printing import CorpusProgress, print_checked, print_json, print_lines


@click.command("check", epilog=EXIT_CODES)
@click.argument("folders", nargs=-1, metavar="[DIR|FILE]...", type=click.Path(path_type=Path))
@click.option(
    "-k",
    "expression",
    metavar="EXPR",
    help="Only scenarios with such names: parts of names with and, or, not and brackets.",
)
@click.option(
    "--changed-since",
    "revision",
    metavar="REV",
    help="Only scenarios that a change since this git revision can concern.",
)
@click.option("--fresh", is_flag=True, help="Prove also what is known from an earlier run.")
@cards_option
@limits_options
@jobs_option
@scheduler_option
@click.option("--list", "only_list", is_flag=True, help="Name the scenarios, and do nothing else.")
@click.option(
    "--export",
    "export_folder",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write each scenario with its complete outcomes as JSON, for other engines.",
)
@report_option
@click.option("-q", "--quiet", is_flag=True, help="No progress on stderr.")
def command(
    folders: Sequence[Path],
    expression: str | None,
    revision: str | None,
    fresh: bool,
    card_folders: Sequence[Path],
    time_limit: float | None,
    max_states: int,
    jobs: int,
    scheduler: str | None,
    only_list: bool,
    export_folder: Path | None,
    output: str,
    quiet: bool,
) -> None:
    """Prove every scenario of some folders (the shipped ones unless given).

    Results are kept: what neither itself nor in its cards or rules has changed since an
    earlier run is not proved again.
    """
    from verifier import choosing, corpus

    names = corpus.find(folders)
    if expression is not None:
        names = list(filter(choosing.by_name(expression), names))
    if revision is not None:
        names = list(choosing.changed_since(names, revision, card_folders))
    if only_list:
        print_lines(names)
        return
    how = corpus.How(tuple(card_folders), time_limit, max_states, jobs, fresh)
    with connected(scheduler) as cluster, CorpusProgress(len(names), quiet) as progress:
        results = corpus.run(names, how, progress, cluster)
    if export_folder is not None:
        from verifier.judging import export

        number = export(results, export_folder, how)
        click.echo(f"{number} files written to {export_folder}", err=True)
    if output == "json":
        print_json([result.to_dict() for result in results])
    elif output == "junit":
        from verifier.junit import junit

        click.echo(junit(results, "verifier check"))
    else:
        print_checked(results)
    sys.exit(corpus.exit_code(results))
