// The view of the differences between two archives.

import {
  badge, counted, empty, facts, h, link, lookUp, name, panel, placeTrail, plain, query, redactedText, shared, shortID,
  time,
} from "./elements.js";
import { archivePath, crumbs, deviceLink, get, scenePath, userLoader } from "./app.js";

// # Differences
// The differences between two archives.

/** For each kind of a change: its word with a mark, and the color. */
const kinds = { added: ["+ added", "good"], removed: ["− removed", "bad"], changed: ["± changed", "accent"] };

export function differenceView(visit) {
  const { params, signal } = visit;
  const { app, user, scene, archive } = params;
  const other = visit.query.get("with") ?? "";
  const person = ["/apps", app, "users", user];
  const here = [...person, "scenes", scene, "archives"];
  const loadUser = userLoader(params);
  const loadNewest = shared((signal) => get(`${scenePath(params)}/archives?limit=100`, signal));

  /** Reads the facts about an archive: from the scene's newest archives, or else by itself. */
  async function load(id, signal) {
    const [{ items }] = await Promise.all([loadNewest(signal), loadUser(signal)]);
    return items.find((one) => one.id === id) ?? (await get(archivePath({ ...params, archive: id }), signal)).archive;
  }
  const side = (title, id) => panel({
    title: [title, " ", h("code", null, shortID(id))], signal, name: title.toLowerCase(),
    load: (signal) => load(id, signal), show: (found) => archiveFacts(found, person, link(...here, id)),
  });
  return {
    title: "Differences",
    crumbs: [...crumbs(params, { isInside: true }), [`Archive ${shortID(archive)}`, link(...here, archive)]],
    actions: h("a.button.secondary.small", { href: link(...here, other, "diff", { with: archive }) }, "Swap"),
    content: h("div.stack", null,
      h("div.pair", null, side("Before", archive), side("After", other)),
      panel({
        title: "Changes", signal, name: "difference",
        load: (signal) => get(archivePath(params) + "/diff" + query({ with: other }), signal),
        show: ({ changes = [], isRedacted }) => changes.length ? [
          h("p.quiet", null, summary(changes), isRedacted ? " Values are hidden." : ""),
          h("ul.changes", null, changes.slice(0, 1_000).map(change)),
          changes.length > 1_000 ? h("p.quiet", null, `${counted(changes.length - 1_000, "more difference")} not shown.`) : null,
        ] : empty("The contents are equal", h("p", null, isRedacted ? "No key and no type differs." : "No key and no value differs.")),
      })),
  };
}

const archiveFacts = (archive, person, href) => facts([
  ["Captured", h("a", { href }, time(archive.capturedAt, "full"))],
  ["Device", deviceLink(archive.device, person, { idiom: archive.context?.idiom })],
  ["Idiom", archive.context?.idiom],
  ["Version", archive.context?.bundleVersion === undefined ? h("span.quiet", null, "not given") : name(archive.context.bundleVersion, { limit: 20 })],
  ["Place", placeTrail(archive.place, { isShort: true })],
]);

/** Counts the changes by their kinds: `4 differences: 1 added, 1 removed, 2 changed.` */
function summary(changes) {
  const parts = Object.keys(kinds).map((kind) => [changes.filter((one) => one.kind === kind).length, kind]);
  return `${counted(changes.length, "difference")}: ${parts.filter(([count]) => count).map((part) => part.join(" ")).join(", ")}.`;
}

function change({ kind, path, before, after }) {
  return h("li.change", null,
    h("div.entry-head", null, badge(...(lookUp(kinds, kind) ?? [plain(kind)])), name(path, { limit: 120, label: "path" })),
    before === undefined ? null : h("p.before", null, h("span.quiet", null, "before "), shown(before)),
    after === undefined ? null : h("p.after", null, h("span.quiet", null, "after "), shown(after)));
}

const valueText = (value) => typeof value === "string" ? value : value?.redacted ? redactedText(value) : value?.date ?? JSON.stringify(value);

const shown = (value) => name(valueText(value), { limit: 160, label: "value", empty: "(empty text)" });
