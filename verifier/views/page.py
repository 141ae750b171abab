"""A page around a picture, to move about and to zoom; it needs no network.

Works by mouse, touch and keyboard (arrows, plus, minus, 0, F).  A click on a node or an edge
with outcomes lights up what leads to the same outcomes; Escape ends that.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

_STYLE = """
html,body{margin:0;height:100%;background:#fff;color:#15181b;font-family:Verdana,sans-serif}
#bar{position:fixed;right:12px;top:12px;display:flex;gap:6px;z-index:1}
#bar button{font:inherit;font-size:16px;min-width:36px;height:36px;border:1px solid #555b61;
border-radius:6px;background:#eff1f3;color:#15181b;cursor:pointer}
#bar button:focus-visible,#view:focus-visible{outline:3px solid #0067a5;outline-offset:1px}
#view{width:100%;height:100%;overflow:hidden;touch-action:none;cursor:grab}
#view svg{width:100%;height:100%;display:block}
.rv g[data-outcomes]{cursor:pointer}
.rv.lit g[data-outcomes]:not(.on){opacity:.18}
@media (prefers-color-scheme:dark){html,body{background:#16191c;color:#f2f4f6}
#bar button{background:#24282c;color:#f2f4f6;border-color:#aab1b8}}
@media print{#bar{display:none}}
"""

_SCRIPT = """
(() => {
  const view = document.getElementById("view");
  const shown = picture(view, document.querySelectorAll("#bar button"));
  const light = (found) => {
    shown.svg.classList.toggle("lit", !!found);
    for (const g of shown.svg.querySelectorAll("g[data-outcomes]")) {
      const own = g.dataset.outcomes.split(" ");
      g.classList.toggle("on", !!found && found.some((o) => own.includes(o)));
    }
  };
  view.addEventListener("click", (event) => {
    if (shown.dragged()) return;
    const g = event.target.closest("g[data-outcomes]");
    light(g ? g.dataset.outcomes.split(" ") : null);
  });
  view.addEventListener("keydown", (event) => { if (event.key === "Escape") light(null); });
  view.focus({preventScroll: true});
})();
"""


def picture_script() -> str:
    """The script with which a picture is moved about and zoomed."""
    return Path(__file__).with_name("picture.js").read_text(encoding="utf-8")


def page(title: str, svg: str) -> str:
    """The page."""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<style>{_STYLE}</style>
</head>
<body>
<div id="bar" role="toolbar" aria-label="View">
<button data-zoom="in" title="Zoom in (+)" aria-label="Zoom in">+</button>
<button data-zoom="out" title="Zoom out (-)" aria-label="Zoom out">-</button>
<button data-zoom="fit" title="All of it (0)">all</button>
<button data-zoom="readable" title="Text in its full size (f)">1:1</button>
</div>
<div id="view" tabindex="0" role="application"
 aria-label="Picture: arrows move it, plus and minus zoom, 0 shows all">
{svg}</div>
<script>{picture_script()}{_SCRIPT}</script>
</body>
</html>
"""
