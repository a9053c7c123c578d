// Devices as text.

import { h } from "./dom.js";
import { capital, shortID } from "./format.js";
import { name, plain } from "./text.js";
import { icon } from "./components/icons.js";

export const idioms = ["phone", "pad", "mac", "tv", "vision", "carPlay"];

/** Returns a device's name for a text: its name, its model, or its idiom with the start of its id. */
export const deviceText = (device, id) => plain(
  device?.name || device?.model || `${capital(device?.idiom ?? "device")} ${shortID(device?.id ?? id ?? "")}`, 32);

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
