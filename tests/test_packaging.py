"""What gets installed: from a wheel, from an sdist and editable, each in a fresh environment."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

import verifier

ROOT = Path(__file__).parents[1]

#: What only a run needs, and what a mere import must not cost.
HEAVY = ("clingo", "jsonschema_rs", "networkx", "rich", "ruamel")


def call(*command: str | Path, folder: Path | None = None) -> str:
    """Run a command without this environment's paths; what it prints."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
    result = subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env=clean,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


# --- What an import costs -----------------------------------------------------------------


@pytest.mark.parametrize(
    "code",
    [
        "import verifier",
        "import verifier.cli",
        "from verifier import ScenarioError, __version__",
    ],
)
def test_import_loads_nothing_heavy(code: str) -> None:
    check = f"import sys; {code}; print([m for m in {HEAVY} if m in sys.modules])"
    assert call(sys.executable, "-c", check, folder=ROOT) == "[]\n"


def test_version_loads_nothing_heavy() -> None:
    check = (
        "import sys; from verifier.cli import main; main(['--version'], standalone_mode=False); "
        f"print([m for m in {HEAVY} if m in sys.modules])"
    )
    assert call(sys.executable, "-c", check, folder=ROOT).splitlines()[-1] == "[]"


def test_a_run_does_not_load_what_it_does_not_need() -> None:
    check = (
        "import sys; from verifier import explore; "
        "explore('draw/notion_thief_two_players').outcomes; "
        "print([m for m in ('networkx', 'rich') if m in sys.modules])"
    )
    assert call(sys.executable, "-c", check, folder=ROOT) == "[]\n"


def test_every_public_name_is_there() -> None:
    for name in verifier.__all__:
        assert getattr(verifier, name).__name__ == name
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        verifier.nonsense  # noqa: B018


# --- What is built ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """An sdist, and the wheel that is built from it."""
    folder = tmp_path_factory.mktemp("dist")
    call(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT)
    (sdist,) = folder.glob("*.tar.gz")
    (wheel,) = folder.glob("*.whl")
    return sdist, wheel


def shipped(folder: str, suffix: str) -> set[str]:
    """All files of a folder with this ending."""
    return {str(p.relative_to(ROOT)) for p in (ROOT / folder).rglob(f"*{suffix}")}


def test_wheel_holds_code_encodings_and_scenarios(built: tuple[Path, Path]) -> None:
    names = set(zipfile.ZipFile(built[1]).namelist())
    wanted = shipped("encodings", ".lp") | shipped("scenarios", ".yaml")
    assert {f"verifier/{name}" for name in wanted} <= names
    assert shipped("verifier", ".py") <= names
    assert {"verifier/py.typed", "verifier/scenario.schema.json"} <= names
    assert shipped("verifier", ".js") | shipped("verifier", ".css") <= names
    assert shipped("verifier", ".html") <= names
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"verifier"}
    assert not [name for name in names if "__pycache__" in name]


def test_sdist_holds_everything_to_test_it(built: tuple[Path, Path]) -> None:
    with tarfile.open(built[0]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert shipped("encodings", ".lp") | shipped("scenarios", ".yaml") <= names
    assert shipped("tests", ".py") | shipped("verifier", ".py") <= names
    assert {"LICENSE", "README.md", "pyproject.toml"} <= names
    assert not [name for name in names if name.startswith((".git/", ".venv", "tests/__pycache__"))]


# --- What is installed --------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("form", ["wheel", "sdist", "editable"])
def test_installed(form: str, built: tuple[Path, Path], tmp_path: Path) -> None:
    home = tmp_path / "venv"
    venv.create(home, with_pip=True)
    scripts = home / ("Scripts" if os.name == "nt" else "bin")
    sdist, wheel = built
    install: list[str | Path] = [scripts / "python", "-m", "pip", "install", "-q"]
    install += ["-e"] if form == "editable" else []
    call(*install, {"wheel": wheel, "sdist": sdist, "editable": ROOT}[form])
    empty = tmp_path / "empty"
    empty.mkdir()
    program = scripts / "verifier"
    assert verifier.__version__ in call(program, "--version", folder=empty)
    proof = call(program, "prove", "draw/notion_thief_two_players", folder=empty)
    assert "verdict  unique: 1 outcome, 1 order" in proof
    assert "claim    holds" in proof
    assert "Notion Thief" in call(program, "cards", folder=empty)
    assert "draw/notion_thief_two_players" in call(program, "check", "--list", folder=empty)
    where = call(
        scripts / "python",
        "-c",
        "from verifier import resources; print(resources.encodings())",
        folder=empty,
    )
    inside = home if form != "editable" else ROOT
    assert Path(where.strip()).is_relative_to(inside.resolve())
    assert list(empty.iterdir()) == []
