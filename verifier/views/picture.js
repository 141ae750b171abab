// A picture to move about and to zoom: by mouse, touch and keyboard.  The wheel zooms in what
// has the focus, so that a page can be scrolled past it.
const picture = (view, buttons) => {
  const svg = view.querySelector("svg");
  const whole = svg.viewBox.baseVal;
  const full = {x: whole.x, y: whole.y, w: whole.width, h: whole.height};
  let at = {...full}, moved = 0;
  const held = new Map();
  const show = () => svg.setAttribute("viewBox", `${at.x} ${at.y} ${at.w} ${at.h}`);
  const scale = () => Math.max(at.w / view.clientWidth, at.h / view.clientHeight);
  const zoom = (factor, x, y) => {
    const w = Math.min(Math.max(at.w * factor, 60), full.w * 4), real = w / at.w;
    at = {x: x - (x - at.x) * real, y: y - (y - at.y) * real, w, h: at.h * real};
    show();
  };
  const middle = (factor) => zoom(factor, at.x + at.w / 2, at.y + at.h / 2);
  const move = (dx, dy) => { at.x += dx; at.y += dy; show(); };
  const point = (event) =>
    new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const fit = () => { at = {...full}; show(); };
  // Text in its full size, from the top, with the start in the middle if there is one.
  const readable = () => {
    const w = Math.min(full.w, view.clientWidth), h = Math.min(full.h, view.clientHeight);
    const start = svg.querySelector("[data-node=start]"), box = start && start.getBBox();
    const x = box ? box.x + box.width / 2 : full.x + full.w / 2;
    at = {x: Math.min(Math.max(x - w / 2, full.x), full.x + full.w - w), y: full.y, w, h};
    show();
  };
  // Show all of some parts, in their full size if there is room.
  const frame = (parts) => {
    const boxes = parts.map((part) => part.getBBox());
    const left = Math.min(...boxes.map((b) => b.x)), top = Math.min(...boxes.map((b) => b.y));
    const right = Math.max(...boxes.map((b) => b.x + b.width));
    const bottom = Math.max(...boxes.map((b) => b.y + b.height));
    if (left >= at.x && right <= at.x + at.w && top >= at.y && bottom <= at.y + at.h) return;
    const factor = Math.max(
      (right - left + 40) / view.clientWidth, (bottom - top + 40) / view.clientHeight, 1);
    const w = view.clientWidth * factor, h = view.clientHeight * factor;
    at = {x: (left + right - w) / 2, y: (top + bottom - h) / 2, w, h};
    show();
  };
  // Bring a part into view, if it is not.
  const reveal = (part) => {
    const box = part.getBBox();
    const x = box.x + box.width / 2, y = box.y + box.height / 2;
    if (x > at.x && x < at.x + at.w && y > at.y && y < at.y + at.h) return;
    move(x - at.x - at.w / 2, y - at.y - at.h / 2);
  };
  view.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && document.activeElement !== view) return;
    event.preventDefault();
    const p = point(event);
    zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, p.x, p.y);
  }, {passive: false});
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
  const acts = {in: () => middle(1 / 1.25), out: () => middle(1.25), fit, readable};
  const keys = {
    ArrowLeft: () => move(-at.w / 10, 0), ArrowRight: () => move(at.w / 10, 0),
    ArrowUp: () => move(0, -at.h / 10), ArrowDown: () => move(0, at.h / 10),
    "+": acts.in, "=": acts.in, "-": acts.out, 0: fit, f: readable,
  };
  view.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  for (const button of buttons) button.addEventListener("click", acts[button.dataset.zoom]);
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  if (view.clientHeight / full.h > 0.7 && view.clientWidth / full.w > 0.7) fit();
  else readable();
  // On paper the whole picture is shown.
  let kept = null;
  addEventListener("beforeprint", () => { kept = at; fit(); });
  addEventListener("afterprint", () => { at = kept || at; show(); });
  return {svg, frame, reveal, dragged: () => moved > 4};
};
