// What the service answered, and what the module decided, in plain words.

import { lookUp } from "../admin/dom.js";
import { blockerText, isCaution, offered, reasonText } from "../admin/reasons.js";

const launches = {
  "own-state": "Its own place opened at once.",
  "fresh-installation": "It was new, so the person’s newest place opened without a question.",
  "other-device": "Its own place opened. The newer place of the other device is only offered.",
  "already-offered": "Its own place opened. The other device’s place was offered before.",
  superseded: "It opened what it may open. The newest place is refused here.",
  "nothing-stored": "Nothing is stored yet, so the library opened.",
  crashed: "The place that crashed the app is not opened again.",
  offline: "The service cannot be reached, so its own place opened.",
  busy: "The service asked to wait, so its own place opened.",
  deadline: "The answer took too long, so its own place opened. A newer place is offered later.",
  revoked: "The service no longer knows this device. It registers again.",
  "restoration-off": "The operator turned restoring off.",
  "restoration-offered": "The operator lets places only be offered.",
};

/** Why a launch opened what it opened, from the launch's reason. */
export const launched = (code) => lookUp(launches, code) ?? `It opened what it may open: ${blockerText({ code, blocks: "place" })}.`;

/** What the service's explanation says against the newest place. */
export function why({ candidates = [] } = {}) {
  const [{ archive, reasons = [] } = {}] = candidates;
  const against = reasons.filter((reason) => !isCaution(reason) && reason.blocks !== "full");
  const refused = against.length ? `“${archive.place?.at(-1) ?? "The newest place"}” is refused: ${against.map(reasonText).join("; ")}.` : "";
  return refused + offered(reasons);
}

/** Says what an answer of the service means. Returns nothing for an answer that changes nothing for the person. */
export function answered({ address, options: { method = "GET", headers, body }, response: { status, headers: fields } }) {
  const { pathname } = new URL(address), is = (start, end) => method === start && pathname.endsWith(end);
  const revision = fields.get("Placekeeper-Revision"), head = fields.get("Head-Revision");
  if (status >= 500 || status === 401 || status === 429) return { kind: "refused", text: `The service refused a request (${status}).` };
  if (is("POST", "/v1/devices")) return { kind: "registered", text: "Registered as a new device." };
  if (is("POST", "/devices/self/link") && status < 300) return { kind: "linked", text: "Joined the person of the other device." };
  if (is("POST", "/link-codes") && status < 300) return { kind: "code", text: "Made a code. It is valid for ten minutes, and adds one device." };
  if (is("POST", "/outcomes") && status < 300) return outcomes[JSON.parse(body).result];
  if (method === "PUT" && status < 300) return stored(headers["Restored-From"] !== undefined, revision === head);
  if (!is("GET", "/archives/latest")) return undefined;
  if (status === 404) return { kind: "nothing", text: "No place is stored for this person yet." };
  if (status === 406) return { kind: "refusal", text: "No stored place may open on this device.", asksWhy: true };
  if (fields.get("Placekeeper-Superseded")) return { kind: "refusal", text: "Served an earlier place, because the newest one may not open here.", asksWhy: true };
  if (fields.get("Placekeeper-Caution")) return { kind: "refusal", text: "Served the place, but only to be offered.", asksWhy: true };
  if (status === 304) return { kind: "same", text: "Nothing is newer than what this device has." };
  return { kind: "served", text: "Served the person’s newest place." };
}

const outcomes = {
  crashed: { kind: "crashed", text: "Noted that this place crashed the app here. This version does not get it again." },
  failed: { kind: "crashed", text: "Noted that this place could not be opened here." },
  restored: { kind: "restored", text: "Noted that the place opened well." },
};

function stored(isLook, isNewest) {
  if (isLook) return { kind: "look", text: "Kept this as a look. It never replaces the work of another device." };
  if (isNewest) return { kind: "stored", text: "Stored. This is now the person’s newest place." };
  return { kind: "late", text: "Stored, but it came late: the other device worked later, so that place stays the newest." };
}
