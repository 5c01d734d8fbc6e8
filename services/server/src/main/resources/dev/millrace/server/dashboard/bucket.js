// One bucket: what each of its shards holds.

import { at, find, post } from "./api.js";
import { card, emptyState, field, gauge, h, heading, replace, sure, table } from "./dom.js";
import { balances } from "./balance.js";
import { balance, levelText, tokens } from "./format.js";
import { repeat } from "./repeat.js";

const EVERY_MS = 2_000;

export async function show({ view, namespace, rest, link, say, quiet }) {
  const [entity, resource] = rest;
  const path = at(namespace, "buckets", entity, resource);
  const whole = h("div", {});
  const shards = h("div", {});
  replace(
    view,
    heading(`${entity} on ${resource}`, "All shards of the bucket, as they are stored now."),
    h("p", {}, h("a", { href: link("tenant", entity) }, `Back to ${entity}`)),
    card("Whole", whole),
    card("Shards", shards),
    card("Repair", repairs()),
  );
  draw(await find(path));
  return repeat(
    EVERY_MS,
    async (isGone) => {
      const bucket = await find(path);
      if (!isGone()) {
        draw(bucket);
      }
    },
    { say, quiet },
  );

  function draw(bucket) {
    if (bucket === null) {
      replace(whole, emptyState("There is no such bucket: it counts as full. Its first acquire makes it."));
      replace(shards, emptyState("No bucket, no shards."));
      return;
    }
    replace(
      whole,
      h("p", { class: "muted" }, `Limits from ${levelText(bucket.level)}. ${bucket.shards} of ${bucket.targetShards} shards.`),
      balances(bucket.limits),
    );
    replace(
      shards,
      table(
        "Shards",
        ["Shard", "Level", "Limit", "Available", "Consumed#"],
        bucket.parts.flatMap((part) =>
          part.limits.map((limit, i) => [
            i === 0 ? String(part.shard) : "",
            i === 0 ? String(part.level) : "",
            limit.name,
            h(
              "span",
              { class: "cell-gauge" },
              gauge(`shard ${part.shard}, ${limit.name}`, limit.availableMilli, limit.ceilingMilli),
              `${balance(limit.availableMilli)} of ${tokens(limit.ceilingMilli)}`,
            ),
            tokens(limit.consumedMilli),
          ]),
        ),
        "No shards.",
      ),
    );
  }

  function repairs() {
    const limit = h("input", { name: "limit", required: true, placeholder: "tpm", spellcheck: "false" });
    const amount = h("input", { name: "amount", required: true, type: "number", min: 1, step: 1, value: 1000 });
    const told = h("p", { "aria-live": "polite", class: "muted" });
    const run = async (work) => {
      try {
        const result = await work();
        told.textContent = `Done in ${result.shards} ${result.shards === 1 ? "shard" : "shards"}.`;
        draw(await find(path));
      } catch (e) {
        told.textContent = e.message;
      }
    };
    return [
      h(
        "form",
        {
          class: "bar",
          onsubmit: (event) => {
            event.preventDefault();
            run(() => post(`${path}/top-up`, { operation: operationId(), amounts: { [limit.value.trim()]: Number(amount.value) } }));
          },
        },
        field("Limit", limit),
        field("Tokens", amount),
        h("button", { type: "submit" }, "Top up"),
        h(
          "button",
          {
            type: "button",
            class: "danger",
            onclick: () =>
              sure(`Fill all limits of ${entity} on ${resource}? Debt is forgiven.`) &&
              run(() => post(`${path}/reset`, { operation: operationId() })),
          },
          "Fill up",
        ),
      ),
      told,
    ];
  }
}

/** Names an operation, so that it is done once however often it is sent. */
function operationId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `page-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
