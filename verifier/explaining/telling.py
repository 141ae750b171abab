"""Explanations as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from verifier.claims import describe
from verifier.explaining.futures import one_of
from verifier.report import Style, orders_text, plain, verdict_line, wording
from verifier.stepwise import ABILITIES, REASONS, bare_word, sizes
from verifier.wording import Wording

if TYPE_CHECKING:
    from verifier.explaining.agreeing import Agreement
    from verifier.explaining.explanation import Explanation
    from verifier.explaining.games import Decision, Forceable
    from verifier.explaining.reasons import Reason
    from verifier.explaining.walkthrough import Layer, Told, Walkthrough
    from verifier.graph import Graph, Step

SCHEMA_VERSION = 1

#: More alternatives, pairs or decisions are counted, not listed.
MOST_LISTED = 8

INDENT = "      "

#: What nearly everything has is said only where it is lost.
KEPT = frozenset({"has(text)", "has(intrinsic)"})


# --- Explanations -------------------------------------------------------------------------


def explanation_lines(explanation: Explanation, style: Style = plain) -> Iterator[str]:
    """An explanation, to be read out."""
    graph = explanation.graph
    words = wording(graph.scenario)
    yield style(graph.scenario.title, "title")
    yield style(verdict_line(graph), graph.verdict)
    if not graph.exhausted:
        yield (
            "Not everything was explored: other outcomes may be possible, and which choices "
            "separate the outcomes is not known."
        )
    yield from _separation_lines(explanation, words)
    if explanation.agreement:
        yield ""
        yield from agreement_lines(explanation.agreement, words)
    for walk in explanation.walkthroughs:
        yield ""
        yield from _headed_walk(walk, words, style)
    left = len(graph.outcomes) - len(explanation.walkthroughs)
    if left:
        yield ""
        yield style(f"{left:,} more outcome{'s' if left > 1 else ''}: `--number 0` for all", "dim")


def _separation_lines(explanation: Explanation, words: Wording) -> Iterator[str]:
    """The first choices after which different outcomes are possible."""
    said: dict[str, Told] = {}
    for walk in explanation.walkthroughs:
        if walk.separating:
            step = walk.separating.step
            said.setdefault(f"{words.before(step)}: {step.player} chooses", walk.separating)
    if said:
        yield ""
        yield "What separates the outcomes:"
    for text, told in said.items():
        yield f"  {text}"
        yield from _branch_lines(told, words, "    ")


def _branch_lines(told: Told, words: Wording, indent: str) -> Iterator[str]:
    """What can be chosen, and which outcomes are possible then."""
    for alternative in told.alternatives[:MOST_LISTED]:
        where = one_of(alternative.outcomes)
        yield f"{indent}- {words.phrase(alternative.label)}: outcome {where}"
    more = len(told.alternatives) - MOST_LISTED
    if more > 0:
        yield f"{indent}and {more} more"


def way_lines(graph: Graph, walk: Walkthrough, style: Style = plain) -> Iterator[str]:
    """One way, with the question and the verdict."""
    words = wording(graph.scenario)
    yield style(graph.scenario.title, "title")
    yield style(verdict_line(graph), graph.verdict)
    yield ""
    yield from _headed_walk(walk, words, style)


def _headed_walk(walk: Walkthrough, words: Wording, style: Style) -> Iterator[str]:
    head = f"outcome {walk.number}: {describe(walk.result.outcome)}"
    orders = f"  ({orders_text(walk.result.orders)})"
    yield style(head, "outcome") + style(orders, "dim")
    yield from walk_lines(walk, words, style)


def walk_lines(walk: Walkthrough, words: Wording, style: Style = plain) -> Iterator[str]:
    """A way to an outcome, step by step."""
    place = 0
    first = walk.separating
    for told in walk.steps:
        if told.says_something:
            place += 1
            yield from _told_lines(place, told, words, style, first is told)
    if walk.again:
        yield style("  again and again, without end:", "dim")
    for told in walk.again:
        if told.says_something:
            place += 1
            yield from _told_lines(place, told, words, style, False)


def brief_lines(walk: Walkthrough, words: Wording) -> Iterator[str]:
    """The steps of a way without the reasons."""
    told = [told for told in walk.shown if told.step.player or told.step.rules]
    for place, one in enumerate(told, start=1):
        yield f"  {place:>2}. {words.step(one.step)}{_rules(one.step.rules, plain)}"


def _told_lines(
    place: int, told: Told, words: Wording, style: Style, separates: bool
) -> Iterator[str]:
    step = told.step
    last = ": nothing more applies" if told.withheld and not told.because else ""
    told_step = _applied(told.layer, step, words) if told.layer else words.step(step)
    yield f"  {place:>2}. {told_step}{last}{_rules(step.rules, style)}"
    if told.layer:
        yield from _layer_lines(told.layer, words)
    for verb, reasons in (("can apply", told.because), ("cannot apply", told.withheld)):
        for effect, said in _by_effect(reasons):
            why = "; ".join(words.phrase(reason.why) for reason in said)
            rules = sorted({reason.rule for reason in said})
            yield f"{INDENT}{verb}: {words.phrase(effect)}: {why}{_rules(rules, style)}"
    if step.player and told.decides:
        yield f"{INDENT}{step.player} chooses, whom it affects{_rules([told.decides], style)}"
    others = [a for a in told.alternatives if a.label != step.label]
    if step.player and others and not told.separates:
        names = _listed([words.phrase(a.label) for a in others])
        yield f"{INDENT}could have been: {names}"
    if told.separates:
        head = "this choice separates the outcomes" if separates else "separates further"
        yield f"{INDENT}{head}:"
        yield from _branch_lines(told, words, f"{INDENT}  ")


def _applied(layer: Layer, step: Step, words: Wording) -> str:
    """A step that applies an effect, in a sentence."""
    if not layer.number:
        return words.step(step)
    who = f"{step.player} chooses: " if step.player else ""
    loop = " (in a loop of dependencies)" if layer.loop else ""
    return f"layer {layer.number}: {who}{words.phrase(layer.effect)}{loop}"


def _layer_lines(layer: Layer, words: Wording) -> Iterator[str]:
    """What an effect changes, before and after; what makes up powers."""
    for (before, after), things in layer_changes(layer).items():
        names = _listed([words.phrase(thing) for thing in things])
        unsaid = {"permanent", *(KEPT & {*before} & {*after})}
        said = [_words([w for w in one if w not in unsaid], words) for one in (before, after)]
        yield f"{INDENT}{names}: {' -> '.join(said)}"
    if layer.number and not layer.changes:
        yield f"{INDENT}nothing changes"
    for waiting in {(d.effect, d.why): d for d in layer.waiting}.values():
        reason = REASONS[waiting.why].format(words.phrase(waiting.thing))
        yield f"{INDENT}before {words.phrase(waiting.effect)}, as it {reason}"
    for thing in sorted({part.thing for part in layer.parts}):
        sums = sizes([part for part in layer.parts if part.thing == thing])
        if any(part.layer for part, _ in sums):
            said = [
                size if part.does == "begins"
                else f"{part.layer} {words.phrase(part.effect)}: {size}"
                for part, size in sums
            ]  # fmt: skip
            yield f"{INDENT}layer 7, {words.phrase(thing)}: {'; '.join(said)}"


def layer_changes(layer: Layer) -> dict[tuple[tuple[str, ...], tuple[str, ...]], list[str]]:
    """The things that an effect changes, those together to which it does the same."""
    found: dict[tuple[tuple[str, ...], tuple[str, ...]], list[str]] = {}
    for thing, before, after in layer.changes:
        found.setdefault((before, after), []).append(thing)
    return found


def _words(found: Sequence[str], words: Wording) -> str:
    """What a thing is, in words."""
    said = [ABILITIES.get(word) or words.phrase(bare_word(word)) for word in found]
    return ", ".join(said) or "nothing"


def _by_effect(reasons: Iterable[Reason]) -> Iterator[tuple[str, list[Reason]]]:
    found: dict[str, list[Reason]] = {}
    for reason in reasons:
        found.setdefault(reason.effect, []).append(reason)
    yield from found.items()


def _rules(rules: Sequence[str], style: Style) -> str:
    return style(f"  [{', '.join(rules)}]" if rules else "", "dim")


def _listed(names: Sequence[str]) -> str:
    more = len(names) - MOST_LISTED
    return "; ".join(names[:MOST_LISTED]) + (f"; and {more} more" if more > 0 else "")


def agreement_lines(agreement: Agreement, words: Wording) -> Iterator[str]:
    """Why all orders agree, as text."""
    yield (
        f"All orders agree: {agreement.choices:,} choice{_s(agreement.choices)} with "
        f"{agreement.branches:,} branches, and all lead to the same outcome."
    )
    if agreement.at_once:
        yield (
            f"  Of {agreement.at_once:,} of them all branches come to the same before anything "
            "else happens; of the others only later."
            if agreement.at_once < agreement.choices
            else "  Of each all branches come to the same before anything else happens."
        )
    for verb, wanted in (
        ("commute", True),
        ("make another event in the other order, which ends the same", False),
        ("exclude each other: after one the other does not apply", None),
    ):
        pairs = [pair for pair in agreement.pairs if pair.commutes is wanted]
        for pair in pairs[:MOST_LISTED]:
            yield f"  {verb}: {words.phrase(pair.first)}; {words.phrase(pair.second)}"
        if len(pairs) > MOST_LISTED:
            yield f"  {verb}: {len(pairs) - MOST_LISTED} more pairs"


def _s(number: int) -> str:
    return "" if number == 1 else "s"


def explanation_dict(explanation: Explanation) -> dict[str, Any]:
    """An explanation as in ``--output json``."""
    graph = explanation.graph
    words = wording(graph.scenario)
    agreement = explanation.agreement
    return {
        **head_dict(graph),
        "walkthroughs": [walk_dict(walk) for walk in explanation.walkthroughs],
        "agreement": None
        if agreement is None
        else {
            "choices": agreement.choices,
            "branches": agreement.branches,
            "at_once": agreement.at_once,
            "pairs": [
                {
                    "first": pair.first,
                    "second": pair.second,
                    "text": [words.phrase(pair.first), words.phrase(pair.second)],
                    "commutes": pair.commutes,
                }
                for pair in agreement.pairs
            ],
        },
    }


def head_dict(graph: Graph) -> dict[str, Any]:
    """What every JSON document about a graph begins with."""
    return {
        "schema_version": SCHEMA_VERSION,
        "scenario": graph.scenario.name,
        "title": graph.scenario.title,
        "verdict": graph.verdict,
        "exhausted": graph.exhausted,
    }


def walk_dict(walk: Walkthrough) -> dict[str, Any]:
    """A way to an outcome as in ``--output json``."""
    words = wording(walk.graph.scenario)
    places = {id(told): place for place, told in enumerate(walk.shown, start=1)}
    separating = walk.separating
    return {
        "outcome": walk.number,
        "shows": walk.result.to_dict(),
        "separating": None if separating is None else places[id(separating)],
        "steps": [_told_dict(told, places.get(id(told)), words) for told in walk.steps],
        "again": [_told_dict(told, places.get(id(told)), words) for told in walk.again],
    }


def _told_dict(told: Told, place: int | None, words: Wording) -> dict[str, Any]:
    return {
        "number": place,
        **step_dict(told.step, words),
        "decides": told.decides,
        "can_apply": [_reason_dict(reason, words) for reason in told.because],
        "cannot_apply": [_reason_dict(reason, words) for reason in told.withheld],
        "alternatives": [
            {
                "choice": alternative.label,
                "text": words.phrase(alternative.label),
                "copies": alternative.copies,
                "outcomes": list(alternative.outcomes),
            }
            for alternative in told.alternatives
        ],
        "separates": told.separates,
        **({"layer": _layer_dict(told.layer)} if told.layer else {}),
    }


def _layer_dict(layer: Layer) -> dict[str, Any]:
    return {
        "number": layer.number,
        "effect": layer.effect,
        "loop": layer.loop,
        "changes": [
            {"object": thing, "before": [*before], "after": [*after]}
            for thing, before, after in layer.changes
        ],
        "waiting": [
            {"effect": d.effect, "why": d.why, "object": d.thing} for d in layer.waiting
        ],
        "sizes": [
            {"object": part.thing, "layer": part.layer, "effect": part.effect, "size": size}
            for thing in sorted({part.thing for part in layer.parts})
            for part, size in sizes([part for part in layer.parts if part.thing == thing])
        ],
    }  # fmt: skip


def step_dict(step: Step, words: Wording) -> dict[str, Any]:
    """A step with its terms, as in ``--output json``."""
    return {
        **words.to_dict(step),
        "item": step.item,
        "node": step.node,
        "choice": step.label,
        "becomes": step.target,
    }


def _reason_dict(reason: Reason, words: Wording) -> dict[str, Any]:
    return {
        "effect": reason.effect,
        "effect_text": words.phrase(reason.effect),
        "why": reason.why,
        "text": words.phrase(reason.why),
        "rule": reason.rule,
    }


# --- Games --------------------------------------------------------------------------------


def forceable_lines(found: Forceable, style: Style = plain) -> Iterator[str]:
    """What a player can force, as text."""
    graph = found.graph
    words = wording(graph.scenario)
    player = found.player
    yield style(graph.scenario.title, "title")
    yield style(verdict_line(graph), graph.verdict)
    yield ""
    for number, result in enumerate(graph.outcomes, start=1):
        alone = any(forced.outcomes == (number,) for forced in found.sets)
        force = "can force it" if alone else "cannot force it"
        prevent = "can prevent it" if number in found.prevented else "cannot prevent it"
        yield f"outcome {number}: {describe(result.outcome)}"
        yield f"{INDENT}{player} {force}, {prevent}"
    for forced in found.sets:
        yield ""
        all_of_them = len(forced.outcomes) == len(graph.outcomes)
        what = one_of(forced.outcomes)
        yield style(f"{player} can force outcome {what}, whatever the others choose", "outcome")
        if not forced.strategy:
            what = "no choice" if all_of_them else f"no choice of {player}"
            yield f"{INDENT}{what} is needed for it"
        yield from _strategy_lines(forced.strategy, words)
    if not found.sets and found.complete:
        yield ""
        yield f"{player} can force nothing: the others can go on without end"
    if not found.complete:
        yield ""
        yield "too many outcomes to look for sets of them: only single ones were looked for"


def _strategy_lines(strategy: Sequence[Decision], words: Wording) -> Iterator[str]:
    """What is chosen, the same choice after different ones of the others told once."""
    said: dict[str, list[Decision]] = {}
    for decision in strategy:
        said.setdefault(words.step(decision.step), []).append(decision)
    picks: dict[tuple[str, str], set[str]] = {}
    for decision in strategy:
        key = (decision.step.item, decision.step.node)
        picks.setdefault(key, set()).add(decision.step.label)
    for place, (text, decisions) in enumerate(list(said.items())[: 2 * MOST_LISTED], start=1):
        step = decisions[0].step
        yield f"  {place:>2}. {text}"
        if len(picks[step.item, step.node]) > 1:
            for decision in decisions[:MOST_LISTED]:
                after = "; ".join(words.choice(s) for s in decision.after) or "nothing"
                yield f"{INDENT}after: {after}"
            if len(decisions) > MOST_LISTED:
                yield f"{INDENT}and {len(decisions) - MOST_LISTED} more times"
    if len(said) > 2 * MOST_LISTED:
        yield f"      and {len(said) - 2 * MOST_LISTED} more choices"


def forceable_dict(found: Forceable) -> dict[str, Any]:
    """What a player can force, as in ``--output json``."""
    graph = found.graph
    words = wording(graph.scenario)
    return {
        **head_dict(graph),
        "player": found.player,
        "outcomes": [result.to_dict() for result in graph.outcomes],
        "complete": found.complete,
        "prevents": list(found.prevented),
        "forces": [
            {
                "outcomes": list(forced.outcomes),
                "strategy": [
                    {
                        **step_dict(decision.step, words),
                        "others": list(decision.others),
                        "after": [words.choice(step) for step in decision.after],
                        "state": decision.state,
                    }
                    for decision in forced.strategy
                ],
            }
            for forced in found.sets
        ],
    }
