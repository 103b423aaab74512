/* The list of tasks, and what filters it. */
"use strict";

(() => {
  const PART = 100; /* rows drawn at a time */

  const marks = (task) => [...task.letters].map((letter) => AH.mark(task, letter)).filter((mark) => mark !== null);
  const wordsOn = (task) => (AH.reasons && AH.reasons.get(task.key)) || "";
  const said = (task) => [...task.letters].filter(AH.isVerdict);

  const SHOWN = {
    wrong: ["all judges wrong", (task) => marks(task).length > 0 && marks(task).every((mark) => mark === "wrong")],
    some: ["some judge wrong", (task) => marks(task).includes("wrong")],
    right: ["all judges right", (task) => marks(task).length > 0 && marks(task).every((mark) => mark === "right")],
    disagree: ["judges disagree", (task) => new Set(said(task)).size > 1],
    accept: ["some false accept", (task) => task.positive === 0 && marks(task).includes("wrong")],
    reject: ["some false reject", (task) => task.positive === 1 && marks(task).includes("wrong")],
    none: ["some without verdict", (task) => [...task.letters].some((letter) => "mf-".includes(letter))],
  };
  const NEEDS_LABEL = ["wrong", "some", "right", "accept", "reject"];

  const OF_JUDGE = {
    right: ["right", (task, letter) => AH.mark(task, letter) === "right"],
    wrong: ["wrong", (task, letter) => AH.mark(task, letter) === "wrong"],
    accept: ["false accept", (task, letter) => task.positive === 0 && AH.mark(task, letter) === "wrong"],
    reject: ["false reject", (task, letter) => task.positive === 1 && AH.mark(task, letter) === "wrong"],
    accepts: ["accepts", (task, letter) => letter === "y"],
    rejects: ["rejects", (task, letter) => letter === "n"],
    none: ["no verdict", (task, letter) => "mf-".includes(letter)],
  };

  const distinct = (values) => [...new Set(values)].filter(Boolean).sort();

  /* Fields of the data that can be chosen from. */
  AH.fields = {
    os: { label: "System", holds: (task, value) => task.os === value, written: AH.system,
      values: () => distinct(AH.index.tasks.map((task) => task.os)) },
    app: { label: "Application", holds: (task, value) => task.apps.includes(value), written: String,
      values: () => distinct(AH.index.tasks.flatMap((task) => task.apps)) },
  };

  /* Returns the tasks that the filters in the address leave. */
  AH.filtered = () => {
    const state = AH.state();
    const text = (state.get("text") || "").toLowerCase();
    const [split, show, kind] = [state.get("split"), SHOWN[state.get("show")], state.get("kind")];
    const judges = AH.index.judges
      .map((_, n) => [n, OF_JUDGE[state.get("j" + n)]])
      .filter(([, found]) => found);
    return AH.index.tasks.filter((task) => (!split || task.split === split)
      && (!text || task.search.includes(text) || wordsOn(task).includes(text))
      && (!show || show[1](task))
      && (!kind || String(task.kind) === kind)
      && Object.entries(AH.fields).every(([name, field]) => !state.get(name) || field.holds(task, state.get(name)))
      && judges.every(([n, [, holds]]) => holds(task, task.letters[n])));
  };

  const names = () => ["split", "show", "kind", "text", ...Object.keys(AH.fields), ...AH.index.judges.map((_, n) => "j" + n)];

  /* Returns what leads to the list with these filters and no others. */
  AH.onlyFilters = (filters) => ({ ...Object.fromEntries(names().map((name) => [name, null])), ...filters, view: "tasks" });

  const clear = () => AH.el("button", { type: "button", class: "quiet", onclick: () => AH.go(AH.onlyFilters({})) }, "Clear");

  AH.views.tasks = () => {
    const state = AH.state();
    const blind = AH.index.blind;
    const list = AH.el("div");
    const count = AH.el("span", { role: "status", id: "count" });
    const set = (name) => (value) => { AH.note({ [name]: value }); draw(); };
    const choice = (label, name, options) => AH.choice(label, name, [["", "any"], ...options], state.get(name) || "", set(name));
    const shown = Object.entries(SHOWN).filter(([name]) => !blind || !NEEDS_LABEL.includes(name));
    const ofJudge = Object.entries(OF_JUDGE).filter(([name]) => !blind || ["accepts", "rejects", "none"].includes(name));
    const bar = AH.el("form", { class: "bar filters", onsubmit: (event) => event.preventDefault() },
      AH.el("label", { class: "field wide" }, AH.el("span", {}, "Text"),
        AH.el("input", { type: "search", name: "text", value: state.get("text") || "",
          placeholder: "instruction, reasoning, id, app",
          oninput: (event) => { set("text")(event.target.value); AH.loadReasons(draw); } })),
      choice("Split", "split", AH.index.splits.map((name) => [name, name])),
      ...Object.entries(AH.fields).filter(([, field]) => field.values().length > 1)
        .map(([name, field]) => choice(field.label, name, field.values().map((value) => [value, field.written(value)]))),
      AH.index.judges.length ? choice("Tasks", "show", shown.map(([name, [words]]) => [name, words])) : null,
      blind || !AH.index.tasks.some((task) => task.kind) ? null : choice("Mistake type", "kind", [...AH.index.mistakes.map((name, n) => [String(n + 1), name]), ["0", "none"]]),
      ...AH.index.judges.map((judge, n) => choice(judge.name, "j" + n, ofJudge.map(([name, [words]]) => [name, words]))),
      clear());

    const draw = () => {
      const found = AH.filtered();
      const searching = AH.state().get("text") && !AH.reasons ? "; looking through the judges' reasons …" : "";
      const split = AH.state().get("split");
      const all = AH.index.tasks.filter((task) => !split || task.split === split).length;
      count.textContent = (split ? `${found.length} of the ${all} tasks in ${split}` : `${found.length} of ${all} tasks`) + searching;
      const items = AH.el("ol", { class: "tasks" });
      const more = AH.el("button", { type: "button", class: "quiet", onclick: () => grow() }, "Show more");
      const grow = () => {
        const at = items.children.length;
        items.append(...found.slice(at, at + PART).map(item));
        more.hidden = items.children.length >= found.length;
      };
      grow();
      list.replaceChildren(found.length ? items : AH.el("p", { class: "empty" }, "No task is left; change or clear the filters. ", clear()), more);
    };
    draw();
    return [bar, AH.el("p", { class: "hint counted" }, count, AH.index.judges.length ? AH.chipLegend() : null), list];
  };

  const item = (task) => AH.el("li", {}, AH.link({ view: "task", task: task.key, step: null }, { class: "row" },
    AH.el("span", { class: "what" },
      AH.el("span", { class: "instruction" }, task.text),
      AH.el("span", { class: "facts" }, AH.about(task, AH.shortId(task)))),
    task.positive === null ? null : AH.el("span", { class: "label" },
      AH.labelWord(task), task.kind ? AH.el("small", {}, AH.index.mistakes[task.kind - 1]) : null),
    AH.el("span", { class: "verdicts" }, ...AH.index.judges.map((judge, n) => AH.el("span", { class: "said" },
      AH.el("span", { class: "who" }, judge.name), AH.chip(task, task.letters[n]))))));
})();
