// Who has limits, and who is below whom: a tree that is asked for branch by branch, and a search.

import { at, get, withQuery } from "./api.js";
import { emptyState, field, h, heading, replace } from "./dom.js";
import { number } from "./format.js";

const PAUSE_MS = 200;
const PAGE = 50;

export async function show({ view, namespace, link, query, say }) {
  const found = h("div", { id: "found", "aria-live": "polite" });
  const search = h("input", {
    type: "search",
    name: "prefix",
    placeholder: "key-42",
    autocomplete: "off",
    spellcheck: "false",
    value: query.get("q") ?? "",
  });
  replace(
    view,
    heading("Tenants", "Keys, teams, organisations: whoever has limits."),
    h("form", { class: "bar", role: "search", onsubmit: (event) => event.preventDefault() }, field("Id begins with", search)),
    h("div", { class: "card" }, found),
  );

  let timer = null;
  let turn = 0;

  async function look() {
    const mine = ++turn;
    const prefix = search.value.trim();
    const list = await get(withQuery(at(namespace, "entities"), { prefix, pageSize: PAGE }));
    if (mine === turn) {
      replace(found, prefix ? results(list, prefix) : roots(list));
    }
  }

  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => look().catch((e) => say(e.message)), PAUSE_MS);
  };
  search.addEventListener("input", soon);
  await look();
  return () => {
    turn++;
    clearTimeout(timer);
  };

  function results(list, prefix) {
    if (list.items.length === 0) {
      return emptyState(
        list.complete
          ? `No tenant's id begins with “${prefix}”.`
          : `No tenant whose id begins with “${prefix}” is among the first that were looked at. Give the whole id.`,
      );
    }
    return [
      h("ul", { class: "tree" }, list.items.map((entity) => h("li", {}, row(entity)))),
      list.complete ? null : h("p", { class: "muted" }, "There may be more: give a longer beginning."),
    ];
  }

  function roots(list) {
    if (list.items.length === 0) {
      return emptyState(
        "There are no tenants in this namespace yet. Limits work without; to nest them, create some:",
        h("code", {}, "millrace entity create acme"),
      );
    }
    return branch(list, at(namespace, "entities"), "tree");
  }

  /** A list of entities, each of which opens when it has children. */
  function branch(list, path, className) {
    const items = h("ul", { class: className }, list.items.map(node));
    if (list.cursor) {
      const more = h("button", { type: "button", class: "quiet" }, "More");
      const line = h("li", {}, more);
      more.addEventListener("click", () =>
        expand(more, async () => {
          const next = await get(withQuery(path, { pageSize: PAGE, cursor: list.cursor }));
          line.replaceWith(...branch(next, path, className).childNodes);
        }),
      );
      items.append(line);
    }
    return items;
  }

  function node(entity) {
    if (entity.children === 0) {
      return h("li", {}, h("span", { class: "leaf", "aria-hidden": "true" }), row(entity));
    }
    const item = h("li", {});
    const toggle = h("button", {
      type: "button",
      class: "toggle",
      "aria-expanded": "false",
      "aria-label": `Children of ${entity.id}`,
    });
    let below = null;
    toggle.addEventListener("click", () =>
      expand(toggle, async () => {
        const open = toggle.getAttribute("aria-expanded") === "true";
        if (!open && below === null) {
          const path = at(namespace, "entities", entity.id, "children");
          below = branch(await get(withQuery(path, { pageSize: PAGE })), path, "");
          item.append(below);
        }
        below.hidden = open;
        toggle.setAttribute("aria-expanded", String(!open));
      }),
    );
    item.append(toggle, row(entity));
    return item;
  }

  async function expand(button, work) {
    button.disabled = true;
    try {
      await work();
    } catch (e) {
      say(e.message);
    }
    button.disabled = false;
  }

  function row(entity) {
    return h(
      "span",
      { class: "entity" },
      h("a", { href: link("tenant", entity.id) }, entity.id),
      entity.name ? h("span", { class: "muted" }, entity.name) : null,
      entity.children > 0 ? h("span", { class: "badge" }, `${number(entity.children)} below`) : null,
      entity.cascade ? h("span", { class: "badge" }, "draws on its parent") : null,
      entity.disabled ? h("span", { class: "badge bad" }, "switched off") : null,
    );
  }
}
