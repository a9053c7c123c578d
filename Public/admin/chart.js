// A chart of counts over time: stacked columns, a line that says the values of a column, and a table behind it.

import { append, fill, h, s, uniqueID } from "./dom.js";
import { absolute, number, shortNumber } from "./format.js";
import { preference } from "./preferences.js";
import { table } from "./components/list.js";

const hour = 3_600_000;
const mostColumns = 60;

/** Adds up the counts of neighbouring hours, so that at most 60 columns are drawn. */
export function columns(counts, hoursEach) {
  const sums = [];
  for (let index = 0; index < counts.length; index += hoursEach) {
    sums.push(counts.slice(index, index + hoursEach).reduce((sum, count) => sum + (Number(count) || 0), 0));
  }
  return sums;
}

/** Returns a round number that is at least the value, for the top of the axis. */
export function ceiling(value) {
  if (value <= 4) return 4;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 5, 8, 10].map((step) => step * power).find((step) => step >= value);
}

/**
 * Draws a chart.
 * @param {{title: string, from: string, series: {label: string, counts: number[], colour?: string}[]}} options
 *   `counts` has a number for each hour, oldest first; `colour` names a class of admin.css
 */
export function chart({ title, from, series }) {
  const hours = Math.max(1, ...series.map(({ counts }) => counts.length));
  const hoursEach = Math.ceil(hours / mostColumns);
  const drawn = merged(series).map((one, index) => ({
    ...one, colour: one.colour ?? `series-${index + 1}`, sums: columns(one.counts, hoursEach),
  }));
  const length = Math.ceil(hours / hoursEach);
  const totals = Array.from({ length }, (_, index) => drawn.reduce((sum, { sums }) => sum + (sums[index] ?? 0), 0));
  const top = ceiling(Math.max(...totals));
  const start = Date.parse(from);
  const begin = (index) => start + index * hoursEach * hour;

  const readout = h("p.readout", { role: "status" });
  const rest = `${number(totals.reduce((sum, count) => sum + count, 0))} in all`;
  readout.textContent = rest;
  const say = (index) => {
    if (index === null) return void fill(readout, rest);
    const zone = preference("zone");
    const parts = drawn.filter(({ sums }) => sums[index]).map(({ label, sums }) => `${label} ${number(sums[index])}`);
    fill(readout, h("b", null, absolute(begin(index), zone, "minute")), " ",
      parts.join(" · ") || "nothing", parts.length > 1 ? ` · ${number(totals[index])} in all` : "");
  };
  const plot = plotOf({ title, drawn, totals, top, say });
  const middle = Math.floor(length / 2);
  return h("figure.chart", null,
    legend(drawn),
    h("div.chart-frame", null,
      h("div.axis", { "aria-hidden": "true" }, h("span", null, shortNumber(top)), h("span", null, shortNumber(top / 2)), h("span", null, "0")),
      plot,
      h("div.dates", { "aria-hidden": "true" }, [0, middle, length - 1].map((index) => dateLabel(begin(index), hours)))),
    readout,
    details(title, drawn, totals, begin, length));
}

function dateLabel(milliseconds, hours) {
  return h("time", { datetime: new Date(milliseconds).toISOString(), data: { style: hours <= 48 ? "minute" : "day" } },
    absolute(milliseconds, preference("zone"), hours <= 48 ? "minute" : "day"));
}

/** Keeps the largest five series, and adds up the others. */
function merged(series) {
  const total = ({ counts }) => counts.reduce((sum, count) => sum + (Number(count) || 0), 0);
  const sorted = [...series].sort((first, second) => total(second) - total(first));
  if (sorted.length <= 6) return sorted;
  const others = sorted.slice(5);
  const counts = others[0].counts.map((_, index) => others.reduce((sum, one) => sum + (Number(one.counts[index]) || 0), 0));
  return [...sorted.slice(0, 5), { label: `${others.length} others`, counts, colour: "series-6" }];
}

function legend(drawn) {
  return h("ul.legend", null, drawn.map(({ label, colour, sums }) => h("li", null,
    s(`svg.swatch.${colour}`, { viewBox: "0 0 10 10", "aria-hidden": "true" }, s("rect", { width: 10, height: 10, rx: 2 })),
    label, " ", h("b", null, number(sums.reduce((sum, count) => sum + count, 0))))));
}

function plotOf({ title, drawn, totals, top, say }) {
  const length = totals.length;
  const drawing = s("svg", { viewBox: `0 0 ${length} 100`, preserveAspectRatio: "none", "aria-hidden": "true" },
    [25, 50, 75].map((y) => s("line.grid", { x1: 0, x2: length, y1: y, y2: y })));
  const mark = s("rect.mark", { width: 1, height: 100, visibility: "hidden" });
  drawing.append(mark);
  totals.forEach((_, index) => {
    let base = 100;
    for (const { sums, colour } of drawn) {
      const height = ((sums[index] ?? 0) / top) * 100;
      if (!height) continue;
      base -= height;
      drawing.append(s(`rect.${colour}`, { x: index + 0.12, y: base, width: 0.76, height }));
    }
  });
  let chosen = null;
  const choose = (index) => {
    chosen = index;
    mark.setAttribute("visibility", index === null ? "hidden" : "visible");
    if (index !== null) mark.setAttribute("x", index);
    say(index);
  };
  const element = h("div.plot", {
    id: uniqueID("plot"), tabindex: "0", role: "group", "aria-label": `${title}. The left and right arrow keys read the columns.`,
    on: {
      pointermove: (event) => {
        const box = element.getBoundingClientRect();
        const index = Math.floor(((event.clientX - box.left) / box.width) * length);
        if (index !== chosen && index >= 0 && index < length) choose(index);
      },
      pointerleave: () => choose(null),
      blur: () => choose(null),
      keydown: (event) => {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (event.key === "Home") choose(0);
        else if (event.key === "End") choose(length - 1);
        else if (step) choose(Math.min(length - 1, Math.max(0, (chosen ?? (step > 0 ? -1 : length)) + step)));
        else return;
        event.preventDefault();
      },
    },
  }, drawing);
  return element;
}

function details(title, drawn, totals, begin, length) {
  const place = h("div.scroll", { tabindex: "0", role: "region", "aria-label": `${title} as a table` });
  const element = h("details.behind", null, h("summary", null, "As a table"), place);
  element.addEventListener("toggle", () => {
    if (!element.open || place.firstChild) return;
    const zone = preference("zone");
    append(place, [table({
      caption: title,
      isCompact: true,
      columns: [{ title: "From", isHead: true }, ...drawn.map(({ label }) => ({ title: label, isNumber: true })), { title: "All", isNumber: true }],
      rows: Array.from({ length }, (_, index) => [
        absolute(begin(index), zone, "minute"), ...drawn.map(({ sums }) => number(sums[index] ?? 0)), number(totals[index]),
      ]),
    })]);
  });
  return element;
}
