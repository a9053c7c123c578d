// A scene's timeline across the user's devices: what is the head, and why the others are not.

import { get, path, query } from "../api.js";
import { deviceLabel, deviceText } from "../devices.js";
import { h } from "../dom.js";
import { bytes, counted } from "../format.js";
import { filter, link } from "../router.js";
import { name, plain } from "../text.js";
import { badge, pager } from "../components/list.js";
import { empty, panel, shared } from "../components/panel.js";
import { placeTrail } from "../components/place.js";
import { time } from "../components/time.js";
import { kindOf, quarantineText, whyNotHead } from "../order.js";
import { drawing } from "../timeline-drawing.js";
import { reasonText } from "../reasons.js";
import { crumbs, userPath } from "./user.js";

/** The path of a scene in the API. */
export const scenePath = (params) => userPath(params) + path`/scenes/${params.scene}`;

const filters = {
  "": ["All archives", () => true],
  late: ["Late arrivals and glances", (entry, entries) => ["late", "glance"].includes(kindOf(entry, entries))],
  quarantined: ["Quarantined", (entry) => entry.quarantines?.length > 0],
  failed: ["With failures", (entry) => entry.outcomes?.failed > 0 || entry.outcomes?.crashed > 0],
};

export function timelineView(visit) {
  const { params, signal } = visit;
  const { app, user, scene } = params;
  const here = ["/apps", app, "users", user, "scenes", scene];
  const asking = visit.query.get("device");
  const loadUser = shared((signal) => get(userPath(params), signal));
  const cursor = visit.query.get("cursor");
  const load = async (signal) => {
    const [person, page, explanation] = await Promise.all([
      loadUser(signal), get(`${scenePath(params)}/archives${query({ cursor })}`, signal),
      asking ? get(`${scenePath(params)}/explanation${query({ device: asking })}`, signal) : null,
    ]);
    return { person, page, explanation };
  };
  return {
    title: `Scene ${plain(scene)}`,
    heading: ["Scene ", name(scene)],
    crumbs: crumbs(params),
    actions: h("a.button.secondary.small", { href: link(...here, "explain", asking ? { device: asking } : {}) }, "Explain"),
    content: h("div.stack", null,
      panel({ label: "Filters", isBare: true, signal, skeleton: "chart", load: loadUser, show: (person) => controls(visit, person) }),
      panel({ title: "Timeline", signal, load, name: "timeline", show: (data) => timeline(data, visit, here) })),
  };
}

function controls(visit, person) {
  const select = (id, label, key, options) => h("div.control", null, h("label", { for: id }, label),
    h("select", { id, on: { change: (event) => filter({ [key]: event.target.value || undefined }) } }, options.map(([value, text]) =>
      h("option", { value, selected: value === (visit.query.get(key) ?? "") }, text))));
  const devices = (person.devices ?? []).map((device) => [device.id, deviceText(device)]);
  return h("div.controls", null,
    select("asking", "As seen by", "device", [["", "No device"], ...devices]),
    select("source", "Captured on", "source", [["", "All devices"], ...devices]),
    select("only", "Show", "only", Object.entries(filters).map(([key, [text]]) => [key, text])));
}

function timeline({ person, page, explanation }, visit, here) {
  const entries = page.items ?? [];
  const devices = new Map((person.devices ?? []).map((device) => [device.id, device]));
  if (!entries.length) {
    return empty("This scene has no archive", h("p", null, "No device has uploaded a state of this scene, or all of them were deleted."));
  }
  const verdicts = explanation
    ? new Map((explanation.candidates ?? []).map((candidate) => [candidate.archive.id, candidate])) : null;
  const source = visit.query.get("source");
  const [, isShown] = filters[visit.query.get("only") ?? ""] ?? filters[""];
  const shown = entries.filter((entry) => (!source || entry.device === source) && isShown(entry, entries));
  const context = { entries, devices, verdicts, served: explanation?.served, here };
  const list = h("ol.timeline", { id: "timeline", on: { keydown: move } }, shown.map((entry) => row(entry, context)));
  return [
    drawing(entries, devices, { verdicts, select: (id) => document.getElementById(`archive-${id}`)?.focus() }),
    verdicts ? asSeenBy(explanation, devices, visit.query.get("device"), entries) : null,
    h("p.quiet.hint", null, "Newest interaction first. The arrow keys move between archives."),
    shown.length ? list : empty("No archive on this page fits the filters",
      h("a.button.secondary.small", { href: link(...here) }, "Show all archives")),
    pager(visit, page.next, here),
  ];
}

function asSeenBy(explanation, devices, id, entries) {
  const served = entries.find((entry) => entry.id === explanation.served);
  return h("div.callout", { role: "note" }, h("p", null,
    deviceLabel(devices.get(id), id), " asks: ",
    explanation.served ? ["it gets ", served ? ["the archive captured ", time(served.capturedAt, "full")] : "an archive of another page", "."]
      : "it gets nothing."));
}

function row(entry, { entries, devices, verdicts, served, here }) {
  const kind = kindOf(entry, entries);
  const href = link(...here, "archives", entry.id);
  const device = devices.get(entry.device);
  const quarantines = entry.quarantines ?? [];
  return h(`li.entry.${kind}`, null,
    h("span.node", { "aria-hidden": "true" }),
    h("div.entry-main", null,
      h("div.entry-head", null,
        h("a.entry-link", { href, id: `archive-${entry.id}` }, time(entry.capturedAt, "full")),
        deviceLabel(device, entry.device, { idiom: entry.context?.idiom }),
        badges(kind, quarantines, entry)),
      placeTrail(entry.place, { isShort: true }),
      h("p.why", null, whyNotHead(entry, entries, devices)),
      quarantines.length ? h("ul.why.bad", null, quarantines.map((one) => h("li", null, quarantineText(one)))) : null,
      verdicts ? verdict(verdicts.get(entry.id), served === entry.id) : null,
      h("p.entry-foot.quiet", null, versions(entry.context), bytes(entry.size), " · revision ", String(entry.revision), outcomes(entry.outcomes))));
}

const versions = (context) => context?.bundleVersion ? ["version ", name(context.bundleVersion, { limit: 16, isPlain: true }), " · "] : null;

function badges(kind, quarantines, entry) {
  const own = { head: ["Head", "good"], late: ["Late", "poor"], glance: ["Glance", "accent"] }[kind];
  return h("span.badges", null,
    own ? badge(...own) : null,
    quarantines.length ? badge("Quarantined", "bad") : null,
    entry.outcomes?.crashed ? badge(counted(entry.outcomes.crashed, "crash", "crashes"), "bad") : null);
}

function outcomes(counts) {
  const parts = Object.entries(counts ?? {}).filter(([, count]) => count > 0).map(([word, count]) => `${word} ${count}`);
  return parts.length ? ` · ${parts.join(", ")}` : "";
}

function verdict(candidate, isServed) {
  if (!candidate) return h("p.verdict.quiet", null, "Not considered for this device.");
  if (isServed) return h("p.verdict.good", null, candidate.fidelity === "full" ? "This device gets the full state." : "This device gets the place.");
  const reasons = (candidate.reasons ?? []).map((reason) => reasonText(reason)).join("; ");
  if (candidate.fidelity === "none") return h("p.verdict.bad", null, `Refused: ${reasons}.`);
  return h("p.verdict.quiet", null, candidate.fidelity === "full" ? "This device may restore it, but a newer archive is served."
    : `This device may restore the place (${reasons}), but a newer archive is served.`);
}

/** Moves between the archives with the arrow keys, j and k. */
function move(event) {
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  if ((!step && event.key !== "Home" && event.key !== "End") || event.altKey || event.ctrlKey || event.metaKey) return;
  const links = [...event.currentTarget.querySelectorAll(".entry-link")];
  const index = links.indexOf(event.target.closest(".entry")?.querySelector(".entry-link"));
  const next = event.key === "Home" ? 0 : event.key === "End" ? links.length - 1 : index + step;
  if (!links[next]) return;
  event.preventDefault();
  links[next].focus();
}
