"""Which predicate of the encodings rests on which, and which card feeds which rule."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verifier import engine, resources, rulecache
from verifier.cards import Library, cited_by_line, display_name, rule_order
from verifier.program import BASE, OUTPUTS
from verifier.terms import unifies
from verifier.views.model import View, new_graph

if TYPE_CHECKING:
    import networkx as nx

    from verifier.asp import Predicate, Rule
    from verifier.scenario import Scenario

#: In the folded picture the dependencies with most rules are drawn, up to so many.
MOST_EDGES = 90

#: What says what a card is, not what it does.
_LABELS = {"name", "type", "subtype", "supertype", "color"}


def rules(scenario: Scenario | None = None, *, cards: Sequence[Path] = ()) -> View:
    """The dependency graph of the predicates of the loaded encodings.

    Nodes of ``kind`` ``predicate`` are named by name and arity: ``files``, ``rules`` (how many
    derive it), ``cites`` (the subrules in the comments there), ``stratum`` (0 for what needs
    no negation or counting; one more for each that lies on the way), ``component`` (the same
    number for predicates that rest on each other; 0 for the others), ``output`` (whether
    the driver reads it).  ``base`` are the predicates that describe a question, and those
    that only facts of scenarios and cards state.  ``card`` are cards.  Folded, a node of
    ``kind`` ``file`` stands for the predicates of a file.

    Edges lead from what is read to what is derived, ``rules`` is by how many rules:
    ``needs``, or ``negates`` if it is negated or counted; ``feeds`` leads from a card to what
    is derived by rules that read a fact of its file, ``facts`` says which.

    Parameters
    ----------
    scenario
        Only the rules that can fire in it, and its cards; without one, all that are shipped.
    cards
        Folders with cards of the user's own, if there is no scenario.
    """
    return View("rules", _Rules(scenario, cards).build)


def shape_text(shape: Predicate) -> str:
    """Name and arity as they are written."""
    return f"{shape[0]}/{shape[1]}"


class _Rules:
    def __init__(self, scenario: Scenario | None, cards: Sequence[Path]) -> None:
        self._scenario = scenario
        self._cards: dict[Path, list[Rule]] = defaultdict(list)
        if scenario is None:
            self._rules = list(engine.shipped_rules())
            said: Iterable[Rule] = rulecache.read_program([*Library(cards).files.values()])
        else:
            setup = engine.set_up(scenario)
            own = set(map(str, scenario.library.files.values()))
            fired = setup.program.rules
            self._rules = [rule for rule in fired if rule.position.file not in own]
            said = setup.cards
        for rule in said:
            if rule.head not in _LABELS:
                self._cards[Path(rule.position.file)].append(rule)

    # --- In full --------------------------------------------------------------------------

    @cached_property
    def _network(self) -> nx.DiGraph[Predicate]:
        """Predicates; edges carry the numbers of rules that need and that negate."""
        import networkx

        network: nx.DiGraph[Predicate] = networkx.DiGraph()
        for rule in self._rules:
            network.add_node(rule.predicate)
            kinds = {(p.predicate, "needs" if p.required else "negates") for p in rule.body}
            for shape, kind in sorted(kinds):
                network.add_edge(shape, rule.predicate)
                edge = network.edges[shape, rule.predicate]
                edge[kind] = edge.get(kind, 0) + 1
        return network

    @cached_property
    def _components(self) -> dict[Predicate, int]:
        """For predicates that rest on each other, the number of their component."""
        import networkx

        network = self._network
        parts = [
            part
            for part in networkx.strongly_connected_components(network)
            if len(part) > 1 or network.has_edge(*(2 * list(part)))
        ]
        parts.sort(key=min)
        return {shape: number for number, part in enumerate(parts, start=1) for shape in part}

    @cached_property
    def _strata(self) -> dict[Predicate, int]:
        import networkx

        whole = networkx.condensation(self._network)
        found: dict[Predicate, int] = {}
        for part in networkx.topological_sort(whole):
            members = whole.nodes[part]["members"]
            level = 0
            for shape in members:
                for before in self._network.pred[shape]:
                    if before not in members:
                        negated = "negates" in self._network.edges[before, shape]
                        level = max(level, found[before] + negated)
            found.update(dict.fromkeys(members, level))
        return found

    def _unstratified(self) -> list[str]:
        """Predicates that rest on the negation of themselves."""
        return sorted(
            f"{shape_text(a)}, {shape_text(b)}"
            for a, b, data in self._network.edges(data=True)
            if "negates" in data and self._components.get(a, 0) == self._components.get(b, -1)
        )

    @cached_property
    def _feeds(self) -> dict[tuple[Path, Predicate], tuple[set[str], int]]:
        """For each card and predicate, the facts that are read and by how many rules."""
        readers: dict[Predicate, list[tuple[Rule, tuple[Any, ...]]]] = defaultdict(list)
        for rule in self._rules:
            for literal in rule.body:
                readers[literal.predicate].append((rule, literal.arguments))
        found: dict[tuple[Path, Predicate], tuple[set[str], set[int]]] = {}
        for path, said in self._cards.items():
            for fact in said:
                for rule, arguments in readers.get(fact.predicate, ()):
                    if all(map(unifies, arguments, fact.head_arguments)):
                        facts, numbers = found.setdefault((path, rule.predicate), (set(), set()))
                        facts.add(shape_text(fact.predicate))
                        numbers.add(id(rule))
        return {key: (facts, len(numbers)) for key, (facts, numbers) in found.items()}

    def build(self, most: int) -> nx.MultiDiGraph[str]:
        """The graph; by files if there would be more nodes."""
        scenario = self._scenario
        whole = new_graph(
            "rules",
            title=scenario.title if scenario else "The rules of the game",
            name=scenario.name if scenario else "",
            summary=(
                f"{len(self._rules):,} rules derive {len(self._by_predicate):,} predicates in"
                f" {max(self._strata.values(), default=0) + 1} strata"
                + (", those that can fire in the scenario" if scenario else "")
            ),
            players=[],
            complete=True,
        )
        if bad := self._unstratified():
            whole.graph["note"] = f"not stratified: {'; '.join(bad)}"
        if 0 < most < len(self._network) + len(self._cards):
            self._by_file(whole, most)
        else:
            self._in_full(whole)
        return whole

    @cached_property
    def _by_predicate(self) -> dict[Predicate, list[Rule]]:
        found: dict[Predicate, list[Rule]] = defaultdict(list)
        for rule in self._rules:
            found[rule.predicate].append(rule)
        return found

    def _in_full(self, whole: nx.MultiDiGraph[str]) -> None:
        for shape in sorted(self._network):
            whole.add_node(shape_text(shape), **self._predicate(shape))
        for path in sorted(self._cards):
            whole.add_node(f"card {path.stem}", kind="card", label=display_name(path), detail="")
        for a, b, data in sorted(self._network.edges(data=True), key=lambda edge: edge[:2]):
            for kind in ("needs", "negates"):
                if kind in data:
                    whole.add_edge(
                        shape_text(a), shape_text(b), kind=kind, label="", rules=data[kind]
                    )
        for (path, shape), (facts, number) in sorted(self._feeds.items()):
            whole.add_edge(
                f"card {path.stem}",
                shape_text(shape),
                kind="feeds",
                label="",
                facts=sorted(facts),
                rules=number,
            )

    def _predicate(self, shape: Predicate) -> dict[str, Any]:
        derived = self._by_predicate.get(shape, [])
        component = self._components.get(shape, 0)
        detail = [f"stratum {self._strata[shape]}"]
        detail += [f"recursive, component {component}"] if component else []
        cites = {number for rule in derived for number in _cited(rule)}
        return {
            "kind": "predicate" if derived and shape not in BASE else "base",
            "label": shape_text(shape),
            "detail": ", ".join(detail) if derived else "stated, not derived",
            "files": sorted({Path(rule.position.file).name for rule in derived}),
            "rules": len(derived),
            "cites": sorted(cites, key=rule_order),
            "stratum": self._strata[shape],
            "component": component,
            "output": shape in OUTPUTS,
        }

    # --- By file --------------------------------------------------------------------------

    def _by_file(self, whole: nx.MultiDiGraph[str], most: int) -> None:
        home = {
            shape: Counter(Path(rule.position.file).name for rule in derived).most_common(1)[0][0]
            for shape, derived in self._by_predicate.items()
        }
        sizes = Counter(home.values())
        if len(sizes) > most - 1:
            kept = {file for file, _ in sizes.most_common(most - 2)}
            others = f"{len(sizes) - len(kept)} other files"
            home = {shape: file if file in kept else others for shape, file in home.items()}
        files = sorted(set(home.values()))
        members: dict[str, list[Predicate]] = defaultdict(list)
        for shape, file in home.items():
            members[file].append(shape)
        one_each = len(files) + len(self._cards) <= most
        cards = {path: f"card {path.stem}" if one_each else "cards" for path in self._cards}
        for path, name in sorted(cards.items()):
            if one_each:
                whole.add_node(name, kind="card", label=display_name(path), detail="")
        if cards and not one_each:
            whole.add_node(
                "cards", kind="cards", label=f"{len(cards):,} cards", detail="", cards=len(cards)
            )
        for file in files:
            whole.add_node(file, **self._file(members[file]), label=file)
        links: dict[tuple[str, str, str], int] = Counter()
        for a, b, data in self._network.edges(data=True):
            if a in home and home[a] != home[b]:
                for kind in ("needs", "negates"):
                    links[home[a], home[b], kind] += data.get(kind, 0)
        feeds: dict[tuple[str, str], tuple[set[str], int]] = {}
        for (path, shape), (facts, number) in self._feeds.items():
            if shape in home:
                key = cards[path], home[shape]
                before, count = feeds.get(key, (set(), 0))
                feeds[key] = before | facts, count + number
        ranked = sorted((-n, key) for key, n in links.items() if n)
        for count, (source, target, kind) in ranked[:MOST_EDGES]:
            whole.add_edge(source, target, kind=kind, label="", rules=-count)
        most_fed = sorted(feeds.items(), key=lambda item: (-item[1][1], item[0]))
        for (card, file), (facts, number) in most_fed[: MOST_EDGES // 2]:
            whole.add_edge(card, file, kind="feeds", label="", rules=number, facts=sorted(facts))
        left = max(len(ranked) - MOST_EDGES, 0) + max(len(most_fed) - MOST_EDGES // 2, 0)
        whole.graph["folded"] = "predicates are folded into the files that derive them" + (
            f"; {left:,} dependencies with the fewest rules are not drawn" if left else ""
        )

    def _file(self, members: list[Predicate]) -> dict[str, Any]:
        strata = sorted({self._strata[shape] for shape in members})
        number = sum(len(self._by_predicate[shape]) for shape in members)
        shown = f"{strata[0]}" if len(strata) == 1 else f"{strata[0]} to {strata[-1]}"
        recursive = sum(shape in self._components for shape in members)
        return {
            "kind": "file",
            "detail": f"{len(members):,} predicates, {number:,} rules\nstratum {shown}"
            + (f", {recursive} recursive" if recursive else ""),
            "predicates": len(members),
            "rules": number,
            "stratum": strata[-1],
        }


@cache
def _citations(file: str) -> list[set[str]]:
    return cited_by_line(Path(file))


def _cited(rule: Rule) -> set[str]:
    """The subrules that the comment above a rule cites."""
    if Path(rule.position.file).parent != resources.encodings("rules"):
        return set()
    return _citations(rule.position.file)[rule.position.line - 1]
