"""The timeline of a scenario in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from verifier.facts import WRAPPERS, attackers, checkpoint, instruction
from verifier.wording import Wording

#: How an entry is meant that is within another one.
_WRAPPED = {
    "attempt": "is it legal? {}",
    "hold": "{} (what this puts on the stack stays there)",
    "may": "{}, or not",
}


class Happening:
    """Says what the entries of a timeline mean.

    Parameters
    ----------
    words
        The words of the scenario.
    players
        Its players.
    """

    def __init__(self, words: Wording, players: list[str]) -> None:
        self._words = words
        self._players = players

    def entry(self, entry: Mapping[str, Any]) -> str:
        """One entry of the timeline."""
        ((what, content),) = entry.items()
        if what in WRAPPERS:
            return _WRAPPED[what].format(self.entry(content))
        tell: Callable[[Any], str] | None = getattr(self, f"_{what}", None)
        return tell(content) if tell else f"{what.replace('_', ' ')}: {content}"

    def _name(self, thing: Any) -> str:
        return self._words.name(str(thing))

    def _names(self, things: Iterable[Any]) -> str:
        *most, last = map(self._name, things)
        return f"{', '.join(most)} and {last}" if most else last

    # --- Entries, by their key ----------------------------------------------------------

    def _resolve(self, content: dict[str, Any]) -> str:
        player = self._name(content["player"])
        if "does" in content:
            return f"{player} carries out: " + "; ".join(map(self._does, content["does"]))
        what = f"ability {content['ability']} of " if "ability" in content else ""
        target = f", with {self._name(content['target'])} as target" if "target" in content else ""
        return f"{what}{content['card']} resolves for {player}{target}"

    def _does(self, step: Any) -> str:
        role, term = instruction(step, self._players)
        told = self._words.phrase(term)
        who = role.removeprefix("player(").removesuffix(")").replace("_", " ")
        return told if role == "you" else f"{who}: {told}"

    def _begin(self, content: str) -> str:
        return f"the {step_name(content)} begins"

    def _advance(self, content: Any) -> str:
        if isinstance(content, str):
            return f"on to the next {step_name(content)}"
        return f"on to the next {step_name(content['step'])} of {content['player']}"

    def _check(self, _content: str) -> str:
        return "state-based actions are checked"

    def _leave(self, content: str) -> str:
        return f"{content} concedes and leaves the game"

    def _observe(self, content: Any) -> str:
        return f"checkpoint: {_spaced(checkpoint(content))}"

    def _tap_for_mana(self, content: dict[str, Any]) -> str:
        return f"{content['player']} taps {self._name(content['object'])} for mana" + self._how(
            content
        )

    def _activate(self, content: dict[str, Any]) -> str:
        return f"{content['player']} activates {self._name(content['object'])}" + self._how(content)

    def _pay(self, content: dict[str, Any]) -> str:
        what = content.get("card") or " ".join(map(_spaced, content.get("for", [])))
        told = f"{content['player']} pays {content['mana']}" + (f" for {what}" if what else "")
        return told + self._how({k: v for k, v in content.items() if k != "as"})

    def _play_land(self, content: dict[str, Any]) -> str:
        return f"{content['player']} plays {self._name(content['object'])}"

    def _turn_face_up(self, content: dict[str, Any]) -> str:
        return f"{content['player']} turns {self._name(content['object'])} face up"

    def _cast(self, content: dict[str, Any]) -> str:
        return f"{content['player']} casts {self._name(content['object'])}" + self._how(content)

    def _attack(self, content: dict[str, Any]) -> str:
        pairs = attackers(content, self._players).items()
        told = [f"{self._name(thing)} attacks {self._name(whom)}" for thing, whom in pairs]
        return "; ".join(told) or f"{content['player']} attacks with nothing"

    def _block(self, content: dict[str, Any]) -> str:
        pairs = content["with"].items()
        told = [f"{self._name(thing)} blocks {self._name(whom)}" for thing, whom in pairs]
        return "; ".join(told) or f"{content['player']} blocks with nothing"

    def _enter(self, content: dict[str, Any]) -> str:
        names = self._names(content["objects"])
        return f"{names}: onto the battlefield under the control of {content['player']}"

    def _destroy(self, content: dict[str, Any]) -> str:
        return f"destroyed: {self._names(content['objects'])}"

    def _resolve_stack(self, content: str) -> str:
        return "what is on top of the stack resolves" if content == "one" else "the stack resolves"

    def _aim(self, content: dict[str, Any]) -> str:
        aimed, targets = self._name(content["object"]), self._names(content["targets"])
        return f"from here on, triggers of {aimed} target {targets}"

    def _order(self, content: list[str]) -> str:
        names = ", then ".join(map(self._name, content))
        return f"from here on, triggers go on the stack in this order: {names}"

    # --- How it is done -----------------------------------------------------------------

    def _how(self, content: Mapping[str, Any]) -> str:
        """What is chosen on the way: everything besides who and what."""
        told = []
        if "from" in content:
            told.append(f"the ability that {content['from']} gives")
        elif "ability" in content:
            ability = content["ability"]
            told.append(f"ability {ability}" if isinstance(ability, int) else f"as {ability}")
        if "x" in content:
            told.append(f"X is {content['x']}")
        if "as" in content:
            told.append(_spaced(content["as"]))
        if content.get("targets"):
            told.append(f"targets: {self._names(content['targets'])}")
        for key, said in (("with", "with"), ("convoke", "convoke:"), ("improvise", "improvise:")):
            if content.get(key):
                told.append(f"{said} {self._names(content[key])}")
        if content.get("tapping"):
            things = [t if isinstance(t, str) else t["object"] for t in content["tapping"]]
            told.append(f"tapping {self._names(things)} for mana meanwhile")
        if content.get("free"):
            told.append("without paying")
        if content.get("by_permission"):
            told.append("as an effect allows")
        return f" ({'; '.join(told)})" if told else ""


def step_name(word: str) -> str:
    """A step or phase of the turn."""
    return f"{_spaced(word)} {'phase' if word.endswith('_main') else 'step'}"


def _spaced(word: str) -> str:
    return str(word).replace("_", " ")
