"""Results of checks as JUnit XML, which continuous integration shows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from verifier import __version__

if TYPE_CHECKING:
    from verifier.corpus import Checked
    from verifier.judging import Judged

#: What XML cannot hold.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

#: The element for what did not hold.
_ELEMENTS = {
    "fails": "failure",
    "wrong": "failure",
    "error": "error",
    "undecided": "error",
    "not comparable": "skipped",
}


def junit(results: Sequence[Checked | Judged], name: str) -> str:
    """A document with a suite for each folder and a case for each scenario."""
    root = ElementTree.Element("testsuites", _counts(results) | {"name": name})
    folders = sorted(results, key=lambda result: result.folder)
    for folder, several in groupby(folders, key=lambda result: result.folder):
        rows = list(several)
        suite = ElementTree.SubElement(root, "testsuite", _counts(rows) | {"name": folder})
        properties = ElementTree.SubElement(suite, "properties")
        ElementTree.SubElement(
            properties, "property", {"name": "ruling-verifier", "value": __version__}
        )
        for result in rows:
            case = ElementTree.SubElement(
                suite,
                "testcase",
                {
                    "name": _clean(result.name.rpartition("/")[2]),
                    "classname": _clean(folder.strip("/").replace("/", ".")),
                    "time": f"{result.seconds:.3f}",
                },
            )
            if result.status in _ELEMENTS:
                wrong = ElementTree.SubElement(
                    case,
                    _ELEMENTS[result.status],
                    {"message": _clean(result.told), "type": result.status},
                )
                wrong.text = _clean("\n".join(result.details))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=False)


def _counts(results: Sequence[Checked | Judged]) -> dict[str, str]:
    elements = Counter(_ELEMENTS.get(result.status) for result in results)
    return {
        "tests": str(len(results)),
        "failures": str(elements["failure"]),
        "errors": str(elements["error"]),
        "skipped": str(elements["skipped"]),
        "time": f"{sum(result.seconds for result in results):.3f}",
    }


def _clean(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
