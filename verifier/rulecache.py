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
_FORMAT = "1"


def read_program(paths: Sequence[Path]) -> list[Rule]:
    """Like `verifier.asp.read_program`, from the cache if these files were read before."""
    folder = _folder()
    if folder is None:
        return asp.read_program(paths)
    digest = sha256(f"{_FORMAT} {asp.VERSION}".encode())
    for path in paths:
        digest.update(str(path).encode() + b"\0" + path.read_bytes())
    file = folder / f"rules-{digest.hexdigest()[:32]}.json"
    with suppress(OSError, ValueError, KeyError, TypeError, IndexError):
        return [_load(row) for row in json.loads(file.read_text(encoding="utf-8"))]
    rules = asp.read_program(paths)
    with suppress(OSError):
        _write(file, json.dumps([_dump(rule) for rule in rules], separators=(",", ":")))
    return rules


def _folder() -> Path | None:
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


def _dump(rule: Rule) -> list[Any]:
    return [
        rule.text,
        [rule.position.file, rule.position.line, rule.position.column],
        rule.head,
        [_dump_term(term) for term in rule.head_arguments],
        [[part.name, [_dump_term(t) for t in part.arguments], part.required] for part in rule.body],
    ]


def _dump_term(term: Term) -> Any:
    if isinstance(term, Function):
        return [term.name, [_dump_term(part) for part in term.arguments]]
    return [term.name] if isinstance(term, Variable) else term


def _load(row: list[Any]) -> Rule:
    text, position, head, arguments, body = row
    return Rule(
        text,
        Position(*position),
        head,
        tuple(map(_load_term, arguments)),
        tuple(Literal(name, tuple(map(_load_term, terms)), needed) for name, terms, needed in body),
    )


def _load_term(value: Any) -> Term:
    if not isinstance(value, list):
        term: Term = value
        return term
    if len(value) == 1:
        return Variable(value[0])
    return Function(value[0], tuple(map(_load_term, value[1])))
