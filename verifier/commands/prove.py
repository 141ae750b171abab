"""The verdict, every outcome with a way to it, and the claim."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from verifier.commands.options import (
    EXIT_CODES,
    FAILS,
    Explored,
    connected,
    exit_code,
    exploring,
    output_option,
    scheduler_option,
)
from verifier.commands.printing import print_json, print_lines, style, write_file


@click.command("prove", epilog=EXIT_CODES)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--certificate",
    "target",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="CERTIFICATE.json",
    help="Also write all states, for `verifier recheck`; only with one FILE, and under one "
    "reading (--reading).",
)
@output_option
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="How many processes share the states of a scenario; worth it from 100,000 states on.",
)
@scheduler_option
@exploring
def command(
    files: Sequence[str],
    target: Path | None,
    output: str,
    jobs: int,
    scheduler: str | None,
    explored: Explored,
) -> None:
    """Show the verdict, every outcome with a way to it, and whether the claim holds.

    Then the same under each other reading of the rules that the file names.  As JSON: one
    document; for several files, a list of them.
    """
    from verifier.explorer import INTERRUPTED
    from verifier.report import proof, under_reading

    if target is not None and len(files) > 1:
        raise click.UsageError("--certificate is for one FILE")
    codes: list[int] = []
    documents = []
    with connected(scheduler) as cluster:
        explored = replace(explored, cluster=cluster, jobs=jobs)
        for number, name in enumerate(files):
            graph = explored(name)
            if output == "text":
                if number:
                    click.echo()
                print_lines(proof(graph, style))
            others = []
            for other in explored.other_readings(graph) if graph.limit != INTERRUPTED else ():
                others.append(other)
                if output == "text":
                    print_lines(under_reading(other, style))
            if output == "json":
                readings = {other.scenario.reading: other.to_dict() for other in others}
                documents.append(graph.to_dict() | ({"readings": readings} if readings else {}))
            if target is not None:
                from verifier.certificate import certificate

                text = json.dumps(certificate(graph), sort_keys=True, ensure_ascii=False)
                write_file(target, text + "\n")
                if others:
                    click.echo(
                        f"{target} is of the outcomes without another reading; --reading writes "
                        "those under one",
                        err=True,
                    )
            codes += map(exit_code, [graph, *others])
            if INTERRUPTED in [part.limit for part in (graph, *others)]:
                break
    if output == "json":
        print_json(documents if len(files) > 1 else documents[0])
    sys.exit(FAILS if FAILS in codes else max(codes))
