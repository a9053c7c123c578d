// The settings of an app as fields of a form. docs/policy.md of the project defines them.

import { devicesOf, idioms } from "./devices.js";
import { exactBytes, readBytes } from "./formats.js";

/**
 * @typedef {{key: string, path: string[], label: string, help: string, kind: string, options?: [string, string][],
 *   least?: number, most?: number, mayBeNone?: boolean}} Field
 * `key` is the setting's name in the command `placekeeper app policy`.
 */

const choice = (key, path, label, help, options) => ({ key, path, label, help, kind: "choice", options });
const flag = (key, path, label, help) => ({ key, path, label, help, kind: "flag" });
const number = (key, path, label, help, least, most, mayBeNone = false) => ({ key, path, label, help, kind: "number", least, most, mayBeNone });
const optional = (kind) => (key, path, label, help) => ({ key, path, label, help, kind, mayBeNone: true });
const [size, span, text] = ["bytes", "span", "text"].map(optional);
const policy = (name) => ["policy", name];
const breaker = (kind, key, ...rest) => kind(`breaker.${key}`, ["breaker", key], ...rest);
const rate = (key, label, help, most = 1_000_000, mayBeNone = false) => number(key, ["rateLimits", key], label, help, 1, most, mayBeNone);
const quota = (key, label, help, least, most) => number(key, ["quotas", key], label, help, least, most, true);

/** The groups of the form. */
const groups = [
  ["Restoring", [
    choice("restoration", ["restoration"], "Restoration", "What clients do with an archive. Switch it off if a release restores badly.",
      [["auto", "Restore"], ["offer", "Ask the user"], ["off", "Ignore archives"]]),
    flag("allowsPlace", policy("allowsPlace"), "Allows the place", "Whether a device that may not restore the full state gets the place."),
    span("maximumAge", policy("maximumAge"), "Maximum age", "Such as 30m, 12h or 7d. Archives with an older last interaction are refused. Leave empty for no limit."),
  ]],
  ["Versions", [
    choice("stateVersions", policy("stateVersions"), "State versions", "The state versions that a device accepts, if both sides give one.",
      [["exact", "The same"], ["atMost", "The same or older"], ["any", "Any"]]),
    flag("allowsNewerBundleVersion", policy("allowsNewerBundleVersion"), "Allows newer app versions", "Whether an older version of the app may restore the full state of a newer one. It gets the place in any case."),
    text("minimumBundleVersion", policy("minimumBundleVersion"), "Minimum app version", "Archives of older versions are refused. Leave empty for no minimum."),
    flag("allowsNewerSystemVersion", policy("allowsNewerSystemVersion"), "Allows newer systems", "Whether an older major system version may restore the full state of a newer one. It gets the place in any case."),
  ]],
  ["Kinds of devices", idioms.map((idiom) => ({
    key: `acceptedIdioms.${idiom}`, path: ["policy", "acceptedIdioms", idiom], kind: "idioms", label: `${devicesOf(idiom)} also restore the full state of`,
    options: idioms.filter((other) => other !== idiom).map((other) => [other, devicesOf(other)]), mayBeNone: true,
  }))],
  ["Automatic stop", [
    breaker(choice, "mode", "Automatic stop", "What happens if the restores of a release fail for too many users.",
      [["off", "Off"], ["alert", "Off, alerts only"], ["stop", "On: stops these restores for an hour, then for a day"]]),
    breaker(number, "failurePercent", "Failing users in percent", "Of the established users whose devices restored such an archive. At least five users must fail.", 1, 100),
    breaker(number, "minimumUsers", "Least number of users", "With fewer established users, nothing is stopped.", 1, 1_000_000),
    breaker(number, "windowHours", "Window in hours", "How far back reports count.", 1, 720),
  ]],
  ["Storage", [
    number("retainedArchives", ["retainedArchives"], "Retained archives", "Kept for each scene and kind of device.", 1, 1_000),
    flag("showsContents", ["showsContents"], "Shows contents", "Whether operators and owners see the contents of archives: only if the app's privacy notice says so."),
    flag("allowsScreenshots", ["allowsScreenshots"], "Allows screenshots", "A screenshot shows the user's data: only if the app's privacy notice says so."),
    size("userBytes", ["quotas", "userBytes"], "Bytes of a user", "Such as 256MiB. Leave empty for no limit."),
    size("anonymousBytes", ["quotas", "anonymousBytes"], "Bytes of an anonymous user", "The same for a user without an account."),
    size("appBytes", ["quotas", "appBytes"], "Bytes of the app", "All users together."),
    quota("userArchives", "Archives of a user", "Leave empty for no limit.", 0, 1e9),
    quota("userDevices", "Devices of a user", "Leave empty for 256.", 1, 256),
    quota("userScenes", "Scenes of a user", "Scenes with archives. Leave empty for 10000.", 1, 10_000),
    ...[["appUsers", "Users of the app"], ["appDevices", "Devices of the app"]].map(([key, label]) => quota(key, label, "Leave empty for no limit.", 0, 1e9)),
  ]],
  ["Registration and sign-in", [
    choice("registration", ["registration"], "Registration", "How a device may register.",
      [["open", "With the key"], ["linkOnly", "With a link code, or a sign-in token"], ["token", "With a sign-in token of the app's backend, or a link code"]]),
    { ...span("tokenLifetime", ["tokenLifetime"], "Sign-in expires after", "Time without use, from 7d to 3650d. The user of an account then signs in again on the device. Anonymous devices are not affected. Leave empty for never."),
      least: 7, most: 3650 },
    { key: "webOrigins", path: ["webOrigins"], label: "Origins of web pages", kind: "list",
      help: "Pages that may use the service from a browser: the scheme and the host of each, with a space between them. Leave empty for none." },
    text("issuer", ["signIn", "issuer"], "Issuer", "The issuer that a sign-in token must have. Leave empty to accept any."),
    text("audience", ["signIn", "audience"], "Audience", "The audience that a sign-in token must have. Leave empty to accept no audience, or the bundle identifier."),
  ]],
  ["Rate limits", [
    rate("deviceBurst", "Device, at once", "Requests that a device may send at once."),
    rate("devicePerSecond", "Device, per second", "After the burst."),
    rate("userBurst", "User, at once", "All devices of a user together."),
    rate("userPerSecond", "User, per second", "After the burst."),
    rate("appBurst", "App, at once", "All users together, if the next setting is set."),
    rate("appPerSecond", "App, per second", "Leave empty for no limit.", 1_000_000, true),
    rate("registrationBurst", "New users at once", "Without a link code."),
    rate("registrationsPerDay", "New users per day", "After the burst.", 100_000_000),
  ]],
];

/** Returns the groups, with a group of the settings that this page does not know. */
export function groupsFor(settings) {
  // Only the command changes the keys of sign-in tokens.
  const known = new Set(groups.flatMap(([, fields]) => fields.map(({ path }) => path.join("."))));
  const others = leaves(settings, []).filter(({ path }) => !known.has(path.join(".")) && path.join(".") !== "signIn.keysFile");
  return others.length ? [...groups, ["Other settings", others]] : groups;
}

function leaves(value, path) {
  return Object.entries(value ?? {}).flatMap(([key, inner]) => {
    const here = [...path, key];
    const kind = { boolean: "flag", number: "number", string: "text" }[typeof inner];
    if (kind) return [{ key: here.join("."), path: here, label: here.join(" › "), help: "", kind }];
    return inner && typeof inner === "object" && !Array.isArray(inner) && key !== "acceptedIdioms" ? leaves(inner, here) : [];
  });
}

/** Returns the value at a path, or undefined. */
export const valueAt = (settings, path) => path.reduce((value, key) => value?.[key], settings);

/** Returns a value as the form shows it. */
export function shown(field, value) {
  if (value === undefined || value === null) return field.kind === "flag" ? "false" : "";
  if (field.kind === "bytes") return exactBytes(value);
  if (field.kind === "list") return value.join(" ");
  return field.kind === "idioms" ? idioms.filter((idiom) => value.includes(idiom)).join(",") : String(value);
}

/** Reads the text of a field. Returns `{value}`, with null for none, or `{fault}`. */
export function read(field, raw) {
  const text = raw.trim();
  if (field.kind === "list") return { value: text.split(/\s+/).filter(Boolean) };
  if (text === "" && field.kind !== "choice") {
    return field.mayBeNone || field.kind === "text" ? { value: null } : { fault: "Give a value." };
  }
  switch (field.kind) {
  case "flag": return { value: text === "true" };
  case "number": return readNumber(field, text);
  case "bytes": {
    const value = readBytes(text);
    return value === null ? { fault: "Write a size such as 512MiB." } : { value };
  }
  case "span": return readSpan(field, text);
  case "idioms": return { value: text.split(",") };
  default: return { value: text };
  }
}

/** Reads a time. The bounds are days. */
function readSpan({ least, most }, text) {
  const [, number, unit] = /^([1-9][0-9]{0,8})([smhd])$/.exec(text) ?? [];
  if (least === undefined) return unit ? { value: text } : { fault: "Write a time such as 30m, 12h or 7d." };
  return unit === "d" && number >= least && number <= most ? { value: text } : { fault: `Write a time from ${least}d to ${most}d.` };
}

function readNumber({ least, most }, text) {
  const value = Number(text);
  const isInside = Number.isSafeInteger(value) && value >= (least ?? -Infinity) && value <= (most ?? Infinity);
  return isInside ? { value } : { fault: least === undefined ? "Give a whole number." : `Give a whole number from ${least} to ${most}.` };
}

/** Returns a JSON merge patch (RFC 7396) that sets values at paths. */
export function patch(changes) {
  const result = Object.create(null);
  for (const [path, value] of changes) {
    let place = result;
    for (const key of path.slice(0, -1)) place = place[key] ??= Object.create(null);
    place[path.at(-1)] = value;
  }
  return result;
}
