// The views of an app: the overview with its charts, getting started, users, and the audit log.

import {
  absolute, announce, append, bytes, capital, codeBlock, counted, empty, explained, figures, fill, h, isAborted,
  link, name, number, pager, panel, path, percent, plain, preference, Problem, query, s, shared, shortID,
  shortNumber, table, time, uniqueID,
} from "./elements.js";
import { accountBadge, appName, apps, filter, get } from "./app.js";

// # Overview
// The overview of an app: usage, and what happened over time.

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

// # Getting started
// Getting started: the key, the lines for the app, and waiting for the first device.

const swiftString = (text) => JSON.stringify(String(text)).replace(/\\u([0-9a-f]{4})/gi, "\\u{$1}");

const code = (key) => `import PlacekeeperClient

let placekeeper = Placekeeper(URL(string: ${swiftString(location.origin)})!, key: ${swiftString(key)})
let launch = await placekeeper.scene().launch()  // at launch: the state to restore, and an offer
placekeeper.scene().save(archive)  // when the state changes
await placekeeper.list(of: notes).update(from: notes)  // when the notes have loaded, and when they change
try await placekeeper.flush()  // when the app goes to the background`;

const shell = (key) => `S=${location.origin}
json='Content-Type: application/json'
field() { sed -n "s/.*\\"$1\\" *: *\\"\\([^\\"]*\\)\\".*/\\1/p"; }
token=$(curl -sS "$S/v1/devices" -H "$json" -d '{"app": "${key}", "idiom": "phone", "name": "Phone"}' | field token)
placekeeper sample > state.plist
curl -sS -T state.plist -H "Authorization: Bearer $token" "$S/v1/scenes/main/archives/$(uuidgen | tr A-F a-f)"
curl -sS -D - -o latest.plist -H "Authorization: Bearer $token" "$S/v1/scenes/main/archives/latest?idiom=phone&bundleVersion=42"
placekeeper inspect latest.plist`;

export function startView(visit) {
  const { app } = visit.params;
  const load = shared((signal) => get(path`/apps/${app}`, signal));
  const { signal } = visit;
  return {
    title: "Get started",
    crumbs: [[appName(app), link("/apps", app)]],
    content: h("div.stack", null,
      waiting(app, signal),
      panel({
        title: "The key", signal, load, name: "key",
        note: "The publishable key is built into the app. It lets new devices register, and opens no existing data.",
        show: (data) => codeBlock(data.publishableKey ?? "", { label: "publishable key" }),
      }),
      panel({
        title: "Five lines of Swift", signal, load, name: "swift",
        note: ["Make one client for each process, and keep it. ", h("code", null, "notes"), " is a list of the app; ",
          h("code", null, "archive"), " is the state of the interface. docs/your-app.md of the project shows the whole client."],
        show: (data) => codeBlock(code(data.publishableKey ?? ""), { label: "Swift code" }),
      }),
      panel({
        title: "Without an app", signal, load, name: "walk-through",
        note: "These lines register a device, upload a sample state, and get it back. Paste them into a shell that has the command placekeeper.",
        show: (data) => codeBlock(shell(data.publishableKey ?? ""), { label: "lines for a shell" }),
      })),
  };
}

/** A status that turns green when the first device registers. */
function waiting(app, signal) {
  const title = h("p.waiting-title", null, "Looking for devices…");
  const detail = h("p.quiet", null, "This takes a moment.");
  const element = h("section.panel.live", { "aria-label": "First device", data: { state: "waiting" } },
    h("span.lamp", { "aria-hidden": "true" }), h("div", { role: "status" }, title, detail));
  const say = (state, text, ...more) => {
    if (element.dataset.state !== state || title.textContent !== text) {
      element.dataset.state = state;
      title.textContent = text;
      fill(detail, more);
    }
  };
  poll(app, signal, say).catch((error) => say("bad", "The devices cannot be read", explained(error)));
  return element;
}

async function poll(app, signal, say) {
  let wasWaiting = false;
  for (let pause = 2_000; !signal.aborted; pause = Math.min(pause * 1.2, 10_000)) {
    try {
      if (!document.hidden || !wasWaiting) {
        const overview = await get(path`/apps/${app}/overview` + "?hours=24", signal);
        if (!overview.waitingForFirstDevice) {
          say("good", wasWaiting ? "The first device is here" : "Devices are using this app",
            counted(overview.usage?.devices ?? 1, "device"), " of ", counted(overview.usage?.users ?? 1, "user"), ". ",
            h("a", { href: link("/apps", app, "users") }, "Show the users"), " or the ",
            h("a", { href: link("/apps", app) }, "overview"), ".");
          if (wasWaiting) announce("The first device is here");
          return;
        }
        wasWaiting = true;
        say("waiting", "Waiting for the first device…", "Start the app, or paste the lines below. This page notices by itself.");
      }
    } catch (error) {
      if (isAborted(error)) return;
      if (!(error instanceof Problem)) throw error;
      say("bad", "The devices cannot be read now", explained(error), " The page tries again.");
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

// # Users
// The users of an app: exact search, and the list in pages.

export function usersView(visit) {
  const { app } = visit.params;
  const text = visit.query.get("text") ?? "";
  return {
    title: "Users",
    crumbs: [[appName(app), link("/apps", app)]],
    content: h("div.stack", null, search(text), text ? found(visit, text) : list(visit)),
  };
}

function search(text) {
  const input = h("input", {
    id: "search", type: "search", name: "text", autocomplete: "off", spellcheck: "false", props: { value: text },
    "aria-describedby": "search-help", placeholder: "anna@example.com, or an id",
  });
  return h("form.search", {
    role: "search",
    on: {
      submit: (event) => {
        event.preventDefault();
        filter({ text: input.value.trim(), cursor: undefined });
      },
    },
  },
  h("label", { for: "search" }, "Find a user, device or archive"),
  h("div.joined", null, input, h("button", { type: "submit" }, "Find")),
  h("p.help", { id: "search-help" }, "The whole subject of an account, or the whole id of a user, a device or an archive. The service finds exact matches only. Press ",
    h("kbd", null, "/"), " to come here."));
}

function found(visit, text) {
  const { app } = visit.params;
  return panel({
    title: "Found", signal: visit.signal, name: "found",
    actions: h("a", { href: link("/apps", app, "users") }, "Show all users"),
    load: (signal) => get(path`/apps/${app}/find` + query({ text }), signal),
    show: ({ items }) => items.length ? h("ul.results", null, items.map((item) => result(item, app)))
      : empty("Nothing has exactly this name or id",
        h("p", null, "Check the spelling. A part of a subject or of an id finds nothing, and erased users are not found.")),
  });
}

function result(item, app) {
  const user = ["/apps", app, "users", item.user];
  const href = item.kind === "archive" && item.scene ? link(...user, "scenes", item.scene, "archives", item.archive) : link(...user);
  const id = { user: item.user, device: item.device, archive: item.archive }[item.kind] ?? item.user;
  return h("li", null, h("a", { href }, capital(String(item.kind)), " ", h("code", null, id)),
    item.kind === "user" ? null : h("span.quiet", null, " of the user ", h("code", null, shortID(item.user))),
    item.scene ? h("span.quiet", null, ", scene ", name(item.scene)) : null);
}

function list(visit) {
  const { app } = visit.params;
  return panel({
    title: "All users", signal: visit.signal, name: "users",
    load: (signal) => get(path`/apps/${app}/users` + query({ cursor: visit.query.get("cursor") }), signal),
    show: ({ items, next }) => items.length ? [
      table({
        caption: "Users",
        columns: [
          { title: "User", isHead: true }, { title: "Kind" }, { title: "Devices", isNumber: true },
          { title: "Archives", isNumber: true }, { title: "Stored", isNumber: true }, { title: "Last seen" }, { title: "Created" },
        ],
        rows: items.map((user) => [
          h("a", { href: link("/apps", app, "users", user.id) }, h("code.id", null, shortID(user.id), h("span", null, String(user.id).slice(8)))), accountBadge(user.signedIn),
          number(user.devices), number(user.archives), bytes(user.bytes), time(user.lastSeenAt, "relative"),
          time(user.createdAt, "relative"),
        ]),
      }),
      pager(visit, next, ["/apps", app, "users"]),
    ] : empty("No user has registered yet", h("p", null, "Put the key into the app, and start the app on a device."),
      h("a.button", { href: link("/apps", app, "start") }, "Get started")),
  });
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest?.("input, textarea, select, dialog")) return;
  const input = document.getElementById("search");
  if (!input) return;
  event.preventDefault();
  input.focus();
  input.select();
});

// # Audit log
// The audit log of an app: who did what to whose data.

export function auditView(visit) {
  const { app } = visit.params;
  return {
    title: "Audit log",
    crumbs: [[appName(app), link("/apps", app)]],
    lead: "Who did what to the data of the app's users. A user is named by a keyed hash. Entries are kept for 400 days.",
    content: panel({
      label: "Entries", signal: visit.signal, name: "audit",
      load: (signal) => get(path`/apps/${app}/audit` + query({ cursor: visit.query.get("cursor") }), signal),
      show: ({ items, next }) => items.length ? [
        table({
          caption: "Entries",
          columns: [{ title: "Time" }, { title: "Who" }, { title: "Action", isHead: true }, { title: "User" }, { title: "Detail" }, { title: "Entry", isNumber: true }],
          rows: items.map((entry) => [
            time(entry.at, "full"), name(entry.actor, { limit: 40, label: "name" }), plain(entry.action),
            entry.about ? h("code.id", { title: entry.about }, plain(entry.about, 8)) : h("span.quiet", null, "–"),
            entry.detail ? name(entry.detail, { limit: 60, label: "detail" }) : h("span.quiet", null, "–"), number(entry.number),
          ]),
        }),
        pager(visit, next, ["/apps", app, "audit"]),
      ] : empty("The log is empty", h("p", null, "Entries appear when people sign in or out, and when administrators look at or change data.")),
    }),
  };
}
