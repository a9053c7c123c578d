// The contents of an archive as a tree, with the sections that `placekeeper inspect` prints.

import { link } from "./addresses.js";
import { fill, h, uniqueID } from "./dom.js";
import { absolute, bytes, counted } from "./formats.js";
import { redactedText } from "./identity.js";
import { name } from "./names.js";
import { empty } from "./panels.js";
import { preference } from "./preferences.js";
import { plain } from "./texts.js";

const mostChildren = 200;

/** The maximum number of parts that are made together, so that the page still responds with a large archive. */
const mostParts = 10_000;

/** Shows an inspection. `person` is the start of the user's addresses. */
export function inspection(data, person) {
  const { inspection: contents, isRedacted } = data;
  if (!contents || typeof contents !== "object") return empty("The contents cannot be read");
  const context = { person, device: data.archive.device, references: data.references ?? [], sections: new Map() };
  const { formatVersion, topLevel, place, references, restorationClasses, objects, ...others } = contents;
  const tree = h("div.tree", null,
    group("Place", withPercent(place), context, true), objectTree(objects, context),
    group("Top level", topLevel, context), group("Model references", references, context),
    group("Restoration classes", restorationClasses, context),
    Object.entries(others).map(([key, value]) => group(key, value, context)));
  const setAll = (isOpen) => {
    if (isOpen) makeAll(tree);
    for (const element of tree.querySelectorAll("details")) element.open = isOpen;
  };
  return [
    isRedacted ? h("p.quiet", null, "Values are hidden: the tree shows keys and types.") : null,
    h("div.controls", null, search(tree),
      h("button.secondary.small", { type: "button", on: { click: () => setAll(true) } }, "Expand all"),
      h("button.secondary.small", { type: "button", on: { click: () => setAll(false) } }, "Collapse all")),
    tree,
  ];
}

const withPercent = (place) => Object.fromEntries(Object.entries(place ?? {}).map(([key, step]) => [key + percent(step), step]));
const percent = (step) => typeof step?.progress === "number" ? ` · ${Math.round(step.progress * 100)} %` : "";

function search(tree) {
  const count = h("span.quiet", { role: "status" });
  const input = h("input", {
    id: uniqueID("search"), type: "search", "aria-label": "Find in the contents", placeholder: "Find in the contents", spellcheck: "false", autocomplete: "off",
    on: {
      input: () => {
        const text = input.value.trim().toLowerCase();
        let hits = 0;
        if (text) makeAll(tree);
        for (const line of tree.querySelectorAll("summary, .leaf")) {
          const isHit = text !== "" && line.textContent.toLowerCase().includes(text);
          line.classList.toggle("hit", isHit);
          if (!isHit) continue;
          hits += 1;
          for (let parent = line.parentElement; parent && parent !== tree; parent = parent.parentElement) {
            if (parent.localName === "details" && line.parentElement !== parent) parent.open = true;
          }
        }
        fill(count, text ? counted(hits, "match", "matches") : "");
      },
    },
  });
  return h("span.joined", null, input, count);
}

function group(title, value, context, isOpen = false) {
  if (!value || typeof value !== "object" || !Object.keys(value).length) return null;
  const details = h("details", { open: isOpen }, h("summary", null, h("b", null, plain(title)), h("span.quiet", null, ` ${Object.keys(value).length}`)));
  details.append(children(Object.entries(value), context));
  return details;
}

/** Nests the objects by their paths: `Tabs/Albums` is inside `Tabs`. */
function objectTree(objects, context) {
  if (!Array.isArray(objects) || !objects.length) return null;
  const nodes = new Map();
  const roots = h("ul");
  for (const object of objects.slice(0, 5_000)) {
    const key = String(object.name ?? "");
    const slash = key.lastIndexOf("/");
    const parent = slash > 0 ? nodes.get(key.slice(0, slash)) : null;
    const list = h("ul");
    const details = h("details", { open: nodes.size < 12 },
      h("summary", null, h("b", null, name(parent ? key.slice(slash + 1) : key, { limit: 60, label: "path", isPlain: true })),
        h("span.quiet", null, " ", plain(object.kind ?? "", 40)), object.class ? [" ", h("code", null, plain(object.class, 60))] : null,
        object.registered ? h("span.quiet", null, " registered") : null),
      children(attributes(object), context), list);
    (parent?.list ?? roots).append(h("li", null, details));
    nodes.set(key, { list, details });
    context.sections.set(key, details);
  }
  return h("details", { open: true }, h("summary", null, h("b", null, "Objects"), h("span.quiet", null, ` ${objects.length}`)), roots);
}

const attributes = ({ storyboard, storyboardIdentifier, entries = {} }) => [
  ...(storyboard ? [["storyboard", storyboard]] : []), ...(storyboardIdentifier ? [["storyboard identifier", storyboardIdentifier]] : []),
  ...Object.entries(entries),
];

function children(entries, context) {
  const list = h("ul", null, entries.slice(0, mostChildren).map(([key, value]) => h("li", null, line(key, value, context))));
  const rest = entries.slice(mostChildren);
  if (rest.length) {
    const more = h("li", null, h("button.secondary.small", {
      type: "button", on: { click: () => more.replaceWith(...rest.slice(0, 5_000).map(([key, value]) => h("li", null, line(key, value, context)))) },
    }, `Show ${counted(rest.length, "more entry", "more entries")}`));
    list.append(more);
  }
  return list;
}

function line(key, value, context) {
  const label = h("span.key", null, name(key, { limit: 60, label: "key" }));
  const simple = scalar(value, context);
  if (simple) return h("div.leaf", null, label, " ", simple);
  const entries = Array.isArray(value) ? value.map((element, index) => [String(index), element]) : Object.entries(value);
  if (!entries.length) return h("div.leaf", null, label, " ", h("span.quiet", null, Array.isArray(value) ? "[ ]" : "{ }"));
  const plainKey = h("span.key", null, name(key, { limit: 60, isPlain: true }));
  const count = Array.isArray(value) ? counted(entries.length, "element") : counted(entries.length, "key");
  const details = h("details", null, h("summary", null, plainKey, h("span.quiet", null, ` ${count}`)));
  // The contents are made when they are first shown, so that a large archive opens quickly.
  unmade.set(details, () => details.append(children(entries, context)));
  details.addEventListener("toggle", () => details.open && make(details));
  return details;
}

/** Makes the contents of each value whose contents are not made yet. */
const unmade = new WeakMap();

function make(details) {
  unmade.get(details)?.();
  unmade.delete(details);
}

/** Makes the contents of the values inside, level by level. */
function makeAll(tree) {
  for (let made = 0; made < mostParts;) {
    const pending = [...tree.querySelectorAll("details")].filter((details) => unmade.has(details)).slice(0, mostParts - made);
    if (!pending.length) return;
    pending.forEach(make);
    made += pending.length;
  }
}

/** Returns a value on one line, or null if the value has parts. */
function scalar(value, context) {
  if (value === null) return h("span.value.quiet", null, "nil");
  if (typeof value === "boolean" || typeof value === "number") return h("span.value.literal", null, String(value));
  if (typeof value === "string") return h("span.value", null, name(value, { limit: 100, label: "value" }));
  if (Array.isArray(value)) return null;
  if ("redacted" in value) return h("span.value.type", null, redactedText(value));
  if ("numbered" in value) return h("span.value.type", null, `object ${plain(value.numbered)}, ${plain(value.class)}`);
  const [[key, content] = [], ...others] = Object.entries(value);
  if (others.length) return null;
  if (key === "date") return h("span.value.literal", null, absolute(content, preference("zone"), "exact"));
  if (key === "data") return h("span.value", null, h("span.quiet", null, `${bytes(String(content).length / 2)} `), h("code", null, name(content, { limit: 48, label: "data" })));
  if (key === "elided") return h("span.value.quiet", null, "left out");
  if (key === "reference") return referenceTo(content, context);
  if (key === "object") return objectTo(String(content), context);
  return null;
}

function referenceTo(index, { references, person, device }) {
  const reference = references.find((one) => one.index === index);
  if (!reference || reference.identifier === undefined) return h("span.value", null, `reference ${plain(index)}`);
  return h("span.value", null, h("span.quiet", null, `${plain(reference.dataSource)}: `), name(reference.identifier, {
    limit: 60, label: "identifier", href: link(...person, "data-sources", reference.dataSource, "items", reference.identifier, { device }),
  }));
}

function objectTo(path, { sections }) {
  return h("button.link", {
    type: "button",
    on: {
      click: () => {
        const target = sections.get(path);
        if (!target) return;
        for (let parent = target; parent; parent = parent.parentElement) if (parent.localName === "details") parent.open = true;
        target.querySelector("summary").focus();
      },
    },
  }, plain(path, 80));
}
