// Numbers, sizes and times as text.

const integers = new Intl.NumberFormat("en-GB");
const shortNumbers = new Intl.NumberFormat("en-GB", { notation: "compact", maximumFractionDigits: 1 });

/** Returns a number with separators: `12,345`. */
export const number = (value) => (Number.isFinite(value) ? integers.format(value) : "–");

/** Returns a number in few characters: `12.3K`. */
export const shortNumber = (value) => (Number.isFinite(value) ? shortNumbers.format(value) : "–");

/** Returns a count with its noun: `1 archive`, `2 archives`. */
export const counted = (value, noun, plural = `${noun}s`) => `${number(value)} ${value === 1 ? noun : plural}`;

const units = [["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 2 ** 10]];

/** Returns a number of bytes in the largest fitting unit: `1.5 MiB`. */
export function bytes(value) {
  if (!Number.isFinite(value)) return "–";
  const [name, length] = units.find(([, length]) => Math.abs(value) >= length) ?? ["bytes", 1];
  return `${integers.format(Math.round((value / length) * 10) / 10)} ${value === 1 ? "byte" : name}`;
}

/** Returns a number of bytes as the settings are written: `256MiB`. Exact, so that it can be read back. */
export function exactBytes(value) {
  const [name, length] = units.find(([, length]) => value >= length && value % length === 0) ?? ["", 1];
  return `${value / length}${name}`;
}

/** Reads `256MiB`, `1.5 GiB` or `1024`. Returns null if the text is not a size. */
export function readBytes(text) {
  const match = /^\s*(\d+(?:\.\d+)?)\s*(KiB|MiB|GiB|bytes)?\s*$/i.exec(text);
  if (!match) return null;
  const length = units.find(([name]) => name.toLowerCase() === match[2]?.toLowerCase())?.[1] ?? 1;
  const value = Number(match[1]) * length;
  return Number.isSafeInteger(value) ? value : null;
}

const steps = [["year", 31_557_600], ["month", 2_629_800], ["day", 86_400], ["hour", 3_600], ["minute", 60], ["second", 1]];

/** Returns a length of time in seconds with one or two units: `3 hours 5 minutes`. */
export function duration(seconds) {
  if (!Number.isFinite(seconds)) return "–";
  const whole = Math.abs(seconds);
  if (whole < 1) return `${Math.round(whole * 1000)} ms`;
  const index = steps.findIndex(([, length]) => whole >= length);
  const [unit, length] = steps[index];
  const first = Math.floor(whole / length);
  const next = steps[index + 1];
  const rest = next && first < 10 ? Math.floor((whole - first * length) / next[1]) : 0;
  return counted(first, unit) + (rest ? ` ${counted(rest, next[0])}` : "");
}

const relatives = new Intl.RelativeTimeFormat("en-GB", { numeric: "auto" });

/** Returns a time relative to now: `5 minutes ago`. */
export function relative(iso, now = Date.now()) {
  const seconds = (Date.parse(iso) - now) / 1000;
  if (!Number.isFinite(seconds)) return "at an unknown time";
  if (Math.abs(seconds) < 5) return "just now";
  const [unit, length] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? steps.at(-1);
  return relatives.format(Math.round(seconds / length), unit);
}

const formats = new Map();

export function formatter(zone, options) {
  const key = zone + JSON.stringify(options);
  if (!formats.has(key)) {
    formats.set(key, new Intl.DateTimeFormat("en-GB", { ...options, timeZone: zone === "utc" ? "UTC" : undefined }));
  }
  return formats.get(key);
}

/**
 * Returns a time in a zone.
 * @param {string | number} time RFC 3339, or milliseconds
 * @param {"local" | "utc"} zone
 * @param {"full" | "exact" | "minute" | "day" | "date" | "clock" | "precise"} style `exact` and `precise` have milliseconds
 */
export function absolute(time, zone, style = "full") {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(time);
  const day = { day: "numeric", month: "short", year: "numeric" };
  const clock = { hour: "2-digit", minute: "2-digit", second: "2-digit" };
  const options = {
    full: { ...day, ...clock },
    exact: { ...day, ...clock, fractionalSecondDigits: 3 },
    minute: { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" },
    day: { day: "numeric", month: "short" },
    date: day,
    clock,
    precise: { ...clock, fractionalSecondDigits: 3 },
  }[style];
  const suffix = zone === "utc" && (style === "full" || style === "exact") ? " UTC" : "";
  return formatter(zone, options).format(date) + suffix;
}

/** Returns a share as a percentage that is never rounded up to all: `99.8 %`. */
export const percent = (share) => `${Math.floor(share * 1000) / 10} %`;

/** Returns the first characters of an identifier. */
export const shortID = (id) => String(id).slice(0, 8);

/** Returns a text with a capital first letter. */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
