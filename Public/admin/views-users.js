// The users of an app: exact search, and the list with its order and filters.

import { filter, link, path, query } from "./addresses.js";
import { get } from "./api.js";
import { appName } from "./apps.js";
import { inputControl, selectControl } from "./controls.js";
import { devicesOf, idioms } from "./devices.js";
import { announce, append, fill, h, lookUp } from "./dom.js";
import { bytes, capital, counted, number, shortID } from "./formats.js";
import { name } from "./names.js";
import { empty, failure, panel } from "./panels.js";
import { preference } from "./preferences.js";
import { isAborted } from "./problems.js";
import { pager, table } from "./tables.js";
import { time } from "./times.js";
import { accountText, userName } from "./users.js";

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
  h("label", { for: "search" }, "Find a user, device, archive or item"),
  h("div.joined", null, input, h("button", { type: "submit" }, "Find")),
  h("p.help", { id: "search-help" }, "The whole subject of an account, the whole id of a user, a device or an archive, or the whole identifier of an item. The service finds exact matches only. ",
    preference("slash") === "on" ? ["Press ", h("kbd", null, "/"), " in any view of the app to come here."] : null));
}

function found(visit, text) {
  const { params: { app }, signal } = visit;
  const load = (cursor) => get(path`/apps/${app}/find` + query({ text, cursor }), signal);
  return panel({
    title: "Found", signal, name: "found",
    actions: h("a", { href: link("/apps", app, "users") }, "Show all users"),
    load: async () => {
      const page = await load();
      // The only hit is shown in place of the search, so "back" leads to the view before the search. Only items can have
      // hits on later pages too: the first page has looked at all subjects and ids.
      const isOnly = page.items.length === 1 && (!page.next || page.items[0].kind !== "item");
      if (isOnly && !signal.aborted) location.replace(hitLink(page.items[0], app));
      return page;
    },
    show: (page) => hits(page, load, app),
  });
}

/** The number of hits after which the search waits for the person. */
const many = 200;

/** The hits. One answer covers a limited number of users, so the page asks on until all were searched. */
function hits({ items, next }, load, app) {
  const list = h("ul.results", null, items.map((item) => result(item, app)));
  if (!next) return items.length ? list : nothing();
  const bar = h("progress", { "aria-label": "Searched users" });
  const words = h("p");
  const button = h("button.secondary.small", { type: "button", on: { click: () => isOn ? stop() : search() } });
  const rest = h("div.search-rest", null, bar, words, button);
  let isOn = false;

  function describe() {
    // The service goes through the users by their ids, which are random.
    const share = parseInt(next, 16) / 0xffff_ffff;
    if (share >= 0 && share <= 1) bar.value = share;
    words.textContent = `${bar.position < 0 ? "" : `About ${Math.round(bar.value * 100)} % of the users searched. `}${counted(list.children.length, "hit")} so far.`;
    button.textContent = isOn ? "Stop" : "Search on";
  }

  function stop() {
    isOn = false;
    describe();
  }

  async function search() {
    isOn = true;
    describe();
    const end = list.children.length + many;
    try {
      while (isOn && next && list.children.length < end) {
        const page = await load(next);
        append(list, page.items.map((item) => result(item, app)));
        next = page.next;
        if (next) describe();
      }
    } catch (error) {
      if (isAborted(error)) return;
      return fill(rest, failure(error, () => fill(rest, bar, words, button) && search()));
    }
    if (next) return stop();
    const count = list.children.length;
    announce(`All users searched: ${counted(count, "hit")}.`);
    rest.replaceWith(count ? h("p.quiet.hint", null, `All users searched: ${counted(count, "hit")}.`) : nothing());
  }

  search();
  return [list, rest];
}

const nothing = () => empty("Nothing has exactly this subject or id",
  h("p", null, "The search needs a whole id (36 characters), a whole subject or a whole identifier. The page shows only the first 8 characters of an id: “Copy” beside it copies the whole id."),
  h("p", null, "Erased users are not found."));

function hitLink(item, app) {
  const user = ["/apps", app, "users", item.user];
  if (item.kind === "item") return link(...user, "data-sources", item.dataSource, "items", item.identifier, { device: item.device });
  if (item.kind === "archive" && item.scene) return link(...user, "scenes", item.scene, "archives", item.archive);
  return link(...user, item.kind === "device" ? { device: item.device } : {});
}

function result(item, app) {
  const href = hitLink(item, app);
  const id = lookUp({ user: item.user, device: item.device, archive: item.archive }, item.kind) ?? item.user;
  const what = item.kind === "item" ? name(item.identifier, { limit: 60, isPlain: true }) : h("code", null, id);
  return h("li", null, h("a", { href }, capital(String(item.kind)), " ", what), item.kind === "item" ? h("span.quiet", null, " in ", name(item.dataSource)) : null,
    item.kind === "user" ? null : h("span.quiet", null, " of ", userName(item.user, item.subject)),
    item.scene ? h("span.quiet", null, ", scene ", name(item.scene)) : null);
}

const states = [["", "All users"], ["failed", "A restore failed in the last 24 hours"], ["overQuota", "Near a quota"]];
const accounts = [["", "With and without"], ["true", "With an account"], ["false", "Anonymous"]];
const orders = [["", "Last seen"], ["bytes", "Most stored"], ["id", "Id"]];

function list(visit) {
  const { params: { app }, query: filters } = visit;
  const keys = ["sort", "only", "signedIn", "idiom", "version"];
  const [sort, only, signedIn, idiom, version] = keys.map((key) => filters.get(key) || undefined);
  const set = (key) => (value) => filter({ [key]: value, cursor: undefined });
  const isFiltered = only || signedIn || idiom || version;
  const controls = h("div.controls", null,
    selectControl("sort", "Order", orders, sort, set("sort")), selectControl("only", "Show", states, only, set("only")),
    selectControl("signedIn", "Account", accounts, signedIn, set("signedIn")),
    selectControl("idiom", "With a device", [["", "Any"], ...idioms.map((one) => [one, devicesOf(one)])], idiom, set("idiom")),
    inputControl("version", "Newest version", { type: "search", spellcheck: "false", placeholder: "42" }, version, set("version")));
  return panel({
    title: "All users", signal: visit.signal, name: "users",
    load: (signal) => get(path`/apps/${app}/users` + query({
      sort, failed: only === "failed" || undefined, overQuota: only === "overQuota" || undefined, signedIn, idiom, version, cursor: filters.get("cursor"),
    }), signal),
    show: ({ items, next }) => [
      items.length || next || isFiltered ? controls : null,
      items.length ? userTable(items, app) : next ? empty("None on this page", h("p", null, "No match among the users searched so far. One request looks at a limited number of users."))
        : isFiltered ? empty("No user fits the filters", h("a.button.secondary.small", { href: link("/apps", app, "users") }, "Show all users"))
          : empty("No user has registered yet", h("p", null, "Put the key into the app, and start the app on a device."), h("a.button", { href: link("/apps", app, "start") }, "Get started")),
      pager(visit, next, ["/apps", app, "users"]),
    ],
  });
}

/** The users. The subject comes first where the service shows it. */
const userTable = (items, app) => table({
  caption: "Users",
  columns: [
    { title: "User", isHead: true }, { title: "Kind" }, { title: "Devices", isNumber: true, isMinor: true },
    { title: "Archives", isNumber: true }, { title: "Stored", isNumber: true }, { title: "Last seen" }, { title: "Created", isMinor: true },
  ],
  rows: items.map((user) => {
    const href = link("/apps", app, "users", user.id);
    return [
      user.subject === undefined ? h("a", { href }, h("code.id", null, shortID(user.id), h("span", null, String(user.id).slice(8))))
        : [name(user.subject, { limit: 40, href, label: "subject" }), " ", h("code.id", null, shortID(user.id))],
      accountText(user.signedIn), number(user.devices), number(user.archives), bytes(user.bytes), time(user.lastSeenAt, "relative"), time(user.createdAt, "relative"),
    ];
  }),
});
