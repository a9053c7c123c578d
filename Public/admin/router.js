// The views by their address. The part of the address after `#` names the view and its filters. The page preloads the
// modules of all views; a view's module runs when the view is first shown.

import { read } from "./addresses.js";
import { forgetRequests } from "./api.js";
import { isAnswering } from "./connection.js";
import { h } from "./dom.js";
import { main, showView } from "./frame.js";
import { failure } from "./panels.js";
import { notLoaded, offline } from "./problems.js";

const user = "/apps/:app/users/:user";
const scene = `${user}/scenes/:scene`;

/**
 * The patterns of the addresses; a part that begins with a colon is a parameter. A view gets a `Visit`, and returns
 * `{title, content}` and the other options of `showView`.
 *
 * @typedef {{params: Record<string, string>, query: URLSearchParams, signal: AbortSignal}} Visit
 */
const routes = [
  ["/", () => import("./views-home.js"), "appsView"],
  ["/administrators", () => import("./views-administrators.js"), "administratorsView"],
  ["/tokens", () => import("./views-tokens.js"), "tokensView"],
  ["/account", () => import("./views-account.js"), "accountView"],
  ["/audit", () => import("./views-audit.js"), "serviceAuditView"],
  ["/service", () => import("./views-service.js"), "serviceView"],
  ["/sessions", () => import("./views-account.js"), "sessionsView"],
  ["/apps/:app", () => import("./views-overview.js"), "overviewView"],
  ["/apps/:app/health", () => import("./views-health.js"), "healthView"],
  ["/apps/:app/live", () => import("./views-live.js"), "liveView"],
  ["/apps/:app/start", () => import("./views-start.js"), "startView"],
  ["/apps/:app/users", () => import("./views-users.js"), "usersView"],
  ["/apps/:app/audit", () => import("./views-audit.js"), "auditView"],
  ["/apps/:app/settings", () => import("./views-settings.js"), "settingsView"],
  [user, () => import("./views-user.js"), "userView"],
  [`${user}/data-sources`, () => import("./views-user.js"), "dataSourcesView"],
  [`${user}/data-sources/:name`, () => import("./views-user.js"), "dataSourceView"],
  [`${user}/data-sources/:name/items/:item`, () => import("./views-item.js"), "itemView"],
  [scene, () => import("./views-scene.js"), "timelineView"],
  [`${scene}/explain`, () => import("./views-explain.js"), "explainView"],
  [`${scene}/archives/:archive`, () => import("./views-archive.js"), "archiveView"],
  [`${scene}/archives/:archive/diff`, () => import("./views-difference.js"), "differenceView"],
].map(([pattern, load, name]) => ({ pattern: partsOf(pattern), load, name }));

function partsOf(path) {
  return path.split("/").filter(Boolean);
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
export function prepare() {
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
    const problem = await isAnswering() ? notLoaded() : offline();
    return ({ signal }) => {
      document.addEventListener("placekeeper:recovered", () => render(), { signal });
      return { title: "Placekeeper", content: failure(problem, () => location.reload()) };
    };
  }
}

function missingView() {
  return {
    title: "Not found",
    content: h("p", null, "There is no view at this address. ", h("a", { href: "#/" }, "Home")),
  };
}

let current = null;
let shownPath = null;

/** Shows the view of the page's address, and cancels the requests of the previous view. */
export async function render({ keepsFocus = false } = {}) {
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
  forgetRequests();
  const visit = { params: route?.params ?? {}, query: filters, signal };
  const isSame = path === shownPath;
  shownPath = path;
  showView(view(visit), keepsFocus ? null : isSame, visit);
}
