"""Where the shipped encodings and scenarios are.

They are data beside the code: inside the installed package, or in the checkout one level up
(``encodings`` must never become an import package: the standard library has one).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path

from verifier.errors import UnknownScenarioError

_HERE = Path(__file__).resolve().parent


@lru_cache
def folder(name: str) -> Path:
    """The folder ``encodings`` or ``scenarios`` that belongs to this code."""
    for candidate in (_HERE / name, _HERE.parent / name):
        if candidate.is_dir():
            return candidate
    raise FileNotFoundError(f"the installation lacks its {name} folder")


def encodings(*parts: str) -> Path:
    """A file or folder among the shipped encodings."""
    return folder("encodings").joinpath(*parts)


def rule_files() -> list[Path]:
    """All rule files, in a fixed order."""
    return sorted(encodings("rules").glob("*.lp"))


def game_files() -> list[Path]:
    """The files that are the rules of the game for every scenario, in a fixed order."""
    files = ("input.lp", "observe.lp", "predefined.lp")
    return [*rule_files(), *map(encodings, files)]


def find_scenario(name: str) -> Path:
    """The scenario file of a path, or of a name such as ``draw/notion_thief``.

    Raises
    ------
    UnknownScenarioError
        If there is none; the hint names the nearest shipped one.
    """
    path = Path(name)
    if path.suffix == ".lp":
        raise UnknownScenarioError(
            f"{name} is a card file, no scenario",
            hint="`--cards DIR` adds the cards in a folder; a scenario names them",
        )
    if path.is_file():
        return path
    shipped = folder("scenarios") / f"{name.removesuffix('.yaml')}.yaml"
    if shipped.is_file():
        return shipped
    if path.is_dir():
        raise UnknownScenarioError(
            f"{name} is a folder", hint="`verifier check DIR` proves all scenarios in a folder"
        )
    near = nearest(name.removesuffix(".yaml"), shipped_scenarios())
    raise UnknownScenarioError(
        f"no scenario file {name}",
        hint=f"did you mean {near}?" if near else "`verifier check --list` names the shipped ones",
    )


def shipped_scenarios() -> list[str]:
    """The names of all shipped scenarios."""
    root = folder("scenarios")
    return sorted(p.relative_to(root).with_suffix("").as_posix() for p in root.rglob("*.yaml"))


@lru_cache(maxsize=1)
def rule_numbers_in_order() -> tuple[str, ...]:
    """The numbers of all sections, rules and subrules of the Comprehensive Rules, in order."""
    found: list[str] = []
    for line in encodings("rules_index.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            rule, *letters = line.split()
            found += [rule, *(rule + letter for letter in "".join(letters))]
        elif not line.startswith("#"):
            found.append(line[:3])
    return tuple(found)


@lru_cache(maxsize=1)
def rule_numbers() -> frozenset[str]:
    """The numbers of all sections, rules and subrules of the Comprehensive Rules."""
    return frozenset(rule_numbers_in_order())


@lru_cache(maxsize=1)
def rule_headings() -> dict[str, str]:
    """The headings of the sections of the Comprehensive Rules, by their numbers."""
    lines = encodings("rules_index.txt").read_text(encoding="utf-8").splitlines()
    return {line[:3]: line[4:] for line in lines if line[:1].isdigit()}


def rules_version() -> str:
    """Of which version of the Comprehensive Rules the numbers are."""
    said = encodings("rules_index.txt").read_text(encoding="utf-8").partition("version of ")[2]
    return f"version of {said.partition(',')[0]}"


#: A number as it is written in a scenario, perhaps in quotes or with a fraction.
NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?")

#: A word of the vocabulary, a constant of clingo; `not` is none.
WORD = re.compile(r"[a-z][a-z0-9_]*")


def is_word(text: str) -> bool:
    """Whether a text can be a word of the vocabulary."""
    return WORD.fullmatch(text) is not None and text != "not"


def nearest(word: str, known: Sequence[str], *, cutoff: float = 0.5) -> str | None:
    """The known word most like `word`, if one is like it at all; capitals do not matter.

    ``cutoff`` is how like it must be, at most 1.
    """
    by_lower = {name.lower(): name for name in reversed(known)}
    found = get_close_matches(word.lower(), by_lower, n=1, cutoff=cutoff)
    return by_lower[found[0]] if found else None


@lru_cache(maxsize=4096)
def constant(name: str) -> str:
    """The constant that stands for a card in the encodings: ``notion_thief``."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    word = re.sub(r"[^a-z0-9]+", "_", plain.replace("'", "")).strip("_")
    return word if word[:1].isalpha() else f"c_{word}"


def card_of(file: str) -> str:
    """The constant of the card whose encoding is in a file."""
    return Path(file).stem
