// Devices as text.

import { h, lookUp } from "./dom.js";
import { capital, relative, shortID } from "./formats.js";
import { icon } from "./icons.js";
import { name } from "./names.js";
import { plain } from "./texts.js";

export const idioms = ["phone", "pad", "mac", "watch", "tv", "vision", "carPlay"];

const kinds = {
  phone: ["iPhone", "iPhones"], pad: ["iPad", "iPads"], mac: ["Mac", "Macs"], watch: ["Apple Watch", "Apple Watches"], tv: ["Apple TV", "Apple TVs"],
  vision: ["Vision Pro", "Vision Pros"], carPlay: ["CarPlay display", "CarPlay displays"],
};

/** The devices of an idiom in words: `iPads`. */
export const devicesOf = (idiom) => lookUp(kinds, idiom)?.[1] ?? `devices of the kind ${plain(idiom, 20)}`;

/** A device of an idiom in a word: `iPad`. */
export const deviceOf = (idiom) => lookUp(kinds, idiom)?.[0] ?? plain(idiom, 20);

/** The ids of the devices whose name another device of their user has too. */
const namesakes = new Set();

/** Finds the devices of a user that have the same name: these are then shown with their model and the start of their id. */
export function compareNames(devices) {
  const names = devices.map(ownName);
  devices.forEach(({ id }, index) => names.filter((one) => one === names[index]).length > 1 ? namesakes.add(id) : namesakes.delete(id));
}

/** Whether another device of the user has the same name. */
export const hasNamesake = (device) => namesakes.has(device?.id);

const ownName = (device) => device?.name || device?.model;

/** The words after a name that other devices have too. */
const distinction = (device) => hasNamesake(device) && ownName(device) ? [device.name ? device.model : null, shortID(device.id)].filter(Boolean).map((word) => plain(word, 16)).join(", ") : "";

const capitalized = (idiom) => lookUp(kinds, idiom)?.[0] ?? capital(idiom ?? "device");

const nameOf = (device, id, idiom) => ownName(device) || `${capitalized(device?.idiom ?? idiom)} ${shortID(device?.id ?? id ?? "")}`;

/** Returns a device's name for a text: its name, its model, or its kind with the start of its id. */
export const deviceText = (device, id) => plain(nameOf(device, id), 32) + (distinction(device) && ` (${distinction(device)})`);

/** The devices of a user as options. Where names repeat, the last use tells the devices apart. */
export const deviceOptions = (person) => (person.devices ?? []).map((device) =>
  [device.id, deviceText(device) + (hasNamesake(device) ? ` · used ${relative(device.lastSeenAt)}` : "")]);

/** Shows a device with a drawing of its idiom. `isWhole` adds a button that shows the whole name, if it is cut. */
export function deviceLabel(device, id, { limit = 32, idiom, isWhole = false } = {}) {
  return h("span.device", null, device?.idiom ?? idiom ? icon(device?.idiom ?? idiom) : null, name(nameOf(device, id, idiom), { limit, label: "name", isPlain: !isWhole }),
    distinction(device) ? h("span.quiet", null, `(${distinction(device)})`) : null);
}

/** Returns a context in words: `iPad, compact, version 42`. */
export function contextText(context) {
  if (!context) return "unknown";
  return [
    deviceOf(context.idiom), context.layout,
    context.bundleVersion ? `version ${plain(context.bundleVersion, 20)}` : null,
    context.systemVersion ? `system ${plain(context.systemVersion, 20)}` : null,
    context.stateVersion === undefined || context.stateVersion === null ? null : `state version ${context.stateVersion}`,
  ].filter(Boolean).join(", ");
}

/** The device of a user that was used last. */
export const lastUsed = ({ devices }) => [...devices ?? []].sort((first, second) => Date.parse(second.lastSeenAt) - Date.parse(first.lastSeenAt))[0];
