"""What the README files show is what happens."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
ENCODINGS = ROOT / "encodings" / "README.md"

CONSOLE = re.compile(r"^( *)```console\n(.*?)^ *```", re.M | re.S)


def console_blocks(path: Path) -> list[list[tuple[str, str]]]:
    """The console blocks of a page: commands and what they print."""
    blocks = []
    for match in CONSOLE.finditer(path.read_text(encoding="utf-8")):
        indent = len(match[1])
        lines = [line[indent:] for line in match[2].splitlines()]
        commands: list[tuple[str, list[str]]] = []
        for line in lines:
            if line.startswith("$ "):
                commands.append((line[2:], []))
            else:
                commands[-1][1].append(line)
        blocks.append([(command, "\n".join(output)) for command, output in commands])
    return blocks


def fenced(path: Path, language: str) -> list[str]:
    """The blocks of a language on a page, without their indentation."""
    found = re.findall(rf"^( *)```{language}\n(.*?)^ *```", path.read_text("utf-8"), re.M | re.S)
    return [
        "\n".join(line[len(indent) :] for line in text.splitlines()) + "\n"
        for indent, text in found
    ]


def run(command: str, folder: Path) -> str:
    """Run a command of the page in `folder`; verifier is the one under test."""
    words = shlex.split(command)
    target = None
    if ">" in words:
        target = folder / words[words.index(">") + 1]
        words = words[: words.index(">")]
    start = {"verifier": ["-m", "verifier"], "python": []}[words[0]]
    arguments = [str(ROOT / w) if w.startswith("encodings/") else w for w in words[1:]]
    done = subprocess.run(
        [sys.executable, *start, *arguments],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if target is not None:
        target.write_text(done.stdout, encoding="utf-8")
        return ""
    return done.stdout + done.stderr


def assert_shown(actual: str, shown: str) -> None:
    """Compare with times left out; a line ``...`` stands for any lines."""
    parts = re.split(r"^\.\.\.$\n?", _timeless(shown), flags=re.M)
    pattern = "(?:.*\n)*?".join(map(re.escape, parts))
    assert re.fullmatch(pattern, _timeless(actual)), f"shown:\n{shown}\nis:\n{actual}"


def _timeless(text: str) -> str:
    return re.sub(r"\d+\.\d+ s", "T s", text.strip()) + "\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files that the pages tell the reader to save."""
    (tmp_path / "eight_thieves.yaml").write_text(fenced(README, "yaml")[0], encoding="utf-8")
    (tmp_path / "my_cards").mkdir()
    card = fenced(ENCODINGS, "prolog")[0]
    (tmp_path / "my_cards" / "ledger_keeper.lp").write_text(card, encoding="utf-8")
    question = fenced(ENCODINGS, "yaml")[0]
    (tmp_path / "ledger_keeper.yaml").write_text(question, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "block",
    [*console_blocks(README), *console_blocks(ENCODINGS)],
    ids=lambda block: block[0][0][:40],
)
def test_console_block(block: list[tuple[str, str]], folder: Path) -> None:
    for command, shown in block:
        assert_shown(run(command, folder), shown)


def test_python_block() -> None:
    (text,) = fenced(README, "python")
    test = doctest.DocTestParser().get_doctest(text, {}, "README.md", "README.md", 0)
    assert doctest.DocTestRunner().run(test).failed == 0


def test_scenario_format_example(tmp_path: Path) -> None:
    from verifier import explore
    from verifier.claims import check_claim

    (tmp_path / "example.yaml").write_text(
        fenced(ROOT / "scenarios" / "README.md", "yaml")[0], encoding="utf-8"
    )
    assert check_claim(explore(tmp_path / "example.yaml")).holds


def test_two_commands_are_what_ci_runs() -> None:
    proves, tests = fenced(README, "sh")
    assert "pip install" in proves
    assert "verifier prove draw/notion_thief_two_players" in proves
    assert "pytest" in tests
    assert "README.md" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
