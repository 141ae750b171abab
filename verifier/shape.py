"""The shape of scenario files: a JSON Schema, and faults against it in words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from verifier import resources
from verifier.errors import ScenarioError
from verifier.source import WHOLE, Source, shown

Step = str | int


@lru_cache(maxsize=1)
def schema() -> dict[str, Any]:
    """The JSON Schema of scenario files."""
    text = (Path(__file__).parent / "scenario.schema.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def check_shape(source: Source) -> None:
    """Hold a file against the schema.

    Raises
    ------
    ScenarioError
        For the first fault; unknown keys come first, as they explain missing ones.
    """
    import jsonschema_rs

    faults = list(jsonschema_rs.validator_for(schema()).iter_errors(source.data))
    for path in source.fractions:
        _refuse_fraction(source, path, faults)
    if faults:
        ranked = sorted(
            map(_innermost, faults),
            key=lambda fault: (
                fault.kind.name != "additionalProperties",
                source.at(*fault.instance_path).line,
                len(fault.instance_path),
            ),
        )
        raise _error(source, ranked[0])


def _refuse_fraction(source: Source, path: Sequence[Step], faults: Iterable[Any]) -> None:
    """Say of a number such as 1.5 whether an integer or text belongs here."""
    value: Any = source.data
    for step in path:
        value = value[step]
    text_fits = all(tuple(_innermost(fault).instance_path) != tuple(path) for fault in faults)
    in_words = "does" in path
    raise ScenarioError(
        f"the number {value} is not an integer",
        position=source.at(*path),
        hint=f'text goes into quotes: "{value}"' if text_fits and not in_words else WHOLE,
    )


_TYPES = {
    "integer": "an integer",
    "string": "text",
    "array": "a list",
    "object": "a mapping",
    "boolean": "true or false",
}


def _innermost(fault: Any) -> Any:
    """Of several alternatives, the fault in the one that was meant."""
    while fault.kind.name == "anyOf":
        path = fault.instance_path
        meant = [
            branch[0]
            for branch in fault.kind.context
            if branch[0].kind.name != "type" or branch[0].instance_path != path
        ]
        if not meant:
            return fault
        fault = meant[0]
    return fault


def _error(source: Source, fault: Any) -> ScenarioError:
    path: tuple[Step, ...] = tuple(fault.instance_path)
    kind, value, found = fault.kind.name, fault.kind.value, fault.instance
    what = _what(path)
    position = source.at(*path)
    hint = None
    match kind:
        case "additionalProperties":
            word = value[0]
            allowed = sorted(_part(fault.schema_path[:-1]).get("properties", {}))
            near = resources.nearest(word, allowed)
            message = f"unknown key `{word}`"
            hint = f"did you mean `{near}`? " if near else ""
            hint += f"possible here: {', '.join(allowed)}"
            if word != word.lower() and isinstance(found, dict) and found.get(word, "") is None:
                hint = f'if the comma before it belongs to a name: "..., {word}", in quotes; {hint}'
            position = source.at_key(*path, word)
        case "type":
            message = f"{what} must be {_types([fault])}, not {shown(found)}"
            hint = meant_whole(fault.kind.types, found)
        case "anyOf":
            types = _types(branch[0] for branch in value)
            hint = meant_whole([name for branch in value for name in branch[0].kind.types], found)
            message = f"{what} must be {types}, not {shown(found)}"
        case "oneOf":
            keys = [f"`{option['required'][0]}`" for option in _part(fault.schema_path)]
            message = f"{what} needs exactly one of {_either(keys)}"
        case "required":
            message = f"{what} lacks `{value}`"
        case "pattern":
            message = f"{shown(found)} is no {_part(fault.schema_path[:-1])['description']}"
            if path[0] != "players" and path[-1] != "id":
                hint = meant_player(source, found)
        case "propertyNames":
            message = f"a key of {what} is no word: small letters, digits and _, a letter first"
            if path[-1] != "counters":
                hint = next(filter(None, (meant_player(source, key) for key in found)), None)
        case "enum":
            near = resources.nearest(str(found), value)
            message = f"unknown {path[-1]} {shown(found)}"
            hint = f"did you mean `{near}`? " if near else ""
            hint += f"possible here: {', '.join(value)}"
        case "const":
            message = f"{what} must be `{value}`, not {shown(found)}"
        case "minimum":
            message = f"{what} must be at least {value}, not {shown(found)}"
        case "maximum":
            message = f"{what} must be at most {value}, not {shown(found)}"
        case "minItems" if value > 1:
            message = f"{what} must have at least {value} entries"
        case "minItems" | "minProperties":
            message = f"{what} must not be empty"
        case "maxProperties":
            message = f"{what} must have exactly one key, not {', '.join(found)}"
        case "uniqueItems":
            message = f"{what} has an entry twice"
        case _:
            message = f"{what}: {fault.message}"
    return ScenarioError(message, position=position, hint=hint)


def meant_whole(types: Iterable[str], found: Any) -> str | None:
    """A hint at a number in quotes, or a subrule that is not in a list."""
    quoted = isinstance(found, str) and resources.NUMBER.fullmatch(found)
    if quoted and "." in found and "array" in types:
        return f'a list of subrules is ["{found}"]'
    return WHOLE if quoted and "integer" in types else None


def meant_player(source: Source, found: str) -> str | None:
    """A hint at the player who is meant: their name is written with small letters."""
    players = source.data.get("players", [])
    players = [p for p in players if isinstance(p, str)] if isinstance(players, list) else []
    meant = [p for p in players if p.lower() == found.lower() and p != found]
    return f"did you mean `{meant[0]}`?" if meant else None


def _what(path: Sequence[Step]) -> str:
    """A part of the file in words."""
    if not path:
        return "a scenario"
    if isinstance(path[-1], str):
        return f"`{path[-1]}`"
    around = next((step for step in reversed(path) if isinstance(step, str)), None)
    return f"entry {path[-1] + 1} of `{around}`"


def _types(faults: Iterable[Any]) -> str:
    return _either(_TYPES[name] for fault in faults for name in fault.kind.types)


def _either(words: Iterable[str]) -> str:
    *most, last = dict.fromkeys(words)
    return f"{', '.join(most)} or {last}" if most else last


def _part(path: Sequence[Step]) -> Any:
    """The part of the schema that a path leads to, through references."""
    whole: Any = schema()
    part = whole
    for step in path:
        if step != "$ref":
            part = _follow(whole, part)[step]
    return _follow(whole, part)


def _follow(whole: Any, part: Any) -> Any:
    while isinstance(part, dict) and "$ref" in part:
        target = whole
        for step in part["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        part = target
    return part
