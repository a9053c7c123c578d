// Controls that filter a view.

import { h } from "./dom.js";
import { keepFocusOn } from "./focus.js";

/** Links of which one is current: each has an id, a text, an address, and whether it is current. */
export const segments = (label, links) => h("nav.segments", { "aria-label": label }, links.map(([id, text, href, isCurrent]) =>
  h("a", { id, href, "aria-current": isCurrent ? "true" : null }, text)));

/** Links of which one is current, with a visible label among other controls. */
export const segmentControl = (label, links) => h("div.control.fit", null, h("span.label", { "aria-hidden": "true" }, label), segments(label, links));

/** A choice among options, each `[value, text]`, with its label. `change` gets the new value. */
export const selectControl = (id, label, options, chosen, change) => h("div.control", null, h("label", { for: id }, label),
  h("select", { id, on: { change: (event) => change(event.target.value) } }, options.map(([value, text]) =>
    h("option", { value, selected: value === (chosen ?? "") }, text))));

/**
 * A text or a day with its label. `change` gets the new value after Enter, or when the control loses the focus. The event
 * `change` is too early: a date input has it after each key that makes a date, such as the year 2 before the year 20.
 */
export function inputControl(id, label, attributes, value, change) {
  const address = location.hash;
  let known = value ?? "";
  const apply = (event) => {
    const now = event.target.value.trim();
    // The control also loses the focus when another view takes its place.
    if (now === known || location.hash !== address) return;
    known = now;
    keepFocusOn(id);
    change(now);
  };
  return h("div.control", null, h("label", { for: id }, label), h("input", {
    id, autocomplete: "off", ...attributes, props: { value: known }, on: { blur: apply, keydown: (event) => event.key === "Enter" && apply(event) },
  }));
}
