"""Card encodings: finding them by name, and what one of them says.

A card is a file ``<constant>.lp`` of facts and short rules in the shared vocabulary.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from verifier import resources
from verifier.errors import CardError, Position, VerifierError

#: A word of so many letters tells a card from most others.
_TELLING = 5


class Library:
    """The cards that can be used.

    Parameters
    ----------
    folders
        Folders with encodings of the user's own; they come before the shipped ones.

    Raises
    ------
    CardError
        If one of them is no folder, or holds a file that could do more than describe a card.
    """

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        for folder in folders:
            if not folder.is_dir():
                raise CardError(f"no folder {folder}", hint="--cards takes a folder of .lp files")
        self._own = [path for folder in folders for path in sorted(folder.glob("*.lp"))]
        for folder in folders:
            for path in sorted(folder.glob("*.lp")):
                _refuse_unsafe(path, folder)

    @cached_property
    def files(self) -> dict[str, Path]:
        """The file of each card, by its constant."""
        found = dict(_shipped())
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
            misnamed = self._named(resources.constant(name))
            if misnamed is not None:
                raise CardError(
                    f"unknown card `{name}`",
                    position=position,
                    hint=f"{misnamed} names it, but its file must be called "
                    f"{resources.constant(name)}.lp",
                )
            near = self._like(resources.constant(name))
            raise CardError(
                f"unknown card `{name}`",
                position=position,
                hint=(f"did you mean {display_name(self.files[near])}? " if near else "")
                + "`verifier cards` lists the cards there are; --cards DIR adds your own",
            )
        return path

    def _like(self, card: str) -> str | None:
        """The card whose name is most like one, or begins with the same word if none is."""
        near = resources.nearest(card, list(self.files), cutoff=0.7)
        first = card.partition("_")[0]
        if near is None and len(first) >= _TELLING:
            same = [file for file in self.files if file.partition("_")[0] == first]
            near = resources.nearest(card, same, cutoff=0.0)
        return near

    def _named(self, card: str) -> Path | None:
        """The user's file that names a card, though it is not called after it."""
        for path in self._own:
            with suppress(VerifierError):
                if resources.constant(display_name(path)) == card:
                    return path
        return None


#: A longer file is no card.
LARGEST_FILE = 1_000_000

#: What makes clingo read other files or run code, wherever it stands.
_DIRECTIVE = re.compile(rb"#\s*(include|script)\b")


def _refuse_unsafe(path: Path, folder: Path) -> None:
    """Refuse a file that would make clingo read other files or run code."""
    start = Position(str(path), 1, 1)
    if not path.resolve().is_relative_to(folder.resolve()):
        raise CardError(
            "the file is a link to another place",
            position=start,
            hint="cards lie in the folder that --cards names",
        )
    if not path.is_file():
        raise CardError("this is no file", position=start, hint="a card is a file of facts")
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise CardError(
                f"the file has {path.stat().st_size} bytes, a card at most {LARGEST_FILE}",
                position=start,
            )
        text = path.read_bytes()
    except OSError as problem:
        raise CardError(f"cannot read the file: {problem.strerror}", position=start) from None
    match = _DIRECTIVE.search(text)
    if match is not None:
        before = text[: match.start()]
        line = before.count(b"\n") + 1
        column = match.start() - (before.rfind(b"\n") + 1) + 1
        raise CardError(
            f"`#{match[1].decode()}` is not possible in a card",
            position=Position(str(path), line, column),
            hint="only facts and normal rules are: a card reads no files and runs no code",
        )


@lru_cache(maxsize=1)
def _shipped() -> dict[str, Path]:
    """The files of the shipped cards."""
    paths = resources.encodings("cards").glob("*.lp")
    return {path.stem: path for path in sorted(paths, key=lambda path: path.name)}


def display_name(path: Path) -> str:
    """The name of the card that a file encodes, as printed on it."""
    return str(_describe(path)["name"])


def card_table(library: Library) -> list[dict[str, Any]]:
    """Name, types and file of every card, by name."""
    rows = [_describe(path) for path in library.files.values()]
    return sorted(rows, key=lambda row: str(row["name"]))


def describe_card(library: Library, name: str) -> dict[str, Any]:
    """What a card's encoding says, the subrules behind it and the scenarios that use it.

    Raises
    ------
    CardError
        If the card has no encoding.
    """
    path = library.find(name)
    card = _describe(path)
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    card["summary"] = " ".join(line.lstrip("% ") for line in lines if line.startswith("%"))
    card["encoding"] = [line for line in lines if line and not line.startswith("%")]
    card["scenarios"] = _scenarios_with(path.stem)
    card["rules"] = sorted(_subrules_read(path), key=rule_order)
    return card


def _describe(path: Path) -> dict[str, Any]:
    from verifier.asp import read_program

    name = path.stem.replace("_", " ").title()
    types: list[str] = []
    for rule in read_program([path]):
        arguments = rule.head_arguments
        if rule.head == "name" and len(arguments) == 2:
            name = str(arguments[1]).strip('"')
        elif rule.head == "type" and len(arguments) == 2:
            types.append(str(arguments[1]))
    return {"name": name, "constant": path.stem, "types": types}


def _scenarios_with(card: str) -> list[str]:
    """The shipped scenarios that use a card."""
    from verifier.scenario import Scenario

    found: list[str] = []
    for name in resources.shipped_scenarios():
        text = resources.find_scenario(name).read_text(encoding="utf-8")
        if any(resources.constant(part) == card for part in card_words(text)):
            with suppress(VerifierError):
                if card in Scenario.load(name).card_constants:
                    found.append(name)
    return found


def _subrules_read(path: Path) -> set[str]:
    """The subrules cited at the rules that read what a card says."""
    from verifier.asp import read_program
    from verifier.terms import unifies

    said = [rule for rule in read_program([path]) if rule.head not in ("name", "type")]
    found: set[str] = set()
    for file in resources.rule_files():
        cited = cited_by_line(file)
        for rule in read_program([file]):
            if any(
                literal.name == fact.head
                and len(literal.arguments) == len(fact.head_arguments)
                and all(map(unifies, literal.arguments, fact.head_arguments))
                for literal in rule.body
                for fact in said
            ):
                found |= cited[rule.position.line - 1]
    return found


def cited_by_line(path: Path) -> list[set[str]]:
    """For each line of a rules file, the subrules that the comment above it cites."""
    cited: list[set[str]] = []
    current: set[str] = set()
    in_comment = False
    for line in path.read_text(encoding="utf-8").splitlines():
        numbers = set(CITATION.findall(line)) if "CR" in line or in_comment else set()
        if line.startswith("%"):
            if line.startswith("% ---"):
                current = numbers
            else:
                current = current | numbers if in_comment else numbers or current
            in_comment = True
        else:
            in_comment = False
        cited.append(current)
    return cited


#: A subrule number such as 616.1e.
CITATION = re.compile(r"\b[1-9][0-9]{2}\.[0-9]+[a-z]?\b")


def card_words(text: str) -> Iterator[str]:
    """What could be a card's name in the text of a scenario, to look at few files closely."""
    for line in text.splitlines():
        yield from re.split(r"[\[\]{}\"]|: |, (?=\w+:)|- |, ", line)


def rule_order(rule: str) -> tuple[int, int, str]:
    """A sort key: 614.5 comes before 614.11."""
    section, _, rest = rule.partition(".")
    digits = rest.rstrip("abcdefghijklmnopqrstuvwxyz")
    return int(section), int(digits or 0), rest[len(digits) :]
