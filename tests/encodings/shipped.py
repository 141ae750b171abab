"""The shipped encodings and scenarios, as the tests here look at them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from verifier import asp, resources
from verifier.asp import Predicate
from verifier.program import BASE

ENCODINGS = resources.folder("encodings")
CHECKOUT = Path(__file__).resolve().parents[2]
ALL_FILES = sorted(ENCODINGS.rglob("*.lp"))
RULE_FILES = resources.rule_files()
CARD_FILES = sorted(ENCODINGS.glob("cards/*.lp"))
SCENARIOS = resources.shipped_scenarios()

#: Predicates that the driver reads from the static atoms of a scenario.
STATIC_OUTPUTS = {
    ("initially", 1), ("initially", 2), ("agenda", 2), ("observes", 3), ("observes_all", 4),
    ("observes_list", 5), ("observes_flag", 3), ("observes_counts", 3), ("observes_most", 4),
    ("observes_word", 4), ("shown_during", 3), ("standing", 2),
    ("word", 2), ("includes", 2),
    ("fault", 2), ("fault", 3), ("fault", 4),
    ("aims_at", 3), ("needs_target", 2), ("needs_color", 2),
    ("needs_x", 2), ("needs_words", 2), ("known_counter", 1),
    ("chosen_sort", 2),
}  # fmt: skip


def name_of(path: Path) -> str:
    """A file's name in messages and in the README: ``rules/draw.lp``."""
    return path.relative_to(ENCODINGS).as_posix()


def heads(rules: Iterable[asp.Rule]) -> set[Predicate]:
    """The predicates that rules derive."""
    return {rule.predicate for rule in rules}


def reads(rules: Iterable[asp.Rule]) -> set[Predicate]:
    """The predicates in the bodies of rules."""
    return {literal.predicate for rule in rules for literal in rule.body}


def inputs(rules: Sequence[asp.Rule]) -> set[Predicate]:
    """What rules read and none derives, and the predicates of questions."""
    return (reads(rules) - heads(rules)) | BASE


def without_comments(text: str) -> str:
    """A program without its comments (no quoted text in the encodings holds a percent sign)."""
    return re.sub(r"%.*", "", re.sub(r"%\*.*?\*%", "", text, flags=re.S))


def table(title: str) -> Iterator[list[str]]:
    """The rows below a heading of ``encodings/README.md``, without the first two."""
    text = (ENCODINGS / "README.md").read_text(encoding="utf-8")
    section = text.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    for line in lines:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0].startswith("`"):
            yield cells
