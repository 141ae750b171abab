"""The ways that are compared say the same, and the page is about them."""

from __future__ import annotations

from pathlib import Path

import pytest
from growth import HERE, QUESTIONS, WAYS, load, many_states


@pytest.mark.parametrize("size", [2, 4, 5])
@pytest.mark.parametrize("name", QUESTIONS)
def test_all_ways_find_the_same(name: str, size: int, tmp_path: Path) -> None:
    question = QUESTIONS[name]
    board = load(question, size, tmp_path)
    found = {way: find(board, question, size) for way, find in WAYS.items()}
    orders = {orders for orders, _ in found.values() if orders is not None}
    assert len(orders) == 1, found
    assert len({ends for _, ends in found.values()}) == 1, found


def test_many_states_are_counted() -> None:
    row = many_states(board=(3, 1, 1, 3))
    assert (row.by, row.states) == ("", 197)
    assert row.memory > 0


def test_the_page_is_about_all_of_them() -> None:
    text = (HERE / "README.md").read_text(encoding="utf-8")
    for question in QUESTIONS.values():
        assert f"## {question.title}\n\n{question.shows}\n" in text
        assert "| " + " | ".join([question.unit, *WAYS]) + " |" in text
    assert (HERE / "growth.svg").exists()
