"""What can be left out of a run to see what prevents an outcome.

What there is to leave out is found in ``encodings/lift.lp``, in the cards that a scenario
names and in the scenario itself; this module knows no rule of the game.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from verifier import asp, resources
from verifier.engine import card_rules, shipped_rules
from verifier.facts import Objects
from verifier.terms import Function, Term, parse_term, signature

if TYPE_CHECKING:
    from verifier.asp import Rule
    from verifier.engine import Setup
    from verifier.scenario import Scenario
    from verifier.wording import Wording


@dataclass(frozen=True)
class Removal:
    """Something that is left out.

    Attributes
    ----------
    kind
        ``rule``, ``ability``, ``limit`` (an exception or condition of an ability),
        ``permanent``, ``card`` (one that is named in a zone) or ``statement``.
    what
        What it is, as a term.
    drops
        The texts of the rules and facts that are left out.
    adds
        Facts that take their place.
    subrule
        Of a rule of the game: its number.
    alike
        What is left out with equal text here is interchangeable with it.
    """

    kind: str
    what: str
    drops: frozenset[str]
    adds: tuple[str, ...] = ()
    subrule: str | None = None
    alike: str = ""

    def text(self, words: Wording) -> str:
        """What it is, in words."""
        told = words.phrase(self.what)
        return f"{self.subrule}: {told}" if self.subrule else told

    def is_idle(self, setup: Setup) -> bool:
        """Whether it is a rule of the game that cannot fire, so that leaving it out is idle."""
        return self.kind == "rule" and not setup.program.can_use(self.drops)


def removals(scenario: Scenario) -> list[Removal]:
    """All that can be left out of a scenario, its cards and the rules."""
    cards = card_rules(scenario)
    found = [*_rules(), *_abilities(cards), *_things(scenario), *_statements(scenario)]
    return sorted(found, key=lambda removal: (_KINDS.index(removal.kind), removal.what))


_KINDS = ("rule", "ability", "limit", "permanent", "card", "statement")


@lru_cache(maxsize=1)
def _lift() -> tuple[Function, ...]:
    text = resources.encodings("lift.lp").read_text(encoding="utf-8")
    terms = map(parse_term, sorted(asp.evaluate(text)))
    return tuple(term for term in terms if isinstance(term, Function))


def _listed(name: str) -> set[str]:
    """The predicates that ``lift.lp`` names as of one sort."""
    return {str(term.arguments[0]) for term in _lift() if signature(term) == (name, 1)}


# --- Rules --------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _rules() -> tuple[Removal, ...]:
    heads: dict[str, list[Rule]] = defaultdict(list)
    for rule in shipped_rules():
        heads[rule.head].append(rule)
    found = []
    for term in _lift():
        match signature(term), term.arguments:
            case ("lift", 3 | 4), (name, subrule, predicate, *instead):
                found.append(
                    Removal(
                        "rule",
                        f"lifted({name})",
                        frozenset(rule.text for rule in heads[str(predicate)]),
                        tuple(map(str, instead)),
                        str(subrule).strip('"'),
                    )
                )
            case ("lift_each", 1), (predicate,):
                found += _each(str(predicate), heads[str(predicate)])
    return tuple(found)


def _each(predicate: str, rules: Iterable[Rule]) -> Iterator[Removal]:
    """The rules that derive a predicate, by the subrule in their heads."""
    by_subrule: dict[str, list[Rule]] = defaultdict(list)
    for rule in rules:
        for part in rule.head_arguments:
            if isinstance(part, str) and part.startswith('"'):
                by_subrule[part.strip('"')].append(rule)
    for subrule, group in by_subrule.items():
        whys = sorted({_why(rule.head_arguments) for rule in group} - {""})
        listed = "end"
        for why in reversed(whys):
            listed = f"({why},{listed})"
        what = f"obstacle({listed})" if whys else f"lifted({predicate})"
        yield Removal("rule", what, frozenset(rule.text for rule in group), (), subrule)


def _why(arguments: tuple[Term, ...]) -> str:
    """The reason in a head: a word after the subrule, if there is one."""
    last = arguments[-1]
    if isinstance(last, Function):
        return last.name
    return last if isinstance(last, str) and not last.startswith('"') else ""


# --- Cards --------------------------------------------------------------------------------


def _abilities(rules: Iterable[Rule]) -> Iterator[Removal]:
    printed, keywords = _listed("printed_part"), _listed("keyword_part")
    abilities: dict[str, list[str]] = defaultdict(list)
    for rule in rules:
        card, *rest = rule.head_arguments
        if rule.head in printed or rule.body:
            continue
        if rule.head in _listed("alone"):
            number, *condition = rest
            said = ",".join(map(str, [rule.head, *condition]))
            yield Removal("limit", f"limit_of({card},{number},{said})", frozenset([rule.text]))
        if rule.head in keywords or not rest:
            abilities[f"ability_of({card},{','.join(map(str, [rule.head, *rest]))})"].append(
                rule.text
            )
        else:
            abilities[f"ability_of({card},{rest[0]})"].append(rule.text)
    for what, texts in abilities.items():
        yield Removal("ability", what, frozenset(texts))


# --- The scenario -------------------------------------------------------------------------


def _mentions(term: Term, name: str) -> bool:
    if isinstance(term, Function):
        return any(_mentions(part, name) for part in term.arguments)
    return term == name


def _things(scenario: Scenario) -> Iterator[Removal]:
    """Permanents, and cards that are named in a zone other than a library.

    What something else in the file speaks of stays: the file would make no sense without it.
    """
    facts = scenario.facts()
    terms = {fact: parse_term(fact) for fact in facts}
    objects = Objects(scenario)
    placed = [(thing.id, "permanent") for thing in objects.permanents]
    placed += [
        (thing.id, "card")
        for _, label, _, thing in objects.zones
        if not label.startswith("library")
    ]
    for name, kind in placed:
        about = [fact for fact, term in terms.items() if _mentions(term, name)]
        first = [
            terms[fact].arguments.index(name)  # type: ignore[union-attr]
            for fact in about
            if name in terms[fact].arguments  # type: ignore[union-attr]
        ]
        own = {"given_card": 3}
        if len(first) < len(about) or any(
            place != own.get(signature(terms[fact])[0], 0)
            for fact, place in zip(about, first, strict=True)
        ):
            continue
        alike = sorted(str(_renamed(terms[fact], name)) for fact in about)
        yield Removal(
            kind, f"{kind}_there({name})", frozenset(about), alike=f"{kind} {' '.join(alike)}"
        )


def _renamed(term: Term, name: str) -> Term:
    if isinstance(term, Function):
        parts = term.arguments
        if term.name == "given_card":  # its place in a list does not matter
            parts = (*parts[:2], 0, *parts[3:])
        return Function(term.name, tuple(_renamed(part, name) for part in parts))
    return "this" if term == name else term


def _statements(scenario: Scenario) -> Iterator[Removal]:
    """What else the file says of the board: without it, it is as where a file says nothing."""
    wanted = _listed("statement")
    for fact in scenario.facts():
        term = parse_term(fact)
        if signature(term)[0] in wanted:
            yield Removal("statement", f"stated({fact})", frozenset([fact]))
    usual = f"turn({scenario.players[0]},precombat_main)"
    now = f"turn({scenario.active},{scenario.step})"
    if now != usual:
        yield Removal("statement", f"stated({now})", frozenset([now]), (usual,))
