"""Results of checks, kept on disk by what they depend on.

A result is kept under the content of its scenario and of everything that every scenario depends
on (this package, the vocabulary, clingo), together with the cards that it names, the rules that
could fire in it, and what is given to them.  It is still good if these are the same, and the
rules of the game either are, too, or differ only in rules that could not and cannot fire in it.

The store is an SQLite file in the user's cache folder.  Each result is one transaction: what is
killed in between leaves the results before it, and processes may use the file side by side.
"""

from __future__ import annotations

import json
import re
import sqlite3
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verifier import resources, rulecache
from verifier.cards import Library
from verifier.errors import VerifierError
from verifier.terms import Function, Term, parse_term, signature

if TYPE_CHECKING:
    from verifier.asp import Rule
    from verifier.graph import Graph

#: Changes when what is kept changes.
_FORMAT = 1

#: So many results are kept, and so many of one scenario (with other rules, other cards).
MOST_RESULTS = 50_000
MOST_OF_ONE = 4

#: Parts of this package that no result depends on.
_ONLY_SHOW = ("commands", "page", "views", "explaining", "__pycache__")

_TABLES = """
CREATE TABLE IF NOT EXISTS rulesets (
  id TEXT PRIMARY KEY, rules TEXT NOT NULL, spoken TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS results (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL, ruleset TEXT NOT NULL, cards TEXT NOT NULL, states INTEGER NOT NULL,
  result TEXT NOT NULL, outcomes TEXT NOT NULL, fired BLOB NOT NULL, given TEXT NOT NULL,
  UNIQUE (key, ruleset, cards)
);
"""


#: A result and its outcomes.
Kept = tuple[dict[str, Any], list[dict[str, Any]]]


@dataclass(frozen=True)
class Basis:
    """What a result rests on besides its scenario, as it can be sent between processes.

    Attributes
    ----------
    cards
        The constants of the cards that the scenario names.
    fired
        The rules of the game that could fire, by number.
    predicates, words
        What scenario and cards state: predicates (name/arity), and the words in them.
    """

    cards: tuple[str, ...]
    fired: tuple[int, ...]
    predicates: tuple[str, ...]
    words: tuple[str, ...]

    @classmethod
    def of(cls, graph: Graph) -> Basis:
        """What the result of an exploration rests on."""
        loaded = {rule.text for rule in graph.setup.program.rules}
        numbers = Ruleset.current().numbers
        facts = graph.scenario.facts()
        own = graph.setup.cards
        predicates = {"{}/{}".format(*signature(parse_term(fact))) for fact in facts}
        predicates |= {"{}/{}".format(*rule.predicate) for rule in own}
        words: set[str] = set().union(*map(_words, [*facts, *(rule.text for rule in own)]))
        return cls(
            tuple(graph.scenario.card_constants),
            tuple(sorted(numbers[text] for text in loaded if text in numbers)),
            tuple(sorted(predicates)),
            tuple(sorted(words)),
        )

    def joined(self, others: Iterable[Basis]) -> Basis:
        """What this result and others of the same cards rest on together."""
        every = [self, *others]
        return Basis(
            self.cards,
            tuple(sorted({number for basis in every for number in basis.fired})),
            tuple(sorted({shape for basis in every for shape in basis.predicates})),
            tuple(sorted({word for basis in every for word in basis.words})),
        )


_WORD = re.compile(r'[a-z_]\w*|"(?:[^"\\]|\\.)*"')


@lru_cache(maxsize=8192)
def _words(text: str) -> frozenset[str]:
    """All constants, functors and strings in the text of a fact or rule."""
    return frozenset(_WORD.findall(text))


def _words_of(terms: Iterable[Term]) -> Iterator[str]:
    """The constants, functors and strings in terms."""
    for term in terms:
        if isinstance(term, Function):
            if term.name:
                yield term.name
            yield from _words_of(term.arguments)
        elif isinstance(term, str):
            yield term


def _bits(numbers: Iterable[int]) -> bytes:
    """A set of numbers, one bit each."""
    bits = sum(1 << number for number in set(numbers))
    return bits.to_bytes((bits.bit_length() + 7) // 8, "little")


def _numbers(bits: bytes) -> list[int]:
    """The set of numbers that `_bits` has written."""
    return [
        8 * place + bit for place, byte in enumerate(bits) for bit in range(8) if byte >> bit & 1
    ]


def _key(name: str) -> str | None:
    """What the results of a scenario are kept under; ``None`` if it cannot be read."""
    with suppress(VerifierError, OSError):
        content = resources.find_scenario(name).read_bytes()
        return sha256(package().encode() + b"\0" + content).hexdigest()
    return None


@dataclass(frozen=True)
class Ruleset:
    """The rules of the game as they are now."""

    id: str

    @classmethod
    @lru_cache(maxsize=1)
    def current(cls) -> Ruleset:
        """The shipped rules."""
        return cls(digest(resources.game_files()))

    @cached_property
    def rules(self) -> dict[str, Rule]:
        """The rules by the hashes of their texts; each once."""
        from verifier.engine import shipped_rules

        return {short(rule.text): rule for rule in shipped_rules()}

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each rule, by its text."""
        return {rule.text: number for number, rule in enumerate(self.rules.values())}

    @cached_property
    def spoken(self) -> set[str]:
        """The predicates that some rule reads or derives: what cards may speak of."""
        derived = {"derived {}/{}".format(*rule.predicate) for rule in self.rules.values()}
        read = {shape for rule in self.rules.values() for shape in rule.body_predicates}
        return derived | {"read {}/{}".format(*shape) for shape in read}


def digest(files: Iterable[Path]) -> str:
    """The digest of files: their names and contents."""
    found = sha256()
    for path in files:
        found.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


def short(text: str) -> str:
    """The hash of a rule's text."""
    return sha256(text.encode()).hexdigest()[:16]


@lru_cache(maxsize=1)
def package() -> str:
    """The digest of what every result depends on."""
    here = Path(__file__).parent
    files = [path for path in sorted(here.rglob("*.py")) if not _only_shows(path, here)]
    files += [here / "explaining" / "games.py", *sorted(here.glob("*.json"))]
    files += map(resources.encodings, ("answers.lp", "vocabulary.lp", "rules_index.txt"))
    python = ".".join(map(str, sys.version_info[:2]))
    return f"{_FORMAT} {python} {version('clingo')} {digest(files)}"


def _only_shows(path: Path, here: Path) -> bool:
    return bool({*path.relative_to(here).parts} & {*_ONLY_SHOW})


class _CardDigests(dict[str, str]):
    """The digests of card files, read when they are needed; empty if there is no such card."""

    def __init__(self, library: Library) -> None:
        super().__init__()
        self._files = library.files

    def __missing__(self, card: str) -> str:
        path = self._files.get(card)
        with suppress(OSError):
            self[card] = digest([path])[:32] if path else ""
            return self[card]
        return ""


class Store:
    """The kept results.

    Parameters
    ----------
    file
        The SQLite file.
    cards
        Folders with the user's own cards.
    """

    def __init__(self, file: Path, cards: Sequence[Path] = ()) -> None:
        self._cards = _CardDigests(Library(cards))
        file.parent.mkdir(parents=True, exist_ok=True)
        self._base = sqlite3.connect(file, timeout=30, isolation_level=None)
        self._base.execute("PRAGMA journal_mode=WAL")
        self._base.execute("PRAGMA synchronous=NORMAL")
        self._base.executescript(_TABLES)
        self._has_rules = False

    @classmethod
    def open(cls, cards: Sequence[Path] = ()) -> Store | None:
        """The store in the user's cache folder; ``None`` if there cannot be one.

        A file that is none, or is damaged, is begun anew.
        """
        folder = rulecache.cache_folder()
        if folder is None:
            return None
        file = folder / f"checked-{_FORMAT}.sqlite"
        for _ in range(2):
            try:
                return cls(file, cards)
            except sqlite3.OperationalError:
                return None
            except sqlite3.DatabaseError:
                with suppress(OSError):
                    file.unlink()
            except OSError:
                return None
        return None

    def close(self) -> None:
        """Close the file."""
        with suppress(sqlite3.Error):
            self._base.close()

    # --- Looking up ---------------------------------------------------------------------

    def find(self, names: Sequence[str], max_states: int) -> dict[str, Kept]:
        """What is known of some scenarios, by name: the result and its outcomes.

        Parameters
        ----------
        names
            The scenarios.
        max_states
            A result that took more states than these is none.
        """
        keys = {name: key for name in names if (key := _key(name)) is not None}
        wanted = sorted(set(keys.values()))
        rows: dict[str, list[tuple[Any, ...]]] = {}
        columns = "key, number, ruleset, cards, states, result, outcomes"
        with suppress(sqlite3.Error):
            for begin in range(0, len(wanted), 500):
                part = wanted[begin : begin + 500]
                marks = ",".join("?" * len(part))
                query = f"SELECT {columns} FROM results WHERE key IN ({marks}) ORDER BY number"
                for key, *row in self._base.execute(query, part):
                    rows.setdefault(key, []).append(tuple(row))
        found: dict[str, Kept] = {}
        known: dict[str, Kept | None] = {}
        for name, key in keys.items():
            if key not in known:
                known[key] = self._good(rows.get(key, ()), max_states)
            if (result := known[key]) is not None:
                found[name] = result
        return found

    def _good(self, rows: Sequence[tuple[Any, ...]], max_states: int) -> Kept | None:
        """The newest result that still is one."""
        current = Ruleset.current().id
        fitting = [
            row
            for row in reversed(rows)
            if row[3] <= max_states
            and all(self._cards[card] == digest for card, digest in json.loads(row[2]).items())
        ]
        for row in sorted(fitting, key=lambda row: row[1] != current):
            if row[1] == current or self._still_holds(row[0], row[1]):
                return json.loads(row[4]), json.loads(row[5])
        return None

    def _still_holds(self, number: int, ruleset: str) -> bool:
        """Whether a result that was found with other rules holds with those of now.

        If so, it is kept as one of theirs.
        """
        change = self._change(ruleset)
        if change is None:
            return False
        with suppress(sqlite3.Error):
            row = self._base.execute(
                "SELECT key, cards, states, result, outcomes, fired, given FROM results"
                " WHERE number = ?",
                (number,),
            ).fetchone()
            if row is None:
                return False
            given = json.loads(row[6])
            fired = change.fired(_numbers(row[5]))
            if fired is None or change.can_fire(fired, given["predicates"], given["words"]):
                return False
            self._insert(*row[:5], _bits(fired), row[6])
            return True
        return False

    @cached_property
    def _changes(self) -> dict[str, _Change | None]:
        return {}

    def _change(self, ruleset: str) -> _Change | None:
        """What has changed since a ruleset; ``None`` if that is not known or too much."""
        if ruleset not in self._changes:
            row = self._base.execute(
                "SELECT rules, spoken FROM rulesets WHERE id = ?", (ruleset,)
            ).fetchone()
            # A card that was understood must still be.
            if row is None or not Ruleset.current().spoken.issuperset(json.loads(row[1])):
                self._changes[ruleset] = None
            else:
                self._changes[ruleset] = _Change(json.loads(row[0]))
        return self._changes[ruleset]

    # --- Keeping ------------------------------------------------------------------------

    def keep(self, name: str, result: dict[str, Any], outcomes: list[Any], basis: Basis) -> None:
        """Keep a result; one that cannot be kept is found again next time."""
        key = _key(name)
        if key is None:
            return
        cards = {card: self._cards[card] for card in basis.cards}
        given = {"predicates": basis.predicates, "words": basis.words}
        with suppress(sqlite3.Error):
            self._insert(
                key, json.dumps(cards, sort_keys=True), result["states"], json.dumps(result),
                json.dumps(outcomes), _bits(basis.fired), json.dumps(given),
            )  # fmt: skip

    def _insert(self, key: str, cards: str, *columns: Any) -> None:
        ruleset = Ruleset.current()
        if not self._has_rules:
            self._base.execute(
                "INSERT OR IGNORE INTO rulesets VALUES (?, ?, ?)",
                (ruleset.id, json.dumps(list(ruleset.rules)), json.dumps(sorted(ruleset.spoken))),
            )
            self._has_rules = True
        self._base.execute(
            "INSERT OR REPLACE INTO results"
            " (key, ruleset, cards, states, result, outcomes, fired, given)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (key, ruleset.id, cards, *columns),
        )

    def tidy(self) -> None:
        """Drop what is old."""
        with suppress(sqlite3.Error), closing(self._base.cursor()) as base:
            base.execute("BEGIN IMMEDIATE")
            base.execute(
                "DELETE FROM results WHERE number IN (SELECT number FROM (SELECT number,"
                " row_number() OVER (PARTITION BY key ORDER BY number DESC) AS place"
                " FROM results) WHERE place > ?)"
                " OR number <= (SELECT max(number) FROM results) - ?",
                (MOST_OF_ONE, MOST_RESULTS),
            )
            base.execute(
                "DELETE FROM rulesets WHERE id NOT IN (SELECT DISTINCT ruleset FROM results)"
            )
            base.execute("COMMIT")


class _Change:
    """How the rules of the game differ from those of an earlier result.

    Parameters
    ----------
    before
        The hashes of the earlier rules.
    """

    def __init__(self, before: Sequence[str]) -> None:
        now = Ruleset.current().rules
        places = {digest: number for number, digest in enumerate(now)}
        self._numbers = [places.get(digest) for digest in before]
        known = set(before)
        self._added = [rule for digest, rule in now.items() if digest not in known]
        self._rules = list(now.values())

    def fired(self, before: Iterable[int]) -> tuple[int, ...] | None:
        """The new numbers of some rules; ``None`` if one is gone."""
        numbers = [self._numbers[number] for number in before]
        return None if None in numbers else tuple(sorted(n for n in numbers if n is not None))

    def can_fire(
        self, fired: Iterable[int], predicates: Iterable[str], words: Iterable[str]
    ) -> bool:
        """Whether a rule that was added could fire where some others could.

        What it requires must be derived or given, and each word in it come from somewhere.
        """
        from verifier.program import BASE

        said = set(predicates) | {"{}/{}".format(*shape) for shape in BASE}
        known = set(words)
        for number in fired:
            said.add("{}/{}".format(*self._rules[number].predicate))
            known |= _words(self._rules[number].text)
        return any(
            all(
                "{}/{}".format(*literal.predicate) in said
                and known.issuperset(_words_of(literal.arguments))
                for literal in rule.required
            )
            for rule in self._added
        )
