// The page itself: requests and the session, the addresses of the views, and the frame around them.

import {
  act, announce, append, badge, choose, deviceLabel, explained, failure, fill, folded, forgetFocus, h, icon,
  isAborted, link, loaded, lookUp, mark, name, notify, offline, path, plain, preference, Problem, query,
  rememberFocus, restoreFocus, shared, shortID,
} from "./elements.js";

// # Requests
// Requests to the admin API: the token against forged requests, problems, expired sessions, and the requests of a view.

/** Where the admin API is. */
export const base = "/admin/api";

/** The token that each change must carry. */
let csrfToken = null;

/** The requests that the shown view has made, newest last, for "as curl". */
let made = [];

/**
 * Sends a request. If the session has expired, the person logs in again, and the request is repeated.
 * @param {string} method
 * @param {string} target the path below the API's base, with its query
 * @param {{body?: unknown, type?: string, ifMatch?: string, signal?: AbortSignal, as?: "json" | "blob",
 *   isOpen?: boolean}} options `isOpen`: the request needs no session
 * @returns {Promise<{data: any, etag: string | null}>}
 */
export async function send(method, target, options = {}) {
  note(method, target, options.body);
  let mayRenew = true;
  for (;;) {
    const response = await attempt(method, target, options);
    if (response.ok) return { data: await content(response, options.as), etag: response.headers.get("ETag") };
    const problem = await describe(response);
    options.signal?.throwIfAborted();
    if (problem.code === "not-logged-in" && !options.isOpen) {
      await logInAgain();
    } else if (problem.code === "csrf-token-invalid" && mayRenew) {
      // Another tab has logged in: its session has another token.
      mayRenew = false;
      await readSession();
    } else {
      throw problem;
    }
    options.signal?.throwIfAborted();
  }
}

async function attempt(method, target, { body, type, ifMatch, signal }) {
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = type ?? "application/json";
  if (ifMatch) headers["If-Match"] = ifMatch;
  if (method !== "GET" && csrfToken) headers["X-CSRF-Token"] = csrfToken;
  try {
    const response = await fetch(base + target, {
      method, headers, signal, cache: "no-store", credentials: "same-origin",
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (response.status < 502 || response.status > 504) document.dispatchEvent(new CustomEvent("placekeeper:answer"));
    return response;
  } catch (error) {
    if (isAborted(error)) throw error;
    throw offline();
  }
}

async function content(response, as) {
  if (response.status === 204) return null;
  try {
    return as === "blob" ? await response.blob() : await response.json();
  } catch (error) {
    if (isAborted(error)) throw error;
    throw new Problem(response.status, { title: "The answer is not readable", code: "answer-unreadable" });
  }
}

async function describe(response) {
  let document = {};
  try {
    document = await response.json();
  } catch {
    // A proxy's error page is not a problem document.
  }
  return new Problem(response.status, typeof document === "object" && document ? document : {}, response.headers);
}

/** Sends a GET request and returns the answer's content. */
export const get = async (target, signal, as) => (await send("GET", target, { signal, as })).data;

function note(method, target, body) {
  if (target.startsWith("/session") || target.startsWith("/set-up") || target.startsWith("/status")) return;
  made = made.filter((other) => other.method !== method || other.target !== target);
  made.push({ method, target, body });
  if (made.length > 20) made.shift();
}

// # The session
// The session of the administrator. The dialogs for logging in are loaded when they are needed.

/** @type {{administrator: {id: string, name: string, role: string}, csrfToken: string} | null} */
let session = null;
const ranks = ["viewer", "operator", "owner"];

export const administrator = () => session?.administrator ?? null;

/** Whether the administrator has at least a role. */
export const may = (role) => ranks.indexOf(session?.administrator?.role) >= ranks.indexOf(role);

/** Uses a session that the service has begun. */
export function use(next) {
  const before = session?.administrator;
  session = next;
  csrfToken = next?.csrfToken ?? null;
  const now = next?.administrator;
  if (before && (before.id !== now?.id || before.role !== now?.role)) {
    document.dispatchEvent(new CustomEvent("placekeeper:administrator"));
  }
}

let asking = null;

/** Asks for the password over the page. Several requests share one dialog. */
function logInAgain() {
  asking ??= logInModule().then((module) => module.logInAgain()).finally(() => {
    asking = null;
  });
  return asking;
}

const logInModule = () => loaded(() => import("./log-in.js"));

/** Reads the session. Returns false if nobody is logged in. */
async function readSession() {
  try {
    use((await send("GET", "/session", { isOpen: true })).data);
    return true;
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return false;
    throw error;
  }
}

// # Views
// The views by their address. The part of the address after `#` names the view and its filters. A view's module is
// loaded when the view is first shown.

const files = {
  service: () => import("./views-service.js"),
  overview: () => import("./views-overview.js"),
  health: () => import("./views-health.js"),
  live: () => import("./views-live.js"),
  app: () => import("./views-app.js"),
  settings: () => import("./views-settings.js"),
  user: () => import("./views-user.js"),
  item: () => import("./views-item.js"),
  scene: () => import("./views-scene.js"),
  explain: () => import("./views-explain.js"),
  archive: () => import("./views-archive.js"),
  difference: () => import("./views-difference.js"),
};
const user = "/apps/:app/users/:user";
const scene = `${user}/scenes/:scene`;

/**
 * The patterns of the addresses; a part that begins with a colon is a parameter. A view gets a `Visit`, and returns
 * `{title, content}` and the other options of `showView`.
 *
 * @typedef {{params: Record<string, string>, query: URLSearchParams, signal: AbortSignal}} Visit
 */
const routes = [
  ["/", files.service, "appsView"],
  ["/administrators", files.service, "administratorsView"],
  ["/tokens", files.service, "tokensView"],
  ["/account", files.service, "accountView"],
  ["/audit", files.app, "serviceAuditView"],
  ["/about", files.service, "aboutView"],
  ["/apps/:app", files.overview, "overviewView"],
  ["/apps/:app/health", files.health, "healthView"],
  ["/apps/:app/live", files.live, "liveView"],
  ["/apps/:app/start", files.app, "startView"],
  ["/apps/:app/users", files.app, "usersView"],
  ["/apps/:app/audit", files.app, "auditView"],
  ["/apps/:app/settings", files.settings, "settingsView"],
  [user, files.user, "userView"],
  [`${user}/data-sources`, files.user, "dataSourcesView"],
  [`${user}/data-sources/:name`, files.user, "dataSourceView"],
  [`${user}/data-sources/:name/items/:item`, files.item, "itemView"],
  [scene, files.scene, "timelineView"],
  [`${scene}/explain`, files.explain, "explainView"],
  [`${scene}/archives/:archive`, files.archive, "archiveView"],
  [`${scene}/archives/:archive/diff`, files.difference, "differenceView"],
].map(([pattern, load, name]) => ({ pattern: partsOf(pattern), load, name }));

function partsOf(path) {
  return path.split("/").filter(Boolean);
}

/** Goes to an address that `link` returned. */
export function go(address) {
  if (location.hash === address) render();
  else location.hash = address;
}

/** Changes the filters of the shown view, and keeps the others. */
export function filter(changes) {
  const { path, filters } = read(location.hash);
  go(`#${path}${query({ ...Object.fromEntries(filters), ...changes })}`);
}

/** Writes changed filters of the shown view into its address. The view shows them by itself. */
export function replaceFilters(changes) {
  const { path, filters } = read(location.hash);
  history.replaceState(history.state, "", `#${path}${query({ ...Object.fromEntries(filters), ...changes })}`);
  main.dataset.address = location.hash;
}

function read(hash) {
  const [path, filters = ""] = hash.replace(/^#/, "").split(/\?(.*)/s);
  return { path: path || "/", filters: new URLSearchParams(filters) };
}

function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Returns the route of a path with the parameters, or null. */
function find(path) {
  const parts = partsOf(path).map(decode);
  for (const { pattern, load, name } of routes) {
    if (pattern.length !== parts.length) continue;
    const params = {};
    const fits = pattern.every((part, index) => {
      if (!part.startsWith(":")) return part === parts[index];
      params[part.slice(1)] = parts[index];
      return true;
    });
    if (fits) return { load, name, params };
  }
  return null;
}

/** Starts to load the module of the address's view, while the session is read. */
function prepare() {
  find(read(location.hash).path)?.load().catch(() => {
    // If loading fails again when the view is shown, the page says so.
  });
}

/** Returns the view of a route, or a view that says why it cannot be loaded. */
async function viewOf(route) {
  if (!route) return missingView;
  try {
    return (await route.load())[route.name];
  } catch {
    const problem = offline();
    return ({ signal }) => {
      document.addEventListener("placekeeper:recovered", () => render(), { signal });
      return { title: "Placekeeper", content: failure(problem, () => location.reload()) };
    };
  }
}

function missingView() {
  return {
    title: "Not found",
    content: h("p", null, "There is no view at this address. ", h("a", { href: "#/" }, "Show the apps")),
  };
}

let current = null;
let shownPath = null;

/** Shows the view of the page's address, and cancels the requests of the previous view. */
async function render({ keepsFocus = false } = {}) {
  current?.abort();
  current = new AbortController();
  const { signal } = current;
  const { path, filters } = read(location.hash);
  const route = find(path);
  main.ariaBusy = "true";
  const view = await viewOf(route);
  if (signal.aborted) return;
  main.ariaBusy = "false";
  main.dataset.address = location.hash;
  made = [];
  const visit = { params: route?.params ?? {}, query: filters, signal };
  const isSame = path === shownPath;
  shownPath = path;
  showView(view(visit), keepsFocus ? null : isSame, visit);
}

// # Apps
// The apps of the service. The list is read once, and again after a change. The browser keeps the names of the apps, so
// that a user's views show them without a request: a cold load of a view makes at most ten requests.

const namesKey = "placekeeper.apps";
let loading = null;

/** Returns the apps: at most the first 100. */
export function apps() {
  loading ??= get("/apps?limit=100").then(({ items }) => {
    rememberNames(items);
    return items;
  }).catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

/** Forgets the list, after an app was created or its settings were changed. */
export function forgetApps() {
  loading = null;
  document.dispatchEvent(new CustomEvent("placekeeper:apps"));
}

/** Shows the name of an app, or the start of its id until the list has been read. */
export const appName = (id) => h("bdi.name", { data: { app: id } }, nameOf(id));

const nameOf = (id) => plain(lookUp(names(), id) ?? `App ${shortID(id)}`);

function names() {
  try {
    return JSON.parse(localStorage.getItem(namesKey)) ?? {};
  } catch {
    return {};
  }
}

/** Keeps the names of some apps for later views. */
export function rememberNames(items) {
  try {
    localStorage.setItem(namesKey, JSON.stringify({ ...names(), ...Object.fromEntries(items.map((app) => [app.id, app.bundleIdentifier])) }));
  } catch {
    // Without storage, the page shows the starts of the ids.
  }
  for (const element of document.querySelectorAll("[data-app]")) element.textContent = nameOf(element.dataset.app);
}

/** Forgets the names, when the person logs out. */
export function forgetNames() {
  try {
    localStorage.removeItem(namesKey);
  } catch {
    // There is nothing to forget.
  }
}

// # Users and scenes
// Paths, links and badges for the views of a user and of the user's scenes.

/** The path of a user in the API. */
export const userPath = ({ app, user }) => path`/apps/${app}/users/${user}`;

/** The path of a scene in the API. */
export const scenePath = (params) => userPath(params) + path`/scenes/${params.scene}`;

/** The path of an archive in the API. */
export const archivePath = (params) => scenePath(params) + path`/archives/${params.archive}`;

/** The path of a user's data source in the API. */
export const dataSourcePath = (params) => userPath(params) + path`/data-sources/${params.name}`;

/** The devices of the users that the page has read, by their ids: other views name these devices without a request. */
const knownDevices = new Map();

/** Returns a loader of a user, whose result several panels share. */
export const userLoader = (params, cursor) => shared(async (signal) => {
  const person = await get(userPath(params) + query({ cursor }), signal);
  for (const device of person.devices ?? []) knownDevices.set(device.id, device);
  return person;
});

/**
 * A link to a device on the page of its user: the start of the id, and the name if the page knows it. `person` has the
 * parts of the user's address.
 */
export function deviceLink(id, person, { idiom } = {}) {
  const device = knownDevices.get(id);
  return h("a.device-link", { href: link(...person, { device: id }) }, deviceLabel(device, id, { idiom }),
    device?.name || device?.model ? [" ", h("code.id", null, shortID(id))] : null);
}

/** The links above the title, from the app down to the user or the scene that contains the view. */
export function crumbs({ app, user, scene }, { isInside = false, isUser = false } = {}) {
  const here = ["/apps", app, "users", user];
  return [
    [appName(app), link("/apps", app)], ["Users", link("/apps", app, "users")],
    isUser ? null : [`User ${shortID(user)}`, link(...here)],
    isInside && scene ? [["Scene ", name(scene, { isPlain: true })], link(...here, "scenes", scene)] : null,
  ].filter(Boolean);
}

/** A button that adds the next page to a list, or null without a next page. `show` returns the elements of some items. */
export function showMore(list, next, load, show) {
  const more = h("button.secondary", { type: "button", on: { click: () => act(more, async () => {
    const page = await load(next);
    const elements = [...show(page.items)];
    list.append(...elements);
    next = page.next;
    if (!next) more.remove();
    elements[0]?.querySelector("a").focus();
  }) } }, "Show more");
  return next ? more : null;
}

/** Moves between the entries of a timeline with the arrow keys, j and k. */
export function moveInTimeline(event) {
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  if ((!step && event.key !== "Home" && event.key !== "End") || event.altKey || event.ctrlKey || event.metaKey) return;
  const links = [...event.currentTarget.querySelectorAll(".entry-link")];
  const index = links.indexOf(event.target.closest(".entry")?.querySelector(".entry-link"));
  const next = event.key === "Home" ? 0 : event.key === "End" ? links.length - 1 : index + step;
  if (!links[next]) return;
  event.preventDefault();
  links[next].focus();
}

/** The decisions about the items of a data source, loaded when the person opens them. */
export function foldedDecisions(visit, loadUser, start = {}) {
  return folded("Decisions", async () => (await loaded(() => import("./decisions.js"))).decisionPanel(visit, loadUser, start));
}

/** Says whether a user has an account. */
export const accountBadge = (isSignedIn) => isSignedIn ? badge("account", "accent") : badge("anonymous");

// # Connection
// Says that the service does not answer, and finds out when it answers again.

const pause = 2_000;
let banner = null;

async function isAnswering() {
  try {
    const response = await fetch("/admin/api/status", { cache: "no-store", signal: AbortSignal.timeout(5_000) });
    return response.ok;
  } catch {
    return false;
  }
}

async function wait() {
  while (banner) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    if (banner && await isAnswering()) recovered();
  }
}

function recovered() {
  if (!banner) return;
  banner.remove();
  banner = null;
  document.dispatchEvent(new CustomEvent("placekeeper:recovered"));
}

/** Starts to watch. After the service has answered again, panels without an answer load again by themselves. */
function watchConnection() {
  document.addEventListener("placekeeper:offline", () => {
    if (banner) return;
    banner = h("div.banner", { role: "alert" });
    document.body.prepend(banner);
    fill(banner, h("p", null, "The service does not answer. The page tries again every two seconds, and keeps what you typed."));
    wait();
  });
  document.addEventListener("placekeeper:answer", recovered);
}

// # The frame
// The frame of the page: the bar at the top, the navigation, and the place of the views.

const main = document.getElementById("main");
let shownApp = null;

/** Puts the frame around the views. */
function frame() {
  fill(document.getElementById("page"), topBar(), h("div.columns", null, navigation(), main));
}

function topBar() {
  const toggle = h("button.icon.menu-toggle", {
    type: "button", "aria-expanded": "false", "aria-controls": "navigation", "aria-label": "Menu",
    on: { click: () => setMenu(toggle.ariaExpanded !== "true") },
  }, icon("menu"));
  return h("header.topbar", null,
    toggle,
    h("a.brand", { href: "#/", "aria-label": "Placekeeper" }, mark(28), h("span", null, "Placekeeper")),
    h("div", { id: "switcher" }),
    h("div.spacer"),
    viewMenu(), accountMenu());
}

function setMenu(isOpen) {
  document.querySelector(".menu-toggle")?.setAttribute("aria-expanded", String(isOpen));
  document.getElementById("navigation")?.classList.toggle("open", isOpen);
}

/** A button with a panel below it. Escape and a click elsewhere close it. */
function menu(label, summary, children, id) {
  const element = h("details.menu", { id }, h("summary", { "aria-label": label }, summary), h("div.menu-body", null, children));
  const close = () => {
    element.open = false;
  };
  element.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && element.open) {
      close();
      element.querySelector("summary").focus();
    }
  });
  element.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !element.contains(event.relatedTarget)) close();
  });
  document.addEventListener("pointerdown", (event) => element.contains(event.target) || close());
  element.addEventListener("click", (event) => event.target.closest("a") && close());
  return element;
}

function choices(legend, key, options) {
  return h("fieldset.choices", null, h("legend", null, legend), options.map(([value, text]) =>
    h("label", null, h("input", {
      type: "radio", name: `preference-${key}`, value, checked: preference(key) === value,
      on: { change: () => choose(key, value) },
    }), text)));
}

function viewMenu() {
  return menu("Display", [icon("display"), h("span.wide-only", null, "Display")], [
    choices("Colors", "theme", [["auto", "As the system"], ["light", "Light"], ["dark", "Dark"]]),
    choices("Times", "zone", [["local", "Local time"], ["utc", "UTC"]]),
    choices("The key /", "slash", [["on", "Goes to the search"], ["off", "Does nothing"]]),
  ], "display-menu");
}

function accountMenu() {
  const who = administrator();
  const leave = h("button.secondary.small", { type: "button", on: { click: () => act(leave, async () => (await logInModule()).logOut()) } }, "Log out");
  return menu("Account", h("span.account", null, plain(who?.name, 20)), [
    h("p", null, "Logged in as ", name(who?.name, { label: "name" }), h("span.quiet", null, ` · ${who?.role ?? ""}`)),
    h("p", null, h("a", { href: "#/account" }, "Change the password")),
    leave,
  ], "account-menu");
}

const sections = [
  ["Overview", "", "overview"], ["Health", "health", "health"], ["Live", "live", "live"], ["Users", "users", "users"], ["Get started", "start", "start"],
  ["Settings", "settings", "settings"], ["Audit log", "audit", "audit"],
];

function navigation() {
  return h("nav.navigation", { id: "navigation", "aria-label": "Sections" },
    h("div", { id: "app-links" }), serviceLinks());
}

function serviceLinks() {
  return h("div.nav-group", null, h("p.nav-title", null, "Service"), h("ul", null,
    item("Apps", "#/", "apps"),
    may("owner") ? item("Administrators", "#/administrators", "people") : null,
    may("owner") ? item("API tokens", "#/tokens", "key") : null,
    may("owner") ? item("Log of the service", "#/audit", "audit") : null,
    item("About", "#/about", "about")));
}

const item = (text, href, glyph) => h("li", null, h("a.nav-link", { href }, icon(glyph), text));

function showApp({ app: id = null, user }) {
  // In a user's views, the list of apps is read only when the person opens it.
  if (id && !user) apps().catch(() => {
    // The view says why the apps could not be read.
  });
  if (id === shownApp) return;
  shownApp = id;
  fill(document.getElementById("app-links"), id ? h("div.nav-group", null,
    h("p.nav-title", null, appName(id)),
    h("ul", null, sections.map(([text, part, glyph]) => item(text, part ? link("/apps", id, part) : link("/apps", id), glyph)))) : null);
  fill(document.getElementById("switcher"), id ? switcher(id) : null);
}

/** A menu of the apps. */
function switcher(id) {
  const list = h("ul.app-list", null);
  const element = menu("Switch the app", appName(id), list, "app-menu");
  element.addEventListener("toggle", async () => {
    if (!element.open) return;
    try {
      fill(list, (await apps()).map((app) => h("li", null,
        h("a", { href: link("/apps", app.id), "aria-current": app.id === id ? "true" : null }, plain(app.bundleIdentifier, 40)))));
    } catch (error) {
      fill(list, h("li", null, explained(error)));
    }
  });
  return element;
}

/** Whether the next view is shown for its search. */
let wantsSearch = false;

/** Goes to the search of the shown view. Returns whether the view has a search. */
function focusSearch() {
  const input = document.getElementById("search");
  input?.focus();
  input?.select();
  return Boolean(input);
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || preference("slash") === "off") return;
  if (!shownApp || event.target.closest?.("input, textarea, select, dialog")) return;
  event.preventDefault();
  if (focusSearch()) return;
  wantsSearch = true;
  go(link("/apps", shownApp, "users"));
});

const showRequests = (event) => act(event.currentTarget, async () => {
  const { showRequests: show } = await loaded(() => import("./curl.js"));
  show(made);
});

/** Draws the frame again, because another administrator has logged in or the apps have changed. */
function renewFrame() {
  shownApp = null;
  frame();
}

/**
 * Shows a view.
 * @param {{title: string, crumbs?: [import("./elements.js").Child, string][], heading?: import("./elements.js").Child,
 *   lead?: import("./elements.js").Child, actions?: import("./elements.js").Child, content: import("./elements.js").Child}} view
 * @param {boolean | null} isSame whether only the filters have changed; null for the first view, which leaves the focus
 */
function showView(view, isSame, visit) {
  if (isSame) rememberFocus();
  else forgetFocus();
  showApp(visit.params);
  setMenu(false);
  markCurrent();
  document.title = view.title ? `${plain(view.title)} · Placekeeper` : "Placekeeper";
  const heading = h("h1", { tabindex: "-1" }, view.heading ?? view.title);
  fill(main,
    view.crumbs?.length ? h("nav.crumbs", { "aria-label": "Where this is" },
      h("ol", null, view.crumbs.map(([text, href]) => h("li", null, h("a", { href }, text))))) : null,
    h("div.view-head", null, heading, h("div.view-actions", null, view.actions, h("button.secondary.small", { type: "button", id: "as-curl", on: { click: showRequests } }, "As curl"))),
    view.lead ? h("div.lead", null, view.lead) : null);
  append(main, [view.content]);
  if (isSame) {
    restoreFocus();
  } else if (isSame === false) {
    window.scrollTo(0, 0);
    heading.focus({ preventScroll: true });
    announce("");
  }
  if (wantsSearch) focusSearch();
  wantsSearch = false;
}

function markCurrent() {
  const here = location.hash.replace(/\?.*/s, "") || "#/";
  let best = null;
  for (const element of document.querySelectorAll(".nav-link")) {
    element.removeAttribute("aria-current");
    const href = element.getAttribute("href");
    const isInside = here === href || here.startsWith(`${href}/`);
    const isLonger = !best || href.length > best.getAttribute("href").length;
    if (isInside && href !== "#/" ? isLonger : here === href) best = element;
  }
  best?.setAttribute("aria-current", "page");
}

// # The start
// Starts the page: reads the session, and shows the view of the address.

/** Shows a page without the frame, for people who are not logged in. */
function alone(title, ...children) {
  document.title = `${title} · Placekeeper`;
  const heading = h("h1", { tabindex: "-1" }, title);
  main.ariaBusy = "false";
  fill(main, h("div.alone", null,
    mark(48), heading, children));
  (main.querySelector("input") ?? heading).focus();
}

async function showLogIn(status) {
  const { logInForm } = await logInModule();
  alone("Log in", status?.needsSetUp
    ? h("p", null, "This service has no administrator yet. Open the one-time link of the service's last ",
      "start: it is in the terminal, or in a file of the data directory.")
    : h("p.quiet", null, "The administration of this Placekeeper service."),
  logInForm(() => showViews()));
}

/** Shows the views. After a log-in, the focus goes to the first view's title; otherwise it stays at the page's start. */
function showViews(options) {
  frame();
  window.addEventListener("hashchange", () => render());
  render(options);
}

/** Whether the page shows the set-up, which has no other views. */
let setsUp = false;

async function boot() {
  main.ariaBusy = "true";
  const secret = /^#\/set-up\/(.+)$/.exec(location.hash)?.[1];
  setsUp = Boolean(secret);
  try {
    if (secret) {
      const { setUpView } = await logInModule();
      return alone("Set up Placekeeper", setUpView(secret, () => {
        setsUp = false;
        history.replaceState(null, "", "#/");
        showViews();
      }));
    }
    prepare();
    if (await readSession()) showViews({ keepsFocus: true });
    else await showLogIn(await get("/status"));
  } catch (error) {
    if (!(error instanceof Problem)) console.error(error);
    alone("Placekeeper", failure(error, boot));
  }
}

document.getElementById("skip").addEventListener("click", (event) => {
  // The address names the view, so the link must not change it.
  event.preventDefault();
  (main.querySelector("h1") ?? main).focus();
});
document.addEventListener("placekeeper:administrator", () => {
  // The names must not be shown to another administrator.
  knownDevices.clear();
  renewFrame();
  notify("Another administrator has logged in. What you typed is still there.");
});
document.addEventListener("placekeeper:apps", renewFrame);
window.addEventListener("hashchange", () => {
  if (setsUp || location.hash.startsWith("#/set-up/")) location.reload();
});
window.addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  if (isAborted(event.reason)) return;
  console.error(event.reason);
  notify(explained(event.reason), "bad");
});
watchConnection();
boot();
