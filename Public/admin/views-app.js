// The other views of an app: getting started, users, and the audit log.

import {
  announce, bytes, capital, codeBlock, counted, empty, explained, fill, h, isAborted, link, lookUp, name, number, pager,
  panel, path, plain, preference, Problem, query, shared, shortID, table, time,
} from "./elements.js";
import { accountBadge, appName, filter, get } from "./app.js";

// # Getting started
// Getting started: the key, the lines for the app, and waiting for the first device.

const swiftString = (text) => JSON.stringify(String(text)).replace(/\\u([0-9a-f]{4})/gi, "\\u{$1}");

const code = (key) => `import PlacekeeperKit

let placekeeper = Placekeeper(URL(string: ${swiftString(location.origin)})!, key: ${swiftString(key)})

NavigationStack(path: $path) { Library(shelf: shelf) }
    .keepsPlace($path, in: placekeeper, items: shelf.books, title: "Library")`;

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
        title: "In the app", signal, load, name: "swift",
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

// # Audit log
// The audit log of an app, and of the whole service.

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
