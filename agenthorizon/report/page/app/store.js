/* Holds the data, loads a task's file when it is looked at, and keeps what is shown in the address. */
"use strict";

/* Data files call this with a name and a JSON document. */
AH.receive = (name, text) => {
  const value = JSON.parse(text);
  if (name === "task") AH.loaded.set(value.key, value);
  if (name === "reasons") AH.reasons = new Map(value.map(([key, text]) => [key, text.toLowerCase()]));
  if (name === "index") AH.take(value);
};

AH.loaded = new Map();
AH.reasons = null; /* what all judges said of a task, to search in; loaded at the first search */
AH.index = null;

AH.take = (index) => {
  const columns = ["key", "id", "split", "text", "os", "apps", "steps", "letters", "named", "positive", "kind", "group", "recording"];
  index.tasks = index.tasks.map((row) => {
    const task = {};
    columns.forEach((name, n) => { task[name] = row[n] === undefined ? null : row[n]; });
    task.search = [task.text, task.id, task.os, ...task.apps].join("\n").toLowerCase();
    return task;
  });
  const shown = new Map(); /* group and recording → instructions it is shown with */
  index.tasks.forEach((task) => {
    const place = task.group + " " + task.recording;
    shown.set(place, (shown.get(place) || new Set()).add(task.text));
  });
  index.tasks.forEach((task) => {
    const isSwapped = task.positive === 0 && shown.get(task.group + " " + task.recording).size > 1;
    task.origin = task.positive === null ? "" : isSwapped ? "swapped recording" : "own recording";
  });
  index.byKey = new Map(index.tasks.map((task) => [task.key, task]));
  index.splits = [...new Set(index.tasks.map((task) => task.split))];
  AH.index = index;
};

AH.script = (path, done) => {
  const script = AH.el("script", { src: path });
  script.addEventListener("load", () => { script.remove(); done(true); });
  script.addEventListener("error", () => { script.remove(); done(false); });
  document.head.append(script);
};

const version = () => (AH.index.stamp === null ? "" : "?" + encodeURIComponent(AH.index.stamp));

/* Always answers later, when what asked stands in the document and can be measured. */
AH.load = (key, done) => {
  if (AH.loaded.has(key)) return queueMicrotask(() => done(AH.loaded.get(key)));
  return AH.script("data/tasks/" + key + ".js" + version(), () => done(AH.loaded.get(key) || null));
};

/* Calls back once what judges said can be searched, if a text is searched for and it could not be yet. */
AH.loadReasons = (done) => {
  if (AH.reasons || !AH.state().get("text")) return;
  AH.script("data/reasons.js" + version(), () => {
    AH.reasons = AH.reasons || new Map();
    done();
  });
};

/* ---- what is shown: view, task, step and filters, all in the part of the address after # */

AH.state = () => new URLSearchParams(location.hash.slice(1));

AH.address = (changes) => {
  const state = AH.state();
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") state.delete(name);
    else state.set(name, value);
  }
  return state.toString();
};

AH.go = (changes) => { location.hash = AH.address(changes); };

/* Changes the address without a new entry in the history and without drawing anew. */
AH.note = (changes) => history.replaceState(null, "", "#" + AH.address(changes));

/* ---- what a letter means */

AH.answers = { y: "accepts", n: "rejects", m: "malformed", f: "failed", "-": "no answer", ".": "not asked" };

AH.isVerdict = (letter) => letter === "y" || letter === "n";

/* right, wrong, or null where there is no label or the task was not asked */
AH.mark = (task, letter) => {
  if (task.positive === null || letter === ".") return null;
  return letter === (task.positive ? "y" : "n") ? "right" : "wrong";
};

AH.labelWord = (task) => (task.positive === null ? "" : task.positive ? "positive" : "negative");

/* What a judge answered, in a word; the colour and the border say whether it is right, and so does the title. */
AH.chip = (task, letter, withMark) => {
  const mark = AH.mark(task, letter);
  const tail = mark && ": " + mark;
  return AH.el("span", { class: "chip " + (mark || "open"), title: AH.answers[letter] + (tail || ""), "data-letter": letter },
    AH.answers[letter], withMark ? tail : AH.el("span", { class: "unseen" }, tail));
};

AH.chipLegend = () => (AH.index.blind ? null : AH.el("span", { class: "key" },
  AH.el("span", { class: "chip right" }, "right"), AH.el("span", { class: "chip wrong" }, "wrong"), " by the label"));

AH.shortId = (task) => task.id.slice(0, 8);

/* Systems as they are written; other names as they came. */
const SYSTEMS = { windows: "Windows", linux: "Linux", macos: "macOS", web: "Web", android: "Android", ios: "iOS" };
AH.system = (name) => (Object.hasOwn(SYSTEMS, name) ? SYSTEMS[name] : name);

/* What stands under an instruction in the list; the id and the recording tell rows of one instruction apart. */
AH.about = (task, id) => [task.split, AH.system(task.os), task.apps.join(", "), `${task.steps} steps`, task.origin, id]
  .filter(Boolean).join(" · ");
