"""Which cards that replace, prevent or forbid something are encoded, and what the others need.

The list is data beside the encodings (``coverage.json``): for each card the kinds of events
that its text speaks of and the mechanisms that the encodings lack for it.  A card is encoded if
there is a file for it.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from verifier import resources
from verifier.cards import Library


@dataclass(frozen=True)
class Coverage:
    """The listed cards, and which of them a library has.

    Attributes
    ----------
    kinds
        The kinds of events, and what each of them is.
    mechanisms
        What the encodings lack, by its short name.
    cards
        For each listed card its kinds, and the mechanisms that it waits for.
    encoded
        The listed cards that there are files for.
    unreplaced
        The kinds that are about what does not happen at all, with nothing that replaces it.
    """

    kinds: dict[str, str]
    mechanisms: dict[str, str]
    cards: dict[str, tuple[list[str], list[str]]]
    encoded: frozenset[str]
    unreplaced: frozenset[str]

    @classmethod
    def of(cls, library: Library) -> Coverage:
        """What a library of cards covers."""
        listed = json.loads(resources.encodings("coverage.json").read_text(encoding="utf-8"))
        cards = {name: (kinds, waits) for name, (kinds, waits) in listed["cards"].items()}
        encoded = frozenset(name for name in cards if _constant(name) in library.files)
        unreplaced = frozenset(listed["unreplaced"])
        return cls(listed["kinds"], listed["waits"], cards, encoded, unreplaced)

    @cached_property
    def replacing(self) -> frozenset[str]:
        """The listed cards that speak of a kind of event that is replaced or prevented."""
        return frozenset(n for n, (kinds, _) in self.cards.items() if set(kinds) - self.unreplaced)

    @cached_property
    def missing(self) -> list[str]:
        """The listed cards without a file, by name."""
        return [name for name in self.cards if name not in self.encoded]

    @cached_property
    def waiting(self) -> dict[str, list[str]]:
        """The missing cards by the first mechanism that each waits for; ``""`` for none."""
        found: dict[str, list[str]] = {name: [] for name in (*self.mechanisms, "")}
        for name in self.missing:
            waits = self.cards[name][1]
            found[waits[0] if waits else ""].append(name)
        return found

    def counts(self) -> list[tuple[str, int, int]]:
        """Each kind with the number of encoded and of listed cards that speak of it."""
        listed = Counter(kind for kinds, _ in self.cards.values() for kind in kinds)
        encoded = Counter(kind for name in self.encoded for kind in self.cards[name][0])
        return [(kind, encoded[kind], listed[kind]) for kind in self.kinds]

    def to_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {
            "listed": len(self.cards),
            "encoded": sorted(self.encoded),
            "replacing": {
                "listed": len(self.replacing),
                "encoded": len(self.replacing & self.encoded),
            },
            "kinds": {
                kind: {"what": self.kinds[kind], "encoded": encoded, "listed": listed}
                for kind, encoded, listed in self.counts()
            },
            "waiting": {
                name: {"for": self.mechanisms.get(name, "nothing but a file"), "cards": cards}
                for name, cards in self.waiting.items()
                if cards
            },
        }

    def lines(self) -> list[str]:
        """A short account."""
        width = max(map(len, self.kinds))
        counts = [
            f"  {kind:<{width}}  {encoded:>4} of {listed:>4}"
            for kind, encoded, listed in self.counts()
        ]
        return [
            f"{len(self.encoded)} of {len(self.cards)} listed cards are encoded, "
            f"of those that replace or prevent {len(self.replacing & self.encoded)} "
            f"of {len(self.replacing)}",
            *counts,
        ]

    def markdown(self) -> str:
        """The page: counts for each kind, and the missing cards by what they wait for."""
        rows = [
            f"| {kind} | {self.kinds[kind]} | {encoded} | {listed} |"
            for kind, encoded, listed in self.counts()
        ]
        waiting = []
        for name, cards in self.waiting.items():
            if cards:
                reason = self.mechanisms.get(name)
                title = _capital(reason) if reason else _NOTHING
                waiting += [f"### {title}", "", f"{len(cards)}: {', '.join(cards)}.", ""]
        head = _HEAD.format(
            encoded=len(self.encoded),
            listed=len(self.cards),
            replacing=len(self.replacing),
            replacing_encoded=len(self.replacing & self.encoded),
            unreplaced=" and ".join(f"*{k}*" for k in self.kinds if k in self.unreplaced),
        )
        table = ["| kind | what | encoded | listed |", "|---|---|---:|---:|", *rows, ""]
        missing = _MISSING.format(missing=len(self.missing))
        return "\n".join([head, *table, missing, *waiting]).rstrip("\n") + "\n"


def _constant(name: str) -> str:
    """The constant of a card; one with two halves goes by the first."""
    return resources.constant(name.split(" // ")[0])


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


_NOTHING = "No mechanism that this list knows of: only a file"

_HEAD = """\
# Coverage

Written by `verifier coverage -o encodings/COVERAGE.md`; do not edit it.

Of a list of {listed} cards whose text replaces, prevents, skips or forbids something, {encoded} \
are encoded; of the {replacing} that speak of more than {unreplaced}, {replacing_encoded}. The \
list (`coverage.json`) names each card with the kinds of events that its text speaks of, found by \
its words: *instead*, *prevent*, *skip*, entering *tapped*, *with* or *as* something, \
*regenerate*, *doesn't untap*, *can't*, and keywords that the rules define by such words. A card \
may speak of several kinds. It counts as encoded if there is a file for it, though the file may \
leave out what has nothing to do with these events; its comment says so.
"""

_MISSING = """\
## What is missing

{missing} cards, each by the first thing that it waits for. The reasons were found by the words \
of the cards too: one that waits for nothing but a file may still need a word of its own.
"""
