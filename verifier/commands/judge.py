"""Results of other engines, held against what is legal."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from verifier.commands.options import (
    FAILS,
    HOLDS,
    UNDECIDED,
    cards_option,
    jobs_option,
    limits_options,
    report_option,
)
from verifier.commands.printing import print_json, style

_CODES = """\b
Exit codes: 0 all results are right, 1 one is wrong, 2 usage or bad input,
3 none is wrong, but some are not comparable."""


@click.command("judge", epilog=_CODES)
@click.argument("results", metavar="RESULTS.json", type=click.Path(path_type=Path))
@click.option(
    "--against",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="What `verifier check --export DIR` has written; otherwise it is proved.",
)
@cards_option
@limits_options
@jobs_option
@report_option
def command(
    results: Path,
    folder: Path | None,
    card_folders: Sequence[Path],
    time_limit: float | None,
    max_states: int,
    jobs: int,
    output: str,
) -> None:
    """Tell whether results of another engine are legal: right, wrong or not comparable.

    RESULTS.json is a list of {"scenario": NAME, "outcome": {...}}, an entry for each run of
    the engine; verifier/commands/README.md has the format.
    """
    from verifier import judging
    from verifier.corpus import How

    rows = judging.read_results(results)
    if folder is not None:
        legal = judging.exported(folder)
    else:
        how = How(tuple(card_folders), time_limit, max_states, jobs)
        legal = judging.proved((row["scenario"] for row in rows), how)
    judged = judging.judge(rows, legal)
    if output == "json":
        print_json([row.to_dict() for row in judged])
    elif output == "junit":
        from verifier.junit import junit

        click.echo(junit(judged, "verifier judge"))
    else:
        for row in judged:
            if row.status != judging.RIGHT:
                click.echo(f"{style(row.status, 'bad')}  {row.name}  {row.told}")
        said = [f"{number} {status}" for status, number in judging.counts(judged).items()]
        seen, possible = judging.coverage(judged, legal)
        click.echo(", ".join(said) or "no results")
        if possible:
            click.echo(f"{seen} of {possible} legal outcomes seen")
    statuses = {row.status for row in judged}
    if judging.WRONG in statuses:
        sys.exit(FAILS)
    sys.exit(UNDECIDED if judging.NOT_COMPARABLE in statuses else HOLDS)
