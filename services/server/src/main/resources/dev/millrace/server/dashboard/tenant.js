// One tenant: its limits and where they come from, what it has left, what it used, what was changed.

import { at, find, get, put, withQuery } from "./api.js";
import { balances } from "./balance.js";
import { card, choice, emptyState, field, h, heading, replace, sure, table } from "./dom.js";
import { levelText, limitText, time } from "./format.js";
import { plot } from "./plot.js";
import { repeat } from "./repeat.js";

const EVERY_MS = 2_000;
const TONES = ["accent", "second", "third"];
const MAX_PLOTS = 6;
const MAX_PIECES = 400;
const WINDOWS = { hour: 24 * 3_600_000, day: 30 * 86_400_000, month: 366 * 86_400_000 };

export async function show({ view, namespace, rest, link, say, quiet }) {
  const [id] = rest;
  const entity = await find(at(namespace, "entities", id));
  const held = h("div", { id: "balances" });
  const usage = h("div", {});
  const audit = h("div", {});
  replace(
    view,
    heading(id, entity?.name),
    facts(entity),
    card("Limits and balances", held, explaining()),
    card("Usage", usage),
    card("Recent changes", audit),
  );

  const path = withQuery(at(namespace, "entities", id, "buckets"), { pageSize: 50 });
  const page = await get(path);
  replace(held, buckets(page.items));
  await showUsage(page.items.map((one) => one.resource));
  await showAudit();
  // Balances move while one looks at them.
  return repeat(
    EVERY_MS,
    async (isGone) => {
      const next = await get(path);
      if (!isGone() && !held.contains(document.activeElement)) {
        replace(held, buckets(next.items));
      }
    },
    { say, quiet },
  );

  function facts(found) {
    if (found === null) {
      return h("p", { class: "note" }, "Nothing is stored about this tenant; limits do not need it.");
    }
    return h(
      "div",
      { class: "facts" },
      found.parent ? h("span", {}, "Below ", h("a", { href: link("tenant", found.parent) }, found.parent)) : h("span", {}, "At the top"),
      found.cascade ? h("span", { class: "badge" }, "draws on its parent") : null,
      found.children > 0 ? h("a", { href: `${link("tenants")}?q=${encodeURIComponent(id)}` }, `${found.children} below it`) : null,
      found.disabled ? h("span", { class: "badge bad" }, "switched off") : h("span", { class: "badge good" }, "on"),
      switching(found),
      h("span", { class: "muted" }, `since ${time(found.createdAt)} UTC`),
    );
  }

  function switching(found) {
    const button = h("button", { type: "button", class: "small" }, found.disabled ? "Switch on" : "Switch off");
    button.addEventListener("click", async () => {
      if (!found.disabled && !sure(`Switch ${id} off? All its acquires are refused, and those that draw on it.`)) {
        return;
      }
      button.disabled = true;
      try {
        await put(at(namespace, "switches", "entities", id), { disabled: !found.disabled });
        window.dispatchEvent(new HashChangeEvent("hashchange"));
      } catch (e) {
        say(e.message);
        button.disabled = false;
      }
    });
    return button;
  }

  function buckets(items) {
    if (items.length === 0) {
      return emptyState(
        "This tenant has not acquired anything yet, so it has no balances. Its first acquire makes them.",
        h("a", { class: "button", href: `${link("try")}?entity=${encodeURIComponent(id)}` }, "Try an acquire"),
      );
    }
    return items.map((bucket) =>
      h(
        "article",
        { class: "bucket" },
        h(
          "header",
          {},
          h("h3", {}, bucket.resource),
          h("span", { class: "muted" }, `limits from ${levelText(bucket.level)}`),
          bucket.disabled ? h("span", { class: "badge bad" }, "switched off") : null,
          h("span", { class: "spring" }),
          h("a", { href: link("bucket", id, bucket.resource) }, `${bucket.shards} ${bucket.shards === 1 ? "shard" : "shards"}`),
          h("a", { href: editLink(bucket.resource) }, "Edit limits"),
        ),
        balances(bucket.limits),
      ),
    );
  }

  function editLink(resource) {
    const query = new URLSearchParams({ level: "entity+resource", entity: id, resource });
    return `${link("limits")}?${query}`;
  }

  function explaining() {
    const resource = h("input", { name: "resource", required: true, placeholder: "gpt-4o", spellcheck: "false" });
    const answer = h("div", { "aria-live": "polite" });
    return h(
      "details",
      {},
      h("summary", {}, "Why does it have these limits?"),
      h(
        "form",
        {
          class: "bar",
          onsubmit: async (event) => {
            event.preventDefault();
            try {
              replace(answer, explained(await get(at(namespace, "entities", id, "explain", resource.value.trim()))));
            } catch (e) {
              replace(answer, emptyState(e.message));
            }
          },
        },
        field("Resource", resource),
        h("button", { type: "submit" }, "Explain"),
      ),
      answer,
    );
  }

  function explained(why) {
    return [
      table(
        "Where each limit comes from",
        ["Limit", "Holds", "From", "Elsewhere, not counting"],
        why.limits.map((limit) => [
          limit.name,
          limitText(limit),
          levelText(limit.from),
          Object.entries(limit.elsewhere).map(([level, text]) => `${text} (${levelText(level)})`).join(", ") || "–",
        ]),
        "No level has limits for this resource: calls must bring them.",
      ),
      h(
        "p",
        { class: "muted" },
        why.cascade ? "An acquire also draws on: " : "An acquire draws on nobody else.",
        why.ancestors.filter((one) => one.drawnOn).map((one) => h("a", { href: link("tenant", one.entity) }, `${one.entity} `)),
      ),
    ];
  }

  async function showUsage(resources) {
    if (resources.length === 0) {
      replace(usage, emptyState("Nothing was used yet."));
      return;
    }
    const resource = choice(resources, resources[0], { name: "usage-resource" });
    const window = choice([["hour", "by hour"], ["day", "by day"], ["month", "by month"]], "hour", { name: "usage-window" });
    const drawn = h("div", { class: "stack" });
    const draw = async () => {
      const from = new Date(Date.now() - WINDOWS[window.value]).toISOString();
      const list = await get(
        withQuery(at(namespace, "usage"), { entity: id, resource: resource.value, window: window.value, from, pageSize: 100 }),
      );
      replace(drawn, usagePlot(list.items, window.value));
    };
    const again = () => draw().catch((e) => say(e.message));
    resource.addEventListener("change", again);
    window.addEventListener("change", again);
    replace(usage, h("div", { class: "bar" }, field("Resource", resource), field("Pieces", window)), drawn);
    await draw();
  }

  function usagePlot(items, unit) {
    if (items.length === 0) {
      return emptyState("No usage was counted in this time. It is counted by the aggregator (millrace worker), a little later than it happens.");
    }
    const pieces = withoutGaps(items, unit);
    const text = (start) => (unit === "hour" ? start.slice(11, 16) : start.slice(0, unit === "day" ? 10 : 7));
    const ticks = [[0, text(pieces[0].start)], [pieces.length - 1, text(pieces.at(-1).start)]].slice(pieces.length < 2 ? 1 : 0);
    // Each limit has a scale of its own: tokens would hide requests.
    return [...new Set(items.flatMap((one) => Object.keys(one.totalMilli)))].slice(0, MAX_PLOTS).map((name, i) => {
      const drawing = plot(`Usage of ${name} by ${unit}`, "bars", 140);
      drawing.show([{ name, tone: TONES[i % TONES.length], values: pieces.map((one) => (one.totalMilli[name] ?? 0) / 1000) }], ticks);
      return drawing.element;
    });
  }

  async function showAudit() {
    const list = await get(withQuery(at(namespace, "audit"), { entity: id, pageSize: 10 }));
    replace(
      audit,
      table(
        "Recent changes",
        ["When (UTC)", "Who", "What", "After"],
        list.items.map((one) => [time(one.at), one.actor, one.action, summary(one.after)]),
        "Nothing about this tenant was changed yet.",
      ),
    );
  }
}

/** Pieces in which nothing was used are not told; here they are shown as nothing. */
function withoutGaps(items, unit) {
  const known = new Map(items.map((item) => [Date.parse(item.start), item]));
  const pieces = [];
  const last = Date.parse(items.at(-1).start);
  for (let at = new Date(items[0].start); at <= last && pieces.length < MAX_PIECES; at = next(at, unit)) {
    pieces.push(known.get(at.getTime()) ?? { start: at.toISOString(), totalMilli: {} });
  }
  return pieces;
}

function next(at, unit) {
  const then = new Date(at);
  if (unit === "month") {
    then.setUTCMonth(then.getUTCMonth() + 1);
  } else {
    then.setTime(then.getTime() + (unit === "hour" ? 3_600_000 : 86_400_000));
  }
  return then;
}

const summary = (fields) => Object.entries(fields).map(([name, value]) => `${name} ${value}`).join(", ") || "–";
