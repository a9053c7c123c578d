// Restores: how they begin and end, and how deaths of the page during restores count.

import { ageOf, now } from "./clock.js";
import { reportProblem } from "./errors.js";
import { newUUID } from "./identifiers.js";
import { endOffer } from "./offers.js";
import { decodePlace } from "./place.js";
import { changeScene, newest, nextSequence, note, refusedArchives, sessionOf } from "./scenes.js";
import { schedule } from "./sending.js";
import { contextOf } from "./service.js";
import { hasLeft, setLeft } from "./tabs.js";

/** The newest state on this device, or why it may not be restored. */
export function ownState(client, record) {
    const capture = newest(record);
    if (!capture) return {};
    const { archive, text, restored: origin, interactedAt } = capture;
    const refused = refusedArchives(record, client);
    if (refused.includes(archive) || refused.includes(origin?.archive)) return { fault: "crashed" };
    try { decodePlace(text); } catch { return { fault: "unreadable" }; }
    const { revision } = [origin, record.tag].find(known => known?.archive === archive) ?? {};
    return {
        served: { archive, text, origin, revision, interactedAt, isOwn: !capture.isServed },
        isPending: record.captures.some(pending => pending.archive === archive),
    };
}

/** Records that a restore begins, and watches whether the page survives it. */
export function beginRestore(record, session, served) {
    const client = session._client, { archive, origin } = served;
    endRestore(record, session);
    // In another tab, the person may work on during this restore.
    const restored = { ...served, base: newest(record)?.sequence };
    const watch = {
        page: client._page, archive, origin: origin?.archive, at: now(client), context: contextOf(client), isArmed: true,
    };
    Object.assign(session, { _restored: restored, _watch: watch, _hasReported: false, _work: "none", _content: undefined });
    session._shown.add(archive);
    // The person may have left the page, and returned.
    if (!document.hidden) setLeft(client, false);
    endOffer(session, archive);
    writeWatch(record, session);
    // A restore succeeds when the page has lived for five seconds. A death counts for thirty.
    for (const seconds of [5, 30]) {
        setTimeout(() => {
            if (session._watch !== watch) return;
            changeScene(session, record => {
                if (session._watch !== watch) return;
                endRestore(record, session);
                if (seconds === 5) return;
                watch.isArmed = false;
                writeWatch(record, session);
                const { bundleVersion } = watch.context;
                record.bad = record.bad.filter(one => one.archive !== archive || one.version !== bundleVersion || one.isDiscarded);
                session._watch = undefined;
            }).catch(error => reportProblem(client, error));
            schedule(session);
        }, seconds * 1000);
    }
}

export function writeWatch(record, { _client: client, _watch: watch }) {
    record.watches = record.watches.filter(({ page }) => page !== client._page);
    if (watch?.isArmed) record.watches.push({ ...watch });
}

/** Ends a restore as successful, because the page is evidently alive, or with another result. */
export function endRestore(record, session, result = "restored") {
    const { _restored: restored, _watch: watch, _client: client } = session;
    if (!restored || session._hasReported) return;
    session._hasReported = true;
    if (watch) watch.hasEndedWell = true;
    const change = known => {
        if (result === "restored") delete known.caution;
        if (result === "failed") known.isRefused = true;
    };
    note(record, [restored.archive], client._options.bundleVersion, change);
    if (restored.revision !== undefined) addOutcome(record, restored.archive, result, client._page, contextOf(client));
    if (result === "restored") keepRestored(record, restored, now(client));
    else Object.assign(session, { _restored: undefined, _watch: undefined });
    writeWatch(record, session);
}

function addOutcome(record, archive, result, launch, context) {
    record.outcomes.push({ id: newUUID(), archive, sequence: nextSequence(record), body: { result, launch, ...context } });
}

/** Keeps another device's restored state, for launches without the service. */
function keepRestored(record, { archive, revision, isOwn, text, base }, at) {
    const latest = newest(record);
    if (revision === undefined || latest?.sequence !== base) return;
    if ([record.last?.archive, latest?.archive, latest?.restored?.archive].includes(archive)) return;
    record.last = {
        archive, sequence: nextSequence(record), interactedAt: at, restored: { archive, revision }, text, isServed: !isOwn,
    };
}

/** The restore has succeeded, and the page is in front. */
export function noteLife(record, session) {
    endRestore(record, session);
    if (session._watch?.isArmed !== false) return;
    session._watch.isArmed = true;
    setLeft(session._client, false);
    writeWatch(record, session);
}

export function report(client, name, result) {
    const session = sessionOf(client, name);
    const done = changeScene(session, record => endRestore(record, session, result));
    schedule(session);
    return done;
}

export function discard(client, name) {
    const session = sessionOf(client, name);
    return changeScene(session, record => {
        endRestore(record, session, "abandoned");
        const { archive, restored } = newest(record) ?? {};
        // Otherwise, the service would serve the work that the view-only capture shows.
        note(record, [archive, restored?.archive], undefined, known => { known.isDiscarded = true; });
    });
}

/** Counts the deaths of earlier pages that restored a state of the scene. */
export function countDeaths(client, record, records, endedInOrder) {
    for (const watch of record.watches) {
        const { page, context, archive, origin, saved } = watch, version = context.bundleVersion;
        if (endedInOrder(page)) continue;
        const archives = [archive, origin, saved];
        const known = record.bad.find(one => one.archive === archive && one.version === version)?.deaths ?? [];
        const deaths = [...known.slice(-2), { page, at: watch.at }];
        const isCrash = !watch.hasEndedWell || isCrashLoop(deaths);
        note(record, archives, version, one => {
            one.deaths = deaths;
            one.isRefused ||= isCrash;
        });
        if (!isCrash) continue;
        const crashes = records.get("crashes") ?? [];
        if (!crashes.some(crash => crash.page === page)) {
            records.set("crashes", [...crashes.slice(-15), { page, version, at: watch.at }]);
        }
        // The version that crashed may be an earlier one than this page's.
        for (const one of new Set(archives)) if (one) addOutcome(record, one, "crashed", page, context);
    }
    // A watch of a living page stays.
    record.watches = record.watches.filter(({ page }) => endedInOrder(page) && !hasLeft(client, page));
}

export function hasCrashedOften(client, records) {
    const crashes = records.get("crashes") ?? [];
    const counts = ({ version, at }) => version === client._options.bundleVersion && ageOf(at, now(client)) < 7 * 86_400;
    return crashes.filter(counts).length > 1;
}

/** Whether a state probably causes the deaths of pages: two within a quarter of an hour, or three in a row. */
function isCrashLoop(deaths) {
    const [earlier, last] = deaths.slice(-2);
    return deaths.length > 2 || last !== undefined && ageOf(earlier.at, last.at) <= 900;
}
