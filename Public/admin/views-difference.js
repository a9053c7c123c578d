// The view of the differences between two archives.

import { badge, counted, empty, h, link, name, panel, query, redactedText, shortID } from "./elements.js";
import { archivePath, crumbs, get } from "./app.js";

// # Differences
// The differences between two archives.

const kinds = { added: ["added", "good"], removed: ["removed", "bad"], changed: ["changed", "accent"] };

export function differenceView(visit) {
  const { params, signal } = visit;
  const { app, user, scene, archive } = params;
  const other = visit.query.get("with") ?? "";
  const here = ["/apps", app, "users", user, "scenes", scene, "archives"];
  return {
    title: "Differences",
    crumbs: [...crumbs(params, { isInside: true }), [`Archive ${shortID(archive)}`, link(...here, archive)]],
    lead: h("p", null, "From the archive ", h("a", { href: link(...here, archive) }, h("code", null, shortID(archive))), " to ",
      h("a", { href: link(...here, other) }, h("code", null, shortID(other))), ". ",
      h("a", { href: link(...here, other, "diff", { with: archive }) }, "Swap")),
    content: panel({
      label: "Differences", signal, name: "difference",
      load: (signal) => get(archivePath(params) + "/diff" + query({ with: other }), signal),
      show: ({ changes = [], isRedacted }) => changes.length ? [
        h("p.quiet", null, counted(changes.length, "difference"), isRedacted ? ". Values are hidden." : ""),
        h("ul.changes", null, changes.slice(0, 1_000).map(change)),
        changes.length > 1_000 ? h("p.quiet", null, `${counted(changes.length - 1_000, "more difference")} not shown.`) : null,
      ] : empty("The contents are equal", h("p", null, isRedacted ? "No key and no type differs." : "No key and no value differs.")),
    }),
  };
}

function change({ kind, path, before, after }) {
  return h(`li.change.${kind in kinds ? kind : "changed"}`, null,
    h("div.entry-head", null, badge(...(kinds[kind] ?? [String(kind)])), name(path, { limit: 120, label: "path" })),
    before === undefined ? null : h("p.before", null, h("span.unseen", null, "before: "), shown(before)),
    after === undefined ? null : h("p.after", null, h("span.unseen", null, "after: "), shown(after)));
}

const valueText = (value) => typeof value === "string" ? value : value?.redacted ? redactedText(value) : value?.date ?? JSON.stringify(value);

const shown = (value) => name(valueText(value), { limit: 160, label: "value", empty: "(empty text)" });
