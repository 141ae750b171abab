"""Parsed rules, and what is found of them, kept on disk.

Walking clingo's syntax trees through its Python interface costs about 0.4 ms a rule, more than
everything else that a small scenario needs.  So what is found of the shipped rules is kept in
the user's cache folder, under the hash of the files' content.  ``VERIFIER_CACHE`` names another
folder; an empty value switches the cache off.
"""

from __future__ import annotations

import marshal
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from verifier import asp
from verifier.asp import Literal, Rule
from verifier.errors import Position
from verifier.program import Split
from verifier.terms import Function, Term, Variable

#: What is kept depends on these, and on the code that finds it.
_VERSION = f"{asp.VERSION} {sys.implementation.cache_tag}"
_CODE = [
    Path(__file__).with_name(name)
    for name in ("asp.py", "domains.py", "program.py", "rulecache.py")
]

Found = TypeVar("Found")


def read_program(paths: Sequence[Path]) -> Sequence[Rule]:
    """Like `verifier.asp.read_program`, from the cache if these files were read before."""
    return _cached("rules", paths, asp.read_program, _dump, _Rules)


def read_split(paths: Sequence[Path]) -> Split:
    """What is found of the rules in files, from the cache if these were read before."""
    return _cached(
        "split",
        paths,
        lambda paths: Split(asp.read_program(paths)),
        lambda split: (_dump(split.rules), split.to_plain()),
        lambda kept: Split.from_plain(_Rules(kept[0]), kept[1]),
    )


def _cached(
    name: str,
    paths: Sequence[Path],
    read: Callable[[Sequence[Path]], Found],
    dump: Callable[[Found], Any],
    load: Callable[[Any], Found],
) -> Found:
    folder = cache_folder()
    if folder is None:
        return read(paths)
    digest = sha256(_VERSION.encode())
    for path in (*_CODE, *paths):
        digest.update(str(path).encode() + b"\0" + path.read_bytes())
    file = folder / f"{name}-{digest.hexdigest()[:32]}"
    with suppress(OSError, ValueError, KeyError, TypeError, IndexError, EOFError):
        return load(marshal.loads(file.read_bytes()))
    found = read(paths)
    with suppress(OSError):
        _write(file, marshal.dumps(dump(found)))
    return found


def cache_folder() -> Path | None:
    """Where things are kept between runs; ``None`` if they are not."""
    named = os.environ.get("VERIFIER_CACHE")
    if named is not None:
        return Path(named) if named else None
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111
    return Path(base) / "ruling-verifier"


def _write(file: Path, content: bytes) -> None:
    """Write a file so that nobody ever reads a part of it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent)
    with os.fdopen(handle, "wb") as stream:
        stream.write(content)
    Path(name).replace(file)


class _Terms:
    """Terms by number, each of them once: the same few stand in most rules."""

    def __init__(self) -> None:
        self._numbers: dict[Term, int] = {}
        self.rows: list[Any] = []

    def number(self, term: Term) -> int:
        """The number of a term; its parts come before it."""
        known = self._numbers.get(term)
        if known is None:
            row: Any = term
            if isinstance(term, Function):
                row = [term.name, [self.number(part) for part in term.arguments]]
            elif isinstance(term, Variable):
                row = [term.name]
            known = self._numbers[term] = len(self.rows)
            self.rows.append(row)
        return known


def _dump(rules: Sequence[Rule]) -> list[Any]:
    terms = _Terms()
    rows = [
        [
            rule.text,
            [rule.position.file, rule.position.line, rule.position.column],
            rule.head,
            list(map(terms.number, rule.head_arguments)),
            [[p.name, list(map(terms.number, p.arguments)), p.required] for p in rule.body],
            list(map(terms.number, rule.built)),
        ]
        for rule in rules
    ]
    return [terms.rows, rows]


class _Rules(Sequence[Rule]):
    """Rules as they were kept, each made when it is looked at."""

    def __init__(self, kept: list[Any]) -> None:
        self._terms, self._rows = kept
        self._made: dict[int, Rule] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, number: int) -> Rule:  # type: ignore[override]
        rule = self._made.get(number)
        if rule is None:
            rule = self._made[number] = self._rule(*self._rows[number])
        return rule

    def _rule(
        self, text: str, position: Any, head: str, arguments: Any, body: Any, built: Any
    ) -> Rule:
        literals = (Literal(name, self._all(parts), on) for name, parts, on in body)
        return Rule(
            text, Position(*position), head, self._all(arguments), tuple(literals), self._all(built)
        )

    def _all(self, numbers: Sequence[int]) -> tuple[Term, ...]:
        return tuple(map(self._term, numbers))

    def _term(self, number: int) -> Term:
        row: Any = self._terms[number]
        if isinstance(row, list):
            name, *parts = row
            row = Function(name, self._all(parts[0])) if parts else Variable(name)
            self._terms[number] = row
        return row  # type: ignore[no-any-return]
