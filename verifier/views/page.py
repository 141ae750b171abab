"""A page around a picture, to move about and to zoom; it needs no network.

Works by mouse, touch and keyboard (arrows, plus, minus, 0, F).  A click on a node or an edge
with outcomes lights up what leads to the same outcomes; Escape ends that.
"""

from __future__ import annotations

from html import escape

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
  const view = document.getElementById("view"), svg = view.querySelector("svg");
  const whole = svg.viewBox.baseVal;
  const full = {x: whole.x, y: whole.y, w: whole.width, h: whole.height};
  let at = {...full};
  const show = () => svg.setAttribute("viewBox", `${at.x} ${at.y} ${at.w} ${at.h}`);
  const scale = () => Math.max(at.w / view.clientWidth, at.h / view.clientHeight);
  const zoom = (factor, x, y) => {
    const w = Math.min(Math.max(at.w * factor, 60), full.w * 4), real = w / at.w;
    at = {x: x - (x - at.x) * real, y: y - (y - at.y) * real, w, h: at.h * real};
    show();
  };
  const middle = (factor) => zoom(factor, at.x + at.w / 2, at.y + at.h / 2);
  const move = (dx, dy) => { at.x += dx; at.y += dy; show(); };
  const point = (event) => {
    const p = new DOMPoint(event.clientX, event.clientY);
    return p.matrixTransform(svg.getScreenCTM().inverse());
  };
  const readable = () => {
    const w = Math.min(full.w, view.clientWidth), h = Math.min(full.h, view.clientHeight);
    at = {x: full.x + (full.w - w) / 2, y: full.y, w, h};
    show();
  };
  const fit = () => { at = {...full}; show(); };
  const light = (found) => {
    svg.classList.toggle("lit", !!found);
    for (const g of svg.querySelectorAll("g[data-outcomes]")) {
      const own = g.dataset.outcomes.split(" ");
      g.classList.toggle("on", !!found && found.some((o) => own.includes(o)));
    }
  };
  view.addEventListener("wheel", (event) => {
    event.preventDefault();
    const p = point(event);
    zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, p.x, p.y);
  }, {passive: false});
  const held = new Map();
  let moved = 0;
  view.addEventListener("pointerdown", (event) => {
    held.set(event.pointerId, event);
    moved = 0;
  });
  view.addEventListener("pointermove", (event) => {
    const before = held.get(event.pointerId);
    if (!before) return;
    const dx = event.clientX - before.clientX, dy = event.clientY - before.clientY;
    moved += Math.abs(dx) + Math.abs(dy);
    if (moved > 4) view.setPointerCapture(event.pointerId);
    if (held.size === 1) move(-dx * scale(), -dy * scale());
    if (held.size === 2) {
      const other = [...held.values()].find((e) => e.pointerId !== event.pointerId);
      const gap = (e) => Math.hypot(e.clientX - other.clientX, e.clientY - other.clientY);
      const p = point(other);
      zoom(gap(before) / Math.max(gap(event), 1), p.x, p.y);
    }
    held.set(event.pointerId, event);
  });
  for (const end of ["pointerup", "pointercancel"])
    view.addEventListener(end, (event) => held.delete(event.pointerId));
  view.addEventListener("click", (event) => {
    if (moved > 4) return;
    const g = event.target.closest("g[data-outcomes]");
    light(g ? g.dataset.outcomes.split(" ") : null);
  });
  const keys = {
    ArrowLeft: () => move(-at.w / 10, 0), ArrowRight: () => move(at.w / 10, 0),
    ArrowUp: () => move(0, -at.h / 10), ArrowDown: () => move(0, at.h / 10),
    "+": () => middle(1 / 1.25), "=": () => middle(1 / 1.25), "-": () => middle(1.25),
    0: fit, f: readable, Escape: () => light(null),
  };
  view.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  for (const [id, act] of [["in", keys["+"]], ["out", keys["-"]], ["fit", fit], ["one", readable]])
    document.getElementById(id).addEventListener("click", act);
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  readable();
})();
"""


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
<button id="in" title="Zoom in (+)" aria-label="Zoom in">+</button>
<button id="out" title="Zoom out (-)" aria-label="Zoom out">-</button>
<button id="fit" title="All of it (0)">all</button>
<button id="one" title="Text in its full size (f)">1:1</button>
</div>
<div id="view" tabindex="0" role="application"
 aria-label="Picture: arrows move it, plus and minus zoom, 0 shows all">
{svg}</div>
<script>{_SCRIPT}</script>
</body>
</html>
"""
