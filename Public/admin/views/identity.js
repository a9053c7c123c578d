// Identity: the data sources of a user, registered items, and decisions.

import { get, path, query, send } from "../api.js";
import { deviceText } from "../devices.js";
import { draft, dropDraft, keepDraft } from "../drafts.js";
import { h } from "../dom.js";
import { number } from "../format.js";
import { filter, link } from "../router.js";
import { may } from "../session.js";
import { name, plain } from "../text.js";
import { confirm } from "../components/dialog.js";
import { choiceField, form, textArea, textField } from "../components/form.js";
import { badge, pager, table } from "../components/list.js";
import { act, notify } from "../components/notice.js";
import { empty, panel, shared } from "../components/panel.js";
import { time } from "../components/time.js";
import { aliasList, itemLink } from "../references.js";
import { crumbs, userPath } from "./user.js";

/** The path of a user's data source in the API. */
export const dataSourcePath = (params) => userPath(params) + path`/data-sources/${params.name}`;

const total = (source) => (source.registrations ?? []).reduce((sum, { count }) => sum + (count ?? 0), 0);

export function dataSourceTable(items, here) {
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
      label: "Data sources", signal, load: (signal) => get(`${userPath(params)}/data-sources`, signal),
      show: ({ items }) => dataSourceTable(items, ["/apps", params.app, "users", params.user]),
    }),
  };
}

export function dataSourceView(visit) {
  const { params, signal } = visit;
  const { app, user } = params;
  const here = ["/apps", app, "users", user];
  const loadUser = shared((signal) => get(userPath(params), signal));
  const loadSources = shared((signal) => get(`${userPath(params)}/data-sources`, signal));
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
      decisionPanel(visit, here, loadUser)),
  };
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

export function decisionPanel(visit, here, loadUser, start = {}) {
  const { params, signal } = visit;
  const load = async (signal) => {
    const [person, page] = await Promise.all([loadUser(signal), get(`${dataSourcePath(params)}/decisions`, signal)]);
    return { person, page };
  };
  const element = panel({
    title: "Decisions", signal, load, name: "decisions",
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
      content: h("p", null, one.kind === "split" ? "Different: " : "The same: ", name(one.first.identifier), " and ", name(one.second.identifier),
        ". Afterwards the evidence of the aliases counts again."),
    });
    if (!isSure) return;
    await send("DELETE", `${dataSourcePath(params)}/decisions`, { body: { first: one.first, second: one.second } });
    notify("The decision is taken back.");
    done();
  }));
  return h("li", null, badge(one.kind === "split" ? "different" : "the same", one.kind === "split" ? "poor" : "good"), " ",
    itemLink(withDevice(one.first), params.name, here), " and ", itemLink(withDevice(one.second), params.name, here),
    one.note ? h("p", null, name(one.note, { limit: 120, label: "note" })) : null,
    h("p.quiet", null, one.decidedAt ? time(one.decidedAt) : null, " ", may("operator") ? button : null));
}

const draftName = ({ app, user, name }) => `decision ${app} ${user} ${name}`;

function decide(person, params, start, done) {
  const kept = draft(draftName(params)) ?? start;
  const devices = (person.devices ?? []).map((device) => [device.id, deviceText(device)]);
  const fields = {
    kind: choiceField({ id: "kind", label: "The two items are", value: kept.kind ?? "merge", options: [["merge", "the same"], ["split", "different"]] }),
    firstDevice: choiceField({ id: "first-device", label: "First device", value: kept.firstDevice, options: devices }),
    first: textField({ id: "first", label: "Its identifier", required: true, value: kept.first ?? "" }),
    secondDevice: choiceField({ id: "second-device", label: "Second device", value: kept.secondDevice ?? devices[1]?.[0], options: devices }),
    second: textField({ id: "second", label: "Its identifier", required: true, value: kept.second ?? "" }),
    note: textArea({ id: "note", label: "Reason", required: true, value: kept.note ?? "", help: "At most 512 bytes.", maxlength: 512 }),
  };
  const values = () => Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, field.value]));
  const element = form({
    fields: h("div.form.grid", null, Object.values(fields).map((field) => field.element)),
    action: "Decide",
    async submit() {
      const all = values();
      await send("POST", `${dataSourcePath(params)}/decisions`, { body: {
        kind: all.kind, note: all.note, first: { device: all.firstDevice, identifier: all.first }, second: { device: all.secondDevice, identifier: all.second } } });
      dropDraft(draftName(params));
      notify("The decision counts from now on.");
      done();
    },
  });
  element.addEventListener("input", () => keepDraft(draftName(params), values()));
  return element;
}
