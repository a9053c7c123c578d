// Dialogs over the page. The focus goes into the dialog, and afterward back to where it was.

import { copyButton } from "./copying.js";
import { h, uniqueID } from "./dom.js";
import { counted } from "./formats.js";
import { cut, visible } from "./texts.js";

/** @typedef {import("./dom.js").Child} Child */

/**
 * Opens a dialog.
 * @param {{title: string, content: Child, isWide?: boolean, closed?: (result: string) => void}} options
 */
export function dialog({ title, content, isWide = false, closed = () => {} }) {
  const id = uniqueID("dialog");
  const origin = document.activeElement;
  const element = h(`dialog.dialog${isWide ? ".wide" : ""}`, { "aria-labelledby": id },
    h("div.dialog-head", null,
      h("h2", { id }, title),
      h("button.icon", { type: "button", "aria-label": "Close", on: { click: () => element.close("") } }, "✕")),
    h("div.dialog-body", null, content));
  element.addEventListener("close", () => {
    element.remove();
    if (origin instanceof HTMLElement && origin.isConnected) origin.focus();
    closed(element.returnValue);
  });
  document.body.append(element);
  element.showModal();
  (element.querySelector("[autofocus]") ?? element.querySelector("input, textarea, select"))?.focus();
  return { element, close: (result = "") => element.close(result) };
}

/**
 * Asks before an act that cannot easily be undone.
 * @param {{title: string, content: Child, action: string, isDangerous?: boolean, typed?: string}} options `typed` must be
 *   typed first
 * @returns {Promise<boolean>}
 */
export function confirm({ title, content, action, isDangerous = false, typed }) {
  return new Promise((resolve) => {
    const button = h(`button${isDangerous ? ".danger" : ""}`, {
      type: "submit", disabled: typed !== undefined, title: typed === undefined ? null : "Type the text above first.",
    }, action);
    const field = typed === undefined ? null : h("div.field", null,
      h("label", { for: "typed" }, "Type ", h("bdi", null, visible(typed)), " to confirm"),
      h("input", { id: "typed", autocomplete: "off", spellcheck: "false", on: { input: (event) => {
        button.disabled = event.target.value.trim() !== typed.trim();
      } } }));
    const opened = dialog({
      title,
      content: h("form.form", { on: { submit: (event) => {
        event.preventDefault();
        opened.close("yes");
      } } },
      content, field,
      h("div.buttons", null,
        h("button.secondary", { type: "button", autofocus: !field, on: { click: () => opened.close("") } }, "Cancel"),
        button)),
      closed: (result) => resolve(result === "yes"),
    });
  });
}

const shownLimit = 200_000;

/** Shows the whole of a text that `name` has cut. */
export function showWhole(whole, label) {
  const shown = cut(whole, shownLimit);
  dialog({
    title: `The whole ${label}`,
    isWide: true,
    content: [
      h("p.quiet", null, counted(whole.length, "character"), shown.isCut
        ? ". Long runs of combining marks are shortened here; the copy has them all." : ""),
      h("div.whole", { tabindex: "0", role: "region", "aria-label": `The whole ${label}` },
        h("bdi", null, visible(shown.text))),
      h("div.buttons", null, copyButton(whole, "Copy")),
    ],
  });
}
