// The session of the administrator.

import { send, useToken } from "./api.js";
import { Problem } from "./problems.js";

/** @type {{administrator: {id: string, name: string, role: string}, csrfToken: string} | null} */
let session = null;

const ranks = ["viewer", "operator", "owner"];

export const administrator = () => session?.administrator ?? null;

/** Whether the administrator has at least a role. */
export const may = (role) => ranks.indexOf(session?.administrator?.role) >= ranks.indexOf(role);

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
