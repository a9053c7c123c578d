// Archives in words.

import { devicesOf } from "./devices.js";
import { h, lookUp } from "./dom.js";
import { badge } from "./facts.js";
import { name } from "./names.js";
import { plain } from "./texts.js";

const results = { restored: ["restored", "good"], failed: ["failed", "bad"], crashed: ["crash", "worst"], abandoned: ["discarded", "poor"], began: ["began", "plain"] };

/** The result of a restore. `isWhole` says how a crash is known. */
export const resultBadge = (result, { isWhole = false } = {}) => {
  const [text, kind] = lookUp(results, result) ?? [plain(result), "plain"];
  return badge(isWhole && result === "crashed" ? "crash (proven by the next launch)" : text, kind);
};

/** Says where an archive is quarantined. */
function quarantineText({ idiom, bundleVersion, result, path }) {
  const verb = lookUp({ crashed: "crashed the app", failed: "failed", abandoned: "was abandoned", began: "never finished" }, result) ?? plain(result);
  return ["Quarantined for ", devicesOf(idiom), bundleVersion ? ` with version ${plain(bundleVersion, 16)}` : " without a version",
    `: a restore ${verb}`, path ? [" at ", name(path, { limit: 48, label: "path" })] : "."];
}

/** Lists where an archive is quarantined, and why. Null if it is not. */
export const quarantineList = ({ quarantines }) => quarantines?.length
  ? h("ul.why.bad", null, quarantines.map((one) => h("li", null, quarantineText(one)))) : null;

/**
 * Returns `head`, `view-only`, `late` or `older`. `view-only` is a state with which the person did not interact: a restored one,
 * or a first screen. A late archive arrived after a newer capture.
 */
export function kindOf({ isHead, isViewOnly, isLate }) {
  if (isHead) return "head";
  if (isViewOnly) return "view-only";
  return isLate ? "late" : "older";
}

/** Returns the badge of an archive's kind. An archive that is only older has none. */
export function kindBadge(archive) {
  const words = { head: ["Head", "plain"], late: ["Late", "poor"], "view-only": [archive.isBelowAllWork ? "First screen" : "View only", "accent"] }[kindOf(archive)];
  return words ? badge(...words) : null;
}

/** Says why an archive is the head. */
export const headText = ({ isViewOnly }) => isViewOnly ? "The head, although the user did not interact: this scene has no newer work."
  : "The head: no newer interaction in this scene is known.";
