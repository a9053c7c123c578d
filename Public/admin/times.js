// Times that follow the chosen time zone and grow older while the page is open.

import { h } from "./dom.js";
import { absolute, formatter, relative } from "./formats.js";
import { preference } from "./preferences.js";

/** Returns the name of the chosen time zone: `UTC`, or `Europe/Lisbon`. */
export const zoneName = () => preference("zone") === "utc" ? "UTC" : formatter("local", {}).resolvedOptions().timeZone;

/** The hours by which clocks of the chosen zone are ahead of UTC now. Events are counted by the hour, so it is rounded down. */
export const utcOffset = () => preference("zone") === "utc" ? 0 : Math.floor(-new Date().getTimezoneOffset() / 60);

/**
 * Shows a time.
 * @param {string | undefined} iso
 * @param {"both" | "full" | "exact" | "minute" | "date" | "clock" | "precise" | "relative"} style
 */
export function time(iso, style = "both") {
  if (!iso) return h("span.quiet", null, "never");
  const element = h("time", { datetime: String(iso), data: { style } });
  draw(element);
  return element;
}

function draw(element) {
  const iso = element.dateTime;
  const { style } = element.dataset;
  const zone = preference("zone");
  if (style === "both") {
    element.replaceChildren(h("span", null, relative(iso)), " ", h("span.quiet", null, absolute(iso, zone)));
  } else if (style === "relative") {
    element.textContent = relative(iso);
    element.title = absolute(iso, zone);
  } else {
    element.textContent = absolute(iso, zone, style);
    element.title = `${relative(iso)}, ${absolute(iso, zone, "exact")}`;
  }
}

const drawAll = () => document.querySelectorAll("time[data-style]").forEach(draw);
document.addEventListener("placekeeper:preferences", drawAll);
setInterval(() => document.hidden || drawAll(), 30_000);
