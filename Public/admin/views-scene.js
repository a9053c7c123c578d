// The view of a scene: the timeline across the user's devices.

import { filter, link, query } from "./addresses.js";
import { answersPanel } from "./answers.js";
import { get } from "./api.js";
import { headText, kindBadge, kindOf, quarantineList } from "./archives.js";
import { selectControl } from "./controls.js";
import { deletedPanel } from "./deleted.js";
import { deviceLabel, deviceOptions, deviceText, lastUsed } from "./devices.js";
import { h, lookUp } from "./dom.js";
import { drawing } from "./drawing.js";
import { badge } from "./facts.js";
import { bytes, counted, duration } from "./formats.js";
import { name } from "./names.js";
import { empty, folded, panel } from "./panels.js";
import { placeTrail } from "./places.js";
import { isCaution, offered, reasons, reasonText } from "./reasons.js";
import { pager } from "./tables.js";
import { plain } from "./texts.js";
import { time } from "./times.js";
import { crumbs, deviceLink, scenePath, userLoader } from "./users.js";

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
  /** The device that asks: the one in the address, or else the one that asked last. Null for "No device". */
  const askingOf = (person) => {
    const device = visit.query.get("device") ?? lastUsed(person)?.id;
    return device === undefined || device === nobody ? null : device;
  };
  const loadUser = userLoader(params);
  const cursor = visit.query.get("cursor");
  const load = async (signal) => {
    const explain = async () => {
      const person = await loadUser(signal);
      const asking = askingOf(person);
      return { person, asking, explanation: asking && await get(`${scenePath(params)}/explanation${query({ device: asking })}`, signal) };
    };
    const [page, seen] = await Promise.all([get(`${scenePath(params)}/archives${query({ cursor })}`, signal), explain()]);
    return { page, ...seen };
  };
  return {
    title: `Scene ${plain(scene)}`,
    heading: ["Scene ", name(scene)],
    crumbs: crumbs(params),
    actions: h("a.button.small", { href: link(...here, "explain", { device: visit.query.get("device") === nobody ? null : visit.query.get("device") }) }, "Explain"),
    content: h("div.stack", null,
      panel({ label: "Filters", isBare: true, signal, skeleton: "chart", load: loadUser, show: (person) => controls(visit, person, askingOf(person)) }),
      panel({ title: "Timeline", signal, load, name: "timeline", show: (data) => timeline(data, visit, here) }),
      folded("Answers that devices got", async () => answersPanel(visit, await loadUser(signal)), { isOpen: visit.query.has("answersOf") }),
      folded("Deleted archives", async () => deletedPanel(visit))),
  };
}

/** The value of the address for a timeline that no device sees. */
const nobody = "none";

function controls(visit, person, asking) {
  const select = (id, label, key, options, chosen = visit.query.get(key)) =>
    selectControl(id, label, options, chosen, (value) => filter({ [key]: value || undefined }));
  const devices = deviceOptions(person);
  return h("div.controls", null,
    select("asking", "As seen by", "device", [...devices, [nobody, "No device"]], asking ?? nobody),
    select("source", "Captured on", "source", [["", "All devices"], ...devices]),
    select("only", "Show", "only", Object.entries(filters).map(([key, [text]]) => [key, text])));
}

function timeline({ person, page, asking, explanation }, visit, here) {
  const entries = page.items ?? [];
  const devices = new Map((person.devices ?? []).map((device) => [device.id, device]));
  if (!entries.length) {
    return empty("This scene has no archive", h("p", null, "No device has uploaded a state of this scene, or all of them were deleted."));
  }
  const verdicts = explanation ? verdictsOf(explanation, entries) : null;
  const source = visit.query.get("source");
  const [, isShown] = lookUp(filters, visit.query.get("only")) ?? filters[""];
  const shown = entries.filter((entry) => (!source || entry.device === source) && isShown(entry));
  const list = h(`ol.timeline${verdicts ? ".seen" : ""}`, { id: "timeline", on: { keydown: moveInTimeline } }, shown.map((entry) => row(entry, { entries, devices, verdicts, asking, here })));
  return [
    verdicts ? asSeenBy(verdicts, devices, asking, here) : null,
    drawing(entries, devices, { verdicts, signal: visit.signal, select: (id) => document.getElementById(`archive-${id}`)?.focus() }),
    h("p.quiet.hint", null, "The newest interaction is first: it is the head. First screens, without an interaction, are last. The arrow keys move between archives.",
      verdicts ? " The green archive is the one that the device gets: the first from the top that it may restore." : null),
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

const asSeenBy = ({ chosen }, devices, id, here) => h(`div.callout.${chosen ? "good" : "bad"}`, { role: "note" }, h("p", null,
  h("b", null, deviceLabel(devices.get(id), id)), chosen ? [
    chosen.fidelity === "place" ? " gets the place of " : " gets ",
    h("a", { href: link(...here, "archives", chosen.archive.id) }, "the archive captured ", time(chosen.archive.capturedAt, "full")),
    " on ", deviceLabel(devices.get(chosen.archive.device), chosen.archive.device, { idiom: chosen.archive.context?.idiom }), "."] : " gets nothing now."));

function row(entry, { entries, devices, verdicts, asking, here }) {
  const reason = why(entry, entries, devices);
  const isServed = verdicts?.chosen?.archive.id === entry.id;
  return h(`li.entry.${kindOf(entry)}${isServed ? ".served" : ""}`, null,
    h("span.node", { "aria-hidden": "true" }),
    h("div.entry-main", null,
      h("div.entry-head", null,
        h("a.entry-link", { href: link(...here, "archives", entry.id), id: `archive-${entry.id}` }, time(entry.capturedAt, "full")),
        deviceLink(entry.device, here.slice(0, 4), { idiom: entry.context?.idiom }),
        isServed ? badge("Served", "good") : null, badges(entry)),
      placeTrail(entry.place, { isShort: true }),
      reason ? h("p.why", null, reason) : null,
      quarantineList(entry),
      verdicts ? entryVerdict(entry, verdicts) : null,
      h("p.entry-foot.quiet", null, beforeHead(entry, entries), versions(entry.context), bytes(entry.size), " · revision ", String(entry.revision), outcomes(entry.outcomes),
        asking ? [" · ", h("a", { href: link(...here, "archives", entry.id, { answersOf: asking }) }, "Did this device get it?", h("span.unseen", null, " Captured ", time(entry.capturedAt, "full")))] : null)));
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
  case "unneeded": return null;
  default: return h("p.verdict.bad", null, against.length ? `Refused: ${against.map(reasonText).join("; ")}.`
    : "Refused. The service gives the reasons against the newest 100 archives only.");
  }
}

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

/** Moves between the entries of a timeline with the arrow keys, j and k. */
export function moveInTimeline(event) {
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  if ((!step && event.key !== "Home" && event.key !== "End") || event.altKey || event.ctrlKey || event.metaKey) return;
  const links = [...event.currentTarget.querySelectorAll(".entry-link")];
  const index = links.indexOf(event.target.closest(".entry")?.querySelector(".entry-link"));
  const next = event.key === "Home" ? 0 : event.key === "End" ? links.length - 1 : index + step;
  if (!links[next]) return;
  event.preventDefault();
  links[next].focus();
}
