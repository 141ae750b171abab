"""Results that show themselves: as text, as JSON, in notebooks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from html import escape
from typing import Any


class Shown(ABC):
    """Something that can be read out."""

    @abstractmethod
    def lines(self) -> Iterator[str]:
        """The lines of the text."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """The same as in ``--output json``."""

    def _repr_html_(self) -> str:
        return f"<pre>{escape(chr(10).join(self.lines()))}</pre>"
