"""Tests of the encodings as programs.

They look at the encodings themselves: at the files, at what plain clingo makes of them, at
what becomes of the scenarios when a rule is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes more than half a minute")
