"""Which subrules of the Comprehensive Rules the encodings cite, and which scenarios show them.

A comment that cites subrules is about the rules below it, up to the next such comment; a rule
that gives a subrule as the reason of something cites it itself.  A scenario exercises a subrule
if a rule that cites it fires in it.  That is measured (`measure`), which takes minutes, and kept
in ``encodings/exercised.json``.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from verifier import resources
from verifier.asp import Rule

if TYPE_CHECKING:
    from verifier.firing import Marked

#: A subrule, or a range such as 616.1a-f or 614.12-614.13.
_NUMBER = re.compile(r"\b([1-9]\d\d\.\d+[a-z]?)(?:-(\d{3}\.\d+[a-z]?|[a-z]\b))?")

#: How many scenarios are named for each subrule.
EXAMPLES = 3

#: For each subrule how many scenarios exercise it, and some of them.
Exercised = dict[str, tuple[int, list[str]]]


def cited_in(text: str) -> set[str]:
    """The subrules that a text cites, ranges in full."""
    numbers = list(resources.rule_numbers_in_order())
    known = {number: place for place, number in enumerate(numbers)}
    found: set[str] = set()
    for first, last in _NUMBER.findall(text):
        if last and "." not in last:
            last = first.rstrip("abcdefghijklmnopqrstuvwxyz") + last
        if first in known and last in known:
            found |= set(numbers[known[first] : known[last] + 1])
        elif first in known:
            found.add(first)
    return found


def citations(rules: Iterable[Rule]) -> dict[str, list[Rule]]:
    """For each subrule the rules that cite it."""
    found: dict[str, list[Rule]] = defaultdict(list)
    for rule in rules:
        said = re.findall(r'"([1-9]\d\d\.[^"]*)"', rule.text)
        lines, cited = _comments(Path(rule.position.file))
        place = bisect_right(lines, rule.position.line) - 1
        for number in {*said, *(cited[place] if place >= 0 else ())}:
            found[number].append(rule)
    return dict(found)


@cache
def _comments(path: Path) -> tuple[list[int], list[set[str]]]:
    """The lines below which a comment is about the rules, and the subrules that it cites."""
    lines: list[int] = []
    cited: list[set[str]] = []
    block = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith("%") and not line.startswith(("%*", "*%")):
            block += line + "\n"
        elif block:
            if found := cited_in(block):
                lines.append(number)
                cited.append(found)
            block = ""
    return lines, cited


def in_scope(cited: Iterable[str]) -> list[str]:
    """The rules of which some subrule is cited, with all their subrules, in order."""
    rules = {_rule_of(number) for number in cited}
    return [n for n in resources.rule_numbers_in_order() if "." in n and _rule_of(n) in rules]


def _rule_of(number: str) -> str:
    return number.rstrip("abcdefghijklmnopqrstuvwxyz")


# --- Measuring ----------------------------------------------------------------------------


def measure(
    names: Sequence[str], jobs: int, progress: Callable[[str], None] = lambda _: None
) -> Exercised:
    """Find which scenarios exercise which subrules.

    Parameters
    ----------
    names
        The scenarios.
    jobs
        How many at once.
    progress
        Called with each scenario that is done.
    """
    from verifier.corpus import each_done

    by: dict[str, list[str]] = defaultdict(list)
    for place, found in each_done(_exercised_by, names, jobs):
        for number in found or ():
            by[number].append(names[place])
        progress(names[place])
    return {n: (len(by[n]), sorted(by[n], key=_short)[:EXAMPLES]) for n in sorted(by)}


def _short(name: str) -> tuple[int, str]:
    return len(name), name


def _exercised_by(name: str) -> list[str]:
    """The subrules that a scenario exercises."""
    from verifier.corpus import How, check_and_tell
    from verifier.firing import fired, recorded

    numbers, marked = _marked()
    with recorded() as programs:
        check_and_tell(name, How())
    found = fired(programs, marked)
    return sorted({number for rule in found for number in numbers[rule]})


@cache
def _marked() -> tuple[dict[int, list[str]], Marked]:
    """The subrules that each rule cites, by its number, and those rules.

    What only prepares a scenario counts only if nothing else cites the subrule, and what fires
    whatever the scenario says does not count.
    """
    from verifier.engine import shipped_split
    from verifier.firing import Marked

    split = shipped_split()
    rules = {number: rule for number, rule in enumerate(split.rules) if number not in split.always}
    places = {rule.text: number for number, rule in rules.items()}
    numbers: dict[int, list[str]] = defaultdict(list)
    for number, citing in citations(rules.values()).items():
        asked = [rule for rule in citing if rule.predicate in split.dynamic]
        for rule in asked or citing:
            numbers[places[rule.text]].append(number)
    return numbers, Marked({number: rules[number] for number in numbers})


def known() -> Exercised:
    """What was measured last."""
    return read(resources.encodings("exercised.json"))


def read(file: Path) -> Exercised:
    """What was kept of a measurement."""
    rows = json.loads(file.read_text(encoding="utf-8"))
    return {number: (count, examples) for number, (count, examples) in rows.items()}


def kept(found: Exercised) -> str:
    """What was measured, as it is kept."""
    rows = [f" {json.dumps(number)}: {json.dumps(row)}" for number, row in found.items()]
    return "{\n" + ",\n".join(rows) + "\n}\n"


# --- The page -----------------------------------------------------------------------------


def markdown(exercised: Exercised) -> str:
    """The part of the page on coverage about subrules."""
    from verifier.engine import shipped_split

    split = shipped_split()
    cited = citations(split.rules)
    always = {split.rules[number].text for number in split.always}
    scope = in_scope(cited)
    headings = resources.rule_headings()
    shown = [n for n in scope if n in cited and n in exercised]
    lines = [
        _HEAD.format(
            scope=len(scope),
            cited=sum(number in cited for number in scope),
            shown=len(shown),
        )
    ]
    for section in dict.fromkeys(number[:3] for number in scope):
        lines += [f"### {section} {headings.get(section, '')}".rstrip(), ""]
        lines += ["| subrule | cited in | scenarios | such as |", "|---|---|---:|---|"]
        silent = []
        for number in (number for number in scope if number[:3] == section):
            if number not in cited:
                silent.append(number)
                continue
            files = sorted({Path(rule.position.file).name for rule in cited[number]})
            count, examples = exercised.get(number, (0, []))
            if all(rule.text in always for rule in cited[number]):
                examples = ["in all: it is a table or a definition"]
            lines.append(f"| {number} | {', '.join(files)} | {count} | {', '.join(examples)} |")
        lines.append("")
        if silent:
            lines += [f"Cited by no rule: {', '.join(silent)}.", ""]
    return "\n".join(lines)


_HEAD = """\
## Subrules of the Comprehensive Rules

Of the rules that the encodings cite, with all their subrules {scope}, {cited} are cited by rules \
of the encodings, and {shown} are exercised by some scenario: a rule that cites them fires in it \
(measured by `verifier coverage --measure`). One that is cited by no rule says what needs no rule \
here, defines a word, or is left out.
"""
