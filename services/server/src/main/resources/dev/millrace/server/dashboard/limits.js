// Edits the limits of one level. Nothing is saved before it was shown who is affected.

import { ApiError, at, find, put, remove } from "./api.js";
import { card, choice, emptyState, field, h, heading, replace, sure, table } from "./dom.js";
import { duration, levelText, limitsText, number, periodParts, time, tokens } from "./format.js";

const LEVELS = [
  ["system", "Whole namespace"],
  ["resource", "One resource"],
  ["entity", "One tenant"],
  ["entity+resource", "One tenant on one resource"],
];
const UNITS = ["sec", "min", "hour", "day"];
const MAX_HOURS = 5;

export async function show({ view, namespace, query, link }) {
  const level = choice(LEVELS, query.get("level") ?? "system", { name: "level" });
  const entity = h("input", { name: "entity", placeholder: "key-42", spellcheck: "false", value: query.get("entity") ?? "" });
  const resource = h("input", { name: "resource", placeholder: "gpt-4o", spellcheck: "false", value: query.get("resource") ?? "" });
  const entityField = field("Tenant", entity);
  const resourceField = field("Resource", resource);
  const rows = h("div", { class: "limit-rows" });
  const outcome = h("div", { id: "outcome", "aria-live": "polite" });
  const other = h("input", { type: "checkbox", name: "allowOtherPeriod" });
  const save = h("button", { type: "button", class: "primary", disabled: true, onclick: () => change() }, "Save");
  const editor = card(
    "Limits",
    rows,
    h("p", { class: "actions" }, h("button", { type: "button", class: "quiet", onclick: () => addRow() }, "Add a limit")),
    h("label", { class: "check" }, other, h("span", {}, "Allow another period than a weaker level has for a limit of the same name")),
    h(
      "p",
      { class: "actions" },
      h("button", { type: "button", onclick: () => preview() }, "Show who is affected"),
      save,
      h("button", { type: "button", class: "danger", onclick: () => previewDelete() }, "Remove all limits of this level"),
    ),
  );
  replace(
    view,
    heading("Limits", "Of the levels that have any limits, the strongest holds: tenant and resource, tenant, resource, namespace."),
    h(
      "form",
      {
        class: "bar",
        onsubmit: (event) => {
          event.preventDefault();
          load();
        },
      },
      field("Level", level),
      entityField,
      resourceField,
      h("button", { type: "submit" }, "Load"),
    ),
    editor,
    outcome,
  );
  const fit = () => {
    entityField.hidden = !level.value.startsWith("entity");
    resourceField.hidden = !level.value.endsWith("resource");
    entity.required = !entityField.hidden;
    resource.required = !resourceField.hidden;
    editor.hidden = true;
    replace(outcome);
  };
  level.addEventListener("change", fit);
  for (const input of [entity, resource]) {
    input.addEventListener("input", () => {
      editor.hidden = true;
      replace(outcome);
    });
  }
  rows.addEventListener("input", stale);
  other.addEventListener("change", stale);
  fit();
  if (level.value === "system" || query.has("level")) {
    await load();
  }

  function path() {
    const parts = [];
    if (!entityField.hidden) {
      parts.push("entities", entity.value.trim());
    }
    if (!resourceField.hidden) {
      parts.push("resources", resource.value.trim());
    }
    return at(namespace, ...parts, "limits");
  }

  /** What was shown no longer tells what saving would do. */
  function stale() {
    save.disabled = true;
    replace(outcome);
  }

  async function load() {
    try {
      const stored = await find(path());
      replace(rows);
      (stored?.limits ?? []).forEach((limit) => addRow(limit));
      if (rows.childElementCount === 0) {
        addRow();
      }
      editor.hidden = false;
      stale();
      if (stored?.shared) {
        replace(outcome, h("p", { class: "note" }, "These limits are shared between regions. Saving here makes them this region's own."));
      }
    } catch (e) {
      replace(outcome, problem(e));
    }
  }

  function addRow(limit) {
    const [count, unit] = limit ? (periodParts(limit.periodMs) ?? [1, "min"]) : [1, "min"];
    const nth = rows.childElementCount + 1;
    const input = (name, attributes) => h("input", { name, ...attributes });
    const soft = input("soft", { type: "checkbox" });
    soft.checked = limit?.soft ?? false;
    const row = h(
      "fieldset",
      { class: "limit-row" },
      h("legend", {}, `Limit ${nth}`),
      field("Name", input("name", { value: limit?.name ?? "", placeholder: "rpm", spellcheck: "false" })),
      field("Tokens", input("rate", { type: "number", min: 1, step: 1, value: limit ? limit.refillMilli / 1000 : "" })),
      field("Every", input("count", { type: "number", min: 1, step: 1, value: count })),
      field("Unit", choice(UNITS, unit, { name: "unit" })),
      field("Burst", input("burst", { type: "number", min: 1, step: 1, value: limit ? limit.burstMilli / 1000 : "", placeholder: "as many" })),
      h("label", { class: "check" }, soft, h("span", {}, "Soft")),
      h("button", {
        type: "button",
        class: "quiet",
        "aria-label": `Remove limit ${nth}`,
        onclick: () => {
          row.remove();
          stale();
        },
      }, "Remove"),
      limit && odd(limit) ? h("p", { class: "note" }, "This limit has parts that cannot be edited here, and saving would change them. Use the command line for it.") : null,
    );
    rows.append(row);
  }

  function body() {
    const limits = [...rows.children].map((row) => {
      const value = (name) => row.querySelector(`[name=${name}]`).value.trim();
      const limit = { name: value("name"), rate: Number(value("rate")), per: duration(Number(value("count")), value("unit")) };
      if (value("burst")) {
        limit.burst = Number(value("burst"));
      }
      return row.querySelector("[name=soft]").checked ? { ...limit, soft: true } : limit;
    });
    return other.checked ? { limits, allowOtherPeriod: true } : { limits };
  }

  async function preview() {
    try {
      const seen = await put(`${path()}?preview=true`, body());
      replace(outcome, affected(seen));
      save.disabled = false;
    } catch (e) {
      save.disabled = true;
      replace(outcome, problem(e));
    }
  }

  async function previewDelete() {
    try {
      const seen = await remove(`${path()}?preview=true`);
      replace(outcome, affected(seen), h("p", { class: "actions" }, h("button", { type: "button", class: "danger", onclick: () => forget() }, "Remove them now")));
    } catch (e) {
      replace(outcome, problem(e));
    }
  }

  async function change() {
    try {
      const result = await put(path(), body());
      save.disabled = true;
      replace(outcome, told(result, "Saved."));
    } catch (e) {
      replace(outcome, problem(e));
    }
  }

  async function forget() {
    if (!sure("Remove all limits of this level?")) {
      return;
    }
    try {
      const result = await remove(path());
      await load();
      replace(outcome, told(result, "Removed."));
    } catch (e) {
      replace(outcome, problem(e));
    }
  }

  function told(result, text) {
    const buckets = result.buckets ? ` ${number(result.buckets.changed)} of ${number(result.buckets.examined)} buckets follow it now.` : "";
    return h("p", { class: "note good" }, (result.changed ? text : "It was so already.") + buckets);
  }

  function affected(seen) {
    const count = seen.complete ? number(seen.buckets) : `at least ${number(seen.buckets)}`;
    return card(
      "Who is affected",
      h("p", { id: "affected" }, `${count} ${seen.buckets === 1 && seen.complete ? "bucket" : "buckets"} would follow. Before: ${limitsText(seen.before)}. After: ${limitsText(seen.after)}.`),
      seen.buckets === 0
        ? emptyState("Nobody has a bucket with these limits yet. They hold from the first acquire on.")
        : table(
            "Some of those who are affected",
            ["Tenant", "Resource", "Before", "After"],
            seen.sample.map((one) => [
              h("a", { href: link("tenant", one.entity) }, one.entity),
              one.resource,
              `${limitsText(one.before)} (from ${levelText(one.levelBefore)})`,
              `${limitsText(one.after)} (from ${levelText(one.levelAfter)})`,
            ]),
            "",
          ),
      seen.refused.length === 0
        ? null
        : [
            h("p", { class: "note bad" }, `More was used in ${seen.refused.length} ${seen.refused.length === 1 ? "hour" : "hours"} of the last day than the new limits admit. The most:`),
            table(
              "Hours with more usage than the new limits admit",
              ["Limit", "Hour (UTC)", "Used#", "Most#"],
              [...seen.refused].sort((a, b) => b.usedMilli - a.usedMilli).slice(0, MAX_HOURS).map((one) => [one.limit, time(one.hour), tokens(one.usedMilli), tokens(one.mostMilli)]),
              "",
            ),
          ],
    );
  }
}

/** Whether a limit says more than the fields here can. */
function odd(limit) {
  const parts = [limit.refillMilli, limit.burstMilli, limit.capacityMilli].some((milli) => milli % 1000 !== 0);
  return parts || periodParts(limit.periodMs) === null || limit.capacityMilli !== Math.min(limit.refillMilli, limit.burstMilli);
}

function problem(error) {
  const reason = error instanceof ApiError ? error.answer.body?.reason : null;
  return h("p", { class: "note bad" }, reason ? `${error.message} (${reason})` : error.message);
}
