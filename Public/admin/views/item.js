// One item: what each device calls it, and why they are one.

import { get, path, query } from "../api.js";
import { deviceLabel } from "../devices.js";
import { h } from "../dom.js";
import { number, percent } from "../format.js";
import { link } from "../router.js";
import { name, plain } from "../text.js";
import { badge, facts, table } from "../components/list.js";
import { empty, panel, shared } from "../components/panel.js";
import { aliasList, evidence } from "../references.js";
import { dataSourcePath, decisionPanel } from "./identity.js";
import { crumbs, userPath } from "./user.js";

export function itemView(visit) {
  const { params, signal } = visit;
  const { app, user, name: source, item } = params;
  const device = visit.query.get("device") ?? undefined;
  const here = ["/apps", app, "users", user];
  const loadUser = shared((signal) => get(userPath(params), signal));
  const load = shared(async (signal) => {
    const [person, found] = await Promise.all([
      loadUser(signal), get(dataSourcePath(params) + path`/items/${item}` + query({ device }), signal),
    ]);
    return { person, found };
  });
  return {
    title: `Item ${plain(item)}`,
    heading: ["Item ", name(item, { limit: 80, label: "identifier" })],
    crumbs: [...crumbs(params), ["Data sources", link(...here, "data-sources")], [name(source, { isPlain: true }), link(...here, "data-sources", source, { device })]],
    content: h("div.stack", null,
      panel({ title: "What each device calls it", signal, load, name: "item", show: (data) => calls(data, params, here, device) }),
      panel({ title: "Why they are one", signal, load, name: "evidence", show: ({ found }) => why(found, source, here) }),
      decisionPanel(visit, here, loadUser, { firstDevice: device, first: item })),
  };
}

function calls({ person, found }, params, here, device) {
  const known = new Map((person.devices ?? []).map((one) => [one.id, one]));
  const own = found.item ?? { identifier: params.item, aliases: found.aliases };
  const rows = found.devices?.length ? found.devices : (found.members ?? []).map(({ item }) => ({ device: item.device?.id ?? item.device, identifier: item.identifier, step: "alias" }));
  return [
    facts([
      ["Identifier", name(own.identifier ?? params.item, { limit: 120, label: "identifier" })],
      ["Named by", device ? deviceLabel(known.get(device), device, { isWhole: true }) : "any device"],
      ["Aliases", aliasList(own.aliases ?? found.aliases)],
      ["Position", own.position === undefined ? null : number(own.position)],
    ]),
    rows.length ? table({
      caption: "What each device calls the item",
      columns: [{ title: "Device", isHead: true }, { title: "Identifier" }, { title: "How it was found" }],
      rows: rows.map((row) => [
        deviceLabel(known.get(row.device), row.device),
        row.identifier === undefined ? h("span.quiet", null, "has no such item")
          : name(row.identifier, { limit: 60, label: "identifier", href: link(...here, "data-sources", params.name, "items", row.identifier, { device: row.device }) }),
        row.step ? badge(`${plain(row.step)}${Number.isFinite(row.confidence) ? `, ${percent(row.confidence)}` : ""}`,
          row.identifier === undefined ? "bad" : row.step === "neighbour" || row.ambiguous ? "poor" : "good") : "–",
      ]),
    }) : empty("No device has registered this item", h("p", null, "Either the identifier is wrong, or the device removed the item.")),
  ];
}

function why(found, source, here) {
  const hasEvidence = ["members", "gone", "setAside", "contradictions"].some((key) => found[key]?.length) || found.overgrown;
  return hasEvidence ? evidence(found, source, here) : empty("No evidence connects this item with another", h("p", null, "No other item shares an alias with it, and nothing is decided about it."));
}
