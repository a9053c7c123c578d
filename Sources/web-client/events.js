// The event stream: changes of the person's other devices, while the page is visible.

import { ask, registeredAccount } from "./account.js";
import { sleep } from "./clock.js";
import { PlacekeeperError, reportProblem, unreadable } from "./errors.js";
import { endOffer, refreshOffers } from "./offers.js";
import { jsonOf, noteFailure, noteMode, piecesOf, problemOf, send, waitOf } from "./service.js";

export function refreshSoon(client) {
    if (!client._follows) return;
    client._refreshing ??= sleep(0.1).then(() => {
        client._refreshing = undefined;
        return refreshOffers(client);
    }).catch(error => noteFailure(client, error));
}

export function closeEvents(client) {
    client._events?._connection?.abort();
    client._events = undefined;
}

export async function followEvents(client) {
    if (!client._follows || client._events || document.hidden) return;
    const events = client._events = {};
    try {
        while (client._events === events) {
            await readEvents(client, events).catch(error => {
                if (client._events === events) return noteFailure(client, error instanceof PlacekeeperError ? error : unreadable());
            });
            await sleep(Math.max(events._delay, await waitOf(client)));
        }
    } catch (error) { reportProblem(client, error); }
}

/** Reads one connection to its end. */
async function readEvents(client, events) {
    events._delay = Math.min(2 * events._delay || 1, 60);
    await readSettings(client);
    const { registration: { token } } = await registeredAccount(client);
    if (client._events !== events) return;
    const fields = { Accept: "text/event-stream" }, connection = events._connection = new AbortController();
    let timer, rest = "", event;
    // The service sends something every 15 seconds.
    const extend = () => {
        clearTimeout(timer);
        timer = setTimeout(() => connection.abort(), 45_000);
    };
    extend();
    try {
        const response = await send(client, "/v1/events", { token, fields, signal: connection.signal });
        if (!response.ok) throw problemOf(response, await response.text());
        // Earlier changes cause no event.
        refreshSoon(client);
        for await (const piece of piecesOf(response)) {
            extend();
            events._delay = 1;
            const lines = (rest + piece).split("\n");
            rest = lines.pop();
            if (rest.length > 1 << 16) throw unreadable();
            for (const line of lines) {
                const [, field, value] = /^(\w*):? ?(.*?)\r?$/.exec(line) ?? [];
                if (field === "event") event = value;
                if (line.trim()) continue;
                if (event === "settingsChanged") await readSettings(client);
                else if (event && event !== "outcomeReported") refreshSoon(client);
                event = undefined;
            }
        }
    } finally {
        clearTimeout(timer);
        connection.abort();
    }
}

async function readSettings(client) {
    noteMode(client, jsonOf(await ask(client, "GET", "/v1/manifest")).restoration);
    await client._store._transact(records => { records.set("mode", client._newMode); });
    if (client._newMode !== "off") return refreshSoon(client);
    for (const session of client._sessions.values()) endOffer(session);
}
