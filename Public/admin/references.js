// The references of an archive, with the item that each one means on the requesting device, and the evidence.

import { link } from "./addresses.js";
import { deviceLabel } from "./devices.js";
import { h, lookUp } from "./dom.js";
import { badge, facts } from "./facts.js";
import { counted, percent } from "./formats.js";
import { aliasList } from "./identity.js";
import { name } from "./names.js";
import { empty } from "./panels.js";
import { plain } from "./texts.js";

/** What a reference leads to if it leads to no item. */
const nothings = { pending: "Not on this device yet", unresolved: "No such item" };

const resolutionSteps = {
  exact: "the identifier is the same on the device", alias: "evidence or a decision connects the items",
  alignment: "the items near it in both lists tell which item it is",
  indistinguishable: "it is one of several items beside each other that nothing distinguishes",
  pending: "other devices have the item", neighbor: "the item was removed, and its nearest neighbor takes its place",
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
  const kind = identifier === undefined ? (step === "pending" ? "poor" : "bad") : step === "neighbor" || reference.ambiguous ? "poor" : "good";
  const words = lookUp(resolutionSteps, step);
  return h("p.resolution", null,
    identifier === undefined ? badge(lookUp(nothings, step) ?? "Nothing", kind)
      : ["→ ", h("b", null, name(identifier, { limit: 48, label: "identifier" })), " ", badge(confidence === 1 ? "certain" : `${percent(confidence)} sure`, kind)], " ",
    reference.decided ? [badge("decided", "accent"), " "] : null, reference.reused ? [badge("identifier reused", "poor"), " "] : null,
    reference.ambiguous ? [badge("several match", "poor"), " "] : null,
    h("span.quiet", null, words ?? plain(step)),
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
