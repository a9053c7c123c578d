// A place: the titles of its steps.

import { h } from "./dom.js";
import { counted } from "./formats.js";
import { name } from "./names.js";
import { cut, visible } from "./texts.js";

/** Shows the titles of a place, from the first screen to the last. `isShort` cuts them for a list. */
export function placeTrail(titles, { isShort = false } = {}) {
  if (!titles?.length) return h("p.trail.quiet", null, "No place");
  // The service hides the titles of a user if the app's policy does.
  if (titles.every((title) => title === "…")) return h("p.trail.quiet", null, `A place of ${counted(titles.length, "step")}. Its titles are hidden.`);
  const shown = isShort && titles.length > 4 ? [titles[0], null, ...titles.slice(-2)] : titles.slice(0, 64);
  return h("p.trail", null, shown.map((title, index) => h("span.step", null,
    index ? h("span.quiet", { "aria-hidden": "true" }, "›") : null,
    title === null ? h("span.quiet", null, "…") : isShort ? shortTitle(title) : name(title, { limit: 48, label: "title", empty: "(no title)" }))));
}

function shortTitle(title) {
  const { text, isCut } = cut(title, 28);
  return text ? h("bdi.name", null, visible(text) + (isCut ? "…" : "")) : h("span.quiet", null, "(no title)");
}
