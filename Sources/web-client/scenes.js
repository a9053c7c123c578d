// The records of scenes in the store, and what happened in them on this page.

import { folderOf, readAccount } from "./account.js";
import { isUUID } from "./identifiers.js";

/**
 * What happened in one scene of this page since its launch: what it restored (`_restored`) and the watch over the restore,
 * the place that it showed last (`_content`), the offer, the last interaction, and the capture to send when the person leaves.
 */
export class Session {
    /** The archives that the page has shown. */
    _shown = new Set();
    /** The person's work: `none`, `unsaved`, `saved`, `marked` if only `save` told of it, or `left` with the page. */
    _work = "none";

    constructor(client, name, owner) { Object.assign(this, { _client: client, name, _owner: owner }); }

    /** Whether the person has interacted with the scene since it was launched or restored. */
    get _hasInteracted() { return this._work === "unsaved" || this._work === "saved"; }

    /** Until the next interaction, saves count as view-only captures of the saved work. */
    _end() { if (this._work === "saved" || this._work === "marked") this._work = "left"; }
}

export function sessionOf(client, name) {
    if (!client._sessions.has(name)) client._sessions.set(name, new Session(client, name));
    return client._sessions.get(name);
}

export function openScene({ _client: client, name }, records) {
    const account = readAccount(client, records);
    const key = `scene/${folderOf(account)}/${name}`;
    return { account, key, record: readScene(records, key) };
}

export function changeScene(session, change) {
    return session._client._store._transact(records => {
        const { key, record, account } = openScene(session, records);
        const result = change(record, records, account);
        records.set(key, record);
        return result;
    }, session.name);
}

/** A new record of a scene: its unsent captures and outcomes, its last acknowledged or restored state, and its faults. */
export const newScene = () => ({ captures: [], outcomes: [], dismissed: [], watches: [], bad: [], sequence: 0 });

export const readScene = (records, key) => sceneOf(records.get(key));

/** A scene's record, without the parts that are damaged. */
function sceneOf(stored) {
    const record = { ...newScene(), ...stored };
    for (const [list, empty] of Object.entries(newScene())) {
        if (empty && !Array.isArray(record[list])) record[list] = empty;
    }
    record.captures = record.captures.filter(isCapture);
    record.outcomes = record.outcomes.filter(item => isUUID(item?.archive) && isUUID(item.id) && isSequence(item.sequence));
    record.watches = record.watches.filter(watch => watch?.context);
    record.bad = record.bad.filter(one => Array.isArray(one?.deaths));
    if (!isCapture(record.last)) delete record.last;
    if (!isSequence(record.sequence)) record.sequence = Math.max(0, ...record.captures.map(({ sequence }) => sequence));
    return record;
}

/** Joins two records of one scene. */
export function joinScenes(record, other) {
    const joined = (list, id) => [...new Map([...other[list], ...record[list]].map(item => [item[id], item])).values()].sort(bySequence);
    return {
        ...other, ...record, captures: joined("captures", "archive"), outcomes: joined("outcomes", "id"),
        sequence: Math.max(record.sequence, other.sequence),
    };
}

/** Joins a record that another tab wrote with the one that this page could not write. */
export const mergeRecords = (key, stored, kept) =>
    key.startsWith("scene/") && stored && kept ? joinScenes(sceneOf(stored), sceneOf(kept)) : stored;

const isSequence = number => Number.isInteger(number) && number >= 0 && number < 1e15;

const isCapture = item => isUUID(item?.archive) && typeof item.text === "string" && item.text && isSequence(item.sequence);

export const isView = ({ restored, isFirstScreen }) => restored !== undefined || isFirstScreen;

/** The newest state on this device. Skips view-only captures of another place, because launches do not restore them. */
export function newest({ captures, last }) {
    const capture = captures.findLast(({ looksAway }) => !looksAway);
    return capture && !(last && last.sequence > capture.sequence) ? capture : last;
}

/** Numbers never repeat, even if the records were lost, unless the clock was set back. */
export function nextSequence(record) {
    const { sequence = 0, laterSequence = 0 } = record.last ?? {};
    return record.sequence = Math.max(Math.max(record.sequence, sequence, laterSequence) + 1, Date.now());
}

export const bySequence = (one, other) => one.sequence - other.sequence;

/** Changes what this device knows of archives whose restore went wrong. Keeps the latest 32. */
export function note(record, archives, version, change) {
    for (const archive of archives) {
        if (!archive) continue;
        const known = record.bad.find(one => one.archive === archive && one.version === version) ?? { archive, version, deaths: [] };
        change(known);
        record.bad = [...record.bad.filter(one => one !== known).slice(-31), known];
    }
}

/** The archives that this version of the app must not restore again. */
export function refusedArchives(record, client) {
    const version = client._options.bundleVersion;
    return record.bad.filter(one => one.isDiscarded || one.isRefused && [undefined, one.version].includes(version)).map(({ archive }) => archive);
}

export function cautionOf(record, archives, version) {
    return record.bad.findLast(one => archives.includes(one.archive) && one.version === version && one.caution)?.caution;
}

/** Makes a sent capture the last state of its scene, unless it is a view-only capture of another place. */
export function acknowledge(record, capture, tag, revision) {
    record.captures = record.captures.filter(({ archive }) => archive !== capture.archive);
    const { last } = record;
    if (capture.looksAway) {
        if (last && last.sequence < capture.sequence) last.laterSequence = capture.sequence;
    } else if (!last || last.sequence <= capture.sequence) {
        record.last = capture;
        record.tag = { archive: capture.archive, tag, revision };
    }
}
