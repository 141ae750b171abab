"""A part of the sweep over pairs of cards (`pairs.py` makes the whole of it)."""

from __future__ import annotations

import os

import pytest
from pairs import HAPPENINGS, compare, pairs

#: One pair in so many of those of each event.
EVERY = int(os.environ.get("PAIRS_EVERY", "80"))


@pytest.mark.parametrize("name", HAPPENINGS)
def test_pairs_of_cards_do_what_a_naive_reading_gives(name: str) -> None:
    results = [compare(pair) for pair in pairs([name])[::EVERY]]
    assert [result for result in results if result and not result.startswith("unread")] == []
    assert any(result is None for result in results)
