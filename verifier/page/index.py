"""The list of several scenarios: verdicts, and filters by card, rule, verdict and claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from verifier.cards import rule_order
from verifier.corpus import Checked
from verifier.page.markup import Markup, tag

#: What a claim's fate is called, and how it looks.
_LOOKS = {"holds": "good", "fails": "bad", "error": "bad", "undecided": "open", "no claim": "dim"}


@dataclass(frozen=True)
class Row:
    """One scenario in the list.

    Attributes
    ----------
    checked
        How it fared.
    title
        The question.
    outcomes
        How many there are; ``None`` if it could not be explored.
    cards
        The cards that it names.
    rules
        The subrules that it rests on.
    href
        Where its page is.
    """

    checked: Checked
    title: str
    outcomes: int | None = None
    cards: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    href: str | None = None


def index(rows: Sequence[Row], heading: str) -> Markup:
    """The list with its filters."""
    verdicts = sorted({row.checked.verdict for row in rows if row.checked.verdict})
    statuses = [status for status in _LOOKS if status in {row.checked.status for row in rows}]
    counts = Counter(row.checked.status for row in rows)
    filters = [
        tag("label", "Text ", tag("input", type="search", data_filter="text")),
        _select("Card", "card", sorted({card for row in rows for card in row.cards})),
        _select("Rule", "rule", _distinct((row.rules for row in rows), rule_order)),
        _select("Verdict", "verdict", verdicts),
        _select("Claim", "claim", statuses),
        tag("button", "All", type="reset"),
    ]
    heads = ("scenario", "question", "verdict", "outcomes", "claim", "cards", "rules")
    head = tag("tr", [tag("th", text, scope="col") for text in heads])
    table = tag(
        "table",
        tag("caption", ", ".join(f"{counts[status]} {status}" for status in statuses)),
        tag("thead", head),
        tag("tbody", map(_row, rows)),
    )
    return tag(
        "section",
        tag("h1", heading, id="index-title"),
        tag("form", filters, class_="bar script", hidden=True, aria_label="Filters"),
        tag("p", class_="count", role="status"),
        tag("div", table, class_="list", tabindex=0, role="region", aria_label="Scenarios"),
        class_="index",
        id="index",
        aria_labelledby="index-title",
    )


def _distinct(found: Iterable[Iterable[str]], key: Callable[[str], Any]) -> list[str]:
    return sorted({word for words in found for word in words}, key=key)


def _select(label: str, name: str, words: Sequence[str]) -> Markup:
    options = [tag("option", "any", value=""), [tag("option", word) for word in words]]
    return tag("label", f"{label} ", tag("select", options, data_filter=name))


def _row(row: Row) -> Markup:
    checked = row.checked
    name: Any = tag("a", checked.name, href=row.href) if row.href else checked.name
    details = tag("ul", [tag("li", line) for line in checked.details], class_="plain")
    return tag(
        "tr",
        tag("th", name, scope="row"),
        tag("td", row.title),
        tag("td", checked.verdict or "", class_=checked.verdict),
        tag("td", "" if row.outcomes is None else f"{row.outcomes:,}", class_="number"),
        tag("td", tag("b", checked.status, class_=_LOOKS[checked.status]), details),
        tag("td", ", ".join(row.cards)),
        tag("td", ", ".join(row.rules)),
        data_cards="|".join(row.cards),
        data_rules=" ".join(row.rules),
        data_verdict=checked.verdict or "",
        data_claim=checked.status,
    )
