/* One task: instruction, film strip, every judge beside the label, and the other instruction of the pair. */
"use strict";

(() => {
  const facts = (told) => [
    told.confidence && `confidence ${told.confidence}`,
    told.cost !== null && AH.money(told.cost),
    told.seconds !== null && AH.seconds(told.seconds),
    told.input !== null && `${told.input.toLocaleString("en")} tokens in`,
    told.output !== null && `${told.output.toLocaleString("en")} out`,
    told.images !== null && `${told.images} images`,
    told.calls !== null && `${told.calls} tool calls`,
    told.model,
    told.attempt > 1 && `attempt ${told.attempt}`,
    told.missing > 0 && `${told.missing} screenshots missing`,
  ].filter(Boolean).join(" · ");

  const verdict = (task, judge, letter, told) => AH.el("section", { class: "card verdict " + (AH.mark(task, letter) || "open") },
    AH.el("h3", {}, judge.name, " ", AH.chip(task, letter, true)),
    told && told.mistake ? AH.el("p", { class: "named" }, "Names: ", told.mistake,
      task.kind ? (AH.index.mistakes[task.kind - 1] === told.mistake ? " (as labelled)" : " (another than labelled)") : "") : null,
    told && told.error ? AH.el("p", { class: "error" }, told.error) : null,
    told && told.reasoning ? AH.el("p", { class: "reasoning" }, told.reasoning) : null,
    told && told.repeats ? AH.el("p", { class: "facts" }, "repeats: ", ...[...told.repeats].map((one) => AH.chip(task, one))) : null,
    told ? AH.el("p", { class: "facts" }, facts(told)) : null);

  const label = (task) => (task.positive === null ? null : AH.el("section", { class: "card truth" },
    AH.el("h3", {}, "Label: ", AH.labelWord(task)),
    AH.el("p", {}, task.positive ? "The recording fulfils this instruction."
      : "The recording does not fulfil this instruction."),
    task.kind ? AH.el("p", { class: "named" }, AH.index.mistakes[task.kind - 1]) : null));

  const pair = (task) => {
    if (task.group === null) return null;
    const group = AH.index.tasks.filter((other) => other.group === task.group);
    const others = group.filter((other) => other.text !== task.text);
    const texts = [...new Set(others.map((other) => other.text))];
    if (!texts.length) return null;
    const recordings = [...new Set(group.map((other) => other.recording))];
    const instructions = [task.text, ...texts];
    const letter = (n) => String.fromCharCode(65 + (n % 26));
    return AH.el("section", { class: "pair" }, AH.el("h2", {}, "Instruction pair"),
      ...texts.map((text) => {
        const [mine, theirs] = AH.common(task.text, text);
        return AH.el("div", { class: "sides" },
          AH.el("div", { class: "card" }, AH.el("h3", {}, "This task"), AH.el("p", { class: "reasoning" }, ...AH.marked(mine))),
          AH.el("div", { class: "card" }, AH.el("h3", {}, "The other instruction"), AH.el("p", { class: "reasoning" }, ...AH.marked(theirs))));
      }),
      AH.table([
        { head: "Task", cell: (row) => AH.el("code", {}, AH.shortId(row)) },
        { head: "Instruction", cell: (row) => (row.text === task.text ? "this" : texts.length > 1 ? `other ${instructions.indexOf(row.text)}` : "the other") },
        { head: "Recording", cell: (row) => `${letter(recordings.indexOf(row.recording))}, ${row.origin.split(" ")[0]}${row.recording === task.recording ? " (this)" : ""}` },
        { head: "Label", cell: (row) => AH.labelWord(row) },
        { head: "Split", cell: (row) => row.split },
        ...AH.index.judges.map((judge, n) => ({ head: judge.name, cell: (row) => AH.chip(row, row.letters[n]) })),
        { head: "", cell: (row) => (row === task ? AH.el("span", { class: "short" }, "shown here") : AH.link({ view: "task", task: row.key, step: null }, {}, "open")) },
      ], group, { label: "Tasks of this pair" }));
  };

  const KEYS = "← → steps · Home End · + − 0 zoom · j k next and previous task · Esc list";

  const LIST = { view: "tasks", task: null, step: null };

  AH.views.task = () => {
    const state = AH.state();
    const task = AH.index.byKey.get(state.get("task"));
    if (!task) return [AH.el("p", { class: "empty" }, "There is no such task here.")];
    const list = AH.filtered();
    const at = list.indexOf(task);
    const to = (other) => other && AH.go({ view: "task", task: other.key, step: null });
    const turn = (other, text) => (other ? AH.link({ view: "task", task: other.key, step: null }, {}, text) : AH.el("span", { class: "faint" }, text));
    const place = AH.el("div", { class: "work" }, AH.el("p", {}, "Loading …"));
    const keys = { j: () => to(list[at + 1]), k: () => at > 0 && to(list[at - 1]), Escape: () => AH.go(LIST) };
    AH.keys = keys;
    AH.load(task.key, (found) => {
      if (AH.keys === keys) fill(place, task, found, Number(state.get("step") || 1) - 1); /* else another view was opened */
    });
    return [
      AH.el("div", { class: "path" }, AH.link(LIST, {}, "Tasks"),
        AH.el("span", {}, at < 0 ? "outside the filters" : `${at + 1} of ${list.length}`),
        turn(at > 0 ? list[at - 1] : null, "Previous"), turn(at < 0 ? list[0] : list[at + 1], "Next"),
        AH.el("span", { class: "keys" }, KEYS)),
      AH.el("h2", { class: "goal" }, task.text),
      AH.el("p", { class: "facts" }, AH.about(task, task.id)),
      place,
      pair(task),
    ];
  };

  const fill = (place, task, found, step) => {
    if (!found) {
      place.replaceChildren(AH.el("p", { class: "error" }, "The file of this task could not be loaded."));
      return;
    }
    const film = found.steps.length ? AH.film(found.steps, step) : null;
    place.replaceChildren(film ? film.element : AH.el("p", { class: "empty" }, "This recording has no steps."),
      AH.el("div", { class: "side" }, label(task),
        ...AH.index.judges.map((judge, n) => verdict(task, judge, task.letters[n], found.answers[n]))));
    if (film) {
      Object.assign(AH.keys, film.keys);
      film.start();
    }
  };
})();
