"""Choosing scenarios: by their names, and by what has changed since a revision."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from verifier import resources
from verifier.cards import Library, card_words
from verifier.errors import InputError

_TOKEN = re.compile(r"\s*(?:(?P<sign>[()])|(?P<word>[^\s()]+))")

Test = Callable[[str], bool]


def by_name(expression: str) -> Test:
    """The test of names that an expression stands for, as in pytest's ``-k``.

    Parts of names, in which capitals do not matter, with ``and``, ``or``, ``not`` and brackets.

    Raises
    ------
    InputError
        If it is no such expression.

    Examples
    --------
    >>> chosen = by_name("draw and not (thief or dredge)")
    >>> chosen("draw/words_of_wind"), chosen("draw/notion_thief")
    (True, False)
    """
    return _Expression(expression).test()


class _Expression:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = [match[0].strip() for match in _TOKEN.finditer(text)]
        self._place = 0

    def test(self) -> Test:
        found = self._either()
        if self._next is not None:
            raise self._wrong(f"`{self._next}` is not expected there")
        return found

    @property
    def _next(self) -> str | None:
        return self._tokens[self._place] if self._place < len(self._tokens) else None

    def _take(self, token: str) -> bool:
        if self._next is None or self._next.lower() != token:
            return False
        self._place += 1
        return True

    def _either(self) -> Test:
        tests = [self._both()]
        while self._take("or"):
            tests.append(self._both())
        return lambda name: any(test(name) for test in tests)

    def _both(self) -> Test:
        tests = [self._one()]
        while self._take("and"):
            tests.append(self._one())
        return lambda name: all(test(name) for test in tests)

    def _one(self) -> Test:
        if self._take("not"):
            other = self._one()
            return lambda name: not other(name)
        if self._take("("):
            inner = self._either()
            if not self._take(")"):
                raise self._wrong("a bracket is not closed")
            return inner
        word = self._next
        if word is None or word.lower() in ("and", "or", ")"):
            raise self._wrong(f"`{word}` is not expected there" if word else "it ends too early")
        self._place += 1
        part = word.lower()
        return lambda name: part in name.lower()

    def _wrong(self, why: str) -> InputError:
        return InputError(
            f"-k cannot be `{self._text}`: {why}",
            hint='parts of names with and, or, not and brackets: -k "draw and not thief"',
        )


def changed_since(names: Sequence[str], revision: str, cards: Sequence[Path] = ()) -> Iterator[str]:
    """The scenarios that may fare otherwise than at a revision of the git repository they are in.

    Those are the ones whose file or one of whose cards has changed, or all, if the rules or
    this package have.

    Raises
    ------
    InputError
        If there is no git repository, or no such revision.
    """
    repositories = _Repositories(revision)
    if any(repositories.changed(path) for path in _own_folders()):
        yield from names
        return
    library = Library(cards)
    altered = {
        card
        for card, path in library.files.items()
        if path.resolve() in repositories.changed(path.parent, required=library.is_own(path))
    }
    for name in names:
        path = resources.find_scenario(name)
        if path.resolve() in repositories.changed(path.parent, required=True):
            yield name
        elif altered:
            text = path.read_text(encoding="utf-8", errors="replace")
            if any(resources.constant(word) in altered for word in card_words(text)):
                yield name


def _own_folders() -> list[Path]:
    """The files and folders that every result depends on."""
    shared = ("answers.lp", "vocabulary.lp", "rules_index.txt", "rules")
    return [Path(__file__).parent, *resources.game_files(), *map(resources.encodings, shared)]


class _Repositories:
    """What has changed since a revision in the git repositories that some folders are in."""

    def __init__(self, revision: str) -> None:
        self._revision = revision
        self._roots: dict[Path, Path | None] = {}
        self._found: dict[Path, set[Path]] = {}

    def changed(self, folder: Path, required: bool = False) -> set[Path]:
        """The files that have changed, new ones among them: a file, or those below a folder."""
        folder = folder.resolve()
        if folder not in self._roots:
            self._roots[folder] = self._root(folder if folder.is_dir() else folder.parent)
        root = self._roots[folder]
        if root is None:
            if required:
                raise InputError(
                    f"{folder} is in no git repository",
                    hint="--changed-since compares with a revision; without it all are checked",
                )
            return set()
        if root not in self._found:
            self._found[root] = self._all_changed(root)
        return {path for path in self._found[root] if path.is_relative_to(folder)}

    def _root(self, folder: Path) -> Path | None:
        done = _git(folder, "rev-parse", "--show-toplevel")
        return Path(done.stdout.rstrip("\n")).resolve() if done.returncode == 0 else None

    def _all_changed(self, root: Path) -> set[Path]:
        known = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options",
                     f"{self._revision}^{{commit}}")  # fmt: skip
        if known.returncode:
            raise InputError(
                f"the git repository {root} has no revision `{self._revision}`",
                hint="a branch, a tag or a commit: --changed-since main",
            )
        commit = known.stdout.strip()
        listed = _git(root, "diff", "--name-only", "-z", commit, "--").stdout
        listed += _git(root, "ls-files", "--others", "--exclude-standard", "-z").stdout
        return {root / name for name in listed.split("\0") if name}


def _git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = shutil.which("git")
    if program is None:
        raise InputError("there is no git here", hint="--changed-since needs it")
    return subprocess.run(
        [program, "-C", str(folder), *arguments],
        capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
