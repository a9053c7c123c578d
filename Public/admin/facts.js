// Facts, figures and badges.

import { h } from "./dom.js";

/** Pairs of a term and its value. Pairs without a value are left out. */
export function facts(pairs) {
  return h("dl.facts", null, pairs
    .filter(([, value]) => value !== undefined && value !== null && value !== false)
    .map(([term, value]) => h("div", null, h("dt", null, term), h("dd", null, value))));
}

/** Like `facts`, with each pair on its own line. */
facts.inOneColumn = (pairs) => {
  const list = facts(pairs);
  list.classList.add("one-column");
  return list;
};

/** A short word with a color. `kind` is good, poor, bad, accent or plain. */
export const badge = (text, kind = "plain", title) => h(`span.badge.${kind}`, { title }, text);

/** Numbers with their names, in large type. */
export function figures(items) {
  return h("dl.figures", null, items.map(({ name, value, note }) =>
    h("div.figure", null, h("dt", null, name), h("dd", null, value, note ? h("span.quiet", null, note) : null))));
}
