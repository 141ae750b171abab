"""Every notebook runs from a clean kernel, and shows what is committed.

``pytest tests/test_notebooks.py --overwrite`` writes what comes out into the notebooks.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbmake.nb_run import NotebookRun

from verifier.resources import rule_numbers

FOLDER = Path(__file__).parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))

#: What is between the tags of a picture, but for its style.
UNSEEN = re.compile(r"<(style|metadata)\b.*?</\1>", re.DOTALL)
WORDS = re.compile(r">\s*([^<>\s][^<>]*?)\s*<")


def without_times(notebook: Any) -> Any:
    """A notebook without when its cells ran, and with the language but not its version."""
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    notebook.metadata.language_info = {"name": "python"}
    return notebook


def seen(cell: Any) -> list[Any]:
    """What a cell shows, by form; of a picture the words and numbers in it.

    Where its lines are depends on the versions of what draws it.
    """
    found = []
    for output in cell.get("outputs", []):
        forms = dict(output.get("data", {"text": output.get("text")}))
        if picture := forms.get("image/svg+xml"):
            forms["image/svg+xml"] = sorted(WORDS.findall(UNSEEN.sub("", picture)))
        found.append((output.output_type, forms))
    return found


# The client of the kernel warns of its own choices, which differ from version to version.
@pytest.mark.filterwarnings("default:::(zmq|tornado|jupyter_client|nbclient|nbformat|traitlets)")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_shows_what_is_committed(
    path: Path, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    copy = shutil.copytree(FOLDER, tmp_path / "notebooks") / path.name
    result = NotebookRun(copy, 120).execute()
    assert result.error is None, result.error.trace
    ran = without_times(result.nb)
    if pytestconfig.getoption("overwrite"):
        nbformat.write(ran, path)
    committed = nbformat.read(path, 4)
    for cell, before in zip(ran.cells, committed.cells, strict=True):
        assert seen(cell) == seen(before), cell.source
    text = path.read_text(encoding="utf-8")
    assert not [place for place in (tmp_path, FOLDER.parent) if str(place) in text]


def test_the_readme_names_each() -> None:
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"\(([^)]*\.ipynb)\)", text) == [path.name for path in NOTEBOOKS]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_cited_rules_exist(path: Path) -> None:
    cited = re.findall(r"CR (\d+\.\d+[a-z]?)", path.read_text(encoding="utf-8"))
    assert cited
    assert set(cited) <= rule_numbers()
