"""What the page about the commands shows is what happens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from test_readme import ROOT, assert_shown, console_blocks, run

PAGE = ROOT / "verifier" / "commands" / "README.md"

#: A file that the reader is to save: its name in a comment, or in bold before the block.
SAVED = re.compile(r"^`([\w./]+)`:\n\n```\w+\n(.*?)^```", re.M | re.S)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the page shows."""
    found = tmp_path_factory.mktemp("page")
    for name, text in SAVED.findall(PAGE.read_text(encoding="utf-8")):
        file = found / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return found


def test_console_blocks(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERIFIER_CACHE", str(tmp_path))
    blocks = console_blocks(PAGE)
    assert blocks
    for block in blocks:
        for command, shown in block:
            assert_shown(run(command, folder), shown)
