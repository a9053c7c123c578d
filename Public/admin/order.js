// Why an archive is or is not the head of its scene. The same rule as the service's: the head is the newest interaction.

import { deviceText } from "./devices.js";
import { duration } from "./format.js";
import { name, plain } from "./text.js";
import { time } from "./components/time.js";

const at = (text) => Date.parse(text);

/**
 * Returns `head`, `glance`, `late` or `older`. A capture without an interaction is ordered one millisecond below the
 * archive that its device had restored: such a capture is a glance. Other captures that arrived after newer ones are
 * late.
 */
export function kindOf(entry, entries) {
  if (entry.isHead) return "head";
  if (!entry.isLate) return "older";
  return restoredBy(entry, entries) ? "glance" : "late";
}

/** The archive that a glance had restored. */
function restoredBy(entry, entries) {
  return entries.find((other) => other.id !== entry.id && at(other.capturedAt) - at(entry.capturedAt) === 1 && at(other.receivedAt) <= at(entry.receivedAt));
}

/** The newest capture that was stored before this archive arrived. */
const overtaking = (entry, entries) =>
  entries.filter((other) => other.revision < entry.revision && at(other.capturedAt) > at(entry.capturedAt))
    .sort((first, second) => at(second.capturedAt) - at(first.capturedAt))[0];

/** Says in a sentence why an archive is the head or is not. Returns children for `h`. */
export function whyNotHead(entry, entries, devices) {
  const device = (other) => deviceText(devices.get(other.device), other.device);
  const kind = kindOf(entry, entries);
  if (kind === "head") return "The head: no newer interaction in this scene is known.";
  if (kind === "glance") {
    const source = restoredBy(entry, entries);
    return ["Not the head: a glance. The device had restored the archive of ", device(source), " of ", time(source.capturedAt, "clock"),
      ", and the person did not act. So it is ordered right below that archive."];
  }
  if (kind === "late") {
    const delay = duration((at(entry.receivedAt) - at(entry.capturedAt)) / 1000);
    const newer = overtaking(entry, entries);
    return [`Not the head: it arrived ${delay} after its capture, at `, time(entry.receivedAt, "clock"), newer
      ? [". By then, ", device(newer), " had a newer capture, of ", time(newer.capturedAt, "clock"), "."] : ". By then, a newer capture was stored."];
  }
  const head = entries.find((other) => other.isHead);
  if (!head) return "Not the head: the head is newer.";
  const gap = duration((at(head.capturedAt) - at(entry.capturedAt)) / 1000);
  return `Not the head: the head was captured ${gap} later on ${device(head)}.`;
}

/** Says where an archive is quarantined. */
export function quarantineText({ idiom, bundleVersion, result, path }) {
  const verb = { crashed: "crashed the app", failed: "failed", abandoned: "was abandoned" }[result] ?? String(result);
  return ["Quarantined on ", idiom, bundleVersion ? ` with version ${plain(bundleVersion, 16)}` : " without a version",
    `: a restore ${verb}`, path ? [" at ", name(path, { limit: 48, label: "path" })] : "."];
}
