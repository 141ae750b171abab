(() => {
  const all = (root, what) => [...root.querySelectorAll(what)];

  // --- One scenario -----------------------------------------------------------------------

  const report = (root) => {
    const data = JSON.parse(root.querySelector("script.data").textContent);
    const status = root.querySelector(".status");
    const view = root.querySelector(".graph");
    if (view) view.style.height = view.querySelector("svg").getAttribute("height") + "px";
    const shown = view && picture(view, all(root, "button[data-zoom]"));
    const parts = !view ? [] : all(view, "[data-node], [data-edge]").map((part) => ({
      part,
      node: part.dataset.node,
      edges: (part.dataset.edge || "").split(" ").filter(Boolean).map(Number),
      outcomes: new Set(
        `${part.dataset.outcomes || ""} ${part.dataset.outcome || ""}`
          .split(" ").filter(Boolean).map(Number)),
    }));
    const pressed = all(root, "button[data-outcome], button[data-effect], button[data-rule]");
    let lit = null;

    // The lines and nodes that belong to an outcome (a shortest way), an effect or a rule.
    const chosen = (kind, value) => {
      if (kind === "outcome") {
        const way = data.paths[value] || {edges: [], nodes: []};
        return {lines: new Set(way.edges), nodes: new Set(way.nodes)};
      }
      const lines = data[kind === "effect" ? "effects" : "rules"][value].edges;
      return {lines: new Set(lines), nodes: new Set(lines.flatMap((line) => data.edges[line]))};
    };

    const light = (kind, value, told) => {
      lit = kind && {kind, value};
      const {lines, nodes} = kind ? chosen(kind, value) : {lines: new Set(), nodes: new Set()};
      // Without a way that can be drawn, all that leads to the outcome.
      const belongs = ({node, edges, outcomes}) => lines.size
        ? nodes.has(node) || edges.some((edge) => lines.has(edge))
        : kind === "outcome" && outcomes.has(value);
      const on = [];
      for (const one of parts) {
        const is = belongs(one);
        if (is) on.push(one.part);
        one.part.classList.toggle("on", is);
        one.part.classList.toggle("path", is && lines.size > 0);
      }
      const number = lines.size;
      const found = on.length > 0;
      if (shown) shown.svg.classList.toggle("lit", found);
      if (found) shown.frame(on);
      for (const button of pressed)
        button.setAttribute("aria-pressed", !!kind && button.dataset[kind] === String(value));
      for (const row of all(root, "tr[data-row]"))
        row.classList.toggle("on", kind === "outcome" && row.dataset.row === String(value));
      for (const li of all(root, ".steps > li"))
        li.classList.toggle("lit", kind === "effect" || kind === "rule"
          ? li.dataset[kind === "effect" ? "effects" : "rules"].split("|").includes(String(value))
          : false);
      const what = number ? `${number} line${number === 1 ? "" : "s"} lit`
        : found ? "lit" : "not in the picture, which is folded; see the steps below";
      status.textContent = kind ? `${told}: ${what}` : "";
    };

    const outcome = (value) => {
      light("outcome", value, `Path to outcome ${value}`);
      walk(value, 0);
    };

    for (const button of pressed)
      button.addEventListener("click", () => {
        const kind = ["outcome", "effect", "rule"].find((k) => button.dataset[k] !== undefined);
        const value = kind === "rule" ? button.dataset.rule : Number(button.dataset[kind]);
        if (lit && lit.kind === kind && lit.value === value) light(null);
        else if (kind === "outcome") outcome(value);
        else light(kind, value, kind === "effect" ? data.effects[value].text : `Rule ${value}`);
      });
    if (view)
      view.addEventListener("click", (event) => {
        if (shown.dragged()) return;
        const part = event.target.closest("[data-outcomes]");
        const own = part ? part.dataset.outcomes.split(" ").map(Number) : [];
        if (own.length === 1) outcome(own[0]);
        else light(null);
      });
    root.addEventListener("keydown", (event) => {
      if (event.key === "Escape") light(null);
    });

    // --- Walkthroughs: one step after the other ---------------------------------------------

    const walks = all(root, ".walk");
    const select = root.querySelector(".walks select");
    const said = root.querySelector(".walks .place");
    const back = root.querySelector("button[data-go=back]");
    const forward = root.querySelector("button[data-go=forward]");
    let now = {walk: null, steps: [], place: 0};

    const step = (place, quiet = false) => {
      const {steps, walk: current} = now;
      if (place < 0 || place >= steps.length) return;
      now.place = place;
      steps.forEach((li, number) => {
        li.classList.toggle("now", number === place);
        if (number === place) li.setAttribute("aria-current", "step");
        else li.removeAttribute("aria-current");
      });
      said.textContent = `step ${place + 1} of ${steps.length}`;
      back.disabled = place === 0;
      forward.disabled = place === steps.length - 1;
      const edge = data.steps[current.dataset.walk][place];
      for (const {part, edges} of parts) {
        const here = !quiet && edge !== null && edges.includes(edge);
        part.classList.toggle("here", here);
        if (here) shown.reveal(part);
      }
    };

    const walk = (value, place, quiet = false) => {
      const found = walks.find((w) => w.dataset.walk === String(value));
      if (!found) return;
      for (const other of walks) other.classList.toggle("current", other === found);
      for (const li of now.steps) li.removeAttribute("aria-current");
      now = {walk: found, steps: all(found, ".steps > li"), place: 0};
      select.value = String(value);
      step(place, quiet);
    };

    if (walks.length) {
      select.addEventListener("change", () => outcome(Number(select.value)));
      back.addEventListener("click", () => step(now.place - 1));
      forward.addEventListener("click", () => step(now.place + 1));
      const keys = {
        ArrowRight: () => step(now.place + 1), ArrowLeft: () => step(now.place - 1),
        Home: () => step(0), End: () => step(now.steps.length - 1),
      };
      root.querySelector(".walks").addEventListener("keydown", (event) => {
        const inField = event.target === select || event.ctrlKey || event.metaKey || event.altKey;
        if (inField || !keys[event.key]) return;
        event.preventDefault();
        keys[event.key]();
      });
      for (const each of walks)
        all(each, ".steps > li").forEach((li, place) =>
          li.addEventListener("click", () => step(place)));
      walk(walks[0].dataset.walk, 0, true);
    }
  };

  // --- Several scenarios: the table and its filters -----------------------------------------

  const index = (root) => {
    const rows = all(root, "tbody tr"), fields = all(root, "[data-filter]");
    const status = root.querySelector(".count");
    const has = {
      text: (row, value) => row.textContent.toLowerCase().includes(value.toLowerCase()),
      card: (row, value) => row.dataset.cards.split("|").includes(value),
      rule: (row, value) => row.dataset.rules.split(" ").includes(value),
      verdict: (row, value) => row.dataset.verdict === value,
      claim: (row, value) => row.dataset.claim === value,
    };
    const filter = () => {
      let number = 0;
      for (const row of rows) {
        row.hidden = !fields.every((f) => !f.value || has[f.dataset.filter](row, f.value));
        number += !row.hidden;
      }
      status.textContent = `${number} of ${rows.length} scenarios`;
    };
    for (const field of fields)
      for (const kind of ["input", "change"]) field.addEventListener(kind, filter);
    root.querySelector("form").addEventListener("reset", () => setTimeout(filter));
    root.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
    filter();
  };

  document.documentElement.classList.add("js");
  for (const part of all(document, ".script")) part.hidden = false;
  // A report that is not shown has no size: it is set up when it is first looked at.
  const ready = new Set();
  const visit = () => {
    for (const root of all(document, ".report"))
      if (!ready.has(root) && root.offsetParent !== null) {
        ready.add(root);
        report(root);
      }
  };
  addEventListener("hashchange", visit);
  addEventListener("load", visit);
  addEventListener("beforeprint", () => all(document, "details").forEach((d) => { d.open = true; }));
  for (const root of all(document, ".index")) index(root);
  visit();
})();
