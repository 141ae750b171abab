"""Terms of the encodings as phrases."""

from __future__ import annotations

import re

import pytest

from verifier import explore
from verifier.corpus import shipped_names
from verifier.report import proof
from verifier.terms import parse_term
from verifier.wording import Wording

WORDS = Wording({"notion_thief": "Notion Thief", "thief_1": "Notion Thief [a]"}, ["alice", "bob"])


@pytest.mark.parametrize(
    ("term", "phrase"),
    [
        ("draw(alice)", "alice draws a card"),
        ("draw(alice,3)", "alice draws 3 cards"),
        ("draw(1)", "draw a card"),
        ("draw(times(2))", "draw 2 times that many cards"),
        ("discard(bob,unnamed(plain),effect(bob))", "bob discards an unnamed card"),
        ("create(alice,((bear,1),end),plain)", "alice creates 1 Bear token"),
        (
            "create(bob,((food,2),((treasure,big(1500,7)),end)),tapped)",
            "bob creates 2 Food tokens and 1,500,000,007 Treasure tokens, tapped",
        ),
        ("create(treasure,2)", "create 2 Treasure tokens"),
        ("discard(bob,thief_1,as_cost)", "bob discards Notion Thief [a]"),
        ("gain_life(alice,1000000,effect)", "alice gains 1,000,000 life"),
        ("apply(eff(notion_thief,1,bob,any))", "applies Notion Thief (bob)"),
        ("may(draw(2))", "may draw 2 cards"),
        ("do(discard(2),you,ctx(bob,alice,0,any),none,end)", "bob: discard 2 cards"),
        ("of_my_own(alice,a_word)", "of my own (alice, a word)"),
    ],
)
def test_phrase(term: str, phrase: str) -> None:
    assert WORDS.say(parse_term(term)) == phrase


@pytest.mark.parametrize("name", shipped_names()[::9])
def test_every_proof_reads(name: str) -> None:
    """No term is left without a phrase in the proofs of shipped scenarios."""
    for line in proof(explore(name)):
        if re.match(r" +\d+\. ", line):
            step = re.sub(r"\[[^]]*\]", "", line)
            assert "_" not in step, line
            assert not re.search(r"\w\(", step), line
