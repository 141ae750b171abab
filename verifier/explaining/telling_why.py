"""What prevents an outcome, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from verifier.claims import describe
from verifier.explaining.telling import MOST_LISTED, brief_lines, head_dict, walk_dict, walk_lines
from verifier.report import Style, plain, verdict_line, wording

if TYPE_CHECKING:
    from verifier.explaining.preventing import WhyNot
    from verifier.explaining.removals import Removal
    from verifier.wording import Wording


def why_not_lines(found: WhyNot, style: Style = plain) -> Iterator[str]:
    """What prevents an outcome, as text."""
    graph = found.graph
    words = wording(graph.scenario)
    yield style(graph.scenario.title, "title")
    yield style(verdict_line(graph), graph.verdict)
    yield ""
    name = describe(found.wanted)
    if found.possible is not None:
        number = found.possible.number
        yield style(f"{name}: it is possible, as outcome {number}", "outcome")
        yield from walk_lines(found.possible, words, style)
        return
    if not graph.exhausted:
        yield style(f"{name}: undecided; it may be possible ({found.limit})", "undecided")
        return
    yield style(f"{name}: not possible", "outcome")
    for number, cause in enumerate(found.causes, start=1):
        yield ""
        yield style(f"{number}. It would be possible without", "outcome")
        for removal in cause.removals:
            yield f"   - {removal.text(words)}"
        yield style("   A way to it then:", "dim")
        yield from brief_lines(cause.walkthrough, words)
    yield ""
    yield _end(found, words)


def _end(found: WhyNot, words: Wording) -> str:
    """What the search has settled, and what it has not."""
    some = "other " if found.causes else ""
    upto = f"up to {found.size} thing{'' if found.size == 1 else 's'} left out together"
    if found.limit:
        return f"undecided: {found.limit} after {found.tried:,} sets; there may be {some}sets"
    if found.open:
        names = [_names(removals, words) for removals in found.open[:MOST_LISTED]]
        more = len(found.open) - MOST_LISTED
        rest = f"; and {more} more" if more > 0 else ""
        return f"undecided: some runs reached a limit, without {' | '.join(names)}{rest}"
    return f"no {some}set {upto} allows it; {found.tried:,} sets were tried"


def _names(removals: Sequence[Removal], words: Wording) -> str:
    return " and ".join(removal.text(words) for removal in removals)


def why_not_dict(found: WhyNot) -> dict[str, Any]:
    """What prevents an outcome, as in ``--output json``."""
    words = wording(found.graph.scenario)
    return {
        **head_dict(found.graph),
        "wanted": found.wanted,
        "possible": None if found.possible is None else walk_dict(found.possible),
        "size": found.size,
        "tried": found.tried,
        "decided": found.decided,
        "limit": found.limit,
        "open": [[_removal_dict(r, words) for r in removals] for removals in found.open],
        "causes": [
            {
                "without": [_removal_dict(removal, words) for removal in cause.removals],
                "way": walk_dict(cause.walkthrough),
            }
            for cause in found.causes
        ],
    }


def _removal_dict(removal: Removal, words: Wording) -> dict[str, Any]:
    return {
        "kind": removal.kind,
        "what": removal.what,
        "text": removal.text(words),
        "rule": removal.subrule,
    }
