// The session of the administrator.

import { send, useToken } from "./api.js";
import { lookUp } from "./dom.js";
import { Problem } from "./problems.js";

/** @type {{administrator: {id: string, name: string, role: string}, roles: Record<string, string>, csrfToken: string} | null} */
let session = null;

const ranks = ["viewer", "operator", "owner"];

export const administrator = () => session?.administrator ?? null;

/** The least role of an operation, which the service names by its `operationId`. */
export const leastRole = (operation) => lookUp(session?.roles ?? {}, operation) ?? "viewer";

/** Whether the administrator may use an operation. */
export const may = (operation) => ranks.indexOf(session?.administrator?.role) >= ranks.indexOf(leastRole(operation));

/** Uses a session that the service has begun. */
export function use(next) {
  const before = session?.administrator;
  session = next;
  useToken(next?.csrfToken ?? null);
  const now = next?.administrator;
  if (before && (before.id !== now?.id || before.role !== now?.role)) {
    document.dispatchEvent(new CustomEvent("placekeeper:administrator"));
  }
}

/** Reads the session. Returns false if nobody is logged in. */
export async function readSession() {
  try {
    use((await send("GET", "/session", { isOpen: true })).data);
    return true;
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return false;
    throw error;
  }
}
