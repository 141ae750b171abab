"""A scenario as a template over parameters: one row for every combination of their values."""

from __future__ import annotations

import csv
import io
import json
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

from verifier import resources
from verifier.cards import Library, display_name
from verifier.claims import describe
from verifier.corpus import Checked, How, run
from verifier.errors import InputError, ScenarioError
from verifier.source import parse_yaml, read_yaml

if TYPE_CHECKING:
    from verifier.cluster import Cluster

#: More combinations than this are not run unless told so.
MOST = 20_000

Value = int | str

_PARAMETER = re.compile(r"([A-Za-z_]\w*)=(.+)", re.S)
_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)")
_PLAIN = re.compile(r"[A-Za-z][\w ,'-]*")

#: What a map can show of a row.
SHOWN = ("outcomes", "verdict", "orders", "states", "seconds", "claim")


@dataclass(frozen=True)
class Parameter:
    """A name in the template, and the values that it takes."""

    name: str
    values: tuple[Value, ...]


@dataclass(frozen=True)
class Row:
    """What was found for one combination.

    Attributes
    ----------
    point
        The value of each parameter.
    checked
        How the scenario fared.
    """

    point: dict[str, Value]
    checked: Checked

    @property
    def count(self) -> int | None:
        """How many outcomes there are, if everything was explored."""
        return None if self.checked.outcomes is None else len(self.checked.outcomes)

    @property
    def orders(self) -> int | None:
        """How many orders there are, if they can be counted."""
        found = [row["orders"] for row in self.checked.outcomes or ()]
        return None if None in found or not found else sum(found)

    def shown(self, what: str) -> Any:
        """One of `SHOWN`."""
        match what:
            case "outcomes":
                return self.count
            case "verdict":
                return self.checked.verdict or self.checked.status
            case "orders":
                return self.orders
            case "claim":
                return self.checked.status
        return getattr(self.checked, what)

    def to_dict(self) -> dict[str, Any]:
        """A row of the table."""
        texts = [
            describe({key: value for key, value in outcome.items() if key != "orders"})
            for outcome in self.checked.outcomes or ()
        ]
        return {
            **self.point,
            **{what: self.shown(what) for what in SHOWN},
            "found": " | ".join(texts),
            "problem": self.checked.told if self.checked.status != "no claim" else "",
        }


# --- Parameters ---------------------------------------------------------------------------


def parameter(text: str, template: Path, cards: Sequence[Path] = ()) -> Parameter:
    """A parameter from the command line.

    ``n=1..8`` and ``n=1,2,4`` are numbers, ``card=Notion Thief,"Niv-Mizzet, Parun"`` words,
    ``card=@cards.txt`` the lines of a file, ``card=cards:draw`` the encoded cards that speak of
    a kind of event (``verifier coverage`` lists the kinds), ``who=players`` the template's.

    Raises
    ------
    InputError
        If it is none of these.
    """
    match = _PARAMETER.fullmatch(text)
    if match is None:
        raise InputError(
            f"`{text}` is no parameter", hint="NAME=VALUES: n=1..8, card=cards:draw, who=players"
        )
    name, said = match[1], match[2].strip()
    values: list[Value]
    if (numbers := _RANGE.fullmatch(said)) is not None:
        first, last = int(numbers[1]), int(numbers[2])
        if abs(last - first) >= MOST:
            raise InputError(f"{said} are more than {MOST:,} numbers")
        values = list(range(first, last + 1)) or list(range(first, last - 1, -1))
    elif said.startswith("@"):
        values = _lines(Path(said[1:]))
    elif said.startswith("cards:"):
        values = _cards(said.removeprefix("cards:"), cards)
    elif said == "players":
        values = _players(template)
    else:
        words = [word.strip() for word in next(csv.reader([said], skipinitialspace=True))]
        values = [int(word) if re.fullmatch(r"-?\d+", word) else word for word in words if word]
    if not values:
        raise InputError(f"`{text}` has no values", hint="separate them by commas")
    return Parameter(name, tuple(dict.fromkeys(values)))


def _lines(file: Path) -> list[Value]:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except OSError as problem:
        raise InputError(f"cannot read {file}: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{file} is not UTF-8 text") from None
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def _cards(kind: str, folders: Sequence[Path]) -> list[Value]:
    from verifier.coverage import Coverage

    library = Library(folders)
    if kind == "all":
        return sorted(display_name(path) for path in library.files.values())
    found = Coverage.of(library)
    if kind not in found.kinds:
        near = resources.nearest(kind, list(found.kinds))
        raise InputError(
            f"unknown kind of cards `{kind}`",
            hint=(f"did you mean {near}? " if near else "") + "`verifier coverage` lists the kinds",
        )
    return sorted(name for name in found.encoded if kind in found.cards[name][0])


def _players(template: Path) -> list[Value]:
    match = re.search(r"^players:.*(?:\n[ -].*)*", _text(template), re.M)
    names = parse_yaml(match[0], str(template)).data["players"] if match else None
    if not isinstance(names, list):
        raise InputError(f"{template} lists no players", hint="players: [alice, bob]")
    return [str(name) for name in names]


# --- Scenarios ----------------------------------------------------------------------------


def _text(template: Path) -> str:
    # So that what is said of a file that cannot be read is the same as elsewhere.
    try:
        return template.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return read_yaml(template).text


def _as_yaml(value: Value) -> str:
    if isinstance(value, int) or (_PLAIN.fullmatch(value) and ", " not in value):
        return str(value)
    return json.dumps(value, ensure_ascii=False)


def points(parameters: Sequence[Parameter], unordered: bool) -> Iterator[dict[str, Value]]:
    """All combinations of values.

    If `unordered`, of those that are alike but for the order of the values only the first.
    """
    seen: set[tuple[str, ...]] = set()
    for values in product(*(parameter.values for parameter in parameters)):
        if unordered:
            key = tuple(sorted(map(str, values)))
            if key in seen:
                continue
            seen.add(key)
        yield {p.name: value for p, value in zip(parameters, values, strict=True)}


def sweep(
    template: Path,
    parameters: Sequence[Parameter],
    how: How,
    *,
    unordered: bool = False,
    progress: Callable[[Checked], None] = lambda _: None,
    cluster: Cluster | None = None,
) -> list[Row]:
    """Prove a template for every combination of values.

    Raises
    ------
    InputError
        If the template does not use the parameters, uses others, or there are too many
        combinations.
    """
    text = Template(_text(template))
    _check_names(text, template, parameters)
    found = list(points(parameters, unordered))
    if len(found) > MOST:
        raise InputError(f"{len(found):,} combinations are more than {MOST:,}", hint="sweep less")
    with tempfile.TemporaryDirectory() as folder:
        names: list[str] = []
        for number, point in enumerate(found):
            file = Path(folder) / f"{number}.yaml"
            values = {name: _as_yaml(value) for name, value in point.items()}
            file.write_text(text.substitute(values), encoding="utf-8")
            names.append(str(file))
        results = run(names, how, progress, cluster)
    rows = []
    for name, point, checked in zip(names, found, results, strict=True):
        details = [line.replace(name, str(template)) for line in checked.details]
        rows.append(Row(point, replace(checked, name=str(template), details=details)))
    return rows


def _check_names(text: Template, template: Path, parameters: Sequence[Parameter]) -> None:
    names = [parameter.name for parameter in parameters]
    if len(set(names)) != len(names):
        raise InputError("a parameter is given twice", hint="each --over has a name of its own")
    if not text.is_valid():
        raise ScenarioError(
            f"{template} has a `$` that begins no name", hint="$$ stands for the sign itself"
        )
    used = text.get_identifiers()
    for name in names:
        if name not in used:
            raise InputError(f"{template} does not use ${name}", hint=f"write ${name} in it")
    for name in used:
        if name not in names:
            near = resources.nearest(name, names)
            hint = f"did you mean ${near}? " if near else ""
            raise InputError(f"{template} uses ${name}", hint=f"{hint}--over {name}=VALUES")


# --- Tables -------------------------------------------------------------------------------


def as_csv(rows: Sequence[Row]) -> str:
    """The rows as CSV."""
    out = io.StringIO()
    dicts = [row.to_dict() for row in rows]
    writer = csv.DictWriter(out, list(dicts[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(dicts)
    return out.getvalue()


def write_parquet(rows: Sequence[Row], target: Path) -> None:
    """Write the rows as Parquet.

    Raises
    ------
    InputError
        If pandas, or what it needs for that, is not installed, or it cannot be written.
    """
    try:
        import pandas as pd

        frame = pd.DataFrame([row.to_dict() for row in rows])
        # Orders pass every fixed size of numbers.
        frame["orders"] = frame["orders"].map(lambda n: None if n is None else str(n))
        frame.to_parquet(target, index=False)
    except ImportError:
        raise InputError(
            "Parquet needs pandas and pyarrow", hint="pip install 'ruling-verifier[table]'"
        ) from None
    except OSError as problem:
        raise InputError(f"cannot write {target}: {problem.strerror}") from None


def table(rows: Sequence[Row], parameters: Sequence[Parameter], what: str) -> Iterator[str]:
    """The rows as lines: a map for two parameters, otherwise a line for each row."""
    if len(parameters) == 2:
        yield from grid(rows, parameters, what)
        return
    widths = [max(len(p.name), *(len(str(value)) for value in p.values)) for p in parameters]
    names = [p.name for p in parameters]
    yield "  ".join([*(n.ljust(w) for n, w in zip(names, widths, strict=True)), what])
    for row in rows:
        cells = [str(row.point[n]).ljust(w) for n, w in zip(names, widths, strict=True)]
        yield "  ".join([*cells, _cell(row, what)])


def grid(rows: Sequence[Row], parameters: Sequence[Parameter], what: str) -> Iterator[str]:
    """A map of two parameters: a line for each value of the first, a column for the second.

    Columns are numbered, and their values listed below.
    """
    down, across = parameters
    cells = {(row.point[down.name], row.point[across.name]): _cell(row, what) for row in rows}
    heads = [str(number) for number in range(1, len(across.values) + 1)]
    if all(isinstance(value, int) for value in across.values):
        heads = list(map(str, across.values))
    width = max(len(down.name), *(len(str(value)) for value in down.values))
    wide = max(len(text) for text in [*cells.values(), *heads])
    yield f"{what} by {down.name} (down) and {across.name} (across)"
    yield "  ".join(["".ljust(width), *(head.rjust(wide) for head in heads)])
    for value in down.values:
        line = [cells.get((value, other), "").rjust(wide) for other in across.values]
        yield "  ".join([str(value).ljust(width), *line]).rstrip()
    if heads != list(map(str, across.values)):
        yield f"{across.name}: " + "; ".join(
            f"{head} {value}" for head, value in zip(heads, across.values, strict=True)
        )


def _cell(row: Row, what: str) -> str:
    value = row.shown(what)
    if value is None:
        return "!" if row.checked.status == "error" else "?"
    return f"{value:,}" if isinstance(value, int) else str(value)


def heat_map(rows: Sequence[Row], parameters: Sequence[Parameter], what: str, target: Path) -> None:
    """Draw a map of two parameters; the end of the file's name says in which form.

    Raises
    ------
    InputError
        If there are not two parameters, matplotlib is missing, or it cannot be written.
    """
    if len(parameters) != 2:
        raise InputError("a map needs two parameters", hint="--over A=... --over B=...")
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError(
            "a map needs matplotlib", hint="pip install 'ruling-verifier[notebook]'"
        ) from None
    down, across = parameters
    values = {(row.point[down.name], row.point[across.name]): row.shown(what) for row in rows}
    words = sorted({value for value in values.values() if isinstance(value, str)})
    numbers = [[_number(values.get((a, b)), words) for b in across.values] for a in down.values]
    figure = Figure(
        figsize=(3 + 0.32 * len(across.values), 2 + 0.32 * len(down.values)), layout="constrained"
    )
    axes = figure.add_subplot()
    image = axes.imshow(numbers, cmap="viridis", aspect="auto")
    axes.set_xticks(range(len(across.values)), list(map(str, across.values)), rotation=90)
    axes.set_yticks(range(len(down.values)), list(map(str, down.values)))
    axes.set_xlabel(across.name)
    axes.set_ylabel(down.name)
    axes.set_title(what)
    bar = figure.colorbar(image)
    if words:
        bar.set_ticks(list(range(len(words))), labels=words)
    try:
        figure.savefig(target)
    except (OSError, ValueError) as problem:
        raise InputError(f"cannot write {target}: {problem}") from None


def _number(value: Any, words: Sequence[str]) -> float:
    if isinstance(value, str):
        return float(words.index(value))
    return float("nan") if value is None else float(value)
