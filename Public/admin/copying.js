// Buttons that copy a text.

import { announce, h } from "./dom.js";
import { notify } from "./toasts.js";

/** A button that copies a text, and says so. */
export function copyButton(text, label = "Copy", { what = "" } = {}) {
  const caption = h("span", null, label);
  const button = h("button.secondary.small.copy", { type: "button", "aria-label": what ? `Copy ${what}` : null }, caption);
  let timer = 0;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(typeof text === "function" ? text() : text);
      caption.textContent = "Copied";
      announce(`Copied ${what}`);
      clearTimeout(timer);
      timer = setTimeout(() => {
        caption.textContent = label;
      }, 2_000);
    } catch {
      notify("The browser does not allow copying here. Select the text, and copy it with the keyboard.", "bad");
    }
  });
  return button;
}

/** A block of code with a copy button. A long line wraps if `wraps`. */
export function codeBlock(text, { label = "code", wraps = false } = {}) {
  return h(`div.code${wraps ? ".wraps" : ""}`, null,
    h("pre", { tabindex: "0", role: "region", "aria-label": label }, h("code", null, text)),
    copyButton(text, "Copy", { what: label }));
}

/** An identifier with a copy button. `shown` is the part to show; the button copies the whole. */
export function identifier(id, { shown = id, label = "id" } = {}) {
  return h("span.identifier", null, h("code", null, shown), copyButton(id, "Copy", { what: label }));
}
