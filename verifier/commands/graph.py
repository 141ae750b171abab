"""Graphs that explain a scenario, the rules or a corpus."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from verifier.commands.options import EXIT_CODES, HOLDS, UNDECIDED, Explored, exploring
from verifier.commands.printing import write_file
from verifier.errors import InputError
from verifier.views.model import BINARY, FORMATS, form_of


@click.command(
    "graph",
    epilog=EXIT_CODES,
    help="""Draw or write a graph that explains a scenario, the rules or a corpus.

\b
decisions  every choice of every player, who makes it, under which subrule, and the
           outcomes; choices that lead to the same outcomes are folded above --fold nodes
effects    which replacement effect enables or disables which, whose order matters and
           where that shows, and the smallest set of pairs whose order decides the outcome
layers     continuous effects in the order in which they are applied, what each changes,
           which depends on which and why, and loops
rules      which predicate of the encodings rests on which, strata, recursion, and which
           rules the cards feed; without FILE, of all that is shipped
cards      which scenarios use which cards and rest on which subrules; FILE is a folder,
           without one the shipped scenarios are taken

\b
svg, png   the picture (png needs the extra: pip install 'ruling-verifier[draw]')
html       one page with the picture, to move about and to zoom
text       indented lines
dot, mermaid, graphml, json   for other programs; graphml and json are not folded

Without --format, the end of FILE given with -o says which; otherwise it is text.
""",
)
@click.argument("file", required=False)
@click.option(
    "--kind",
    type=click.Choice(["decisions", "effects", "layers", "rules", "cards"]),
    default="decisions",
    show_default=True,
    help="What is shown.",
)
@click.option("--format", "form", type=click.Choice(FORMATS), help="How it is written.")
@click.option(
    "-o",
    "--output-file",
    "target",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write to a file instead of to standard output.",
)
@click.option(
    "--fold",
    type=click.IntRange(min=0),
    metavar="NODES",
    help="Fold what would have more nodes; 0 for never.  [default: 60; 0 for graphml, json]",
)
@click.option("--about", metavar="NAME", help="Only what this word names, and its neighbours.")
@click.option(
    "--run",
    is_flag=True,
    help="For cards: also explore each scenario, to find the subrules that fire.",
)
@exploring
def command(
    file: str | None,
    kind: str,
    form: str | None,
    target: Path | None,
    fold: int | None,
    about: str | None,
    run: bool,
    explored: Explored,
) -> None:
    """Draw or write a graph; its help is above."""
    from verifier import views

    if form is None:
        form = "text" if target is None else form_of(target)
    if form in BINARY and target is None and sys.stdout.isatty():
        raise InputError(f"{form} cannot be shown on a terminal", hint="-o FILE writes it")
    if kind == "cards":
        view = views.cards(
            [Path(file)] if file else [],
            cards=explored.cards,
            run=run,
            time_limit=explored.time_limit,
            max_states=explored.max_states,
        )
    elif kind == "rules":
        view = views.rules(explored.load(file) if file else None, cards=explored.cards)
    elif file is None:
        raise InputError(
            f"no scenario for the {kind}", hint="`verifier check --list` names the shipped ones"
        )
    else:
        graph = explored(file)
        view = {"decisions": graph.decisions, "effects": graph.effects, "layers": graph.layers}[
            kind
        ]()
    if about is not None:
        view = view.about(about)
    try:
        content = view.export(form, fold)
    except ImportError as missing:
        raise InputError(str(missing)) from None
    if target is not None:
        write_file(target, content)
    elif isinstance(content, bytes):
        sys.stdout.buffer.write(content)
    else:
        click.echo(content, nl=False)
    sys.exit(HOLDS if view.complete else UNDECIDED)
