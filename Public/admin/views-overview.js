// The overview of an app: how well its restores succeed, its events over time, its usage, and the response times.

import { filter, link, path, query } from "./addresses.js";
import { get } from "./api.js";
import { appName, apps } from "./apps.js";
import { chart, total } from "./charts.js";
import { segmentControl, segments } from "./controls.js";
import { h, lookUp } from "./dom.js";
import { figures } from "./facts.js";
import { bytes, capital, counted, number, percent } from "./formats.js";
import { name } from "./names.js";
import { empty, panel, shared } from "./panels.js";
import { reasons } from "./reasons.js";
import { timesPanel } from "./response-times.js";
import { change, failingReleases, gradeOf, sides, tallies, target } from "./success.js";
import { plain } from "./texts.js";
import { utcOffset } from "./times.js";

const ranges = [[24, "24 hours"], [168, "7 days"], [720, "30 days"]];

/** For each kind of event: the title, the note and the noun of its chart. */
const groups = {
  outcome: ["Outcomes", "What devices reported after they were served an archive.", "reports"],
  restore: ["Restores served", "The first serving of an archive to a device, by fidelity.", "restores"],
  refusal: ["Refusals by reason", "Requests that got no archive, counted once for each reason against any of the archives.", "reasons"],
  upload: ["Uploads", "Archives that devices sent.", "archives"],
  unwritten: ["Not written", "Writes that failed after their answer was sent, by error.", "writes"],
};

/** The groups with charts whose counts have no sum, because one request may count several times. */
const groupsWithoutSum = ["refusal"];

/** The groups whose charts are shown even if they are empty. */
const shownGroups = ["outcome", "restore", "refusal", "upload"];

/** How the events of a chart can be grouped: the name, and the group of an event. */
const groupings = {
  kind: ["Kind", ({ label }) => label],
  idiom: ["Idiom", ({ idiom }) => idiom ?? "unknown"],
  version: ["Version", ({ bundleVersion }) => bundleVersion ?? "unknown"],
};

const colors = {
  restored: "good", full: "good", place: "accent", failed: "bad", crashed: "worst", abandoned: "poor", began: "faint",
};

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
  const read = () => shared(async (signal) => {
    const data = await get(path`/apps/${app}/overview` + query({ hours, utcOffset: utcOffset() }), signal);
    const series = (data.series ?? []).map((one) => ({ ...one, counts: Array.isArray(one.counts) ? one.counts.map((count) => Number(count) || 0) : [] }));
    return { ...data, series, charts: regrouped(series, choice) };
  });
  let latest = read();
  const load = (signal) => latest(signal);
  const loadHealth = async (signal) => {
    const [overview, health] = await Promise.all([load(signal), get(path`/apps/${app}/health` + `?hours=${hours}`, signal)]);
    return { health, ...tallies(overview) };
  };
  const address = (changes) => link("/apps", app, { ...Object.fromEntries(visit.query), ...changes });
  const chartOf = (name) => chartPanel(name, load, signal, app, choice);
  const charts = shownGroups.map(chartOf);
  const times = timesPanel(load, signal);
  // The columns of a chart begin in the chosen zone.
  document.addEventListener("placekeeper:preferences", () => {
    latest = read();
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
      panel({
        title: "Success of restores", signal, skeleton: "cards", name: "health", load: loadHealth,
        show: (data) => success(data, ranges.find(([value]) => value === hours)[1], link("/apps", app, "health", { hours })),
      }),
      panel({
        label: "Grouping and filters of the charts", isBare: true, signal, skeleton: "chart", load, name: "grouping",
        show: ({ series }) => controls(series, choice, address),
      }),
      h("div.charts", null, charts),
      panel({ title: "Usage", signal, skeleton: "cards", load, show: (data) => usage(data, app), name: "usage" }),
      others,
      times),
  };
}

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
    segmentControl("Charts by", Object.entries(groupings).map(([key, [text]]) => [`by-${key}`, text, address({ by: key === "kind" ? undefined : key }), key === by])),
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

/** One number first: the share of restores that succeeded. Then what explains it. */
function success({ health: { restores, breaker, paths }, now, before }, period, href) {
  const alerts = failingReleases(breaker.pairs);
  const stopped = breaker.pairs.filter(({ state }) => state === "stopped").length;
  const failing = restores.filter((row) => row.failed + row.crashed).sort((first, second) => second.failed + second.crashed - first.failed - first.crashed);
  const moved = change(now.share, before.share);
  return [
    alerts.length || stopped ? h(`div.callout.${stopped ? "bad" : "poor"}`, null, h("p", null, h("b", null, [
      stopped ? `The restores of ${counted(stopped, "pair")} of versions are stopped. ` : "",
      alerts.length === 1 ? `${capital(alerts[0])} fails too often. ` : alerts.length ? `${counted(alerts.length, "release")} fail too often. ` : "",
    ]), h("a", { href }, "Show the versions"))) : null,
    now.share === null ? empty("No device has reported a restore in this period")
      : h("div.hero", null,
        h(`p.hero-number.${gradeOf(now.share)}`, null, percent(now.share)),
        h("div", null,
          h("p", null, `of ${counted(now.ended, "restore")} succeeded. ${counted(now.failed, "failure")}, ${counted(now.crashed, "crash", "crashes")}.`),
          h("p.quiet", null, `Target ${percent(target)}`, moved ? [" · ", moved, ` against the ${period} before (${percent(before.share)})`] : null))),
    failing.length ? h("ul.explains", null,
      failing.slice(0, 3).map((row) => h("li", null, h("b", null, sides(row)), `: ${counted(row.failed + row.crashed, "failure")} of ${counted(row.restored + row.failed + row.crashed, "report")}, ${counted(row.failingUsers, "user")}`)),
      paths[0] ? h("li", null, "Most fail at ", h("b", null, name(paths[0].path, { limit: 40, isPlain: true, empty: "no path" })), `: ${counted(paths[0].failures, "failure")} of ${counted(paths[0].users, "user")}`) : null,
      h("li", null, h("a", { href }, "All versions, paths and failures"))) : null,
  ];
}

function chartPanel(name, load, signal, app, choice) {
  const [title, note, noun] = lookUp(groups, name) ?? [capital(plain(name)), null, "events"];
  return panel({
    title, note, signal, level: 2, skeleton: "chart", load, name,
    show: (data) => {
      const { of, order } = data.charts;
      const label = (group) => (order ? null : lookUp(reasons, group)?.word) ?? plain(group, 40);
      const series = of(name).map(({ group, counts }) => ({ group, label: label(group), counts, color: order ? undefined : colorOf(group) }));
      const isEmpty = !series.some(({ counts }) => counts.some((count) => count > 0));
      if (isEmpty && (choice.idiom || choice.version)) return empty("Nothing in this period fits the filters");
      return isEmpty ? empty("Nothing in this period", nextStep(name, app)) : chart({ title, noun, from: data.from, columnHours: data.columnHours, series, order, hasSum: !groupsWithoutSum.includes(name) });
    },
  });
}

function nextStep(name, app) {
  if (name === "refusal") return h("p", null, "No request was refused.");
  if (name === "outcome") return h("p", null, "Outcomes appear when devices report their restores.");
  return h("p", null, "Counts appear when devices use the app. ", h("a", { href: link("/apps", app, "start") }, "Get started"));
}
