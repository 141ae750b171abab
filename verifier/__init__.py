"""A verifier of Magic: The Gathering rulings.

The rules of the game and the effects of cards are answer-set programs; this package takes a
scenario and finds every legal outcome over all choices of all players.

>>> from verifier import explore
>>> explore("draw/notion_thief_two_players").verdict
'unique'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from verifier.errors import (
    AmbiguousSourceError,
    CardError,
    EncodingError,
    InputError,
    NoSuchOutcomeError,
    NumberTooLargeError,
    Position,
    ScenarioError,
    UndecidedError,
    UnknownCardsError,
    UnknownScenarioError,
    VerifierError,
)

if TYPE_CHECKING:
    from verifier.engine import explore
    from verifier.graph import Graph, Result, Step
    from verifier.scenario import Scenario

__version__ = "0.1.0"

__all__ = [
    "AmbiguousSourceError",
    "CardError",
    "EncodingError",
    "Graph",
    "InputError",
    "NoSuchOutcomeError",
    "NumberTooLargeError",
    "Position",
    "Result",
    "Scenario",
    "ScenarioError",
    "Step",
    "UndecidedError",
    "UnknownCardsError",
    "UnknownScenarioError",
    "VerifierError",
    "explore",
]

#: Where the names are that would be slow to import before they are used.
_LATER = {
    "explore": "verifier.engine",
    "Graph": "verifier.graph",
    "Result": "verifier.graph",
    "Step": "verifier.graph",
    "Scenario": "verifier.scenario",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LATER[name]), name)
