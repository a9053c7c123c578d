// The references of an archive, with the item that each one means on the requesting device, and the evidence.

import { h } from "./dom.js";
import { counted, percent } from "./format.js";
import { link } from "./router.js";
import { name, plain } from "./text.js";
import { deviceLabel } from "./devices.js";
import { badge, facts } from "./components/list.js";
import { empty } from "./components/panel.js";

const steps = {
  exact: "the identifier is the same on the device", alias: "evidence or a decision connects the items",
  pending: "other devices have the item, and this device does not have it yet", neighbour: "the item was removed, and its nearest neighbor takes its place",
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

/** Lists aliases. */
export const aliasList = (aliases) => aliases?.length
  ? h("span.aliases", null, aliases.slice(0, 12).map((alias) => h("code.alias", null, name(alias, { limit: 40, label: "alias" }))),
    aliases.length > 12 ? h("span.quiet", null, ` and ${aliases.length - 12} more`) : null)
  : h("span.quiet", null, "none");

export function referenceList(explanation, here) {
  const references = explanation.references ?? [];
  if (!references.length) return empty("The served archive refers to no item");
  const missing = (explanation.referenceCount ?? references.length) - references.length;
  return [
    h("ol.references", null, references.map((reference) => referenceItem(reference, here))),
    missing > 0 ? h("p.quiet", null, `${counted(missing, "more reference")} not shown.`) : null,
  ];
}

function referenceItem(reference, here) {
  const { step, identifier, dataSource } = reference;
  const kind = identifier === undefined ? "bad" : ["neighbour", "pending"].includes(step) || reference.ambiguous ? "poor" : "good";
  const confidence = Number.isFinite(reference.confidence) ? percent(reference.confidence) : null;
  return h("li.reference", null,
    h("div.entry-head", null,
      h("b", null, name(dataSource)), badge(plain(reference.role)),
      badge(`${plain(step ?? "unchanged")}${confidence ? `, confidence ${confidence}` : ""}`, kind),
      reference.decided ? badge("decided", "accent") : null, reference.reused ? badge("identifier reused", "poor") : null,
      reference.ambiguous ? badge("several match", "poor") : null),
    h("p", null,
      reference.source === undefined ? h("span.quiet", null, "no identifier") : name(reference.source, {
        limit: 48, label: "identifier", href: link(...here, "data-sources", dataSource, "items", reference.source) }),
      " → ", identifier === undefined ? h("b", null, "nothing") : h("b", null, name(identifier, { limit: 48, label: "identifier" })),
      steps[step] ? h("span.quiet", null, `: ${steps[step]}`) : null),
    h("details", null, h("summary", null, "Evidence"), evidence(reference, dataSource, here)));
}

/** The evidence about a reference or an item: what is the same, what is gone, and what contradicts. */
export function evidence(found, dataSource, here) {
  const items = (list, more) => list?.length ? h("ul.lines", null, list.map((entry) => h("li", null, itemLink(entry.item, dataSource, here), more(entry)))) : null;
  return facts.inOneColumn([
    ["Aliases", found.aliases ? aliasList(found.aliases) : null],
    ["Neighbour by", found.neighbourBy],
    ["Limited by", found.limitedBy ? `${found.limitedBy}: the archive refers to too many items` : null],
    ["The same item", items(found.members, (member) => [" by ", member.decision
      ? ["a decision: ", name(member.decision.note, { limit: 80, label: "note" })] : aliasList(member.sharedAliases)])],
    ["Gone", items(found.gone, (entry) => entry.replacement ? [", replaced by ", name(entry.replacement, { limit: 48, label: "identifier" })] : ", removed")],
    ["Ambiguous aliases", found.setAside?.length ? [aliasList(found.setAside), h("p.quiet", null, "Two items of one device have these aliases, so they are no evidence.")] : null],
    ["Contradictions", found.contradictions?.length ? h("ul.lines", null, found.contradictions.map((pair) => h("li", null,
      itemLink(pair.first, dataSource, here), " and ", itemLink(pair.second, dataSource, here),
      pair.note ? [": ", name(pair.note, { limit: 80, label: "note" })] : " belong to one device"))) : null],
    ["Overgrown", found.overgrown ? "Too many items are connected. Find the alias that many items have." : null],
  ]);
}
