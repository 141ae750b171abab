"""YAML with positions.

A file is read into plain lists, dicts and scalars, together with the place of every part,
so that a fault found later can still be pointed at.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verifier.errors import Position, ScenarioError

#: A longer file is no scenario, and reading YAML is slow.
LARGEST_FILE = 1_000_000

#: Aliases can make a small file describe a huge one.
MOST_VALUES = 200_000

#: The tags that values have without being given one.
_PLAIN = "tag:yaml.org,2002:"
_TAGS = {"str", "int", "float", "bool", "null", "map", "seq", "timestamp"}

#: What to write where a number belongs.
WHOLE = "a whole number without quotes"

_SYNTAX = (
    "items of a list begin in the same column, after spaces and not tabs; "
    "text with `: ` in it goes into quotes"
)

#: Longer words are cut in messages.
LONGEST_WORD = 40

Key = tuple["str | int", ...]


@dataclass(frozen=True)
class Source:
    """What a file holds, and where.

    Attributes
    ----------
    data
        The content as plain Python values.
    positions
        The place of each value, by the keys and indices that lead to it.
    keys
        The place of each mapping key, likewise.
    fractions
        What is written as a number that is no integer; in the content it is text.
    text
        The file as it is written.
    """

    file: str
    data: Any
    positions: dict[Key, Position]
    keys: dict[Key, Position]
    fractions: list[Key]
    text: str = ""

    def at(self, *path: str | int) -> Position:
        """The place of a part, or of the nearest part around it."""
        while path not in self.positions and path:
            path = path[:-1]
        return self.positions.get(path, Position(self.file, 1, 1))

    def at_key(self, *path: str | int) -> Position:
        """The place of the key of a part."""
        return self.keys.get(path) or self.at(*path)


def read_yaml(path: Path, *, name: str | None = None) -> Source:
    """Read a YAML file.

    Raises
    ------
    ScenarioError
        If the file cannot be read, is too large, is no YAML, holds a key twice or is empty.
    """
    file = name or str(path)
    start = Position(file, 1, 1)
    try:
        size = path.stat().st_size
        if size > LARGEST_FILE:
            raise ScenarioError(
                f"the file has {size} bytes, a scenario at most {LARGEST_FILE}", position=start
            )
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as problem:
        raise ScenarioError(
            f"the file is not UTF-8 text: {problem.reason}", position=start
        ) from None
    except OSError as problem:
        raise ScenarioError(f"cannot read the file: {problem.strerror}", position=start) from None
    return parse_yaml(text, file)


def parse_yaml(text: str, file: str) -> Source:
    """Like `read_yaml`, from a string."""
    from ruamel.yaml import YAML
    from ruamel.yaml.composer import ComposerError
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    start = Position(file, 1, 1)
    yaml = YAML(typ="safe", pure=True)
    try:
        node = yaml.compose(text)
    except MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        where = Position(file, mark.line + 1, mark.column + 1) if mark else start
        reason = " ".join(filter(None, [problem.context, problem.problem]))
        hint = None if isinstance(problem, ComposerError) else _SYNTAX
        raise ScenarioError(f"not YAML: {reason}", position=where, hint=hint) from None
    except (YAMLError, ValueError, RecursionError) as problem:
        reason = " ".join(str(problem).split())
        raise ScenarioError(f"not YAML: {reason}", position=start) from None
    if node is None or (node.id == "scalar" and not node.value):
        raise ScenarioError(
            "the file is empty", position=start, hint="a scenario needs `players` and `timeline`"
        )
    reader = _Reader(file)
    try:
        data = reader.value(node, ())
    except RecursionError:
        raise ScenarioError("nested too deeply", position=start) from None
    return Source(file, data, reader.positions, reader.keys, reader.fractions, text)


class _Reader:
    def __init__(self, file: str) -> None:
        self.file = file
        self.positions: dict[Key, Position] = {}
        self.keys: dict[Key, Position] = {}
        self.fractions: list[Key] = []

    def _position(self, node: Any) -> Position:
        return Position(self.file, node.start_mark.line + 1, node.start_mark.column + 1)

    def value(self, node: Any, path: Key) -> Any:
        position = self.positions[path] = self._position(node)
        if len(self.positions) > MOST_VALUES:
            raise ScenarioError("the file holds too many values", position=position)
        kind = str(node.tag)
        if not kind.startswith(_PLAIN) or kind.removeprefix(_PLAIN) not in _TAGS:
            raise ScenarioError(
                f"the tag {shown(kind.replace(_PLAIN, '!!'))} is not possible here",
                position=position,
                hint="a scenario is plain YAML: words, numbers, lists and mappings",
            )
        if node.id == "mapping":
            return self._mapping(node, path)
        if node.id == "sequence":
            return [self.value(part, (*path, index)) for index, part in enumerate(node.value)]
        if str(node.tag).endswith(":float"):
            self.fractions.append(path)
            return str(node.value)
        return _scalar(node, position)

    def _mapping(self, node: Any, path: Key) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key_node, value_node in node.value:
            position = self._position(key_node)
            if key_node.id != "scalar":
                raise ScenarioError("a key must be a word", position=position)
            key = str(key_node.value)
            if key in found:
                first = self.keys[(*path, key)]
                raise ScenarioError(
                    f"the key `{key}` stands here twice",
                    position=position,
                    hint=f"it was given in line {first.line} already",
                )
            self.keys[(*path, key)] = position
            found[key] = self.value(value_node, (*path, key))
        return found


def _scalar(node: Any, position: Position) -> Any:
    kind = str(node.tag).rpartition(":")[2]
    text = node.value
    try:
        match kind:
            case "int":
                return int(text.replace("_", ""), 0)
            case "bool":
                return text.lower() == "true"
            case "null":
                return None
            case _:
                return str(text)
    except ValueError:
        raise ScenarioError(
            f"cannot read the number {shown(text)}",
            position=position,
            hint="a number is written 120 and text in quotes",
        ) from None


def shown(value: Any) -> str:
    """A value in a message, cut if it is long."""
    match value:
        case dict():
            return f"a mapping with the keys {', '.join(value)}" if value else "an empty mapping"
        case list():
            return "a list"
        case None:
            return "nothing"
        case bool():
            return str(value).lower()
    text = str(value)
    text = text if len(text) <= LONGEST_WORD else f"{text[:LONGEST_WORD]}..."
    return f"`{text}`" if isinstance(value, str) else text
