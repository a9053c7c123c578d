// Requests to the admin API: the token against forged requests, problems, expired sessions, and the requests of a view.

import { isAborted, offline, Problem } from "./problems.js";

/** Where the admin API is. */
export const base = "/admin/api";

/** The token that each change must carry. */
let csrfToken = null;

/** Uses the token of a session. */
export function useToken(token) {
  csrfToken = token;
}

/** How a request goes on without a session: `logIn` asks for the password, `read` reads the session of another tab. */
let renewal = null;

export function renewBy(functions) {
  renewal = functions;
}

/** The requests that the shown view has made, newest last, for "as curl". */
let made = [];

export const madeRequests = () => made;

/** Forgets the requests of the previous view. */
export function forgetRequests() {
  made = [];
}

/**
 * Sends a request. If the session has expired, the person logs in again, and the request is repeated.
 * @param {string} method
 * @param {string} target the path below the API's base, with its query
 * @param {{body?: unknown, type?: string, ifMatch?: string, signal?: AbortSignal, as?: "json" | "blob",
 *   isOpen?: boolean}} options `isOpen`: the request needs no session
 * @returns {Promise<{data: any, etag: string | null}>}
 */
export async function send(method, target, options = {}) {
  note(method, target, options.body);
  let mayRenew = true;
  for (;;) {
    const response = await attempt(method, target, options);
    if (response.ok) return { data: await content(response, options.as), etag: response.headers.get("ETag") };
    const problem = await describe(response);
    options.signal?.throwIfAborted();
    if (problem.code === "not-logged-in" && !options.isOpen) {
      await renewal.logIn();
    } else if (problem.code === "csrf-token-invalid" && mayRenew) {
      // Another tab has logged in: its session has another token.
      mayRenew = false;
      await renewal.read();
    } else {
      throw problem;
    }
    options.signal?.throwIfAborted();
  }
}

async function attempt(method, target, { body, type, ifMatch, signal }) {
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = type ?? "application/json";
  if (ifMatch) headers["If-Match"] = ifMatch;
  if (method !== "GET" && csrfToken) headers["X-CSRF-Token"] = csrfToken;
  try {
    const response = await fetch(base + target, {
      method, headers, signal, cache: "no-store", credentials: "same-origin",
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (response.status < 502 || response.status > 504) document.dispatchEvent(new CustomEvent("placekeeper:answer"));
    return response;
  } catch (error) {
    if (isAborted(error)) throw error;
    throw offline();
  }
}

async function content(response, as) {
  if ([202, 204].includes(response.status)) return null;
  try {
    return as === "blob" ? await response.blob() : await response.json();
  } catch (error) {
    if (isAborted(error)) throw error;
    throw new Problem(response.status, { title: "The answer is not readable", code: "answer-unreadable" });
  }
}

async function describe(response) {
  let document = {};
  try {
    document = await response.json();
  } catch {
    // A proxy's error page is not a problem document.
  }
  return new Problem(response.status, typeof document === "object" && document ? document : {}, response.headers);
}

/** Sends a GET request and returns the answer's content. */
export const get = async (target, signal, as) => (await send("GET", target, { signal, as })).data;

function note(method, target, body) {
  if (target.startsWith("/session") || target.startsWith("/set-up") || target.startsWith("/invitation") || target.startsWith("/status")) return;
  made = made.filter((other) => other.method !== method || other.target !== target);
  made.push({ method, target, body });
  if (made.length > 20) made.shift();
}
