// Draws a scene's archives: a line for each device, from old to new. The list below the drawing has the same facts as
// text. The left and right arrow keys choose an archive of the drawing, and the line below says which one.

import { kindOf } from "./archives.js";
import { deviceText } from "./devices.js";
import { fill, h, lookUp, s } from "./dom.js";
import { absolute } from "./formats.js";
import { preference } from "./preferences.js";
import { plain } from "./texts.js";
import { zoneName } from "./times.js";

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
 * @param {{verdicts: {of: (entry: any) => string, chosen?: any} | null, signal: AbortSignal, select: (id: string) => void}} options
 */
export function drawing(entries, devices, { verdicts, signal, select }) {
  const readout = h("p.readout", { role: "status" });
  const note = h("p.quiet.hint", null);
  let shown = [];
  let chosen = -1;
  const choose = (index) => {
    chosen = index;
    readout.textContent = index < 0 ? "" : described(shown[index], devices);
    draw();
  };
  const place = h(`div.drawing${verdicts ? ".seen" : ""}`, {
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
  const isServed = verdicts?.chosen?.archive.id === entry.id;
  const group = s(`g.mark.${kind}${isServed ? ".served" : ""}`, { transform: `translate(${left} ${top})`, on: { click: () => select(entry.id) } },
    s("title", null, described(entry, devices)), s("circle.target", { r: 12 }), isServed && kind !== "head" ? s("circle.halo", { r: 9 }) : null, ...shape(kind));
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
    verdicts && [sample(s("g.mark.served", null, s("circle.halo", { r: 9 }), s("circle.dot", { r: 5.5 }))), "served"],
    verdicts && [sample(s("path.verdict-full", { d: "M-6 0h12" })), "may be restored in full"],
    verdicts && [sample(s("path.verdict-place", { d: "M-6 0h5M1 0h5" })), "only its place"],
    verdicts && [sample(s("path.verdict-none", { d: "M-5 -5l10 10M5 -5l-10 10" })), "refused"],
  ].filter(Boolean);
  return h(`ul.legend${verdicts ? ".seen" : ""}`, { "aria-label": "Marks of the drawing" }, parts.map((part) => h("li", null, part)));
}
