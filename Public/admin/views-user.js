// The views of a user: devices, scenes, data sources, and items.

import {
  act, aliasList, badge, bytes, choiceField, confirm, counted, deviceLabel, deviceText, empty, evidence, facts, form,
  h, identifier, itemLink, link, name, notify, number, pager, panel, path, placeTrail, plain, query, resolution, shared,
  shortID, table, textArea, textField, time,
} from "./elements.js";
import { accountBadge, crumbs, draft, dropDraft, filter, get, keepDraft, may, send, userPath } from "./app.js";

// # User
// A user: devices, scenes and data sources.

export function userView(visit) {
  const { signal, params } = visit;
  const { app, user } = params;
  const load = shared((signal) => get(userPath(params), signal));
  const here = ["/apps", app, "users", user];
  return {
    title: `User ${shortID(user)}`,
    crumbs: crumbs(params, { isUser: true }),
    content: h("div.stack", null,
      panel({ label: "User", signal, load, name: "user", show: (data) => userFacts(data) }),
      panel({
        title: "Scenes", signal, load, name: "scenes",
        show: ({ scenes }) => scenes?.length ? h("ul.scenes", null, scenes.map((scene) => sceneItem(scene, here)))
          : empty("No scene has an archive", h("p", null, "The user's devices have not uploaded a state yet.")),
      }),
      panel({
        title: "Devices", signal, load, name: "devices",
        show: ({ devices }) => devices?.length ? deviceTable(devices) : empty("This user has no device", h("p", null, "All devices were revoked, or moved to another user.")),
      }),
      panel({
        title: "Data sources", signal, name: "data-sources", note: "The lists whose items the devices have registered.",
        load: (signal) => get(`${userPath(params)}/data-sources?limit=100`, signal),
        show: ({ items }) => dataSourceTable(items, here),
      })),
  };
}

function userFacts(data) {
  return facts([
    ["Id", identifier(data.id, { label: "user id" })],
    ["Kind", accountBadge(data.signedIn)],
    ["Subject", data.subject === undefined ? (data.signedIn ? h("span.quiet", null, "hidden by the app's policy") : null)
      : name(data.subject, { label: "subject" })],
    ["Archives", number(data.archives)],
    ["Stored", bytes(data.bytes)],
    ["Last seen", data.lastSeenAt ? time(data.lastSeenAt) : null],
    ["Created", data.createdAt ? time(data.createdAt) : null],
  ]);
}

function sceneItem(scene, here) {
  const timeline = link(...here, "scenes", scene.name);
  return h("li.scene", null,
    h("div.scene-head", null,
      h("h3", null, name(scene.name, { href: timeline, label: "name of the scene" })),
      h("span.quiet", null, counted(scene.archives, "archive"))),
    scene.head ? h("div.scene-place", null, placeTrail(scene.head.place),
      h("p.quiet", null, "Head: captured ", time(scene.head.capturedAt, "relative"), " on ", scene.head.context?.idiom ?? "a device"))
      : h("p.quiet", null, scene.forgottenAt ? ["Forgotten ", time(scene.forgottenAt)] : "No archive is kept."),
    h("div.links", null,
      h("a.button.secondary.small", { href: timeline }, "Timeline"),
      h("a.button.secondary.small", { href: link(...here, "scenes", scene.name, "explain") }, "Explain")));
}

const deviceTable = (devices) => table({
  caption: "Devices",
  columns: [{ title: "Device", isHead: true }, { title: "Model" }, { title: "System" }, { title: "Last seen" }, { title: "Registered" }, { title: "Id" }],
  rows: devices.map((device) => [
    deviceLabel(device, device.id, { isWhole: true }),
    device.model ? name(device.model, { limit: 24 }) : h("span.quiet", null, "not given"),
    device.systemVersion ? name(device.systemVersion, { limit: 16 }) : h("span.quiet", null, "not given"),
    time(device.lastSeenAt, "relative"), time(device.createdAt, "relative"),
    identifier(device.id, { shown: shortID(device.id), label: "device id" }),
  ]),
});

// # Data sources and decisions
// Identity: the data sources of a user, registered items, and decisions.

/** The path of a user's data source in the API. */
const dataSourcePath = (params) => userPath(params) + path`/data-sources/${params.name}`;

const total = (source) => (source.registrations ?? []).reduce((sum, { count }) => sum + (count ?? 0), 0);

function dataSourceTable(items, here) {
  if (!items?.length) return empty("No data source", h("p", null, "The app has not registered items of a list. Lists whose identifiers are equal on all devices need none."));
  return table({
    caption: "Data sources",
    columns: [{ title: "Data source", isHead: true }, { title: "Scope" }, { title: "Devices", isNumber: true }, { title: "Items", isNumber: true }],
    rows: items.map((source) => [
      name(source.name, { href: link(...here, "data-sources", source.name), label: "name" }),
      source.scope ? badge(plain(source.scope)) : badge("not declared", "poor"), number((source.registrations ?? []).length), number(total(source)),
    ]),
  });
}

export function dataSourcesView(visit) {
  const { params, signal } = visit;
  return {
    title: "Data sources",
    crumbs: crumbs(params),
    content: panel({
      label: "Data sources", signal, load: (signal) => get(`${userPath(params)}/data-sources?limit=100`, signal),
      show: ({ items }) => dataSourceTable(items, ["/apps", params.app, "users", params.user]),
    }),
  };
}

export function dataSourceView(visit) {
  const { params, signal } = visit;
  const { app, user } = params;
  const here = ["/apps", app, "users", user];
  const loadUser = shared((signal) => get(userPath(params), signal));
  const loadSources = shared((signal) => get(`${userPath(params)}/data-sources?limit=100`, signal));
  const loadBoth = async (signal) => {
    const [person, sources] = await Promise.all([loadUser(signal), loadSources(signal)]);
    return { person, source: sources.items.find((one) => one.name === params.name) };
  };
  return {
    title: `Data source ${plain(params.name)}`,
    heading: ["Data source ", name(params.name)],
    crumbs: [...crumbs(params), ["Data sources", link(...here, "data-sources")]],
    content: h("div.stack", null,
      panel({ title: "Find an item", signal, load: loadBoth, name: "find-item", skeleton: "chart", show: (data) => findItem(data, visit, here) }),
      panel({
        title: "Items", signal, name: "items",
        load: async (signal) => {
          const both = await loadBoth(signal);
          const device = chosenDevice(visit, both);
          if (!device) return { ...both, page: { items: [] } };
          return { ...both, device, page: await get(`${dataSourcePath(params)}/items${query({ device, cursor: visit.query.get("cursor") })}`, signal) };
        },
        show: (data) => items(data, visit, here),
      }),
      foldedDecisions(visit, here, loadUser)),
  };
}

/** The decisions are loaded when the person opens them: a cold load of the view makes at most ten requests. */
function foldedDecisions(visit, here, loadUser) {
  const element = h("details.panel", null, h("summary", null, "Decisions"));
  element.addEventListener("toggle", () => element.append(decisionPanel(visit, here, loadUser, {}, { label: "Decisions", isBare: true })), { once: true });
  return element;
}

const chosenDevice = (visit, { source }) => visit.query.get("device") ?? source?.registrations?.[0]?.device ?? null;

function findItem({ person, source }, visit, here) {
  const devices = registered(person, source);
  const identifier = textField({ id: "item", label: "Identifier", required: true, placeholder: "p12" });
  const device = choiceField({ id: "item-device", label: "As named by", value: chosenDevice(visit, { source }) ?? "", options: devices });
  return h("form.form.grid", {
    on: {
      submit: (event) => {
        event.preventDefault();
        location.hash = link(...here, "data-sources", visit.params.name, "items", identifier.value, { device: device.value });
      },
    },
  }, identifier.element, device.element, h("div.buttons", null, h("button", { type: "submit" }, "Show the item")));
}

/** The devices that have registered items, as options. */
const registered = (person, source) => (source?.registrations ?? []).map(({ device, count }) => {
  const known = person.devices?.find(({ id }) => id === device);
  return [device, `${deviceText(known, device)} (${number(count)})`];
});

function items({ person, source, device, page }, visit, here) {
  if (!source?.registrations?.length) return empty("No device has registered items of this data source");
  const parts = [...here, "data-sources", visit.params.name];
  const select = h("select", { id: "items-of", on: { change: () => filter({ device: select.value, cursor: undefined }) } },
    registered(person, source).map(([value, text]) => h("option", { value, selected: value === device }, text)));
  return [
    h("div.controls", null, h("div.control", null, h("label", { for: "items-of" }, "Items of"), select)),
    page.items.length ? table({
      caption: "Items",
      columns: [{ title: "Identifier", isHead: true }, { title: "Aliases" }, { title: "Position", isNumber: true }],
      rows: page.items.map((item) => [
        name(item.identifier, { limit: 60, label: "identifier", href: link(...parts, "items", item.identifier, { device }) }),
        aliasList(item.aliases), item.position === undefined ? "–" : number(item.position),
      ]),
    }) : empty("This device has no items in this data source"),
    pager(visit, page.next, parts),
  ];
}

function decisionPanel(visit, here, loadUser, start = {}, heading = { title: "Decisions" }) {
  const { params, signal } = visit;
  const load = async (signal) => {
    const [person, page] = await Promise.all([loadUser(signal), get(`${dataSourcePath(params)}/decisions`, signal)]);
    return { person, page };
  };
  const element = panel({
    ...heading, signal, load, name: "decisions",
    note: "A decision says that two items are one or are different. It takes precedence over all aliases.",
    show: ({ person, page }) => [
      page.items.length ? h("ul.lines.decisions", null, page.items.map((one) => decision(one, person, params, here, () => element.reload())))
        : empty("Nothing is decided", h("p", null, "The evidence of the aliases counts alone.")),
      may("operator") ? h("details", { id: "decide", open: Boolean(draft(draftName(params))) },
        h("summary", null, "Decide about two items"), decide(person, params, start, () => element.reload())) : null,
    ],
  });
  return element;
}

function decision(one, person, params, here, done) {
  const withDevice = ({ device, identifier }) => ({ identifier, device: person.devices?.find(({ id }) => id === device) ?? { id: device } });
  const button = h("button.secondary.small", { type: "button" }, "Take back…");
  button.addEventListener("click", () => act(button, async () => {
    const isSure = await confirm({
      title: "Take this decision back?", action: "Take it back", isDangerous: true,
      content: h("p", null, one.kind === "different" ? "Different: " : "The same: ", name(one.first.identifier), " and ", name(one.second.identifier),
        ". Afterwards the evidence of the aliases counts again."),
    });
    if (!isSure) return;
    await send("DELETE", dataSourcePath(params) + "/decisions" + query({ first: itemText(one.first), second: itemText(one.second) }));
    notify("The decision is taken back.");
    done();
  }));
  return h("li", null, one.kind === "different" ? badge("different", "poor") : badge("the same", "good"), " ",
    itemLink(withDevice(one.first), params.name, here), " and ", itemLink(withDevice(one.second), params.name, here),
    one.note ? h("p", null, name(one.note, { limit: 120, label: "note" })) : null,
    h("p.quiet", null, one.decidedAt ? time(one.decidedAt) : null, " ", may("operator") ? button : null));
}

/** An item in a decision, as the API writes it. */
const itemText = ({ device, identifier }) => `${device}:${identifier}`;

const draftName = ({ app, user, name }) => `decision ${app} ${user} ${name}`;

function decide(person, params, start, done) {
  const kept = draft(draftName(params)) ?? start;
  const devices = (person.devices ?? []).map((device) => [device.id, deviceText(device)]);
  const fields = {
    kind: choiceField({ id: "kind", label: "The two items are", value: kept.kind ?? "same", options: [["same", "the same"], ["different", "different"]] }),
    firstDevice: choiceField({ id: "first-device", label: "First device", value: kept.firstDevice, options: devices }),
    first: textField({ id: "first", label: "Its identifier", required: true, value: kept.first ?? "" }),
    secondDevice: choiceField({ id: "second-device", label: "Second device", value: kept.secondDevice ?? devices[1]?.[0], options: devices }),
    second: textField({ id: "second", label: "Its identifier", required: true, value: kept.second ?? "" }),
    note: textArea({ id: "note", label: "Reason", value: kept.note ?? "", help: "At most 512 bytes.", maxlength: 512 }),
  };
  const values = () => Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, field.value]));
  const element = form({
    fields: h("div.form.grid", null, Object.values(fields).map((field) => field.element)),
    action: "Decide",
    async submit() {
      const all = values();
      await send("POST", `${dataSourcePath(params)}/decisions`, { body: {
        kind: all.kind, note: all.note, first: itemText({ device: all.firstDevice, identifier: all.first }),
        second: itemText({ device: all.secondDevice, identifier: all.second }),
      } });
      dropDraft(draftName(params));
      notify("The decision counts from now on.");
      done();
    },
  });
  element.addEventListener("input", () => keepDraft(draftName(params), values()));
  return element;
}

// # Item
// One item: what each device calls it, and the evidence.

export function itemView(visit) {
  const { params, signal } = visit;
  const { app, user, name: source, item } = params;
  const device = visit.query.get("device") ?? undefined;
  const asking = visit.query.get("for") ?? undefined;
  const here = ["/apps", app, "users", user];
  const loadUser = shared((signal) => get(userPath(params), signal));
  const load = shared(async (signal) => {
    const target = dataSourcePath(params) + path`/items/${item}` + query({ device, for: asking });
    const [person, found] = await Promise.all([loadUser(signal), get(target, signal)]);
    return { person, found };
  });
  return {
    title: `Item ${plain(item)}`,
    heading: ["Item ", name(item, { limit: 80, label: "identifier" })],
    crumbs: [...crumbs(params), ["Data sources", link(...here, "data-sources")], [name(source, { isPlain: true }), link(...here, "data-sources", source, { device })]],
    content: device ? h("div.stack", null,
      panel({ title: "What each device calls it", signal, load, name: "item", show: (data) => calls(data, params, here, { device, asking }) }),
      panel({ title: "Evidence", signal, load, name: "evidence", show: ({ found }) => evidence(found, source, here) }),
      decisionPanel(visit, here, loadUser, { firstDevice: device, first: item }))
      : empty("Which device names the item?", h("p", null, "Each device may have an item with this identifier."),
        h("a.button", { href: link(...here, "data-sources", source) }, "Choose the device")),
  };
}

function calls({ person, found }, params, here, { device, asking }) {
  const known = new Map((person.devices ?? []).map((one) => [one.id, one]));
  const own = { item: { device: known.get(device) ?? { id: device }, identifier: params.item } };
  const members = found.members.some(({ item }) => item.device.id === device && item.identifier === params.item)
    ? found.members : [own, ...found.members];
  const select = h("select", { id: "for", on: { change: () => filter({ for: select.value || undefined }) } },
    h("option", { value: "" }, "Choose a device…"), (person.devices ?? []).map((one) =>
      h("option", { value: one.id, selected: one.id === asking }, deviceText(one))));
  return [
    table({
      caption: "What each device calls the item",
      columns: [{ title: "Device", isHead: true }, { title: "Identifier" }],
      rows: members.map(({ item }) => [
        deviceLabel(known.get(item.device.id) ?? item.device, item.device.id),
        name(item.identifier, { limit: 60, label: "identifier", href: link(...here, "data-sources", params.name, "items", item.identifier, { device: item.device.id }) }),
      ]),
    }),
    h("div.controls", null, h("div.control", null, h("label", { for: "for" }, "If an archive refers to it, it restores on"), select)),
    asking ? resolution(found) : null,
  ];
}
