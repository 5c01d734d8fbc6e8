// Asks for tokens as a program would, and shows the whole answer.

import { at, send } from "./api.js";
import { card, field, h, heading, replace } from "./dom.js";

const SHOWN = ["ratelimit", "ratelimit-policy", "retry-after"];

export function show({ view, namespace, query }) {
  const entity = h("input", { name: "entity", required: true, placeholder: "key-42", spellcheck: "false", value: query.get("entity") ?? "" });
  const resource = h("input", { name: "resource", required: true, placeholder: "gpt-4o", spellcheck: "false", value: query.get("resource") ?? "" });
  const wait = h("input", { name: "maxWait", type: "number", min: 0, step: 1, placeholder: "0" });
  const amounts = h("div", { class: "limit-rows" });
  const answer = h("div", { id: "answer", "aria-live": "polite" });
  const lease = h("div", { id: "lease" });
  replace(
    view,
    heading("Try it", "Sends a real acquire: what is admitted is charged."),
    card(
      "Acquire",
      h(
        "form",
        {
          class: "stack",
          onsubmit: (event) => {
            event.preventDefault();
            acquire();
          },
        },
        h("div", { class: "bar" }, field("Tenant", entity), field("Resource", resource), field("Wait at most (s)", wait)),
        amounts,
        h(
          "p",
          { class: "actions" },
          h("button", { type: "submit", class: "primary" }, "Acquire"),
          h("button", { type: "button", class: "quiet", onclick: () => addAmount("", 1) }, "Add a limit"),
        ),
      ),
    ),
    answer,
    lease,
  );
  addAmount("rpm", 1);

  function addAmount(name, value) {
    const nth = amounts.childElementCount + 1;
    const row = h(
      "fieldset",
      { class: "limit-row" },
      h("legend", {}, `Amount ${nth}`),
      field("Limit", h("input", { name: "limit", required: true, value: name, spellcheck: "false" })),
      field("Tokens", h("input", { name: "amount", type: "number", required: true, min: 0, step: 1, value })),
      h("button", { type: "button", class: "quiet", "aria-label": `Remove amount ${nth}`, onclick: () => row.remove() }, "Remove"),
    );
    amounts.append(row);
  }

  const consumed = () =>
    Object.fromEntries(
      [...amounts.children].map((row) => [
        row.querySelector("[name=limit]").value.trim(),
        Number(row.querySelector("[name=amount]").value),
      ]),
    );

  async function acquire() {
    const body = { entity: entity.value.trim(), resource: resource.value.trim(), consume: consumed(), balances: true };
    if (Number(wait.value) > 0) {
      body.maxWait = `PT${Number(wait.value)}S`;
    }
    replace(lease);
    await ask("POST", at(namespace, "acquire"), body, (granted) => {
      if (granted.body?.lease) {
        replace(lease, holding(granted.body.lease, body.consume));
      }
    });
  }

  async function ask(method, path, body, then) {
    try {
      const got = await send(method, path, body);
      replace(answer, shown(method, path, got));
      if (got.status < 400) {
        then(got);
      }
    } catch (e) {
      replace(answer, h("p", { class: "note bad" }, e.message));
    }
  }

  /** What to do with what was granted. */
  function holding(held, charged) {
    const inputs = Object.entries(charged).map(([limit, value]) => [limit, h("input", { type: "number", step: 1, min: 0, value, name: `actual-${limit}` })]);
    const path = (what) => at(namespace, "leases", held.id, what);
    return card(
      "Lease",
      h("p", { class: "muted" }, `Held until ${held.expiresAt}. Settle with what the call really cost, or give everything back.`),
      h(
        "form",
        {
          class: "bar",
          onsubmit: (event) => {
            event.preventDefault();
            const actual = Object.fromEntries(inputs.map(([limit, input]) => [limit, Number(input.value)]));
            ask("POST", path("settle"), { actual }, () => replace(lease));
          },
        },
        inputs.map(([limit, input]) => field(`Really used: ${limit}`, input)),
        h("button", { type: "submit", class: "primary" }, "Settle"),
        h("button", { type: "button", onclick: () => ask("POST", path("release"), {}, () => replace(lease)) }, "Release"),
      ),
    );
  }
}

function shown(method, path, got) {
  const tone = got.status < 400 ? "good" : got.status === 429 ? "warn" : "bad";
  const fields = SHOWN.filter((name) => got.headers.has(name)).map((name) => [h("dt", {}, name), h("dd", {}, got.headers.get(name))]);
  return card(
    "Answer",
    h("p", {}, h("span", { class: `badge ${tone}`, id: "status" }, String(got.status)), ` ${title(got)} · ${got.ms.toFixed(0)} ms`),
    h("p", { class: "muted" }, h("code", {}, `${method} ${path}`)),
    fields.length > 0 ? h("dl", { class: "fields" }, fields) : null,
    h("pre", { tabindex: "0", "aria-label": "Body of the answer" }, JSON.stringify(got.body, null, 2) ?? ""),
  );
}

function title(got) {
  return got.body?.title ?? (got.status < 400 ? "Admitted" : "Not admitted");
}
