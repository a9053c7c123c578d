// How many of the restores that devices reported have succeeded, and how that has changed.

import { total } from "./charts.js";
import { deviceOf } from "./devices.js";
import { h } from "./dom.js";
import { percent } from "./formats.js";
import { plain } from "./texts.js";

/** The share of restores that should succeed. A lower share is marked on each view. */
export const target = 0.98;

/** The color of a share. */
export const gradeOf = (share) => share < 0.9 ? "bad" : share < target ? "poor" : "good";

/**
 * Adds up the outcomes of an overview: those of its period, and those of the period before it. A share is null if no device
 * has reported an end of a restore.
 */
export function tallies({ series = [], outcomesBefore = {} }) {
  const sum = (label) => total(series.filter((one) => one.name === "outcome" && one.label === label).map(({ counts }) => total(counts)));
  return { now: tally({ restored: sum("restored"), failed: sum("failed"), crashed: sum("crashed") }), before: tally(outcomesBefore) };
}

function tally({ restored = 0, failed = 0, crashed = 0 }) {
  const ended = restored + failed + crashed;
  return { failed, crashed, ended, share: ended ? restored / ended : null };
}

/** Says by how much a share has changed, or that it is equal. Null without a share before. */
export function change(share, before) {
  if (share === null || before === null) return null;
  const points = Math.round((share - before) * 1000) / 10;
  if (!points) return h("span.quiet", null, "unchanged");
  return h(`span.change-of-share.${points > 0 ? "good" : "bad"}`, null,
    h("span", { "aria-hidden": "true" }, points > 0 ? "▲ " : "▼ "), `${points > 0 ? "+" : "−"}${Math.abs(points)} points`);
}

/** Names the releases whose restores fail too often on some devices: one alert for each version. */
export const failingReleases = (pairs) => [...new Set(pairs.filter(({ state }) => state === "alert").map(({ targetVersion }) => targetVersion))]
  .map((version) => version === undefined ? "a release without a version" : `version ${plain(version, 20)}`);

/** A share in its color, or a dash. */
export const shareText = (share) => share === null ? h("span.quiet", null, "–") : h(`b.rate.${gradeOf(share)}`, null, percent(share));

/** Names the two sides of a restore: `iPhone 43 → iPad 42`. */
export const sides = ({ source, target }) => h("bdi", null, `${side(source)} → ${side(target)}`);

export const side = ({ idiom, bundleVersion }) => `${deviceOf(idiom)} ${bundleVersion === undefined ? "without a version" : plain(bundleVersion, 20)}`;
