// Sending: the queue of captures and outcomes of all scenes.

import { endRegistration, folderOf, readAccount, registeredAccount, sceneKeys } from "./account.js";
import { ageOf, now, sleep, uptime } from "./clock.js";
import { isAboutRoom, isTemporary, isUnauthorized, PlacekeeperError, reportProblem, unreadable } from "./errors.js";
import { refreshSoon } from "./events.js";
import { endOffer } from "./offers.js";
import { acknowledge, bySequence, changeScene, isView, openScene, readScene, sessionOf } from "./scenes.js";
import { jsonBody, noteFailure, placeType, request, revisionOf, waitOf } from "./service.js";
import { withLock } from "./tabs.js";

/** Sends the scene's states soon. */
export function schedule(session) {
    const client = session._client, { sendDelay } = client._options, at = uptime();
    session._firstSavedAt ??= at;
    clearTimeout(session._timer);
    session._timer = setTimeout(() => {
        session._firstSavedAt = undefined;
        sendPending(client);
    }, 1000 * Math.min(sendDelay, session._firstSavedAt + 5 * sendDelay - at));
}

/** Sends everything that is pending, unless a failure or the service asks to wait. Never throws. */
export function sendPending(client) {
    // A pass that is under way may miss what was saved since it began.
    client._again = client._working !== undefined;
    client._working ??= sendScenes(client).catch(async error => {
        await noteFailure(client, error);
        reportProblem(client, error);
    }).finally(async () => {
        client._working = undefined;
        clearTimeout(client._timer);
        if (client._again) return sendPending(client);
        const wait = await sendingWait(client);
        if (wait > 0 && await countPending(client)) client._timer = setTimeout(() => sendPending(client), wait * 1000 + 50);
    }).catch(error => reportProblem(client, error));
    return client._working;
}

/** The seconds until the client may send. */
const sendingWait = async client => Math.max(await waitOf(client), client._retryAt - uptime());

async function sendScenes(client) {
    if (await sendingWait(client) > 0 || !await countPending(client)) return;
    await registeredAccount(client);
    await withLock(client, "send", async () => {
        const keys = await client._store._transact(records => records.keys(`scene/${folderOf(readAccount(client, records))}/`));
        let failure;
        for (const key of keys) {
            try { await sendScene(sessionOf(client, key.split("/")[2])); } catch (error) {
                if (error.code === "offline" || error.code === "busy" || error.status === 401) throw error;
                failure ??= error;
            }
        }
        if (failure) throw failure;
    });
}

/** The number of unsent captures and outcomes. */
export function countPending(client) {
    return client._store._transact(records => {
        let count = 0;
        for (const key of sceneKeys(records, readAccount(client, records))) {
            const { captures, outcomes } = readScene(records, key);
            count += captures.length + outcomes.length;
        }
        return count;
    }, "");
}

/** Sends the captures and outcomes of a scene in order. Throws if the rest can only be sent later. */
export async function sendScene(session) {
    const client = session._client;
    for (;;) {
        const { registration, item } = await client._store._transact(records => {
            const { account, record: { captures, outcomes } } = openScene(session, records);
            const waiting = captures.filter(({ archive }) => !(client._withoutRoom.get(archive) > uptime()));
            return { ...account, item: [...waiting, ...outcomes].sort(bySequence)[0] };
        }, session.name);
        if (!item) return;
        if (!registration) throw new PlacekeeperError("not-registered", "The device is not registered.");
        await sendItem(session, item, registration);
    }
}

/** Sends a capture or an outcome. Throws if it can only be sent later. */
export async function sendItem(session, item, { token, device }, keepalive) {
    const client = session._client;
    let answer, error;
    try {
        answer = await request(client, ...requestOf(session, item), { token, keepalive, ...bodyOf(item, now(client)) });
        if (item.text ? revisionOf(answer.field("Placekeeper-Revision")) === undefined : answer.status !== 204) throw unreadable();
    } catch (failure) {
        error = failure;
        if (isUnauthorized(error)) await endRegistration(client, token);
        if (isUnauthorized(error) || isTemporary(error) || !error.status) throw error;
    }
    await changeScene(session, (record, records, account) => {
        if (account.registration?.device !== device) return;
        if (!item.text) record.outcomes = record.outcomes.filter(({ id }) => id !== item.id);
        else if (answer) noteSent(session, record, item, answer);
        else if (isAboutRoom(error)) client._withoutRoom.set(item.archive, uptime() + 3600);
        // Sending the same capture again does not help.
        else record.captures = record.captures.filter(({ archive }) => archive !== item.archive);
    });
    if (!error || !item.text || error.status === 410) return;
    client._lost = isAboutRoom(error) ? error : new PlacekeeperError("state-refused", `${error.code}: ${error.message}`, { cause: error });
    reportProblem(client, client._lost);
}

function noteSent(session, record, capture, { field }) {
    const revision = revisionOf(field("Placekeeper-Revision"));
    acknowledge(record, capture, field("ETag"), revision);
    if (session._unsent?.archive === capture.archive) session._unsent = undefined;
    const isHead = revisionOf(field("Head-Revision")) === revision;
    if (!record.captures.length || isHead) session._headIsOwn = isHead;
    if (isHead) endOffer(session);
    else refreshSoon(session._client);
}

/** Sends everything, and waits until it is sent. */
export async function flush(client, deadline) {
    const end = uptime() + deadline / 1000;
    client._retryAt = 0;
    for (const session of client._sessions.values()) clearTimeout(session._timer);
    client._lost = undefined;
    while (!client._lost && await countPending(client)) {
        const left = end - uptime();
        if (left <= 0) throw new PlacekeeperError("unsent-states", "Not everything was sent.", { cause: client._problem });
        await Promise.race([sendPending(client), sleep(left)]);
        if (await countPending(client)) await sleep(0.1);
    }
    if (client._lost) throw client._lost;
}

const requestOf = ({ name }, { text, archive }) => [text ? "PUT" : "POST", `/v1/scenes/${name}/archives/${archive}${text ? "" : "/outcomes"}`];

function bodyOf(item, now) {
    if (!item.text) return jsonBody(item.body);
    return { body: item.text, fields: {
        "Content-Type": placeType, "Interaction-Age": ageOf(item.interactedAt, now).toFixed(3), "Capture-Sequence": item.sequence,
        ...isView(item) && { "Restored-From": item.restored?.revision ?? 0 },
    } };
}
