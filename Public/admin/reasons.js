// The reasons against an archive, in plain words. docs/policy.md defines them.

import { duration } from "./format.js";
import { plain } from "./text.js";

const words = (reason, text) => text.replace("{archive}", shown(reason.archive)).replace("{required}", shown(reason.required));
const shown = (value) => value === undefined ? "none" : plain(value, 40);

/** For each code: the rule's name, the setting that governs it, and the sentence about the two values. */
export const reasons = {
  "idiom-not-accepted": { rule: "Idiom", setting: "acceptedIdioms", text: "its idiom is {archive}, and {required} is accepted" },
  "layout-differs": { rule: "Layout", text: "its layout is {archive}, and the device's is {required}" },
  "platform-differs": { rule: "Platform", text: "its platform is {archive}, and the device's is {required}" },
  "state-version-newer": { rule: "State version", setting: "stateVersions", text: "its state version {archive} is newer than {required}" },
  "state-version-differs": { rule: "State version", setting: "stateVersions", text: "its state version {archive} differs from {required}" },
  "bundle-version-newer": { rule: "Bundle version", setting: "allowsNewerBundleVersion", text: "version {archive} saved it, which is newer than {required}" },
  "bundle-version-below-minimum": { rule: "Minimum version", setting: "minimumBundleVersion", text: "version {archive} saved it, which is below the minimum {required}" },
  "system-version-newer": { rule: "System version", setting: "allowsNewerSystemVersion", text: "system {archive} saved it, which is newer than {required}" },
  "too-old": { rule: "Age", setting: "maximumAgeDays", text: "it is too old", isDuration: true },
  "no-place": { rule: "Place", text: "the full state is blocked, and it has no place" },
  "place-not-allowed": { rule: "Place", setting: "allowsPlace", text: "the full state is blocked, and the app's policy allows no place" },
  quarantined: { rule: "Quarantine", text: "a restore of it failed or crashed on a device with this idiom and version" },
  abandoned: { rule: "Abandoned", text: "the person discarded it on this device" },
};

/** Returns a reason as the part of a sentence. */
export function reasonText(reason) {
  const known = reasons[reason.code];
  if (!known) return `${plain(reason.code)} (${shown(reason.archive)} and ${shown(reason.required)})`;
  if (known.isDuration) return `it is ${ageText(reason.archive)} old, and ${ageText(reason.required)} is allowed`;
  return words(reason, known.text);
}

/** A number of seconds, which the service gives as a text, in words. */
const ageText = (value) => Number.isFinite(Number(value)) && value !== undefined ? duration(Number(value)) : shown(value);

/** Returns the two values that were compared, for a table. */
export function values(reason) {
  const format = reasons[reason.code]?.isDuration ? ageText : shown;
  return [format(reason.archive), format(reason.required)];
}
