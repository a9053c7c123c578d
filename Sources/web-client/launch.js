// A launch: what the device and the service know, and the decision.

import { ask, loadAccount, registeredAccount } from "./account.js";
import { ageOf, now, sleep, uptime } from "./clock.js";
import { shownBy } from "./comparison.js";
import { decideLaunch, isRefused } from "./decision.js";
import { isTemporary, isUnauthorized, PlacekeeperError, reportProblem, unreadable } from "./errors.js";
import { isUUID } from "./identifiers.js";
import { listPlaces, offerLater, offerPlace } from "./offers.js";
import { decodePlace } from "./place.js";
import { beginRestore, countDeaths, hasCrashedOften, ownState } from "./restores.js";
import { saveText } from "./saving.js";
import { cautionOf, changeScene, newest, note, openScene, refusedArchives, sessionOf } from "./scenes.js";
import { sendScene } from "./sending.js";
import { noteFailure, noteMode, placeType, queryOf, revisionOf, waitOf } from "./service.js";
import { endedInOrder, withLock } from "./tabs.js";

/** Launches a scene, within a deadline in milliseconds. */
export function launch(client, name, deadline) {
    const first = sessionOf(client, name), call = { end: uptime() + deadline / 1000 };
    // If another tab has changed the account, this page's sessions have ended.
    const launching = loadAccount(client).then(() => {
        const session = sessionOf(client, name);
        session._launching = launching;
        return launchNow(session, call);
    });
    first._launching = launching;
    const launched = launching.finally(async () => {
        const session = sessionOf(client, name), held = session._heldSave ?? first._heldSave;
        session._launching = first._launching = session._heldSave = undefined;
        if (held && !session._restored && !session._hasLocal) {
            await saveText(session, held.text, "viewing", held.at).catch(error => reportProblem(client, error));
        }
    });
    const late = sleep(deadline / 1000).then(() => {
        call._isLate = true;
        return { reason: "deadline" };
    });
    return Promise.race([launched, late]).catch(error => {
        if (error.code !== "storage-failed") throw error;
        reportProblem(client, error);
        return { reason: error.code };
    });
}

async function launchNow(session, call) {
    const { _client: client, name } = session, start = uptime(), hasEnded = await endedInOrder(client);
    const hurries = await client._store._transact(records => {
        const { account, key, record } = openScene(session, records);
        session._owner = account.owner;
        countDeaths(client, record, records, hasEnded);
        records.set(key, record);
        return modeOf(client, records) === "auto" && account.registration && !account.unanswered
            && ownState(client, record).served && !newest(record).isFirstScreen
            && !hasCrashedOften(client, records) && !asksFirst(knownAnswers(client, records), name, now(client));
    }, name);
    const asked = askLatest(session);
    // The rest of the time is for the decision.
    const wait = Math.min(hurries ? 0.05 : Infinity, 0.9 * (call.end - start)) - (uptime() - start);
    const unasked = hurries ? { kind: "notAsked" } : { kind: "unavailable", reason: "deadline" };
    const late = sleep(wait).then(() => ({ ...unasked, _isLate: true }));
    const remote = await Promise.race([asked, late]), launch = await decide(session, remote, call);
    if (remote._isLate) asked.then(answer => offerLater(session, answer)).catch(error => reportProblem(client, error));
    return launch;
}

/** Whether launches restore, offer or do nothing. */
export const modeOf = (client, records) => client._newMode ?? records.get("mode") ?? "auto";

/**
 * What this device knows of the service's answers to this version of the app: when the version was first seen after
 * another one, when the service answered last, the scenes whose own state it refused, and whether it stopped all restores.
 */
export function knownAnswers(client, records) {
    const { bundleVersion } = client._options, known = records.get("versions"), at = now(client);
    if (known?.bundleVersion === bundleVersion) return known;
    return { bundleVersion, since: known && at, answeredAt: at, refused: [], isNew: true };
}

/** Whether the service may refuse this device's own state by now. */
function asksFirst({ isNew, isStopped, refused, since, answeredAt }, name, at) {
    return isNew || isStopped || refused.includes(name)
        || since !== undefined && ageOf(since, at) < 86_400 && ageOf(answeredAt, at) >= 600;
}

/** The service's answer to a launch. Pending states are sent first, so the service compares them with others. */
async function askLatest(session) {
    const { _client: client, name } = session;
    try {
        if (await waitOf(client) > 0) return { kind: "unavailable", reason: "busy" };
        await registeredAccount(client);
        await withLock(client, "send", () => sendScene(session));
        const [tag, registration] = await changeScene(session, ({ last, captures, tag }, records, { registration }) =>
            [last && !captures.length && tag?.archive === last.archive ? tag.tag : undefined, registration]);
        const fields = { Accept: placeType, ...tag && { "If-None-Match": tag } };
        const answer = await ask(client, "GET", `/v1/scenes/${name}/archives/latest${queryOf(client)}`, { fields });
        noteMode(client, answer.field("Placekeeper-Restoration"));
        const superseded = answer.field("Placekeeper-Superseded"), isSuperseded = superseded !== undefined;
        const news = { isSuperseded, caution: answer.field("Placekeeper-Caution") };
        if (answer.status === 304) return { kind: "notModified", ...news };
        const remote = { kind: "served", ...readServed(answer, registration), ...news };
        remote.head = isSuperseded ? revisionOf(superseded.split(";")[0]) : remote.revision;
        if (remote.fidelity === "none") return { kind: "incompatible", reason: "no-place" };
        // The offer names the device.
        if (!remote.isOwn || isSuperseded) {
            const places = await listPlaces(client).catch(() => []);
            remote.description = places.find(({ archive }) => archive === remote.archive);
            if (remote.description) remote.age = Math.max(0, (Date.now() - remote.description.date) / 1000);
        }
        return remote;
    } catch (error) {
        if (!(error instanceof PlacekeeperError)) error = unreadable();
        if (error.code === "nothing-stored") return { kind: "nothingStored" };
        if (error.status === 406) return { kind: "incompatible", reason: decisiveReason(error.document) };
        await noteFailure(client, error);
        if (isTemporary(error)) reportProblem(client, error);
        return { kind: "unavailable", reason: isUnauthorized(error) ? "revoked" : error.code };
    }
}

/** The decisive reason of a refusal: against the place itself if there is one, or else the first one. */
function decisiveReason({ candidates }) {
    const reasons = [].concat(candidates?.[0]?.reasons).filter(Boolean);
    const decides = ({ blocks, code }) => blocks === "place" && !["no-place", "place-not-allowed"].includes(code);
    const { code } = reasons.find(decides) ?? reasons[0] ?? {};
    return typeof code === "string" ? code : "incompatible";
}

/** The place that the service serves. */
export function readServed({ field, text }, registration) {
    const archive = field("Placekeeper-Archive"), device = field("Placekeeper-Device");
    const revision = revisionOf(field("Placekeeper-Revision")), fidelity = field("Placekeeper-Fidelity");
    if (!isUUID(archive) || !device || revision === undefined || !fidelity) throw unreadable();
    try { decodePlace(text); } catch { throw unreadable(); }
    return { archive, revision, fidelity, text, tag: field("ETag"), isOwn: device === registration?.device };
}

/** Decides a launch, and records the start of the restore. */
function decide(session, remote, call) {
    return changeScene(session, (record, records) => {
        // The app no longer waits for a place.
        if (call._isLate) return {};
        const offered = session._offered;
        const { situation, served, answer } = situationOf(session, record, records, remote);
        const { restore, offer, reason } = decideLaunch(situation);
        const launch = { reason };
        if (remote.kind === "notAsked" && offered && offered.offer.archive !== restore) {
            [launch.offer, launch.reason] = [offered.offer, "other-device"];
        } else if (offer) {
            launch.offer = offerPlace(session, { ...offer.archive === answer.archive ? answer : served, age: offer.age });
        }
        session._hasLocal = served !== undefined || situation.localFault !== undefined;
        if (restore !== undefined) {
            const restored = served?.archive === restore ? served : answer;
            beginRestore(record, session, restored);
            launch.restore = restoredPlace(session.name, restored);
        } else if (served && !session._hasInteracted) session._work = "left";
        return launch;
    });
}

/** What a launch depends on. Records what the service's answer says about this device's states. */
export function situationOf(session, record, records, remote) {
    const client = session._client, { bundleVersion } = client._options, isServed = remote.kind === "served";
    const { served, fault, isPending } = ownState(client, record);
    if (client._newMode) records.set("mode", client._newMode);
    const about = isServed ? remote.archive : remote.kind === "notModified" ? served?.archive : undefined;
    if (cautionOf(record, [about], bundleVersion) !== remote.caution) {
        note(record, [about], bundleVersion, known => { known.caution = remote.caution; });
    }
    const local = served && {
        ...served, isPending, place: shownBy(served.text, true),
        age: served.interactedAt && ageOf(served.interactedAt, now(client)),
        caution: isPending ? undefined : cautionOf(record, [served.archive, served.origin?.archive], bundleVersion),
    };
    let answer = isServed ? { ...remote, place: shownBy(remote.text, true) } : remote;
    const refuses = local !== undefined && (isRefused(local, answer) || local.caution !== undefined);
    answer = rememberAnswer(session, records, answer, refuses);
    if (isServed && refusedArchives(record, client).includes(answer.archive)) {
        answer = { kind: "incompatible", reason: "crashed" };
    }
    // The answer to an upload of JSON has no entity tag.
    if (remote.tag && remote.isOwn && record.tag?.archive === remote.archive) record.tag.tag = remote.tag;
    if (["served", "notModified"].includes(answer.kind)) session._headIsOwn = answer.isOwn !== false && !answer.isSuperseded;
    const latest = newest(record);
    const situation = {
        local, localFault: fault, remote: answer, mode: modeOf(client, records),
        isUnused: !latest || latest.isFirstScreen === true,
        hasCrashedOften: hasCrashedOften(client, records), dismissed: record.dismissed, withheld: [],
    };
    return { situation, served, answer };
}

/** Records what the answer says about this version. Without an answer, the last known one applies. */
function rememberAnswer({ _client: client, name }, records, remote, refuses) {
    const known = knownAnswers(client, records), stopped = { kind: "incompatible", reason: "restores-stopped" };
    if (remote.kind === "notAsked") return remote;
    if (remote.kind === "unavailable") return known.isStopped ? stopped : remote;
    if (remote.isSuperseded === false) known.isStopped = false;
    if (remote.reason === stopped.reason) known.isStopped = true;
    known.refused = [...known.refused.filter(scene => scene !== name), ...refuses ? [name] : []];
    records.set("versions", { ...known, isNew: false, answeredAt: now(client) });
    return remote;
}

/** The place as the app gets it. */
export const restoredPlace = (scene, { archive, isOwn, revision, text }) =>
    ({ archive, scene, isOwn, revision, ...decodePlace(text) });
