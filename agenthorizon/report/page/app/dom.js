/* Makes elements. Texts become text nodes and nothing else: no data is ever read as markup. */
"use strict";

const AH = {};

/* AH.el("td", {class: "number", onclick: f}, "text", otherElement, null) */
AH.el = (name, attributes = {}, ...children) => AH.fill(document.createElement(name), attributes, children);

AH.svg = (name, attributes = {}, ...children) =>
  AH.fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

AH.fill = (element, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
};

AH.link = (changes, attributes, ...children) =>
  AH.el("a", { ...attributes, href: "#" + AH.address(changes) }, ...children);

// What rounds to zero has no sign: toFixed writes "-0.0".
AH.fixed = (value, digits) => {
  const written = value.toFixed(digits);
  return Number(written) === 0 ? written.replace("-", "") : written;
};

AH.percent = (value) => (value === null || value === undefined ? "–" : AH.fixed(100 * value, 1));

AH.points = (value) => {
  if (value === null || value === undefined) return "–";
  const written = AH.fixed(100 * value, 1);
  return value > 0 ? "+" + written : written.replace("-", "−");
};

AH.money = (value) => {
  if (value === null || value === undefined) return "–";
  return value === 0 ? "$0" : "$" + value.toFixed(value < 0.1 ? 4 : 2);
};

AH.seconds = (value) => {
  if (value === null || value === undefined) return "–";
  if (value < 0.05) return "< 0.1 s";
  return value < 10 ? value.toFixed(1) + " s" : Math.round(value) + " s";
};
