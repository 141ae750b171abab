"""Results as text for a judge, and as a table for notebooks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from html import escape
from typing import TYPE_CHECKING

from verifier.claims import check_claim, describe
from verifier.graph import ENDLESS, Graph, Step
from verifier.wording import Wording

if TYPE_CHECKING:
    from verifier.scenario import Scenario

#: Marks up a piece of text: (text, kind) -> text.
Style = Callable[[str, str], str]


def plain(text: str, _kind: str) -> str:
    """No markup."""
    return text


def wording(scenario: Scenario) -> Wording:
    """The words for a scenario: cards and objects by the names in the file."""
    from verifier.resources import constant

    names = {constant(card): card for card, _ in scenario.card_uses}
    copies: dict[str, int] = {}
    for card in scenario.objects.values():
        copies[card] = copies.get(card, 0) + 1
    for thing, card in scenario.objects.items():
        names[thing] = card if copies[card] == 1 else f"{card} [{thing}]"
    return Wording(names, scenario.players)


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
    step_text = cache(wording(scenario).step)
    yield style(scenario.title, "title")
    named = scenario.name if scenario.name != scenario.title else ""
    about = [named, str(scenario.data.get("source", ""))]
    if any(about):
        yield style(" | ".join(filter(None, about)), "dim")
    yield ""
    yield f"verdict  {style(verdict_line(graph), graph.verdict)}"
    yield f"claim    {claim_line(graph, style)}"
    if scenario.rules:
        yield f"rules    {', '.join(scenario.rules)} (named by the file)"
    yield style(f"explored {graph.states:,} states in {graph.seconds:.2f} s", "dim")
    for number, result in enumerate(graph.outcomes, start=1):
        yield ""
        head = f"outcome {number}: {describe(result.outcome)}"
        yield style(head, "outcome") + style(f"  ({orders_text(result.orders)})", "dim")
        if result.outcome == ENDLESS:
            yield "  the run never ends"
            continue
        for place, step in enumerate(shown_steps(graph.explain(result)), start=1):
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


def html_table(graph: Graph) -> str:
    """The outcomes as an HTML table."""
    rows = "".join(
        f"<tr><td>{number}</td><td>{escape(describe(result.outcome))}</td>"
        f"<td>{'without end' if result.orders is None else f'{result.orders:,}'}</td></tr>"
        for number, result in enumerate(graph.outcomes, start=1)
    )
    return (
        f"<p><b>{escape(graph.scenario.title)}</b><br>{escape(verdict_line(graph))}</p>"
        f"<table><tr><th></th><th>outcome</th><th>orders</th></tr>{rows}</table>"
    )
