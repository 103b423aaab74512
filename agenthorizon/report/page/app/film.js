/* The film strip: one large screenshot with the action drawn on it, and all of them in a row. */
"use strict";

(() => {
  const ZOOMS = [1, 1.5, 2, 3, 4];

  /* Draws an action in pixels of the picture; lines keep their width at any size. */
  AH.drawing = (action, size) => {
    const shapes = SHAPES[action.kind];
    if (!size || !shapes || !action.points.length) return null;
    const [width, height] = size;
    const drawn = () => shapes(action.points, Math.max(width, height) / 60, action.detail);
    return AH.svg("svg", { class: "marks", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" },
      /* first a light copy underneath, so that it shows on any screen */
      AH.svg("g", { class: "halo" }, ...drawn()), AH.svg("g", { class: "ink" }, ...drawn()));
  };

  const ring = (x, y, r, more = {}) => AH.svg("circle", { cx: x, cy: y, r, ...more });
  const line = (x1, y1, x2, y2) => AH.svg("line", { x1, y1, x2, y2 });

  const arrow = (x1, y1, x2, y2, r) => {
    const turn = Math.atan2(y2 - y1, x2 - x1);
    const barb = (by) => line(x2, y2, x2 - r * Math.cos(turn + by), y2 - r * Math.sin(turn + by));
    return [line(x1, y1, x2, y2), barb(0.5), barb(-0.5)];
  };

  const cross = (x, y, r) => [line(x - r, y, x + r, y), line(x, y - r, x, y + r)];

  const square = (x, y, r) => AH.svg("rect", { x: x - r, y: y - r, width: 2 * r, height: 2 * r });

  /* Nothing is drawn on the place itself: what is clicked stays in sight. */
  const SHAPES = {
    click: ([x, y], r, detail) => [
      ring(x, y, r, { class: "click" }),
      /double|triple/.test(detail) ? ring(x, y, 1.7 * r) : null,
      detail.includes("triple") ? ring(x, y, 2.4 * r) : null,
      detail.includes("right") ? square(x, y, 1.6 * r) : null,
    ].filter(Boolean),
    drag: ([x, y, toX, toY], r) => [ring(x, y, r / 2, { class: "start" }), ...arrow(x, y, toX, toY, r)],
    move: ([x, y], r) => cross(x, y, r),
    scroll: ([x, y], r, detail) => {
      const way = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] }[detail] || [0, 1];
      return [ring(x, y, r / 3), ...arrow(x, y, x + 4 * r * way[0], y + 4 * r * way[1], r)];
    },
    other: ([x, y], r) => [ring(x, y, r), ...cross(x, y, r)],
  };

  /* Words for the action: what, where, and with which text. */
  AH.caption = (action) => {
    const words = [AH.el("strong", {}, action.said)];
    if (["text", "keys"].includes(action.kind)) words.push(" ", AH.el("kbd", { class: "typed" }, action.detail));
    if (action.points.length === 2) words.push(` at ${action.points.join(", ")}`);
    if (action.points.length === 4) words.push(` from ${action.points.slice(0, 2).join(", ")} to ${action.points.slice(2).join(", ")}`);
    return words;
  };

  /* The step whose screenshot is shown: this one, or the last before it that has any. */
  const pictured = (steps, n) => {
    for (let m = n; m >= 0; m -= 1) if (steps[m].image) return m;
    return n;
  };

  const picture = (step, n, attributes) => {
    if (!step.image) return AH.el("span", { class: "nothing" }, step.note || (AH.index.pictures ? "" : "pictures were left out"));
    const image = AH.el("img", { src: "images/" + step.image, alt: `Screenshot ${n + 1}`,
      width: step.size && step.size[0], height: step.size && step.size[1], ...attributes });
    image.addEventListener("error", () => image.replaceWith(AH.el("span", { class: "nothing" }, "this picture cannot be shown")));
    return image;
  };

  /* A drag with the mouse moves what is zoomed (a finger does so by itself); a press without one is a click. */
  const drags = (stage, onclick) => {
    let from = null;
    let moved = false;
    stage.addEventListener("pointerdown", (event) => {
      moved = false;
      from = event.pointerType === "mouse" && event.button === 0 ? event : null;
    });
    stage.addEventListener("pointermove", (event) => {
      if (!from || !(event.buttons & 1)) return;
      if (Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) > 4) moved = true;
      if (moved) stage.scrollBy(-event.movementX, -event.movementY);
    });
    stage.firstChild.addEventListener("click", () => { if (!moved) onclick(); });
  };

  AH.film = (steps, first) => {
    let [at, zoom] = [Math.min(Math.max(first, 0), steps.length - 1), 0];
    const screen = AH.el("div", { class: "screen" });
    const older = AH.el("p", { class: "older", hidden: true });
    const stage = AH.el("div", { class: "stage", tabindex: "0", role: "region", "aria-label": "Screenshot" }, screen);
    const caption = AH.el("p", { class: "caption", "aria-live": "polite", id: "caption" });
    const exact = AH.el("code", { class: "wording" });
    const typed = AH.el("div", { class: "bubble", hidden: true });
    const strip = AH.el("ol", { class: "strip" }, ...steps.map((step, n) => AH.el("li", {},
      AH.el("button", { type: "button", onclick: () => { show(n); held.scrollIntoView({ block: "nearest" }); }, "aria-label": `Step ${n + 1}: ${step.action.said}` },
        AH.el("span", { class: "frame" }, picture(step, n, { loading: "lazy", alt: "", draggable: "false" }),
          step.image ? AH.drawing(step.action, step.size) : null),
        AH.el("span", { class: "number" }, String(n + 1), " ", AH.el("small", {}, step.action.said))))));

    const show = (n) => {
      at = Math.min(Math.max(n, 0), steps.length - 1);
      const step = steps[at];
      const from = pictured(steps, at);
      const size = steps[from].image ? steps[from].size : null;
      if (size) element.style.setProperty("--ratio", String(size[0] / size[1]));
      screen.replaceChildren(picture(steps[from], from, { draggable: "false" }), ...[AH.drawing(step.action, size)].filter(Boolean));
      screen.classList.toggle("stale", from !== at);
      older.hidden = from === at;
      older.classList.toggle("low", Boolean(size) && step.action.points[1] < size[1] / 2); /* away from the action */
      older.textContent = `Screen of step ${from + 1}; ${step.note || "no screenshot of this one"}`;
      typed.hidden = !["text", "keys"].includes(step.action.kind);
      typed.textContent = step.action.detail;
      caption.replaceChildren(`Step ${at + 1} of ${steps.length}: `, ...AH.caption(step.action));
      exact.textContent = step.wording;
      [...strip.children].forEach((item, m) => {
        if (m === at) item.firstChild.setAttribute("aria-current", "step");
        else item.firstChild.removeAttribute("aria-current");
      });
      const box = strip.children[at];
      strip.scrollLeft = box.offsetLeft - (strip.clientWidth - box.offsetWidth) / 2;
      AH.note({ step: at ? String(at + 1) : null });
      refresh();
      look();
    };

    /* Keeps the place of the action in sight. */
    const look = () => {
      screen.style.setProperty("--zoom", String(ZOOMS[zoom]));
      stage.classList.toggle("zoomed", zoom > 0);
      const { action, size } = { action: steps[at].action, size: steps[pictured(steps, at)].size };
      if (!zoom || !size) return;
      const [x, y] = action.points.length ? action.points : [size[0] / 2, size[1] / 2];
      stage.scrollLeft = (x / size[0]) * screen.offsetWidth - stage.clientWidth / 2;
      stage.scrollTop = (y / size[1]) * screen.offsetHeight - stage.clientHeight / 2;
    };

    const zoomTo = (n) => { zoom = Math.min(Math.max(n, 0), ZOOMS.length - 1); refresh(); look(); };
    drags(stage, () => zoomTo(zoom ? 0 : 2));
    const ends = []; /* buttons, and when they can do nothing */
    const refresh = () => ends.forEach(([element, isDone]) => { element.disabled = isDone(); });
    const button = (text, label, act, isDone) => {
      const made = AH.el("button", { type: "button", "aria-label": label, title: label, onclick: act }, text);
      ends.push([made, isDone]);
      return made;
    };
    const [isFirst, isLast] = [() => at === 0, () => at === steps.length - 1];
    const controls = AH.el("div", { class: "controls", role: "group", "aria-label": "Steps and zoom" },
      button("|◀", "First step (Home)", () => show(0), isFirst), button("◀", "Step back (←)", () => show(at - 1), isFirst),
      button("▶", "Step forward (→)", () => show(at + 1), isLast), button("▶|", "Last step (End)", () => show(steps.length - 1), isLast),
      button("−", "Smaller (−)", () => zoomTo(zoom - 1), () => zoom === 0),
      button("+", "Larger (+)", () => zoomTo(zoom + 1), () => zoom === ZOOMS.length - 1),
      button("Whole", "The whole screenshot (0)", () => zoomTo(0), () => zoom === 0));
    const keys = {
      ArrowLeft: () => show(at - 1), ArrowRight: () => show(at + 1), Home: () => show(0), End: () => show(steps.length - 1),
      "+": () => zoomTo(zoom + 1), "=": () => zoomTo(zoom + 1), "-": () => zoomTo(zoom - 1), 0: () => zoomTo(0),
    };
    const held = AH.el("div", { class: "held" }, stage, older, typed);
    const element = AH.el("div", { class: steps.some((step) => step.image) ? "film" : "film bare" },
      AH.el("div", { class: "under" }, caption, controls), held, strip, exact);
    return { element, keys, start: () => show(at) };
  };
})();
