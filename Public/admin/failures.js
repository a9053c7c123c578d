// The restores of an app that failed or crashed: each one, or in groups by path or by user.

import { filter, link, path, query } from "./addresses.js";
import { get } from "./api.js";
import { resultBadge } from "./archives.js";
import { segmentControl, selectControl } from "./controls.js";
import { h, lookUp } from "./dom.js";
import { number, shortID } from "./formats.js";
import { name } from "./names.js";
import { empty, panel } from "./panels.js";
import { sides } from "./success.js";
import { showMore, table } from "./tables.js";
import { time } from "./times.js";
import { deviceLink, userName } from "./users.js";

const results = [["", "Failures and crashes"], ["crashed", "Crashes (proven by the next launch)"], ["failed", "Failures without a crash"]];

/** The failures of a period in hours. The address has the filters and the grouping. */
export function failuresPanel(visit, hours) {
  const { params: { app }, query: filters, signal } = visit;
  const here = (changes) => link("/apps", app, "health", { ...Object.fromEntries(filters), ...changes });
  const [by, result, user, at, hasPath] = ["by", "result", "user", "path", "hasPath"].map((key) => filters.get(key) ?? undefined);
  const isNarrowed = user || at || hasPath;
  const view = lookUp(views, by) ?? views.path;
  const target = path`/apps/${app}/failures` + (view.by ? "/groups" : "");
  const load = (cursor) => get(target + query({ by: view.by, hours, result, user, path: at, hasPath, limit: 50, cursor }), signal);
  return panel({
    title: "Failures", signal, name: "failures", load: () => load(),
    note: "A restore that fails or crashes quarantines the archive for devices of the same kind and version: they get another archive.",
    show: ({ items, next }) => [
      h("div.controls", null,
        selectControl("result", "Show", results, result, (value) => filter({ result: value })),
        segmentControl("Grouped", Object.entries(views).map(([key, { text }]) => [`by-${key}`, text, here({ by: key }), views[key] === view]))),
      isNarrowed ? h("p", null, "Only ", user ? ["of ", h("a", { href: link("/apps", app, "users", user) }, userName(user, (items[0]?.last ?? items[0])?.subject)), " "] : null,
        at ? ["at ", name(at, { limit: 60, label: "path" }), " "] : hasPath ? "without a path " : null,
        items.length ? h("a", { href: here({ user: "", path: "", hasPath: "" }) }, "Show all") : null) : null,
      items.length ? list(items, next, load, view, app, here)
        : result || isNarrowed ? empty("No failure fits the filters", h("a.button.secondary.small", { href: here({ result: "", user: "", path: "", hasPath: "" }) }, "Show all"))
          : empty("No restore failed in this period", h("p", null, "A failure appears here with the user, the scene and the archive.")),
    ],
  });
}

function list(items, next, load, { caption, columns, row }, app, here) {
  const rowsOf = (some) => table({ caption, columns, rows: some.map((one) => row(one, app, here)) });
  const shown = rowsOf(items);
  return [shown, showMore(shown.tBodies[0], next, load, (more) => [...rowsOf(more).tBodies[0].rows])];
}

const archiveLink = (one, app, text) => h("a", { href: link("/apps", app, "users", one.user, "scenes", one.scene, "archives", one.archive) }, text);
const pathName = (one) => one.path ? name(one.path, { limit: 60, label: "path" }) : h("span.quiet", null, "not reported");

const counts = [{ title: "Failures", isNumber: true }, { title: "Crashes", isNumber: true }];
const countsOf = ({ failures, crashes }) => [number(failures), number(crashes)];

const views = {
  path: {
    text: "By path", by: "path", caption: "Failures by path",
    columns: [{ title: "Path", isHead: true }, ...counts, { title: "Users", isNumber: true }, { title: "Versions", isMinor: true }, { title: "Last failure" }],
    row: (group, app, here) => [
      group.path ? name(group.path, { limit: 60, label: "path", href: here({ by: "each", path: group.path }) })
        : h("a", { href: here({ by: "each", hasPath: "false" }) }, "not reported"), ...countsOf(group), number(group.users), sides(group.last),
      archiveLink(group.last, app, time(group.last.at, "relative")),
    ],
  },
  user: {
    text: "By user", by: "user", caption: "Failures by user",
    columns: [{ title: "User", isHead: true }, ...counts, { title: "Versions", isMinor: true }, { title: "Last failure" }],
    row: (group, app, here) => [
      h("a", { href: here({ by: "each", user: group.user }) }, userName(group.user, group.last.subject)), ...countsOf(group), sides(group.last),
      archiveLink(group.last, app, time(group.last.at, "relative")),
    ],
  },
  each: {
    text: "Each", caption: "Failures, the newest first",
    columns: [{ title: "Time", isHead: true }, { title: "Result" }, { title: "Archive" }, { title: "User and device" }, { title: "Versions", isMinor: true }, { title: "Path" }],
    row: (one, app) => {
      const user = ["/apps", app, "users", one.user];
      return [
        time(one.at, "minute"), resultBadge(one.result),
        h("span.pair-of-links", null, archiveLink(one, app, h("code.id", null, shortID(one.archive))),
          " of ", name(one.scene, { limit: 30, href: link(...user, "scenes", one.scene), label: "scene" })),
        h("span.pair-of-links", null, h("a", { href: link(...user) }, userName(one.user, one.subject)), " ",
          deviceLink(one.device, user, { idiom: one.target.idiom })),
        sides(one), pathName(one),
      ];
    },
  },
};
