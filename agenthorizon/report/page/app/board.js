/* The leaderboard. */
"use strict";

AH.views = {};

(() => {
  AH.meaning = {
    ba: "Mean of TPR and TNR in percent, with its 95\u00a0% interval",
    tpr: "True positive rate: of the positives, those accepted, in percent",
    tnr: "True negative rate: of the negatives, those rejected, in percent",
    drawn: "Balanced accuracy drawn, with its interval; the line is chance, 50",
  };

  AH.judgeOf = (name) => AH.index.judges.findIndex((judge) => judge.name === name);

  const wrongOnes = (row, show, split, count) => {
    const n = AH.judgeOf(row.judge);
    if (count === null) return "–";
    if (n < 0 || count === 0) return String(count);
    return AH.link(AH.onlyFilters({ split, ["j" + n]: show }), {}, String(count));
  };

  const missed = (figure, total) => (figure[0] === null ? null : Math.round((1 - figure[0]) * total));

  const columns = (board, n) => {
    const split = board.splits[n];
    const score = (row) => row.scores[n];
    const rate = (head, name, title) => ({
      head, number: true, title,
      sort: (row) => (score(row) ? score(row)[name][0] : null),
      cell: (row) => (score(row) ? AH.figure(score(row)[name]) : "–"),
    });
    const of = (row, what) => { const j = AH.judgeOf(row.judge); return j < 0 ? null : AH.index.judges[j][what]; };
    const list = [
      { head: "Judge", sort: (row) => row.judge, cell: (row) => name(row, n), stays: true },
      rate("Balanced accuracy", "ba", AH.meaning.ba),
      { head: "0 to 100", cell: (row) => (score(row) ? AH.interval(score(row).ba, 0, 1, 0.5) : "–"),
        title: AH.meaning.drawn },
      rate("TPR", "tpr", AH.meaning.tpr), rate("TNR", "tnr", AH.meaning.tnr),
      rate("Mistake type", "mistakes", "Of the negatives whose mistake type is labelled, those rejected with that type named, in percent"),
      { head: "False accepts", number: true, title: "Negatives accepted or left without a verdict",
        sort: (row) => (score(row) ? missed(score(row).tnr, split.negatives) : null),
        cell: (row) => (score(row) ? wrongOnes(row, "accept", split.name, missed(score(row).tnr, split.negatives)) : "–") },
      { head: "False rejects", number: true, title: "Positives rejected or left without a verdict",
        sort: (row) => (score(row) ? missed(score(row).tpr, split.positives) : null),
        cell: (row) => (score(row) ? wrongOnes(row, "reject", split.name, missed(score(row).tpr, split.positives)) : "–") },
      { head: "No verdict", number: true, sort: (row) => (score(row) ? score(row).no_verdict : null),
        cell: (row) => (score(row) ? wrongOnes(row, "none", split.name, score(row).no_verdict) : "–") },
      { head: "Cost a task", number: true, sort: (row) => of(row, "cost"), cell: (row) => cost(of(row, "cost"), of(row, "kept")),
        title: "Of all attempts at it; answers that were kept are paid for once" },
      { head: "Median time", number: true, sort: (row) => of(row, "seconds"), cell: (row) => AH.seconds(of(row, "seconds")) },
      { head: "Protocol", title: "Whether screenshots and prompt were shown as the published protocol says, or what deviates", sort: (row) => row.protocol, cell: (row) => AH.el("span", { class: "protocol" }, row.protocol) },
    ];
    if (split.name !== board.ranked_on) return list;
    const rank = { head: "Rank", number: true, sort: (row) => (row.rank === null ? null : -row.rank), cell: (row) => row.place };
    const tied = { head: "Tied", sort: (row) => row.tied || null, cell: (row) => row.tied,
      title: "Judges that share a letter cannot be told apart on these tasks" };
    return board.rows.some((row) => row.tied) ? [rank, ...list.slice(0, 1), tied, ...list.slice(1)] : [rank, ...list];
  };

  const cost = (dollars, kept) => (kept && dollars !== null ? AH.el("span", {}, AH.money(dollars),
    AH.el("small", { class: "tag", title: `${kept} answers were kept and found again: paid for once, by this run or an earlier one` }, "kept"))
    : AH.money(dollars));

  const name = (row, n) => AH.el("span", { class: "judge" }, row.judge,
    row.source === "published" && AH.el("small", { class: "tag" }, "published"),
    row.notes[n] && AH.el("small", { class: "tag" }, row.notes[n]));

  const board = (found) => {
    const place = AH.el("div");
    const state = AH.state();
    let chosen = Math.max(0, found.splits.findIndex((split) => split.name === state.get("board")));
    let text = "";
    const draw = () => {
      const split = found.splits[chosen];
      const rows = found.rows.filter((row) => row.scores[chosen] && row.judge.toLowerCase().includes(text));
      place.replaceChildren(
        AH.el("p", { class: "hint" }, `${split.tasks} tasks, ${split.positives} positive, ${split.negatives} negative. `
          + "Percent with 95\u00a0% intervals that respect pair groups; a task without a verdict counts as wrong."),
        AH.table(columns(found, chosen), rows, { label: "Leaderboard " + split.name }),
        rows.length ? AH.legend(columns(found, chosen)) : AH.el("p", { class: "empty" }, "No judge has this in its name."));
    };
    const bar = AH.el("div", { class: "bar" });
    const tabs = () => bar.replaceChildren(
      AH.tabs("Split", found.splits.map((split) => split.name), found.splits[chosen].name, (name) => {
        chosen = found.splits.findIndex((split) => split.name === name);
        AH.note({ board: name });
        tabs();
        draw();
      }),
      AH.el("label", { class: "field" }, AH.el("span", {}, "Judge"),
        AH.el("input", { type: "search", name: "judge", placeholder: "filter", value: text,
          oninput: (event) => { text = event.target.value.toLowerCase(); draw(); } })));
    tabs();
    draw();
    return AH.el("section", {}, AH.el("h2", {}, found.title), bar, place);
  };

  const settings = () => AH.el("details", {}, AH.el("summary", {}, "How the judges were set"),
    AH.el("div", { class: "cards" }, ...AH.index.judges.map((judge) => AH.el("section", { class: "card" },
      AH.el("h3", {}, judge.name),
      AH.el("dl", {}, ...judge.setting.flatMap(([key, value]) => [AH.el("dt", {}, key), AH.el("dd", {}, value)]))))));

  AH.views.board = () => [
    ...AH.index.boards.map(board),
    AH.index.boards.length ? null : AH.el("p", { class: "empty" }, "No run was scored."),
    AH.index.judges.length ? settings() : null,
  ];
})();
