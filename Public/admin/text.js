// Shows texts that the service got from apps and people. Such a text may have markup, control characters, characters
// that change the direction of the text around it, or a million combining marks. It is shown as text, isolated, and cut.

import { h } from "./dom.js";
import { counted } from "./format.js";

const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Returns a text whose invisible controls are visible: `␀` for NUL, `[U+202E]` for a change of direction. */
export function visible(text) {
  return String(text).replace(controls, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return "\u2421";
    return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
  });
}

/** Returns at most `limit` characters of a text, with at most four combining marks after each other. */
export function cut(text, limit) {
  const start = String(text).slice(0, limit * 8).replace(/(\p{M}{4})\p{M}+/gu, "$1");
  const characters = Array.from(start);
  const isCut = characters.length > limit || String(text).length > limit * 8 || start.length < Math.min(text.length, limit * 8);
  return { text: characters.slice(0, limit).join("").toWellFormed(), isCut };
}

/**
 * Shows a text on one line. A cut text has a button that shows the whole text.
 * @param {unknown} value
 * @param {{limit?: number, href?: string, label?: string, tag?: string, empty?: string, isPlain?: boolean}} options
 *   `href` makes the text a link, `label` says what the text is, `isPlain` leaves out the button
 */
export function name(value, { limit = 60, href, label = "text", tag = "bdi", empty = "(empty)", isPlain = false } = {}) {
  const whole = String(value ?? "");
  if (whole === "") return href ? h("a.quiet", { href }, empty) : h("span.quiet", null, empty);
  const { text, isCut } = cut(whole, limit);
  // Only a text with a long word may be broken inside a word where a table is narrow.
  const shown = h(`${tag}.name${/\S{13}/.test(visible(text)) ? ".long" : ""}`, { dir: tag === "bdi" ? null : "auto" }, visible(text) + (isCut ? "…" : ""));
  const first = href ? h("a", { href }, shown) : shown;
  if (!isCut || isPlain) return first;
  const more = h("button.more", {
    type: "button", "aria-label": `Show the whole ${label}, ${counted(whole.length, "character")}`,
    on: { click: () => showWhole(whole, label) },
  }, "…");
  return h("span.cut", null, first, more);
}

/** Returns a text for a place that can only have plain text, such as an option or the page's title. */
export const plain = (value, limit = 60) => {
  const { text, isCut } = cut(value ?? "", limit);
  return visible(text) + (isCut ? "…" : "");
};

let showWhole = () => {};

/** Sets the function that shows a whole text. The dialog needs this module, so it is set from outside. */
export function useDialogForTexts(show) {
  showWhole = show;
}
