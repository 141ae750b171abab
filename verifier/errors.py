"""Exceptions by meaning, under one root.

Every message that concerns a file starts with ``file:line:column: error:`` and, where there
is one, ends with a hint at what would be right.
"""

from __future__ import annotations

from dataclasses import dataclass


class VerifierError(Exception):
    """Root of all exceptions that this package raises on purpose."""


@dataclass(frozen=True)
class Position:
    """A place in a file; ``line`` and ``column`` count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class InputError(VerifierError):
    """Something that the user gave is wrong.

    Parameters
    ----------
    message
        What is wrong.
    position
        Where, if it is in a file.
    hint
        What would be right.
    """

    def __init__(
        self, message: str, *, position: Position | None = None, hint: str | None = None
    ) -> None:
        self.message = message
        self.position = position
        self.hint = hint
        where = f"{position}: " if position else ""
        super().__init__(f"{where}error: {message}" + (f"\n  hint: {hint}" if hint else ""))


class ScenarioError(InputError):
    """A scenario file that cannot be read or makes no sense."""


class UnknownScenarioError(InputError):
    """No scenario file of that name."""


class CardError(InputError):
    """A card that has no encoding, or an encoding that cannot be used."""


class IllegalActionError(InputError):
    """Something in a timeline that a player may not do in the state that it comes to."""


class EncodingError(VerifierError):
    """The shipped encodings contradict themselves: a fault of this package."""


class NumberTooLargeError(VerifierError):
    """A number would pass what the solver's integers hold; raised rather than wrapped."""


class UnknownCardsError(VerifierError):
    """The answer depends on cards that the scenario leaves unnamed."""


class AmbiguousSourceError(VerifierError):
    """The answer depends on whose ability resolves, which the scenario does not say."""


class UndecidedError(VerifierError):
    """What is asked can be answered only once everything has been explored."""


class NoSuchOutcomeError(VerifierError):
    """An outcome was asked for that is not among those found."""
