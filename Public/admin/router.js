// The views by their address. The part of the address after `#` names the view and its filters.

import { encode, query, startView } from "./api.js";

const routes = [];

/**
 * Adds a view.
 * @param {string} pattern such as `/apps/:app/users`; a part that begins with a colon is a parameter
 * @param {(visit: Visit) => {title: string, content: import("./dom.js").Child}} view
 *
 * @typedef {{params: Record<string, string>, query: URLSearchParams, signal: AbortSignal}} Visit
 */
export function route(pattern, view) {
  routes.push({ parts: pattern.split("/").filter(Boolean), view });
}

/** Returns the address of a view: ``link("/apps", app, "users")``. A value that is an object is the query. */
export function link(start, ...rest) {
  const filters = rest.length && typeof rest.at(-1) === "object" ? rest.pop() : {};
  return `#${start}${rest.map((part) => `/${encode(part)}`).join("")}${query(filters)}`;
}

/** Goes to an address that `link` returned. */
export function go(address, { replaces = false } = {}) {
  if (location.hash === address) {
    render();
  } else if (replaces) {
    location.replace(address);
  } else {
    location.hash = address;
  }
}

/** Changes the filters of the shown view, and keeps the others. */
export function filter(changes) {
  const { path, filters } = read(location.hash);
  const all = Object.fromEntries(filters);
  go(`#${path}${query({ ...all, ...changes })}`);
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

function find(path) {
  const parts = path.split("/").filter(Boolean).map(decode);
  for (const { parts: pattern, view } of routes) {
    if (pattern.length !== parts.length) continue;
    const params = {};
    const fits = pattern.every((part, index) => {
      if (!part.startsWith(":")) return part === parts[index];
      params[part.slice(1)] = parts[index];
      return true;
    });
    if (fits) return { view, params };
  }
  return null;
}

let current = null;
let shownPath = null;
let show = () => {};
let missing = () => ({ title: "", content: null });

/** Starts to show views. `show` puts a view into the page; `missing` is the view of an unknown address. */
export function start(handlers) {
  ({ show, missing } = handlers);
  window.addEventListener("hashchange", render);
  render();
}

/** Shows the view of the page's address, and ends the requests of the view before. */
function render() {
  const { path, filters } = read(location.hash);
  current?.abort();
  current = new AbortController();
  startView();
  const found = find(path);
  const visit = { params: found?.params ?? {}, query: filters, signal: current.signal };
  const isSame = path === shownPath;
  shownPath = path;
  show((found?.view ?? missing)(visit), isSame, visit);
}
