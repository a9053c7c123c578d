// The audit log of an app, and of the whole service.

import { filter, link, path, query } from "./addresses.js";
import { get } from "./api.js";
import { appName } from "./apps.js";
import { actionsIn, actionText, actorText, detailText, kindsIn } from "./audit-actions.js";
import { inputControl, segmentControl, selectControl } from "./controls.js";
import { h } from "./dom.js";
import { number } from "./formats.js";
import { empty, panel } from "./panels.js";
import { serviceSections } from "./service.js";
import { pager, table } from "./tables.js";
import { plain } from "./texts.js";
import { time } from "./times.js";

export function auditView(visit) {
  const { app } = visit.params;
  return {
    title: "Audit log",
    crumbs: [[appName(app), link("/apps", app)]],
    lead: "Who did what to the data of the app's users. A user is named by a keyed hash. Entries are kept for 400 days.",
    content: log(visit, path`/apps/${app}/audit`, ["/apps", app, "audit"],
      "Entries appear when people sign in or out, and when administrators look at or change data."),
  };
}

/** The audit log of the whole service. */
export function serviceAuditView(visit) {
  return {
    title: "Log of the service",
    tabs: serviceSections("audit"),
    lead: "Log-ins, and changes of administrators and API tokens. Entries are kept for 400 days.",
    content: log(visit, "/audit", ["/audit"], "Entries appear when administrators log in, and when an owner changes them."),
  };
}

function log(visit, target, parts, hint) {
  const { params: { app }, query: filters, signal } = visit;
  const [kind, action, actor, day, cursor] = ["kind", "action", "actor", "day", "cursor"].map((key) => filters.get(key) ?? undefined);
  const shownKind = kindsIn(app).some(([known]) => known === kind) ? kind : "changes";
  const here = (changes) => link(...parts, { ...Object.fromEntries(filters), cursor: "", ...changes });
  const set = (key) => (value) => filter({ [key]: value, cursor: "" });
  const controls = h("div.controls", null,
    segmentControl("Kind", kindsIn(app).map(([value, text]) => [`kind-${value}`, text, here({ kind: value, action: "" }), value === shownKind])),
    selectControl("action", "Action", [["", "Every action"], ...actionsIn(app, shownKind)], action, set("action")),
    inputControl("actor", "By", { type: "search", spellcheck: "false", placeholder: "anna", list: "actors" }, actor, set("actor")),
    inputControl("day", "Day (UTC)", { type: "date" }, day, set("day")));
  const isFiltered = action || actor || day;
  return panel({
    label: "Entries", signal, name: "audit",
    load: (signal) => get(target + query({ kind: shownKind === "all" ? undefined : shownKind, action, actor, day, cursor }), signal),
    show: ({ items, next }) => [
      controls,
      h("datalist", { id: "actors" }, [...new Set([...items.map((entry) => String(entry.actor)), ...app ? ["user", "breaker"] : ["unknown"]])].map((value) => h("option", { value }))),
      items.length ? entries(items, here) : next ? empty("None of the entries on this page fits", h("p", null, "A page looks at 20,000 entries at most. Older ones may fit."))
        : isFiltered ? empty("No entry fits the filters", h("a.button.secondary.small", { href: link(...parts) }, "Show all changes")) : empty("There is no such entry", h("p", null, hint)),
      pager(visit, next, parts),
    ],
  });
}

const entries = (items, here) => table({
  caption: "Entries",
  columns: [{ title: "Time" }, { title: "Who" }, { title: "Action", isHead: true }, { title: "User" }, { title: "Detail" }, { title: "Entry", isNumber: true, isMinor: true }],
  rows: items.map((entry) => [
    time(entry.at, "full"), h("a", { href: here({ actor: entry.actor }) }, actorText(entry.actor)), h("span", { title: plain(entry.action) }, actionText(entry.action)),
    entry.about ? h("code.id", { title: entry.about }, plain(entry.about, 8)) : h("span.quiet", null, "–"), detailText(entry), number(entry.number),
  ]),
});
