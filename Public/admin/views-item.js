// The view of an item: its name on each device, and the evidence. The explanation of an answer shows references with it.

import { filter, link, path, query } from "./addresses.js";
import { get } from "./api.js";
import { selectControl } from "./controls.js";
import { foldedDecisions } from "./decisions.js";
import { deviceLabel, deviceOptions } from "./devices.js";
import { h } from "./dom.js";
import { identityNotes } from "./identity.js";
import { name } from "./names.js";
import { empty, panel, shared } from "./panels.js";
import { evidence, resolution } from "./references.js";
import { table } from "./tables.js";
import { plain } from "./texts.js";
import { crumbs, dataSourcePath, userLoader } from "./users.js";

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
  // The link may have the plain identifier although the service hides it, or the other way round.
  const identifier = found.source ?? params.item;
  const own = { item: { device: known.get(device) ?? { id: device }, identifier } };
  const members = found.members.some(({ item }) => item.device.id === device && item.identifier === identifier)
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
