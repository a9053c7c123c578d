// The views of a user: devices, scenes, and data sources.

import { filter, link, query } from "./addresses.js";
import { answersPanel } from "./answers.js";
import { get } from "./api.js";
import { selectControl } from "./controls.js";
import { identifier } from "./copying.js";
import { foldedDecisions } from "./decisions.js";
import { revokeButton, userActs } from "./deletions.js";
import { deviceLabel, deviceText } from "./devices.js";
import { h } from "./dom.js";
import { badge, facts } from "./facts.js";
import { bytes, counted, number, shortID } from "./formats.js";
import { aliasList, identityNotes } from "./identity.js";
import { name } from "./names.js";
import { empty, folded, panel, shared } from "./panels.js";
import { placeTrail } from "./places.js";
import { pager, showMore, table } from "./tables.js";
import { plain } from "./texts.js";
import { time } from "./times.js";
import { accountText, crumbs, dataSourcePath, deviceLink, userLoader, userName, userPath } from "./users.js";

export function userView(visit) {
  const { signal, params } = visit;
  const { app, user } = params;
  const chosen = visit.query.get("device");
  const load = userLoader(params, visit.query.get("cursor"));
  const here = ["/apps", app, "users", user];
  return {
    title: `User ${shortID(user)}`,
    heading: userName(user),
    crumbs: crumbs(params, { isUser: true }),
    content: h("div.stack", null,
      panel({ label: "User", signal, load, name: "user", show: (data) => [userFacts(data), userActs(data, params)] }),
      panel({
        title: "Scenes", signal, load, name: "scenes",
        show: ({ scenes, next }) => scenes?.length
          ? [h("ul.scenes", null, scenes.map((scene) => sceneItem(scene, here))), pager(visit, next, here)]
          : empty("No scene has an archive", h("p", null, "The user's devices have not uploaded a state yet.")),
      }),
      panel({
        title: "Devices", signal, load, name: "devices",
        show: ({ devices }) => devices?.length ? deviceTable(devices, chosen, params, here) : empty("This user has no device", h("p", null, "All devices were revoked, or moved to another user.")),
      }),
      folded("Answers that devices got", async () => answersPanel(visit, await load(signal)), { isOpen: visit.query.has("answersOf") }),
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
    ["Kind", accountText(data.signedIn)],
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
      h("p.quiet", null, "Head: captured ", time(scene.head.capturedAt, "relative"), " on ",
        deviceLink(scene.head.device, here, { idiom: scene.head.context?.idiom }),
        scene.head.context?.bundleVersion ? [", version ", name(scene.head.context.bundleVersion, { limit: 16, isPlain: true })] : ", without a version"))
      : h("p.quiet", null, scene.forgottenAt ? ["Forgotten ", time(scene.forgottenAt)] : "No archive is kept."),
    h("div.links", null,
      h("a.button.secondary.small", { href: timeline }, "Timeline"),
      h("a.button.secondary.small", { href: link(...here, "scenes", scene.name, "explain") }, "Explain")));
}

/** The devices of the user. The table marks the device that the link names. */
function deviceTable(devices, chosen, params, here) {
  const element = devicesAsTable(devices, params, here);
  const row = element.tBodies[0].rows[devices.findIndex(({ id }) => id === chosen)];
  if (row) {
    row.classList.add("hit");
    row.ariaCurrent = "true";
    requestAnimationFrame(() => row.scrollIntoView({ block: "center" }));
  }
  return element;
}

const devicesAsTable = (devices, params, here) => table({
  caption: "Devices",
  columns: [{ title: "Device", isHead: true }, { title: "Model", isMinor: true }, { title: "System" }, { title: "Last seen" }, { title: "Registered", isMinor: true }, { title: "Id" }, { title: "Actions", isHidden: true }],
  rows: devices.map((device) => [
    deviceLabel(device, device.id, { isWhole: true }),
    device.model ? name(device.model, { limit: 24 }) : h("span.quiet", null, "not given"),
    device.systemVersion ? name(device.systemVersion, { limit: 16 }) : h("span.quiet", null, "not given"),
    time(device.lastSeenAt, "relative"), time(device.createdAt, "relative"),
    identifier(device.id, { shown: shortID(device.id), label: "device id" }),
    h("span.row-actions", null, h("a", { href: link(...here, { answersOf: device.id }) }, "Its answers", h("span.unseen", null, ` ${shortID(device.id)}`)),
      revokeButton(device, params, () => filter({ device: undefined, answersOf: undefined }))),
  ]),
});

// The data sources of a user, and the registered items.

const total = (source) => (source.registrations ?? []).reduce((sum, { count }) => sum + (count ?? 0), 0);

/** The declaration of a data source: its scope, and what the app promises or allows. */
const declaration = (source) => source.scope ? h("span", null, badge(plain(source.scope)),
  source.selectsNeighbors ? [" ", badge("selects neighbors")] : null,
  source.uniqueAliases?.length ? [" ", badge(`unique: ${source.uniqueAliases.map((kind) => plain(kind)).join(", ")}`)] : null,
  source.allowsRedirects ? [" ", badge("redirects")] : null)
  : badge("not declared", "poor");

function dataSourceTable(items, here) {
  if (!items?.length) return empty("No data source", h("p", null, "The app has not registered items of a list. Lists whose identifiers are equal on all devices need none."));
  return table({
    caption: "Data sources",
    columns: [{ title: "Data source", isHead: true }, { title: "Scope" }, { title: "Devices", isNumber: true }, { title: "Items", isNumber: true }],
    rows: items.map((source) => [
      name(source.name, { href: link(...here, "data-sources", source.name), label: "name" }),
      declaration(source), number((source.registrations ?? []).length), number(total(source)),
    ]),
  });
}

export function dataSourcesView(visit) {
  const { params, signal } = visit;
  return {
    title: "Data sources",
    crumbs: crumbs(params),
    content: panel({
      label: "Data sources", signal,
      load: async (signal) => (await Promise.all([get(`${userPath(params)}/data-sources?limit=100`, signal), userLoader(params)(signal)]))[0],
      show: ({ items }) => dataSourceTable(items, ["/apps", params.app, "users", params.user]),
    }),
  };
}

export function dataSourceView(visit) {
  const { params, signal } = visit;
  const { app, user } = params;
  const here = ["/apps", app, "users", user];
  const loadUser = userLoader(params);
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
          const device = both.source?.scope === "registered" ? chosenDevice(visit, both) : null;
          if (!device) return { ...both, page: { items: [] } };
          return { ...both, device, page: await get(`${dataSourcePath(params)}/items${query({ device, cursor: visit.query.get("cursor") })}`, signal) };
        },
        show: (data) => items(data, visit, here),
      }),
      ambiguousPanel(visit, loadUser, here),
      foldedDecisions(visit, loadUser)),
  };
}

/** The aliases that are no evidence, because two items of one device have them. They are loaded when the panel is opened. */
const ambiguousPanel = (visit, loadUser, here) => folded("Ambiguous aliases", async () => {
  const { signal, params } = visit;
  const load = (cursor) => get(`${dataSourcePath(params)}/ambiguous-aliases${query({ limit: 100, cursor })}`, signal);
  const shown = (items) => ambiguousTable(items, params, here);
  return panel({
    label: "Ambiguous aliases", isBare: true, signal, name: "ambiguous-aliases",
    note: "Two items of one device have such an alias. It is no evidence, on any device, until one of the two items loses it.",
    load: async (signal) => (await Promise.all([load(), loadUser(signal)]))[0],
    show: (page) => {
      if (!page.items.length) return empty("No alias is ambiguous");
      const element = shown(page.items);
      return [element, showMore(element.tBodies[0], page.next, load, (items) => shown(items).tBodies[0].rows)];
    },
  });
});

const ambiguousTable = (items, params, here) => table({
  caption: "Ambiguous aliases",
  columns: [{ title: "Alias", isHead: true }, { title: "Device" }, { title: "Two of its items" }],
  rows: items.map(({ alias, device, identifiers }) => [
    name(alias, { limit: 60, label: "alias" }), deviceLink(device, here),
    h("ul.lines", null, identifiers.map((identifier) => h("li", null, name(identifier, {
      limit: 48, label: "identifier", href: link(...here, "data-sources", params.name, "items", identifier, { device }) })))),
  ]),
});

const chosenDevice = (visit, { source }) => visit.query.get("device") ?? source?.registrations?.[0]?.device ?? null;

function findItem({ person, source }, visit, here) {
  const devices = registered(person, source);
  const identifier = h("input", { id: "item", required: true, placeholder: "p12", spellcheck: "false", autocapitalize: "off", autocomplete: "off" });
  const device = h("select", { id: "item-device" }, devices.map(([value, text]) =>
    h("option", { value, selected: value === chosenDevice(visit, { source }) }, text)));
  return h("form.form.grid", {
    on: {
      submit: (event) => {
        event.preventDefault();
        location.hash = link(...here, "data-sources", visit.params.name, "items", identifier.value, { device: device.value });
      },
    },
  },
  h("div.field", null, h("label", { for: "item" }, "Identifier"), identifier),
  h("div.field", null, h("label", { for: "item-device" }, "As named by"), device),
  h("div.buttons", null, h("button", { type: "submit" }, "Show the item")));
}

/** The devices that have registered items, as options. */
const registered = (person, source) => (source?.registrations ?? []).map(({ device, count }) => {
  const known = person.devices?.find(({ id }) => id === device);
  return [device, `${deviceText(known, device)} (${number(count)})`];
});

function items({ person, source, device, page }, visit, here) {
  if (!source?.registrations?.length) return empty("No device has registered items of this data source");
  if (!device) return empty(source.scope ? "This data source has no items" : "The app does not declare this data source",
    h("p", null, `The items that devices registered are kept. They return when the data source is declared as registered: placekeeper app data-sources APP --declare ${plain(source.name)}=registered`));
  const parts = [...here, "data-sources", visit.params.name];
  return [
    h("div.controls", null, selectControl("items-of", "Items of", registered(person, source), device, (value) => filter({ device: value, cursor: undefined }))),
    page.items.length ? table({
      caption: "Items",
      columns: [{ title: "Identifier", isHead: true }, { title: "Aliases" }, { title: "Position", isNumber: true }],
      rows: page.items.map((item) => [
        name(item.identifier, { limit: 60, label: "identifier", href: link(...parts, "items", item.identifier, { device }) }),
        h("div", null, aliasList(item.aliases), identityNotes(item, device, parts)), item.position === undefined ? "–" : number(item.position),
      ]),
    }) : empty("This device has no items in this data source"),
    pager(visit, page.next, parts),
  ];
}
