// A chart of counts over time: stacked columns, a line that says the values of a column, and a table behind it.

import { append, fill, h, s, uniqueID } from "./dom.js";
import { absolute, number, shortNumber } from "./formats.js";
import { preference } from "./preferences.js";
import { table } from "./tables.js";
import { zoneName } from "./times.js";

const hour = 3_600_000;

export const total = (counts) => counts.reduce((sum, count) => sum + count, 0);

/** Returns a round number that is at least the value, for the top of the axis. */
export function ceiling(value) {
  if (value <= 4) return 4;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 5, 8, 10].map((step) => step * power).find((step) => step >= value);
}

/**
 * Draws a chart.
 * @param {{title: string, from: string, columnHours: number, series: {group: string, label: string, counts: number[], color?: string}[],
 *   order?: string[], hasSum?: boolean, noun: string}} options `counts` has a number for each column of `columnHours`, oldest first; `color` names a class of admin.css;
 *   `order` has the groups of several charts, so that a group has the same color in each of them; without `hasSum`, the
 *   chart does not say the sum of its series; `noun` is the unit of its axis
 */
export function chart({ title, from, columnHours, series, order, hasSum = true, noun = "events" }) {
  const length = Math.max(1, ...series.map(({ counts }) => counts.length));
  const zone = preference("zone");
  const isByDay = columnHours === 24;
  const drawn = merged(series, order);
  const totals = Array.from({ length }, (_, index) => total(drawn.map(({ counts }) => counts[index] ?? 0)));
  const top = ceiling(Math.max(...totals));
  // The noon of a day is in it also if the clocks were changed since.
  const begin = (index) => Date.parse(from) + (index * columnHours + (isByDay ? 12 : 0)) * hour;
  const each = columnHours === 1 ? "hour" : isByDay ? "day" : `${columnHours} hours`;

  const readout = h("p.readout", { role: "status" });
  const rest = `${hasSum ? `${number(total(totals))} in all. ` : ""}The last column is not finished. Times are in ${zoneName()}.`;
  readout.textContent = rest;
  const say = (index) => {
    if (index === null) return void fill(readout, rest);
    const parts = drawn.filter(({ counts }) => counts[index]).map(({ label, counts }) => `${label} ${number(counts[index])}`);
    fill(readout, h("b", null, absolute(begin(index), zone, isByDay ? "day" : "minute")), zone === "utc" && !isByDay ? " UTC " : " ",
      parts.join(" · ") || "nothing", hasSum && parts.length > 1 ? ` · ${number(totals[index])} in all` : "",
      index === length - 1 ? " · not finished" : "");
  };
  const plot = plotOf({ title, drawn, totals, top, say });
  const middle = Math.floor(length / 2);
  return h("figure.chart", null,
    h("p.unit.quiet", null, `${noun} per ${each}`), legend(drawn),
    h("div.chart-frame", null,
      h("div.axis", { "aria-hidden": "true" }, h("span", null, shortNumber(top)), h("span", null, shortNumber(top / 2)), h("span", null, "0")),
      plot,
      h("div.dates", { "aria-hidden": "true" }, [0, middle, length - 1].map((index) => dateLabel(begin(index), columnHours === 1 ? "minute" : "day")))),
    readout,
    details(title, drawn, hasSum ? totals : null, (index) => absolute(begin(index), zone, isByDay ? "date" : "minute"), length));
}

function dateLabel(milliseconds, style) {
  return h("time", { datetime: new Date(milliseconds).toISOString(), data: { style } }, absolute(milliseconds, preference("zone"), style));
}

/** Keeps the series of the first five groups, adds up the others, and gives each a color. Without an order, larger groups come first. */
function merged(series, order) {
  const groups = order ?? [...series].sort((first, second) => total(second.counts) - total(first.counts)).map(({ group }) => group);
  const place = ({ group }) => groups.indexOf(group);
  const most = groups.length > 6 ? 5 : 6;
  const sorted = [...series].sort((first, second) => place(first) - place(second));
  const kept = sorted.filter((one) => place(one) < most).map((one) => ({ ...one, color: one.color ?? `series-${place(one) + 1}` }));
  const others = sorted.slice(kept.length);
  if (!others.length) return kept;
  const counts = others[0].counts.map((_, index) => others.reduce((sum, one) => sum + (one.counts[index] ?? 0), 0));
  return [...kept, { label: others.length === 1 ? others[0].label : `${others.length} others`, counts, color: "series-6" }];
}

function legend(drawn) {
  return h("ul.legend", null, drawn.map(({ label, color, counts }) => h("li", null,
    s(`svg.swatch.${color}`, { viewBox: "0 0 10 10", "aria-hidden": "true" }, s("rect", { width: 10, height: 10, rx: 2 })),
    label, " ", h("b", null, number(total(counts))))));
}

function plotOf({ title, drawn, totals, top, say }) {
  const length = totals.length;
  const drawing = s("svg", { viewBox: `0 0 ${length} 100`, preserveAspectRatio: "none", "aria-hidden": "true" },
    [25, 50, 75].map((y) => s("line.grid", { x1: 0, x2: length, y1: y, y2: y })));
  const mark = s("rect.mark", { width: 1, height: 100, visibility: "hidden" });
  drawing.append(mark);
  totals.forEach((_, index) => {
    let base = 100;
    for (const { counts, color } of drawn) {
      const height = ((counts[index] ?? 0) / top) * 100;
      if (!height) continue;
      base -= height;
      drawing.append(s(`rect.${color}${index === length - 1 ? ".unfinished" : ""}`, { x: index + 0.12, y: base, width: 0.76, height }));
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

function details(title, drawn, totals, beginText, length) {
  const place = h("div.scroll", { tabindex: "0", role: "region", "aria-label": `${title} as a table` });
  const element = h("details.behind", null, h("summary", null, "As a table"), place);
  element.addEventListener("toggle", () => {
    if (!element.open || place.firstChild) return;
    append(place, [table({
      caption: title,
      isCompact: true,
      columns: [{ title: `From (${zoneName()})`, isHead: true }, ...drawn.map(({ label }) => ({ title: label, isNumber: true })), ...totals ? [{ title: "All", isNumber: true }] : []],
      rows: Array.from({ length }, (_, index) => [
        beginText(index) + (index === length - 1 ? " (not finished)" : ""), ...drawn.map(({ counts }) => number(counts[index] ?? 0)), ...totals ? [number(totals[index])] : [],
      ]),
    })]);
  });
  return element;
}
