"""What the charts of the notebooks have in common: how they look, and the same bytes each time."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

import matplotlib
from IPython.display import SVG

matplotlib.use("svg")  # no window, and none of the notebook's own pictures
from matplotlib import pyplot as plt

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Colours that people who see few colours tell apart (Okabe and Ito), one for each player.
PLAYERS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999")

#: The types of mana.
MANA = {
    "white": "#F5EFD3",
    "blue": "#4A90C2",
    "black": "#4B4550",
    "red": "#D1533E",
    "green": "#3F8F5B",
    "colorless": "#B5B1AC",
}

plt.rcParams.update(
    {
        "svg.fonttype": "none",  # text stays text
        "svg.hashsalt": "verifier",  # the names of parts are random unless salted
        "font.size": 10,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.color": "#DDDDDD",
        "legend.frameon": False,
        "figure.constrained_layout.use": True,
    }
)


def shown(figure: Figure) -> SVG:
    """A figure as what a cell shows; it is closed."""
    text = StringIO()
    figure.savefig(
        text, format="svg", bbox_inches="tight", metadata={"Date": None, "Creator": None}
    )
    plt.close(figure)
    return SVG(text.getvalue())
