"""A naive interpreter of draws, to hold the engine against.

It knows no answer-set programming and shares no code with the package under test: every
sequence of choices is followed by plain recursion, straight from the Comprehensive Rules.
"""

from oracle.board import Board, Copy, Do, DrawStep, Timeline
from oracle.interpreter import Outcome, count_orders, enumerate_orders

__all__ = [
    "Board",
    "Copy",
    "Do",
    "DrawStep",
    "Outcome",
    "Timeline",
    "count_orders",
    "enumerate_orders",
]
