// What the server does at this moment, asked every second.

import { get } from "./api.js";
import { card, h, heading, replace, table } from "./dom.js";
import { ms, number } from "./format.js";
import { plot } from "./plot.js";
import { repeat } from "./repeat.js";

const EVERY_MS = 1_000;
const SPOKEN_EVERY = 15;

export function show({ view, link, say, quiet }) {
  const names = { admitted: "Admitted a second", refused: "Refused a second", p50: "Median latency", p99: "99th percentile" };
  const numbers = Object.fromEntries(Object.keys(names).map((name) => [name, h("strong", {}, "–")]));
  const rates = plot("Acquires per second in the last five minutes", "lines");
  const consumers = h("div", {});
  const refused = h("div", {});
  const spoken = h("p", { class: "hidden", "aria-live": "polite", id: "live-summary" });
  replace(
    view,
    heading("Live", "What this server decides, second by second."),
    h(
      "dl",
      { class: "numbers" },
      Object.entries(numbers).map(([name, value]) =>
        h("div", { class: "number-card", id: `live-${name}` }, h("dt", {}, names[name]), h("dd", {}, value)),
      ),
    ),
    spoken,
    card("Acquires per second", rates.element),
    h("div", { class: "columns" }, card("Most tokens", consumers), card("Most refusals", refused)),
  );

  let turns = 0;
  return repeat(
    EVERY_MS,
    async (isGone) => {
      const snapshot = await get("/v1/live");
      if (!isGone()) {
        draw(snapshot);
      }
    },
    { say, quiet },
  );

  function draw(snapshot) {
    const last = snapshot.seconds.at(-1) ?? { admitted: 0, refused: 0 };
    numbers.admitted.textContent = number(last.admitted);
    numbers.refused.textContent = number(last.refused);
    numbers.p50.textContent = ms(snapshot.p50Ms);
    numbers.p99.textContent = ms(snapshot.p99Ms);
    rates.show(
      [
        { name: "Admitted", tone: "accent", values: snapshot.seconds.map((one) => one.admitted) },
        { name: "Refused", tone: "bad", values: snapshot.seconds.map((one) => one.refused) },
      ],
      ticks(snapshot.seconds),
    );
    replace(consumers, tops("Who was admitted the most tokens", "Tokens#", snapshot.consumers, "Nobody has acquired anything yet. “Try it” does."));
    replace(refused, tops("Who was refused the most often", "Refusals#", snapshot.refused, "Nobody was refused."));
    if (turns++ % SPOKEN_EVERY === 0) {
      spoken.textContent = `${number(last.admitted)} admitted and ${number(last.refused)} refused per second`;
    }
  }

  function tops(caption, amount, list, nobody) {
    return table(
      caption,
      ["Tenant", "Resource", amount],
      list.slice(0, 10).map((one) => [
        h("a", { href: link("tenant", one.entity).replace(/^#\/[^/]+/, `#/${encodeURIComponent(one.namespace)}`) }, one.entity),
        one.resource,
        number(one.amount),
      ]),
      nobody,
    );
  }
}

function ticks(seconds) {
  if (seconds.length < 2) {
    return [];
  }
  const clock = (one) => new Date(one.epochSecond * 1000).toTimeString().slice(0, 8);
  const middle = Math.floor(seconds.length / 2);
  return [[0, clock(seconds[0])], [middle, clock(seconds[middle])], [seconds.length - 1, clock(seconds.at(-1))]];
}
