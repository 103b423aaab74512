/* A table whose heads sort it, and the drawing of an interval. */
"use strict";

/* columns: [{head, title?, sort: row => value, cell: row => node, number?, stays?}]; the first one or two that stay are in
   sight however far the table is scrolled sideways. */
AH.table = (columns, rows, attributes = {}) => {
  let [by, down] = [null, false];
  const body = AH.el("tbody");
  const style = (column) => [column.number && "number", column.stays && "stays"].filter(Boolean).join(" ") || null;
  const heads = columns.map((column, n) => {
    const attributes = { scope: "col", class: style(column), title: column.title };
    if (!column.sort) return AH.el("th", attributes, column.head);
    return AH.el("th", { ...attributes, "aria-sort": "none" },
      AH.el("button", { type: "button", class: "sort", onclick: () => sortBy(n) }, column.head));
  });

  const order = (a, b) => {
    const [x, y] = [columns[by].sort(a), columns[by].sort(b)];
    if (x === null || y === null) return (x === null) - (y === null); /* what is undefined comes last */
    const found = typeof x === "string" ? x.localeCompare(y) : x - y;
    return down ? -found : found;
  };

  const draw = () => {
    const sorted = by === null ? rows : [...rows].sort(order);
    body.replaceChildren(...sorted.map((row) => AH.el("tr", {},
      ...columns.map((column) => AH.el("td", { class: style(column) }, column.cell(row))))));
    heads.forEach((head, n) => {
      if (columns[n].sort) head.setAttribute("aria-sort", n !== by ? "none" : down ? "descending" : "ascending");
    });
  };

  const sortBy = (n) => {
    down = by === n ? !down : Boolean(columns[n].number);
    by = n;
    draw();
  };

  draw();
  return AH.el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": attributes.label || "Table" },
    AH.el("table", {}, AH.el("thead", {}, AH.el("tr", {}, ...heads)), body));
};

/* What the heads mean, for those who cannot point at them; open where there is room. */
AH.legend = (columns) => AH.el("details", { class: "legend", open: window.innerWidth > 640 },
  AH.el("summary", {}, "What the columns say"),
  AH.el("dl", {}, ...columns.filter((column) => column.title)
    .map((column) => AH.el("div", {}, AH.el("dt", {}, column.head), AH.el("dd", {}, column.title)))));

/* A figure as text with its interval small beside it. */
AH.figure = ([value, low, high], write = AH.percent) => AH.el("span", { class: "figure" }, write(value),
  low === null || low === undefined ? null : AH.el("small", {}, ` ${write(low)} to ${write(high)}`));

/* The same drawn: a whisker and a dot between least and most; a line at `middle`. */
AH.interval = ([value, low, high], least, most, middle) => {
  if (value === null || value === undefined) return "–";
  const x = (v) => (100 * (Math.min(Math.max(v, least), most) - least)) / (most - least);
  const has = low !== null && low !== undefined;
  return AH.svg("svg", { class: "interval", viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" },
    AH.svg("line", { class: "middle", x1: x(middle), x2: x(middle), y1: 0, y2: 12 }),
    has && AH.svg("line", { class: "whisker", x1: x(low), x2: x(high), y1: 6, y2: 6 }),
    AH.svg("line", { class: "dot", x1: x(value), x2: x(value) + 0.01, y1: 6, y2: 6 }));
};

AH.choice = (label, name, options, selected, onchange) => {
  const select = AH.el("select", { name, onchange: (event) => onchange(event.target.value) },
    ...options.map(([value, text]) => AH.el("option", { value, selected: value === selected }, text)));
  return AH.el("label", { class: "field" }, AH.el("span", {}, label), select);
};

/* Buttons of which one is pressed. */
AH.tabs = (label, names, chosen, onchoose) => AH.el("div", { class: "tabs", role: "group", "aria-label": label },
  ...names.map((name) => AH.el("button",
    { type: "button", "aria-pressed": String(name === chosen), onclick: () => onchoose(name) }, name)));
