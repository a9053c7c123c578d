// The apps of the service. The list is read once, and again after a change. The browser keeps the names of the apps, so
// that a user's views show them without a request.

import { get } from "./api.js";
import { h, lookUp } from "./dom.js";
import { shortID } from "./formats.js";
import { plain } from "./texts.js";

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
