"""What is printed on the cards: ``printed.tsv``, beside the card files, as a second source.

A line has a name, the mana cost, the type line and power and toughness or loyalty, and colors if
they are not those of the cost (CR 202.2, 204; ``none`` if there are none).  A size that is not a
number is no fact.
"""

from __future__ import annotations

import csv
import re
from functools import cache
from pathlib import Path

TABLE = Path(__file__).with_name("printed.tsv")

#: The predicates that the table speaks of.
PREDICATES = {
    "type", "supertype", "subtype", "color", "mana_cost", "power", "toughness", "loyalty",
}  # fmt: skip

SUPERTYPES = {"basic", "legendary", "snow", "world"}
LETTERS = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green"}
OTHER = {"C": "colorless", "X": "x", "S": "snow"}


@cache
def table() -> dict[str, list[str]]:
    """The lines, by name."""
    with TABLE.open(encoding="utf-8", newline="") as lines:
        rows = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {name: rest + [""] * (4 - len(rest)) for name, *rest in rows}


def printed(name: str, card: str) -> set[str]:
    """The facts that a file says of a card if it says what is printed.

    Parameters
    ----------
    name
        The name, as in the table.
    card
        The constant.
    """
    cost, line, size, colors = table()[name]
    own = [] if colors == "none" else colors.split() or _colors(cost)
    found = {f"color({card},{color})" for color in own}
    types, _, subtypes = line.partition(" - ")
    for word in types.lower().split():
        found.add(f"{'supertype' if word in SUPERTYPES else 'type'}({card},{word})")
    found |= {f"subtype({card},{_constant(word)})" for word in subtypes.split()}
    if cost:
        found.add(f"mana_cost({card},{_symbols(re.findall(r'{([^}]+)}', cost))})")
    power, slash, toughness = size.partition("/")
    numbers = {"power": power, "toughness": toughness} if slash else {"loyalty": size}
    found |= {f"{what}({card},{number})" for what, number in numbers.items() if number.isdigit()}
    return found


def _constant(word: str) -> str:
    return re.sub(r"\W", "_", word.lower().replace("'", ""))


def _colors(cost: str) -> list[str]:
    return [color for letter, color in LETTERS.items() if letter in cost]


def _symbols(symbols: list[str]) -> str:
    return f"({_symbol(symbols[0])},{_symbols(symbols[1:])})" if symbols else "end"


def _symbol(symbol: str) -> str:
    if symbol.isdigit():
        return f"generic({symbol})"
    *first, last = symbol.split("/")
    if not first:
        return (LETTERS | OTHER)[symbol]
    if first == ["2"]:
        return f"two_or({LETTERS[last]})"
    if last == "P":
        return f"phyrexian({','.join(LETTERS[letter] for letter in first)})"
    return f"hybrid({LETTERS[first[0]]},{LETTERS[last]})"
