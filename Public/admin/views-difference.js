// The view of the differences between two archives.

import { link, query } from "./addresses.js";
import { get } from "./api.js";
import { deviceOf } from "./devices.js";
import { h, lookUp } from "./dom.js";
import { badge, facts } from "./facts.js";
import { counted, shortID } from "./formats.js";
import { redactedText } from "./identity.js";
import { name } from "./names.js";
import { empty, panel, shared } from "./panels.js";
import { placeTrail } from "./places.js";
import { plain } from "./texts.js";
import { time } from "./times.js";
import { archivePath, crumbs, deviceLink, scenePath, userLoader } from "./users.js";

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
  /** Reads both archives, the older one first. */
  const loadBoth = shared(async (signal) => {
    const both = await Promise.all([load(archive, signal), load(other, signal)]);
    return both.sort((first, second) => Date.parse(first.capturedAt) - Date.parse(second.capturedAt));
  });
  const side = (title, index, key) => panel({
    title, signal, name: key, load: loadBoth,
    show: (both) => archiveFacts(both[index], both[1 - index], person, link(...here, both[index].id)),
  });
  return {
    title: "Differences",
    crumbs: [...crumbs(params, { isInside: true }), [`Archive ${shortID(archive)}`, link(...here, archive)]],
    content: h("div.stack", null,
      h("div.pair", null, side("Older", 0, "older"), side("Newer", 1, "newer")),
      panel({
        title: "Changes", signal, name: "difference",
        load: async (signal) => {
          const [older, newer] = await loadBoth(signal);
          return get(archivePath({ ...params, archive: older.id }) + "/diff" + query({ with: newer.id }), signal);
        },
        show: ({ changes = [], isRedacted }) => changes.length ? [
          h("p.quiet", null, summary(changes), isRedacted ? " Values are hidden." : ""),
          h("ul.changes", null, changes.slice(0, 1_000).map(change)),
          changes.length > 1_000 ? h("p.quiet", null, `${counted(changes.length - 1_000, "more difference")} not shown.`) : null,
        ] : empty("The contents are equal", h("p", null, isRedacted ? "No key and no type differs." : "No key and no value differs.")),
      })),
  };
}

/** The values of a context, each with whether the other archive has another one. */
const contextFacts = (context = {}, other = {}) => [["Kind", "idiom"], ["Layout", "layout"], ["Version", "bundleVersion"], ["System", "systemVersion"], ["State version", "stateVersion"]]
  .filter(([, key]) => context[key] !== undefined || other[key] !== undefined)
  .map(([term, key]) => [term, [context[key] === undefined ? h("span.quiet", null, "not given") : key === "idiom" ? deviceOf(context[key]) : name(context[key], { limit: 20 }), context[key] === other[key] ? null : [" ", badge("differs", "accent")]]]);

const archiveFacts = (archive, other, person, href) => facts([
  ["Captured", h("a", { href }, time(archive.capturedAt, "full"))],
  ["Device", deviceLink(archive.device, person, { idiom: archive.context?.idiom })],
  ...contextFacts(archive.context, other.context),
  ["Place", placeTrail(archive.place, { isShort: true })], ["Id", h("code", null, shortID(archive.id))],
]);

/** Counts the changes by their kinds: `4 differences: 1 added, 1 removed, 2 changed.` */
function summary(changes) {
  const parts = Object.keys(kinds).map((kind) => [changes.filter((one) => one.kind === kind).length, kind]);
  return `${counted(changes.length, "difference")}: ${parts.filter(([count]) => count).map((part) => part.join(" ")).join(", ")}.`;
}

function change({ kind, path, before, after }) {
  return h("li.change", null,
    h("div.entry-head", null, badge(...(lookUp(kinds, kind) ?? [plain(kind)])), name(path, { limit: 120, label: "path" })),
    before === undefined ? null : h("p.before", null, h("span.quiet", null, "older "), shown(before)),
    after === undefined ? null : h("p.after", null, h("span.quiet", null, "newer "), shown(after)));
}

const valueText = (value) => typeof value === "string" ? value : value?.redacted ? redactedText(value) : value?.date ?? JSON.stringify(value);
const shown = (value) => name(valueText(value), { limit: 160, label: "value", empty: "(empty text)" });
