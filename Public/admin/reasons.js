// The reasons against an archive. The service says each in words; docs/policy.md defines the codes.

import { lookUp } from "./dom.js";
import { duration } from "./formats.js";
import { plain } from "./texts.js";

/** A reason's value, for people. */
const shown = (value) => value === undefined ? "none" : plain(value, 40);

/**
 * For each code: the rule's name, a word for a chart, and the setting or the view of the app that governs it. `by` names
 * what blocks an archive, where the rule's name does not. `clause` says it whole, where "blocked by" would be wrong.
 */
export const reasons = {
  "idiom-not-accepted": { rule: "Idiom", word: "another kind of device", setting: "acceptedIdioms" },
  "layout-differs": { rule: "Layout", word: "another layout" },
  "platform-differs": { rule: "Platform", word: "another platform" },
  "state-version-newer": { rule: "State version", word: "newer state version", setting: "stateVersions" },
  "state-version-differs": { rule: "State version", word: "other state version", setting: "stateVersions" },
  "bundle-version-newer": { rule: "Bundle version", word: "newer app version", setting: "allowsNewerBundleVersion" },
  "bundle-version-below-minimum": { rule: "Minimum version", word: "app version too old", setting: "minimumBundleVersion" },
  "system-version-newer": { rule: "System version", word: "newer system", setting: "allowsNewerSystemVersion" },
  "too-old": { rule: "Age", word: "too old", setting: "maximumAge", isDuration: true },
  "no-place": { rule: "Place", word: "no place", by: "the missing place" },
  "place-not-allowed": { rule: "Place", word: "place not allowed", clause: "places are turned off", setting: "allowsPlace" },
  quarantined: { rule: "Quarantine", word: "quarantined" },
  "crashed-elsewhere": { rule: "Crash elsewhere", word: "crashed elsewhere", by: "a crash elsewhere" },
  "restores-stopped": { rule: "Stopped restores", word: "stopped", clause: "restores are stopped", view: "health" },
  abandoned: { rule: "Abandoned", word: "discarded by the user", clause: "discarded by the user" },
};

/** Whether a reason makes the app offer the archive instead of restoring it without asking. */
export const isCaution = ({ code, blocks }) => blocks === "automatic" || code === "crashed-elsewhere";

/** Says why the app only offers a served archive. Empty if it may restore the archive without asking. */
export const offered = (found = []) => found.some(isCaution) ? ` The app only offers it, because ${found.filter(isCaution).map(reasonText).join("; ")}.` : "";

/** Returns a reason as the part of a sentence. */
export const reasonText = ({ code, text }) => plain(text ?? code, 200);

/** Says what blocks an archive as the part of a sentence: `the full state is blocked by the layout`. */
export function blockerText({ code, blocks }) {
  const { rule, by, clause } = lookUp(reasons, code) ?? {};
  const what = by ?? (rule ? `the ${rule.toLowerCase()}` : plain(code));
  if (isCaution({ code, blocks })) return `only offered, because of ${what}`;
  return clause ?? `the ${blocks === "full" ? "full state" : "archive"} is blocked by ${what}`;
}

/** A number of seconds, which the service gives as a text, in words. */
const ageText = (value) => Number.isFinite(Number(value)) && value !== undefined ? duration(Number(value)) : shown(value);

/** Returns the two values that were compared, for a table. */
export function comparedValues(reason) {
  const format = lookUp(reasons, reason.code)?.isDuration ? ageText : shown;
  return [format(reason.archive), format(reason.required)];
}
