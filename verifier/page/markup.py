"""HTML that is safe by construction: text is escaped unless it is `Markup`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from html import escape
from typing import Any, TypeAlias


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


#: What an element can hold; nothing for ``None`` and ``False``.
Child: TypeAlias = "str | int | bool | Iterable[Child] | None"

_EMPTY = frozenset({"br", "hr", "input", "link", "meta"})


def tag(name: str, *children: Child, **attributes: Any) -> Markup:
    """An element.

    Parameters
    ----------
    name
        Its name.
    children
        What it holds; text is escaped.
    attributes
        Its attributes.  ``class_`` is ``class``, ``data_x`` is ``data-x``; ``True`` is an
        attribute without a value, and ``None`` and ``False`` are none.
    """
    said = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in _EMPTY:
        return Markup(f"<{name}{said}>")
    return Markup(f"<{name}{said}>{join(children)}</{name}>")


def _attribute(key: str, value: Any) -> str:
    if value is None or value is False:
        return ""
    key = key.rstrip("_").replace("_", "-")
    return f" {key}" if value is True else f' {key}="{escape(str(value), quote=True)}"'


def join(children: Iterable[Child]) -> Markup:
    """Children one after the other."""
    return Markup("".join(map(_shown, children)))


def _shown(child: Child) -> str:
    if child is None or isinstance(child, bool):
        return ""
    if isinstance(child, Markup):
        return child
    if isinstance(child, str | int):
        return escape(str(child), quote=False)
    return join(child)


def data(value: Any) -> Markup:
    """A value as JSON that can stand in a script element."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    # Neither `</script>` nor `<!--` may occur there.
    return Markup(text.replace("<", "\\u003c"))
