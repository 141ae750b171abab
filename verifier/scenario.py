"""Scenario files: what they may hold, and the facts that the encodings get from them.

This module knows the shape of the file.  What the words in it mean is said by
``encodings/input.lp``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from verifier import resources
from verifier.cards import Library
from verifier.errors import ScenarioError
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
    """

    name: str
    source: Source
    library: Library = field(default_factory=Library)

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
        check_shape(source)
        folders = [cards] if isinstance(cards, str | Path) else cards
        scenario = cls(name, source, Library(list(map(Path, folders))))
        _Checks(scenario).run()
        return scenario

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
    def claim(self) -> dict[str, Any]:
        """What is claimed about the outcomes; empty if nothing is."""
        return dict(self.data.get("claim", {}))

    @property
    def rules(self) -> list[str]:
        """The subrules that the answer rests on, by the file."""
        return list(self.data.get("rules", []))

    @cached_property
    def card_uses(self) -> list[tuple[str, Key]]:
        """Every card that the file names, and where."""
        return list(_card_uses(self.data))

    @cached_property
    def card_constants(self) -> list[str]:
        """The constants of the cards that the file names."""
        return sorted({resources.constant(name) for name, _ in self.card_uses})

    # --- Facts for the encodings --------------------------------------------------------

    @cached_property
    def objects(self) -> dict[str, str]:
        """The cards and permanents that the file puts somewhere: id -> card name."""
        return {o.id: o.card for o in _Objects(self).all}

    def facts(self) -> list[str]:
        """The scenario as facts, the input of ``encodings/input.lp``."""
        return sorted(_facts(self))


@dataclass(frozen=True)
class _Object:
    id: str
    card: str
    owner: str
    key: Key
    entry: dict[str, Any]


class _Objects:
    """Gives every card and permanent an id: its own, or card name and a number."""

    def __init__(self, scenario: Scenario) -> None:
        self._source = scenario.source
        self._counts: dict[str, int] = {}
        self._taken = set(scenario.players)
        self.all: list[_Object] = []
        self.permanents: list[_Object] = []
        self.zones: list[tuple[str, str, int, _Object]] = []
        entries = list(self._entries(scenario.data))
        # Ids that are given come first, so that made ones avoid them.
        for key, entry, _ in entries:
            if "id" in entry:
                self._claim(entry["id"], key)
        for key, entry, place in entries:
            for _ in range(entry.get("count", 1)):
                made = self._add(key, entry, place)
                if place is None:
                    self.permanents.append(made)
                else:
                    self.zones.append((*place, made))

    @staticmethod
    def _entries(
        data: dict[str, Any],
    ) -> Iterator[tuple[Key, dict[str, Any], tuple[str, str, int] | None]]:
        for index, entry in enumerate(data.get("battlefield", [])):
            yield ("battlefield", index), entry, None
        for player, state in data.get("state", {}).items():
            for zone, content in state.items():
                for label, path, cards in _card_lists(zone, content):
                    for index, card in enumerate(cards):
                        entry = {"card": card} if isinstance(card, str) else card
                        key = ("state", player, *path, index)
                        yield key, entry, (player, label, index + 1)

    def _claim(self, name: str, key: Key) -> None:
        if name in self._taken:
            raise ScenarioError(
                f"the id `{name}` is taken",
                position=self._source.at(*key, "id"),
                hint="ids of objects and names of players must all differ",
            )
        self._taken.add(name)

    def _add(self, key: Key, entry: dict[str, Any], place: Any) -> _Object:
        if "id" in entry and entry.get("count", 1) > 1:
            raise ScenarioError(
                "an id names one object only",
                position=self._source.at(*key, "id"),
                hint="leave out `id` or `count`",
            )
        name = entry.get("id") or self._number(resources.constant(entry["card"]))
        owner = place[0] if place else entry.get("owner", entry["controller"])
        made = _Object(name, entry["card"], owner, key, entry)
        self.all.append(made)
        return made

    def _number(self, card: str) -> str:
        while True:
            self._counts[card] = self._counts.get(card, 0) + 1
            name = f"{card}_{self._counts[card]}"
            if name not in self._taken:
                self._taken.add(name)
                return name


def _card_lists(zone: str, content: Any) -> Iterator[tuple[str, Key, list[Any]]]:
    """The lists of named cards in one zone: what the encodings call it, where, and the cards."""
    if isinstance(content, list):
        yield ("library_top" if zone == "library" else zone), (zone,), content
    elif isinstance(content, dict):
        for end in ("top", "bottom"):
            if end in content:
                yield f"library_{end}", (zone, end), content[end]


def _facts(scenario: Scenario) -> Iterator[str]:
    data = scenario.data
    for index, player in enumerate(scenario.players):
        yield f"player({player})"
        yield f"turn_order({player},{index})"
    yield f"turn({scenario.active},{scenario.step})"
    objects = _Objects(scenario)
    for thing in objects.all:
        yield f"card({thing.id},{resources.constant(thing.card)})"
        yield f"owner({thing.id},{thing.owner})"
    for thing in objects.permanents:
        controller = thing.entry["controller"]
        yield f"permanent({thing.id},{resources.constant(thing.card)},{controller},{thing.owner})"
        if thing.entry.get("tapped"):
            yield f"tapped({thing.id})"
        if "exiled" in thing.entry:
            yield f"given_exiled({thing.id},{thing.entry['exiled']})"
        for kind, number in thing.entry.get("counters", {}).items():
            yield f"given_counters({thing.id},{kind},{number})"
    for player, label, index, thing in objects.zones:
        yield f"given_card({player},{label},{index},{thing.id})"
    for player, state in data.get("state", {}).items():
        for key, content in state.items():
            if isinstance(content, int):
                yield f"given({player},{key},{content})"
            elif key == "library":
                others = 0 if isinstance(content, list) else content.get("others")
                if others is not None:
                    yield f"given({player},library,{others})"
    yield from _effect_facts(data)
    yield from _timeline_facts(data)


def _effect_facts(data: dict[str, Any]) -> Iterator[str]:
    """Equal entries add up: facts are a set, and one of them would be lost."""
    counts: dict[str, int] = {}
    for effect in data.get("effects", []):
        card = resources.constant(effect["card"])
        made_with = "any"
        if "target" in effect:
            made_with = f"on({effect['target']})"
        elif "x" in effect:
            made_with = f"x({effect['x']})"
        made = f"{card},{effect.get('ability', 1)},{effect['controller']},{made_with}"
        counts[made] = counts.get(made, 0) + effect.get("count", 1)
    for made, count in counts.items():
        yield f"given_effect({made},{count})"


def _timeline_facts(data: dict[str, Any]) -> Iterator[str]:
    for number, entry in enumerate(data["timeline"], start=1):
        ((what, content),) = entry.items()
        if what == "begin":
            yield f"begun({number},{content})"
        elif what == "check":
            yield f"checked({number})"
        elif "does" in content:
            yield f"instructed({number},{content['player']})"
            for place, step in enumerate(content["does"], start=1):
                role, instruction = _instruction(step, data["players"])
                yield f"scenario_step({number},{place},{role},{instruction})"
        else:
            player = content["player"]
            card = resources.constant(content["card"])
            ability = content.get("ability", "spell")
            target = content.get("target", player)
            yield f"resolved({number},{player},{target},{card},{ability})"


def _instruction(step: Any, players: Sequence[str]) -> tuple[str, str]:
    """Role and instruction of one step: ``{draw: 2, who: bob}`` is draw(2) of player(bob)."""
    if isinstance(step, str):
        return "you", step
    words = {key: value for key, value in step.items() if key != "who"}
    who = step.get("who", "you")
    role = f"player({who})" if who in players else who
    ((name, value),) = words.items()
    return role, _call(name, value)


def _call(name: str, value: Any) -> str:
    values = value if isinstance(value, list) else [value]
    return f"{name}({','.join(map(_argument, values))})"


def _argument(value: Any) -> str:
    if isinstance(value, dict):
        ((name, inner),) = value.items()
        return _call(name, inner)
    return str(value)


def _card_uses(data: dict[str, Any]) -> Iterator[tuple[str, Key]]:
    for key, entry, _ in _Objects._entries(data):
        yield entry["card"], (*key, "card") if "card" in entry else key
    for index, effect in enumerate(data.get("effects", [])):
        yield effect["card"], ("effects", index, "card")
    for index, entry in enumerate(data["timeline"]):
        card = entry.get("resolve", {}).get("card")
        if card:
            yield card, ("timeline", index, "resolve", "card")


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
        self._steps(data)
        _Objects(self._scenario)

    @staticmethod
    def _names(data: dict[str, Any]) -> Iterator[tuple[Key, str]]:
        """The names that the file gives to players, objects and kinds of counters."""
        for index, player in enumerate(data["players"]):
            yield ("players", index), player
        for key, entry, _ in _Objects._entries(data):
            if "id" in entry:
                yield (*key, "id"), entry["id"]
            for kind in entry.get("counters", {}):
                yield (*key, "counters", kind), kind

    @staticmethod
    def _player_paths(data: dict[str, Any]) -> Iterator[Key]:
        yield "turn", "active"
        for index in range(len(data.get("battlefield", []))):
            yield "battlefield", index, "controller"
            yield "battlefield", index, "owner"
        for index in range(len(data.get("effects", []))):
            yield "effects", index, "controller"
        for index in range(len(data["timeline"])):
            yield "timeline", index, "resolve", "player"
            yield "timeline", index, "resolve", "target"
        yield "claim", "can_force", "player"

    def _player(self, path: Key) -> None:
        value: Any = self._scenario.data
        for step in path:
            try:
                value = value[step]
            except (KeyError, IndexError):
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

    def _steps(self, data: dict[str, Any]) -> None:
        """Each step of `does` is one instruction, perhaps with `who`."""
        for index, entry in enumerate(data["timeline"]):
            for place, step in enumerate(entry.get("resolve", {}).get("does", [])):
                words = [step] if isinstance(step, str) else [k for k in step if k != "who"]
                if len(words) != 1:
                    raise ScenarioError(
                        "a step names exactly one instruction",
                        position=self._source.at("timeline", index, "resolve", "does", place),
                        hint="{draw: 2} or {draw: 2, who: each_player}",
                    )


#: Names that facts could not tell from words of the encodings.
_RESERVED = {"any", "end", "game", "none", "not", "start", "you"}
