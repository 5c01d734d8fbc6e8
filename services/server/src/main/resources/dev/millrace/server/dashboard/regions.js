// Regions that share limits: what each has of them, and how old what is known of the others is.

import { at, get, withQuery } from "./api.js";
import { card, emptyState, field, h, heading, replace, table } from "./dom.js";
import { age, number } from "./format.js";

const OLD_MS = 60_000;

export async function show({ view, namespace }) {
  const status = await get(at(namespace, "regions"));
  replace(view, heading("Regions", "Several regions can share one limit; each enforces the part it holds."), status.shared ? shared(status) : alone());

  function alone() {
    return emptyState(
      "This namespace shares nothing with other regions. To begin, say in every region which one it is:",
      h("code", {}, "millrace regions found eu-central-1 --founders eu-central-1,us-east-1"),
    );
  }

  function shared(all) {
    const exchange = all.exchange;
    return [
      card(
        "Who shares",
        table(
          "Regions",
          ["Region", "State", "Mean share", "Snapshot age#"],
          all.regions.map((region) => [
            region === all.region ? h("strong", {}, `${region} (this one)`) : region,
            state(all, region),
            share(exchange?.meanSharesPpm?.[region]),
            region === all.region ? "–" : snapshotAge(exchange?.agesMs, region),
          ]),
          "Nobody.",
        ),
        exchange ? null : h("p", { class: "muted" }, "This server does not read what regions publish, so only what is stored here is shown."),
      ),
      card("Shares of one bucket", looking()),
    ];
  }

  function state(all, region) {
    if (all.evictedRegions.includes(region) || (region === all.region && all.out)) {
      return h("span", { class: "badge bad" }, "evicted");
    }
    return all.draining.includes(region) ? h("span", { class: "badge warn" }, "draining") : h("span", { class: "badge good" }, "shares");
  }

  function share(ppm) {
    return ppm === undefined || ppm === null
      ? "–"
      : h("span", { class: "cell-gauge" }, h("meter", { min: 0, max: 1_000_000, value: ppm, "aria-label": "share" }), `${(ppm / 10_000).toFixed(1)} %`);
  }

  function snapshotAge(ages, region) {
    const known = ages?.[region];
    if (known === undefined || known === null) {
      return "unknown";
    }
    return known > OLD_MS ? h("span", { class: "badge warn" }, age(known)) : age(known);
  }

  function looking() {
    const entity = h("input", { name: "entity", required: true, placeholder: "acme", spellcheck: "false" });
    const resource = h("input", { name: "resource", required: true, placeholder: "gpt-4o", spellcheck: "false" });
    const answer = h("div", { "aria-live": "polite" });
    return [
      h(
        "form",
        {
          class: "bar",
          onsubmit: async (event) => {
            event.preventDefault();
            try {
              const one = await get(withQuery(at(namespace, "regions"), { entity: entity.value.trim(), resource: resource.value.trim() }));
              replace(
                answer,
                table(
                  "Shares",
                  ["Limit", "Share of this region#"],
                  Object.entries(one.sharesPpm).map(([limit, ppm]) => [limit, `${number(ppm)} ppm`]),
                  "Nothing of this bucket has changed hands: the region holds what it began with.",
                ),
              );
            } catch (e) {
              replace(answer, emptyState(e.message));
            }
          },
        },
        field("Tenant", entity),
        field("Resource", resource),
        h("button", { type: "submit" }, "Look"),
      ),
      answer,
    ];
  }
}
