// Controls that filter a view.

import { h } from "./dom.js";

/** Links of which one is current: each has an id, a text, an address, and whether it is current. */
export const segments = (label, links) => h("nav.segments", { "aria-label": label }, links.map(([id, text, href, isCurrent]) =>
  h("a", { id, href, "aria-current": isCurrent ? "true" : null }, text)));

/** A choice among options, each `[value, text]`, with its label. `change` gets the new value. */
export const selectControl = (id, label, options, chosen, change) => h("div.control", null, h("label", { for: id }, label),
  h("select", { id, on: { change: (event) => change(event.target.value) } }, options.map(([value, text]) =>
    h("option", { value, selected: value === (chosen ?? "") }, text))));
