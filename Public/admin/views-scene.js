// The views of a scene: the timeline, and the explanation of an answer.

import {
  absolute, badge, bytes, choiceField, comparedValues, contextText, counted, deviceLabel, deviceText, duration,
  empty, fill, h, headText, idioms, kindBadge, kindOf, link, name, pager, panel, path, placeTrail, plain, preference,
  quarantineText, query, reasons, reasonText, referenceList, s, shared, table, textField, time,
} from "./elements.js";
import { crumbs, filter, get, go, scenePath, userPath } from "./app.js";

// # Timeline
// A scene's timeline across the user's devices: what is the head, and why the others are not.

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

// # Explanation
// Explains an answer: every candidate with each rule and the values compared, and the identity step of each reference.

const contextKeys = ["idiom", "layout", "bundleVersion", "systemVersion", "stateVersion"];

export function explainView(visit) {
  const { params, signal } = visit;
  const asked = Object.fromEntries(["device", ...contextKeys].map((key) => [key, visit.query.get(key) ?? undefined]));
  const isAsked = Boolean(asked.device || asked.idiom);
  const loadUser = shared((signal) => get(userPath(params), signal));
  return {
    title: "Explain",
    crumbs: crumbs(params, { isInside: true }),
    lead: "Which archive a device gets, and why it gets no other.",
    content: h("div.stack", null,
      panel({ title: "The question", signal, load: loadUser, name: "question", show: (person) => question(visit, person, asked) }),
      isAsked ? panel({
        title: "The answer", signal, name: "answer",
        load: async (signal) => {
          const [person, explanation] = await Promise.all([loadUser(signal), get(`${scenePath(params)}/explanation${query(asked)}`, signal)]);
          return { person, explanation };
        },
        show: ({ person, explanation }) => answer(explanation, person, visit, asked),
      }) : null),
  };
}

/** The form: a device of the user, or a context that nobody needs to have. */
function question(visit, person, asked) {
  const devices = person.devices ?? [];
  const isDevice = visit.query.get("mode") !== "context" && (Boolean(asked.device) || !asked.idiom) && devices.length > 0;
  const mode = h("div.segments", { role: "group", "aria-label": "Who asks" },
    modeButton("mode-device", "A device of the user", isDevice, () => filter({ mode: undefined, device: devices[0]?.id, ...empties() }), !devices.length),
    modeButton("mode-context", "Any other device", !isDevice, () => filter({ mode: "context", device: undefined })));
  return [mode, isDevice ? deviceQuestion(visit, devices, asked) : contextQuestion(visit, asked)];
}

const empties = () => Object.fromEntries(contextKeys.map((key) => [key, undefined]));

const modeButton = (id, text, isChosen, choose, isDisabled) => h("button", {
  type: "button", id, "aria-pressed": String(isChosen), disabled: isDisabled, on: { click: choose },
}, text);

function deviceQuestion(visit, devices, asked) {
  const field = choiceField({
    id: "device", label: "Device", value: asked.device ?? "",
    help: "The service uses the versions with which the device last stored an archive or reported an outcome.",
    options: [...(asked.device ? [] : [["", "Choose a device…"]]), ...devices.map((device) => [device.id, `${deviceText(device)} (${device.idiom})`])],
  });
  field.input.addEventListener("change", () => field.value && filter({ device: field.value, mode: undefined }));
  return h("div.form", null, field.element);
}

function contextQuestion(visit, asked) {
  const fields = {
    idiom: choiceField({ id: "idiom", label: "Idiom", value: asked.idiom ?? "phone", options: idioms.map((idiom) => [idiom, idiom]) }),
    layout: choiceField({ id: "layout", label: "Layout", value: asked.layout ?? "", options: [["", "not given"], ["compact", "compact"], ["regular", "regular"]] }),
    bundleVersion: textField({ id: "bundleVersion", label: "Bundle version", value: asked.bundleVersion ?? "", placeholder: "42" }),
    systemVersion: textField({ id: "systemVersion", label: "System version", value: asked.systemVersion ?? "", placeholder: "17.4" }),
    stateVersion: textField({ id: "stateVersion", label: "State version", value: asked.stateVersion ?? "", inputmode: "numeric", pattern: "-?[0-9]*" }),
  };
  const submit = (event) => {
    event.preventDefault();
    const { app, user, scene } = visit.params;
    const context = Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, field.value.trim()]));
    go(link("/apps", app, "users", user, "scenes", scene, "explain", { mode: "context", ...context }));
  };
  return h("form.form.grid", { on: { submit } }, Object.values(fields).map(({ element }) => element),
    h("div.buttons", null, h("button", { type: "submit" }, "Explain")));
}

function answer(explanation, person, visit, asked) {
  const devices = new Map((person.devices ?? []).map((device) => [device.id, device]));
  const { app, user, scene } = visit.params;
  const here = ["/apps", app, "users", user];
  const candidates = explanation.candidates ?? [];
  const served = candidates.find(({ archive }) => archive.id === explanation.served);
  return [
    verdict(explanation, served, candidates, devices),
    h("p.quiet", null, `Asked as ${contextText(explanation.asked)}.`),
    h("h3", null, counted(candidates.length, "candidate")),
    candidates.length ? candidateList(candidates, (candidate, index) =>
      candidateItem(candidate, { explanation, devices, app, href: link(...here, "scenes", scene, "archives", candidate.archive.id), index, servedIndex: candidates.indexOf(served) }), served)
      : empty("The scene has no archive", h("p", null, "No device has uploaded a state of this scene.")),
    served ? [h("h3", null, "References of the served archive"), referenceList(explanation, here, served.archive.device)] : null,
  ];
}

/** The candidates; those far below the served one are folded. */
function candidateList(candidates, show, served) {
  const count = Math.max(candidates.indexOf(served) + 3, 8);
  const list = (part, start) => h("ol.candidates", { start }, part.map((candidate, index) => show(candidate, start - 1 + index)));
  const rest = candidates.slice(count);
  return [
    list(candidates.slice(0, count), 1),
    rest.length ? h("details", null, h("summary", null, `${counted(rest.length, "older candidate")}`), list(rest, count + 1)) : null,
  ];
}

function verdict(explanation, served, candidates, devices) {
  if (!explanation.served) {
    return h("div.callout.bad", null, h("p", null, h("b", null, "Nothing is served. "), candidates.length
      ? `Each of the ${counted(candidates.length, "candidate")} is refused.` : "The scene has no archive."));
  }
  const fidelity = served?.fidelity === "full" ? "the full state" : "the place, without the layout,";
  return h("div.callout.good", null, h("p", null, h("b", null, `Served: ${fidelity} `), "of the archive captured ",
    served ? [time(served.archive.capturedAt, "full"), " on ", deviceLabel(devices.get(served.archive.device), served.archive.device, { idiom: served.archive.context?.idiom })] : explanation.served, "."),
  served ? placeTrail(served.archive.place) : null);
}

function candidateItem(candidate, { explanation, devices, app, href, index, servedIndex }) {
  const { archive, fidelity } = candidate;
  const isServed = archive.id === explanation.served;
  const kind = isServed ? "good" : fidelity === "none" ? "bad" : "plain";
  const word = isServed ? `served, ${fidelity}` : fidelity === "none" ? "refused" : `${fidelity} allowed`;
  const why = isServed ? (fidelity === "full" ? "It is the newest archive that this device may restore." : "It is the newest archive of which this device may restore at least the place.")
    : fidelity === "none" ? `Refused: ${(candidate.reasons ?? []).map(reasonText).join("; ")}.`
      : index > servedIndex && servedIndex >= 0 ? "It may be restored, but a newer archive is served." : (candidate.reasons ?? []).map(reasonText).join("; ");
  return h(`li.candidate.${kind}`, null,
    h("div.entry-head", null,
      h("a", { href }, time(archive.capturedAt, "full")),
      deviceLabel(devices.get(archive.device), archive.device, { idiom: archive.context?.idiom }),
      badge(word, kind)),
    placeTrail(archive.place, { isShort: true }),
    h("p.why", null, why),
    h("details", { open: isServed || fidelity === "none" ? index < 4 : false },
      h("summary", null, "Rules and values"), rules(candidate, explanation.asked ?? {}, app)));
}

/** The rules: first those against the archive, then the others in the order of docs/policy.md. A rule without a reason against the archive has passed. */
function rules({ archive, reasons: against = [] }, asked, app) {
  const context = archive.context ?? {};
  const compared = [
    ["Idiom", context.idiom, asked.idiom], ["Layout", context.layout, asked.layout], ["Platform", null, null],
    ["State version", context.stateVersion, asked.stateVersion], ["Bundle version", context.bundleVersion, asked.bundleVersion],
    ["Minimum version", context.bundleVersion, null], ["System version", context.systemVersion, asked.systemVersion],
    ["Age", duration((Date.now() - Date.parse(archive.capturedAt)) / 1000), null], ["Place", archive.place?.length ? counted(archive.place.length, "step") : "none", null],
    ["Quarantine", null, null], ["Abandoned", null, null],
  ];
  const failed = [];
  const passed = compared.map(([rule, own, wanted]) => {
    const reason = against.find(({ code }) => reasons[code]?.rule === rule);
    if (reason) failed.push(failedRow(rule, reason, app));
    return reason ? null : [rule, value(own), value(wanted), isComparable(rule, own, wanted) ? badge("passed", "good") : badge("not compared")];
  });
  const unknown = against.filter(({ code }) => !reasons[code]).map((reason) => failedRow(plain(reason.code), reason, app));
  return table({
    caption: "Rules and the values compared",
    columns: [{ title: "Rule", isHead: true }, { title: "Archive" }, { title: "Asked or required" }, { title: "Result" }],
    rows: [...failed, ...unknown, ...passed.filter(Boolean)],
  });
}

/** Layouts and state versions are compared only if both sides give one. */
const isComparable = (rule, own, wanted) => !["Layout", "State version"].includes(rule) || (own !== undefined && wanted !== undefined);

const value = (text) => text === null || text === undefined ? h("span.quiet", null, "–") : h("bdi", null, plain(text, 32));

function failedRow(rule, reason, app) {
  const [own, wanted] = comparedValues(reason);
  const setting = reasons[reason.code]?.setting;
  const details = [reason.path ? ["path ", name(reason.path, { limit: 60, label: "path" })] : null, reason.step !== undefined ? ` step ${reason.step}` : null,
    reason.duration !== undefined ? ` after ${duration(reason.duration)}` : null];
  return [
    rule, h("bdi", null, own), h("bdi", null, wanted),
    h("span", null, badge(reason.blocks === "full" ? "blocks the full state" : "blocks everything", reason.blocks === "full" ? "poor" : "bad"), " ",
      h("code", null, plain(reason.code)), " ", details,
      setting ? h("a", { href: link("/apps", app, "settings", { show: setting }) }, "Setting") : null),
  ];
}
