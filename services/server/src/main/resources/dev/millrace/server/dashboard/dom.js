// Builds elements. Texts are always text nodes: nothing that a server says becomes markup.

const SVG = "http://www.w3.org/2000/svg";

/** h("button", { type: "button", onclick: f }, "Save"): an element with attributes and children. */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for the elements of a drawing. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) {
      continue;
    }
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else if (name === "value") {
      element.value = value;
    } else {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child);
    }
  }
}

/** Puts children in the place of those that were there. */
export function replace(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/** A field with its label. */
export function field(label, input, hint) {
  return h("label", {}, h("span", {}, label), input, hint ? h("small", {}, hint) : null);
}

/** A choice of texts, or of [value, text] pairs. */
export function choice(options, selected, attributes = {}) {
  return h(
    "select",
    attributes,
    options.map((option) => {
      const [value, text] = Array.isArray(option) ? option : [option, option];
      return h("option", { value, selected: value === selected }, text);
    }),
  );
}

/** A table; numeric columns are named with a trailing "#". */
export function table(caption, columns, rows, empty) {
  if (rows.length === 0) {
    return emptyState(empty);
  }
  const numeric = columns.map((column) => column.endsWith("#"));
  const cell = (tag, content, index, more = {}) =>
    h(tag, { ...more, class: numeric[index] ? "number" : null }, content);
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    h(
      "table",
      { class: columns.length > 3 ? "wide" : null },
      h("caption", { class: "hidden" }, caption),
      h("thead", {}, h("tr", {}, columns.map((c, i) => cell("th", c.replace(/#$/, ""), i, { scope: "col" })))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((content, i) => cell("td", content, i))))),
    ),
  );
}

/** What stands where there is nothing yet: what is missing, and what to do. */
export function emptyState(text, action) {
  return h("div", { class: "empty" }, h("p", {}, text), action);
}

/** A part of a page with its heading. */
export function card(title, ...children) {
  const id = `card-${title.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;
  return h("section", { class: "card", "aria-labelledby": id }, h("h2", { id }, title), children);
}

/** The head of a page; takes the focus when somebody went there. */
export function heading(title, lead) {
  return h("div", { class: "heading" }, h("h1", { tabindex: "-1" }, title), lead ? h("p", { class: "muted" }, lead) : null);
}

/** A balance as a gauge: what is there of what can be. */
export function gauge(label, available, ceiling) {
  const share = ceiling > 0 ? Math.max(0, available) / ceiling : 0;
  return h("meter", {
    "aria-label": label,
    min: 0,
    max: Math.max(1, ceiling),
    low: ceiling * 0.1,
    high: ceiling * 0.25,
    optimum: Math.max(1, ceiling),
    value: Math.max(0, available),
    title: `${Math.round(share * 100)} %`,
  });
}

/** Asks before something that cannot be taken back. */
export function sure(question) {
  return window.confirm(question);
}
