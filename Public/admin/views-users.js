// The users of an app: exact search, and the list in pages.

import { filter, link, path, query } from "./addresses.js";
import { get } from "./api.js";
import { appName } from "./apps.js";
import { h, lookUp } from "./dom.js";
import { bytes, capital, number, shortID } from "./formats.js";
import { name } from "./names.js";
import { empty, panel } from "./panels.js";
import { preference } from "./preferences.js";
import { pager, table } from "./tables.js";
import { time } from "./times.js";
import { accountBadge } from "./users.js";

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
  h("p.help", { id: "search-help" }, "The whole subject of an account, or the whole id of a user, a device or an archive. The service finds exact matches only. ",
    preference("slash") === "on" ? ["Press ", h("kbd", null, "/"), " in any view of the app to come here."] : null));
}

function found(visit, text) {
  const { app } = visit.params;
  return panel({
    title: "Found", signal: visit.signal, name: "found",
    actions: h("a", { href: link("/apps", app, "users") }, "Show all users"),
    load: async (signal) => {
      const { items } = await get(path`/apps/${app}/find` + query({ text }), signal);
      // The only hit is shown in place of the search, so "back" leads to the view before the search.
      if (items.length === 1 && !signal.aborted) location.replace(hitLink(items[0], app));
      return items;
    },
    show: (items) => items.length ? h("ul.results", null, items.map((item) => result(item, app)))
      : empty("Nothing has exactly this subject or id",
        h("p", null, "The search needs a whole id (36 characters) or a whole subject. The page shows only the first 8 characters of an id: “Copy” beside it copies the whole id."),
        h("p", null, "Erased users are not found.")),
  });
}

function hitLink(item, app) {
  const user = ["/apps", app, "users", item.user];
  if (item.kind === "archive" && item.scene) return link(...user, "scenes", item.scene, "archives", item.archive);
  return link(...user, item.kind === "device" ? { device: item.device } : {});
}

function result(item, app) {
  const href = hitLink(item, app);
  const id = lookUp({ user: item.user, device: item.device, archive: item.archive }, item.kind) ?? item.user;
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
