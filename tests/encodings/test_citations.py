"""Every number of the Comprehensive Rules that is cited anywhere exists."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest
from shipped import ALL_FILES, CHECKOUT, ENCODINGS, RULE_FILES, SCENARIOS, name_of

from verifier import Scenario, resources
from verifier.engine import shipped_rules

#: A rule or subrule, or a range such as 616.1a-f; not a part of a longer number, nor a time.
_NUMBER = re.compile(
    r"(?<![\w.,$-])([1-9]\d\d\.[1-9]\d{0,2}[a-z]?)(?:[-\u2013](\d{3}\.\d+[a-z]?|[a-z]))?"
    r"(?![\w%]|[.,]\d|\s(?:s|ms|MB|kB|million)\b)"
)
#: What follows "CR", also where it is whole sections.
_AFTER_CR = re.compile(r"\bCR ((?:[1-9]\d\d[.\da-z\u2013-]*(?:, and |, | and |,\s+)?)+)")


NUMBERS = resources.rule_numbers()


def cited(text: str) -> set[str]:
    """The numbers that a text cites."""
    found: set[str] = set()
    for first, last in _NUMBER.findall(text):
        found.add(first)
        if last:
            found.add(last if "." in last else first[:-1] + last)
    for numbers_ in _AFTER_CR.findall(text):
        found |= {part.rstrip(".") for part in re.findall(r"(?<![\d.])\d{3}(?![\d.]\d)", numbers_)}
    return found


def comments_and_docstrings(path: Path) -> str:
    """What a Python file says to its readers."""
    source = path.read_text(encoding="utf-8")
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    parts = [token.string for token in tokens if token.type == tokenize.COMMENT]
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, documented):
            parts.append(ast.get_docstring(node) or "")
    return "\n".join(parts)


def test_index_is_whole() -> None:
    assert {"100", "614", "614.1", "614.1a", "616.1g", "702.52b", "905.6"} <= NUMBERS
    index = (ENCODINGS / "rules_index.txt").read_text(encoding="utf-8")
    assert "June 2025" in index.splitlines()[0]
    for rule in NUMBERS:
        if rule[-1].isalpha():
            assert rule[-1] not in "lo", "letters that look like digits are left out"
            assert rule[:-1] in NUMBERS
    sections = {rule[:3] for rule in NUMBERS}
    assert sections <= NUMBERS


def test_citations_are_found() -> None:
    assert cited("CR 614.1-614.7, 616 and 121.2a.") == {"614.1", "614.7", "616", "121.2a"}
    assert cited("% CR 616.1a-e: x (CR 101.4, 800.4a)") == {"616.1a", "616.1e", "101.4", "800.4a"}
    assert cited('cites(S,go,"104.5") :- leaves(S,_).') == {"104.5"}
    assert cited("takes 293.5 s, 1.300.2, 0.003 or 100.25%") == set()


@pytest.mark.parametrize("path", ALL_FILES, ids=name_of)
def test_encodings_cite_what_exists(path: Path) -> None:
    assert cited(path.read_text(encoding="utf-8")) <= NUMBERS


def pages() -> list[Path]:
    """The Markdown files of the project."""
    found = (path.relative_to(CHECKOUT) for path in CHECKOUT.rglob("*.md"))
    return sorted(path for path in found if not any(part[0] == "." for part in path.parts))


@pytest.mark.parametrize("path", pages(), ids=Path.as_posix)
def test_pages_cite_what_exists(path: Path) -> None:
    assert cited((CHECKOUT / path).read_text(encoding="utf-8")) <= NUMBERS


@pytest.mark.parametrize(
    "path",
    sorted(p for d in ("verifier", "tests", "notebooks") for p in CHECKOUT.glob(f"{d}/**/*.py")),
    ids=lambda path: path.relative_to(CHECKOUT).as_posix(),
)
def test_docstrings_and_comments_cite_what_exists(path: Path) -> None:
    assert cited(comments_and_docstrings(path)) <= NUMBERS


def test_scenarios_cite_what_exists() -> None:
    wrong = {}
    for name in SCENARIOS:
        rules = set(Scenario.load(name).rules)
        text = resources.find_scenario(name).read_text(encoding="utf-8")
        missing = (rules | cited(text)) - NUMBERS
        if missing or not rules:
            wrong[name] = missing
    assert not wrong


def subrules() -> Iterator[tuple[str, str]]:
    """Each subrule in a cites/3 head or a fact of the rules, and the rule it stands in."""
    for rule in shipped_rules():
        for number in re.findall(r'"(\d{3}[^"]*)"', rule.text):
            yield number, rule.text


def test_answers_cite_what_exists() -> None:
    found = list(subrules())
    assert found
    assert {number for number, _ in found} <= NUMBERS
    for number, text in found:
        assert "." in number, f"a whole section is no reason: {text}"


@pytest.mark.parametrize("path", RULE_FILES, ids=name_of)
def test_rule_files_name_their_sections(path: Path) -> None:
    """The header of each file of rules says where in the rules its content is from."""
    header = path.read_text(encoding="utf-8").split("*%", 1)[0].split("Purpose", 1)[0]
    assert cited(header) or path.stem in NOT_IN_THE_RULES


#: Files that carry no rule of the game.
NOT_IN_THE_RULES = {"moves", "check", "checkpoints", "numbers"}
