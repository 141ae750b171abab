"""Certificates: everything that was explored, written so that it can be checked again.

A certificate lists every state that the scenario can be in, forced steps one by one, as plain
data: what holds, what the quantities are, what is still to do.  `verifier.recheck` holds it
against the encodings without any of the code that has found it.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from verifier import __version__
from verifier.errors import InputError
from verifier.state import EMPTY, State, group
from verifier.terms import Function, signature

if TYPE_CHECKING:
    from verifier.graph import Graph

FORMAT = "certificate of ruling-verifier"
SCHEMA_VERSION = 3


def certificate(graph: Graph) -> dict[str, Any]:
    """The certificate of an exploration.

    That of one that was cut short says which states were not looked at, and of what it has
    found says no more than that it was found.

    Raises
    ------
    InputError
        If what was found cannot be written as finitely many states: a loop in which a number
        grows, or the state at a checkpoint from which more is to be looked at.
    """
    if graph.explorer.rounds:
        raise InputError(
            "there is no certificate of a loop in which a number grows without end",
            hint="its states are never the same again; only loops that come round have one",
        )
    return _Writer(graph).document()


class _Writer:
    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._explorer = graph.explorer
        self._numbers: dict[State, int] = {}
        self._states: list[State] = []
        self._texts: dict[str, int] = {}
        run, ends = graph.run, set(graph.run.terminals)
        #: States that were found and not looked at, among them final ones of which it is not
        #: known what they show.
        self._open = {
            state for number, state in enumerate(run.states)
            if number not in run.moves or (state[1] == EMPTY and number not in ends)
        } if graph.limit else set()  # fmt: skip
        self._unexplored: list[int] = []

    def document(self) -> dict[str, Any]:
        graph, cells = self._graph, self._explorer.cells
        self._walk(graph.run.states[graph.run.start])
        for values, item in graph.options:
            number = self._explorer.item(item)
            self._walk((values, self._explorer.agendas.push([number], EMPTY)))
        states = [self._state(state) for state in self._states]
        notes = {str(example) for example in cells.examples if _is_note(example)}
        return {
            "format": FORMAT,
            "schema_version": SCHEMA_VERSION,
            "version": __version__,
            "scenario": {
                "name": graph.scenario.name,
                "text": graph.scenario.source.text,
                "reading": graph.scenario.reading,
            },
            "kept": sorted(
                ("quantity " + str(example)) if is_quantity else "fluents " + group(example)
                for example, is_quantity in zip(cells.examples, cells.is_quantity, strict=True)
                if str(example) not in notes
            ),
            "terms": list(self._texts),
            "states": states,
            "limit": graph.limit,
            "unexplored": sorted(self._unexplored),
            "verdict": graph.verdict,
            "outcomes": [result.outcome for result in graph.outcomes],
            "orders": [result.orders for result in graph.outcomes],
        }

    def _walk(self, start: State) -> None:
        """Number all states that follow a state."""
        if start in self._numbers:
            return
        waiting = deque([start])
        self._numbers[start] = len(self._states)
        self._states.append(start)
        while waiting:
            state = waiting.popleft()
            if state in self._open or not self._is_known(state):
                self._unexplored.append(self._numbers[state])
                continue
            if state[1] == EMPTY:
                continue
            _, known = self._graph.known(state)
            for transition in known.transitions:
                target = self._explorer.apply(state, transition)
                if target not in self._numbers:
                    self._numbers[target] = len(self._states)
                    self._states.append(target)
                    waiting.append(target)

    def _is_known(self, state: State) -> bool:
        """Whether it was found what can be done in a state, if anything is left to do."""
        values, agenda = state
        item = self._explorer.agendas.parts[agenda][0]
        return agenda == EMPTY or self._explorer.is_known(item, values)

    def _text(self, text: str) -> int:
        return self._texts.setdefault(text, len(self._texts))

    def _state(self, state: State) -> dict[str, Any]:
        """A state as plain data; terms by their numbers."""
        values, agenda = state
        cells = self._explorer.cells
        holds: list[str] = []
        amounts: dict[str, int] = {}
        seen: dict[str, Any] = {}
        for example, value in zip(cells.examples, values, strict=False):
            if isinstance(value, frozenset):
                holds += value
            elif value and isinstance(example, Function) and _is_note(example):
                name = str(example.arguments[0])
                seen[name] = self._graph.shown_at(name, value)
            elif value:
                amounts[str(example)] = value
        todo: list[int] = []
        while agenda != EMPTY:
            item, agenda = self._explorer.agendas.parts[agenda]
            todo.append(self._text(self._explorer.items[item].text))
        found: dict[str, Any] = {
            "holds": [self._text(fluent) for fluent in sorted(holds)],
            "amounts": [[self._text(name), amounts[name]] for name in sorted(amounts)],
            "agenda": todo,
        }
        return found | ({"seen": seen} if seen else {})


def _is_note(example: object) -> bool:
    return isinstance(example, Function) and signature(example) == ("noted", 1)
