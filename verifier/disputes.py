"""The questions whose answer is disputed, or that are looked at under several readings.

They are the scenario files that say so, in ``dispute`` or ``readings``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verifier import resources
from verifier.claims import claimed
from verifier.vocabulary import told_readings

if TYPE_CHECKING:
    from verifier.scenario import Scenario

#: A file that may have something to say; what it does say is seen when it is read.
_SAYS = re.compile(r"\b(dispute|readings)\b")


@dataclass(frozen=True)
class Dispute:
    """One question.

    Attributes
    ----------
    name
        The scenario's.
    cases
        The ids of the collected questions that it answers.
    text
        What is disputed, in words; empty if only the readings say so.
    answers
        What is claimed: under the reading of the encodings (``""``), and under each other one.
    """

    name: str
    title: str
    cases: list[str]
    rules: list[str]
    text: str
    answers: dict[str, str]

    @classmethod
    def of(cls, name: str, scenario: Scenario) -> Dispute:
        """What a scenario says."""
        data = scenario.data
        readings = {reading: scenario.under(reading) for reading in ("", *scenario.readings)}
        return cls(
            name,
            scenario.title,
            [*([data["case"]] if "case" in data else []), *data.get("cases", [])],
            scenario.rules,
            " ".join(str(data.get("dispute", "")).split()),
            {reading: claimed(under.claim) for reading, under in readings.items()},
        )

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON output."""
        return {
            "scenario": self.name,
            "title": self.title,
            "cases": self.cases,
            "rules": self.rules,
            "dispute": self.text,
            "answers": {reading or "as_read_here": said for reading, said in self.answers.items()},
        }

    def lines(self) -> list[str]:
        """The question as a part of the page."""
        about = [f"`{self.name}`"]
        if self.cases:
            about.append("case " + ", ".join(f"`{case}`" for case in self.cases))
        if self.rules:
            about.append(f"CR {', '.join(self.rules)}")
        lines = [f"### {self.title}", "", "; ".join(about), ""]
        if self.text:
            lines += [self.text, ""]
        for reading, said in self.answers.items():
            lines.append(f"- {f'`{reading}`' if reading else 'as it is read here'}: {said or '-'}")
        return [*lines, ""]


def find(names: Sequence[str] = (), cards: Sequence[Path] = ()) -> list[Dispute]:
    """The disputed questions among some scenarios, or among the shipped ones."""
    from verifier.scenario import Scenario

    found = []
    for name in names or resources.shipped_scenarios():
        if _SAYS.search(resources.find_scenario(name).read_text(encoding="utf-8")):
            scenario = Scenario.load(name, cards=cards)
            if scenario.readings or "dispute" in scenario.data:
                found.append(Dispute.of(name, scenario))
    return found


def markdown(found: Sequence[Dispute]) -> str:
    """The page: the readings that there are, and the questions by folder."""
    used = {word for one in found for reading in one.answers for word in reading.split("+")}
    rows = [
        f"| `{name}` | {rule} | {said} |"
        for name, (rule, said) in sorted(told_readings().items())
        if name in used
    ]
    lines = [_HEAD.format(number=len(found))]
    if rows:
        lines += ["## Readings", "", "| reading | CR | what it says |", "|---|---|---|", *rows, ""]
    for folder, some in groupby(found, key=lambda one: one.name.rpartition("/")[0]):
        lines += [f"## {folder or 'Others'}", ""]
        for one in some:
            lines += one.lines()
    return "\n".join(lines).rstrip("\n") + "\n"


_HEAD = """\
# Disputed answers

Written by `verifier disputes -o scenarios/DISPUTES.md`; do not edit it.

The {number} scenarios that have a `dispute` (the rules and the collected answer differ, or the \
text of the rules leaves room) or name other `readings` of the rules, with what each claims. Where \
the rules say something else than a collected answer, the scenario has the answer of the rules. \
`verifier prove` shows the outcomes under each reading.
"""
