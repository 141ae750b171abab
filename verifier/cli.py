"""The command line."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from verifier import __version__
from verifier.errors import InputError, VerifierError
from verifier.views.model import BINARY, FORMATS, form_of

if TYPE_CHECKING:
    from verifier.corpus import Checked
    from verifier.graph import Graph
    from verifier.scenario import Scenario

HOLDS, FAILS, BAD_INPUT, UNDECIDED = 0, 1, 2, 3

EXIT_CODES = """\b
Exit codes: 0 the claim holds (or none was made and everything was explored),
1 a claim fails, 2 usage or bad input, 3 undecided: a limit was reached."""


class _Group(click.Group):
    """Turns what goes wrong into messages, without a traceback unless asked for."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except VerifierError as problem:
            if ctx.params.get("debug"):
                raise
            text = str(problem) if isinstance(problem, InputError) else f"error: {problem}"
            _stop(text, BAD_INPUT)
        except KeyboardInterrupt:
            _stop("interrupted", UNDECIDED)
        except BrokenPipeError:
            with suppress(OSError):
                sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
            sys.exit(HOLDS)


def _stop(message: str, code: int) -> NoReturn:
    click.echo(message, err=True)
    sys.exit(code)


def run() -> NoReturn:
    """The program: the command line, and an end without tidying up.

    Taking a large graph apart costs as much as a tenth of making it, and a grounding that was
    given up may still be busy in its thread.
    """
    code: Any = HOLDS
    try:
        main(prog_name="verifier")
    except SystemExit as end:
        code = end.code
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code if isinstance(code, int) else HOLDS)


_COLOURS: dict[str, dict[str, Any]] = {
    "title": {"bold": True},
    "outcome": {"bold": True},
    "dim": {"dim": True},
    "good": {"fg": "green"},
    "unique": {"fg": "green"},
    "several": {"fg": "cyan"},
    "undecided": {"fg": "yellow"},
    "loop": {"fg": "yellow"},
    "bad": {"fg": "red", "bold": True},
}


def _style(text: str, kind: str) -> str:
    if not text or os.environ.get("NO_COLOR") or not sys.stdout.isatty():
        return text
    return click.style(text, **_COLOURS.get(kind, {}))


def _print(lines: Iterable[str]) -> None:
    text = "\n".join(lines)
    if text:
        click.echo(text)


def _print_json(document: Any) -> None:
    click.echo(json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False))


class _Progress:
    """A line on stderr for runs of more than a second: states and rate."""

    def __init__(self, quiet: bool) -> None:
        self._began = time.perf_counter()
        self._quiet = quiet or not sys.stderr.isatty() or bool(os.environ.get("CI"))
        self._live: Any = None

    def __call__(self, states: int) -> None:
        seconds = time.perf_counter() - self._began
        if self._quiet or seconds < 1:
            return
        from rich.console import Console
        from rich.live import Live

        if self._live is None:
            console = Console(stderr=True)
            self._live = Live(console=console, transient=True, refresh_per_second=8)
            self._live.start()
        self._live.update(f"{states:,} states, {states / seconds:,.0f} a second, {seconds:.0f} s")

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()


@dataclass(frozen=True)
class _Explored:
    """Explores scenarios by name, within the limits of the command line."""

    cards: Sequence[Path]
    time_limit: float | None
    max_states: int
    quiet: bool

    def load(self, name: str) -> Scenario:
        """A scenario, not explored."""
        from verifier.scenario import Scenario

        return Scenario.load(name, cards=self.cards)

    def __call__(self, name: str) -> Graph:
        from verifier.engine import explore

        scenario = self.load(name)
        with _Progress(self.quiet) as progress:
            return explore(
                scenario, max_states=self.max_states, time_limit=self.time_limit, poll=progress
            )


# --- Options ------------------------------------------------------------------------------


def _shared(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def add(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return add


_cards_option = click.option(
    "--cards",
    "card_folders",
    multiple=True,
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="A folder with card encodings of your own; may be given more than once.",
)
_output_option = click.option(
    "--output",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="The form of the result.",
)
_jobs_option = click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    default=os.cpu_count() or 1,
    show_default="all processors",
    help="How many scenarios at once.",
)
_limits = _shared(
    click.option(
        "--time-limit",
        type=click.FloatRange(min=0),
        metavar="SECONDS",
        help="Give up after this time.",
    ),
    click.option(
        "--max-states",
        type=click.IntRange(min=1),
        default=5_000_000,
        metavar="N",
        show_default=True,
        help="Give up after this many states.",
    ),
)


@click.group(
    cls=_Group, epilog=EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, prog_name="verifier")
@click.option("--debug", is_flag=True, help="Show a traceback when something goes wrong.")
def main(debug: bool) -> None:
    """Prove rulings of Magic: The Gathering.

    A scenario is a YAML file: a board, what happens, and what is claimed.  Every legal
    outcome over all choices of all players is found.  A shipped scenario can be named
    without a path: draw/notion_thief_two_players.
    """


def _exploring(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of an exploration; the command gets them as ``explored(name)``."""

    @_cards_option
    @_limits
    @click.option("-q", "--quiet", is_flag=True, help="No progress on stderr.")
    @wraps(command)
    def run(
        *arguments: Any,
        card_folders: Sequence[Path],
        time_limit: float | None,
        max_states: int,
        quiet: bool,
        **options: Any,
    ) -> None:
        explored = _Explored(card_folders, time_limit, max_states, quiet)
        command(*arguments, explored=explored, **options)

    exploring: Callable[..., None] = run
    return exploring


def _code(graph: Graph) -> int:
    from verifier.claims import check_claim

    claim = check_claim(graph)
    if claim.failures:
        return FAILS
    return HOLDS if graph.exhausted or claim.holds else UNDECIDED


@main.command(epilog=EXIT_CODES)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@_output_option
@_exploring
def prove(files: Sequence[str], output: str, explored: _Explored) -> None:
    """Show the verdict, every outcome with a way to it, and whether the claim holds.

    As JSON: one document; for several files, a list of them.
    """
    from verifier.explorer import INTERRUPTED
    from verifier.report import proof

    codes = []
    documents = []
    for number, name in enumerate(files):
        graph = explored(name)
        if output == "json":
            documents.append(graph.to_dict())
        else:
            if number:
                click.echo()
            _print(proof(graph, _style))
        codes.append(_code(graph))
        if graph.limit == INTERRUPTED:
            break
    if output == "json":
        _print_json(documents if len(files) > 1 else documents[0])
    sys.exit(FAILS if FAILS in codes else max(codes))


@main.command(epilog=EXIT_CODES)
@click.argument("file")
@_output_option
@_exploring
def outcomes(file: str, output: str, explored: _Explored) -> None:
    """List every outcome and the number of orders that lead to it."""
    from verifier.report import outcome_lines, verdict_line

    graph = explored(file)
    if output == "json":
        _print_json(graph.to_dict())
    else:
        _print(outcome_lines(graph))
        click.echo(_style(verdict_line(graph), graph.verdict))
    sys.exit(_code(graph))


@main.command(epilog=EXIT_CODES)
@click.argument("file")
@click.option(
    "-n",
    "--number",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    help="How many to list; 0 for all.",
)
@_output_option
@_exploring
def orders(file: str, number: int, output: str, explored: _Explored) -> None:
    """List the orders: complete sequences of choices, and where they end.

    All of them are counted without being listed.
    """
    from verifier.claims import describe
    from verifier.report import orders_text, verdict_line, wording

    graph = explored(file)
    if graph.orders_count is None:
        click.echo(f"cannot list the orders: {verdict_line(graph)}", err=True)
        sys.exit(UNDECIDED)
    words = wording(graph.scenario)
    found = islice(graph.orders(), number or None)
    if output == "json":
        _print_json(
            {
                "schema_version": 1,
                "scenario": graph.scenario.name,
                "count": graph.orders_count,
                "orders": [
                    {
                        "outcome": outcome,
                        "choices": [
                            {
                                "player": s.player,
                                "choice": s.label,
                                "text": words.choice(s),
                                "copy": s.copy,
                                "rules": list(s.rules),
                            }
                            for s in steps
                        ],
                    }
                    for outcome, steps in found
                ],
            }
        )
        sys.exit(HOLDS)
    for place, (outcome, steps) in enumerate(found, start=1):
        choices = "; ".join(words.choice(step) for step in steps) or "nothing to choose"
        click.echo(f"{place:>4}. {choices}  ->  {describe(outcome)}")
    click.echo(orders_text(graph.orders_count) + " in all")
    sys.exit(HOLDS)


@main.command(epilog=EXIT_CODES)
@click.argument("file")
@click.option("--player", metavar="PLAYER", help="What this player can force and prevent.")
@click.option("--why", metavar="OUTCOME", help="A shortest way to an outcome.")
@click.option("--why-not", metavar="OUTCOME", help="What prevents an outcome.")
@click.option(
    "-n",
    "--number",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    help="How many outcomes to explain; 0 for all.",
)
@click.option(
    "--size",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    help="How many things --why-not leaves out together, at most.",
)
@_output_option
@_exploring
def explain(
    file: str,
    player: str | None,
    why: str | None,
    why_not: str | None,
    number: int,
    size: int,
    output: str,
    explored: _Explored,
) -> None:
    """Explain how the outcomes come about, step by step, and what separates them.

    An OUTCOME is its number or a pattern: --why '{drawn: {alice: 1}}'.
    """
    from verifier.explaining import asking

    if sum(option is not None for option in (player, why, why_not)) > 1:
        raise click.UsageError("choose one of --player, --why and --why-not")
    graph = explored(file)
    if player is not None:
        answer = asking.player(graph, player)
    elif why is not None:
        answer = asking.why(graph, why)
    elif why_not is not None:
        with _Progress(explored.quiet) as progress:
            answer = asking.why_not(
                graph, why_not, size, explored.max_states, explored.time_limit, progress
            )
    else:
        answer = asking.everything(graph, number)
    if output == "json":
        _print_json(answer.document)
    else:
        _print(answer.lines(_style))
    sys.exit(answer.code)


@main.command(
    "graph",
    epilog=EXIT_CODES,
    help="""Draw or write a graph that explains a scenario, the rules or a corpus.

\b
decisions  every choice of every player, who makes it, under which subrule, and the
           outcomes; choices that lead to the same outcomes are folded above --fold nodes
effects    which replacement effect enables or disables which, whose order matters and
           where that shows, and the smallest set of pairs whose order decides the outcome
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
    type=click.Choice(["decisions", "effects", "rules", "cards"]),
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
@_exploring
def graph_command(
    file: str | None,
    kind: str,
    form: str | None,
    target: Path | None,
    fold: int | None,
    about: str | None,
    run: bool,
    explored: _Explored,
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
        view = graph.decisions() if kind == "decisions" else graph.effects()
    if about is not None:
        view = view.about(about)
    try:
        content = view.export(form, fold)
    except ImportError as missing:
        raise InputError(str(missing)) from None
    if target is not None:
        _write(target, content)
    elif isinstance(content, bytes):
        sys.stdout.buffer.write(content)
    else:
        click.echo(content, nl=False)
    sys.exit(HOLDS if view.complete else UNDECIDED)


def _write(target: Path, content: str | bytes) -> None:
    try:
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
    except OSError as problem:
        raise InputError(
            f"cannot write {target}: {problem.strerror}", hint="-o takes the name of a file"
        ) from None


@main.command(epilog=EXIT_CODES)
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
@_jobs_option
@_cards_option
@_limits
@click.option("-q", "--quiet", is_flag=True, help="No progress on stderr.")
def report(
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
        with _Progress(quiet) as progress:
            limits = writing.Limits(max_states, time_limit, progress)
            made = writing.write_one(names[0], target, options, limits)
        click.echo(f"{target}: {made.line}")
        sys.exit(corpus.exit_code([made.row.checked]))
    limits = writing.Limits(max_states, time_limit)
    results = writing.write_several(names, target, options, limits, jobs)
    _print_checked(results)
    sys.exit(corpus.exit_code(results))


@main.command()
@click.argument("name", required=False)
@_cards_option
@_output_option
def cards(name: str | None, card_folders: Sequence[Path], output: str) -> None:
    """List the encoded cards, or show one: what it does, its rules, scenarios that use it."""
    from verifier.cards import Library, card_table, describe_card

    library = Library(card_folders)
    if name is None:
        table = card_table(library)
        if output == "json":
            _print_json(table)
        else:
            width = max(len(row["name"]) for row in table)
            _print(f"{row['name']:<{width}}  {', '.join(row['types'])}" for row in table)
            click.echo(f"{len(table)} cards", err=True)
        return
    card = describe_card(library, name)
    if output == "json":
        _print_json(card)
        return
    click.echo(_style(card["name"], "title") + _style(f"  {', '.join(card['types'])}", "dim"))
    click.echo(card["summary"])
    click.echo()
    _print(f"  {line}" for line in card["encoding"])
    click.echo()
    click.echo(f"rules      {', '.join(card['rules']) or 'none of its own'}")
    click.echo(f"scenarios  {len(card['scenarios'])}")
    _print(f"  {scenario}" for scenario in card["scenarios"])


@main.command()
@click.option(
    "-o",
    "--output-file",
    "target",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.md",
    help="Write the whole page, with the cards that are missing, to a file.",
)
@_cards_option
@_output_option
def coverage(target: Path | None, card_folders: Sequence[Path], output: str) -> None:
    """Count the encoded cards that replace, prevent or forbid something, by kind of event.

    Of a list of such cards that is shipped; --output json and the page also say what those
    wait for that are not encoded.
    """
    from verifier.cards import Library
    from verifier.coverage import Coverage

    found = Coverage.of(Library(card_folders))
    if target is not None:
        _write(target, found.markdown())
    if output == "json":
        _print_json(found.to_dict())
    else:
        _print(found.lines())


@main.command()
def schema() -> None:
    """Print the JSON Schema of scenario files, for editors."""
    from verifier.shape import schema as scenario_schema

    _print_json(scenario_schema())


@main.command()
@click.argument("file")
@_cards_option
def facts(file: str, card_folders: Sequence[Path]) -> None:
    """Print a scenario and its cards as facts, for plain clingo with encodings/orders.lp."""
    from verifier.engine import scenario_program
    from verifier.scenario import Scenario

    _print(scenario_program(Scenario.load(file, cards=card_folders)))


@main.command(epilog=EXIT_CODES)
@click.argument("folders", nargs=-1, metavar="[DIR]...", type=click.Path(path_type=Path))
@_cards_option
@_limits
@_jobs_option
@click.option("--list", "only_list", is_flag=True, help="Name the shipped scenarios.")
@_output_option
def check(
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
        _print(corpus.shipped_names())
        return
    files = corpus.find(folders)
    results = corpus.run(
        files, cards=card_folders, time_limit=time_limit, max_states=max_states, jobs=jobs
    )
    if output == "json":
        _print_json([result.to_dict() for result in results])
    else:
        _print_checked(results)
    sys.exit(corpus.exit_code(results))


def _print_checked(results: Sequence[Checked]) -> None:
    """What did not hold, and how many fared how."""
    from verifier import corpus

    for result in results:
        if result.status != "holds":
            click.echo(f"{_style(result.status, 'bad')}  {result.name}")
            _print(f"    {line}" for line in result.details)
    counts = corpus.counts(results)
    click.echo(", ".join(f"{number} {status}" for status, number in counts.items()))
