// Places of the person's devices, and which of them are offered.

import { ask } from "./account.js";
import { emit, invalid, unreadable } from "./errors.js";
import { isUUID } from "./identifiers.js";
import { modeOf, readServed, restoredPlace, situationOf } from "./launch.js";
import { beginRestore } from "./restores.js";
import { changeScene, newest, refusedArchives, sessionOf } from "./scenes.js";
import { jsonOf, noteMode, placeType, queryOf } from "./service.js";

/** The newest place of each device and scene. */
export async function listPlaces(client) {
    const answer = await ask(client, "GET", "/v1/places" + queryOf(client));
    const { items } = jsonOf(answer);
    if (!Array.isArray(items)) throw unreadable();
    const answeredAt = Date.parse(answer.field("Date")) || Date.now();
    const thisDevice = client._account.registration?.device;
    return items.filter(item => isUUID(item?.archive?.id)).map(({ archive, device, fidelity, isHead }) => ({
        archive: archive.id, scene: archive.scene, titles: [].concat(archive.place ?? []).map(String),
        device: { name: device?.name, model: device?.model, isThisDevice: archive.device === thisDevice },
        // By this device's clock, which may differ from the service's.
        date: new Date(Date.now() - Math.max(0, answeredAt - Date.parse(archive.capturedAt) || 0)),
        isLatest: isHead, isRestorable: fidelity !== "none", revision: archive.revision,
    }));
}

/** Offers a state of which this page has the text. */
export function offerPlace(session, served) {
    const { archive, text, description, age, head, isOwn } = served;
    const offer = description ?? {
        archive, scene: session.name, titles: JSON.parse(text).steps.map(({ title, screen }) => title ?? screen),
        device: { isThisDevice: isOwn }, date: new Date(Date.now() - 1000 * (age ?? 0)),
    };
    setOffer(session, { offer, served: { ...served, revision: head ?? served.revision }, head });
    return offer;
}

/** Makes an offer, or ends it. */
function setOffer(session, offered) {
    session._offered = offered;
    emit(session._client._scenes.get(session.name), "offer", offered?.offer);
}

/** Ends the offer, or only an offer of one archive. */
export function endOffer(session, archive) {
    const offered = session._offered;
    if (offered && offered.offer.archive === (archive ?? offered.offer.archive)) setOffer(session);
}

/**
 * Whether an archive must not be offered: this page restored it, this version of the app must not, the person dismissed it,
 * or it is this device's own.
 */
function isShown(record, session, archive) {
    const latest = newest(record);
    return [...session._shown, ...refusedArchives(record, session._client), ...record.dismissed, latest?.archive, latest?.restored?.archive].includes(archive);
}

/** Offers a newer place that the service served after the launch was decided. */
export function offerLater(session, remote) {
    return changeScene(session, (record, records) => {
        const { situation, answer } = situationOf(session, record, records, remote);
        if (answer.kind !== "served" || answer.isOwn || situation.mode === "off" || isShown(record, session, answer.archive)) return;
        // Work since the launch may be newer.
        if (["none", "left"].includes(session._work)) offerPlace(session, answer);
    });
}

export async function accept(client, name, archive) {
    const session = sessionOf(client, name);
    let served = session._offered?.served;
    if (served?.archive !== archive || served.text === undefined) {
        if (!isUUID(archive)) throw invalid("The place has no id.");
        const path = `/v1/scenes/${name}/archives/${archive}/restorable${queryOf(client)}`;
        const answer = await ask(client, "GET", path, { fields: { Accept: placeType } });
        noteMode(client, answer.field("Placekeeper-Restoration"));
        served = readServed(answer, client._account.registration);
    }
    await changeScene(session, (record, records, account) => {
        session._owner = account.owner;
        beginRestore(record, session, served);
    });
    return restoredPlace(name, served);
}

export async function dismiss(client, name, archive) {
    await changeScene(sessionOf(client, name), record => {
        record.dismissed = [...record.dismissed.filter(one => one !== archive).slice(-15), archive];
    });
    endOffer(sessionOf(client, name), archive);
}

/** Compares the places of all devices with the scenes of this page, and offers newer places of other devices. */
export async function refreshOffers(client) {
    const places = await listPlaces(client);
    for (const session of client._sessions.values()) {
        const head = places.find(({ scene, isLatest }) => scene === session.name && isLatest);
        if (!head || session._owner === undefined || session._launching) continue;
        const { archive, revision, isRestorable, device: { isThisDevice } } = head;
        await changeScene(session, (record, records) => {
            session._headIsOwn = isThisDevice;
            const isNews = !isThisDevice && isRestorable && modeOf(client, records) !== "off"
                && !isShown(record, session, archive) && !record.captures.length;
            if (!isNews) return session._offered?.head !== revision && endOffer(session);
            if (session._offered?.offer.archive !== archive) setOffer(session, { offer: head, head: revision });
        });
    }
}

