"""Card encodings: finding them by name, and what one of them says.

A card is a file ``<constant>.lp`` of facts and short rules in the shared vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from verifier import resources
from verifier.errors import CardError, Position


class Library:
    """The cards that can be used.

    Parameters
    ----------
    folders
        Folders with encodings of the user's own; they come before the shipped ones.

    Raises
    ------
    CardError
        If one of them is no folder.
    """

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        for folder in folders:
            if not folder.is_dir():
                raise CardError(f"no folder {folder}", hint="--cards takes a folder of .lp files")
        self._own = [path for folder in folders for path in sorted(folder.glob("*.lp"))]

    @cached_property
    def files(self) -> dict[str, Path]:
        """The file of each card, by its constant."""
        found = {path.stem: path for path in sorted(resources.encodings("cards").glob("*.lp"))}
        found.update((path.stem, path) for path in reversed(self._own))
        return found

    def is_own(self, path: Path) -> bool:
        """Whether a file is the user's own, not a shipped one."""
        return path in self._own

    def find(self, name: str, *, position: Position | None = None) -> Path:
        """The file of a card.

        Raises
        ------
        CardError
            If the card has no encoding; the hint names the nearest that has.
        """
        path = self.files.get(resources.constant(name))
        if path is None:
            near = resources.nearest(resources.constant(name), list(self.files))
            raise CardError(
                f"unknown card `{name}`", position=position,
                hint=(f"did you mean {display_name(self.files[near])}? " if near else "")
                + "`verifier cards` lists the cards there are; --cards DIR adds your own",
            )
        return path


def display_name(path: Path) -> str:
    """The name of the card that a file encodes, as printed on it."""
    from verifier.asp import read_program

    for rule in read_program([path]):
        if rule.head == "name" and len(rule.head_arguments) == 2:
            return str(rule.head_arguments[1]).strip('"')
    return path.stem.replace("_", " ").title()
