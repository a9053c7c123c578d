// Shows a text of an app or a person on one line.

import { showWhole } from "./dialogs.js";
import { h } from "./dom.js";
import { counted } from "./formats.js";
import { cut, visible } from "./texts.js";

/**
 * Shows a text on one line. A cut text has a button that shows the whole text.
 * @param {unknown} value
 * @param {{limit?: number, href?: string, label?: string, tag?: string, empty?: string, isPlain?: boolean}} options
 *   `href` makes the text a link, `label` names the kind of the text, `isPlain` leaves out the button
 */
export function name(value, { limit = 60, href, label = "text", tag = "bdi", empty = "(empty)", isPlain = false } = {}) {
  const whole = String(value ?? "");
  if (whole === "") return href ? h("a.quiet", { href }, empty) : h("span.quiet", null, empty);
  const { text, isCut } = cut(whole, limit);
  // In a narrow table, only a text with a long word may be broken inside a word.
  const shown = h(`${tag}.name${/\S{13}/.test(visible(text)) ? ".long" : ""}`, { dir: tag === "bdi" ? null : "auto" }, visible(text) + (isCut ? "…" : ""));
  const first = href ? h("a", { href }, shown) : shown;
  if (!isCut || isPlain) return first;
  return h("span.cut", null, first, h("button.more", {
    type: "button", "aria-label": `Show the whole ${label}, ${counted(whole.length, "character")}`,
    on: { click: () => showWhole(whole, label) },
  }, "…"));
}
