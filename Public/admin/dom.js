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
