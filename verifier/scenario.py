"""Scenario files: what they may hold.

This module knows the shape of the file.  What the words in it mean is said by
``encodings/input.lp``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from verifier import resources
from verifier.cards import Library
from verifier.errors import ScenarioError
from verifier.facts import (
    Objects,
    attackers,
    card_uses,
    checkpoint,
    claimed_rows,
    facts,
    timeline_entries,
)
from verifier.shape import check_shape
from verifier.source import Key, Source, parse_yaml, read_yaml


@dataclass(frozen=True)
class Scenario:
    """A board, what happens, and what is claimed.

    Attributes
    ----------
    name
        How the scenario was named: a path, or the name of a shipped one.
    source
        The content of the file, with positions.
    library
        The cards that it may use.
    reading
        The reading of the rules under which it is looked at; several with ``+`` between them,
        none: as the encodings read them.
    """

    name: str
    source: Source
    library: Library = field(default_factory=Library)
    reading: str = ""

    @classmethod
    def load(cls, name: str | Path, *, cards: str | Path | Sequence[str | Path] = ()) -> Scenario:
        """Read a scenario file.

        Parameters
        ----------
        name
            A path, or the name of a shipped scenario such as
            ``draw/notion_thief_two_players``.
        cards
            Folders with card encodings of your own; they come before the shipped ones.

        Raises
        ------
        UnknownScenarioError
            If there is no such file.
        ScenarioError
            If the file is no scenario; the message says where and what would be right.
        """
        path = resources.find_scenario(str(name))
        return cls._checked(str(name), read_yaml(path), cards)

    @classmethod
    def from_text(
        cls, text: str, *, name: str = "<text>", cards: str | Path | Sequence[str | Path] = ()
    ) -> Scenario:
        """Like `load`, from YAML in a string."""
        return cls._checked(name, parse_yaml(text, name), cards)

    @classmethod
    def _checked(
        cls, name: str, source: Source, cards: str | Path | Sequence[str | Path]
    ) -> Scenario:
        folders = [cards] if isinstance(cards, str | Path) else cards
        scenario = cls(name, source, Library(list(map(Path, folders))))
        scenario.check()
        return scenario

    def check(self) -> None:
        """Refuse a content that is no scenario.

        Raises
        ------
        ScenarioError
            With the place of what is wrong.
        """
        check_shape(self.source)
        _Checks(self).run()
        for reading in self.readings:
            _Checks(self.under(reading)).check_claim()

    def under(self, reading: str) -> Scenario:
        """The same under another reading of the rules, with what is claimed under it."""
        return replace(self, reading=reading)

    def __repr__(self) -> str:
        return f"<Scenario {self.name}: {self.title}>"

    # --- What the file says -------------------------------------------------------------

    @property
    def data(self) -> dict[str, Any]:
        """The content of the file."""
        content: dict[str, Any] = self.source.data
        return content

    @property
    def title(self) -> str:
        """The question in one line."""
        return str(self.data.get("title", self.name))

    @property
    def players(self) -> list[str]:
        """The players in turn order."""
        return list(self.data["players"])

    @property
    def active(self) -> str:
        """The player whose turn it is."""
        return str(self.data.get("turn", {}).get("active", self.players[0]))

    @property
    def step(self) -> str:
        """The step or phase in which the scenario begins."""
        return str(self.data.get("turn", {}).get("step", "precombat_main"))

    @property
    def ask(self) -> list[str] | None:
        """What an outcome records; ``None``: everything that changed."""
        return self.data.get("ask")

    @property
    def checkpoints(self) -> dict[str, list[str] | None]:
        """The checkpoints of the timeline, in order, and what is asked for at each."""
        observed = [entry["observe"] for entry in self.data["timeline"] if "observe" in entry]
        return {
            checkpoint(what): what.get("ask", self.ask) if isinstance(what, dict) else self.ask
            for what in observed
        }

    @property
    def claim(self) -> dict[str, Any]:
        """What is claimed about the outcomes, under its reading; empty if nothing is."""
        if self.reading:
            return dict(self.data.get("readings", {}).get(self.reading) or {})
        return dict(self.data.get("claim", {}))

    @property
    def claim_key(self) -> Key:
        """Where that stands in the file."""
        return ("readings", self.reading) if self.reading else ("claim",)

    @property
    def readings(self) -> list[str]:
        """The other readings of the rules that the file names."""
        return list(self.data.get("readings", {}))

    @property
    def rules(self) -> list[str]:
        """The subrules that the answer rests on, by the file."""
        return list(self.data.get("rules", []))

    @cached_property
    def card_uses(self) -> list[tuple[str, Key]]:
        """Every card that the file names, and where."""
        return list(card_uses(self.data))

    @cached_property
    def card_constants(self) -> list[str]:
        """The constants of the cards that the file names."""
        return sorted({resources.constant(name) for name, _ in self.card_uses})

    # --- Facts for the encodings --------------------------------------------------------

    @cached_property
    def objects(self) -> dict[str, str]:
        """The cards and permanents that the file puts somewhere: id -> card name."""
        return {o.id: o.card for o in Objects(self).all}

    def facts(self) -> list[str]:
        """The scenario as facts, the input of ``encodings/input.lp``."""
        return sorted(facts(self))


# --- Checks -------------------------------------------------------------------------------


class _Checks:
    """What the schema cannot say: names that must be known."""

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario
        self._source = scenario.source

    def run(self) -> None:
        data = self._scenario.data
        for key, name in self._names(data):
            if name in _RESERVED:
                raise ScenarioError(
                    f"`{name}` cannot be a name here",
                    position=self._source.at_key(*key),
                    hint="it is a word with a meaning of its own",
                )
        for path in self._player_paths(data):
            self._player(path)
        for player in data.get("state", {}):
            self._known_player(player, self._source.at_key("state", player))
        for name, key in self._scenario.card_uses:
            self._scenario.library.find(name, position=self._source.at(*key))
        for index, rule in enumerate(self._scenario.rules):
            if rule not in resources.rule_numbers():
                raise ScenarioError(
                    f"the Comprehensive Rules have no {rule}",
                    position=self._source.at("rules", index),
                    hint="encodings/rules_index.txt lists the numbers there are",
                )
        self._checkpoints(data)
        self.check_claim()
        self._steps(data)
        self._defenders(data)
        known = {thing.id for thing in Objects(self._scenario).all}
        for name, key in self._object_uses(data):
            self._known_name("object", name, known, key)
        for name, key in self._target_uses(data):
            self._known_name("target", name, known | set(self._scenario.players), key)
        self._attached()

    def _known_name(self, what: str, name: str, known: set[str], key: Key) -> None:
        if name not in known:
            near = resources.nearest(name, sorted(known))
            raise ScenarioError(
                f"unknown {what} `{name}`",
                position=self._source.at(*key),
                hint=(f"did you mean `{near}`? " if near else "")
                + f"the {what}s are {', '.join(sorted(known)) or 'none'}",
            )

    @staticmethod
    def _target_uses(data: dict[str, Any]) -> Iterator[tuple[str, Key]]:
        """Where the file names targets: objects or players."""
        for place, entry in timeline_entries(data):
            for what, content in entry.items():
                if isinstance(content, dict):
                    if "target" in content:
                        yield content["target"], (*place, what, "target")
                    for index, names in enumerate(content.get("targets", [])):
                        where: Key = (*place, what, "targets", index)
                        if isinstance(names, str):
                            yield names, where
                        else:
                            yield from ((name, (*where, name)) for name in names)

    @staticmethod
    def _names(data: dict[str, Any]) -> Iterator[tuple[Key, str]]:
        """The names that the file gives to players, objects and kinds of counters, and words."""
        for index, player in enumerate(data["players"]):
            yield ("players", index), player
        for key, entry, _ in Objects.entries(data):
            for what in ("id", "chosen"):
                if what in entry:
                    yield (*key, what), entry[what]
            for kind in entry.get("counters", {}):
                yield (*key, "counters", kind), kind
            for index, word in enumerate(entry.get("also", [])):
                yield (*key, "also", index), word
        for place, entry in timeline_entries(data):
            if "observe" in entry:
                yield _checkpoint_key(place, entry), checkpoint(entry["observe"])
            if "pay" in entry:
                for index, word in enumerate(entry["pay"].get("for", [])):
                    yield (*place, "pay", "for", index), word
                if "as" in entry["pay"]:
                    yield (*place, "pay", "as"), entry["pay"]["as"]

    @staticmethod
    def _object_uses(data: dict[str, Any]) -> Iterator[tuple[str, Key]]:
        """Where the file speaks of objects by their ids."""
        for index, entry in enumerate(data.get("battlefield", [])):
            if entry.get("attached_to", data["players"][0]) not in data["players"]:
                yield entry["attached_to"], ("battlefield", index, "attached_to")
        for place, entry in timeline_entries(data):
            for what, content in entry.items():
                if what in ("attack", "block"):
                    yield from _combat_uses(data, content, (*place, what))
                    continue
                if what == "order":
                    yield from ((name, (*place, what, i)) for i, name in enumerate(content))
                if what == "resolve" or not isinstance(content, dict):
                    continue
                if "object" in content:
                    yield content["object"], (*place, what, "object")
                for key in ("with", "improvise", "convoke", "tapping", "objects"):
                    for index, thing in enumerate(content.get(key, [])):
                        where: Key = (*place, what, key, index)
                        if isinstance(thing, dict):
                            yield thing["object"], (*where, "object")
                        else:
                            yield thing, where

    @staticmethod
    def _player_paths(data: dict[str, Any]) -> Iterator[Key]:
        yield "turn", "active"
        for index in range(len(data.get("battlefield", []))):
            yield "battlefield", index, "controller"
            yield "battlefield", index, "owner"
            yield "battlefield", index, "default_controller"
        for index in range(len(data.get("effects", []))):
            yield "effects", index, "controller"
        for place, entry in timeline_entries(data):
            for what in entry:
                yield *place, what, "player"
            yield *place, "leave"

    def check_claim(self) -> None:
        """The player and the checkpoints that a claim speaks of are some that there are."""
        self._player((*self._scenario.claim_key, "can_force", "player"))
        known = {checkpoint(e["observe"]) for _, e in self._entries() if "observe" in e}
        for key, name, _ in claimed_rows(self._scenario.claim):
            if name and name not in known:
                near = resources.nearest(name, sorted(known))
                raise ScenarioError(
                    f"unknown checkpoint `{name}`",
                    position=self._source.at_key(*self._scenario.claim_key, *key),
                    hint=(f"did you mean `{near}`? " if near else "")
                    + f"the checkpoints are {', '.join(sorted(known)) or 'none'}",
                )

    def _entries(self) -> Iterator[tuple[Key, dict[str, Any]]]:
        return timeline_entries(self._scenario.data)

    def _player(self, path: Key) -> None:
        value: Any = self._scenario.data
        for step in path:
            try:
                value = value[step]
            except (KeyError, IndexError, TypeError):
                return
        self._known_player(value, self._source.at(*path))

    def _known_player(self, name: str, position: Any) -> None:
        players = self._scenario.players
        if name not in players:
            near = resources.nearest(name, players)
            raise ScenarioError(
                f"unknown player `{name}`",
                position=position,
                hint=(f"did you mean `{near}`? " if near else "")
                + f"the players are {', '.join(players)}",
            )

    def _checkpoints(self, data: dict[str, Any]) -> None:
        """Each checkpoint has a name of its own."""
        known: set[str] = set()
        for place, entry in timeline_entries(data):
            if "observe" in entry:
                name = checkpoint(entry["observe"])
                if name in known:
                    raise ScenarioError(
                        f"there are two checkpoints `{name}`",
                        position=self._source.at(*_checkpoint_key(place, entry)),
                        hint="give each a name of its own",
                    )
                known.add(name)

    def _attached(self) -> None:
        """What something is attached to is another permanent."""
        permanents = Objects(self._scenario).permanents
        for thing in permanents:
            host = thing.entry.get("attached_to")
            hosts = {p.id for p in permanents} | set(self._scenario.players)
            if host is not None and (host == thing.id or host not in hosts):
                others = [p.id for p in permanents if p.id != thing.id]
                why = "itself" if host == thing.id else f"`{host}`, which is no permanent"
                raise ScenarioError(
                    f"`{thing.id}` cannot be attached to {why}",
                    position=self._source.at(*thing.key, "attached_to"),
                    hint=f"the other permanents are {', '.join(others) or 'none'}",
                )

    def _defenders(self, data: dict[str, Any]) -> None:
        """Whom creatures attack is said once, and must be said unless there is one opponent."""
        for place, entry in timeline_entries(data):
            attack = entry.get("attack", {})
            listed = isinstance(attack.get("with"), list)
            if attack and listed == ("defender" in attack):
                continue
            if attack and not (listed and len(data["players"]) == 2):
                raise ScenarioError(
                    "an attack says once whom the creatures attack",
                    position=self._source.at_key(*place, "attack"),
                    hint="{with: [ID], defender: PLAYER} or {with: {ID: PLAYER}}",
                )

    def _steps(self, data: dict[str, Any]) -> None:
        """Each step of `does` is one instruction, perhaps with `who`; targets go with a card."""
        for key, entry in timeline_entries(data):
            for said in ("target", "targets", "ability"):
                if {"does", said} <= entry.get("resolve", {}).keys():
                    raise ScenarioError(
                        f"`{said}` goes with `card`, not with `does`",
                        position=self._source.at_key(*key, "resolve", said),
                        hint="an instruction names what it does something to: "
                        "{deal_damage: [2, bob]}",
                    )
            for place, step in enumerate(entry.get("resolve", {}).get("does", [])):
                words = [step] if isinstance(step, str) else [k for k in step if k != "who"]
                if len(words) != 1:
                    raise ScenarioError(
                        "a step names exactly one instruction",
                        position=self._source.at(*key, "resolve", "does", place),
                        hint="{draw: 2} or {draw: 2, who: each_player}",
                    )


def _checkpoint_key(place: Key, entry: dict[str, Any]) -> Key:
    """Where the name of a checkpoint stands."""
    key = (*place, "observe")
    return key if isinstance(entry["observe"], str) else (*key, "name")


def _combat_uses(
    data: dict[str, Any], content: dict[str, Any], place: Key
) -> Iterator[tuple[str, Key]]:
    """The objects that attack or block, and those that are attacked or blocked."""
    listed = isinstance(content["with"], list)
    for index, (name, whom) in enumerate(attackers(content, data["players"]).items()):
        yield name, (*place, "with", index if listed else name)
        if whom not in data["players"]:
            yield whom, (*place, "defender") if listed else (*place, "with", name)


#: Names that facts could not tell from words of the encodings.
_RESERVED = {"any", "end", "game", "none", "not", "start", "you"}
