"""Results of other engines, held against the complete sets of legal outcomes.

An engine plays a scenario once and reports one outcome.  It is *right* if that is one of the
legal outcomes, *wrong* if it is none, and *not comparable* if nothing can be said: the scenario
is not known or undecided, or the report speaks of what is not recorded.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from verifier import resources
from verifier.claims import alternatives, describe
from verifier.corpus import Checked, How, each
from verifier.corpus import run as check_all
from verifier.errors import InputError, Position
from verifier.outcomes import AT, ENDLESS

SCHEMA_VERSION = 1

RIGHT, WRONG, NOT_COMPARABLE = "right", "wrong", "not comparable"

#: What a result may hold.
_KEYS = {"scenario", "fingerprint", "outcome", "observed", "error"}


@dataclass(frozen=True)
class Legal:
    """The complete outcomes of a scenario.

    Attributes
    ----------
    fingerprint
        The hash of the scenario's file; empty if it is not known.
    outcomes
        All legal outcomes; ``None`` if they could not be found.
    observables
        What outcomes record: for each its ``form`` and what it is recorded ``of``.
    everything
        Whether the scenario asks for nothing by name, so that only what changed is recorded.
    why
        Why the outcomes could not be found.
    """

    fingerprint: str
    outcomes: list[dict[str, Any]] | None
    observables: dict[str, Any]
    everything: bool = False
    why: str = ""


@dataclass(frozen=True)
class Judged:
    """What is to be said of one result of another engine.

    Attributes
    ----------
    status
        ``right``, ``wrong`` or ``not comparable``.
    told
        Why, unless it is right.
    outcome
        Which of the legal outcomes it is, from 1; 0 if none or not told apart.
    """

    name: str
    status: str
    told: str = ""
    outcome: int = 0
    seconds: float = field(default=0.0, repr=False)

    @property
    def folder(self) -> str:
        """The folder that the scenario lies in."""
        return self.name.rpartition("/")[0] or "."

    @property
    def details(self) -> list[str]:
        """Why, as lines."""
        return [self.told] if self.told else []

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON output."""
        return {
            "scenario": self.name,
            "status": self.status,
            "told": self.told,
            "outcome": self.outcome or None,
        }


class _NotComparableError(Exception):
    """Why nothing can be said of a result."""


# --- Writing what is legal ----------------------------------------------------------------


def fingerprint(name: str) -> str:
    """The hash of a scenario's file."""
    return sha256(resources.find_scenario(name).read_bytes()).hexdigest()[:16]


def export(results: Sequence[Checked], folder: Path, how: How) -> int:
    """Write each scenario with its complete outcomes into a folder, a JSON file for each.

    Returns
    -------
    int
        How many were written; those with an error are not.

    Raises
    ------
    InputError
        If a file cannot be written.
    """
    todo = [
        (checked, folder / f"{place}.json", how.cards)
        for checked, place in zip(results, _places([r.name for r in results]), strict=True)
        if checked.status != "error"
    ]
    return sum(each(_export_one, todo, how.jobs))


def _places(names: Sequence[str]) -> Iterator[str]:
    """Where each goes: its name without what all paths begin with."""
    stems = [Path(name.removesuffix(".yaml")) for name in names]
    if all(str(stem) in resources.shipped_scenarios() for stem in stems):
        yield from map(str, stems)
        return
    whole = [stem.resolve() for stem in stems]
    parents = [set(stem.parents) for stem in whole]
    shared = max(set.intersection(*parents), key=lambda path: len(path.parts))
    yield from (str(stem.relative_to(shared)) for stem in whole)


def _export_one(job: tuple[Checked, Path, Sequence[Path]]) -> int:
    from verifier.scenario import Scenario

    checked, file, cards = job
    scenario = Scenario.load(checked.name, cards=cards)
    data = {key: value for key, value in scenario.data.items() if key != "claim"}
    complete = checked.outcomes is not None
    document = {
        "schema_version": SCHEMA_VERSION,
        "scenario": checked.name,
        "fingerprint": fingerprint(checked.name),
        "input": data,
        "exhausted": complete,
        "verdict": checked.verdict,
        "observables": checked.observables,
        "outcomes": [
            {"outcome": _without_orders(row), "orders": row["orders"]}
            for row in checked.outcomes or ()
        ],
    }
    if not complete:
        document["why"] = checked.told
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False)
        file.write_text(text + "\n", encoding="utf-8", newline="\n")
    except OSError as problem:
        raise InputError(
            f"cannot write {file}: {problem.strerror}", hint="--export takes a folder"
        ) from None
    return 1


def _without_orders(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key != "orders"}


# --- What is legal ------------------------------------------------------------------------


def proved(names: Iterable[str], how: How) -> dict[str, Legal]:
    """The legal outcomes of scenarios by name, proved or known; of unknown ones nothing."""
    there = [name for name in dict.fromkeys(names) if _exists(name)]
    return {
        checked.name: Legal(
            fingerprint(checked.name),
            None if checked.outcomes is None else list(map(_without_orders, checked.outcomes)),
            checked.observables,
            checked.everything,
            checked.told or "the scenario is undecided",
        )
        for checked in check_all(there, how)
    }


def _exists(name: str) -> bool:
    try:
        resources.find_scenario(name)
    except InputError:
        return False
    return True


def exported(folder: Path) -> dict[str, Legal]:
    """The legal outcomes of the scenarios that `export` has written into a folder.

    Raises
    ------
    InputError
        If there is no such folder, or a file in it is none of these.
    """
    if not folder.is_dir():
        raise InputError(f"no folder {folder}", hint="`verifier check --export DIR` writes one")
    found: dict[str, Legal] = {}
    for file in sorted(folder.rglob("*.json")):
        document = read_json(file)
        try:
            legal = Legal(
                document["fingerprint"],
                [row["outcome"] for row in document["outcomes"]] if document["exhausted"] else None,
                document["observables"],
                "ask" not in document["input"],
                document.get("why", ""),
            )
            names = (document["scenario"], str(file.relative_to(folder).with_suffix("")))
        except (KeyError, TypeError, AttributeError):
            raise InputError(
                "this is no exported scenario",
                position=Position(str(file), 1, 1),
                hint="`verifier check --export DIR` writes them; let nothing else lie there",
            ) from None
        for name in names:
            found[name] = legal
    return found


def read_json(file: Path) -> Any:
    """The content of a JSON file.

    Raises
    ------
    InputError
        With the place, if it is none.
    """
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except json.JSONDecodeError as problem:
        where = Position(str(file), problem.lineno, problem.colno)
        raise InputError(f"not JSON: {problem.msg}", position=where) from None
    except RecursionError:
        raise InputError("nested too deeply", position=Position(str(file), 1, 1)) from None
    except UnicodeDecodeError:
        raise InputError("the file is not UTF-8 text", position=Position(str(file), 1, 1)) from None
    except OSError as problem:
        raise InputError(f"cannot read {file}: {problem.strerror}") from None
    except ValueError as problem:
        raise InputError(f"not JSON: {problem}", position=Position(str(file), 1, 1)) from None


# --- Judging ------------------------------------------------------------------------------


def read_results(file: Path) -> list[dict[str, Any]]:
    """The results of an engine: a list, or an object that has it as ``results``.

    Raises
    ------
    InputError
        If the file does not hold such a list.
    """
    content = read_json(file)
    rows = content.get("results") if isinstance(content, dict) else content
    where = Position(str(file), 1, 1)
    hint = '[{"scenario": "draw/...", "outcome": {"drawn": {"alice": 1}}}, ...]'
    if not isinstance(rows, list):
        raise InputError("a list of results is needed here", position=where, hint=hint)
    for place, row in enumerate(rows, start=1):
        if not isinstance(row, dict) or not isinstance(row.get("scenario"), str):
            raise InputError(
                f"result {place} does not name its `scenario`", position=where, hint=hint
            )
        if unknown := sorted(row.keys() - _KEYS):
            raise InputError(
                f"result {place} has the unknown key `{unknown[0]}`",
                position=where,
                hint=f"possible are {', '.join(sorted(_KEYS))}",
            )
    return rows


def judge(rows: Sequence[Mapping[str, Any]], legal: Mapping[str, Legal]) -> list[Judged]:
    """Hold the results of an engine against what is legal."""
    return [_judge_one(row, legal) for row in rows]


def _judge_one(row: Mapping[str, Any], legal: Mapping[str, Legal]) -> Judged:
    name = row["scenario"]
    try:
        if "error" in row:
            raise _NotComparableError(f"the engine has no outcome: {row['error']}")
        if name not in legal:
            raise _NotComparableError("there is no such scenario")
        case = legal[name]
        if row.get("fingerprint", case.fingerprint) != case.fingerprint:
            raise _NotComparableError("the engine played another version of the scenario")
        if case.outcomes is None:
            raise _NotComparableError(case.why)
        only = row.get("observed")
        if only is not None and not (
            isinstance(only, list) and only and set(map(str, only)) <= set(case.observables)
        ):
            known = ", ".join(sorted(case.observables))
            raise _NotComparableError(f"`observed` is a list of these: {known}")
        given = row.get("outcome")
        found = _normal(given, case, None) if given != ENDLESS else ENDLESS
        if only is not None and not set(_names(found)) <= set(only):
            raise _NotComparableError("the outcome has more than what was `observed`")
        for number, outcome in enumerate(case.outcomes, start=1):
            whole = outcome if outcome == ENDLESS else _normal(outcome, case, only)
            if found == whole:
                return Judged(name, RIGHT, outcome=0 if only else number)
        return Judged(
            name,
            WRONG,
            f"{{{describe(found)}}} is not possible; possible: {alternatives(case.outcomes)}",
        )
    except _NotComparableError as problem:
        return Judged(name, NOT_COMPARABLE, str(problem))


def _names(outcome: Mapping[str, Any]) -> Iterator[str]:
    for name, row in outcome.items():
        if name == AT:
            for rows in row.values():
                yield from rows
        else:
            yield name


def _normal(outcome: Any, case: Legal, only: Sequence[str] | None) -> dict[str, Any]:
    """An outcome with nothing in it that goes without saying, sets sorted."""
    if not isinstance(outcome, dict):
        raise _NotComparableError("there is no `outcome`: an object of what was observed")
    found: dict[str, Any] = {}
    if AT in outcome:
        if not isinstance(outcome[AT], dict):
            raise _NotComparableError("`at` is an object of checkpoints")
        found[AT] = {place: _rows(rows, case, only) for place, rows in outcome[AT].items()}
    found |= _rows({key: rows for key, rows in outcome.items() if key != AT}, case, only)
    return found


def _rows(rows: Any, case: Legal, only: Sequence[str] | None) -> dict[str, Any]:
    if not isinstance(rows, dict):
        raise _NotComparableError("an outcome is an object of what was observed")
    found: dict[str, Any] = {}
    for name, row in rows.items():
        known = case.observables.get(name)
        if known is None:
            possible = ", ".join(sorted(case.observables))
            raise _NotComparableError(f"`{name}` is not recorded; recorded are {possible}")
        if not isinstance(row, dict):
            raise _NotComparableError(f"`{name}` says of whom: {{{known['of'][0]}: ...}}")
        values: dict[str, Any] = {}
        for key, value in row.items():
            if key not in known["of"]:
                of = ", ".join(known["of"])
                raise _NotComparableError(f"`{name}` is recorded of {of}, not of `{key}`")
            if case.everything and not _recorded(name, key, case):
                raise _NotComparableError(
                    f"`{name}` of {key} does not change, so that it is not recorded"
                )
            values[key] = _value(value, known["form"], f"`{name}` of {key}")
        kept = {key: value for key, value in sorted(values.items()) if value}
        if kept and (only is None or name in only):
            found[name] = kept
    return dict(sorted(found.items()))


def _recorded(name: str, key: str, case: Legal) -> bool:
    """Whether some outcome says something of it, at a checkpoint or in the end."""
    return any(
        key in rows.get(name, {})
        for outcome in case.outcomes or ()
        for rows in (outcome, *outcome.get(AT, {}).values())
    )


#: The type of a value by the form of an observable.
_TYPES: dict[str, tuple[type[Any], str]] = {
    "number": (int, "a whole number"),
    "flag": (bool, "true or false"),
    "word": (str, "a word"),
    "set": (list, "a list, in any order"),
    "sequence": (list, "a list, in order"),
    "counts": (dict, "an object of numbers"),
    "options": (list, "a list of objects of numbers"),
}


def _value(value: Any, form: str, what: str) -> Any:
    kind, said = _TYPES[form]
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise _NotComparableError(f"{what} is {said}")
    match form:
        case "set":
            return sorted(map(str, value))
        case "sequence":
            return list(map(str, value))
        case "word":
            return "" if value == "none" else value
        case "counts":
            return {key: number for key, number in sorted(value.items()) if number}
        case "options":
            return sorted(json.dumps(row, sort_keys=True) for row in value)
    return value


def coverage(judged: Sequence[Judged], legal: Mapping[str, Legal]) -> tuple[int, int]:
    """How many legal outcomes of the scenarios were seen, and how many there are."""
    names = {row.name for row in judged if row.status != NOT_COMPARABLE}
    seen = {(row.name, row.outcome) for row in judged if row.outcome}
    return len(seen), sum(len(legal[name].outcomes or ()) for name in names)


def counts(judged: Sequence[Judged]) -> dict[str, int]:
    """How many results fared how."""
    found = Counter(row.status for row in judged)
    return {status: found[status] for status in (RIGHT, WRONG, NOT_COMPARABLE) if found[status]}
