"""The page of one scenario."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verifier import __version__, report, resources
from verifier.cards import rule_order
from verifier.claims import check_claim, describe
from verifier.explaining import telling
from verifier.explaining.futures import one_of
from verifier.outcomes import AT, ENDLESS, parts
from verifier.page.board import Board, Seat, Tile, board
from verifier.page.changes import changes
from verifier.page.happening import Happening
from verifier.page.markup import Markup, data, join, tag
from verifier.page.ways import Way, Ways
from verifier.report import orders_text, verdict_line, wording

if TYPE_CHECKING:
    import networkx as nx

    from verifier.explaining.explanation import Explanation
    from verifier.explaining.walkthrough import Walkthrough
    from verifier.graph import Graph

#: What players can force is told if there are no more outcomes and states.
MOST_FORCED, MOST_STATES = 20, 5_000

#: So many alternatives of a choice are listed, the others counted.
MOST_LISTED = 8


@dataclass(frozen=True)
class Options:
    """What is on a page.

    Attributes
    ----------
    most
        The graph is folded to about so many nodes; 0 for never.
    walks
        So many outcomes have a walkthrough; 0 for all.
    cards
        Folders with cards of the user's own, for the command that repeats the proof.
    """

    most: int = 60
    walks: int = 20
    cards: Sequence[Path] = ()


class Report:
    """Everything that was proven of one scenario, as HTML.

    Parameters
    ----------
    graph
        What was explored.
    options
        What is on the page.
    key
        A word of its own for each report on a page, for links.
    back
        Where the list of all reports is, if there is one.
    """

    def __init__(
        self,
        graph: Graph,
        options: Options | None = None,
        key: str = "r1",
        back: str | None = None,
    ) -> None:
        self._graph = graph
        self._back = back
        self._options = options or Options()
        self._key = key
        self._words = wording(graph.scenario)
        self._claim = check_claim(graph)

    @cached_property
    def _explanation(self) -> Explanation:
        found = len(self._graph.outcomes)
        shown = min(self._options.walks or found, found)
        return self._graph.explanation(range(1, shown + 1))

    @property
    def _walks(self) -> tuple[Walkthrough, ...]:
        return self._explanation.walkthroughs

    @cached_property
    def _told(self) -> dict[int, dict[str, Any]]:
        """The walkthroughs, each step with what it changes and where it is in the graph."""
        found = {walk.number: telling.walk_dict(walk) for walk in self._walks}
        for walk in self._walks:
            told = found[walk.number]
            for step, what in zip(told["steps"], changes(self._graph, walk), strict=True):
                step["changes"] = what
            every = (*told["steps"], *told["again"])
            for step, edge in zip(every, self.ways[walk.number].steps, strict=True):
                step["edge"] = edge
        return found

    @cached_property
    def ways(self) -> dict[int, Way]:
        """Where the walkthroughs are in the drawn graph."""
        ways = Ways(self.drawn)
        return {walk.number: ways.find(walk) for walk in self._walks}

    @cached_property
    def drawn(self) -> nx.MultiDiGraph[str]:
        """The graph of choices as it is drawn."""
        return self._graph.decisions().folded(self._options.most)

    @cached_property
    def _edges(self) -> list[tuple[str, str, dict[str, Any]]]:
        return list(self.drawn.edges(data=True))

    @cached_property
    def _effects(self) -> dict[str, list[int]]:
        """The effects that are applied, and on which edges of the graph."""
        found: dict[str, list[int]] = {}
        for number, (_, _, said) in enumerate(self._edges):
            for effect in said.get("effects", ()):
                found.setdefault(effect, []).append(number)
        return dict(sorted(found.items()))

    @cached_property
    def _cited(self) -> dict[str, list[int]]:
        """The subrules, sorted, and on which edges of the graph they are cited."""
        told = (rule for walk in self._told.values() for rule in _rules_of(walk))
        named = (*self._graph.scenario.rules, *self._graph.rules, *told)
        found: dict[str, list[int]] = {rule: [] for rule in named}
        for number, (_, _, said) in enumerate(self._edges):
            for rule in said.get("cites", ()):
                found.setdefault(rule, []).append(number)
        return {rule: found[rule] for rule in sorted(found, key=rule_order)}

    @property
    def rules(self) -> list[str]:
        """The subrules on the page, sorted."""
        return list(self._cited)

    def html(self) -> Markup:
        """The report as an article."""
        return tag(
            "article",
            self._head(),
            self._board(),
            self._timeline(),
            self._outcomes(),
            self._picture(),
            self._walkthroughs(),
            self._agreement(),
            self._games(),
            self._rules(),
            self._again(),
            tag("script", data(self._data()), type="application/json", class_="data"),
            class_="report",
            id=self._key,
            aria_labelledby=f"{self._key}-title",
        )

    def _section(self, name: str, heading: str, *children: Any, class_: str = "") -> Markup:
        key = f"{self._key}-{name}"
        return tag(
            "section",
            tag("h2", heading, id=key),
            *children,
            class_=class_ or None,
            aria_labelledby=key,
        )

    # --- What was asked -----------------------------------------------------------------

    def _head(self) -> Markup:
        scenario = self._graph.scenario
        told = scenario.data.get("question")
        about = [scenario.name, scenario.data.get("source")]
        return tag(
            "header",
            self._back and tag("p", tag("a", "All rulings", href=self._back), class_="screen"),
            tag("h1", scenario.title, id=f"{self._key}-title"),
            tag("p", " | ".join(str(part) for part in about if part), class_="dim"),
            told and told != scenario.title and tag("p", told),
            self._verdict(),
            self._claimed(),
        )

    def _verdict(self) -> Markup:
        graph = self._graph
        verdict, _, rest = verdict_line(graph).partition(":")
        return tag("p", tag("b", verdict), f":{rest}", class_=f"verdict {graph.verdict}")

    def _claimed(self) -> Markup:
        claim = self._claim
        if not claim.made:
            return tag("p", "The scenario claims nothing.", class_="dim")
        kind, said = {
            True: ("good", "The claim holds."),
            False: ("bad", "The claim fails."),
            None: ("open", f"The claim is undecided ({', '.join(claim.open)})."),
        }[claim.holds]
        claimed = [
            tag("li", tag("b", _spaced(key)), ": ", _claim_text(value))
            for key, value in self._graph.scenario.claim.items()
        ]
        return join(
            [
                tag("p", tag("b", said, class_=kind)),
                claim.failures and tag("ul", [tag("li", why) for why in claim.failures]),
                tag("details", tag("summary", "What is claimed"), tag("ul", claimed)),
            ]
        )

    def _board(self) -> Markup:
        found: Board = board(self._graph)
        return self._section(
            "board",
            "The board",
            tag(
                "p",
                f"Turn of {self._graph.scenario.active}, {found.step}. The stack is empty.",
            ),
            tag("div", map(_seat, found.seats), class_="board"),
            found.effects
            and tag(
                "div",
                tag("h3", "Effects that last"),
                tag("ul", [tag("li", effect) for effect in found.effects], class_="plain"),
                class_="panel",
            ),
        )

    def _timeline(self) -> Markup:
        scenario = self._graph.scenario
        happening = Happening(self._words, scenario.players)
        entries = [tag("li", happening.entry(entry)) for entry in scenario.data["timeline"]]
        return self._section("timeline", "What happens", tag("ol", entries))

    # --- What was found -----------------------------------------------------------------

    def _outcomes(self) -> Markup:
        outcomes = self._graph.outcomes
        shown_rows = [rows for r in outcomes for _, rows in parts(r.outcome)]
        columns = report.columns(shown_rows)
        places = any(AT in result.outcome for result in outcomes)
        heads = ["checkpoint"] if places else []
        rows: list[Markup] = []
        for number, result in enumerate(outcomes, start=1):
            shown = list(parts(result.outcome))
            for place, (where, row) in enumerate(shown):
                cells = [tag("th", number, rowspan=len(shown), scope="rowgroup", class_="number")]
                ends = [
                    tag("td", _orders(result.orders), rowspan=len(shown), class_="number"),
                    tag("td", self._outcome_links(number), rowspan=len(shown), class_="screen"),
                ]
                inner = [tag("td", _spaced(where) or "end")] if places else []
                inner += [tag("td", report.cell(row, column)) for column in columns]
                first = place == 0
                rows.append(
                    tag(
                        "tr", cells if first else None, inner, ends if first else None,
                        data_row=number,
                    )
                )  # fmt: skip
        table = tag(
            "table",
            tag("caption", verdict_line(self._graph)),
            tag(
                "thead",
                tag(
                    "tr",
                    tag("th", "outcome", scope="col", class_="number"),
                    [
                        tag("th", _spaced(head), scope="col")
                        for head in (*heads, *map(report.head, columns))
                    ],
                    tag("th", "orders", scope="col", class_="number"),
                    tag("th", "look", scope="col", class_="screen"),
                ),
            ),
            tag("tbody", rows),
        )
        more = len(outcomes) - len(self._walks)
        return self._section(
            "outcomes",
            "Outcomes",
            tag(
                "div",
                table,
                class_="scroll",
                tabindex=0,
                role="region",
                aria_label="Table of outcomes",
            )
            if outcomes
            else tag("p", "None was found."),
            more > 0 and tag("p", f"The first {len(self._walks):,} have a walkthrough below."),
        )

    def _outcome_links(self, number: int) -> Markup:
        told = number <= len(self._walks)
        return join(
            [
                tag(
                    "button", "Light its path", type="button", data_outcome=number,
                    aria_pressed="false", class_="script", hidden=True,
                    aria_label=f"Light the path to outcome {number}",
                ),
                told
                and tag("noscript", tag("a", "walkthrough", href=f"#{self._key}-way-{number}")),
            ]
        )  # fmt: skip

    def _picture(self) -> Markup:
        view = self._graph.decisions()
        zooms = (
            ("in", "+", "Zoom in"),
            ("out", "\N{MINUS SIGN}", "Zoom out"),
            ("fit", "All of it", None),
            ("readable", "1:1", "Text in its full size"),
        )
        buttons = [
            tag("button", text, type="button", data_zoom=zoom, aria_label=label)
            for zoom, text, label in zooms
        ]
        chips = [
            tag(
                "li",
                tag(
                    "button", f"{effect} ({len(edges)})", type="button", data_effect=number,
                    aria_pressed="false",
                ),
            )
            for number, (effect, edges) in enumerate(self._effects.items())
        ]  # fmt: skip
        return self._section(
            "graph",
            "Every choice",
            tag(
                "p",
                "Click an outcome to light its path; drag to move, ",
                "with the focus on the picture the wheel and the keys + and - zoom, arrows move, "
                "0 shows all of it, Escape puts the light out.",
                class_="script dim", hidden=True,
            ),
            tag("div", buttons, class_="bar script", hidden=True, role="group", aria_label="View"),
            tag("p", class_="status screen", role="status"),
            tag(
                "div", Markup(view.svg(self._options.most)), class_="graph", tabindex=0,
                role="region", aria_label="Graph of every choice",
            ),
            chips
            and tag(
                "div",
                tag("h3", "Where does an effect apply?"),
                tag("ul", chips, class_="chips"),
                class_="script", hidden=True,
            ),
            tag(
                "details",
                tag("summary", "The graph as text"),
                tag("pre", str(view.export("text", self._options.most)), tabindex=0),
                class_="screen",
            ),
        )  # fmt: skip

    # --- How it comes about -------------------------------------------------------------

    def _walkthroughs(self) -> Markup | None:
        if not self._walks:
            return None
        options = [
            tag("option", f"outcome {walk.number}: {_short(walk)}", value=walk.number)
            for walk in self._walks
        ]
        select = f"{self._key}-select"
        return self._section(
            "walks",
            "Step by step",
            tag(
                "div",
                tag("label", "Way to ", tag("select", options, id=select), for_=select),
                tag("button", "Back", type="button", data_go="back", aria_keyshortcuts="ArrowLeft"),
                tag(
                    "button", "Forward", type="button", data_go="forward",
                    aria_keyshortcuts="ArrowRight",
                ),
                tag("p", class_="place", role="status"),
                class_="bar script", hidden=True,
            ),
            tag(
                "div", map(self._walk, self._walks), class_="stepper", tabindex=0, role="group",
                aria_label="Steps; the left and right arrow keys go back and forward",
            ),
            class_="walks",
        )  # fmt: skip

    def _walk(self, walk: Walkthrough) -> Markup:
        told = self._told[walk.number]
        shown = [step for step in told["steps"] if step["number"] or step["changes"]]
        again = [step for step in told["again"] if step["number"]]
        return tag(
            "article",
            tag("h3", f"Outcome {walk.number}: {describe(walk.result.outcome)}"),
            tag("p", orders_text(walk.result.orders), class_="dim"),
            tag("ol", [self._step(s, told["separating"]) for s in shown], class_="steps"),
            again
            and [
                tag("p", "Again and again, without end:"),
                tag(
                    "ol", [self._step(s, None) for s in again], class_="steps",
                    start=len(shown) + 1,
                ),
            ],
            class_="walk",
            id=f"{self._key}-way-{walk.number}",
            data_walk=walk.number,
        )  # fmt: skip

    def _step(self, told: dict[str, Any], separating: int | None) -> Markup:
        more = list(self._reasons(told))
        chosen = told["choice"]
        if told["separates"]:
            first = told["number"] == separating
            lines = [
                tag(
                    "li",
                    tag("b", a["text"]) if a["choice"] == chosen else a["text"],
                    f": outcome {one_of(a['outcomes'])}" if a["outcomes"] else None,
                )
                for a in told["alternatives"][:MOST_LISTED]
            ]
            hidden = len(told["alternatives"]) - MOST_LISTED
            lines += [tag("li", f"and {hidden:,} more")] if hidden > 0 else []
            said = "This choice separates the outcomes:" if first else "It separates further:"
            more.append(tag("li", said, tag("ul", lines)))
        elif told["player"]:
            others = [a["text"] for a in told["alternatives"] if a["choice"] != chosen]
            if others:
                names = "; ".join(others[:MOST_LISTED])
                hidden = len(others) - MOST_LISTED
                names += f"; and {hidden:,} more" if hidden > 0 else ""
                more.append(tag("li", f"could have been: {names}"))
        changed = told.get("changes")
        return tag(
            "li",
            told["text"],
            _cites(told["rules"]),
            changed and tag("p", "; ".join(changed), class_="change"),
            more and tag("ul", more),
            data_effects="|".join(map(str, self._applied(told))),
            data_rules="|".join(_rules_of_step(told)),
        )

    def _applied(self, told: dict[str, Any]) -> Iterator[int]:
        """The numbers of the effects that a step applies."""
        effect = self._words.applied(told["choice"])
        if effect in self._effects:
            yield list(self._effects).index(effect)

    @staticmethod
    def _reasons(told: dict[str, Any]) -> Iterator[Markup]:
        """Why effects can be applied and others cannot, and who chooses."""
        for verb, key in (("can apply", "can_apply"), ("cannot apply", "cannot_apply")):
            found: dict[str, list[dict[str, Any]]] = {}
            for reason in told[key]:
                found.setdefault(reason["effect_text"], []).append(reason)
            for effect, reasons in found.items():
                why = "; ".join(reason["text"] for reason in reasons)
                rules = sorted({reason["rule"] for reason in reasons}, key=rule_order)
                yield tag("li", f"{verb}: {effect}: {why}", _cites(rules))
        if told["player"] and told["decides"]:
            said = f"{told['player']} chooses, whom it affects"
            yield tag("li", said, _cites([told["decides"]]))

    def _agreement(self) -> Markup | None:
        """Why there is one outcome although there are choices."""
        agreement = self._explanation.agreement
        if agreement is None:
            return None
        lines = telling.agreement_lines(agreement, self._words)
        return self._section(
            "agreement", "Why all orders agree", [tag("p", line) for line in lines]
        )

    def _games(self) -> Markup | None:
        """What each player can bring about, whatever the others choose."""
        graph = self._graph
        small = len(graph.outcomes) <= MOST_FORCED and graph.states <= MOST_STATES
        if graph.verdict != "several" or not small:
            return None
        rows = []
        for player in graph.scenario.players:
            found = graph.forceable(player)
            sets = [f"outcome {one_of(forced.outcomes)}" for forced in found.sets]
            prevents = "; ".join(f"outcome {number}" for number in found.prevented) or "nothing"
            forces = "; ".join(sets) or "nothing"
            rows.append(
                tag("tr", tag("th", player, scope="row"), tag("td", forces), tag("td", prevents))
            )
        head = [tag("th", text, scope="col") for text in ("player", "can force", "can prevent")]
        return self._section(
            "games",
            "Whatever the others choose",
            tag("table", tag("thead", tag("tr", head)), tag("tbody", rows)),
        )

    # --- What it rests on ---------------------------------------------------------------

    def _rules(self) -> Markup:
        named = set(self._graph.scenario.rules)
        cited = {*self._graph.rules, *(r for walk in self._told.values() for r in _rules_of(walk))}
        headings = resources.rule_headings()
        rows = []
        for rule, edges in self._cited.items():
            why = ["named by the file"] if rule in named else []
            where = ", ".join([*why, "cited by steps"] if rule in cited or edges else why)
            button = tag(
                "button", "Where?", type="button", data_rule=rule, aria_pressed="false",
                aria_label=f"Light the steps that cite {rule}", class_="script", hidden=True,
            )  # fmt: skip
            rows.append(
                tag(
                    "tr",
                    tag("th", rule, scope="row"),
                    tag("td", headings.get(rule[:3], "")),
                    tag("td", where),
                    tag("td", button if edges or rule in cited else None, class_="screen"),
                )
            )
        head = [
            tag("th", text, scope="col", class_="screen" if text == "look" else None)
            for text in ("subrule", "section", "why it is here", "look")
        ]
        return self._section(
            "rules",
            "Rules",
            tag("p", f"Comprehensive Rules, {resources.rules_version()}.", class_="dim"),
            tag(
                "div",
                tag("table", tag("thead", tag("tr", head)), tag("tbody", rows)),
                class_="scroll",
                tabindex=0,
                role="region",
                aria_label="Table of rules",
            ),
        )

    def _again(self) -> Markup:
        graph = self._graph
        words = ["verifier", "prove"]
        for folder in self._options.cards:
            words += ["--cards", str(folder)]
        command = shlex.join([*words, graph.scenario.name])
        facts = {
            "command": tag("code", command),
            "versions": f"ruling-verifier {__version__}, clingo {version('clingo')}",
            "explored": f"{graph.states:,} states",
            "time": tag("span", f"{graph.seconds:.2f} s", class_="time"),
        }
        rows = [[tag("dt", name), tag("dd", said)] for name, said in facts.items()]
        return self._section(
            "again",
            "To repeat it",
            tag("dl", rows, class_="facts"),
            graph.scenario.source.text
            and tag(
                "details",
                tag("summary", "The scenario file"),
                tag("pre", graph.scenario.source.text, tabindex=0),
            ),
        )

    # --- For the script -----------------------------------------------------------------

    def _data(self) -> dict[str, Any]:
        """What the script needs, and the result as the JSON output has it."""
        result = self._graph.to_dict()
        del result["seconds"]
        steps = {
            number: [
                step["edge"]
                for step in (*told["steps"], *told["again"])
                if step["number"] or step.get("changes")
            ]
            for number, told in self._told.items()
        }
        return {
            "result": result,
            "edges": [[source, target] for source, target, _ in self._edges],
            "paths": {
                number: {"nodes": way.nodes, "edges": way.edges}
                for number, way in self.ways.items()
                if way.edges
            },
            "steps": steps,
            "effects": [{"text": text, "edges": edges} for text, edges in self._effects.items()],
            "rules": {rule: {"edges": edges} for rule, edges in self._cited.items()},
        }


# --- Parts --------------------------------------------------------------------------------


def _seat(seat: Seat) -> Markup:
    zones = [
        tag("div", tag("dt", zone.name), tag("dd", _zone_text(zone.count, zone.cards)))
        for zone in seat.zones
    ]
    return tag(
        "section",
        tag(
            "header",
            tag("h3", seat.player),
            seat.active and tag("span", "active", class_="dim"),
            seat.life is not None and tag("span", f"{seat.life:,} life", class_="life"),
        ),
        tag("dl", zones, class_="zones"),
        [tag("p", note, class_="dim") for note in seat.notes],
        tag("ul", map(_tile, seat.permanents), class_="tiles", aria_label="Battlefield")
        if seat.permanents
        else tag("p", "no permanents", class_="dim"),
        class_="seat active" if seat.active else "seat",
        aria_label=seat.player,
    )


def _zone_text(count: int | None, cards: list[str]) -> str:
    if not cards:
        return "endless" if count is None else f"{count:,}"
    return f"{', '.join(cards)}" + ("" if count in (None, 0, len(cards)) else f" ({count:,})")


def _tile(tile: Tile) -> Markup:
    copies = len(tile.ids)
    times = f"{copies} \N{MULTIPLICATION SIGN} " if copies > 1 else ""
    notes = ["tapped", *tile.notes] if tile.tapped else tile.notes
    few = ", ".join(tile.ids) if copies <= 3 else f"{tile.ids[0]} to {tile.ids[-1]}"
    return tag(
        "li",
        tag("span", times + tile.card, class_="name"),
        tag("span", " ".join(filter(None, [tile.kind, f"[{few}]"])), class_="small"),
        [tag("span", note, class_="small") for note in notes],
        tag("ul", map(_tile, tile.attached), class_="tiles") if tile.attached else None,
        class_="tile tapped" if tile.tapped else "tile",
    )


def _rules_of(walk: dict[str, Any]) -> Iterator[str]:
    """Every subrule that a walkthrough cites."""
    for step in (*walk["steps"], *walk["again"]):
        yield from _rules_of_step(step)


def _rules_of_step(step: dict[str, Any]) -> Iterator[str]:
    yield from step["rules"]
    yield from (reason["rule"] for reason in (*step["can_apply"], *step["cannot_apply"]))
    if step["player"] and step["decides"]:
        yield step["decides"]


def _cites(rules: Sequence[str]) -> Markup | None:
    return tag("span", f" [{', '.join(rules)}]", class_="rule") if rules else None


def _orders(number: int | None) -> str:
    return "without end" if number is None else f"{number:,}"


def _claim_text(value: Any) -> Any:
    """A part of a claim: whether, how many, or like what."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return tag("ul", [tag("li", describe(pattern)) for pattern in value])
    if isinstance(value, dict):
        return f"{value['player']}: {describe(value['outcome'])}"
    return str(value)


def _short(walk: Walkthrough) -> str:
    said = "never ends" if walk.result.outcome == ENDLESS else describe(walk.result.outcome)
    return said if len(said) <= 80 else f"{said[:79]}\N{HORIZONTAL ELLIPSIS}"


def _spaced(word: str) -> str:
    return str(word).replace("_", " ")
