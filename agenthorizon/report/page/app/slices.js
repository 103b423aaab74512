/* Slices: the judges on parts of a split. */
"use strict";

(() => {
  const NAMES = { os: "operating system", app: "application" };
  const LINKED = { os: "os", app: "app" }; /* fields that are filters of the list, too */

  const linked = (found, row) => {
    const filter = Object.hasOwn(LINKED, found.by) ? LINKED[found.by] : null;
    if (!filter || !AH.fields[filter].values().includes(row.value)) return String(row.tasks);
    return AH.link(AH.onlyFilters({ split: found.split, [filter]: row.value }),
      { title: `The tasks of ${found.split} with ${row.value}` }, String(row.tasks));
  };

  const columns = (found) => {
    const values = [...new Set(found.rows.map((row) => row.value))];
    const rate = (head, key, title) => ({
      head, number: true, title, sort: (row) => row[key][0],
      cell: (row) => AH.el("span", { class: row.note && "faint" }, AH.figure(row[key])),
    });
    return [
      { head: found.by === "os" ? "System" : found.by[0].toUpperCase() + found.by.slice(1), stays: true,
        sort: (row) => values.indexOf(row.value), cell: (row) => (found.by === "os" ? AH.system(row.value) : row.value) },
      { head: "Judge", sort: (row) => row.judge, cell: (row) => row.judge, stays: true },
      rate("Balanced accuracy", "ba", AH.meaning.ba),
      { head: "0 to 100", cell: (row) => AH.interval(row.ba, 0, 1, 0.5), title: AH.meaning.drawn },
      rate("TPR", "tpr", AH.meaning.tpr), rate("TNR", "tnr", AH.meaning.tnr),
      { head: "Tasks", number: true, sort: (row) => row.tasks, cell: (row) => linked(found, row) },
      { head: "Note", cell: (row) => AH.el("small", { class: "note" }, row.note) },
    ];
  };

  const table = (found) => {
    const values = [...new Set(found.rows.map((row) => row.value))]; /* in their order; judges side by side in each */
    const rows = [...found.rows].sort((a, b) => values.indexOf(a.value) - values.indexOf(b.value));
    const title = `${found.split} by ${Object.hasOwn(NAMES, found.by) ? NAMES[found.by] : found.by}`;
    return AH.el("section", {}, AH.el("h2", {}, title), AH.table(columns(found), rows, { label: title }));
  };

  AH.views.slices = () => {
    const splits = [...new Set(AH.index.slices.map((found) => found.split))];
    const place = AH.el("div");
    const show = (split) => place.replaceChildren(
      AH.el("div", { class: "bar" }, AH.tabs("Split", splits, split, (name) => { AH.note({ board: name }); show(name); })),
      ...AH.index.slices.filter((found) => found.split === split).map(table));
    const asked = AH.state().get("board");
    show(splits.includes(asked) ? asked : splits[0]);
    return [
      AH.el("p", { class: "hint" }, "The same judges on parts of a split. Figures are grey where nothing can be concluded, "
        + "and Note says why: an interval wider than 30 points, or positives or negatives only."),
      AH.legend(columns(AH.index.slices[0])), place];
  };
})();
