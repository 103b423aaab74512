/* Draws the view that the address names, hears the keyboard, and while a run goes on looks for news. */
"use strict";

(() => {
  const EVERY = 3000; /* milliseconds between two looks for news */
  let drawn = null;
  AH.keys = {};

  const views = () => [
    ["board", "Leaderboard", AH.index.boards.length > 0],
    ["slices", "Slices", AH.index.slices.length > 0],
    ["compare", "Comparisons", AH.index.comparisons.length > 0],
    ["tasks", "Tasks", true],
  ].filter(([, , there]) => there);

  const draw = () => {
    const state = AH.state();
    const known = views();
    const view = AH.views[state.get("view")] ? state.get("view") : known[0][0];
    const same = drawn === view + (state.get("task") || "");
    AH.keys = {};
    document.getElementById("nav").replaceChildren(...known.map(([name, title]) => AH.link({ view: name, task: null, step: null },
      { "aria-current": name === view || (view === "task" && name === "tasks") ? "page" : null }, title)));
    document.getElementById("about").textContent = [AH.index.data, AH.index.form].filter(Boolean).join(" · ");
    const main = document.getElementById("main");
    main.className = "view-" + view;
    main.replaceChildren(...AH.views[view]().filter(Boolean));
    AH.loadReasons(draw); /* the filters of the address stand over a task, too */
    if (!same) window.scrollTo(0, 0);
    drawn = view + (state.get("task") || "");
  };

  document.addEventListener("keydown", (event) => {
    const inField = ["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName);
    if (inField || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = Object.hasOwn(AH.keys, event.key) ? AH.keys[event.key] : null;
    if (act) {
      event.preventDefault();
      act();
    }
  });

  document.getElementById("skip").addEventListener("click", (event) => {
    event.preventDefault(); /* the address holds the state of the page */
    document.getElementById("main").focus();
  });

  window.addEventListener("hashchange", draw);

  const watch = () => setTimeout(() => {
    const before = AH.index.stamp;
    AH.script("data/index.js?" + encodeURIComponent(before), () => {
      const busy = document.activeElement && ["INPUT", "SELECT"].includes(document.activeElement.tagName);
      if (AH.index.stamp !== before) {
        AH.loaded.clear();
        AH.reasons = null;
        if (!busy) draw();
      }
      watch();
    });
  }, EVERY);

  AH.script("data/index.js", (there) => {
    if (!there || !AH.index) {
      document.getElementById("main").replaceChildren(AH.el("p", { class: "error" }, "data/index.js is missing beside this page."));
      return;
    }
    draw();
    if (AH.index.stamp !== null) watch();
  });
})();
