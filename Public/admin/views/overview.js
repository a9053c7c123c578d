// The overview of an app: usage, and what happened over time.

import { get, path } from "../api.js";
import { apps } from "../apps.js";
import { chart } from "../chart.js";
import { h } from "../dom.js";
import { bytes, capital, counted, number, percent } from "../format.js";
import { link } from "../router.js";
import { plain } from "../text.js";
import { appName } from "../apps.js";
import { figures } from "../components/list.js";
import { empty, panel, shared } from "../components/panel.js";

const ranges = [[24, "24 hours"], [168, "7 days"], [720, "30 days"]];

const groups = {
  upload: ["Uploads", "Archives that devices sent."],
  restore: ["Restores served", "Answers to devices that asked for the latest archive, by fidelity."],
  refusal: ["Refusals by reason", "Requests for which no archive could be served, by the reason against the newest one."],
  outcome: ["Outcomes", "What devices reported after they were served an archive."],
};

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
  const charts = h("div.charts", null, Object.keys(groups).map((name) => chartPanel(name, load, signal, app)));
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
      charts,
      panel({
        label: "Other counts", isBare: true, signal, skeleton: "chart", load,
        show: (data) => {
          const names = [...new Set((data.series ?? []).map(({ name }) => name))].filter((name) => !(name in groups));
          return names.length ? h("div.charts", null, names.map((name) => chartPanel(name, load, signal, app))) : null;
        },
      })),
  };
}

const restoringNote = (app, id) => h("div.callout.poor", null, h("p", null,
  app.restoration === "off" ? "Restoring is switched off: devices ignore archives. " : "Devices offer archives, and do not restore them by themselves. ",
  h("a", { href: link("/apps", id, "settings") }, "Settings")));

function usage({ usage, series, waitingForFirstDevice }, app) {
  if (waitingForFirstDevice) {
    return empty("No device has registered yet", h("p", null, "Put the key into the app, and start the app on a device."),
      h("a.button", { href: link("/apps", app, "start") }, "Get started"));
  }
  return figures([
    { name: "Users", value: number(usage?.users) },
    { name: "Devices", value: number(usage?.devices) },
    { name: "Archives", value: number(usage?.archives) },
    { name: "Stored", value: bytes(usage?.bytes) },
    successes(series ?? []),
  ].filter(Boolean));
}

/** The share of reported restores that succeeded. */
function successes(series) {
  const sum = (label) => series.filter((one) => one.name === "outcome" && String(one.label).toLowerCase() === label)
    .flatMap(({ counts }) => counts).reduce((total, count) => total + count, 0);
  const restored = sum("restored");
  const failed = sum("failed") + sum("crashed");
  if (!restored && !failed) return null;
  return { name: "Restores that succeeded", value: percent(restored / (restored + failed)), note: `${counted(failed, "failure")} in this period` };
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
