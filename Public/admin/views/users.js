// The users of an app: exact search, and the list in pages.

import { get, path, query } from "../api.js";
import { appName } from "../apps.js";
import { h } from "../dom.js";
import { bytes, capital, number, shortID } from "../format.js";
import { filter, link } from "../router.js";
import { name } from "../text.js";
import { badge, pager, table } from "../components/list.js";
import { empty, panel } from "../components/panel.js";
import { time } from "../components/time.js";

export const accountBadge = (isSignedIn) => isSignedIn ? badge("account", "accent") : badge("anonymous");

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
