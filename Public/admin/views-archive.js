// The view of an archive: its facts, its contents, and the acts on it.

import {
  absolute, act, aliasList, badge, bytes, confirm, contextText, counted, deviceText, empty, facts, fill,
  h, headText, identifier, kindBadge, kindOf, link, loaded, lookUp, name, notify, number, panel, placeTrail, plain,
  preference, quarantineList, redactedText, setStyle, shared, shortID, table, time, uniqueID,
} from "./elements.js";
import { archivePath, crumbs, deviceLink, get, go, may, scenePath, send, userLoader } from "./app.js";

// # Archive
// An archive: its place, state, references, sizes and outcomes, and the acts on it.

export function archiveView(visit) {
  const { params, signal } = visit;
  const { app, user, scene, archive } = params;
  const person = ["/apps", app, "users", user];
  const here = [...person, "scenes", scene];
  const load = shared((signal) => get(archivePath(params), signal));
  const loadUser = userLoader(params);
  const loadOthers = shared((signal) => get(`${scenePath(params)}/archives`, signal));
  const section = (options) => panel({ signal, load, ...options });
  const loadBoth = async (signal) => {
    const [data, owner] = await Promise.all([load(signal), loadUser(signal)]);
    return { data, owner };
  };
  return {
    title: `Archive ${shortID(archive)}`,
    crumbs: crumbs(params, { isInside: true }),
    content: h("div.stack", null,
      panel({
        label: "Archive", signal, name: "archive", load: loadBoth,
        show: ({ data, owner }) => summary(data, owner, params, here),
      }),
      panel({
        title: "Compare", signal, load: loadOthers, name: "compare", skeleton: "chart",
        show: ({ items }) => compare(items, archive, here),
      }),
      section({ title: "Contents", name: "contents", show: (data) => inspection(data, person) }),
      section({ title: "References", name: "references", show: (data) => references(data.references ?? [], person, data.archive.device) }),
      h("div.pair", null,
        section({ title: "Sizes by key", name: "sizes", show: (data) => sizes(data.sizes ?? [], data.archive.size) }),
        panel({ title: "Outcomes", signal, load: loadBoth, name: "outcomes", show: ({ data }) => outcomes(data.outcomes ?? [], person) })),
      section({ title: "Screenshot", name: "screenshot", show: (data) => screenshot(data, params, signal) })),
  };
}

function summary({ archive, isRedacted }, owner, params, here) {
  const devices = new Map((owner.devices ?? []).map((device) => [device.id, device]));
  const kind = kindOf(archive);
  return [
    h("div.entry-head", null, placeTrail(archive.place),
      h("span.badges", null, kindBadge(archive),
        archive.quarantines?.length ? badge("Quarantined", "bad") : null)),
    kind === "head" ? h("p", null, headText(archive))
      : h("p", null, "Not the head. ", h("a", { href: link(...here) }, "The timeline"), " shows why."),
    quarantineList(archive),
    facts([
      ["Captured", time(archive.capturedAt, "exact")], ["Received", time(archive.receivedAt, "exact")],
      ["Device", deviceLink(archive.device, here.slice(0, 4), { idiom: archive.context?.idiom })],
      ["Context", contextText(archive.context)], ["Revision", number(archive.revision)],
      ["Size", bytes(archive.size)], ["Objects", number(archive.objectCount)], ["References", number(archive.referenceCount)],
      ["Id", identifier(archive.id, { label: "archive id" })],
      ["SHA-256", identifier(archive.digest, { shown: `${plain(archive.digest, 16)}`, label: "SHA-256" })],
    ]),
    actions(archive, isRedacted, params, here, devices),
  ];
}

/** Why contents are hidden. docs/policy.md of the project has the rule. */
const hiddenText = "Only operators and owners see contents, and only if the app's setting showsContents is turned on.";

function actions(archive, isRedacted, params, here, devices) {
  const [download, head, remove] = ["Download", "Make it the head", "Delete…"].map((text, index) =>
    h(`button.${index === 2 ? "danger" : "secondary"}`, { type: "button", disabled: !may("operator") }, text));
  download.disabled ||= isRedacted;
  head.disabled ||= archive.isHead;
  download.addEventListener("click", () => act(download, () => save(archive, params)));
  head.addEventListener("click", () => act(head, () => makeHead(archive, params, here, devices)));
  remove.addEventListener("click", () => act(remove, () => deleteArchive(archive, params, here, devices)));
  return [
    h("div.buttons.start", null, download, head, remove),
    may("operator") ? null : h("p.quiet", null, "Downloading and changing need the role operator."),
    isRedacted ? h("p.quiet", null, hiddenText) : null,
  ];
}

async function save(archive, params) {
  const { data } = await send("GET", `${archivePath(params)}/content`, { as: "blob" });
  const source = URL.createObjectURL(data);
  const anchor = h("a", { href: source, download: `${params.scene}-${shortID(archive.id)}.plist` });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(source), 10_000);
  notify("The archive is downloaded. The audit log has an entry about it.");
}

/** Names an archive before an act on it. */
const named = (archive, params, devices) => facts([
  ["Archive", h("code", null, archive.id)], ["Scene", name(params.scene)],
  ["Place", placeTrail(archive.place)], ["Captured", [time(archive.capturedAt, "full"), " on ", deviceText(devices.get(archive.device), archive.device)]],
  ["Size", bytes(archive.size)],
]);

async function makeHead(archive, params, here, devices) {
  const list = quarantineList(archive);
  const isSure = await confirm({
    title: "Make this archive the head?",
    action: "Make it the head",
    isDangerous: Boolean(list),
    content: [
      h("p", null, "A copy of this archive becomes the newest of its scene. Devices that ask get the copy, if they may restore it. Nothing is deleted."),
      list ? h("div.callout.bad", null, h("p", null, h("b", null, "Restores of this state have failed. "),
        "The copy is not quarantined: devices of these idioms and versions get the state again, and may fail again."), list) : null,
      named(archive, params, devices),
    ],
  });
  if (!isSure) return;
  await send("POST", `${archivePath(params)}/head`);
  notify("A copy of the archive is the head now.");
  go(link(...here));
}

async function deleteArchive(archive, params, here, devices) {
  const reports = Object.values(archive.outcomes ?? {}).reduce((sum, count) => sum + count, 0);
  const parts = ["state", "place", archive.hasScreenshot && "screenshot", reports && counted(reports, "outcome")].filter(Boolean);
  const isSure = await confirm({
    title: "Delete this archive?",
    action: `Delete ${shortID(archive.id)}`,
    isDangerous: true,
    content: [
      h("p", null, `The archive is deleted with its ${new Intl.ListFormat("en-GB").format(parts)}. `,
        archive.isHead ? "It is the head: the archive before it becomes the head." : "The head stays.",
        " This can be undone for 30 days."),
      named(archive, params, devices),
    ],
  });
  if (!isSure) return;
  const { data } = await send("DELETE", archivePath(params));
  const undo = async () => (await loaded(() => import("./deleted.js"))).undelete(params);
  notify(`The archive ${shortID(archive.id)} is deleted.`, "good", data?.undoableUntil ? undo : null);
  go(link(...here));
}

function compare(items, archive, here) {
  const others = items.filter(({ id }) => id !== archive);
  if (!others.length) return empty("There is no other archive to compare with");
  const index = items.findIndex(({ id }) => id === archive);
  const before = items[index + 1]?.id ?? others[0].id;
  const select = h("select", { id: "other" }, others.map((other) => h("option", { value: other.id, selected: other.id === before },
    `${absolute(other.capturedAt, preference("zone"))} · ${plain((other.place ?? []).at(-1) ?? "no place", 30)}${other.isHead ? " · head" : ""}`)));
  return h("form.inline", {
    on: {
      submit: (event) => {
        event.preventDefault();
        go(link(...here, "archives", archive, "diff", { with: select.value }));
      },
    },
  }, h("label", { for: "other" }, "With the archive captured"), select, h("button.secondary", { type: "submit" }, "Show the differences"));
}

function references(items, person, device) {
  if (!items.length) return empty("This archive refers to no item");
  return table({
    caption: "References",
    columns: [{ title: "#", isNumber: true }, { title: "Data source" }, { title: "Identifier", isHead: true }, { title: "Role" }, { title: "Aliases" }],
    rows: items.map((reference) => [
      number(reference.index),
      name(reference.dataSource, { href: link(...person, "data-sources", reference.dataSource) }),
      reference.identifier === undefined ? h("span.quiet", null, "none") : name(reference.identifier, {
        limit: 48, label: "identifier", href: link(...person, "data-sources", reference.dataSource, "items", reference.identifier, { device }) }),
      h("bdi", null, plain(reference.role, 20)), aliasList(reference.aliases),
    ]),
  });
}

function outcomes(items, person) {
  if (!items.length) return empty("No device has reported about this archive");
  const kinds = { restored: "good", failed: "bad", crashed: "bad", abandoned: "poor" };
  return h("ul.lines.outcomes", null, items.map((outcome) => h("li", null,
    badge(plain(outcome.result), lookUp(kinds, outcome.result)), " ",
    deviceLink(outcome.device, person, { idiom: outcome.context?.idiom }), ` as ${contextText(outcome.context)} `,
    outcome.path ? ["at ", name(outcome.path, { limit: 48, label: "path" }), " "] : null,
    outcome.step !== undefined ? `step ${outcome.step} ` : null,
    outcome.duration !== undefined ? `${Math.round(outcome.duration * 1000)} ms ` : null,
    h("span.quiet", null, time(outcome.reportedAt, "relative")))));
}

function screenshot({ archive, isRedacted }, params, signal) {
  if (archive.hasScreenshot && isRedacted) return empty("The screenshot is hidden", h("p", null, hiddenText));
  if (!archive.hasScreenshot) return empty("This archive has no screenshot", h("p", null, "Screenshots are stored only if the app's settings allow them."));
  const place = h("div");
  const button = h("button.secondary", { type: "button" }, "Show the screenshot");
  button.addEventListener("click", () => act(button, async () => {
    const image = await get(`${archivePath(params)}/screenshot`, signal, "blob");
    const source = URL.createObjectURL(image);
    signal.addEventListener("abort", () => URL.revokeObjectURL(source), { once: true });
    place.replaceChildren(h("img.screenshot", { src: source, alt: "The screen when the state was captured" }));
  }));
  place.append(h("p.quiet", null, "It shows the user's data. The audit log gets an entry when you look at it."), button);
  return place;
}

// # Contents
// The contents of an archive as a tree, with the sections that `placekeeper inspect` prints.

const mostChildren = 200;
/** The maximum number of parts that are made together, so that the page still responds with a large archive. */
const mostParts = 10_000;

/** Shows an inspection. `person` is the start of the user's addresses. */
function inspection(data, person) {
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

// # Sizes
// The bytes of an archive by key, as bars.

/** The number of shown keys, and the number of keys that the service lists at most. */
const [shownCount, listedCount] = [12, 100];

function sizes(items, size) {
  const sorted = [...items].sort((first, second) => second.bytes - first.bytes);
  if (!sorted.length) return empty("The sizes are not known");
  const most = Math.max(1, sorted[0].bytes);
  const [rest, sum] = [sorted.slice(shownCount), (list) => list.reduce((total, item) => total + item.bytes, 0)];
  return [
    h("ul.bars", null, sorted.slice(0, shownCount).map((item) => h("li", null,
      h("span.bar-name", null, name(item.key, { limit: 48, label: "key" })), h("span.number", null, bytes(item.bytes)),
      setStyle(h("span.bar", { "aria-hidden": "true" }), "--share", item.bytes / most)))),
    rest.length ? h("p.quiet", null, `${rest.length} smaller keys have ${bytes(sum(rest))}.`) : null,
    h("p.quiet.hint", null, `These values have about ${bytes(sum(sorted))}, and the archive has ${bytes(size)}: `,
      sum(sorted) > size ? "a value that several keys share is stored once, and counts for each key here."
        : `the rest is ${sorted.length < listedCount ? "" : `the values after the largest ${listedCount}, `}the keys, the paths and classes of the objects, and the tables of the file.`),
  ];
}
