"""Results as text for a judge, and as a table for notebooks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from html import escape
from typing import TYPE_CHECKING

from verifier.claims import check_claim, describe, value_text
from verifier.graph import Graph, Step
from verifier.outcomes import AT, ENDLESS, Outcome, Rows, parts
from verifier.stamps import separating_orders
from verifier.wording import Wording

if TYPE_CHECKING:
    from pathlib import Path

    from verifier.scenario import Scenario

#: An observable that shows more players or objects than this has one column in a table.
MOST_COLUMNS = 6

#: Marks up a piece of text: (text, kind) -> text.
Style = Callable[[str, str], str]


def plain(text: str, _kind: str) -> str:
    """No markup."""
    return text


def wording(scenario: Scenario) -> Wording:
    """The words for a scenario: cards and objects by the names in the file."""
    from verifier.resources import constant

    names = {constant(card): card for card, _ in scenario.card_uses}
    files = {card: scenario.library.find(name) for card, name in names.items()}
    several = {card for card, path in files.items() if _has_several_effects(path)}
    copies: dict[str, int] = {}
    for card in scenario.objects.values():
        copies[card] = copies.get(card, 0) + 1
    for thing, card in scenario.objects.items():
        names[thing] = card if copies[card] == 1 else f"{card} [{thing}]"
    return Wording(names, scenario.players, several)


@cache
def _has_several_effects(path: Path) -> bool:
    """Whether more than one ability of the card is a replacement effect."""
    return len(set(re.findall(r"^would\(\w+, ?(\w+)", path.read_text("utf-8"), re.M))) > 1


def orders_text(number: int | None) -> str:
    """A number of orders in words."""
    if number is None:
        return "orders without end"
    return f"{number:,} order{'' if number == 1 else 's'}"


def verdict_line(graph: Graph) -> str:
    """Verdict, outcomes and orders on one line."""
    found = len(graph.outcomes)
    outcomes = f"{found:,} outcome{'' if found == 1 else 's'}"
    if not graph.exhausted:
        return f"undecided: {graph.limit}; {outcomes} found so far"
    return f"{graph.verdict}: {outcomes}, {orders_text(graph.orders_count)}"


def shown_steps(steps: list[Step]) -> Iterator[Step]:
    """The steps that say something: choices, and what some subrule is behind."""
    return (step for step in steps if step.player or step.rules)


def proof(graph: Graph, style: Style = plain) -> Iterator[str]:
    """The lines of ``verifier prove``: question, verdict, outcomes with a way to each, claim."""
    scenario = graph.scenario
    yield style(scenario.title, "title")
    named = scenario.name if scenario.name != scenario.title else ""
    about = [named, str(scenario.data.get("source", ""))]
    if any(about):
        yield style(" | ".join(filter(None, about)), "dim")
    if scenario.reading:
        yield reading_line(scenario)
    yield ""
    yield f"verdict  {style(verdict_line(graph), graph.verdict)}"
    yield f"claim    {claim_line(graph, style)}"
    if scenario.rules:
        yield f"rules    {', '.join(scenario.rules)} (named by the file)"
    yield style(f"explored {graph.states:,} states in {graph.seconds:.2f} s", "dim")
    yield from _ways(graph, style)


def under_reading(graph: Graph, style: Style = plain) -> Iterator[str]:
    """The lines of ``verifier prove`` for another reading of the rules."""
    yield ""
    yield style(reading_line(graph.scenario), "title")
    yield ""
    yield f"verdict  {style(verdict_line(graph), graph.verdict)}"
    yield f"claim    {claim_line(graph, style)}"
    yield style(f"explored {graph.states:,} states in {graph.seconds:.2f} s", "dim")
    yield from _ways(graph, style)


def reading_line(scenario: Scenario) -> str:
    """Under which reading of the rules a scenario is looked at, and what that says."""
    from verifier.vocabulary import told_readings

    told = told_readings()
    words = scenario.reading.split("+")
    said = [f"{told[word][1]} ({told[word][0]})" for word in words if word in told]
    return f"reading  {scenario.reading}" + (f": {'; '.join(said)}" if said else "")


def _ways(graph: Graph, style: Style) -> Iterator[str]:
    """Each outcome with a way to it."""
    words = wording(graph.scenario)
    step_text = cache(words.step)
    orders = separating_orders(graph)
    for number, result in enumerate(graph.outcomes, start=1):
        yield ""
        head = f"outcome {number}"
        if AT not in result.outcome:
            head += f": {describe(result.outcome)}"
        yield style(head, "outcome") + style(f"  ({orders_text(result.orders)})", "dim")
        if orders[number - 1]:
            said = [f"{words.phrase(a)} before {words.phrase(b)}" for a, b in orders[number - 1]]
            yield f"  timestamps: {', '.join(said)}"
        if AT in result.outcome:
            yield from _text_table(*table(result.outcome))
        steps = [*shown_steps(graph.explain(result))]
        again = [*shown_steps(graph.loop)] if result.outcome == ENDLESS else []
        for place, step in enumerate([*steps, *again], start=1):
            if place == len(steps) + 1:
                yield style("  again and again, without end:", "dim")
            rules = style(f"  [{', '.join(step.rules)}]" if step.rules else "", "dim")
            yield f"  {place:>2}. {step_text(step)}{rules}"


def claim_line(graph: Graph, style: Style = plain) -> str:
    """Whether the claim holds, and what is wrong with it."""
    claim = check_claim(graph)
    if not claim.made:
        return "none made"
    if claim.failures:
        return style("fails", "bad") + "".join(f"\n         - {why}" for why in claim.failures)
    if claim.open:
        return style(f"undecided ({', '.join(claim.open)})", "undecided")
    return style("holds", "good")


def outcome_lines(graph: Graph) -> Iterator[str]:
    """One line for each outcome, with its orders."""
    for result in graph.outcomes:
        yield f"{describe(result.outcome)}  ({orders_text(result.orders)})"


def table(outcome: Outcome) -> tuple[list[str], list[list[str]]]:
    """An outcome with checkpoints as a table: the heads of the columns, and the rows.

    A row is a checkpoint, the last one the end.  A column is an observable of one player or
    object, or of all of them if they are many.
    """
    places = list(parts(outcome))
    found = columns([rows for _, rows in places])
    return ["", *map(head, found)], [
        [place or "end", *(cell(rows, column) for column in found)] for place, rows in places
    ]


#: A column of a table: an observable, and the player or object; ``None`` for all of them.
Column = tuple[str, str | None]


def columns(shown: Sequence[Rows]) -> list[Column]:
    """The columns in which everything has room that some rows show."""
    keys: dict[str, set[str]] = {}
    for rows in shown:
        for name, row in rows.items():
            keys.setdefault(name, set()).update(row)
    found: list[Column] = []
    for name, of in sorted(keys.items()):
        found += [(name, key) for key in sorted(of)] if len(of) <= MOST_COLUMNS else [(name, None)]
    return found


def head(column: Column) -> str:
    """The head of a column."""
    name, key = column
    return f"{name}: {key}" if key else name


def cell(rows: Rows, column: Column) -> str:
    """What rows show in a column."""
    name, key = column
    row = rows.get(name, {})
    if key is not None:
        return value_text(row[key]) if key in row else "-"
    return ", ".join(f"{of} {value_text(value)}" for of, value in row.items()) or "-"


def _text_table(heads: list[str], rows: list[list[str]]) -> Iterator[str]:
    """The lines of a table, as wide as the terminal allows."""
    from io import StringIO

    from rich import box
    from rich.console import Console
    from rich.table import Table

    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 2, 0, 0))
    for head in heads:
        shown.add_column(head.replace(": ", "\n"), overflow="fold")
    for row in rows:
        shown.add_row(*row)
    text = StringIO()
    Console(file=text, color_system=None, force_terminal=False, markup=False).print(shown)
    yield from (f"  {line.rstrip()}" for line in text.getvalue().splitlines() if line.strip())


def _html_outcome(outcome: Outcome) -> str:
    """An outcome in HTML, with checkpoints as a table."""
    if AT not in outcome:
        return escape(describe(outcome))
    heads, rows = table(outcome)
    lines = [[f"<th>{escape(head)}</th>" for head in heads]]
    lines += [[f"<td>{escape(cell)}</td>" for cell in row] for row in rows]
    body = "".join(f"<tr>{''.join(line)}</tr>" for line in lines)
    return f"<table>{body}</table>"


def html_table(graph: Graph) -> str:
    """The outcomes as an HTML table."""
    rows = "".join(
        f"<tr><td>{number}</td><td>{_html_outcome(result.outcome)}</td>"
        f"<td>{'without end' if result.orders is None else f'{result.orders:,}'}</td></tr>"
        for number, result in enumerate(graph.outcomes, start=1)
    )
    return (
        f"<p><b>{escape(graph.scenario.title)}</b><br>{escape(verdict_line(graph))}</p>"
        f"<table><tr><th></th><th>outcome</th><th>orders</th></tr>{rows}</table>"
    )
