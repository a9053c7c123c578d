// The view of a scene: the timeline across the user's devices.

import {
  absolute, badge, bytes, counted, deviceLabel, deviceText, duration, empty, fill, folded, h, headText, kindBadge,
  kindOf, link, loaded, name, pager, panel, placeTrail, plain, preference, quarantineText, query, reasons, reasonText,
  s, shared, time,
} from "./elements.js";
import { crumbs, filter, get, scenePath, userPath } from "./app.js";

// # Timeline
// A scene's timeline across the user's devices, with the head and the reasons why other archives are not the head.

const filters = {
  "": ["All archives", () => true],
  late: ["Late arrivals and glances", (entry) => ["late", "glance"].includes(kindOf(entry))],
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
      panel({ title: "Timeline", signal, load, name: "timeline", show: (data) => timeline(data, visit, here) }),
      folded("Deleted archives", async () => (await loaded(() => import("./deleted.js"))).deletedPanel(visit))),
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
  const shown = entries.filter((entry) => (!source || entry.device === source) && isShown(entry));
  const context = { entries, devices, verdicts, served: explanation?.served, here };
  const list = h("ol.timeline", { id: "timeline", on: { keydown: move } }, shown.map((entry) => row(entry, context)));
  return [
    drawing(entries, devices, { verdicts, select: (id) => document.getElementById(`archive-${id}`)?.focus() }),
    verdicts ? asSeenBy(explanation, devices, visit.query.get("device"), entries) : null,
    h("p.quiet.hint", null, "The newest interaction is first: it is the head. The arrow keys move between archives.",
      verdicts ? " An archive that is allowed would be served if no newer archive were allowed; the words in brackets are the rules that block the full state." : null),
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
  const kind = kindOf(entry);
  const href = link(...here, "archives", entry.id);
  const device = devices.get(entry.device);
  const quarantines = entry.quarantines ?? [];
  const reason = why(entry, entries, devices);
  const candidate = verdicts?.get(entry.id);
  return h(`li.entry.${kind}`, null,
    h("span.node", { "aria-hidden": "true" }),
    h("div.entry-main", null,
      h("div.entry-head", null,
        h("a.entry-link", { href, id: `archive-${entry.id}` }, time(entry.capturedAt, "full")),
        deviceLabel(device, entry.device, { idiom: entry.context?.idiom }),
        badges(quarantines, entry)),
      placeTrail(entry.place, { isShort: true }),
      reason ? h("p.why", null, reason) : null,
      quarantines.length ? h("ul.why.bad", null, quarantines.map((one) => h("li", null, quarantineText(one)))) : null,
      candidate ? entryVerdict(candidate, served === entry.id) : null,
      h("p.entry-foot.quiet", null, beforeHead(entry, entries), versions(entry.context), bytes(entry.size), " · revision ", String(entry.revision), outcomes(entry.outcomes))));
}

const versions = (context) => context?.bundleVersion ? ["version ", name(context.bundleVersion, { limit: 16, isPlain: true }), " · "] : null;

function badges(quarantines, entry) {
  return h("span.badges", null,
    kindBadge(entry),
    quarantines.length ? badge("Quarantined", "bad") : null,
    entry.outcomes?.crashed ? badge(counted(entry.outcomes.crashed, "crash", "crashes"), "bad") : null);
}

function outcomes(counts) {
  const parts = Object.entries(counts ?? {}).filter(([, count]) => count > 0).map(([word, count]) => `${word} ${count}`);
  return parts.length ? ` · ${parts.join(", ")}` : "";
}

function entryVerdict(candidate, isServed) {
  if (isServed) return h("p.verdict.good", null, candidate.fidelity === "full" ? "This device gets the full state." : "This device gets the place.");
  if (candidate.fidelity === "full") return h("p.verdict.quiet", null, "Allowed.");
  if (candidate.fidelity === "none") return h("p.verdict.bad", null, `Refused: ${candidate.reasons.map(reasonText).join("; ")}.`);
  const rules = candidate.reasons.map(({ code }) => (reasons[code]?.rule ?? plain(code)).toLowerCase());
  return h("p.verdict.quiet", null, `The place is allowed (${rules.join(", ")}).`);
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

// # Order
// Why an archive is or is not the head of its scene. An archive that is only older needs no sentence: its last line says
// by how much.

const at = (text) => Date.parse(text);

/** The archive that a glance had restored, if it is on the page: the glance is one millisecond below it. */
const restoredBy = (entry, entries) =>
  entries.find((other) => other.id !== entry.id && at(other.capturedAt) - at(entry.capturedAt) === 1 && other.revision < entry.revision);

/** The newest capture that was stored before this archive arrived, if it is on the page. */
const overtaking = (entry, entries) =>
  entries.filter((other) => other.revision < entry.revision && at(other.capturedAt) > at(entry.capturedAt))
    .sort((first, second) => at(second.capturedAt) - at(first.capturedAt))[0];

/** Says in a sentence why an archive is the head, or is not although it arrived last. Null for the other archives. */
function why(entry, entries, devices) {
  const device = (other) => deviceText(devices.get(other.device), other.device);
  switch (kindOf(entry)) {
  case "head": return headText;
  case "glance": {
    const source = restoredBy(entry, entries);
    return ["Not the head: a glance. The device had restored ", source
      ? ["the archive of ", device(source), " of ", time(source.capturedAt, "clock")] : "another archive",
    ", and the person did not act. So it is ordered right below that archive."];
  }
  case "late": {
    const delay = duration((at(entry.receivedAt) - at(entry.capturedAt)) / 1000);
    const newer = overtaking(entry, entries);
    return [`Not the head: it arrived ${delay} after its capture, at `, time(entry.receivedAt, "clock"), newer
      ? [". By then, ", device(newer), " had a newer capture, of ", time(newer.capturedAt, "clock"), "."] : ". By then, a newer capture was stored."];
  }
  default: return null;
  }
}

/** Says how much older than the head an archive is, if it is only older and the head is on the page. */
function beforeHead(entry, entries) {
  const head = entries.find((other) => other.isHead);
  return head && kindOf(entry) === "older" ? `${duration((at(head.capturedAt) - at(entry.capturedAt)) / 1000)} before the head · ` : null;
}

// # Drawing
// Draws a scene's archives: a line for each device, from old to new. The list below the drawing has the same facts as
// text, so people with a screen reader and a keyboard use the list.

const lane = 46;
const margin = 16;
const foot = 22;
const leastShown = 12;

/** Gives each time a horizontal position. A long pause takes little more room than a short one. */
function scale(times, width) {
  const sorted = [...new Set(times)].sort((first, second) => first - second);
  const offsets = new Map();
  let offset = 0;
  sorted.forEach((moment, index) => {
    if (index) offset += 1 + Math.log2(1 + (moment - sorted[index - 1]) / 60_000) / 3;
    offsets.set(moment, offset);
  });
  return (moment) => margin + ((offsets.get(moment) ?? 0) / (offset || 1)) * (width - 2 * margin);
}

/**
 * @param {any[]} entries the archives, newest first
 * @param {Map<string, any>} devices
 * @param {{verdicts: Map<string, any> | null, select: (id: string) => void}} options
 */
function drawing(entries, devices, { verdicts, select }) {
  const place = h("div.drawing", { "aria-hidden": "true" });
  const note = h("p.quiet.hint", null);
  const draw = () => {
    const width = Math.max(240, place.clientWidth || 640);
    const shown = entries.slice(0, Math.max(leastShown, Math.floor(width / 44)));
    fill(place, picture(shown, devices, width, { verdicts, select }));
    note.textContent = shown.length < entries.length ? `The drawing shows the newest ${shown.length} of the ${entries.length} archives below.` : "";
  };
  const observer = new ResizeObserver(() => (place.isConnected ? draw() : observer.disconnect()));
  observer.observe(place);
  return h("div", null, place, legend(entries, verdicts), note);
}

function picture(entries, devices, width, { verdicts, select }) {
  const used = [...new Set(entries.map(({ device }) => device))];
  const height = used.length * lane + foot;
  const captured = (entry) => Date.parse(entry.capturedAt);
  const received = (entry) => Date.parse(entry.receivedAt);
  const x = scale(entries.flatMap((entry) => isDelayed(entry) ? [captured(entry), received(entry)] : [captured(entry)]), width);
  const y = (device) => used.indexOf(device) * lane + 32;
  const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, width, height });
  for (const device of used) {
    svg.append(
      s("line.lane", { x1: margin, x2: width - margin, y1: y(device), y2: y(device) }),
      s("text.lane-name", { x: 4, y: y(device) - 18 }, plain(deviceText(devices.get(device), device), Math.floor(width / 11))));
  }
  const head = entries.find(({ isHead }) => isHead);
  if (head) {
    const left = x(captured(head));
    svg.append(s("line.head-line", { x1: left, x2: left, y1: 14, y2: height - foot }),
      s("text.head-word", { x: Math.min(left, width - 20), y: 11, "text-anchor": "middle" }, "head"));
  }
  svg.append(...dates(entries, x, captured, width, height));
  for (const entry of [...entries].reverse()) {
    const [left, top] = [x(captured(entry)), y(entry.device)];
    if (isDelayed(entry)) svg.append(...arrival(left, x(received(entry)), top));
  }
  for (const entry of [...entries].reverse()) {
    svg.append(mark(entry, kindOf(entry), x(captured(entry)), y(entry.device), { verdicts, select }));
  }
  return svg;
}

/** Whether the drawing shows when an archive arrived. */
const isDelayed = (entry) => ["late", "glance"].includes(kindOf(entry));

/** An arc from the capture to the moment at which the archive arrived. */
function arrival(from, to, top) {
  const lift = Math.min(18, 6 + (to - from) / 12);
  return [
    s("path.arc", { d: `M${from} ${top}Q${(from + to) / 2} ${top + lift * 1.6} ${to} ${top}` }),
    s("path.tick", { d: `M${to} ${top - 4}v8` }),
  ];
}

function mark(entry, kind, left, top, { verdicts, select }) {
  const group = s(`g.mark.${kind}`, { transform: `translate(${left} ${top})`, on: { click: () => select(entry.id) } },
    s("title", null, `${absolute(entry.capturedAt, preference("zone"))}, ${{ head: "the head", late: "late", glance: "a glance", older: "older" }[kind]}`),
    s("circle.target", { r: 12 }), ...shape(kind));
  if (entry.quarantines?.length) group.append(s("path.cross", { d: "M-6 -6L6 6M6 -6L-6 6" }));
  const fidelity = verdicts?.get(entry.id)?.fidelity;
  if (verdicts) group.append(s(`path.verdict-${fidelity ?? "none"}`, { d: fidelity === "full" ? "M-5 12h10" : fidelity === "place" ? "M-5 12h4M1 12h4" : "M-3 10l6 5M3 10l-6 5" }));
  return group;
}

function shape(kind) {
  if (kind === "head") return [s("circle.halo", { r: 9 }), s("circle.dot", { r: 5.5 })];
  if (kind === "glance") return [s("path.dot", { d: "M-6 0L0 -5L6 0L0 5Z" })];
  return [s("circle.dot", { r: kind === "late" ? 4.5 : 4 })];
}

function dates(entries, x, captured, width, height) {
  const zone = preference("zone");
  const shown = [];
  let last = Infinity;
  for (const entry of entries) {
    const left = x(captured(entry));
    if (last - left < 110 || left < 40) continue;
    last = left;
    shown.push(s("text.date", { x: Math.min(left, width - 48), y: height - 6, "text-anchor": "middle" }, absolute(entry.capturedAt, zone, "minute")));
  }
  return shown;
}

function legend(entries, verdicts) {
  const kinds = new Set(entries.map((entry) => kindOf(entry)));
  const sample = (...children) => s("svg.swatch", { viewBox: "-12 -12 24 24", "aria-hidden": "true" }, children);
  const parts = [
    kinds.has("head") && [sample(s("g.mark.head", null, shape("head"))), "head"],
    kinds.has("older") && [sample(s("g.mark.older", null, shape("older"))), "older"],
    kinds.has("late") && [sample(s("g.mark.late", null, shape("late"))), "late: the arc ends when it arrived"],
    kinds.has("glance") && [sample(s("g.mark.glance", null, shape("glance"))), "glance: restored, and not changed"],
    entries.some(({ quarantines }) => quarantines?.length) && [sample(s("g.mark.older", null, shape("older"), s("path.cross", { d: "M-6 -6L6 6M6 -6L-6 6" }))), "quarantined somewhere"],
    verdicts && [sample(s("path.verdict-full", { d: "M-6 0h12" })), "full state allowed"],
    verdicts && [sample(s("path.verdict-place", { d: "M-6 0h5M1 0h5" })), "place allowed"],
    verdicts && [sample(s("path.verdict-none", { d: "M-5 -5l10 10M5 -5l-10 10" })), "refused"],
  ].filter(Boolean);
  return h("ul.legend", { "aria-label": "Marks of the drawing" }, parts.map((part) => h("li", null, part)));
}
