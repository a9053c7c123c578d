// The settings of an app as fields of a form. docs/policy.md of the project defines them.

import { exactBytes, readBytes } from "./format.js";
import { idioms } from "./devices.js";

/**
 * @typedef {{key: string, path: string[], label: string, help: string, kind: string, options?: [string, string][],
 *   least?: number, most?: number, mayBeNone?: boolean}} Field
 * `key` is the setting's name in the command `placekeeper app policy`.
 */

const choice = (key, path, label, help, options) => ({ key, path, label, help, kind: "choice", options });
const flag = (key, path, label, help) => ({ key, path, label, help, kind: "flag" });
const number = (key, path, label, help, least, most, mayBeNone = false) => ({ key, path, label, help, kind: "number", least, most, mayBeNone });
const size = (key, path, label, help) => ({ key, path, label, help, kind: "bytes", mayBeNone: true });
const text = (key, path, label, help) => ({ key, path, label, help, kind: "text", mayBeNone: true });

const policy = (name) => ["policy", name];
const rate = (key, label, help, most = 1_000_000, mayBeNone = false) => number(key, ["rateLimits", key], label, help, 1, most, mayBeNone);
const quota = (key, label, help, least, most) => number(key, ["quotas", key], label, help, least, most, true);

/** The groups of the form. */
export const groups = [
  ["Restoring", [
    choice("restoration", ["restoration"], "Restoration", "What clients do with an archive. Switch it off if a release restores badly.",
      [["auto", "auto: restore"], ["offer", "offer: ask the person"], ["off", "off: ignore archives"]]),
    flag("allowsPlace", policy("allowsPlace"), "Allows the place", "Whether a device that may not restore the full state gets the place."),
    number("maximumAgeDays", policy("maximumAgeDays"), "Maximum age in days", "Archives with an older last interaction are refused. Empty: no limit.", 1, 36_500, true),
  ]],
  ["Versions", [
    choice("stateVersions", policy("stateVersions"), "State versions", "The state versions that a device accepts, if both sides give one.",
      [["exact", "exact: the same"], ["atMost", "atMost: the same or older"], ["any", "any"]]),
    flag("allowsNewerBundleVersion", policy("allowsNewerBundleVersion"), "Allows newer app versions", "Whether an older version of the app may restore an archive of a newer one."),
    text("minimumBundleVersion", policy("minimumBundleVersion"), "Minimum app version", "Archives of older versions are refused. Empty: none."),
    flag("allowsNewerSystemVersion", policy("allowsNewerSystemVersion"), "Allows newer systems", "Whether an older major system version may restore an archive of a newer one."),
  ]],
  ["Accepted idioms", idioms.map((idiom) => ({
    key: `acceptedIdioms.${idiom}`, path: ["policy", "acceptedIdioms", idiom], kind: "idioms", label: `A ${idiom} also restores`,
    help: `Other idioms whose full state a ${idiom} may restore, separated by commas. Empty: none.`, mayBeNone: true,
  }))],
  ["Storage", [
    number("retainedArchives", ["retainedArchives"], "Retained archives", "Kept for each scene and idiom.", 1, 1_000),
    flag("allowsSnapshots", ["allowsSnapshots"], "Allows snapshots", "A snapshot shows the person's data: only if the app's privacy notice says so."),
    size("userBytes", ["quotas", "userBytes"], "Bytes of a user", "Such as 256MiB. Empty: no limit."),
    size("anonymousBytes", ["quotas", "anonymousBytes"], "Bytes of an anonymous user", "The same for a user without an account."),
    size("appBytes", ["quotas", "appBytes"], "Bytes of the app", "All users together."),
    quota("userArchives", "Archives of a user", "Empty: no limit.", 0, 1e9),
    quota("userDevices", "Devices of a user", "Empty: 256.", 1, 256),
    quota("appUsers", "Users of the app", "Empty: no limit.", 0, 1e9),
    quota("appDevices", "Devices of the app", "Empty: no limit.", 0, 1e9),
  ]],
  ["Registration and sign-in", [
    choice("registration", ["registration"], "Registration", "How a device may register.",
      [["open", "open: with the key"], ["linkOnly", "linkOnly: with a link code or a sign-in token"], ["token", "token: with a sign-in token or a link code"]]),
    text("issuer", ["signIn", "issuer"], "Issuer", "The issuer that a sign-in token must have. Empty: any."),
    text("audience", ["signIn", "audience"], "Audience", "An audience that a sign-in token must have. Empty: none, or the bundle identifier."),
  ]],
  ["Rate limits", [
    rate("deviceBurst", "Device, at once", "Requests that a device may send at once."),
    rate("devicePerSecond", "Device, per second", "After the burst."),
    rate("userBurst", "User, at once", "All devices of a user together."),
    rate("userPerSecond", "User, per second", "After the burst."),
    rate("appBurst", "App, at once", "All users together, if the next setting is set."),
    rate("appPerSecond", "App, per second", "Empty: no limit.", 1_000_000, true),
    rate("registrationBurst", "New users at once", "Without a link code."),
    rate("registrationsPerDay", "New users per day", "After the burst.", 100_000_000),
  ]],
];

/** Returns the groups, with a group of the settings that this page does not know. */
export function groupsFor(settings) {
  const known = new Set(groups.flatMap(([, fields]) => fields.map(({ path }) => path.join("."))));
  const others = leaves(settings, []).filter(({ path }) => !known.has(path.join(".")));
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
  return field.kind === "idioms" ? value.join(",") : String(value);
}

/** Reads the text of a field. Returns `{value}`, with null for none, or `{fault}`. */
export function read(field, raw) {
  const text = raw.trim();
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
  case "idioms": {
    const names = text.split(",").map((name) => name.trim()).filter(Boolean);
    const wrong = names.find((name) => !idioms.includes(name));
    return wrong ? { fault: `Use ${idioms.join(", ")}.` } : { value: names };
  }
  default: return { value: text };
  }
}

function readNumber({ least, most }, text) {
  const value = Number(text);
  const isInside = Number.isSafeInteger(value) && value >= (least ?? -Infinity) && value <= (most ?? Infinity);
  return isInside ? { value } : { fault: least === undefined ? "Give a whole number." : `Give a whole number from ${least} to ${most}.` };
}

/** Returns a JSON merge patch (RFC 7396) that sets values at paths. */
export function patch(changes) {
  const result = {};
  for (const [path, value] of changes) {
    let place = result;
    for (const key of path.slice(0, -1)) place = place[key] ??= {};
    place[path.at(-1)] = value;
  }
  return result;
}
