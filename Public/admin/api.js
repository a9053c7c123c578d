// Requests to the admin API: the token against forged requests, problems, expired sessions, and the requests of a view.

const base = "/admin/api";

/** A request that failed: a problem that the service described, or no answer (`status` 0). */
export class Problem extends Error {
  constructor(status, document, fields) {
    super(document.title ?? "The request failed");
    this.name = "Problem";
    this.status = status;
    this.code = document.code ?? "";
    this.title = document.title ?? `The service answered with ${status}`;
    this.detail = document.detail ?? "";
    this.retryAfter = Number(fields?.get("Retry-After")) || null;
  }

  get isOffline() {
    return this.status === 0;
  }
}

/** Whether an error only says that its view is gone. */
export const isAborted = (error) => error?.name === "AbortError";

/** What the page does if a session has expired. app.js sets it: it asks for the password, and resolves after log-in. */
let logInAgain = () => Promise.reject(new Error("not logged in"));
/** Reads the session again, for a new token against forged requests. */
let readSession = () => Promise.resolve();
let csrfToken = null;

export function configure(handlers) {
  ({ logInAgain, readSession } = handlers);
}

/** Sets the token that each change must carry. */
export function useToken(token) {
  csrfToken = token;
}

/** The requests that the shown view has made, newest last, for "as curl". */
let made = [];
export const requestsOfView = () => [...made];
export function startView() {
  made = [];
}

/** Makes a path whose values are percent-encoded: ``path`/apps/${app}/users` ``. */
export function path(parts, ...values) {
  return parts.reduce((text, part, index) => text + encode(values[index - 1]) + part);
}

/** Percent-encodes a text. Halves of characters, which cannot be encoded, are replaced. */
export const encode = (value) => encodeURIComponent(String(value).toWellFormed());

/** Makes a query of the values that are present, with its question mark. */
export function query(values) {
  const present = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return present.length ? `?${present.map(([name, value]) => `${name}=${encode(value)}`).join("&")}` : "";
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
      await logInAgain();
    } else if (problem.code === "csrf-token-invalid" && mayRenew) {
      // Another tab has logged in: its session has another token.
      mayRenew = false;
      await readSession();
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

function offline() {
  document.dispatchEvent(new CustomEvent("placekeeper:offline"));
  return new Problem(0, {
    code: "no-answer", title: "The service does not answer",
    detail: "It may be restarting. Nothing that you typed is lost.",
  });
}

async function content(response, as) {
  if (response.status === 204) return null;
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
  if (target.startsWith("/session") || target.startsWith("/set-up") || target.startsWith("/status")) return;
  made = made.filter((other) => other.method !== method || other.target !== target);
  made.push({ method, target, body });
  if (made.length > 20) made.shift();
}

const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns a request as a curl command that reads an API token from the environment. */
export function curl({ method, target, body }) {
  const parts = ["curl -sS"];
  if (method !== "GET") parts.push(`-X ${method}`);
  parts.push(`-H "Authorization: Bearer $PLACEKEEPER_TOKEN"`);
  if (body !== undefined) parts.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`);
  parts.push(quoted(location.origin + base + target));
  return parts.join(" ");
}
