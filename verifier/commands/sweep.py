"""A scenario over parameters."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from verifier.commands.options import (
    BAD_INPUT,
    EXIT_CODES,
    FAILS,
    HOLDS,
    UNDECIDED,
    cards_option,
    connected,
    jobs_option,
    limits_options,
    scheduler_option,
)
from verifier.commands.printing import CorpusProgress, print_json, print_lines, write_file
from verifier.sweep import SHOWN, Row


@click.command("sweep", epilog=EXIT_CODES)
@click.argument("template", metavar="TEMPLATE.yaml", type=click.Path(path_type=Path))
@click.option(
    "--over",
    "texts",
    multiple=True,
    required=True,
    metavar="NAME=VALUES",
    help="A parameter, $NAME in the template: n=1..8, card=A,B, card=@FILE, card=cards:draw, "
    "who=players; may be given more than once.",
)
@click.option(
    "--unordered", is_flag=True, help="Of combinations that differ in order only the first."
)
@click.option(
    "--show",
    type=click.Choice(SHOWN),
    default="outcomes",
    show_default=True,
    help="What the table or map shows of each scenario.",
)
@click.option(
    "--map",
    "heat_map",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Also draw the map of two parameters: svg, png or pdf (needs matplotlib).",
)
@click.option(
    "-o",
    "--output-file",
    "target",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write all rows: .csv, .json or .parquet (needs the extra: table).",
)
@click.option(
    "--output",
    type=click.Choice(["text", "json", "csv"]),
    default="text",
    show_default=True,
    help="The form of the result.",
)
@cards_option
@limits_options
@jobs_option
@scheduler_option
@click.option("-q", "--quiet", is_flag=True, help="No progress on stderr.")
def command(
    template: Path,
    texts: Sequence[str],
    unordered: bool,
    show: str,
    heat_map: Path | None,
    target: Path | None,
    output: str,
    card_folders: Sequence[Path],
    time_limit: float | None,
    max_states: int,
    jobs: int,
    scheduler: str | None,
    quiet: bool,
) -> None:
    """Prove a scenario for every combination of values, as a table or map.

    In the template, $NAME stands for a value.  With two parameters the text is a map: the
    number of outcomes (or what --show names) for each pair.
    """
    import json

    from verifier import sweep
    from verifier.corpus import How
    from verifier.errors import InputError

    if target is not None and target.suffix not in (".csv", ".json", ".parquet"):
        raise InputError(f"cannot tell the form of {target}", hint=".csv, .json or .parquet")
    parameters = [sweep.parameter(text, template, card_folders) for text in texts]
    how = How(tuple(card_folders), time_limit, max_states, jobs)
    total = sum(1 for _ in sweep.points(parameters, unordered))
    with connected(scheduler) as cluster, CorpusProgress(total, quiet) as progress:
        rows = sweep.sweep(
            template, parameters, how, unordered=unordered, progress=progress, cluster=cluster
        )
    if heat_map is not None:
        sweep.heat_map(rows, parameters, show, heat_map)
    if target is not None:
        if target.suffix == ".parquet":
            sweep.write_parquet(rows, target)
        elif target.suffix == ".csv":
            write_file(target, sweep.as_csv(rows))
        else:
            write_file(target, json.dumps([row.to_dict() for row in rows], indent=1) + "\n")
    if output == "json":
        print_json([row.to_dict() for row in rows])
    elif output == "csv":
        click.echo(sweep.as_csv(rows), nl=False)
    else:
        print_lines(sweep.table(rows, parameters, show))
        _print_problems(rows)
    statuses = [row.checked.status for row in rows]
    if "fails" in statuses:
        sys.exit(FAILS)
    if all(status == "error" for status in statuses):
        sys.exit(BAD_INPUT)
    sys.exit(UNDECIDED if "undecided" in statuses else HOLDS)


def _print_problems(rows: Sequence[Row]) -> None:
    """What could not be proved, on stderr: each problem once."""
    told: dict[str, list[str]] = {}
    for row in rows:
        if row.checked.status in ("error", "undecided"):
            place = ", ".join(f"{name}={value}" for name, value in row.point.items())
            told.setdefault(row.checked.told, []).append(place)
    for problem, places in told.items():
        more = f" and {len(places) - 1} more" if len(places) > 1 else ""
        click.echo(f"{places[0]}{more}: {problem}", err=True)
