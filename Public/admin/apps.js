// The apps of the service. The list is read once, and again after a change.

import { get } from "./api.js";
import { h } from "./dom.js";
import { plain } from "./text.js";

let loading = null;

/** Returns the apps: at most the first 100. */
export function apps() {
  loading ??= get("/apps?limit=100").then((page) => page.items).catch((error) => {
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

/** Shows the name of an app, as soon as the list is known. */
export function appName(id) {
  const element = h("bdi.name", null, "App");
  apps().then((items) => {
    const app = items.find((item) => item.id === id);
    if (app) element.textContent = plain(app.bundleIdentifier);
  }, () => {
    // The part of the page that needs the app says why it could not be read.
  });
  return element;
}
