// The audit log in words: its actions, its actors, and the details of changes.

import { devicesOf } from "./devices.js";
import { h, lookUp } from "./dom.js";
import { counted, exactBytes } from "./formats.js";
import { name } from "./names.js";
import { groupsFor } from "./settings-fields.js";
import { plain } from "./texts.js";

/** The actions in the log of an app, by their kind. */
const ofApp = {
  changes: {
    "settings-changed": "Changed settings", "restores-stopped": "Stopped restores", "restores-allowed": "Allowed restores again",
    "restores-failing": "Noticed that restores fail", "head-made": "Made an archive the head", "archive-deleted": "Deleted an archive",
    "archive-undeleted": "Undid the deletion of an archive", decided: "Decided about two items", exported: "Exported a user’s data",
    imported: "Imported a user’s data", erased: "Erased a user", "app-created": "Created the app", "app-deleted": "Deleted the app", "device-revoked": "Revoked a device", "keys-changed": "Changed the app’s keys",
    "data-sources-changed": "Changed the data sources", "backed-up": "Made a backup", restored: "Restored a backup", transferred: "Moved all data to another database",
  },
  reads: {
    shown: "Looked at a user’s data", searched: "Searched", "users-listed": "Listed the users", "events-followed": "Followed the events",
    "restores-summarized": "Read a summary of the restores", "settings-tried": "Tried settings",
  },
  "log-ins": { "signed-in": "Signed in", "signed-out": "Signed out", "token-expired": "Token expired" },
};

/** The actions in the log of the service, by their kind. */
const ofService = {
  changes: {
    "administrator-invited": "Made an invitation link", "administrator-created": "Added an administrator", "administrator-changed": "Changed an administrator",
    "administrator-removed": "Removed an administrator", "token-created": "Made an API token", "token-revoked": "Revoked an API token",
    "password-changed": "Changed their password", "second-factor-added": "Added a second factor", "second-factor-removed": "Removed a second factor",
    "session-ended": "Ended a session",
  },
  reads: {},
  "log-ins": { "logged-in": "Logged in", "log-in-failed": "Failed to log in", "logged-out": "Logged out" },
};

const all = Object.assign({}, ...Object.values(ofApp), ...Object.values(ofService));

/** The kinds of entries in the log of an app, or of the service. */
export const kindsIn = (app) => [["changes", "Changes"], ...app ? [["reads", "Reads"]] : [], ["log-ins", app ? "Sign-ins" : "Log-ins"], ["all", "All"]];

/** The actions of a kind, each `[code, words]`, in the log of an app or of the service. */
export const actionsIn = (app, kind) => {
  const log = app ? ofApp : ofService;
  return Object.entries(Object.assign({}, ...kind === "all" ? Object.values(log) : [lookUp(log, kind) ?? {}]));
};

/** An action in words. */
export const actionText = (action) => lookUp(all, action) ?? plain(action);

/** Names who did something: `anna`, with their kind. */
export function actorText(actor) {
  const [kind, ...rest] = String(actor).split(" ");
  const who = name(rest.join(" "), { limit: 40, isPlain: true });
  return lookUp({
    user: "The user", breaker: "The automatic stop", unknown: "Unknown person", administrator: who,
    command: [who, h("span.quiet", null, ", by a command")], token: ["API token ", who],
  }, kind) ?? name(actor, { limit: 40, isPlain: true });
}

/** The details of an entry: of changed settings, each with its value before and after. */
export function detailText({ action, detail }) {
  if (!detail) return h("span.quiet", null, "–");
  if (action === "settings-changed") return h("ul.lines", null, detail.split("; ").map((change) => h("li", null, changeText(change))));
  const [source, target, idiom] = detail.split(" ");
  if (action === "restores-failing" && idiom) return `Archives of version ${plain(source, 20)} on ${devicesOf(idiom)} with version ${plain(target, 20)}`;
  return name(detail, { limit: 1_000, label: "detail" });
}

/** The settings of the form, and one that only the command and the API change. */
const fields = [...groupsFor({}).flatMap(([, some]) => some), { key: "webOrigins", path: ["webOrigins"], label: "Origins of web pages", kind: "list" }];

/** A changed setting: `Maximum age: 30d → 14d`. The service leaves out long values. */
function changeText(text) {
  const [, path, before, after] = /^([\w.]+)(?:: (.*) to (.*))?$/s.exec(text) ?? [];
  // A command writes its own names of the settings.
  const field = fields.find((one) => one.path.join(".") === path || one.key === path);
  const value = (word) => h("b", null, name(optionText(field, word), { limit: 100, label: "value" }));
  if (path === undefined) return name(text, { limit: 1_000, label: "detail" });
  return [before === undefined ? "Changed: " : null, h("span", { title: path }, field?.label ?? path), before === undefined ? null : [": ", value(before), " → ", value(after)]];
}

/** The value of a setting in words. */
function optionText(field, word) {
  if (word === "[]") return "none";
  if (field?.kind === "flag") return lookUp({ true: "on", false: "off" }, word) ?? word;
  if (field?.kind === "bytes" && /^\d+$/.test(word)) return sizeText(Number(word));
  if (field?.kind === "list") return word.replace(/^\[|\]$/g, "");
  if (field?.kind === "idioms" && word !== "none") return word.replace(/^\[|\]$/g, "").split(/, ?/).map(devicesOf).join(", ");
  return field?.options?.find(([value]) => value === word)?.[1] ?? word;
}

/** An exact number of bytes with its unit: `256MiB`, or `1,000 bytes`. */
const sizeText = (value) => /\d$/.test(exactBytes(value)) ? counted(value, "byte") : exactBytes(value);
