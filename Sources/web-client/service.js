// Requests to the service, and how long to wait before the next.

import { ageOf, now } from "./clock.js";
import { isTemporary, isUnauthorized, PlacekeeperError, unreadable } from "./errors.js";

export const placeType = "application/vnd.placekeeper.place+json";

/** The version, layout and idiom that the service compares. */
export function contextOf({ _options: { idiom, layout, bundleVersion, stateVersion } }) {
    return { idiom, layout, bundleVersion, stateVersion };
}

/** The context as a query. JSON leaves out undefined members. */
export const queryOf = client => "?" + new URLSearchParams(JSON.parse(JSON.stringify(contextOf(client))));

export const send = ({ _server: server, _page: page }, path, { token, fields, ...options }) => fetch(server + path, {
    ...options, credentials: "omit", cache: "no-store", redirect: "error", referrerPolicy: "no-referrer",
    headers: { "Launch-Id": page, ...token && { Authorization: `Bearer ${token}` }, ...fields },
});

/**
 * Sends a request. Returns its status, fields and text. Throws a `PlacekeeperError`, with the `status` and the
 * `document` of the service's problem.
 */
export async function request(client, method, path, options) {
    try {
        const response = await send(client, path, { method, signal: AbortSignal.timeout(30_000), ...options });
        const text = await readText(response), { status, headers } = response;
        if (!response.ok && status !== 304) throw problemOf(response, text);
        client._failures = 0;
        if (client._problem && isTemporary(client._problem)) client._problem = undefined;
        return { status, text, field: name => headers.get(name) ?? undefined };
    } catch (error) {
        if (error instanceof PlacekeeperError) throw error;
        const message = `${client._server} cannot be reached, or the app's webOrigins do not list ${location.origin}.`;
        throw new PlacekeeperError("offline", message, { cause: error });
    }
}

export const jsonBody = body => ({ body: JSON.stringify(body), fields: { "Content-Type": "application/json" } });

export function problemOf({ status, headers }, text) {
    const wait = headers.get("Retry-After");
    const retryAfter = wait ? /^\d{1,9}$/.test(wait) ? Number(wait) : 60 : undefined;
    let problem;
    try { problem = JSON.parse(text); } catch { /* It is no problem document. */ }
    if (typeof problem?.code !== "string" || problem.status !== status) {
        const message = `The answer with status ${status} is not from the service.`;
        // A long `Retry-After` of a proxy is shortened.
        return new PlacekeeperError("offline", message, { retryAfter: retryAfter && Math.min(retryAfter, 300) });
    }
    const isBusy = ["throttled", "overloaded", "draining"].includes(problem.code);
    const error = new PlacekeeperError(isBusy ? "busy" : problem.code, String(problem.detail), { retryAfter });
    return Object.assign(error, { status, document: problem });
}

export function jsonOf({ text }) {
    try { return JSON.parse(text); } catch { throw unreadable(); }
}

/** The pieces of a response's text. */
export async function* piecesOf({ body }) {
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    try {
        for (let piece; reader && !(piece = await reader.read()).done;) yield piece.value;
    } finally { reader?.cancel().catch(() => undefined); }
}

/** The text of a response, which has a limit. */
async function readText(response) {
    let text = "";
    for await (const piece of piecesOf(response)) {
        text += piece;
        if (text.length > 8 << 20) throw unreadable();
    }
    return text;
}

export const revisionOf = text => /^\d{1,15}$/.test(text) ? Number(text) : undefined;

/** The service names the mode with places to restore, unless it is `auto`. */
export function noteMode(client, mode) { client._newMode = ["offer", "off"].includes(mode) ? mode : "auto"; }

/** Waits after a failure. The service's own wait also holds for later pages. */
export async function noteFailure(client, error) {
    if (!isTemporary(error) && !isUnauthorized(error)) return;
    const from = now(client), seconds = Math.min(error.retryAfter, 86_400);
    client._failures = Math.min(client._failures + 1, 10);
    client._retryAt = from.uptime + Math.min(300, 2 ** client._failures / 2) * (0.5 + Math.random() / 2);
    if (!(seconds > 0)) return;
    await client._store._transact(records => {
        serviceWait(client, records);
        if (from.uptime + seconds <= client._busyUntil) return;
        client._busyUntil = from.uptime + seconds;
        records.set("retry", { from, seconds });
    });
}

/** The seconds for which the service asked to wait. The wait of another page is computed once: a wall clock may be set. */
function serviceWait(client, records) {
    const { from, seconds } = records.get("retry") ?? {}, at = now(client);
    const rest = Math.min(seconds - ageOf(from, at), 86_400);
    if (rest > 0 && from?.page !== client._page && from?.wall !== client._knownRetry) {
        client._busyUntil = Math.max(client._busyUntil, at.uptime + rest);
    }
    client._knownRetry = from?.wall;
    const wait = Math.max(0, client._busyUntil - at.uptime);
    if (from && wait === 0) records.set("retry");
    return wait;
}

/** The seconds to wait, read in a transaction of its own. */
export const waitOf = client => client._store._transact(records => serviceWait(client, records));
