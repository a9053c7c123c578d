// The audit log of an app, and of the whole service.

import { link, path, query } from "./addresses.js";
import { get } from "./api.js";
import { appName } from "./apps.js";
import { h } from "./dom.js";
import { number } from "./formats.js";
import { name } from "./names.js";
import { empty, panel } from "./panels.js";
import { pager, table } from "./tables.js";
import { plain } from "./texts.js";
import { time } from "./times.js";

export function auditView(visit) {
  const { app } = visit.params;
  return {
    title: "Audit log",
    crumbs: [[appName(app), link("/apps", app)]],
    lead: "Who did what to the data of the app's users. A user is named by a keyed hash. Entries are kept for 400 days.",
    content: entriesPanel(visit, path`/apps/${app}/audit`, ["/apps", app, "audit"],
      "Entries appear when people sign in or out, and when administrators look at or change data."),
  };
}

/** The audit log of the whole service. */
export function serviceAuditView(visit) {
  return {
    title: "Log of the service",
    lead: "Log-ins, and changes of administrators and API tokens. Entries are kept for 400 days.",
    content: entriesPanel(visit, "/audit", ["/audit"], "Entries appear when administrators log in, and when an owner changes them."),
  };
}

function entriesPanel(visit, target, parts, hint) {
  return panel({
    label: "Entries", signal: visit.signal, name: "audit",
    load: (signal) => get(target + query({ cursor: visit.query.get("cursor") }), signal),
    show: ({ items, next }) => items.length ? [
      table({
        caption: "Entries",
        columns: [{ title: "Time" }, { title: "Who" }, { title: "Action", isHead: true }, { title: "User" }, { title: "Detail" }, { title: "Entry", isNumber: true }],
        rows: items.map((entry) => [
          time(entry.at, "full"), name(entry.actor, { limit: 40, label: "name" }), plain(entry.action),
          entry.about ? h("code.id", { title: entry.about }, plain(entry.about, 8)) : h("span.quiet", null, "–"),
          entry.detail ? name(entry.detail, { limit: 1_000, label: "detail" }) : h("span.quiet", null, "–"), number(entry.number),
        ]),
      }),
      pager(visit, next, parts),
    ] : empty("The log is empty", h("p", null, hint)),
  });
}
