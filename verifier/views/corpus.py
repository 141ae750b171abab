"""Which scenarios use which cards and rest on which subrules: what a change would touch."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from verifier import corpus
from verifier.cards import rule_order
from verifier.views.model import View, new_graph

if TYPE_CHECKING:
    import networkx as nx

#: Fewer scenarios than this are read in this process.
FEW = 60

#: In the folded picture each folder of scenarios leads to its most used cards and subrules.
MOST_OF_A_FOLDER = 6


@dataclass(frozen=True)
class Used:
    """What a scenario uses: cards by constant and name, subrules; ``fired`` if it was run."""

    name: str
    title: str
    cards: Mapping[str, str]
    rules: Sequence[str]
    fired: Sequence[str] = ()
    cut: str = ""


def cards(
    folders: Sequence[Path] = (),
    *,
    cards: Sequence[Path] = (),
    run: bool = False,
    time_limit: float | None = None,
    max_states: int = 5_000_000,
) -> View:
    """Cards and subrules on one side, the scenarios that use them on the other.

    Nodes are of ``kind`` ``scenario`` (``title``), ``card`` and ``rule``, the last two with
    ``scenarios`` (how many use them).  Folded, ``scenarios`` stands for those of a folder,
    ``cards`` and ``rules`` for those that few of them use.  Edges lead from cards to
    scenarios (``uses``) and from those to subrules (``cites``); folded ones say for how many
    ``scenarios``.  A subrule
    is one that the file names or, with `run`, that a step on the way to an outcome rests on
    (``fires``).

    Parameters
    ----------
    folders
        Where the scenarios are; the shipped ones unless given.
    cards
        Folders with cards of the user's own.
    run
        Also explore each scenario, to find the subrules that fire.
    time_limit, max_states
        When to give up on one scenario.
    """
    names = corpus.find(folders)
    one = partial(_read, own=tuple(cards), run=run, time_limit=time_limit, most=max_states)
    return View("cards", _Corpus(list(_each(one, names)), folders).build)


def _each(one: partial[Used], names: Sequence[str]) -> Iterator[Used]:
    if len(names) < FEW:
        yield from map(one, names)
        return
    with ProcessPoolExecutor(os.cpu_count() or 1) as pool:
        yield from pool.map(one, names, chunksize=16)


def _read(name: str, own: Sequence[Path], run: bool, time_limit: float | None, most: int) -> Used:
    from verifier.engine import explore
    from verifier.resources import constant
    from verifier.scenario import Scenario

    scenario = Scenario.load(name, cards=own)
    used = {constant(card): card for card, _ in scenario.card_uses}
    used = {
        card: used.get(card, card.replace("_", " ").title()) for card in scenario.card_constants
    }
    if not run:
        return Used(scenario.name, scenario.title, used, scenario.rules)
    graph = explore(scenario, time_limit=time_limit, max_states=most)
    return Used(scenario.name, scenario.title, used, scenario.rules, graph.rules, graph.limit or "")


class _Corpus:
    def __init__(self, used: Sequence[Used], folders: Sequence[Path]) -> None:
        self._used = used
        self._title = ", ".join(map(str, folders)) or "The shipped scenarios"
        self._names = {card: name for one in used for card, name in one.cards.items()}
        self._by_card: dict[str, list[str]] = defaultdict(list)
        self._by_rule: dict[str, list[str]] = defaultdict(list)
        for one in used:
            for card in one.cards:
                self._by_card[card].append(one.name)
            for rule in {*one.rules, *one.fired}:
                self._by_rule[rule].append(one.name)

    def build(self, most: int) -> nx.MultiDiGraph[str]:
        """The graph; folders and what they use most if there would be more nodes."""
        cut = [one.name for one in self._used if one.cut]
        whole = new_graph(
            "cards",
            title=self._title,
            name="",
            summary=(
                f"{len(self._used):,} scenarios use {len(self._by_card):,} cards and rest on"
                f" {len(self._by_rule):,} subrules"
            ),
            players=[],
            complete=not cut,
        )
        if cut:
            whole.graph["cut"] = f"cut short, so that subrules may be missing: {', '.join(cut)}"
        nodes = len(self._used) + len(self._by_card) + len(self._by_rule)
        if 0 < most < nodes:
            self._folded(whole, most)
        else:
            self._in_full(whole)
        return whole

    def _in_full(self, whole: nx.MultiDiGraph[str]) -> None:
        for one in self._used:
            whole.add_node(f"scenario {one.name}", kind="scenario", label=one.name, title=one.title)
        for card in sorted(self._by_card):
            self._add_card(whole, card)
        for rule in sorted(self._by_rule, key=rule_order):
            self._add_rule(whole, rule)
        for one in self._used:
            for card in sorted(one.cards):
                whole.add_edge(f"card {card}", f"scenario {one.name}", kind="uses", label="")
            for rule in sorted({*one.rules, *one.fired}, key=rule_order):
                whole.add_edge(
                    f"scenario {one.name}",
                    f"rule {rule}",
                    kind="cites",
                    label="",
                    named=rule in one.rules,
                    fires=rule in one.fired,
                )

    def _add_card(self, whole: nx.MultiDiGraph[str], card: str) -> None:
        number = len(self._by_card[card])
        whole.add_node(
            f"card {card}",
            kind="card",
            label=self._names[card],
            detail=_scenarios(number),
            scenarios=number,
        )

    def _add_rule(self, whole: nx.MultiDiGraph[str], rule: str) -> None:
        number = len(self._by_rule[rule])
        whole.add_node(
            f"rule {rule}",
            kind="rule",
            label=rule,
            detail=_scenarios(number),
            scenarios=number,
        )

    def _folded(self, whole: nx.MultiDiGraph[str], most: int) -> None:
        """Folders of scenarios, and the cards and subrules that each of them uses most."""
        folders: dict[str, list[Used]] = defaultdict(list)
        for one in self._used:
            folders[str(Path(one.name).parent)].append(one)
        room = max(most - len(folders) - 2, 4)
        each = max(min(MOST_OF_A_FOLDER, room // (2 * len(folders))), 2)
        cards: dict[str, Counter[str]] = {}
        rules: dict[str, Counter[str]] = {}
        for folder, members in sorted(folders.items()):
            cards[folder] = Counter(card for one in members for card in one.cards)
            rules[folder] = Counter(r for one in members for r in {*one.rules, *one.fired})
        kept_cards = {card for found in cards.values() for card in _most(found, each)}
        kept_rules = {rule for found in rules.values() for rule in _most(found, each)}
        for folder, members in sorted(folders.items()):
            label = (
                f"{folder}\n{len(members):,} scenarios"
                if folder != "."
                else _scenarios(len(members))
            )
            whole.add_node(
                f"folder {folder}", kind="scenarios", label=label, scenarios=len(members)
            )
        for card in sorted(kept_cards):
            self._add_card(whole, card)
        for rule in sorted(kept_rules, key=rule_order):
            self._add_rule(whole, rule)
        left = len(self._by_card) - len(kept_cards), len(self._by_rule) - len(kept_rules)
        for number, name in zip(left, ("cards", "rules"), strict=True):
            if number:
                word = "cards" if name == "cards" else "subrules"
                whole.add_node(f"other {name}", kind=name, label=f"{number:,} other {word}")
        for folder in sorted(folders):
            node = f"folder {folder}"
            for card, number in _shown(cards[folder], kept_cards, "other cards", "card "):
                whole.add_edge(card, node, kind="uses", label="", scenarios=number)
            for rule, number in _shown(rules[folder], kept_rules, "other rules", "rule "):
                whole.add_edge(node, rule, kind="cites", label="", scenarios=number)
        whole.graph["folded"] = "scenarios by folder; of each, the cards and subrules used most"


def _most(found: Counter[str], number: int) -> list[str]:
    return sorted(found, key=lambda word: (-found[word], word))[:number]


def _shown(
    found: Counter[str], kept: set[str], others: str, prefix: str
) -> Iterator[tuple[str, int]]:
    """The nodes for what a folder uses, and how often."""
    for word in sorted(kept & set(found)):
        yield prefix + word, found[word]
    if left := sum(number for word, number in found.items() if word not in kept):
        yield others, left


def _scenarios(number: int) -> str:
    return f"{number:,} scenario{'' if number == 1 else 's'}"
