// Elements of the page, and the words in them. This module sends no request to the API, and knows no session.

// # Elements
// Makes elements. Text is always set as text: no function of the page parses HTML.

/** @typedef {Node | string | number | null | undefined | false | Child[]} Child */

/**
 * Makes an HTML element.
 * @param {string} tag the tag, with classes after dots: `"p.quiet"`
 * @param {Record<string, unknown> | null} attributes attributes; `on` is an object of listeners, `data` of data
 *   attributes, `props` of properties. `true` is an attribute without a value; `false`, null and undefined are left out.
 * @param {...Child} children
 */
export function h(tag, attributes, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length) element.className = classes.join(" ");
  apply(element, attributes);
  append(element, children);
  return element;
}

/** Makes an SVG element, with the same arguments as `h`. */
export function s(tag, attributes, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  if (classes.length) element.setAttribute("class", classes.join(" "));
  apply(element, attributes);
  append(element, children);
  return element;
}

function apply(element, attributes) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (name === "data") {
      for (const [key, text] of Object.entries(value)) element.dataset[key] = text;
    } else if (name === "props") {
      Object.assign(element, value);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
}

/** Adds children, and leaves out null, undefined and false. */
export function append(element, children) {
  for (const child of [children].flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/** Replaces the children of an element. */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

/** Looks up a text of the service in a table. The text may be the name of an inherited member. */
export const lookUp = (table, key) => Object.hasOwn(table, key) ? table[key] : undefined;

let count = 0;

/** Returns an id that no other element of the page has. */
export function uniqueID(prefix = "e") {
  count += 1;
  return `${prefix}-${count}`;
}

/** Sets a custom property of an element, such as the length of a bar. */
export function setStyle(element, name, value) {
  element.style.setProperty(name, value);
  return element;
}

/** Reads a text to people with a screen reader. */
export function announce(text) {
  const place = document.getElementById("announcement");
  if (place) place.textContent = text;
}

// # Texts
// Shows texts that the service got from apps and people. Such a text may have markup, control characters, characters
// that change the direction of the text around it, or a million combining marks. It is shown as text, isolated, and cut.

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
  const more = h("button.more", {
    type: "button", "aria-label": `Show the whole ${label}, ${counted(whole.length, "character")}`,
    on: { click: () => act(more, async () => (await loaded(() => import("./forms.js"))).showWhole(whole, label)) },
  }, "…");
  return h("span.cut", null, first, more);
}

/** Returns a text for a place that can only have plain text, such as an option or the page's title. */
export const plain = (value, limit = 60) => {
  const { text, isCut } = cut(value ?? "", limit);
  return visible(text) + (isCut ? "…" : "");
};

// # Formats
// Numbers, sizes and times as text.

const integers = new Intl.NumberFormat("en-GB");
const shortNumbers = new Intl.NumberFormat("en-GB", { notation: "compact", maximumFractionDigits: 1 });

/** Returns a number with separators: `12,345`. */
export const number = (value) => (Number.isFinite(value) ? integers.format(value) : "–");

/** Returns a number in few characters: `12.3K`. */
export const shortNumber = (value) => (Number.isFinite(value) ? shortNumbers.format(value) : "–");

/** Returns a count with its noun: `1 archive`, `2 archives`. */
export const counted = (value, noun, plural = `${noun}s`) => `${number(value)} ${value === 1 ? noun : plural}`;

const units = [["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 2 ** 10]];

/** Returns a number of bytes in the largest fitting unit: `1.5 MiB`. */
export function bytes(value) {
  if (!Number.isFinite(value)) return "–";
  const [name, length] = units.find(([, length]) => Math.abs(value) >= length) ?? ["bytes", 1];
  return `${integers.format(Math.round((value / length) * 10) / 10)} ${value === 1 ? "byte" : name}`;
}

/** Returns a number of bytes as the settings are written: `256MiB`. Exact, so that it can be read back. */
export function exactBytes(value) {
  const [name, length] = units.find(([, length]) => value >= length && value % length === 0) ?? ["", 1];
  return `${value / length}${name}`;
}

/** Reads `256MiB`, `1.5 GiB` or `1024`. Returns null if the text is not a size. */
export function readBytes(text) {
  const match = /^\s*(\d+(?:\.\d+)?)\s*(KiB|MiB|GiB|bytes)?\s*$/i.exec(text);
  if (!match) return null;
  const length = units.find(([name]) => name.toLowerCase() === match[2]?.toLowerCase())?.[1] ?? 1;
  const value = Number(match[1]) * length;
  return Number.isSafeInteger(value) ? value : null;
}

const steps = [["year", 31_557_600], ["month", 2_629_800], ["day", 86_400], ["hour", 3_600], ["minute", 60], ["second", 1]];

/** Returns a length of time in seconds with one or two units: `3 hours 5 minutes`. */
export function duration(seconds) {
  if (!Number.isFinite(seconds)) return "–";
  const whole = Math.abs(seconds);
  if (whole < 1) return `${Math.round(whole * 1000)} ms`;
  const index = steps.findIndex(([, length]) => whole >= length);
  const [unit, length] = steps[index];
  const first = Math.floor(whole / length);
  const next = steps[index + 1];
  const rest = next && first < 10 ? Math.floor((whole - first * length) / next[1]) : 0;
  return counted(first, unit) + (rest ? ` ${counted(rest, next[0])}` : "");
}

const relatives = new Intl.RelativeTimeFormat("en-GB", { numeric: "auto" });

/** Returns a time relative to now: `5 minutes ago`. */
function relative(iso, now = Date.now()) {
  const seconds = (Date.parse(iso) - now) / 1000;
  if (!Number.isFinite(seconds)) return "at an unknown time";
  if (Math.abs(seconds) < 5) return "just now";
  const [unit, length] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? steps.at(-1);
  return relatives.format(Math.round(seconds / length), unit);
}

const formats = new Map();

function formatter(zone, options) {
  const key = zone + JSON.stringify(options);
  if (!formats.has(key)) {
    formats.set(key, new Intl.DateTimeFormat("en-GB", { ...options, timeZone: zone === "utc" ? "UTC" : undefined }));
  }
  return formats.get(key);
}

/**
 * Returns a time in a zone.
 * @param {string | number} time RFC 3339, or milliseconds
 * @param {"local" | "utc"} zone
 * @param {"full" | "exact" | "minute" | "day" | "date" | "clock"} style `exact` has milliseconds
 */
export function absolute(time, zone, style = "full") {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(time);
  const day = { day: "numeric", month: "short", year: "numeric" };
  const clock = { hour: "2-digit", minute: "2-digit", second: "2-digit" };
  const options = {
    full: { ...day, ...clock },
    exact: { ...day, ...clock, fractionalSecondDigits: 3 },
    minute: { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" },
    day: { day: "numeric", month: "short" },
    date: day,
    clock,
  }[style];
  const suffix = zone === "utc" && (style === "full" || style === "exact") ? " UTC" : "";
  return formatter(zone, options).format(date) + suffix;
}

/** Returns the name of the chosen time zone: `UTC`, or `Europe/Lisbon`. */
export const zoneName = () => preference("zone") === "utc" ? "UTC" : formatter("local", {}).resolvedOptions().timeZone;

/** Returns a share as a percentage that is never rounded up to all: `99.8 %`. */
export const percent = (share) => `${Math.floor(share * 1000) / 10} %`;

/** Returns the first characters of an identifier. */
export const shortID = (id) => String(id).slice(0, 8);

/** Returns a text with a capital first letter. */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// # Addresses
// Addresses of the API and of the views.

/** Makes a path whose values are percent-encoded: ``path`/apps/${app}/users` ``. */
export function path(parts, ...values) {
  return parts.reduce((text, part, index) => text + encode(values[index - 1]) + part);
}

/** Percent-encodes a text. Halves of characters, which cannot be encoded, are replaced. */
const encode = (value) => encodeURIComponent(String(value).toWellFormed());

/** Makes a query of the values that are present, with its question mark. */
export function query(values) {
  const present = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return present.length ? `?${present.map(([name, value]) => `${name}=${encode(value)}`).join("&")}` : "";
}

/** Returns the address of a view: ``link("/apps", app, "users")``. A value that is an object is the query. */
export function link(start, ...rest) {
  const filters = rest.length && typeof rest.at(-1) === "object" ? rest.pop() : {};
  return `#${start}${rest.map((part) => `/${encode(part)}`).join("")}${query(filters)}`;
}

// # Problems
// Problems: why a request has failed.

/** A request that failed: a problem that the service described, or no answer (`status` 0). */
export class Problem extends Error {
  constructor(status, document, fields) {
    super(document.title ?? "The request failed");
    this.name = "Problem";
    this.status = status;
    this.code = document.code ?? "";
    this.title = document.title ?? `The service answered with ${status}`;
    this.detail = document.detail ?? "";
    this.retryAfter = Number(fields?.get("Retry-After")) || null;
  }

  get isOffline() {
    return this.status === 0;
  }
}

/** Returns the problem that the service does not answer, and lets the page watch for the service. */
export function offline() {
  document.dispatchEvent(new CustomEvent("placekeeper:offline"));
  return new Problem(0, {
    code: "no-answer", title: "The service does not answer",
    detail: "The service does not answer. It may be restarting. Nothing that you typed is lost.",
  });
}

/** Loads a module on demand: ``loaded(() => import("./forms.js"))``. If that fails, the service does not answer. */
export async function loaded(load) {
  try {
    return await load();
  } catch {
    throw offline();
  }
}

/** Asks before an act, as `ask` of forms.js does. Returns whether the person agrees. */
export const confirm = async (options) => (await loaded(() => import("./forms.js"))).ask(options);

/** Whether an error only says that its view is gone. */
export const isAborted = (error) => error?.name === "AbortError";

/** Returns an error as one sentence or two. */
export function explained(error) {
  if (!(error instanceof Problem)) return "The page has failed here. Load it again; if it fails again, report it.";
  const detail = error.detail || error.title;
  const text = detail.endsWith(".") ? detail : `${detail}.`;
  return error.retryAfter ? `${text.replace(/ Try again( later| shortly)?\.$/, "")} Try again in ${error.retryAfter} s.` : text;
}

// # Preferences
// The person's choices for this browser: colors, time zone and the key "/". They are kept in the browser's storage.

const preferences = { theme: ["auto", "light", "dark"], zone: ["local", "utc"], slash: ["on", "off"] };
const chosen = {};

function stored(name) {
  try {
    return localStorage.getItem(`placekeeper.${name}`);
  } catch {
    return null;
  }
}

/** Returns a choice, or its default. */
export function preference(name) {
  const value = chosen[name] ?? stored(name);
  return preferences[name].includes(value) ? value : preferences[name][0];
}

/** Changes a choice, and shows the effect immediately. */
export function choose(name, value) {
  chosen[name] = value;
  try {
    localStorage.setItem(`placekeeper.${name}`, value);
  } catch {
    // The choice lasts until the page is closed.
  }
  if (name === "theme") applyTheme();
  document.dispatchEvent(new CustomEvent("placekeeper:preferences"));
}

function applyTheme() {
  const theme = preference("theme");
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

applyTheme();

// # Times
// Times that follow the chosen time zone and grow older while the page is open.

/**
 * Shows a time.
 * @param {string | undefined} iso
 * @param {"both" | "full" | "exact" | "minute" | "date" | "clock" | "relative"} style
 */
export function time(iso, style = "both") {
  if (!iso) return h("span.quiet", null, "never");
  const element = h("time", { datetime: String(iso), data: { style } });
  draw(element);
  return element;
}

function draw(element) {
  const iso = element.dateTime;
  const { style } = element.dataset;
  const zone = preference("zone");
  if (style === "both") {
    element.replaceChildren(h("span", null, relative(iso)), " ", h("span.quiet", null, absolute(iso, zone)));
  } else if (style === "relative") {
    element.textContent = relative(iso);
    element.title = absolute(iso, zone);
  } else {
    element.textContent = absolute(iso, zone, style);
    element.title = `${relative(iso)}, ${absolute(iso, zone, "exact")}`;
  }
}

const drawAll = () => document.querySelectorAll("time[data-style]").forEach(draw);
document.addEventListener("placekeeper:preferences", drawAll);
setInterval(() => document.hidden || drawAll(), 30_000);

// # Messages
// Messages about an act: a success goes away, a failure stays until it is closed or the person goes to another view. A
// success that can be undone stays for a minute.

window.addEventListener("hashchange", () => {
  for (const notice of document.querySelectorAll("#notices .notice.bad")) notice.remove();
});

/** @param {string} text @param {"good" | "bad"} kind @param {(() => Promise<void>) | null} undo undoes the act */
export function notify(text, kind = "good", undo = null) {
  const button = undo && h("button.secondary.small", { type: "button" }, "Undo");
  const notice = h(`div.notice.${kind}`, { role: kind === "bad" ? "alert" : "status" },
    h("p", null, text), button,
    h("button.icon", { type: "button", "aria-label": "Close the message", on: { click: () => notice.remove() } }, "✕"));
  button?.addEventListener("click", () => act(button, async () => {
    await undo();
    notice.remove();
  }));
  // After another act, an older offer to undo may be out of date.
  if (kind === "good") for (const older of document.querySelectorAll("#notices .undoable")) older.remove();
  if (undo) notice.classList.add("undoable");
  document.getElementById("notices").append(notice);
  if (kind === "good") setTimeout(() => notice.remove(), undo ? 60_000 : 6_000);
}

/** Runs an act of a button. A failure becomes a message; the button cannot be pressed meanwhile. */
export async function act(button, task) {
  if (button?.ariaDisabled === "true") return;
  if (button) button.ariaDisabled = "true";
  try {
    await task();
  } catch (error) {
    if (!isAborted(error)) notify(explained(error), "bad");
  } finally {
    if (button) button.ariaDisabled = "false";
  }
}

// # Copying
// Buttons that copy a text.

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

// # Lists
// Tables and pages of lists.

/**
 * A table. On narrow screens, each row becomes a block with the columns' titles.
 * @param {{caption: string, columns: {title: string, isNumber?: boolean, isHead?: boolean, isHidden?: boolean}[],
 *   rows: Child[][], isCompact?: boolean}} options
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

/** Like `facts`, with each pair on its own line. */
facts.inOneColumn = (pairs) => {
  const list = facts(pairs);
  list.classList.add("one-column");
  return list;
};

/** A choice among options, each `[value, text]`, with its label. `change` gets the new value. */
export const selectControl = (id, label, options, chosen, change) => h("div.control", null, h("label", { for: id }, label),
  h("select", { id, on: { change: (event) => change(event.target.value) } }, options.map(([value, text]) =>
    h("option", { value, selected: value === (chosen ?? "") }, text))));

/** A short word with a color. `kind` is good, poor, bad, accent or plain. */
export const badge = (text, kind = "plain", title) => h(`span.badge.${kind}`, { title }, text);

/** Numbers with their names, in large type. */
export function figures(items) {
  return h("dl.figures", null, items.map(({ name, value, note }) =>
    h("div.figure", null, h("dt", null, name), h("dd", null, value, note ? h("span.quiet", null, note) : null))));
}

// # Focus
// Keeps the focus on a control whose panel is drawn again, because a filter has changed.

let wanted = null;

/** Remembers the control that has the focus, before a view is drawn again. */
export function rememberFocus() {
  wanted = document.activeElement?.id || null;
}

/** Forgets the control, if the new view is another one. */
export function forgetFocus() {
  wanted = null;
}

/** Gives the focus back, once the control exists again, and unless the person has moved on. */
export function restoreFocus() {
  const control = wanted && document.getElementById(wanted);
  if (!control) return;
  wanted = null;
  if (document.activeElement === document.body || document.activeElement === null) control.focus({ preventScroll: true });
}

// # Panels
// A part of a view that loads and fails alone.

/**
 * A section that loads its content.
 * @param {{title?: string, label?: string, level?: number, signal: AbortSignal, skeleton?: "rows" | "chart" | "cards",
 *   actions?: Child, note?: Child, isBare?: boolean, name?: string,
 *   load: (signal: AbortSignal) => Promise<any>, show: (data: any) => Child}} options
 */
export function panel({ title, label, level = 2, signal, skeleton = "rows", actions, note, isBare, load, show, name }) {
  const id = uniqueID("panel");
  const body = h("div.panel-body", { "aria-busy": "true" });
  const element = h(`section.panel${isBare ? ".bare" : ""}`, {
    "aria-labelledby": title ? id : null, "aria-label": title ? null : label, data: name ? { panel: name } : null,
  },
  title ? h("div.panel-head", null, h(`h${level}`, { id }, title), h("div.panel-actions", null, actions)) : null,
  note ? h("p.panel-note.quiet", null, note) : null,
  body);
  let isLoading = false;
  let isWaiting = false;

  async function reload({ isQuiet = false } = {}) {
    if (isLoading || signal.aborted) return;
    isLoading = true;
    isWaiting = false;
    if (!isQuiet) {
      body.ariaBusy = "true";
      fill(body, bones(skeleton));
    }
    try {
      const data = await load(signal);
      if (signal.aborted) return;
      fill(body, show(data));
      restoreFocus();
    } catch (error) {
      if (isAborted(error) || signal.aborted) return;
      if (!(error instanceof Problem)) console.error(error);
      isWaiting = error instanceof Problem && error.isOffline;
      fill(body, failure(error, () => reload()));
    } finally {
      isLoading = false;
      body.ariaBusy = "false";
    }
  }

  document.addEventListener("placekeeper:recovered", () => isWaiting && reload(), { signal });
  reload();
  return Object.assign(element, { reload, body });
}

/** A panel that is loaded when it is opened. `load` returns its content. */
export function folded(title, load, { isOpen = false } = {}) {
  const body = h("div.folded");
  const element = h("details.panel", { open: isOpen }, h("summary", null, h("h2", null, title)), body);
  const fetchContent = async () => {
    fill(body, bones("rows"));
    try {
      fill(body, await load());
    } catch (error) {
      fill(body, failure(error, fetchContent));
    }
  };
  element.addEventListener("toggle", fetchContent, { once: true });
  return element;
}

/** Says why something failed, with a button to try again. */
export function failure(error, retry) {
  return h("div.failure", { role: "alert" },
    h("p", null, explained(error)),
    h("button.secondary.small", { type: "button", on: { click: retry } }, "Try again"));
}

/** Says that there is nothing yet, with the next step. */
export function empty(title, ...children) {
  const place = h("div.empty", null, h("p.empty-title", null, title));
  append(place, children);
  return place;
}

function bones(kind) {
  const counts = { rows: 4, chart: 1, cards: 4 };
  return h(`div.bones.${kind}`, { "aria-hidden": "true" },
    Array.from({ length: counts[kind] }, () => h("span.bone", null)));
}

/** Returns a loader whose result several panels share. A failure is not kept. */
export function shared(load) {
  let promise = null;
  return (signal) => {
    promise ??= load(signal).catch((error) => {
      promise = null;
      throw error;
    });
    return promise;
  };
}

// # Icons
// Small drawings. Each has a text beside it, so people with a screen reader do not need them.

const paths = {
  phone: "M7 2.5h6a1.5 1.5 0 0 1 1.5 1.5v12a1.5 1.5 0 0 1-1.5 1.5H7A1.5 1.5 0 0 1 5.5 16V4A1.5 1.5 0 0 1 7 2.5zM9 15h2",
  pad: "M4.5 3h11A1.5 1.5 0 0 1 17 4.5v11a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 3 15.5v-11A1.5 1.5 0 0 1 4.5 3zM9 14.5h2",
  mac: "M4 4h12v8.5H4zM2 15.5h16",
  watch: "M7 6.5V3h6v3.5M7 13.5V17h6v-3.5M6 6.5h8v7H6z",
  tv: "M2.5 4h15v10h-15zM7 17h6",
  vision: "M3 7.5C5 6 15 6 17 7.5c1 2 .5 6-2 6-2 0-3-1.5-5-1.5s-3 1.5-5 1.5c-2.5 0-3-4-2-6z",
  carPlay: "M3.5 11.5l1.5-5h10l1.5 5v4h-13zM3.5 11.5h13M6 13.5h.01M14 13.5h.01",
  unspecified: "M5 5h10v10H5z",
  overview: "M3.5 16.5v-6M8 16.5v-13M12.5 16.5v-9M17 16.5v-4",
  health: "M2.5 10.5h3.5l2-5 3.5 9 2-4h4",
  live: "M10 11.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM6.5 13.5a5 5 0 0 1 0-7M13.5 6.5a5 5 0 0 1 0 7M4 16a8.5 8.5 0 0 1 0-12M16 4a8.5 8.5 0 0 1 0 12",
  users: "M10 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4 17c0-3.5 2.5-5 6-5s6 1.5 6 5",
  start: "M5 3.5v13M5 4h10l-2.5 3.5L15 11H5",
  settings: "M3 6h8M15 6h2M3 14h2M9 14h8M13 4v4M7 12v4",
  audit: "M5 3h10v14H5zM7.5 7h5M7.5 10h5M7.5 13h3",
  key: "M8 12a3.5 3.5 0 1 1 0-7 3.5 3.5 0 0 1 0 7zM10.5 11l6 6M14 14.5l1.5-1.5",
  people: "M7 9a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM2 16c0-3 2-4.5 5-4.5s5 1.5 5 4.5M13 4.5a2.5 2.5 0 0 1 0 4.5M14.5 11.800c2 .5 3.5 2 3.5 4.200",
  about: "M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM10 9v5M10 6.200v.1",
  display: "M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15zM10 2.5v15M10 6h6M10 10h7.5M10 14h6",
  menu: "M3 5.5h14M3 10h14M3 14.5h14",
  apps: "M3.5 3.5h5v5h-5zM11.5 3.5h5v5h-5zM3.5 11.5h5v5h-5zM11.5 11.5h5v5h-5z",
};

/** Draws an icon of 20 by 20 units. */
export function icon(name) {
  return s("svg.glyph", { viewBox: "0 0 20 20", "aria-hidden": "true" },
    s("path", { d: lookUp(paths, name) ?? paths.unspecified, fill: "none", stroke: "currentColor", "stroke-width": "1.5", "stroke-linejoin": "round", "stroke-linecap": "round" }));
}

/** Draws the mark of the service, as mark.svg has it. The browser would load that file twice: as the icon, and here. */
export function mark(size) {
  const blue = "#3451b2";
  return s("svg", { viewBox: "0 0 40 40", width: size, height: size, "aria-hidden": "true" },
    s("rect", { width: 40, height: 40, rx: 9, fill: blue }),
    s("path", { d: "M12 8h16a2 2 0 0 1 2 2v22l-10-6.5L10 32V10a2 2 0 0 1 2-2z", fill: "#fff" }),
    s("path", { d: "M15 15h10M15 19.5h6", stroke: blue, "stroke-width": "2.4", "stroke-linecap": "round" }));
}

// # Devices
// Devices as text.

export const idioms = ["phone", "pad", "mac", "watch", "tv", "vision", "carPlay"];

/** Returns a device's name for a text: its name, its model, or its idiom with the start of its id. */
export const deviceText = (device, id) => plain(
  device?.name || device?.model || `${capital(device?.idiom ?? "device")} ${shortID(device?.id ?? id ?? "")}`, 32);

/** The devices of a user as options. */
export const deviceOptions = (person) => (person.devices ?? []).map((device) => [device.id, deviceText(device)]);

/** Shows a device with a drawing of its idiom. `isWhole` adds a button that shows the whole name, if it is cut. */
export function deviceLabel(device, id, { limit = 32, idiom, isWhole = false } = {}) {
  const text = device?.name || device?.model || `${capital(device?.idiom ?? idiom ?? "device")} ${shortID(device?.id ?? id ?? "")}`;
  return h("span.device", null, device?.idiom ?? idiom ? icon(device?.idiom ?? idiom) : null, name(text, { limit, label: "name", isPlain: !isWhole }));
}

/** Returns a context in words: `pad, compact, version 42`. */
export function contextText(context) {
  if (!context) return "unknown";
  return [
    context.idiom, context.layout,
    context.bundleVersion ? `version ${plain(context.bundleVersion, 20)}` : null,
    context.systemVersion ? `system ${plain(context.systemVersion, 20)}` : null,
    context.stateVersion === undefined || context.stateVersion === null ? null : `state version ${context.stateVersion}`,
  ].filter(Boolean).join(", ");
}

// # Places
// A place: the titles of its steps.

/** Shows the titles of a place, from the first screen to the last. `isShort` cuts them for a list. */
export function placeTrail(titles, { isShort = false } = {}) {
  if (!titles?.length) return h("p.trail.quiet", null, "No place");
  const shown = isShort && titles.length > 4 ? [titles[0], null, ...titles.slice(-2)] : titles.slice(0, 64);
  return h("p.trail", null, shown.map((title, index) => h("span.step", null,
    index ? h("span.quiet", { "aria-hidden": "true" }, "›") : null,
    title === null ? h("span.quiet", null, "…") : isShort ? shortTitle(title) : name(title, { limit: 48, label: "title", empty: "(no title)" }))));
}

function shortTitle(title) {
  const { text, isCut } = cut(title, 28);
  return text ? h("bdi.name", null, visible(text) + (isCut ? "…" : "")) : h("span.quiet", null, "(no title)");
}

// # Archives
// Archives in words.

/** Says where an archive is quarantined. */
function quarantineText({ idiom, bundleVersion, result, path }) {
  const verb = lookUp({ crashed: "crashed the app", failed: "failed", abandoned: "was abandoned", began: "never finished" }, result) ?? plain(result);
  return ["Quarantined on ", idiom, bundleVersion ? ` with version ${plain(bundleVersion, 16)}` : " without a version",
    `: a restore ${verb}`, path ? [" at ", name(path, { limit: 48, label: "path" })] : "."];
}

/** Lists where an archive is quarantined, and why. Null if it is not. */
export const quarantineList = ({ quarantines }) => quarantines?.length
  ? h("ul.why.bad", null, quarantines.map((one) => h("li", null, quarantineText(one)))) : null;

/**
 * Returns `head`, `view-only`, `late` or `older`. `view-only` is a state with which the person did not interact: a restored one,
 * or a first screen. A late archive arrived after a newer capture.
 */
export function kindOf({ isHead, isViewOnly, isLate }) {
  if (isHead) return "head";
  if (isViewOnly) return "view-only";
  return isLate ? "late" : "older";
}

/** Returns the badge of an archive's kind. An archive that is only older has none. */
export function kindBadge(archive) {
  const words = { head: ["Head", "good"], late: ["Late", "poor"], "view-only": [archive.isBelowAllWork ? "First screen" : "View only", "accent"] }[kindOf(archive)];
  return words ? badge(...words) : null;
}

/** Says why an archive is the head. */
export const headText = ({ isViewOnly }) => isViewOnly ? "The head, although the user did not interact: this scene has no newer work."
  : "The head: no newer interaction in this scene is known.";

// # Reasons
// The reasons against an archive. The service says each in words; docs/policy.md defines the codes.

/** A reason's value, for people. */
const shown = (value) => value === undefined ? "none" : plain(value, 40);

/** For each code: the rule's name, and the setting or the view of the app that governs it. */
export const reasons = {
  "idiom-not-accepted": { rule: "Idiom", setting: "acceptedIdioms" },
  "layout-differs": { rule: "Layout" },
  "platform-differs": { rule: "Platform" },
  "state-version-newer": { rule: "State version", setting: "stateVersions" },
  "state-version-differs": { rule: "State version", setting: "stateVersions" },
  "bundle-version-newer": { rule: "Bundle version", setting: "allowsNewerBundleVersion" },
  "bundle-version-below-minimum": { rule: "Minimum version", setting: "minimumBundleVersion" },
  "system-version-newer": { rule: "System version", setting: "allowsNewerSystemVersion" },
  "too-old": { rule: "Age", setting: "maximumAge", isDuration: true },
  "no-place": { rule: "Place" },
  "place-not-allowed": { rule: "Place", setting: "allowsPlace" },
  quarantined: { rule: "Quarantine" },
  "crashed-elsewhere": { rule: "Crash elsewhere" },
  "restores-stopped": { rule: "Stopped restores", view: "health" },
  abandoned: { rule: "Abandoned" },
};

/** Whether a reason makes the app offer the archive instead of restoring it without asking. */
export const isCaution = ({ code, blocks }) => blocks === "automatic" || code === "crashed-elsewhere";

/** Says why the app only offers a served archive. Empty if it may restore the archive without asking. */
export const offered = (found = []) => found.some(isCaution) ? ` The app only offers it, because ${found.filter(isCaution).map(reasonText).join("; ")}.` : "";

/** Returns a reason as the part of a sentence. */
export const reasonText = ({ code, text }) => plain(text ?? code, 200);

/** A number of seconds, which the service gives as a text, in words. */
const ageText = (value) => Number.isFinite(Number(value)) && value !== undefined ? duration(Number(value)) : shown(value);

/** Returns the two values that were compared, for a table. */
export function comparedValues(reason) {
  const format = lookUp(reasons, reason.code)?.isDuration ? ageText : shown;
  return [format(reason.archive), format(reason.required)];
}

/** Says by which item a removed item was replaced, and which aliases are ambiguous. `here` are the parts of the data source's address. */
export const identityNotes = ({ replacedBy, ambiguousAliases }, device, here) => [
  replacedBy === undefined ? null : h("p", null, badge("removed", "poor"), " replaced by ", name(replacedBy, {
    limit: 48, label: "identifier", href: link(...here, "items", replacedBy, { device }) })),
  ambiguousAliases?.length ? h("p", null, badge("ambiguous", "poor"), " ", aliasList(ambiguousAliases)) : null,
];

/** The text for a hidden value: its type, with the number of elements. */
export const redactedText = ({ redacted, count }) => plain(redacted) + (count === undefined ? "" : `, ${counted(count, "element")}`);

/** Lists aliases. */
export const aliasList = (aliases) => aliases?.length
  ? h("span.aliases", null, aliases.slice(0, 12).map((alias) => h("code.alias", null, name(alias, { limit: 40, label: "alias" }))),
    aliases.length > 12 ? h("span.quiet", null, ` and ${aliases.length - 12} more`) : null)
  : h("span.quiet", null, "none");
