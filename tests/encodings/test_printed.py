"""What the card files say is printed on the cards is what is printed on them."""

from __future__ import annotations

import pytest
from printed import PREDICATES, printed, table

from verifier import asp, resources


def _said() -> dict[str, tuple[str, set[str]]]:
    """By name, the constant of each card and what its file says of it."""
    names: dict[str, str] = {}
    found: dict[str, set[str]] = {}
    for path in sorted(resources.encodings("cards").glob("*.lp")):
        for rule in asp.read_program([path]):
            text = rule.text.removesuffix(".")
            card = str(rule.head_arguments[0])
            if rule.head == "name":
                names[str(rule.head_arguments[1]).strip('"')] = card
            elif rule.head in PREDICATES:
                found.setdefault(card, set()).add(text)
    return {name: (card, found.get(card, set())) for name, card in names.items()}


SAID = _said()


def test_every_card_is_in_the_table() -> None:
    assert set(table()) == set(SAID)


@pytest.mark.parametrize("name", SAID)
def test_what_is_printed(name: str) -> None:
    card, said = SAID[name]
    assert said == printed(name, card)
