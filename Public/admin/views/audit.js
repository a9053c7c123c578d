// The audit log of an app: who did what to whose data.

import { get, path, query } from "../api.js";
import { appName } from "../apps.js";
import { h } from "../dom.js";
import { number } from "../format.js";
import { link } from "../router.js";
import { name, plain } from "../text.js";
import { pager, table } from "../components/list.js";
import { empty, panel } from "../components/panel.js";
import { time } from "../components/time.js";

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
