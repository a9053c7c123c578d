// What the service answered, and what the module decided, in plain words.

import { lookUp } from "../admin/dom.js";
import { blockerText, isCaution, offered, reasonText } from "../admin/reasons.js";

const launches = {
  "own-state": "Opened its own place at once.",
  "fresh-installation": "Opened the person’s newest place without a question, because the device was new.",
  "other-device": "Opened its own place, and offers the other device’s newer one.",
  "already-offered": "Opened its own place. The other device’s place was offered before.",
  superseded: "Opened what it may open: the newest place is refused here.",
  incompatible: "Opened what it may open: the newest place does not fit this device.",
  "nothing-stored": "Opened the library.",
  "restoration-off": "Opened the library: the operator turned restoring off.",
  "restoration-offered": "Opened the library, and offers the place: the operator lets places only be offered.",
  "sign-in-required": "Opened its own place: the person must sign in.",
  "not-registered": "Opened its own place: the device is not registered.",
  "app-unknown": "This link’s key is unknown here: open the link that make run prints.",
  revoked: "Opened its own place: the service ended the device’s registration.",
  crashed: "Did not open the place that crashed the app.",
  offline: "Opened its own place, because the service cannot be reached.",
  busy: "Opened its own place, because the service asked to wait.",
  deadline: "Opened its own place, because the answer took too long.",
};

/** Why a launch opened what it opened. The reason is the module's, or a rule of the service. */
export const launched = (code) => lookUp(launches, code) ?? `Opened what it may open: ${blockerText({ code, blocks: "place" })}.`;

/** What the service's explanation says against the newest place. */
export function why({ candidates = [] } = {}) {
  const [{ archive, reasons = [] } = {}] = candidates;
  const against = reasons.filter((reason) => !isCaution(reason) && reason.blocks !== "full");
  const refused = against.length ? `“${archive.place?.at(-1) ?? "The newest place"}” is refused: ${against.map(reasonText).join("; ")}.` : "";
  return refused + offered(reasons);
}

/** What an answer of the service means for the person. */
export function answered({ address, options: { method = "GET", headers, body }, response: { status, headers: fields } }) {
  const { pathname } = new URL(address), is = (start, end) => method === start && pathname.endsWith(end);
  const revision = fields.get("Placekeeper-Revision"), head = fields.get("Head-Revision");
  const isLatest = is("GET", "/archives/latest");
  if (status >= 400 && !(isLatest && [404, 406].includes(status))) return { kind: "refusal", text: `Refused a request: ${status}.` };
  if (is("POST", "/v1/devices")) return { kind: "registered", text: "Registered as a new device." };
  if (is("POST", "/link")) return { kind: "linked", text: "Joined the person of the other device." };
  if (is("POST", "/link-codes")) return { kind: "code", text: "Made a code, which adds one device within ten minutes." };
  if (is("POST", "/outcomes")) return outcomes[JSON.parse(body).result];
  if (method === "PUT") return stored(headers["Restored-From"] !== undefined, revision === head);
  if (!isLatest) return undefined;
  if (status === 404) return { kind: "nothing", text: "No place is stored for this person yet." };
  if (status === 406) return { kind: "refusal", text: "Served nothing.", asksWhy: true };
  if (fields.get("Placekeeper-Superseded")) return { kind: "refusal", text: "Served an earlier place.", asksWhy: true };
  if (fields.get("Placekeeper-Caution")) return { kind: "refusal", text: "Served the place, but only to be offered.", asksWhy: true };
  if (status === 304) return { kind: "same", text: "Nothing is newer than what this device has." };
  return { kind: "served", text: "Served the person’s newest place." };
}

const outcomes = {
  crashed: { kind: "crashed", text: "Noted the crash. This version of the app does not get the place again." },
  restored: { kind: "restored", text: "Noted that the place opened well." },
};

function stored(isLook, isNewest) {
  if (isLook) return { kind: "look", text: "Stored as a look, which never replaces work." };
  if (isNewest) return { kind: "stored", text: "Stored. This is now the person’s newest place." };
  return { kind: "late", text: "Stored, but it came late: the other device’s place is newer." };
}
