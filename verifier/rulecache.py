"""Parsed rules, kept on disk.

Walking clingo's syntax trees through its Python interface costs about 0.4 ms a rule, more than
everything else that a small scenario needs.  So what `verifier.asp.read_program` finds in the
shipped rules is kept in the user's cache folder, as JSON under the hash of the files' content.
``VERIFIER_CACHE`` names another folder; an empty value switches the cache off.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from verifier import asp
from verifier.asp import Literal, Rule
from verifier.errors import Position
from verifier.terms import Function, Term, Variable

#: Changes when what is kept changes.
_FORMAT = "2"


def read_program(paths: Sequence[Path]) -> list[Rule]:
    """Like `verifier.asp.read_program`, from the cache if these files were read before."""
    folder = cache_folder()
    if folder is None:
        return asp.read_program(paths)
    digest = sha256(f"{_FORMAT} {asp.VERSION}".encode())
    for path in paths:
        digest.update(str(path).encode() + b"\0" + path.read_bytes())
    file = folder / f"rules-{digest.hexdigest()[:32]}.json"
    with suppress(OSError, ValueError, KeyError, TypeError, IndexError):
        return _load(json.loads(file.read_text(encoding="utf-8")))
    rules = asp.read_program(paths)
    with suppress(OSError):
        _write(file, json.dumps(_dump(rules), separators=(",", ":")))
    return rules


def cache_folder() -> Path | None:
    """Where things are kept between runs; ``None`` if they are not."""
    named = os.environ.get("VERIFIER_CACHE")
    if named is not None:
        return Path(named) if named else None
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111
    return Path(base) / "ruling-verifier"


def _write(file: Path, text: str) -> None:
    """Write a file so that nobody ever reads a part of it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent)
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.write(text)
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
        ]
        for rule in rules
    ]
    return [terms.rows, rows]


def _load(kept: list[Any]) -> list[Rule]:
    terms: list[Term] = []
    for row in kept[0]:
        if not isinstance(row, list):
            terms.append(row)
        elif len(row) == 1:
            terms.append(Variable(row[0]))
        else:
            terms.append(Function(row[0], tuple([terms[number] for number in row[1]])))
    return [
        Rule(
            text,
            Position(*position),
            head,
            tuple([terms[number] for number in arguments]),
            tuple(
                [Literal(name, tuple([terms[n] for n in parts]), on) for name, parts, on in body]
            ),
        )
        for text, position, head, arguments, body in kept[1]
    ]
