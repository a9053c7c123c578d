// A part of a view that loads and fails alone.

import { append, fill, h, uniqueID } from "./dom.js";
import { isUnmoved, restoreFocus } from "./focus.js";
import { explained, isAborted, Problem } from "./problems.js";

/** @typedef {import("./dom.js").Child} Child */

/**
 * A section that loads its content.
 * @param {{title?: string, label?: string, level?: number, signal: AbortSignal, skeleton?: "rows" | "chart" | "cards",
 *   actions?: Child, note?: Child, isBare?: boolean, name?: string,
 *   load: (signal: AbortSignal) => Promise<any>, show: (data: any) => Child}} options
 */
export function panel({ title, label, level = 2, signal, skeleton = "rows", actions, note, isBare, load, show, name }) {
  const id = uniqueID("panel");
  const body = h("div.panel-body", { "aria-busy": "true" });
  const element = h(`section.panel${isBare ? ".bare" : ""}`, {
    "aria-labelledby": title ? id : null, "aria-label": title ? null : label, data: name ? { panel: name } : null,
  },
  title ? h("div.panel-head", null, h(`h${level}`, { id }, title), h("div.panel-actions", null, actions)) : null,
  note ? h("p.panel-note.quiet", null, note) : null,
  body);
  let isLoading = false;
  let isWaiting = false;

  async function reload({ isQuiet = false } = {}) {
    if (isLoading || signal.aborted) return;
    isLoading = true;
    isWaiting = false;
    if (!isQuiet) {
      body.ariaBusy = "true";
      fill(body, bones(skeleton));
    }
    try {
      const data = await load(signal);
      if (signal.aborted) return;
      fill(body, show(data));
      restoreFocus();
    } catch (error) {
      if (isAborted(error) || signal.aborted) return;
      if (!(error instanceof Problem)) console.error(error);
      isWaiting = error instanceof Problem && error.isOffline;
      fill(body, failure(error, () => reload()));
    } finally {
      isLoading = false;
      body.ariaBusy = "false";
    }
  }

  document.addEventListener("placekeeper:recovered", () => isWaiting && reload(), { signal });
  reload();
  return Object.assign(element, { reload, body });
}

/**
 * A panel that is loaded when it is opened. `load` returns its content. If the address opens it, it gets the focus, unless
 * the person has moved on.
 */
export function folded(title, load, { isOpen = false } = {}) {
  const body = h("div.folded");
  const element = h("details.panel", { open: isOpen }, h("summary", null, h("h2", null, title)), body);
  const fetchContent = async () => {
    fill(body, bones("rows"));
    try {
      fill(body, await load());
      if (isOpen && isUnmoved()) element.querySelector("summary").focus();
    } catch (error) {
      fill(body, failure(error, fetchContent));
    }
  };
  element.addEventListener("toggle", fetchContent, { once: true });
  return element;
}

/** Says why something failed, with a button to try again. */
export function failure(error, retry) {
  return h("div.failure", { role: "alert" },
    h("p", null, explained(error)),
    h("button.secondary.small", { type: "button", on: { click: retry } }, "Try again"));
}

/** Says that there is nothing yet, with the next step. */
export function empty(title, ...children) {
  const place = h("div.empty", null, h("p.empty-title", null, title));
  append(place, children);
  return place;
}

function bones(kind) {
  const counts = { rows: 4, chart: 1, cards: 4 };
  return h(`div.bones.${kind}`, { "aria-hidden": "true" },
    Array.from({ length: counts[kind] }, () => h("span.bone", null)));
}

/** Returns a loader whose result several panels share. A failure is not kept. */
export function shared(load) {
  let promise = null;
  return (signal) => {
    promise ??= load(signal).catch((error) => {
      promise = null;
      throw error;
    });
    return promise;
  };
}
