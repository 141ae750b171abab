"""Claims about the outcomes, and whether they hold.

A claim holds, fails or is undecided.  What the outcomes found so far refute has failed even
if the exploration was cut short; what needs all of them is undecided then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from verifier.outcomes import ENDLESS, Outcome, Rows, matches, parts

if TYPE_CHECKING:
    from verifier.graph import Graph

#: What an outcome is compared with; a part of one.
Pattern = Outcome


@dataclass
class Claim:
    """The verdict on a claim.

    Attributes
    ----------
    made
        Whether the scenario claims anything.
    failures
        What is wrong, one sentence each.
    open
        Parts that an unfinished exploration leaves undecided.
    """

    made: bool
    failures: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)

    @property
    def holds(self) -> bool | None:
        """True, false, or ``None``: undecided, or nothing is claimed."""
        if self.failures:
            return False
        return None if self.open or not self.made else True

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON output."""
        return {"holds": self.holds, "failures": self.failures}


def check_claim(graph: Graph) -> Claim:
    """Hold a scenario's claim against what was found."""
    said = graph.scenario.claim
    claim = Claim(bool(said))
    found = [result.outcome for result in graph.outcomes]
    exactly = bool(said.get("exactly"))

    def fits(outcome: Outcome, pattern: Pattern) -> bool:
        return matches(outcome, pattern) and (not exactly or _only(outcome, pattern))

    def conclude(part: str, failures: list[str], needs_all: bool = True) -> None:
        claim.failures += failures
        if needs_all and not failures and not graph.exhausted:
            claim.open.append(part)

    if "unique" in said:
        several = len(found) > 1
        if said["unique"]:
            wrong = several or (graph.exhausted and graph.verdict != "unique")
            text = f"claimed unique, but there are {len(found)} outcomes"
            conclude("unique", [text] if wrong else [])
        else:
            wrong = graph.exhausted and not several
            conclude("unique", ["claimed not unique, but it is"] if wrong else [], not several)
    if "outcomes" in said:
        extra = [o for o in found if not any(fits(o, pattern) for pattern in said["outcomes"])]
        conclude("outcomes", [f"not claimed, but possible: {describe(o)}" for o in extra])
        _expect(graph, claim, "outcomes", said["outcomes"], fits, found)
    if "possible" in said:
        _expect(graph, claim, "possible", said["possible"], fits, found)
    for pattern in said.get("never", []):
        bad = [o for o in found if fits(o, pattern)]
        conclude("never", [f"claimed never, but possible: {describe(o)}" for o in bad])
    for pattern in said.get("always", []):
        bad = [o for o in found if not fits(o, pattern)]
        conclude(
            "always",
            [f"claimed always {describe(pattern)}, but possible: {describe(o)}" for o in bad],
        )
    if "can_force" in said:
        player, pattern = said["can_force"]["player"], said["can_force"]["outcome"]
        wrong = graph.exhausted and not graph.can_force(player, pattern)
        text = f"{player} cannot force {describe(pattern)}"
        conclude("can_force", [text] if wrong else [])
    if "loop" in said:
        endless = [o for o in found if o == ENDLESS]
        wrong = len(endless) != len(found) if said["loop"] else bool(endless)
        text = (
            "claimed a loop, but it can end" if said["loop"] else "claimed no loop, but it is one"
        )
        conclude("loop", [text] if wrong else [])
    if "orders" in said:
        wrong = graph.exhausted and graph.orders_count != said["orders"]
        text = f"claimed {said['orders']} orders, but there are {graph.orders_count}"
        conclude("orders", [text] if wrong else [])
    return claim


def _expect(
    graph: Graph,
    claim: Claim,
    part: str,
    patterns: list[Pattern],
    fits: Any,
    found: list[Outcome],
) -> None:
    """Each pattern must fit some outcome."""
    missing = [p for p in patterns if not any(fits(o, p) for o in found)]
    if not missing:
        return
    if graph.exhausted:
        claim.failures += [f"claimed, but not possible: {describe(p)}" for p in missing]
    elif part not in claim.open:
        claim.open.append(part)


def _only(outcome: Outcome, pattern: Pattern) -> bool:
    named = dict(parts(pattern))
    return all(
        key in named.get(place, {}).get(name, {})
        for place, rows in parts(outcome)
        for name, row in rows.items()
        for key in row
    )


#: So many outcomes are named on one line.
_NAMED = 6


def claimed(said: dict[str, Any]) -> str:
    """What a scenario claims, on one line."""
    parts_said: list[str] = []
    if "unique" in said:
        parts_said.append("one outcome" if said["unique"] else "several outcomes")
    if "outcomes" in said:
        parts_said.append(alternatives(said["outcomes"]))
    if "possible" in said:
        parts_said.append(f"possible {alternatives(said['possible'], ' and ')}")
    parts_said += [f"never {{{describe(pattern)}}}" for pattern in said.get("never", [])]
    parts_said += [f"always {{{describe(pattern)}}}" for pattern in said.get("always", [])]
    if "can_force" in said:
        what = said["can_force"]
        parts_said.append(f"{what['player']} can force {{{describe(what['outcome'])}}}")
    if "loop" in said:
        parts_said.append("a loop" if said["loop"] else "no loop")
    if "orders" in said:
        parts_said.append(f"{said['orders']} orders")
    if said.get("exactly"):
        parts_said.append("nothing else changed")
    return ", ".join(parts_said)


def found(graph: Graph) -> str:
    """What was found instead, on one line."""
    said = alternatives([result.outcome for result in graph.outcomes])
    if "orders" in graph.scenario.claim:
        said += f", {graph.orders_count} orders"
    return said if graph.exhausted else f"{said}, and not all was explored"


def alternatives(outcomes: Sequence[Outcome], between: str = " or ") -> str:
    """Several outcomes on one line, the first of them if they are many."""
    named = [f"{{{describe(outcome)}}}" for outcome in outcomes[:_NAMED]]
    if len(outcomes) > _NAMED:
        named.append(f"{len(outcomes) - _NAMED:,} more")
    return between.join(named) or "nothing"


def describe(outcome: Outcome | Pattern) -> str:
    """An outcome on one line: ``drawn: alice 1, bob 2; hand: alice 3``.

    Checkpoints come first: ``at bobs_turn (drawn: alice 1); drawn: alice 1``.
    """
    said = [
        f"at {place} ({_rows(rows) or 'nothing'})" if place else _rows(rows)
        for place, rows in parts(outcome)
    ]
    return "; ".join(filter(None, said)) or "nothing"


def _rows(rows: Rows) -> str:
    return "; ".join(
        f"{name}: "
        + (", ".join(f"{key} {value_text(value)}" for key, value in row.items()) or "nothing")
        for name, row in rows.items()
    )


def value_text(value: Any) -> str:
    """A value in words: ``3``, ``[a, b]``, ``2 green``, ``yes``."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return " + ".join(f"{number:,} {what}" for what, number in value.items())
    if isinstance(value, list | tuple):
        if any(isinstance(part, dict) for part in value):
            return "[" + ", ".join(map(value_text, value)) + "]"
        return "[" + ", ".join(map(str, value)) + "]"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}"
