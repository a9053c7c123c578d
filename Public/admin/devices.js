// Devices as text.

import { h, lookUp } from "./dom.js";
import { capital, shortID } from "./formats.js";
import { icon } from "./icons.js";
import { name } from "./names.js";
import { plain } from "./texts.js";

export const idioms = ["phone", "pad", "mac", "watch", "tv", "vision", "carPlay"];

const kinds = {
  phone: "iPhones", pad: "iPads", mac: "Macs", watch: "Apple Watches", tv: "Apple TVs", vision: "Vision Pros", carPlay: "CarPlay displays",
};

/** The devices of an idiom in words: `iPads`. */
export const devicesOf = (idiom) => lookUp(kinds, idiom) ?? `devices of the kind ${plain(idiom, 20)}`;

/** Returns a device's name for a text: its name, its model, or its idiom with the start of its id. */
export const deviceText = (device, id) => plain(
  device?.name || device?.model || `${capital(device?.idiom ?? "device")} ${shortID(device?.id ?? id ?? "")}`, 32);

/** The devices of a user as options. */
export const deviceOptions = (person) => (person.devices ?? []).map((device) => [device.id, deviceText(device)]);

/** Shows a device with a drawing of its idiom. `isWhole` adds a button that shows the whole name, if it is cut. */
export function deviceLabel(device, id, { limit = 32, idiom, isWhole = false } = {}) {
  const text = device?.name || device?.model || `${capital(device?.idiom ?? idiom ?? "device")} ${shortID(device?.id ?? id ?? "")}`;
  return h("span.device", null, device?.idiom ?? idiom ? icon(device?.idiom ?? idiom) : null, name(text, { limit, label: "name", isPlain: !isWhole }));
}

/** Returns a context in words: `pad, compact, version 42`. */
export function contextText(context) {
  if (!context) return "unknown";
  return [
    context.idiom, context.layout,
    context.bundleVersion ? `version ${plain(context.bundleVersion, 20)}` : null,
    context.systemVersion ? `system ${plain(context.systemVersion, 20)}` : null,
    context.stateVersion === undefined || context.stateVersion === null ? null : `state version ${context.stateVersion}`,
  ].filter(Boolean).join(", ");
}

/** The device of a user that was used last. */
export const lastUsed = ({ devices }) => [...devices ?? []].sort((first, second) => Date.parse(second.lastSeenAt) - Date.parse(first.lastSeenAt))[0];
