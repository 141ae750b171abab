"""Graphs to look at: decisions, effects, layers, rules, cards.

Each is made once as a networkx graph (see `verifier.views.model`), and every format comes from
it.

>>> from verifier import explore
>>> view = explore("draw/notion_thief_three_players").decisions()
>>> view
<View decisions: 7 nodes, 7 edges>
>>> view.graph.nodes["choice1"]["player"]
'alice'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verifier.views.choices import decisions
    from verifier.views.corpus import cards
    from verifier.views.layers import layers
    from verifier.views.model import FORMATS, View
    from verifier.views.predicates import rules
    from verifier.views.relations import effects

__all__ = ["FORMATS", "View", "cards", "decisions", "effects", "layers", "rules"]

#: Where the names are that would be slow to import before they are used.
_LATER = {
    "FORMATS": "verifier.views.model",
    "View": "verifier.views.model",
    "cards": "verifier.views.corpus",
    "decisions": "verifier.views.choices",
    "effects": "verifier.views.relations",
    "layers": "verifier.views.layers",
    "rules": "verifier.views.predicates",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LATER[name]), name)
