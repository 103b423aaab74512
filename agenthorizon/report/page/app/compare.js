/* Comparisons: every two judges on the tasks that both were asked. */
"use strict";

(() => {
  /* A count of the tasks that one judge alone gets wrong; it leads to them. */
  const alone = (row, wrong, split) => {
    const count = row.alone[1 - wrong]; /* the data count who alone is right */
    const names = [row.first, row.second];
    const places = names.map(AH.judgeOf);
    if (places.includes(-1) || !count) return String(count);
    return AH.link(AH.onlyFilters({ split, ["j" + places[wrong]]: "wrong", ["j" + places[1 - wrong]]: "right" }),
      { title: `${names[wrong]} wrong, ${names[1 - wrong]} right` }, String(count));
  };

  const columns = (split) => [
    { head: "First", sort: (row) => row.first, cell: (row) => row.first, stays: true },
    { head: "Second", sort: (row) => row.second, cell: (row) => row.second, stays: true },
    { head: "Balanced accuracy", number: true, sort: (row) => row.ba[0], cell: (row) => AH.figure(row.ba, AH.points),
      title: "First minus second, in points; above 0 the first is better" },
    { head: "−100 to 100", cell: (row) => AH.interval(row.ba, -1, 1, 0), title: "The same drawn, with its interval; the line is 0" },
    { head: "p", number: true, sort: (row) => row.p, cell: (row) => (row.p === null ? "–" : row.p < 0.001 ? "< .001" : row.p.toFixed(3)),
      title: "Of the difference in balanced accuracy, by Holm over all pairs of the split" },
    { head: "Better", sort: (row) => row.better, cell: (row) => AH.el("span", { class: "short" }, row.better || "cannot tell"),
      title: "The judge that is better where p is below 0.05" },
    { head: "TPR", number: true, sort: (row) => row.tpr[0], cell: (row) => AH.figure(row.tpr, AH.points),
      title: "Difference of the shares of positives accepted, in points" },
    { head: "TNR", number: true, sort: (row) => row.tnr[0], cell: (row) => AH.figure(row.tnr, AH.points),
      title: "Difference of the shares of negatives rejected, in points" },
    { head: "Only first wrong", number: true, sort: (row) => row.alone[1], cell: (row) => alone(row, 0, split),
      title: "Tasks that the first gets wrong and the second right; the count leads to them" },
    { head: "Only second wrong", number: true, sort: (row) => row.alone[0], cell: (row) => alone(row, 1, split),
      title: "Tasks that the second gets wrong and the first right; the count leads to them" },
    { head: "Cohen's κ", number: true, sort: (row) => row.kappa, cell: (row) => (row.kappa === null ? "–" : AH.fixed(row.kappa, 2)),
      title: "Agreement of their verdicts beyond chance: 1 is full agreement, 0 is chance" },
    { head: "Errors shared, %", number: true, sort: (row) => row.overlap[0], cell: (row) => AH.percent(row.overlap[0]),
      title: "Of the tasks that either gets wrong, those that both do" },
  ];

  AH.views.compare = () => [
    AH.el("p", { class: "hint" }, "On the tasks that both judges were asked. Intervals of 95\u00a0% that respect pair groups."),
    AH.legend(columns("")),
    ...AH.index.comparisons.map((found) => AH.el("section", {}, AH.el("h2", {}, found.split),
      AH.table(columns(found.split), found.pairs, { label: "Comparisons " + found.split }))),
  ];
})();
