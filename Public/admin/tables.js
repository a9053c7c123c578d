// Tables and pages of lists.

import { link } from "./addresses.js";
import { append, h } from "./dom.js";
import { number } from "./formats.js";
import { act } from "./toasts.js";

/** @typedef {import("./dom.js").Child} Child */

/** A button that adds the next page to a list, or null without a next page. `show` returns the elements of some items. */
export function showMore(list, next, load, show) {
  const more = h("button.secondary", { type: "button", on: { click: () => act(more, async () => {
    const page = await load(next);
    const elements = [...show(page.items)];
    list.append(...elements);
    next = page.next;
    if (!next) more.remove();
    elements[0]?.querySelector("a").focus();
  }) } }, "Show more");
  return next ? more : null;
}

/**
 * A table. On narrow screens, each row becomes a block with the columns' titles, without the minor columns.
 * @param {{caption: string, columns: {title: string, isNumber?: boolean, isHead?: boolean, isHidden?: boolean, isMinor?: boolean}[],
 *   rows: Child[][], isCompact?: boolean}} options
 */
export function table({ caption, columns, rows, isCompact = false }) {
  // The roles are explicit, because a row that is shown as a block loses them.
  const head = h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, columns.map(({ title, isNumber, isHidden, isMinor }) =>
    h(`th${isNumber ? ".number" : ""}${isMinor ? ".minor" : ""}`, { scope: "col", role: "columnheader" }, isHidden ? h("span.unseen", null, title) : title))));
  const body = h("tbody", { role: "rowgroup" }, rows.map((cells) => h("tr", { role: "row" }, cells.map((cell, index) => {
    const { isNumber, isHead, title, isHidden, isMinor } = columns[index];
    const element = isHead ? h("th", { scope: "row", role: "rowheader" }) : h(`td${isNumber ? ".number" : ""}${isMinor ? ".minor" : ""}`, { role: "cell" });
    if (!isHead && !isHidden) element.dataset.title = title;
    append(element, [cell]);
    return element;
  }))));
  return h(`table.table${isCompact ? "" : ".stacks"}`, { role: "table" }, h("caption.unseen", null, caption), head, body);
}

/**
 * Lets a table be sorted by its columns. `values` has what a row is sorted by in a column: a text sorts from A to Z at
 * first, a number from the largest, and a row without a value comes last.
 * @param {HTMLTableElement} element
 * @param {{values: (row: HTMLTableRowElement, column: number) => string | number | null | undefined,
 *   chosen?: string | null, changed: (chosen: string) => void}} options `chosen` is the number of a column, with a minus
 *   sign for the other direction; without it, the rows keep the order of the service
 */
export function sortable(element, { values, chosen, changed }) {
  const heads = [...element.tHead.rows[0].cells];
  const valueOf = (row, column) => values(row, column) ?? null;
  let order = /^-?\d{1,2}$/.test(chosen ?? "") && heads[Math.abs(Number(chosen))] ? chosen : null;
  function sort() {
    if (order === null) return;
    const column = Math.abs(Number(order));
    const rows = [...element.tBodies[0].rows];
    const isText = rows.some((row) => typeof valueOf(row, column) === "string");
    const direction = (order.startsWith("-") ? -1 : 1) * (isText ? 1 : -1);
    rows.sort((first, second) => {
      const [one, other] = [valueOf(first, column), valueOf(second, column)];
      if (one === null || other === null) return (one === null) - (other === null);
      return direction * (isText ? one.localeCompare(other) : one - other);
    });
    const focused = document.activeElement;
    element.tBodies[0].append(...rows);
    if (element.contains(focused)) focused.focus();
    heads.forEach((head, index) => {
      head.ariaSort = index === column ? (direction > 0 ? "ascending" : "descending") : "none";
    });
  }
  heads.forEach((head, index) => {
    const button = h("button.sort", { type: "button", on: { click: () => {
      order = order === String(index) ? `-${index}` : String(index);
      changed(order);
      sort();
    } } }, head.textContent);
    head.replaceChildren(button);
  });
  sort();
  return sort;
}

/** A table of the first ten rows, with a button that shows all of them. */
export function shortTable({ rows, ...options }) {
  const short = table({ rows: rows.slice(0, 10), ...options });
  if (rows.length <= 10) return short;
  const place = h("div.stack", null, short);
  const all = h("button.secondary", { type: "button", on: { click: () => {
    const whole = table({ rows, ...options });
    place.replaceChildren(whole);
    whole.tBodies[0].rows[10].querySelector("a, button")?.focus();
  } } }, `Show all ${number(rows.length)}`);
  place.append(all);
  return place;
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
