"""The verdict, every outcome with a way to it, and the claim."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from verifier.commands.options import (
    EXIT_CODES,
    FAILS,
    Explored,
    exit_code,
    exploring,
    output_option,
)
from verifier.commands.printing import print_json, print_lines, style, write_file


@click.command("prove", epilog=EXIT_CODES)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--certificate",
    "target",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="CERTIFICATE.json",
    help="Also write all states, for `verifier recheck`; only with one FILE.",
)
@output_option
@exploring
def command(files: Sequence[str], target: Path | None, output: str, explored: Explored) -> None:
    """Show the verdict, every outcome with a way to it, and whether the claim holds.

    As JSON: one document; for several files, a list of them.
    """
    from verifier.explorer import INTERRUPTED
    from verifier.report import proof

    if target is not None and len(files) > 1:
        raise click.UsageError("--certificate is for one FILE")
    codes = []
    documents = []
    for number, name in enumerate(files):
        graph = explored(name)
        if output == "json":
            documents.append(graph.to_dict())
        else:
            if number:
                click.echo()
            print_lines(proof(graph, style))
        if target is not None:
            from verifier.certificate import certificate

            text = json.dumps(certificate(graph), sort_keys=True, ensure_ascii=False)
            write_file(target, text + "\n")
        codes.append(exit_code(graph))
        if graph.limit == INTERRUPTED:
            break
    if output == "json":
        print_json(documents if len(files) > 1 else documents[0])
    sys.exit(FAILS if FAILS in codes else max(codes))
