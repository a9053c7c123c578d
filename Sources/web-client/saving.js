// Saving: which states become captures, and whose work they are.

import { ask } from "./account.js";
import { ageOf, duration, now } from "./clock.js";
import { isAtPlace, showsSame } from "./comparison.js";
import { PlacekeeperError } from "./errors.js";
import { newUUID } from "./identifiers.js";
import { knownAnswers } from "./launch.js";
import { endOffer } from "./offers.js";
import { encodePlace } from "./place.js";
import { noteLife, ownState, writeWatch } from "./restores.js";
import { changeScene, isView, newest, newScene, nextSequence, openScene, Session, sessionOf } from "./scenes.js";
import { schedule } from "./sending.js";
import { contextOf } from "./service.js";
import { withLock } from "./tabs.js";

/** Saves a place. Resolves when it is on the disk. */
export async function save(client, name, place, interaction = "ifChanged") {
    const text = encodePlace(place, contextOf(client)), at = now(client), session = sessionOf(client, name);
    const isTold = interaction !== "ifChanged" && interaction !== "viewing";
    // The app's first screen, which it shows before it knows what to restore.
    if (session._launching && !isTold && !session._hasInteracted) {
        session._heldSave = { text, at };
        await session._launching;
    } else await saveText(session, text, interaction, at);
}

export async function saveText(session, text, interaction, at) {
    const client = session._client;
    let isNew = true;
    try {
        await client._store._transact(records => {
            const { account, key, record } = openScene(session, records);
            // Until the scene is launched for the new account, the page still shows the former one's content.
            if ((session._owner ?? client._firstOwner) !== account.owner) {
                throw new PlacekeeperError("account-changed", "The account changed: launch the scene again.");
            }
            const capture = addCapture(record, session, text, interaction, at, account);
            session._content = text;
            isNew = capture !== undefined;
            records.set(key, record);
            if (!capture) return;
            session._unsent = capture;
            if (!records.get("versions")) records.set("versions", { ...knownAnswers(client, records), isNew: false });
            if (account.isSignedOut && client._options.registersAnonymously !== false) records.set("account", { ...account, isSignedOut: false });
        }, session.name, true);
    } finally { if (isNew) schedule(session); }
}

/** Adds a capture to the record, unless the state is no news. */
function addCapture(record, session, text, interaction, at, account) {
    const latest = newest(record);
    let hasInteraction = interaction === "ifChanged" ? isChanged(session, text, latest) : interaction !== "viewing";
    if (hasInteraction) {
        const ago = duration(interaction?.ago);
        session.interactedAt = { ...at, wall: at.wall - ago, uptime: at.uptime - ago };
    } else {
        const { interactedAt } = session;
        // A screen that opened on its own, long after the last interaction, is nobody's work.
        if (interactedAt && ageOf(interactedAt, at) > 5 && latest && !isAtPlace(text, latest.text)) session._end();
        hasInteraction = session._hasInteracted;
    }
    if (!hasInteraction && account.isSignedOut) return;
    if (hasInteraction) {
        noteLife(record, session);
        session._restored = undefined;
        session._work = session._hasInteracted ? "saved" : "marked";
    } else if (session._work === "left") {
        session._restored = ownState(session._client, record).served;
        session._hasReported = true;
        session._work = "none";
    }
    // A first screen must not replace work on this device that was not restored.
    if (!hasInteraction && !session._restored && latest && !latest.isFirstScreen) return;
    // The same state is sent again when the person starts to work in a view-only state, or returns after working on
    // another device.
    const isReturn = latest && isView(latest) || session._headIsOwn !== true && !record.captures.length;
    if (latest?.text === text && !(hasInteraction && isReturn)) return;
    const restored = hasInteraction ? undefined : session._restored;
    // If the restored state is itself a view-only capture, the origin is the work that it shows.
    const origin = restored && (restored.origin ?? (restored.revision === undefined ? undefined
        : { archive: restored.archive, revision: restored.revision }));
    const looksAway = restored !== undefined && !isAtPlace(text, restored.text);
    // Without a revision of the pending work, the service cannot order the view-only capture below it.
    if (looksAway && !origin) return;
    const capture = {
        archive: newUUID(), sequence: nextSequence(record), text,
        interactedAt: session.interactedAt ?? restored?.interactedAt ?? at,
    };
    if (origin) capture.restored = origin;
    if (!hasInteraction && !restored) capture.isFirstScreen = true;
    if (looksAway) capture.looksAway = true;
    if (session._watch) {
        session._watch.saved = capture.archive;
        writeWatch(record, session);
    }
    // A view-only capture does not replace work.
    record.captures = [...record.captures.filter(earlier => isView(capture) && !isView(earlier)), capture];
    return capture;
}

/** Whether a place differs from what the scene showed before. */
function isChanged({ _content: content, _restored: restored }, text, latest) {
    if (content !== undefined) return !showsSame(text, content);
    if (restored) return !(restored.isOwn ? showsSame : isAtPlace)(text, restored.text);
    return latest === undefined || !showsSame(text, latest.text);
}

/** Records that the person is interacting with a scene. */
export function noteInteraction(client, name) {
    const session = sessionOf(client, name), at = now(client);
    session.interactedAt = at;
    session._work = "unsaved";
    return changeScene(session, record => noteLife(record, session));
}

/** Deletes the states of a scene, but not those saved since. */
export function forget(client, name) {
    return withLock(client, "send", async () => {
        const session = sessionOf(client, name), start = await changeScene(session, record => nextSequence(record));
        await ask(client, "DELETE", `/v1/scenes/${name}`).catch(error => {
            if (error.status !== 404) throw error;
        });
        await client._store._transact(records => {
            const { key, record } = openScene(session, records), { sequence } = record;
            // The service drops uploads of work from before the deletion, so the later work gets a later time.
            const interactedAt = session.interactedAt = now(client);
            const captures = record.captures.filter(capture => capture.sequence > start).map(capture => ({ ...capture, interactedAt }));
            records.set(key, { ...newScene(), captures, sequence });
            Object.assign(session, { _restored: undefined, _watch: undefined, _unsent: captures.at(-1) });
            if (!captures.length) client._sessions.set(name, new Session(client, name, session._owner));
        }, name);
        endOffer(session);
    });
}
