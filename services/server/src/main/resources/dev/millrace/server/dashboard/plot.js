// Plots as drawings: lines or bars over time, with an axis that ends at a round number. A drawing is as
// wide as its place, so that its texts are as large as all others.

import { h, svg, replace } from "./dom.js";
import { compact } from "./format.js";

const USUAL_WIDTH = 720;
const LEFT = 44;
const BOTTOM = 22;
const TOP = 10;
const STEPS = 4;

/** The smallest of 1, 2, 5, 10, 20, … that is not below the value. */
export function roundUp(value) {
  if (value <= 1) {
    return 1;
  }
  const magnitude = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((digit) => digit * magnitude).find((round) => round >= value);
}

/** A plot of its own that is drawn anew with every show(), and when its place gets another width. */
export function plot(label, kind, height = 200) {
  const drawing = svg("svg", { height, role: "img", "aria-label": label, class: "plot" });
  const legend = h("ul", { class: "legend" });
  let draw = () => {};
  new ResizeObserver(() => draw()).observe(drawing);
  return {
    element: h("figure", {}, drawing, legend),
    /** series: [{name, values, tone}], ticks: [[index, text]] */
    show(series, ticks) {
      draw = () => replace(drawing, shapes(series, ticks, kind, drawing.clientWidth || USUAL_WIDTH, height));
      draw();
      drawing.setAttribute("aria-label", `${label}: ${series.map(spoken).join(", ")}`);
      replace(legend, series.map((one) => h("li", { class: `tone-${one.tone}` }, one.name)));
    },
  };
}

const spoken = (one) => `${one.name} at most ${compact(Math.max(0, ...one.values))}`;

function shapes(series, ticks, kind, width, height) {
  const most = roundUp(Math.max(1, ...series.flatMap((one) => one.values)));
  const count = Math.max(2, ...series.map((one) => one.values.length));
  const place = {
    x: (index) => LEFT + ((width - LEFT) * index) / (count - 1),
    y: (value) => TOP + (height - TOP - BOTTOM) * (1 - Math.max(0, value) / most),
    slot: (width - LEFT) / count,
  };
  return [axis(most, place, width), labels(ticks, place, height), (kind === "bars" ? bars : lines)(series, place)];
}

function axis(most, { y }, width) {
  return Array.from({ length: STEPS + 1 }, (_, step) => {
    const value = (most * step) / STEPS;
    return [
      svg("line", { x1: LEFT, x2: width, y1: y(value), y2: y(value), class: "grid" }),
      svg("text", { x: LEFT - 8, y: y(value) + 4, "text-anchor": "end" }, compact(value)),
    ];
  });
}

function labels(ticks, { x }, height) {
  const anchor = (i) => (i === 0 ? "start" : i === ticks.length - 1 ? "end" : "middle");
  return ticks.map(([index, text], i) => svg("text", { x: x(index), y: height - 4, "text-anchor": anchor(i) }, text));
}

function lines(series, { x, y }) {
  return series
    .filter((one) => one.values.length > 0)
    .map((one) => {
      const points = one.values.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`);
      const area = `M${LEFT},${y(0)}L${points.join("L")}L${x(one.values.length - 1)},${y(0)}Z`;
      return [
        svg("path", { d: area, class: `area tone-${one.tone}` }),
        svg("path", { d: `M${points.join("L")}`, class: `line tone-${one.tone}` }),
      ];
    });
}

function bars(series, { y, slot }) {
  const width = Math.max(1, (slot * 0.7) / series.length);
  return series.map((one, nth) =>
    one.values.map((value, i) =>
      svg("rect", {
        x: (LEFT + slot * (i + 0.15) + width * nth).toFixed(1),
        y: y(value).toFixed(1),
        width: width.toFixed(1),
        height: Math.max(0, y(0) - y(value)).toFixed(1),
        class: `bar tone-${one.tone}`,
      }),
    ),
  );
}
