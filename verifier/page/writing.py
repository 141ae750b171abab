"""Writing reports: one page, all of several scenarios on a page, or a folder of pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from string import Template

from verifier import __version__, corpus
from verifier.corpus import Checked
from verifier.errors import InputError, VerifierError
from verifier.explorer import INTERRUPTED
from verifier.page.document import Options, Report
from verifier.page.index import Row, index
from verifier.page.markup import Child, Markup, join, tag
from verifier.report import verdict_line
from verifier.scenario import Scenario
from verifier.views.page import picture_script

#: Files that a page is made of.
_HERE = Path(__file__).parent

#: What a file's name ends with if it is a page.
PAGES = (".html", ".htm")


@dataclass(frozen=True)
class Made:
    """The report of one scenario: its row in a list, its content, one line about it."""

    row: Row
    content: Markup | None
    line: str


@dataclass(frozen=True)
class Limits:
    """How far a scenario is explored."""

    max_states: int
    time_limit: float | None = None
    poll: Callable[[int], None] | None = None


def page(title: str, content: Child) -> str:
    """A whole page: self-contained, with styles and script."""
    script = picture_script() + (_HERE / "page.js").read_text("utf-8")
    footer = (
        f"Made by ruling-verifier {__version__}. Unofficial: made by fans, not endorsed by the "
        "game's publisher."
    )
    template = Template((_HERE / "page.html").read_text("utf-8"))
    return template.substitute(
        title=join([title]),
        style=(_HERE / "page.css").read_text("utf-8"),
        content=join([content]),
        footer=join([footer]),
        script=script,
    )


def make(
    name: str, options: Options, limits: Limits, key: str = "r1", back: str | None = None
) -> Made:
    """Explore a scenario and report what was found.

    Raises
    ------
    VerifierError
        If the scenario or one of its cards is at fault.
    """
    from verifier.engine import explore

    scenario = Scenario.load(name, cards=options.cards)
    graph = explore(
        scenario,
        max_states=limits.max_states,
        time_limit=limits.time_limit,
        poll=limits.poll,
    )
    checked = corpus.judge(name, graph)
    report = Report(graph, options, key, back)
    row = Row(
        checked,
        scenario.title,
        len(graph.outcomes),
        tuple(sorted({card for card, _ in scenario.card_uses})),
        tuple(report.rules),
        f"#{key}",
    )
    return Made(row, report.html(), f"{verdict_line(graph)}; claim: {checked.status}")


def _make_or_tell(job: tuple[str, str, str], options: Options, limits: Limits) -> Made:
    """Like `make`, for one of several: what is at fault is told in its row."""
    name, key, back = job
    try:
        made = make(name, options, limits, key, back)
    except VerifierError as problem:
        checked = Checked(name, "error", str(problem).splitlines())
        return Made(Row(checked, ""), None, "error")
    if INTERRUPTED in made.line:
        raise KeyboardInterrupt
    return made


def scenarios(files: Sequence[str]) -> list[str]:
    """The scenarios that are named: folders stand for all that is in them."""
    found: list[str] = []
    for name in files:
        found += corpus.find([Path(name)]) if Path(name).is_dir() else [name]
    return found


def write_one(name: str, target: Path, options: Options, limits: Limits) -> Made:
    """Write the page of one scenario."""
    made = make(name, options, limits)
    _write(target, page(made.row.title, made.content))
    return made


def write_several(
    names: Sequence[str], target: Path, options: Options, limits: Limits, jobs: int
) -> list[Checked]:
    """Write the reports of several scenarios, on one page or as a folder with an index.

    Parameters
    ----------
    names
        The scenarios.
    target
        A page if its name ends like one, otherwise a folder.
    options, limits
        What is on the pages, and how far is explored.
    jobs
        How many scenarios at once.
    """
    one_page = is_page(target)
    keys = [f"r{n}" for n in range(1, len(names) + 1)] if one_page else list(_file_names(names))
    one = partial(_make_or_tell, options=options, limits=limits)
    rows: list[Row] = []
    contents: list[Markup] = []
    todo = [
        (name, key, "#index") if one_page else (name, "r1", "index.html")
        for name, key in zip(names, keys, strict=True)
    ]
    for made, key in zip(corpus.each(one, todo, jobs), keys, strict=True):
        row = made.row
        if made.content is not None and one_page:
            contents.append(made.content)
        elif made.content is not None:
            row = Row(row.checked, row.title, row.outcomes, row.cards, row.rules, key)
            _write(target / key, page(row.title, made.content))
        rows.append(row)
    heading = f"{len(rows):,} rulings"
    listed = [index(rows, heading), *contents]
    _write(
        target if one_page else target / "index.html",
        page(heading, tag("div", listed, class_="several-reports")),
    )
    return [row.checked for row in rows]


def is_page(target: Path) -> bool:
    """Whether a file is meant, not a folder."""
    return target.suffix.lower() in PAGES and not target.is_dir()


def _file_names(names: Sequence[str]) -> Iterator[str]:
    """A name of its own for the page of each scenario."""
    taken = {"index"}
    for name in names:
        stem = re.sub(r"[^\w-]+", "_", name.removesuffix(".yaml")).strip("_") or "ruling"
        free, number = stem, 1
        while free in taken:
            number += 1
            free = f"{stem}_{number}"
        taken.add(free)
        yield f"{free}.html"


def _write(target: Path, content: str) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content, encoding="utf-8", newline="\n")
    except OSError as problem:
        raise InputError(
            f"cannot write {target}: {problem.strerror}", hint="-o takes a file or a folder"
        ) from None
