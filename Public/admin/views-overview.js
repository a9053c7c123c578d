// The overview of an app: its usage, and its events by the hour.

import {
  absolute, append, bytes, capital, counted, empty, figures, fill, h, link, name, number, panel, path, percent, plain,
  preference, s, shared, shortNumber, table, uniqueID,
} from "./elements.js";
import { appName, apps, get } from "./app.js";

const ranges = [[24, "24 hours"], [168, "7 days"], [720, "30 days"]];

const groups = {
  upload: ["Uploads", "Archives that devices sent."],
  restore: ["Restores served", "Answers to devices that asked for the latest archive, by fidelity."],
  refusal: ["Refusals by reason", "Requests for which no archive could be served, by the reason against the newest one."],
  outcome: ["Outcomes", "What devices reported after they were served an archive."],
  unwritten: ["Not written", "Writes after an answer that the store refused, by the error. The answers were sent."],
};

/** The groups whose charts are shown also if they are empty. */
const shownGroups = ["upload", "restore", "refusal", "outcome"];

const colours = {
  restored: "good", full: "good", place: "accent", failed: "bad", crashed: "worst", abandoned: "poor", began: "faint",
};

/** The colour of a series, if its name has a meaning. */
const colourOf = (label) => colours[String(label).toLowerCase()];

export function overviewView(visit) {
  const { app } = visit.params;
  const { signal } = visit;
  const hours = ranges.some(([value]) => String(value) === visit.query.get("hours")) ? Number(visit.query.get("hours")) : 24;
  const load = shared((signal) => get(path`/apps/${app}/overview` + `?hours=${hours}`, signal));
  const charts = h("div.charts", null, shownGroups.map((name) => chartPanel(name, load, signal, app)));
  return {
    title: "Overview",
    heading: appName(app),
    actions: h("nav.segments", { "aria-label": "Period" }, ranges.map(([value, text]) => h("a", {
      id: `hours-${value}`, href: link("/apps", app, { hours: value }), "aria-current": value === hours ? "true" : null,
    }, text))),
    content: h("div.stack", null,
      panel({
        label: "Restoring", isBare: true, signal, load: async () => (await apps()).find(({ id }) => id === app),
        show: (found) => found && found.restoration !== "auto" ? restoringNote(found, app) : null,
      }),
      panel({ title: "Usage", signal, skeleton: "cards", load, show: (data) => usage(data, app), name: "usage" }),
      panel({
        title: "Restoration health", signal, skeleton: "cards", name: "health",
        actions: h("a", { href: link("/apps", app, "health", { hours }) }, "Show it by version"),
        load: (signal) => get(path`/apps/${app}/health` + `?hours=${hours}`, signal),
        show: (health) => healthSummary(health, link("/apps", app, "health", { hours })),
      }),
      charts,
      panel({
        label: "Other counts", isBare: true, signal, skeleton: "chart", load,
        show: (data) => {
          const names = [...new Set((data.series ?? []).map(({ name }) => name))].filter((name) => !shownGroups.includes(name));
          return names.length ? h("div.charts", null, names.map((name) => chartPanel(name, load, signal, app))) : null;
        },
      })),
  };
}

const restoringNote = (app, id) => h("div.callout.poor", null, h("p", null,
  app.restoration === "off" ? "Restoring is switched off: devices ignore archives. " : "Devices offer archives, and do not restore them by themselves. ",
  h("a", { href: link("/apps", id, "settings") }, "Settings")));

function usage({ usage, waitingForFirstDevice }, app) {
  if (waitingForFirstDevice) {
    return empty("No device has registered yet", h("p", null, "Put the key into the app, and start the app on a device."),
      h("a.button", { href: link("/apps", app, "start") }, "Get started"));
  }
  return figures([
    { name: "Users", value: number(usage?.users) },
    { name: "Devices", value: number(usage?.devices) },
    { name: "Archives", value: number(usage?.archives) },
    { name: "Stored", value: bytes(usage?.bytes) },
  ]);
}

/** The health in a few figures, and the pairs of versions that need a look. */
function healthSummary({ restores, breaker, paths }, href) {
  const sum = (key) => restores.reduce((total, row) => total + row[key], 0);
  const [restored, failures] = [sum("restored"), sum("failed") + sum("crashed")];
  const count = (state) => breaker.pairs.filter((pair) => pair.state === state).length;
  const [alerts, stopped] = [count("alert"), count("stopped")];
  return [
    alerts || stopped ? h(`div.callout.${stopped ? "bad" : "poor"}`, null, h("p", null, h("b", null, [
      stopped ? `The restores of ${counted(stopped, "pair")} of versions are stopped. ` : "",
      alerts ? `${counted(alerts, "pair")} of versions ${alerts === 1 ? "fails" : "fail"} too often. ` : "",
    ]), h("a", { href }, "Show the versions"))) : null,
    restored || failures ? figures([
      { name: "Restores that succeeded", value: percent(restored / (restored + failures)), note: `of ${counted(restored + failures, "report")}` },
      { name: "Failures and crashes", value: number(failures), note: paths[0] ? ["most at ", name(paths[0].path, { limit: 28, isPlain: true, empty: "no path" })] : null },
      { name: "Breaker", value: { off: "off", alert: "alerts", stop: "stops" }[breaker.mode] ?? plain(breaker.mode) },
    ]) : empty("No device has reported a restore in this period"),
  ];
}

function chartPanel(name, load, signal, app) {
  const [title, note] = groups[name] ?? [capital(plain(name)), null];
  return panel({
    title, note, signal, level: 2, skeleton: "chart", load, name,
    show: (data) => {
      const series = (data.series ?? []).filter((one) => one.name === name)
        .map(({ label, counts }) => ({ label: plain(label, 40), counts: Array.isArray(counts) ? counts : [], colour: colourOf(label) }));
      const isEmpty = !series.some(({ counts }) => counts.some((count) => count > 0));
      return isEmpty ? empty("Nothing in this period", nextStep(name, app)) : chart({ title, from: data.from, series });
    },
  });
}

function nextStep(name, app) {
  if (name === "refusal") return h("p", null, "No request was refused.");
  if (name === "outcome") return h("p", null, "Outcomes appear when devices report their restores.");
  return h("p", null, "Counts appear when devices use the app. ", h("a", { href: link("/apps", app, "start") }, "Get started"));
}

// # Charts
// A chart of counts over time: stacked columns, a line that says the values of a column, and a table behind it.

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
function chart({ title, from, series }) {
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
