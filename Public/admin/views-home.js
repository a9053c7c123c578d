// The home of the service: what needs somebody, and the apps.

import { go, link, path, query, replaceFilters } from "./addresses.js";
import { get, send } from "./api.js";
import { forgetApps, rememberNames } from "./apps.js";
import { total } from "./charts.js";
import { dialog } from "./dialogs.js";
import { fill, h, lookUp } from "./dom.js";
import { draft, dropDraft, keepDraft } from "./drafts.js";
import { badge } from "./facts.js";
import { bytes, counted, number } from "./formats.js";
import { form, textField } from "./forms.js";
import { name } from "./names.js";
import { empty, panel } from "./panels.js";
import { isAborted } from "./problems.js";
import { denied, deniedNote } from "./roles.js";
import { may } from "./session.js";
import { change, failingReleases, shareText, tallies } from "./success.js";
import { pager, sortable, table } from "./tables.js";
import { plain } from "./texts.js";

const restorationBadge = (word) => lookUp({
  auto: badge("restores", "good", "Clients restore archives"),
  offer: badge("offers", "accent", "Clients offer archives to the user"),
  off: badge("restoring is off", "bad", "Clients ignore archives"),
}, word) ?? badge(plain(word));

export function appsView(visit) {
  const mayCreate = may("createApp");
  const needs = h("div.panel-body");
  return {
    title: "Home",
    actions: h("button", { type: "button", disabled: !mayCreate, title: denied("createApp", "create apps"), on: { click: createApp } }, "New app"),
    content: h("div.stack", null,
      h("section.panel.bare", { "aria-label": "What needs you", data: { panel: "needs" } }, needs),
      panel({
        label: "Apps", signal: visit.signal, name: "apps",
        load: async (signal) => {
          const page = await get(`/apps${query({ cursor: visit.query.get("cursor") })}`, signal);
          rememberNames(page.items);
          return page;
        },
        show: ({ items, next }) => items.length ? [appTable(items, visit, needs), pager(visit, next, ["/"]), deniedNote("createApp", "create apps")]
          : empty("There is no app yet",
            h("p", null, "An app has a bundle identifier, a key that is built into it, and its own settings."),
            mayCreate ? h("button", { type: "button", on: { click: createApp } }, "Create the first app") : deniedNote("createApp", "create apps")),
      })),
  };
}

const columns = [
  { title: "App", isHead: true }, { title: "Success, 24 h", isNumber: true }, { title: "Restores, 24 h", isNumber: true }, { title: "Alerts" },
  { title: "Users", isNumber: true }, { title: "Stored", isNumber: true, isMinor: true }, { title: "Restoring", isMinor: true },
];

/** The number of apps that are read together. */
const together = 4;

/** One row for each app. The rates and the alerts come after the names, a few apps at a time. */
function appTable(items, visit, needs) {
  const rows = items.map((app) => {
    const [rate, restores, alerts] = ["span.noted", "span", "span"].map((tag) => h(tag, null, "…"));
    return { app, rate, restores, alerts, values: [app.bundleIdentifier, null, null, null, app.usage?.users, app.usage?.bytes, app.restoration] };
  });
  const element = table({
    caption: "Apps", columns,
    rows: rows.map(({ app, rate, restores, alerts }) => [
      [name(app.bundleIdentifier, { href: link("/apps", app.id), label: "bundle identifier" }), app.beingDeleted ? [" ", badge("being deleted", "bad")] : null], rate, restores, alerts,
      number(app.usage?.users), bytes(app.usage?.bytes), restorationBadge(app.restoration),
    ]),
  });
  const rowOf = new Map([...element.tBodies[0].rows].map((row, index) => [row, rows[index]]));
  const sort = sortable(element, {
    chosen: visit.query.get("sort"), changed: (chosen) => replaceFilters({ sort: chosen }),
    values: (row, column) => rowOf.get(row).values[column],
  });
  fillRates(rows, visit.signal).then((wishes) => {
    sort();
    fill(needs, needsList(wishes));
  }).catch(() => {
    // The view is gone.
  });
  return element;
}

/** Returns what somebody should do for the apps, the urgent first, and else in the order of the rows. */
async function fillRates(rows, signal) {
  const wishes = rows.map(() => []);
  const left = [...rows.entries()];
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [index, row] = next;
      wishes[index] = await fillRow(row, signal);
      signal.throwIfAborted();
    }
  };
  await Promise.all(Array.from({ length: together }, work));
  return wishes.flat().sort(([first], [second]) => (second === "bad") - (first === "bad"));
}

/** Shows the success and the alerts of an app. Returns what somebody should do for it. */
async function fillRow({ app, rate, restores, alerts, values }, signal) {
  const wishes = [];
  if (app.beingDeleted) {
    for (const cell of [rate, restores, alerts]) fill(cell, "–");
    return wishes;
  }
  const appLink = name(app.bundleIdentifier, { limit: 40, isPlain: true });
  if (app.restoration === "off") wishes.push(["bad", [appLink, ": restoring is switched off"], link("/apps", app.id, "settings", { show: "restoration" }), "Settings"]);
  try {
    const [overview, { breaker }] = await Promise.all([
      get(path`/apps/${app.id}/overview?hours=24`, signal), get(path`/apps/${app.id}/health?hours=24`, signal),
    ]);
    const { now, before } = tallies(overview);
    const served = total((overview.series ?? []).filter(({ name }) => name === "restore").map(({ counts }) => total(counts)));
    const failing = failingReleases(breaker.pairs);
    const stopped = breaker.pairs.filter(({ state }) => state === "stopped").length;
    fill(rate, shareText(now.share), change(now.share, before.share));
    fill(restores, number(served));
    fill(alerts, failing.length ? badge(counted(failing.length, "alert"), "poor") : null, stopped ? [" ", badge(`${stopped} stopped`, "bad")] : null,
      failing.length || stopped ? null : h("span.quiet", null, "none"));
    values.splice(1, 3, now.share, served, failing.length + stopped);
    const health = link("/apps", app.id, "health");
    for (const release of failing) wishes.push(["poor", [appLink, `: ${release} fails too often`], health, "Show it"]);
    if (stopped) wishes.push(["bad", [appLink, `: ${counted(stopped, "stop")} of restores ${stopped === 1 ? "is" : "are"} in force`], health, "Show"]);
  } catch (error) {
    if (isAborted(error) || signal.aborted) throw error;
    fill(rate, h("span.quiet", null, "not read"));
    for (const cell of [restores, alerts]) fill(cell, "–");
  }
  return wishes;
}

function needsList(wishes) {
  if (!wishes.length) return h("p.callout.good", null, h("b", null, "Nothing needs you."), " No release fails too often, and no restores are stopped.");
  const kind = wishes.some(([one]) => one === "bad") ? "bad" : "poor";
  return h(`div.callout.${kind}`, { role: "status" },
    h("h2", null, wishes.length === 1 ? "1 thing needs you" : `${number(wishes.length)} things need you`),
    h("ul.lines", null, wishes.slice(0, 10).map(([, text, href, action]) => h("li", null, text, ". ", h("a", { href }, action)))),
    wishes.length > 10 ? h("p.quiet", null, `${number(wishes.length - 10)} more: sort the list by its alerts.`) : null);
}

function createApp() {
  const bundle = textField({
    id: "bundle", label: "Bundle identifier", required: true, value: draft("app") ?? "", placeholder: "com.example.photos",
    help: "The identifier of the app, as in Xcode.", maxlength: 255,
  });
  bundle.input.addEventListener("input", () => keepDraft("app", bundle.value));
  const opened = dialog({
    title: "New app",
    content: form({
      fields: bundle.element,
      action: "Create",
      async submit() {
        const { data } = await send("POST", "/apps", { body: { bundleIdentifier: bundle.value.trim() } });
        dropDraft("app");
        opened.close("done");
        forgetApps();
        go(link("/apps", data.id, "start"));
      },
    }),
  });
}
