// The sections of the "Service" area.

import { segments } from "./controls.js";
import { may } from "./session.js";

const sections = [
  ["service", "Health", "#/service"], ["administrators", "Administrators", "#/administrators", "listAdministrators"], ["tokens", "API tokens", "#/tokens", "listAPITokens"],
  ["sessions", "Sessions", "#/sessions"], ["account", "Your account", "#/account"], ["audit", "Log", "#/audit", "listServiceAudit"],
];

/** Whether an address belongs to the area. */
export const isOfService = (address) => sections.some(([, , href]) => href === address);

/** Links to the sections that the administrator may open. */
export const serviceSections = (current) => segments("Sections of the service", sections.filter(([, , , operation]) => !operation || may(operation))
  .map(([id, text, href]) => [`section-${id}`, text, href, id === current]));
