"""Scenarios and cards as they are sent to other processes, on this machine or others.

The encodings are not sent: who takes part has them installed, and both sides compare what they
have by its digest.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path

from verifier import kept, resources
from verifier.cards import Library
from verifier.scenario import Scenario
from verifier.source import LARGEST_FILE, parse_yaml, read_yaml


@lru_cache(maxsize=1)
def installation() -> str:
    """The digest of everything installed that a result depends on: code, encodings, solver."""
    return sha256(f"{kept.package()} {kept.Ruleset.current().id} {_cards()}".encode()).hexdigest()


def _cards() -> str:
    return kept.digest(sorted(resources.encodings("cards").glob("*.lp")))


@dataclass(frozen=True)
class CardFiles:
    """The user's folders with cards, and what is in their files."""

    folders: tuple[tuple[str, tuple[tuple[str, bytes], ...]], ...] = ()

    @classmethod
    def read(cls, folders: Sequence[Path]) -> CardFiles:
        """Read what is in some folders.

        Raises
        ------
        CardError
            If one of them is no folder, or holds a file that is no card.
        """
        Library(folders)
        return cls(
            tuple(
                (str(folder), tuple((p.name, p.read_bytes()) for p in sorted(folder.glob("*.lp"))))
                for folder in folders
            )
        )

    @cached_property
    def digest(self) -> str:
        """The digest of all of it."""
        return sha256(repr(self.folders).encode()).hexdigest()

    def unpacked(self) -> list[Path]:
        """The folders, written to this machine for as long as this process lives."""
        return _unpacked(self.digest, self) if self.folders else []

    def restored(self, text: str) -> str:
        """A text in which the written folders are called as they are where they come from."""
        for (name, _), folder in zip(self.folders, self.unpacked(), strict=True):
            text = text.replace(str(folder), name)
        return text


_written: dict[str, tuple[tempfile.TemporaryDirectory[str], list[Path]]] = {}


def _unpacked(digest: str, cards: CardFiles) -> list[Path]:
    if digest not in _written:
        place = tempfile.TemporaryDirectory(prefix="verifier-cards-")
        paths = []
        for number, (_, files) in enumerate(cards.folders):
            folder = Path(place.name) / str(number)
            folder.mkdir()
            for name, content in files:
                (folder / name).write_bytes(content)
            paths.append(folder)
        _written[digest] = place, paths
    return _written[digest][1]


@dataclass(frozen=True)
class Parcel:
    """The text of a scenario file, and how it is called."""

    name: str
    file: str
    text: str
    reading: str = ""

    @classmethod
    def of(cls, scenario: Scenario) -> Parcel:
        """A scenario that was read."""
        return cls(scenario.name, scenario.source.file, scenario.source.text, scenario.reading)

    @classmethod
    def read(cls, name: str) -> Parcel:
        """A scenario file by its path or name.

        Raises
        ------
        InputError
            If there is none, or it cannot be read as text.
        """
        path = resources.find_scenario(name)
        with suppress(OSError, UnicodeDecodeError):
            if path.stat().st_size <= LARGEST_FILE:
                return cls(name, str(path), path.read_text(encoding="utf-8"))
        return cls(name, str(path), read_yaml(path).text)

    def scenario(self, cards: Sequence[Path] = ()) -> Scenario:
        """The scenario, read where this has arrived.

        Raises
        ------
        InputError
            If it, or a card, is at fault.
        """
        found = Scenario(self.name, parse_yaml(self.text, self.file), Library(cards))
        found.check()
        return found.under(self.reading)
