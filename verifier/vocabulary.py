"""Words of a scenario file that only the encodings know, checked against them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from verifier import resources
from verifier.errors import CardError, ScenarioError
from verifier.terms import Function, Term, signature

if TYPE_CHECKING:
    from verifier.outcomes import Observables
    from verifier.scenario import Scenario
    from verifier.source import Key


def check_words(scenario: Scenario, static: Sequence[Term], observables: Observables) -> None:
    """Refuse instructions, roles, steps and observables that the encodings do not have.

    Raises
    ------
    ScenarioError
        With the place of the word and the nearest known one.
    CardError
        If a card uses such a word.
    """
    source = scenario.source
    instructions: dict[str, set[int]] = {}
    for term in _of(static, "instruction", 2):
        instructions.setdefault(_word(term, 0), set()).add(int(_word(term, 1)))
    roles = {_word(t, 0) for t in _of(static, "role", 1)} | set(scenario.players)
    steps = {_word(t, 0) for t in _of(static, "step_name", 1)}
    for index, entry in enumerate(scenario.data["timeline"]):
        path: Key = ("timeline", index)
        if "begin" in entry:
            _known(entry["begin"], steps, "step", source.at(*path, "begin"))
        for place, step in enumerate(entry.get("resolve", {}).get("does", [])):
            here: Key = (*path, "resolve", "does", place)
            if isinstance(step, dict) and "who" in step:
                _known(step["who"], roles, "role or player", source.at(*here, "who"))
            for name, count, key in _calls(step, here):
                _known(name, instructions, "instruction", source.at_key(*key))
                if count not in instructions[name]:
                    possible = " or ".join(map(str, sorted(instructions[name])))
                    raise ScenarioError(
                        f"`{name}` takes {possible} arguments, not {count}",
                        position=source.at_key(*key),
                    )
        card = entry.get("resolve", {}).get("card")
        if card:
            _check_ability(scenario, static, entry["resolve"], (*path, "resolve"))
    _check_observables(scenario, observables)
    for term in _of(static, "fault", 1):
        raise CardError(
            f"a card says {_argument(term, 0)}, which no rule understands",
            hint="encodings/README.md lists the vocabulary",
        )


def _of(static: Sequence[Term], name: str, arity: int) -> Iterator[Function]:
    for term in static:
        if isinstance(term, Function) and signature(term) == (name, arity):
            yield term


def _argument(term: Function, index: int) -> Term:
    return term.arguments[index]


def _word(term: Function, index: int) -> str:
    return str(term.arguments[index])


def _calls(step: Any, key: Key) -> Iterator[tuple[str, int, Key]]:
    """All instructions in a step, with their number of arguments and place."""
    if isinstance(step, str):
        yield step, 0, key
        return
    for name, value in step.items():
        if name == "who":
            continue
        values = value if isinstance(value, list) else [value]
        yield name, len(values), (*key, name)
        for index, part in enumerate(values):
            if isinstance(part, dict):
                inner = (*key, name, index) if isinstance(value, list) else (*key, name)
                yield from _calls(part, inner)


def _known(word: str, known: Any, what: str, position: Any) -> None:
    if word not in known:
        near = resources.nearest(word, sorted(known))
        raise ScenarioError(
            f"unknown {what} `{word}`",
            position=position,
            hint=(f"did you mean `{near}`? " if near else "")
            + f"there are {', '.join(sorted(known))}",
        )


def _check_ability(
    scenario: Scenario, static: Sequence[Term], resolve: dict[str, Any], key: Key
) -> None:
    card = resources.constant(resolve["card"])
    ability = str(resolve.get("ability", "spell"))
    known = sorted({_word(t, 1) for t in _of(static, "effect_step", 5) if _word(t, 0) == card})
    if ability not in known:
        what = f"its abilities are {', '.join(known)}" if known else "it has none that resolves"
        lacks = "spell effect" if ability == "spell" else f"ability {ability}"
        raise ScenarioError(
            f"{resolve['card']} has no {lacks}",
            position=scenario.source.at(*key, "card"),
            hint=what,
        )


def _check_observables(scenario: Scenario, observables: Observables) -> None:
    source = scenario.source
    ask = scenario.ask
    for index, name in enumerate(ask or []):
        _known(name, observables.names, "observable", source.at("ask", index))
    for key, outcome in _claimed(scenario.claim):
        for name, row in outcome.items():
            position = source.at_key("claim", *key, name)
            _known(name, observables.names, "observable", position)
            if ask is not None and name not in ask:
                raise ScenarioError(
                    f"the claim speaks of `{name}`, which is not asked for",
                    position=position,
                    hint=f"add it to `ask: [{', '.join(ask)}]`",
                )
            keys = sorted({o.key for o in observables.all if o.name == name})
            for who in row:
                _known(who, keys, "player or object", source.at_key("claim", *key, name, who))


def _claimed(claim: dict[str, Any]) -> Iterator[tuple[Key, dict[str, Any]]]:
    for kind in ("outcomes", "possible", "never", "always"):
        for index, outcome in enumerate(claim.get(kind, [])):
            yield (kind, index), outcome
    if "can_force" in claim:
        yield ("can_force", "outcome"), claim["can_force"]["outcome"]
