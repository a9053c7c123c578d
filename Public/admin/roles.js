// The roles of administrators and API tokens.

import { h, lookUp } from "./dom.js";
import { badge } from "./facts.js";
import { administrator, leastRole, may } from "./session.js";
import { plain } from "./texts.js";

export const roles = [
  ["viewer", "Viewer: reads, without contents"],
  ["operator", "Operator: also changes archives and decides about items"],
  ["owner", "Owner: also changes settings, apps, administrators and tokens"],
];

export const roleBadge = (role) => badge(plain(role), lookUp({ owner: "accent", operator: "good" }, role));

const whoMay = { operator: "an operator or an owner", owner: "an owner" };

/** Says why the administrator may not use an operation, and who can: null if they may. */
export const denied = (operation, act) => may(operation) ? null
  : `Only ${whoMay[leastRole(operation)]} can ${act}. You are ${administrator()?.role === "viewer" ? "a viewer" : "an operator"}.`;

/** The text of `denied` below disabled controls. */
export const deniedNote = (operation, act) => denied(operation, act) && h("p.quiet", null, denied(operation, act));
