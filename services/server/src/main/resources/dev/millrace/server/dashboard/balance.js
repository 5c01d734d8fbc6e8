// What is left of a limit, as a gauge.

import { gauge, h } from "./dom.js";
import { balance, limitText, tokens } from "./format.js";

/** The limits of a bucket, each with its gauge. */
export const balances = (limits) => h("ul", { class: "gauges" }, limits.map(row));

function row(limit) {
  return h(
    "li",
    {},
    h("span", { class: "gauge-name" }, limit.name),
    gauge(`${limit.name}: available of the most`, limit.availableMilli, limit.burstMilli),
    h("span", { class: "gauge-value" }, h("strong", {}, balance(limit.availableMilli)), ` of ${tokens(limit.burstMilli)}`),
    h("span", { class: "muted" }, limitText(limit)),
  );
}
