// The overview of an app: its usage, its events by the hour, and the response times of the service.

import {
  absolute, append, bytes, capital, counted, empty, figures, fill, h, link, lookUp, name, number, panel, path,
  percent, plain, preference, s, shared, shortNumber, table, uniqueID,
} from "./elements.js";
import { appName, apps, filter, get } from "./app.js";

const ranges = [[24, "24 hours"], [168, "7 days"], [720, "30 days"]];

const groups = {
  upload: ["Uploads", "Archives that devices sent."],
  restore: ["Restores served", "The first serving of an archive to a device, by fidelity."],
  refusal: ["Refusals by reason", "Requests that got no archive, counted once for each reason against any of the archives."],
  outcome: ["Outcomes", "What devices reported after they were served an archive."],
  unwritten: ["Not written", "Writes that failed after their answer was sent, by error."],
};

/** The groups with charts whose counts have no sum, because one request may count several times. */
const groupsWithoutSum = ["refusal"];

/** The groups whose charts are shown even if they are empty. */
const shownGroups = ["upload", "restore", "refusal", "outcome"];

/** How the events of a chart can be grouped: the name, and the group of an event. */
const groupings = {
  kind: ["Kind", ({ label }) => label],
  idiom: ["Idiom", ({ idiom }) => idiom ?? "unknown"],
  version: ["Version", ({ bundleVersion }) => bundleVersion ?? "unknown"],
};

const colors = {
  restored: "good", full: "good", place: "accent", failed: "bad", crashed: "worst", abandoned: "poor", began: "faint",
};

const total = (counts) => counts.reduce((sum, count) => sum + count, 0);

/** The color of a series, if its name has a meaning. */
const colorOf = (label) => lookUp(colors, String(label).toLowerCase());

export function overviewView(visit) {
  const { app } = visit.params;
  const { signal } = visit;
  const hours = ranges.some(([value]) => String(value) === visit.query.get("hours")) ? Number(visit.query.get("hours")) : 24;
  const choice = {
    by: lookUp(groupings, visit.query.get("by")) ? visit.query.get("by") : "kind",
    idiom: visit.query.get("idiom"), version: visit.query.get("version"),
  };
  const load = shared(async (signal) => {
    const data = await get(path`/apps/${app}/overview` + `?hours=${hours}`, signal);
    const series = (data.series ?? []).map((one) => ({ ...one, counts: Array.isArray(one.counts) ? one.counts.map((count) => Number(count) || 0) : [] }));
    return { ...data, series, charts: regrouped(series, choice) };
  });
  const address = (changes) => link("/apps", app, { ...Object.fromEntries(visit.query), ...changes });
  const chartOf = (name) => chartPanel(name, load, signal, app, choice);
  const charts = shownGroups.map(chartOf);
  const times = timesPanel(load, signal);
  // The texts of a chart have times in the chosen zone.
  document.addEventListener("placekeeper:preferences", () => {
    for (const one of [...charts, times, others]) one.reload({ isQuiet: true });
  }, { signal });
  const others = panel({
    label: "Other counts", isBare: true, signal, skeleton: "chart", load,
    show: ({ series }) => {
      const names = [...new Set(series.map(({ name }) => name))].filter((name) => !shownGroups.includes(name));
      return names.length ? h("div.charts", null, names.map(chartOf)) : null;
    },
  });
  return {
    title: "Overview",
    heading: appName(app),
    actions: segments("Period", ranges.map(([value, text]) => [`hours-${value}`, text, address({ hours: value }), value === hours])),
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
      panel({
        label: "Grouping and filters of the charts", isBare: true, signal, skeleton: "chart", load, name: "grouping",
        show: ({ series }) => controls(series, choice, address),
      }),
      h("div.charts", null, charts),
      others,
      times),
  };
}

/** Links of which one is current: each has an id, a text, an address, and whether it is current. */
const segments = (label, links) => h("nav.segments", { "aria-label": label }, links.map(([id, text, href, isCurrent]) =>
  h("a", { id, href, "aria-current": isCurrent ? "true" : null }, text)));

function controls(series, { by, idiom, version }, address) {
  const select = (id, label, all, chosen, valueOf) => {
    const totals = new Map(chosen ? [[chosen, 0]] : []);
    for (const one of series) {
      const value = valueOf(one);
      if (value !== undefined) totals.set(value, (totals.get(value) ?? 0) + total(one.counts));
    }
    const values = [...totals].sort(([, first], [, second]) => second - first).map(([value]) => value);
    return h("div.control", null, h("label", { for: `only-${id}` }, label),
      h("select", { id: `only-${id}`, on: { change: (event) => filter({ [id]: event.target.value || undefined }) } },
        [["", all], ...values.map((value) => [value, plain(value, 40)])].map(([value, text]) =>
          h("option", { value, selected: value === (chosen ?? "") }, text))));
  };
  return h("div.controls", null,
    h("div.control", null, h("p.help", null, "Charts by"), segments("Charts by", Object.entries(groupings).map(([key, [text]]) =>
      [`by-${key}`, text, address({ by: key === "kind" ? undefined : key }), key === by]))),
    select("idiom", "Idiom", "All idioms", idiom, (one) => one.idiom),
    select("version", "Version", "All versions", version, (one) => one.bundleVersion));
}

/**
 * Adds up the series that fit the filters by the groups of a grouping. Returns the groups of each kind of event, and, if
 * the charts are not grouped by their own labels, the order of the groups in all charts: those with more events first.
 */
export function regrouped(series, { by = "kind", idiom, version }) {
  const [, groupOf] = groupings[by];
  const charts = new Map();
  const totals = new Map();
  for (const one of series) {
    if ((idiom && one.idiom !== idiom) || (version && one.bundleVersion !== version)) continue;
    const group = String(groupOf(one));
    const chart = charts.get(one.name) ?? new Map();
    const sums = chart.get(group);
    charts.set(one.name, chart.set(group, sums ? sums.map((sum, index) => sum + (one.counts[index] ?? 0)) : one.counts));
    totals.set(group, (totals.get(group) ?? 0) + total(one.counts));
  }
  const order = by === "kind" ? null : [...totals].sort(([, first], [, second]) => second - first).map(([group]) => group);
  return { of: (name) => [...charts.get(name) ?? []].map(([group, counts]) => ({ group, counts })), order };
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
      { name: "Breaker", value: lookUp({ off: "off", alert: "alerts", stop: "stops" }, breaker.mode) ?? plain(breaker.mode) },
    ]) : empty("No device has reported a restore in this period"),
  ];
}

function chartPanel(name, load, signal, app, choice) {
  const [title, note] = lookUp(groups, name) ?? [capital(plain(name)), null];
  return panel({
    title, note, signal, level: 2, skeleton: "chart", load, name,
    show: (data) => {
      const { of, order } = data.charts;
      const series = of(name).map(({ group, counts }) => ({ group, label: plain(group, 40), counts, color: order ? undefined : colorOf(group) }));
      const isEmpty = !series.some(({ counts }) => counts.some((count) => count > 0));
      if (isEmpty && (choice.idiom || choice.version)) return empty("Nothing in this period fits the filters");
      return isEmpty ? empty("Nothing in this period", nextStep(name, app)) : chart({ title, from: data.from, series, order, hasSum: !groupsWithoutSum.includes(name) });
    },
  });
}

function nextStep(name, app) {
  if (name === "refusal") return h("p", null, "No request was refused.");
  if (name === "outcome") return h("p", null, "Outcomes appear when devices report their restores.");
  return h("p", null, "Counts appear when devices use the app. ", h("a", { href: link("/apps", app, "start") }, "Get started"));
}

// # Response times
// The response times of the requests that devices send most, of all apps together.

const operations = {
  storeArchive: "Upload", readLatest: "Latest archive", reportOutcome: "Outcome", changeItems: "Changes of items", registerDevice: "Registration",
};

const timesPanel = (load, signal) => panel({
  title: "Response times of the service", signal, skeleton: "chart", load, name: "latency",
  note: "All apps together, and not only this app: from a whole request to the start of its response. The grouping and the filters do not apply.",
  show: ({ from, latency }) => {
    const { boundsMicroseconds: bounds = [], routes = [], series = [] } = latency ?? {};
    if (!series.some((counts) => counts.some((count) => count > 0))) return empty("No requests in this period");
    const drawn = bands(series, bounds);
    return [
      table({
        caption: "Response times by request",
        columns: [{ title: "Request", isHead: true }, ...["Requests", "p50", "p95", "p99"].map((title) => ({ title, isNumber: true }))],
        rows: routes.map(({ operation, route, counts }) => [
          lookUp(operations, operation) ?? plain(route), number(total(counts)),
          ...[0.5, 0.95, 0.99].map((share) => timeText(percentile(counts, share), bounds)),
        ]),
      }),
      h("p.quiet.hint", null, "p95 ≤ 5 ms: at least 95 % of the responses took at most 5 ms."),
      chart({ title: "Requests by response time", from, series: drawn, order: drawn.map(({ group }) => group) }),
    ];
  },
});

/** Returns the first bucket up to which a share of the counts lies, or -1 without counts. */
export function percentile(counts, share) {
  const wanted = Math.ceil(total(counts) * share);
  let sum = 0;
  return wanted ? counts.findIndex((count) => (sum += count) >= wanted) : -1;
}

/** Says how long the responses of a bucket took: `≤ 2.5 ms`, `> 1 s`. */
function timeText(bucket, bounds) {
  if (bucket < 0) return "–";
  const bound = bounds[Math.min(bucket, bounds.length - 1)];
  return `${bucket < bounds.length ? "≤" : ">"} ${bound < 1_000_000 ? `${bound / 1000} ms` : `${bound / 1_000_000} s`}`;
}

/** Adds up neighboring buckets, because a chart has at most six colors. */
function bands(series, bounds) {
  const each = Math.ceil(series.length / 6);
  const starts = Array.from({ length: Math.ceil(series.length / each) }, (_, index) => index * each);
  return starts.map((start, index) => {
    const buckets = series.slice(start, start + each);
    const group = timeText(start + buckets.length - 1, bounds);
    return {
      group, label: group, color: ["good", "series-3", "accent", "poor", "bad", "worst"][index],
      counts: buckets[0].map((_, hour) => buckets.reduce((sum, counts) => sum + counts[hour], 0)),
    };
  });
}

// # Charts
// A chart of counts over time: stacked columns, a line that says the values of a column, and a table behind it.

const hour = 3_600_000;
const mostColumns = 60;

/** Adds up the counts of neighboring hours, so that at most 60 columns are drawn. */
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
 * @param {{title: string, from: string, series: {group: string, label: string, counts: number[], color?: string}[],
 *   order?: string[], hasSum?: boolean}} options `counts` has a number for each hour, oldest first; `color` names a class of admin.css;
 *   `order` has the groups of several charts, so that a group has the same color in each of them; without `hasSum`, the
 *   chart does not say the sum of its series
 */
function chart({ title, from, series, order, hasSum = true }) {
  const hours = Math.max(1, ...series.map(({ counts }) => counts.length));
  const hoursEach = Math.ceil(hours / mostColumns);
  const drawn = merged(series, order).map((one) => ({ ...one, sums: columns(one.counts, hoursEach) }));
  const length = Math.ceil(hours / hoursEach);
  const totals = Array.from({ length }, (_, index) => drawn.reduce((sum, { sums }) => sum + (sums[index] ?? 0), 0));
  const top = ceiling(Math.max(...totals));
  const start = Date.parse(from);
  const begin = (index) => start + index * hoursEach * hour;

  const readout = h("p.readout", { role: "status" });
  const rest = `${hasSum ? `${number(total(totals))} in all. ` : ""}The times are in ${zoneName()}.`;
  readout.textContent = rest;
  const say = (index) => {
    if (index === null) return void fill(readout, rest);
    const zone = preference("zone");
    const parts = drawn.filter(({ sums }) => sums[index]).map(({ label, sums }) => `${label} ${number(sums[index])}`);
    fill(readout, h("b", null, absolute(begin(index), zone, "minute")), zone === "utc" ? " UTC " : " ",
      parts.join(" · ") || "nothing", hasSum && parts.length > 1 ? ` · ${number(totals[index])} in all` : "");
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
    details(title, drawn, hasSum ? totals : null, begin, length));
}

const zoneName = () => preference("zone") === "utc" ? "UTC" : "local time";

function dateLabel(milliseconds, hours) {
  return h("time", { datetime: new Date(milliseconds).toISOString(), data: { style: hours <= 48 ? "minute" : "day" } },
    absolute(milliseconds, preference("zone"), hours <= 48 ? "minute" : "day"));
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
  return h("ul.legend", null, drawn.map(({ label, color, sums }) => h("li", null,
    s(`svg.swatch.${color}`, { viewBox: "0 0 10 10", "aria-hidden": "true" }, s("rect", { width: 10, height: 10, rx: 2 })),
    label, " ", h("b", null, number(total(sums))))));
}

function plotOf({ title, drawn, totals, top, say }) {
  const length = totals.length;
  const drawing = s("svg", { viewBox: `0 0 ${length} 100`, preserveAspectRatio: "none", "aria-hidden": "true" },
    [25, 50, 75].map((y) => s("line.grid", { x1: 0, x2: length, y1: y, y2: y })));
  const mark = s("rect.mark", { width: 1, height: 100, visibility: "hidden" });
  drawing.append(mark);
  totals.forEach((_, index) => {
    let base = 100;
    for (const { sums, color } of drawn) {
      const height = ((sums[index] ?? 0) / top) * 100;
      if (!height) continue;
      base -= height;
      drawing.append(s(`rect.${color}`, { x: index + 0.12, y: base, width: 0.76, height }));
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
      columns: [{ title: `From (${zoneName()})`, isHead: true }, ...drawn.map(({ label }) => ({ title: label, isNumber: true })), ...totals ? [{ title: "All", isNumber: true }] : []],
      rows: Array.from({ length }, (_, index) => [
        absolute(begin(index), zone, "minute"), ...drawn.map(({ sums }) => number(sums[index] ?? 0)), ...totals ? [number(totals[index])] : [],
      ]),
    })]);
  });
  return element;
}
