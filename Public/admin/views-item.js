// The view of an item: its name on each device, and the evidence. The explanation of an answer shows references with it.

import {
  aliasList, badge, counted, deviceLabel, deviceOptions, empty, facts, h, identityNotes, link, lookUp, name, panel, path,
  percent, plain, query, selectControl, shared, table,
} from "./elements.js";
import { crumbs, dataSourcePath, filter, foldedDecisions, get, userLoader } from "./app.js";

// # Item
// One item: its name on each device, and the evidence.

export function itemView(visit) {
  const { params, signal } = visit;
  const { app, user, name: source, item } = params;
  const device = visit.query.get("device") ?? undefined;
  const asking = visit.query.get("for") ?? undefined;
  const here = ["/apps", app, "users", user];
  const loadUser = userLoader(params);
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
      foldedDecisions(visit, loadUser, { firstDevice: device, first: item }))
      : empty("Which device names the item?", h("p", null, "Each device may have an item with this identifier."),
        h("a.button", { href: link(...here, "data-sources", source) }, "Choose the device")),
  };
}

function calls({ person, found }, params, here, { device, asking }) {
  const known = new Map((person.devices ?? []).map((one) => [one.id, one]));
  const own = { item: { device: known.get(device) ?? { id: device }, identifier: params.item } };
  const members = found.members.some(({ item }) => item.device.id === device && item.identifier === params.item)
    ? found.members : [own, ...found.members];
  return [
    table({
      caption: "What each device calls the item",
      columns: [{ title: "Device", isHead: true }, { title: "Identifier" }],
      rows: members.map(({ item }) => [
        deviceLabel(known.get(item.device.id) ?? item.device, item.device.id),
        name(item.identifier, { limit: 60, label: "identifier", href: link(...here, "data-sources", params.name, "items", item.identifier, { device: item.device.id }) }),
      ]),
    }),
    h("div.controls", null, selectControl("for", "If an archive refers to it, it restores on", [["", "Choose a device…"], ...deviceOptions(person)], asking,
      (value) => filter({ for: value || undefined }))),
    identityNotes(found, device, [...here, "data-sources", params.name]),
    asking ? resolution(found) : null,
  ];
}

// # References
// The references of an archive, with the item that each one means on the requesting device, and the evidence.

const resolutionSteps = {
  exact: "the identifier is the same on the device", alias: "evidence or a decision connects the items",
  alignment: "the items near it in both lists tell which item it is",
  indistinguishable: "it is one of several items beside each other that nothing distinguishes",
  pending: "other devices have the item, and this device does not have it yet", neighbor: "the item was removed, and its nearest neighbor takes its place",
  indexPath: "the item was found by its index in a list that never changes", unresolved: "the item was removed, or no device has registered it",
};

/** Shows an item of a device, as a link to the page about it. */
export function itemLink(item, dataSource, here) {
  const { device } = item;
  const id = typeof device === "string" ? device : device?.id;
  return h("span.item-link", null,
    name(item.identifier, { limit: 48, label: "identifier", href: link(...here, "data-sources", dataSource, "items", item.identifier, { device: id }) }),
    h("span.quiet", null, " on "), deviceLabel(typeof device === "string" ? null : device, id),
    device?.asking ? badge("asks", "accent") : null, device?.source ? badge("captured it") : null);
}

/** Lists the references of a served archive. `sourceDevice` is the id of the device that captured it. */
export function referenceList(explanation, here, sourceDevice) {
  const references = explanation.references ?? [];
  if (!references.length) return empty("The served archive refers to no item");
  const missing = (explanation.referenceCount ?? references.length) - references.length;
  return [
    h("ol.references", null, references.map((reference) => referenceItem(reference, here, sourceDevice))),
    missing > 0 ? h("p.quiet", null, `${counted(missing, "more reference")} not shown.`) : null,
  ];
}

function referenceItem(reference, here, sourceDevice) {
  const { dataSource, role, source } = reference;
  return h("li.reference", null,
    h("div.entry-head", null, h("b", null, name(dataSource)), badge(plain(role))),
    h("p", null, source === undefined ? h("span.quiet", null, "no identifier") : name(source, {
      limit: 48, label: "identifier", href: link(...here, "data-sources", dataSource, "items", source, { device: sourceDevice }) })),
    resolution(reference),
    h("details", null, h("summary", null, "Evidence"), evidence(reference, dataSource, here)));
}

/** Says to which item a reference leads on the requesting device, and how the item was found. */
export function resolution(reference) {
  const { identifier, step, confidence, neighbor } = reference;
  const kind = identifier === undefined ? "bad" : ["neighbor", "pending"].includes(step) || reference.ambiguous ? "poor" : "good";
  return h("p.resolution", null, "→ ",
    h("b", null, identifier === undefined ? "nothing" : name(identifier, { limit: 48, label: "identifier" })), " ",
    badge(`${plain(step)}, confidence ${percent(confidence)}`, kind), " ",
    reference.decided ? [badge("decided", "accent"), " "] : null, reference.reused ? [badge("identifier reused", "poor"), " "] : null,
    reference.ambiguous ? [badge("several match", "poor"), " "] : null,
    lookUp(resolutionSteps, step) ? h("span.quiet", null, lookUp(resolutionSteps, step)) : null,
    neighbor === undefined ? null : [h("span.quiet", null, "; until it comes, the list shows "), name(neighbor, { limit: 48, label: "identifier" })]);
}

/** The evidence about a reference or an item: the same items, the removed items, and the contradictions. */
export function evidence(found, dataSource, here) {
  const items = (list, more) => list?.length ? h("ul.lines", null, list.map((entry) => h("li", null, itemLink(entry.item, dataSource, here), more(entry)))) : null;
  return facts.inOneColumn([
    ["Aliases", found.aliases ? aliasList(found.aliases) : null],
    ["Neighbor by", found.neighborBy],
    ["Limited by", lookUp({ neighbors: "the number of neighbors that are searched", size: "the size that an archive may grow by" }, found.limitedBy) ?? found.limitedBy],
    ["The same item", items(found.members, (member) => [" by ", member.decision
      ? ["a decision: ", name(member.decision.note, { limit: 80, label: "note" })] : aliasList(member.sharedAliases)])],
    ["Gone", items(found.gone, (entry) => entry.replacement ? [", replaced by ", name(entry.replacement, { limit: 48, label: "identifier" })] : ", removed. To send references to another item, decide that both are the same.")],
    ["Ambiguous aliases", found.ambiguousAliases?.length ? [aliasList(found.ambiguousAliases), h("p.quiet", null, "Two items of one device have these aliases, so the aliases are no evidence.")] : null],
    ["Contradictions", found.contradictions?.length ? h("ul.lines", null, found.contradictions.map((pair) => h("li", null,
      itemLink(pair.first, dataSource, here), " and ", itemLink(pair.second, dataSource, here),
      pair.note ? [": ", name(pair.note, { limit: 80, label: "note" })] : " belong to one device"))) : null],
    ["Truncated", found.truncated ? "Too many items are connected. Find the alias that many of them share." : null],
  ]);
}
