// Tables and pages of lists.

import { append, h } from "../dom.js";
import { link } from "../router.js";

/**
 * A table. On narrow screens, each row becomes a block with the columns' titles.
 * @param {{caption: string, columns: {title: string, isNumber?: boolean, isHead?: boolean, isHidden?: boolean}[],
 *   rows: import("../dom.js").Child[][], isCompact?: boolean}} options
 */
export function table({ caption, columns, rows, isCompact = false }) {
  // The roles are explicit, because a row that is shown as a block loses them.
  const head = h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, columns.map(({ title, isNumber, isHidden }) =>
    h(`th${isNumber ? ".number" : ""}`, { scope: "col", role: "columnheader" }, isHidden ? h("span.unseen", null, title) : title))));
  const body = h("tbody", { role: "rowgroup" }, rows.map((cells) => h("tr", { role: "row" }, cells.map((cell, index) => {
    const { isNumber, isHead, title, isHidden } = columns[index];
    const element = isHead ? h("th", { scope: "row", role: "rowheader" }) : h(`td${isNumber ? ".number" : ""}`, { role: "cell" });
    if (!isHead && !isHidden) element.dataset.title = title;
    append(element, [cell]);
    return element;
  }))));
  return h(`table.table${isCompact ? "" : ".stacks"}`, { role: "table" }, h("caption.unseen", null, caption), head, body);
}

/** The links below a list with cursors: the first page and the next page. */
export function pager(visit, next, parts, label = "Pages") {
  const filters = Object.fromEntries(visit.query);
  if (!next && !filters.cursor) return null;
  const { cursor, ...rest } = filters;
  return h("nav.pager", { "aria-label": label },
    cursor ? h("a.button.secondary", { href: link(...parts, rest) }, "First page") : null,
    cursor ? h("button.secondary", { type: "button", on: { click: () => history.back() } }, "Back") : null,
    next ? h("a.button.secondary", { href: link(...parts, { ...rest, cursor: next }) }, "Next page") : null);
}

/** Pairs of a term and its value. Pairs without a value are left out. */
export function facts(pairs) {
  return h("dl.facts", null, pairs
    .filter(([, value]) => value !== undefined && value !== null && value !== false)
    .map(([term, value]) => h("div", null, h("dt", null, term), h("dd", null, value))));
}

/** The same, each pair on its own line. */
facts.inOneColumn = (pairs) => {
  const list = facts(pairs);
  list.classList.add("one-column");
  return list;
};

/** A short word with a colour. `kind` is good, poor, bad, accent or plain. */
export const badge = (text, kind = "plain", title) => h(`span.badge.${kind}`, { title }, text);

/** Numbers with their names, in large type. */
export function figures(items) {
  return h("dl.figures", null, items.map(({ name, value, note }) =>
    h("div.figure", null, h("dt", null, name), h("dd", null, value, note ? h("span.quiet", null, note) : null))));
}
