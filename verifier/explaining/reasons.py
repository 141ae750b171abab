"""Why effects apply to an event and others do not: typed terms that the encodings derive.

The questions of a way are asked once more, together with ``encodings/explain.lp``, about the
nodes that the way goes through.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from verifier import asp, resources
from verifier.answers import END, SEPARATOR
from verifier.program import kind_of

if TYPE_CHECKING:
    from verifier.explorer import Explorer, Key
    from verifier.graph import Graph
    from verifier.state import State, Values

#: The items that ``explain.lp`` has something to say of.
EVENT = "event"


@dataclass(frozen=True)
class Reason:
    """Why an effect applies to an event, or why not.

    Attributes
    ----------
    effect
        The effect, as a term.
    why
        The reason, as a term.
    rule
        The subrule behind it.
    """

    effect: str
    why: str
    rule: str


@dataclass
class Reasons:
    """What is said of one node of an event.

    Attributes
    ----------
    because
        For the effects that can be applied.
    withheld
        For those that speak of such events and cannot be applied.
    decides
        By which subrule the player who chooses does so.
    """

    because: list[Reason] = field(default_factory=list)
    withheld: list[Reason] = field(default_factory=list)
    decides: str | None = None


Place = tuple["Key", str]


def reasons(graph: Graph, nodes: Iterable[tuple[State, str]]) -> dict[Place, Reasons]:
    """What is said of nodes: each a state whose topmost item is an event, and the node there."""
    explorer = graph.explorer
    asked: dict[Key, tuple[Values, dict[str, None]]] = {}
    for state, node in nodes:
        number = explorer.agendas.parts[state[1]][0]
        if kind_of(explorer.items[number].term)[0] == EVENT:
            _, wanted = asked.setdefault(explorer.key(number, state[0]), (state[0], {}))
            wanted[node] = None
    kinds: dict[tuple[str, str], list[Key]] = {}
    for key in asked:
        kinds.setdefault(kind_of(explorer.items[key[0]].term), []).append(key)
    found: dict[Place, Reasons] = {}
    for keys in kinds.values():
        facts = []
        for place, key in enumerate(keys):
            values, wanted = asked[key]
            facts += explorer.question(key[0], place, values)
            facts += [f"told({place},{node})." for node in wanted]
        _read(_shown(explorer, keys[0], facts), keys, found)
    return found


def place_of(graph: Graph, state: State, node: str) -> Place:
    """Under which key `reasons` has what is said of a node."""
    number = graph.explorer.agendas.parts[state[1]][0]
    return graph.explorer.key(number, state[0]), node


def _shown(explorer: Explorer, key: Key, facts: list[str]) -> str:
    text = resources.encodings("explain.lp").read_text(encoding="utf-8")
    rules = explorer.rules_about(key[0])
    return asp.evaluate_to_text("\n".join([rules, text, *facts]))


def _read(text: str, keys: list[Key], found: dict[Place, Reasons]) -> None:
    for atom in text.split(END)[:-1]:
        kind, (place, node, *said) = atom[1], atom[3:].split(SEPARATOR)
        if atom[2] != "(" or kind not in "bhd":
            continue
        about = found.setdefault((keys[int(place)], node), Reasons())
        if kind == "d":
            about.decides = said[1].strip('"')
        else:
            reason = Reason(said[0], said[1], said[2].strip('"'))
            (about.because if kind == "b" else about.withheld).append(reason)
    for about in found.values():
        about.because.sort(key=_rank)
        about.withheld.sort(key=_rank)


def _rank(reason: Reason) -> tuple[str, bool, str, str]:
    """What an effect is about comes before its conditions."""
    return reason.effect, not reason.why.startswith("watches("), reason.rule, reason.why
