"""The facts that the encodings get from a scenario file, the input of ``encodings/input.lp``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from verifier import resources
from verifier.errors import ScenarioError
from verifier.outcomes import AT, parts
from verifier.source import Key

if TYPE_CHECKING:
    from verifier.scenario import Scenario


@dataclass(frozen=True)
class Placed:
    """A card or permanent that the file puts somewhere."""

    id: str
    card: str
    owner: str
    key: Key
    entry: dict[str, Any]


class Objects:
    """Gives every card and permanent an id: its own, or card name and a number."""

    def __init__(self, scenario: Scenario) -> None:
        self._source = scenario.source
        self._counts: dict[str, int] = {}
        self._taken = set(scenario.players)
        self.all: list[Placed] = []
        self.permanents: list[Placed] = []
        self.zones: list[tuple[str, str, int, Placed]] = []
        entries = list(self.entries(scenario.data))
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
    def entries(
        data: dict[str, Any],
    ) -> Iterator[tuple[Key, dict[str, Any], tuple[str, str, int] | None]]:
        """What the file lists: where, the entry, and its player, zone and place (no permanent)."""
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

    def _add(self, key: Key, entry: dict[str, Any], place: Any) -> Placed:
        if "id" in entry and entry.get("count", 1) > 1:
            raise ScenarioError(
                "an id names one object only",
                position=self._source.at(*key, "id"),
                hint="leave out `id` or `count`",
            )
        name = entry.get("id") or self._number(resources.constant(entry["card"]))
        owner = place[0] if place else entry.get("owner", entry["controller"])
        made = Placed(name, entry["card"], owner, key, entry)
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


def facts(scenario: Scenario) -> Iterator[str]:
    """The facts about a scenario, in no order."""
    data = scenario.data
    for index, player in enumerate(scenario.players):
        yield f"player({player})"
        yield f"turn_order({player},{index})"
    yield f"turn({scenario.active},{scenario.step})"
    objects = Objects(scenario)
    for thing in objects.all:
        yield f"card({thing.id},{resources.constant(thing.card)})"
        yield f"owner({thing.id},{thing.owner})"
    yield from (f"commander({t.id})" for t in objects.all if t.entry.get("commander"))
    for place, thing in enumerate(objects.permanents, start=1):
        controller = thing.entry["controller"]
        yield f"given_place({thing.id},{place})"
        yield f"permanent({thing.id},{resources.constant(thing.card)},{controller},{thing.owner})"
        if "timestamp" in thing.entry:
            yield f"given_timestamp({thing.id},{thing.entry['timestamp']})"
        if thing.entry.get("tapped"):
            yield f"tapped({thing.id})"
        if "exiled" in thing.entry:
            yield f"given_exiled({thing.id},{thing.entry['exiled']})"
        for kind, number in thing.entry.get("counters", {}).items():
            yield f"given_counters({thing.id},{kind},{number})"
        yield from _permanent_facts(thing)
    for player, label, index, thing in objects.zones:
        yield f"given_card({player},{label},{index},{thing.id})"
    for player, state in data.get("state", {}).items():
        for key, content in state.items():
            if isinstance(content, int):
                yield f"given({player},{key},{content})"
            elif key == "mana":
                yield from (f"given_mana({player},{kind},{n})" for kind, n in content.items())
            elif key == "counters":
                yield from (f"given_counters({player},{kind},{n})" for kind, n in content.items())
            elif key == "library":
                others = 0 if isinstance(content, list) else content.get("others")
                if others is not None:
                    yield f"given({player},library,{others})"
    if "timestamps" in data:
        yield "open_timestamps"
    yield from (f"reads_as({word})" for word in scenario.reading.split("+") if word)
    for name in _asked(scenario):
        yield f"asked({name})"
    yield from _effect_facts(data)
    yield from _timeline_facts(data)


def _asked(scenario: Scenario) -> set[str]:
    """The observables that the file names; what cannot be a name is told of with the unknown."""
    claimed = [rows for _, _, rows in claimed_rows(scenario.claim)]
    asked = [name for ask in (scenario.ask, *scenario.checkpoints.values()) for name in ask or []]
    names = {name for rows in claimed for name in rows} | set(asked)
    return {name for name in names if resources.is_word(name)}


def claimed_outcomes(claim: dict[str, Any]) -> Iterator[tuple[Key, dict[str, Any]]]:
    """The outcomes that a claim speaks of, and where."""
    for kind in ("outcomes", "possible", "never", "always"):
        for index, outcome in enumerate(claim.get(kind, [])):
            yield (kind, index), outcome
    if "can_force" in claim:
        yield ("can_force", "outcome"), claim["can_force"]["outcome"]


def claimed_rows(claim: dict[str, Any]) -> Iterator[tuple[Key, str, dict[str, Any]]]:
    """What a claim says of each checkpoint and, under the empty name, of the end; and where."""
    for key, outcome in claimed_outcomes(claim):
        for place, rows in parts(outcome):
            yield (*key, AT, place) if place else key, place, rows


def _permanent_facts(thing: Placed) -> Iterator[str]:
    """What the file says of a permanent besides its card, controller and counters."""
    entry = thing.entry
    if entry.get("summoning_sick"):
        yield f"given_sick({thing.id})"
    if "damage" in entry:
        yield f"given_marked({thing.id},{entry['damage']})"
    if "attached_to" in entry:
        yield f"given_attached({thing.id},{entry['attached_to']})"
    if "default_controller" in entry:
        yield f"given_default({thing.id},{entry['default_controller']})"
    if "chosen" in entry:
        yield f"given_chosen({thing.id},{entry['chosen']})"
    if "face_down" in entry:
        yield f"given_down({thing.id},{entry['face_down']})"
    if "imprinted" in entry:
        yield f"given_imprinted({thing.id},{resources.constant(entry['imprinted'])})"
    for word in entry.get("also", []):
        yield f"given_also({thing.id},{word})"


def _effect_facts(data: dict[str, Any]) -> Iterator[str]:
    """Equal entries add up: facts are a set, and one of them would be lost."""
    counts: dict[str, int] = {}
    for effect in data.get("effects", []):
        card = resources.constant(effect["card"])
        made_with = "any"
        if "words" in effect and "target" in effect:
            ((word, other),) = effect["words"].items()
            made_with = f"words({effect['target']},{word},{other})"
        elif "target" in effect:
            x = f",{effect['x']}" if "x" in effect else ""
            made_with = f"on({effect['target']}{x})"
        elif "x" in effect:
            made_with = f"x({effect['x']})"
        elif "chosen" in effect:
            made_with = f"chosen({effect['chosen']})"
        made = f"{card},{effect.get('ability', 1)},{effect['controller']},{made_with}"
        counts[made] = counts.get(made, 0) + effect.get("count", 1)
    for place, (made, count) in enumerate(counts.items(), start=1):
        yield f"given_effect({made},{count})"
        yield f"given_effect_place({made},{place})"


#: Entries of the timeline that say of another one how it is meant, and the fact about it.
WRAPPERS = {"attempt": "attempted", "hold": "held", "may": "declinable"}


def _timeline_facts(data: dict[str, Any]) -> Iterator[str]:
    for number, entry in enumerate(data["timeline"], start=1):
        ((what, content),) = entry.items()
        while what in WRAPPERS:
            yield f"{WRAPPERS[what]}({number})"
            ((what, content),) = content.items()
        match what:
            case "begin":
                yield f"begun({number},{content})"
            case "advance":
                who, step = (
                    ("any", content)
                    if isinstance(content, str)
                    else (content["player"], content["step"])
                )
                yield f"advances({number},{who},{step})"
            case "check":
                yield f"checked({number})"
            case "leave":
                yield f"concedes({number},{content})"
            case "resolve":
                yield from _resolve_facts(number, content, data["players"])
            case "tap_for_mana":
                yield from _ability_facts("taps_for", number, content)
            case "activate":
                yield from _ability_facts("uses", number, content)
            case "pay":
                yield from _payment_facts(number, content)
            case "observe":
                yield f"observed({number},{checkpoint(content)})"
            case "resolve_stack":
                yield f"resolves_stack({number},{content})"
            case "cast":
                yield from _cast_facts(number, content)
            case "order":
                for place, thing in enumerate(content, start=1):
                    yield f"tells_order({number},{thing},{place})"
            case "aim":
                for place, target in enumerate(content["targets"], start=1):
                    yield f"tells({number},{content['object']},{place},{target})"
            case "attack":
                for thing, whom in attackers(content, data["players"]).items():
                    yield f"attacks({number},{content['player']},{thing},{whom})"
            case "block":
                for thing, attacker in content["with"].items():
                    yield f"blocks({number},{content['player']},{thing},{attacker})"
            case "enter":
                for thing in content["objects"]:
                    yield f"enters_by({number},{content['player']},{thing})"
                if content.get("tapped"):
                    yield f"put_tapped({number})"
                if content.get("transformed"):
                    yield f"put_transformed({number})"
            case "destroy":
                yield from (f"destroys({number},{thing})" for thing in content["objects"])
            case "turn_face_up":
                yield f"turns_up({number},{content['player']},{content['object']})"
            case "play_land":
                yield f"plays({number},{content['player']},{content['object']})"
                if "as" in content:
                    yield f"plays_as({number},{content['as']})"


def attackers(content: dict[str, Any], players: Sequence[str]) -> dict[str, str]:
    """Whom each attacker attacks: the one that is named, or the only opponent."""
    if isinstance(content["with"], dict):
        return dict(content["with"])
    (other, *_) = [player for player in players if player != content["player"]]
    return dict.fromkeys(content["with"], content.get("defender", other))


def _resolve_facts(number: int, content: dict[str, Any], players: Sequence[str]) -> Iterator[str]:
    player = content["player"]
    if "does" in content:
        yield f"instructed({number},{player})"
        for place, step in enumerate(content["does"], start=1):
            role, told = instruction(step, players)
            yield f"scenario_step({number},{place},{role},{told})"
    else:
        card = resources.constant(content["card"])
        ability = content.get("ability", "spell")
        targets = content.get("targets", [content["target"]] if "target" in content else [])
        (whom, *_) = [*(it for it in targets if isinstance(it, str) and it in players), player]
        yield f"resolved({number},{player},{whom},{card},{ability})"
        yield from _target_facts(number, {"targets": targets})


def _ability_facts(what: str, number: int, content: dict[str, Any]) -> Iterator[str]:
    """An ability is said by its number, a basic land type, or a number and another card."""
    yield f"{what}({number},{content['player']},{content['object']},{_said_ability(content)})"
    if "x" in content:
        yield f"given_x({number},{content['x']})"
    for thing in content.get("with", []):
        yield f"given_with({number},{thing})"
    yield from _target_facts(number, content)


def _said_ability(content: dict[str, Any]) -> str:
    ability = content.get("ability", "any")
    if "from" in content:
        return f"of({resources.constant(content['from'])},{content.get('ability', 1)})"
    if ability == "any":
        return "any"
    return f"number({ability})" if isinstance(ability, int) else f"land({ability})"


def _target_facts(number: int, content: dict[str, Any]) -> Iterator[str]:
    for place, target in enumerate(content.get("targets", []), start=1):
        if isinstance(target, dict):
            yield from (f"given_share({number},{place},{name},{n})" for name, n in target.items())
        else:
            yield f"given_target({number},{place},{target})"


def _cast_facts(number: int, content: dict[str, Any]) -> Iterator[str]:
    yield f"casts({number},{content['player']},{content['object']})"
    if "x" in content:
        yield f"given_x({number},{content['x']})"
    if "as" in content:
        yield f"cast_as({number},{content['as']})"
    for key in ("free", "by_permission"):
        if content.get(key):
            yield f"cast_{key}({number})"
    yield from _help_facts(number, content)
    yield from _tapping_facts(number, content)
    yield from _target_facts(number, content)


def _tapping_facts(number: int, content: dict[str, Any]) -> Iterator[str]:
    """What is tapped for mana while it is paid for."""
    for place, thing in enumerate(content.get("tapping", []), start=1):
        entry = {"object": thing} if isinstance(thing, str) else thing
        yield f"taps_while({number},{place},{entry['object']},{_said_ability(entry)})"


def _payment_facts(number: int, content: dict[str, Any]) -> Iterator[str]:
    yield f"paid_mana({number},{content['player']},{_cost(content['mana'])})"
    for word in content.get("for", []):
        yield f"paid_words({number},{word})"
    if "card" in content:
        yield f"paid_card({number},{resources.constant(content['card'])})"
    if "as" in content:
        yield f"paid_for({number},{content['as']})"
    yield from _help_facts(number, content)


def _help_facts(number: int, content: dict[str, Any]) -> Iterator[str]:
    """What is tapped to help to pay."""
    for how in ("improvise", "convoke"):
        for thing in content.get(how, []):
            yield f"helps({number},{thing},{how})"


#: The mana symbols of a cost (CR 107.4), by the letters in their braces.
_SYMBOLS = {
    "W": "white", "U": "blue", "B": "black", "R": "red", "G": "green",
    "C": "colorless", "S": "snow", "Z": "two_colors",
}  # fmt: skip


def _cost(text: str) -> str:
    """Mana symbols as a list of terms: ``{2}{W/U}`` is (generic(2),(hybrid(white,blue),end))."""
    cost = "end"
    for symbol in reversed(re.findall(r"\{([^}]*)\}", text)):
        cost = f"({_symbol(symbol)},{cost})"
    return cost


def _symbol(symbol: str) -> str:
    if symbol.isdigit():
        return f"generic({int(symbol)})"
    match symbol.split("/"):
        case ["2", color]:
            return f"two_or({_SYMBOLS[color]})"
        case [color, "P"]:
            return f"phyrexian({_SYMBOLS[color]})"
        case [one, other, "P"]:
            return f"phyrexian({_SYMBOLS[one]},{_SYMBOLS[other]})"
        case [one, other]:
            return f"hybrid({_SYMBOLS[one]},{_SYMBOLS[other]})"
    return _SYMBOLS[symbol]


def instruction(step: Any, players: Sequence[str]) -> tuple[str, str]:
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


def card_uses(data: dict[str, Any]) -> Iterator[tuple[str, Key]]:
    """Every card that the file names, and where."""
    for key, entry, _ in Objects.entries(data):
        yield entry["card"], (*key, "card") if "card" in entry else key
        if "imprinted" in entry:
            yield entry["imprinted"], (*key, "imprinted")
    for index, effect in enumerate(data.get("effects", [])):
        yield effect["card"], ("effects", index, "card")
    for place, entry in timeline_entries(data):
        for what, named in (
            ("resolve", "card"),
            ("pay", "card"),
            ("activate", "from"),
            ("tap_for_mana", "from"),
            ("cast", "from"),
        ):
            content = entry.get(what, {})
            if named in content:
                yield content[named], (*place, what, named)
            for index, thing in enumerate(content.get("tapping", [])):
                if named == "from" and isinstance(thing, dict) and "from" in thing:
                    yield thing["from"], (*place, what, "tapping", index, "from")


def checkpoint(content: str | dict[str, Any]) -> str:
    """The name of a checkpoint: ``observe: NAME``, or ``observe: {name: NAME, ask: [...]}``."""
    return content if isinstance(content, str) else str(content["name"])


def timeline_entries(data: dict[str, Any]) -> Iterator[tuple[Key, dict[str, Any]]]:
    """The entries of the timeline and where they stand; of an attempt, what is attempted."""
    for index, entry in enumerate(data["timeline"]):
        place: Key = ("timeline", index)
        while (what := next(iter(entry))) in WRAPPERS:
            place, entry = (*place, what), entry[what]
        yield place, entry
