// The view of a scene: the timeline across the user's devices.

import {
  absolute, append, badge, bytes, contextText, counted, deviceLabel, deviceOptions, deviceText, duration, empty, fill,
  folded, h, headText, isCaution, kindBadge, kindOf, link, loaded, lookUp, name, offered, pager, panel, placeTrail,
  plain, preference, quarantineList, query, reasons, reasonText, s, selectControl, shortID, time, zoneName,
} from "./elements.js";
import { crumbs, deviceLink, filter, get, moveInTimeline, replaceFilters, scenePath, showMore, userLoader, userPath } from "./app.js";

// # Timeline
// A scene's timeline across the user's devices, with the head and the reasons why other archives are not the head.

const filters = {
  "": ["All archives", () => true],
  late: ["Late arrivals and view-only captures", (entry) => ["late", "view-only"].includes(kindOf(entry))],
  quarantined: ["Quarantined", (entry) => entry.quarantines?.length > 0],
  failed: ["With failures", (entry) => entry.outcomes?.failed > 0 || entry.outcomes?.crashed > 0],
};

export function timelineView(visit) {
  const { params, signal } = visit;
  const { app, user, scene } = params;
  const here = ["/apps", app, "users", user, "scenes", scene];
  const asking = visit.query.get("device");
  const loadUser = userLoader(params);
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
      folded("Answers that devices got", async () => answersPanel(visit, await loadUser(signal)), { isOpen: visit.query.has("answersOf") }),
      folded("Deleted archives", async () => (await loaded(() => import("./deleted.js"))).deletedPanel(visit))),
  };
}

function controls(visit, person) {
  const select = (id, label, key, options) =>
    selectControl(id, label, options, visit.query.get(key), (value) => filter({ [key]: value || undefined }));
  const devices = deviceOptions(person);
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
  const verdicts = explanation ? verdictsOf(explanation, entries) : null;
  const source = visit.query.get("source");
  const [, isShown] = lookUp(filters, visit.query.get("only")) ?? filters[""];
  const shown = entries.filter((entry) => (!source || entry.device === source) && isShown(entry));
  const list = h("ol.timeline", { id: "timeline", on: { keydown: moveInTimeline } }, shown.map((entry) => row(entry, { entries, devices, verdicts, here })));
  return [
    drawing(entries, devices, { verdicts, signal: visit.signal, select: (id) => document.getElementById(`archive-${id}`)?.focus() }),
    verdicts ? asSeenBy(verdicts, devices, visit.query.get("device"), here) : null,
    h("p.quiet.hint", null, "The newest interaction is first: it is the head. First screens, without an interaction, are last. The arrow keys move between archives.",
      verdicts ? " The service looks at the archives from the newest on, and serves the first one that the device may restore." : null),
    shown.length ? list : empty("No archive on this page fits the filters",
      h("a.button.secondary.small", { href: link(...here) }, "Show all archives")),
    pager(visit, page.next, here),
  ];
}

/** Which archives the device may restore: each archive that the service looked at, and the served one. */
function verdictsOf({ candidates = [], served }, entries) {
  const known = new Map(candidates.map((candidate) => [candidate.archive.id, candidate]));
  const chosen = known.get(served);
  const place = entries.findIndex(({ id }) => id === served);
  // If the served archive is not on the page, the whole page is above or below it.
  const isPageBelow = chosen && place < 0 && (entries[0].isBelowAllWork || at(entries[0].capturedAt) <= at(chosen.archive.capturedAt));
  const isBelow = (entry) => place < 0 ? isPageBelow : entries.indexOf(entry) > place;
  /** Returns `full`, `place`, `none`, or `unneeded` for an archive below the served one. */
  const of = (entry) => known.get(entry.id)?.fidelity ?? (isBelow(entry) ? "unneeded" : "none");
  return { known, chosen, of };
}

const asSeenBy = ({ chosen }, devices, id, here) => h("div.callout", { role: "note" }, h("p", null,
  deviceLabel(devices.get(id), id), " asks: ",
  chosen ? ["it gets ", h("a", { href: link(...here, "archives", chosen.archive.id) }, "the archive captured ", time(chosen.archive.capturedAt, "full")), "."] : "it gets nothing."));

function row(entry, { entries, devices, verdicts, here }) {
  const reason = why(entry, entries, devices);
  return h(`li.entry.${kindOf(entry)}`, null,
    h("span.node", { "aria-hidden": "true" }),
    h("div.entry-main", null,
      h("div.entry-head", null,
        h("a.entry-link", { href: link(...here, "archives", entry.id), id: `archive-${entry.id}` }, time(entry.capturedAt, "full")),
        deviceLink(entry.device, here.slice(0, 4), { idiom: entry.context?.idiom }),
        badges(entry)),
      placeTrail(entry.place, { isShort: true }),
      reason ? h("p.why", null, reason) : null,
      quarantineList(entry),
      verdicts ? entryVerdict(entry, verdicts) : null,
      h("p.entry-foot.quiet", null, beforeHead(entry, entries), versions(entry.context), bytes(entry.size), " · revision ", String(entry.revision), outcomes(entry.outcomes))));
}

const versions = (context) => context?.bundleVersion ? ["version ", name(context.bundleVersion, { limit: 16, isPlain: true }), " · "] : null;

function badges(entry) {
  return h("span.badges", null,
    kindBadge(entry),
    entry.quarantines?.length ? badge("Quarantined", "bad") : null,
    entry.outcomes?.crashed ? badge(counted(entry.outcomes.crashed, "crash", "crashes"), "bad") : null);
}

function outcomes(counts) {
  const parts = Object.entries(counts ?? {}).filter(([, count]) => count > 0).map(([word, count]) => `${word} ${count}`);
  return parts.length ? ` · ${parts.join(", ")}` : "";
}

function entryVerdict(entry, verdicts) {
  const found = verdicts.known.get(entry.id)?.reasons ?? [];
  const against = found.filter((reason) => !isCaution(reason));
  switch (verdicts.of(entry)) {
  case "full": return h("p.verdict.good", null, `This device gets the full state.${offered(found)}`);
  case "place": {
    const rules = against.map(({ code }) => (lookUp(reasons, code)?.rule ?? plain(code)).toLowerCase());
    return h("p.verdict.good", null, `This device gets the place. Blocked for the full state: ${rules.join(", ")}.${offered(found)}`);
  }
  case "unneeded": return h("p.verdict.quiet", null, "Not needed: a newer archive was served.");
  default: return h("p.verdict.bad", null, against.length ? `Refused: ${against.map(reasonText).join("; ")}.`
    : "Refused. The service gives the reasons against the newest 100 archives only.");
  }
}

// # Order
// Why an archive is or is not the head of its scene. An archive that is only older needs no sentence: its last line says
// by how much.

const at = (text) => Date.parse(text);

const above = (entry, entries) => entries.slice(0, entries.indexOf(entry));

/** The archive that a view-only capture restored, if it is on the page. The capture's time is one millisecond earlier. */
const restoredBy = (entry, entries) =>
  above(entry, entries).find((other) => at(other.capturedAt) - at(entry.capturedAt) === 1 && other.revision < entry.revision);

/** The newest capture that was stored before this archive arrived, if it is on the page. */
const overtaking = (entry, entries) => above(entry, entries).find((other) => other.revision < entry.revision);

/** Says in a sentence why an archive is the head, or is not although it arrived last. Null for the other archives. */
function why(entry, entries, devices) {
  const device = (other) => deviceText(devices.get(other.device), other.device);
  switch (kindOf(entry)) {
  case "head": return headText(entry);
  case "view-only": {
    if (entry.isBelowAllWork) return "Not the head: a first screen. The device had restored nothing, or an archive that no longer exists, and the user did not interact. So it ranks below all work, whatever its time.";
    const source = restoredBy(entry, entries);
    return ["Not the head: a view-only capture. The device had restored ", source
      ? ["the archive of ", device(source), " of ", time(source.capturedAt, "clock")] : "another archive",
    ", and the user did not interact. So it ranks right below that archive."];
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

// # Answers
// The answers that devices got in the past.

const logText = "The log keeps the newest 10,000 answers of an app for 30 days, and at most ten of a user in a minute. A device that already has the newest archive is not written again.";

/** The answers about the scene: to the requesting device at first, or to the device in the address. */
export function answersPanel(visit, person, { asking } = {}) {
  const { params, signal } = visit;
  const isInAddress = asking === undefined;
  const chosen = isInAddress ? visit.query.get("answersOf") : asking;
  const place = h("div");
  const show = (device) => {
    const load = (cursor) => get(`${userPath(params)}/answers${query({ scene: params.scene, device, cursor })}`, signal);
    fill(place, panel({
      label: "Answers that devices got", isBare: true, signal, name: "answers", load: () => load(), show: (page) => answerList(page, load, params),
    }));
  };
  const change = (device) => {
    if (isInAddress) replaceFilters({ answersOf: device });
    show(device);
  };
  show(chosen);
  return [h("div.controls", null, selectControl("answers-of", "Answers to", [["", "All devices"], ...deviceOptions(person)], chosen, change)), place];
}

function answerList(page, load, params) {
  if (!page.items.length) return empty("The log has no answer", h("p", null, logText));
  const show = (answers) => answers.map((answer) => answerItem(answer, params));
  const list = h("ol.candidates", null, show(page.items));
  return [h("p.quiet.hint", null, logText), list, showMore(list, page.next, load, show)];
}

function answerItem({ at, device, asked, served, candidates }, { app, user, scene }) {
  const person = ["/apps", app, "users", user];
  const archive = (id, text) => h("a", { href: link(...person, "scenes", scene, "archives", id) }, text);
  const why = ({ reasons }) => (reasons ?? []).filter((reason) => !isCaution(reason)).map(reasonText).join("; ");
  const chosen = candidates.find((one) => one.archive === served?.archive);
  const refused = candidates.filter((one) => one !== chosen);
  return h(`li.candidate.${served ? "good" : "bad"}`, null,
    h("div.entry-head", null, time(at, "full"), deviceLink(device, person, { idiom: asked?.idiom }), h("span.quiet", null, `as ${contextText(asked)}`)),
    served ? h("p", null, `Got ${served.fidelity === "place" ? "the place" : "the full state"} of `,
      archive(served.archive, chosen ? ["the archive captured ", time(chosen.capturedAt, "full")] : `the archive ${shortID(served.archive)}`),
      served.fidelity === "place" && chosen?.reasons?.length ? `, not the full state: ${why(chosen)}.` : ".",
      offered(chosen?.reasons)) : h("p", null, h("b", null, "Got nothing.")),
    refused.length ? h("ul.why", null, refused.map((one) => h("li", null,
      archive(one.archive, ["The archive captured ", time(one.capturedAt, "full")]), ` was not served: ${why(one)}.`))) : null);
}

// # Drawing
// Draws a scene's archives: a line for each device, from old to new. The list below the drawing has the same facts as
// text. The left and right arrow keys choose an archive of the drawing, and the line below says which one.

const [lane, margin, foot, leastShown] = [46, 16, 22, 12];

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
 * @param {{verdicts: ReturnType<typeof verdictsOf> | null, signal: AbortSignal, select: (id: string) => void}} options
 */
function drawing(entries, devices, { verdicts, signal, select }) {
  const readout = h("p.readout", { role: "status" });
  const note = h("p.quiet.hint", null);
  let shown = [];
  let chosen = -1;
  const choose = (index) => {
    chosen = index;
    readout.textContent = index < 0 ? "" : described(shown[index], devices);
    draw();
  };
  const place = h("div.drawing", {
    tabindex: "0", role: "group", "aria-label": "Drawing of the timeline. The left and right arrow keys move between the archives, and Enter goes to the archive in the list.",
    on: {
      blur: () => choose(-1),
      keydown: (event) => {
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        const next = { ArrowLeft: Math.min(chosen + 1, shown.length - 1), ArrowRight: Math.max(chosen - 1, 0), Home: shown.length - 1, End: 0 }[event.key];
        if (event.key === "Enter" && shown[chosen]) select(shown[chosen].id);
        else if (next !== undefined) choose(next);
        else return;
        event.preventDefault();
      },
    },
  });
  function draw() {
    const width = Math.max(240, place.clientWidth || 640);
    shown = entries.slice(0, Math.max(leastShown, Math.floor(width / 44)));
    fill(place, picture(shown, devices, width, { verdicts, select, chosen: shown[chosen] }));
    note.textContent = `Times are in ${zoneName()}.${shown.length < entries.length ? ` The drawing shows the newest ${shown.length} of the ${entries.length} archives below.` : ""}`;
  }
  document.addEventListener("placekeeper:preferences", draw, { signal });
  const observer = new ResizeObserver(() => (place.isConnected ? draw() : observer.disconnect()));
  observer.observe(place);
  return h("div", null, place, readout, legend(entries, verdicts), note);
}

/** An archive of the drawing in words. */
const described = (entry, devices) => [
  absolute(entry.capturedAt, preference("zone")), deviceText(devices.get(entry.device), entry.device),
  { head: "the head", late: "late", "view-only": entry.isBelowAllWork ? "a first screen" : "view only", older: "older" }[kindOf(entry)],
].join(", ");

function picture(entries, devices, width, { verdicts, select, chosen }) {
  const used = [...new Set(entries.map(({ device }) => device))];
  const height = used.length * lane + foot;
  const captured = (entry) => Date.parse(entry.capturedAt);
  const received = (entry) => Date.parse(entry.receivedAt);
  const x = scale(entries.flatMap((entry) => isDelayed(entry) ? [captured(entry), received(entry)] : [captured(entry)]), width);
  const y = (device) => used.indexOf(device) * lane + 32;
  const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" });
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
    const mark = markOf(entry, x(captured(entry)), y(entry.device), devices, { verdicts, select });
    if (entry === chosen) mark.classList.add("chosen");
    svg.append(mark);
  }
  return svg;
}

/** Whether the drawing shows when an archive arrived. */
const isDelayed = (entry) => ["late", "view-only"].includes(kindOf(entry));

/** An arc from the capture to the moment at which the archive arrived. */
function arrival(from, to, top) {
  const lift = Math.min(18, 6 + (to - from) / 12);
  return [
    s("path.arc", { d: `M${from} ${top}Q${(from + to) / 2} ${top + lift * 1.6} ${to} ${top}` }),
    s("path.tick", { d: `M${to} ${top - 4}v8` }),
  ];
}

function markOf(entry, left, top, devices, { verdicts, select }) {
  const kind = kindOf(entry);
  const group = s(`g.mark.${kind}`, { transform: `translate(${left} ${top})`, on: { click: () => select(entry.id) } },
    s("title", null, described(entry, devices)), s("circle.target", { r: 12 }), ...shape(kind));
  if (entry.quarantines?.length) group.append(s("path.cross", { d: "M-6 -6L6 6M6 -6L-6 6" }));
  const verdict = verdicts?.of(entry);
  if (lookUp(lines, verdict)) group.append(s(`path.verdict-${verdict}`, { d: lookUp(lines, verdict) }));
  return group;
}

/** The marks below an archive: what the requesting device gets. An archive that was not needed has none. */
const lines = { full: "M-5 12h10", place: "M-5 12h4M1 12h4", none: "M-3 10l6 5M3 10l-6 5" };

function shape(kind) {
  if (kind === "head") return [s("circle.halo", { r: 9 }), s("circle.dot", { r: 5.5 })];
  if (kind === "view-only") return [s("path.dot", { d: "M-6 0L0 -5L6 0L0 5Z" })];
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
    kinds.has("view-only") && [sample(s("g.mark.view-only", null, shape("view-only"))),
      entries.some(({ isBelowAllWork }) => isBelowAllWork) ? "view only: restored, and not changed; or a first screen, below all work" : "view only: restored, and not changed"],
    entries.some(({ quarantines }) => quarantines?.length) && [sample(s("g.mark.older", null, shape("older"), s("path.cross", { d: "M-6 -6L6 6M6 -6L-6 6" }))), "quarantined somewhere"],
    verdicts && [sample(s("path.verdict-full", { d: "M-6 0h12" })), "served in full"],
    verdicts && [sample(s("path.verdict-place", { d: "M-6 0h5M1 0h5" })), "served as a place"],
    verdicts && [sample(s("path.verdict-none", { d: "M-5 -5l10 10M5 -5l-10 10" })), "refused; without a mark: not needed"],
  ].filter(Boolean);
  return h("ul.legend", { "aria-label": "Marks of the drawing" }, parts.map((part) => h("li", null, part)));
}
