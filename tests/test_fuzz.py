"""Random scenario and card files: an answer or a clear error, never a traceback, never a hang.

``FUZZ_EXAMPLES=20000 pytest tests/test_fuzz.py`` tries more of them than a usual run does.
"""

from __future__ import annotations

import os
import random
import re
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from verifier import resources
from verifier.cli import main

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "40"))

#: Seconds that a run may take, and those that it may take more until it notices.
LIMIT, GRACE = 2, 30

MESSAGE = re.compile(r"([^\n]+:\d+:\d+: )?error: \S")

fuzzing = settings(
    max_examples=EXAMPLES,
    deadline=None,
    # The same files in each usual run, others where more are asked for.
    derandomize="FUZZ_EXAMPLES" not in os.environ,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def tried(file: Path, *more: str) -> None:
    """Prove a file; what comes out is an answer or a clear error, in time."""
    began = time.monotonic()
    arguments = ["prove", str(file), "-q", "--time-limit", str(LIMIT), "--max-states", "3000"]
    result = CliRunner().invoke(main, [*arguments, *more])
    assert time.monotonic() - began < LIMIT + GRACE
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code in (0, 1, 2, 3)
    assert "Traceback" not in result.output
    if result.exit_code == 2:
        assert MESSAGE.match(result.stderr), result.stderr
    else:
        assert "verdict" in result.stdout or "error: " in result.stderr


# --- What files are made of ---------------------------------------------------------------


@cache
def scenarios() -> list[str]:
    names = random.Random(1).sample(resources.shipped_scenarios(), 150)
    return [resources.find_scenario(name).read_text(encoding="utf-8") for name in names]


@cache
def cards() -> list[tuple[str, str]]:
    files = sorted(resources.encodings("cards").glob("*.lp"))
    return [(path.stem, path.read_text(encoding="utf-8")) for path in files]


@cache
def words(what: str) -> list[str]:
    """The words of scenario files, or of cards."""
    texts = scenarios() if what == "scenarios" else [text for _, text in cards()]
    found = {word for text in texts for word in re.findall(r"\w+", text)}
    odd = ["-1", "0", "99999999999", "1.5", "''", "null", "true", "~", "*a", "&a", "!!x", "é"]
    return sorted(found) + odd


PIECE = re.compile(r"\w+|\s+|[^\w\s]")


@st.composite
def changed(draw: st.DrawFn, text: str, what: str) -> str:
    """A text with a few pieces replaced, doubled, dropped or moved."""
    pieces = PIECE.findall(text)
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, max(len(pieces) - 1, 0)))
        match draw(st.sampled_from(["word", "word", "drop", "double", "swap", "any"])):
            case "word":
                pieces[place : place + 1] = [draw(st.sampled_from(words(what)))]
            case "drop":
                del pieces[place : place + draw(st.integers(1, 6))]
            case "double":
                pieces[place:place] = pieces[place : place + draw(st.integers(1, 12))]
            case "swap":
                other = draw(st.integers(0, max(len(pieces) - 1, 0)))
                pieces[place : place + 1], pieces[other : other + 1] = (
                    pieces[other : other + 1],
                    pieces[place : place + 1],
                )
            case "any":
                pieces.insert(place, draw(st.text(max_size=4)))
    return "".join(pieces)


@st.composite
def mutated_scenarios(draw: st.DrawFn) -> str:
    return draw(changed(draw(st.sampled_from(scenarios())), "scenarios"))


@st.composite
def mutated_cards(draw: st.DrawFn) -> tuple[str, str]:
    name, text = draw(st.sampled_from(cards()))
    return name, draw(changed(text, "cards"))


def values(leaves: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    keys = st.sampled_from(words("scenarios"))
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
        max_leaves=12,
    )


def write(file: Path, text: str) -> None:
    file.write_bytes(text.encode("utf-8", errors="surrogatepass"))


# --- The tests ----------------------------------------------------------------------------


@fuzzing
@given(text=mutated_scenarios())
def test_scenarios_with_changes(text: str, tmp_path: Path) -> None:
    write(tmp_path / "scenario.yaml", text)
    tried(tmp_path / "scenario.yaml")


@fuzzing
@given(
    content=st.binary(max_size=200)
    | st.text(max_size=200).map(lambda t: t.encode("utf-8", "replace"))
)
def test_files_of_anything(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "scenario.yaml").write_bytes(content)
    tried(tmp_path / "scenario.yaml")


@fuzzing
@given(data=st.data())
def test_scenarios_of_any_structure(data: st.DataObject, tmp_path: Path) -> None:
    import json

    leaf = st.sampled_from(words("scenarios")) | st.integers(-2, 50) | st.booleans() | st.none()
    document = {"players": ["alice", "bob"], "timeline": []}
    parts = ["battlefield", "state", "timeline", "ask", "claim", "turn", "effects", "rules"]
    for key in data.draw(st.lists(st.sampled_from(parts), max_size=4, unique=True)):
        document[key] = data.draw(values(leaf))
    write(tmp_path / "scenario.yaml", json.dumps(document))
    tried(tmp_path / "scenario.yaml")


BOARD = """players: [alice, bob]
battlefield: [{{card: "{0}", controller: alice}}, {{card: "{0}", controller: bob}}]
state: {{alice: {{hand: 3, library: 9}}}}
timeline:
  - resolve: {{player: alice, does: [{{draw: 1}}, {{discard: 1}}, {{gain_life: 1}}]}}
"""


@fuzzing
@given(card=mutated_cards())
def test_cards_with_changes(card: tuple[str, str], tmp_path: Path) -> None:
    name, text = card
    folder = tmp_path / "cards"
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    write(folder / f"{name}.lp", text)
    printed = re.search(r'^name\(\w+, ?"(.*)"\)\.', dict(cards())[name], re.M)
    assert printed is not None
    write(tmp_path / "scenario.yaml", BOARD.format(printed[1]))
    tried(tmp_path / "scenario.yaml", "--cards", str(folder))


# --- What files must not do ---------------------------------------------------------------

CARD = 'name(evil,"Evil").\ntype(evil,artifact).\n'


@pytest.fixture
def board(tmp_path: Path) -> Path:
    (tmp_path / "cards").mkdir()
    file = tmp_path / "scenario.yaml"
    file.write_text(BOARD.format("Evil"), encoding="utf-8")
    return file


def refused(board: Path, *more: str) -> str:
    folder = board.parent / "cards"
    result = CliRunner().invoke(main, ["prove", str(board), "--cards", str(folder), *more])
    assert isinstance(result.exception, SystemExit)
    assert result.exit_code == 2
    return result.stderr


@pytest.mark.parametrize(
    "directive",
    [
        '#include "/etc/passwd".',
        '#include "secret.lp".',
        "#include <incmode>.",
        '%* a comment *% #include"secret.lp".',
        "#script (python)\nopen('written', 'w')\n#end.",
        "#script (lua)\nio.open('written', 'w')\n#end.",
    ],
)
def test_a_card_reads_no_files_and_runs_no_code(
    board: Path, directive: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cards" / "evil.lp").write_text(CARD + directive + "\n", encoding="utf-8")
    (tmp_path / "cards" / "secret.lp").write_text("secret(1).\n", encoding="utf-8")
    told = refused(board)
    assert f"{tmp_path / 'cards' / 'evil.lp'}:3:" in told
    assert "is not possible in a card" in told
    assert not (tmp_path / "written").exists()


def test_no_function_of_the_program_is_called_from_a_card(board: Path) -> None:
    (board.parent / "cards" / "evil.lp").write_text(
        CARD + "power(evil,@exit(0)).\n", encoding="utf-8"
    )
    assert "evil.lp:3:12: error: operation undefined" in refused(board)


@pytest.mark.skipif(os.name == "nt", reason="links")
def test_a_card_is_no_link_to_another_place(board: Path) -> None:
    (board.parent / "secret.lp").write_text(CARD, encoding="utf-8")
    (board.parent / "cards" / "evil.lp").symlink_to(board.parent / "secret.lp")
    assert "the file is a link to another place" in refused(board)


@pytest.mark.skipif(os.name == "nt", reason="pipes")
def test_a_card_is_a_file(board: Path) -> None:
    os.mkfifo(board.parent / "cards" / "evil.lp")
    assert "this is no file" in refused(board)


@pytest.mark.skipif(os.name == "nt", reason="pipes")
def test_a_scenario_is_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "scenario.yaml")
    result = CliRunner().invoke(main, ["prove", str(tmp_path / "scenario.yaml")])
    assert result.exit_code == 2


def test_a_card_is_not_endless(board: Path) -> None:
    (board.parent / "cards" / "evil.lp").write_text("a.\n" * 400_000, encoding="utf-8")
    assert "a card at most" in refused(board)


@pytest.mark.parametrize(
    "text",
    [
        "players: !!python/object/apply:os.system ['touch written']\ntimeline: []\n",
        "players: [alice, bob]\ntimeline: !!python/name:os.system []\n",
        "!mine\nplayers: [alice]\ntimeline: []\n",
        "players: [alice, !!binary aGVsbG8=]\ntimeline: []\n",
        "players: !!set {alice: null}\ntimeline: []\n",
    ],
)
def test_tags_are_refused(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scenario.yaml").write_text(text, encoding="utf-8")
    result = CliRunner().invoke(main, ["prove", "scenario.yaml"])
    assert result.exit_code == 2
    assert re.match(r"scenario\.yaml:\d+:\d+: error: the tag `!", result.stderr)
    assert not (tmp_path / "written").exists()


ENDLESS = ["power(evil,1..1000000000).", "a(1).\na(f(X)) :- a(X)."]


@pytest.mark.parametrize("line", ENDLESS)
def test_a_card_that_never_ends_is_given_up(board: Path, line: str) -> None:
    (board.parent / "cards" / "evil.lp").write_text(f"{CARD}{line}\n", encoding="utf-8")
    told = in_process(board, "--time-limit", "2")
    assert told == (3, "error: time limit reached before the first state\n")


@pytest.mark.skipif(os.name == "nt", reason="limits of memory")
@pytest.mark.parametrize("line", ENDLESS)
def test_a_card_that_needs_all_memory_is_given_up(board: Path, line: str) -> None:
    (board.parent / "cards" / "evil.lp").write_text(f"{CARD}{line}\n", encoding="utf-8")
    told = in_process(board, "--max-memory", "400M", "--time-limit", "60")
    assert told == (3, "error: more memory is needed than --max-memory allows\n")


def in_process(board: Path, *more: str) -> tuple[int, str]:
    """A run as a process of its own, which can be limited: its exit code and errors."""
    import subprocess
    import sys

    done = subprocess.run(
        [sys.executable, "-m", "verifier", "prove", str(board),
         "--cards", str(board.parent / "cards"), *more],
        capture_output=True, text=True, check=False, timeout=90,
    )  # fmt: skip
    return done.returncode, done.stderr


@pytest.mark.parametrize("size", ["", "7", "lots", "-1G", "4 X"])
def test_no_size(size: str, board: Path) -> None:
    result = CliRunner().invoke(main, ["prove", str(board), "--max-memory", size])
    assert result.exit_code == 2
    assert "is no size: write 500M or 4G" in result.stderr
