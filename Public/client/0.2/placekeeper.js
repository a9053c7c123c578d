// The client of Placekeeper for web apps: https://github.com/placekeeper/placekeeper/blob/main/docs/web.md
//
// The decisions are pure functions, the same as in the Swift client. They come first. The class `Client` performs them.

// MARK: The decision of a launch

/**
 * Decides which state a launch restores without asking, and which it offers. docs/clients.md describes the situation.
 * A state of this device is restored silently, and a state of another device is offered. A superseded state is never
 * restored without asking.
 */
export function decideLaunch({ local, localFault, remote, mode, isUnused, hasCrashedOften, dismissed, withheld }) {
    if (mode === "off") return { reason: "restoration-off" };
    let { restore, offer, reason } = answered();
    if ((mode === "offer" || hasCrashedOften) && restore) {
        if (!offer && !dismissed.includes(restore)) offer = { archive: restore };
        [restore, reason] = [undefined, mode === "offer" ? "restoration-offered" : "crashed"];
    }
    return { ...(restore && { restore }), ...(offer && { offer }), reason };

    function answered() {
        const isPending = local?.isPending === true;
        switch (remote.kind) {
        case "notAsked":
            if (local?.caution) return offered({ archive: local.archive }, local.caution);
            return { restore: local?.archive, reason: localFault ?? "own-state" };
        case "unavailable":
            if (local?.caution) return offered({ archive: local.archive }, local.caution);
            return { restore: local?.archive, reason: local ? remote.reason : localFault ?? remote.reason };
        // If the service deleted or refuses the state, this device does not restore it either. The service has never
        // received a pending state.
        case "nothingStored":
            return isPending ? { restore: local.archive, reason: "own-state" } : { reason: localFault ?? "nothing-stored" };
        case "incompatible":
            return isPending ? { restore: local.archive, reason: remote.reason } : { reason: localFault ?? remote.reason };
        case "notModified":
            if (remote.caution) return offered(local && { archive: local.archive }, remote.caution);
            return { restore: local?.archive, reason: localFault ?? (remote.isSuperseded ? "superseded" : "own-state") };
        default: return served(isPending);
        }
    }

    function served(isPending) {
        const { archive, isOwn, isSuperseded } = remote;
        const isDismissed = dismissed.includes(archive);
        const isViewOnly = local?.origin?.archive === archive && local.place === remote.place;
        if (remote.caution && (!isPending || isViewOnly)) return offered(remote, remote.caution);
        if (isOwn && !isSuperseded) {
            // A pending state is newer than every state of this device on the service. So is a view-only capture of the
            // served place.
            return { restore: isPending || isViewOnly ? local.archive : archive, reason: "own-state" };
        }
        if (isUnused && !isSuperseded && !isDismissed && mode === "auto") {
            return { restore: archive, reason: "fresh-installation" };
        }
        if (isDismissed || shows(archive)) {
            return { restore: local?.archive, reason: localFault ?? (isSuperseded ? "superseded" : "already-offered") };
        }
        const restore = local && !isPassedOver(local, remote) && !local.caution ? local.archive : undefined;
        if (restore && withheld.includes(archive)) return { restore, reason: "behind" };
        return { restore, offer: described(remote), reason: isSuperseded ? "superseded" : "other-device" };
    }

    /** Offers a state of this device instead of restoring it. */
    function offered(answer, reason) {
        if (!answer || dismissed.includes(answer.archive)) return { reason };
        return { offer: described({ ...answer, age: answer.age ?? (shows(answer.archive) ? local.age : undefined) }), reason };
    }

    function described({ archive, age }) { return age === undefined ? { archive } : { archive, age }; }

    function shows(archive) { return local?.archive === archive || local?.origin?.archive === archive; }
}

/** Whether the service refused this device's state and served an earlier archive instead. */
function isPassedOver(local, remote) {
    if (local.isPending || !remote.isSuperseded || local.archive === remote.archive) return false;
    const own = local.origin ? local.origin.revision : local.revision;
    if (own === undefined || remote.revision === undefined) return remote.isOwn;
    if (own === remote.head) return true;
    if (own <= remote.revision) return false;
    if (local.age === undefined || remote.age === undefined) return true;
    return local.age <= remote.age;
}

/** Whether the service knows this device's state and refuses to let the device restore it. */
export function isRefused(local, remote) {
    if (remote.kind === "served") return isPassedOver(local, remote);
    return ["incompatible", "nothingStored"].includes(remote.kind) && !local.isPending;
}

// MARK: Crashes, ages and delays

const maximumAge = 3650 * 86_400;

/**
 * The seconds from a reading of the clocks to a later one. Within a page, the wall clock adds the time that the device
 * slept, during which `performance.now()` stands still in some browsers. Across pages, only the wall clock is left.
 */
export function ageOf(reading, now) {
    const wall = now.wall - reading?.wall;
    const age = reading?.page === now.page ? Math.max(now.uptime - reading.uptime, wall) : wall;
    return Number.isFinite(age) ? Math.min(Math.max(age, 0), maximumAge) : 0;
}

/** Whether a state probably causes the deaths of pages: two within a quarter of an hour, or three in a row. */
export function isCrashLoop(deaths) {
    const [earlier, last] = deaths.slice(-2);
    return deaths.length > 2 || (last !== undefined && ageOf(earlier.at, last.at) <= 900);
}

// MARK: Places

export class Item {
    constructor(source, { id, aliases, role = "selected" } = {}) {
        Object.assign(this, { source, role }, id !== undefined && { id }, aliases && { aliases });
    }
}

export class PlacekeeperError extends Error {
    name = "PlacekeeperError";
    constructor(code, message, { retryAfter, cause } = {}) {
        super(message, { cause });
        this.code = code;
        if (retryAfter !== undefined) this.retryAfter = retryAfter;
    }
}

const bytesToText = bytes => btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(""));
const bytesOf = text => new TextEncoder().encode(text).length;
const invalid = message => new PlacekeeperError("place-invalid", message);

/** Returns the text of a place in the form that docs/place-format.md defines. */
export function encodePlace(place, context = {}) {
    const { steps, webAddress } = Array.isArray(place) ? { steps: place } : place ?? {};
    if (!Array.isArray(steps) || !steps.length || steps.length > 64) throw invalid("A place has 1 to 64 steps.");
    const references = [];
    const document = { format: 1, ...context, webAddress, steps: steps.map(encodeStep), references };
    if (!references.length) delete document.references;
    const encoded = JSON.stringify(document), size = bytesOf(encoded);
    if (size > 131_072) throw invalid(`A place has at most 131,072 bytes, and this one has ${size}.`);
    return encoded;

    function encodeStep({ screen, title, progress, items, parameters }) {
        if (typeof screen !== "string" || !screen) throw invalid("A step has a screen.");
        const indices = (items ?? []).map(item => encodeItem(item instanceof Item ? item : new Item(item.source, item)));
        return {
            screen: text(screen), title: title === undefined ? undefined : text(String(title)),
            progress: Number.isFinite(progress) ? Math.min(Math.max(progress, 0), 1) : undefined,
            references: indices.length ? indices : undefined,
            parameters: parameters && encode(plain(parameters)),
        };
    }

    function encodeItem({ source, id, aliases, role }) {
        if (typeof source !== "string") throw invalid("An item has a source.");
        references.push({
            dataSource: text(source), role, identifier: id === undefined ? undefined : text(String(id)),
            aliases: aliases?.map(text),
        });
        return references.length - 1;
    }

    /** Refuses an object whose contents would be lost, such as a `Map`. */
    function plain(value) {
        const prototype = Object.getPrototypeOf(value);
        if (prototype && Object.getPrototypeOf(prototype)) throw invalid(`A parameter cannot be a ${value.constructor?.name}.`);
        return value;
    }

    function members(value) {
        const pairs = Object.entries(value).filter(([, member]) => member !== undefined);
        return Object.fromEntries(pairs.map(([key, member]) => [text(key), encode(member)]));
    }

    function encode(value) {
        if (value instanceof Item) return { $reference: encodeItem(value) };
        if (value instanceof Date) {
            if (Number.isNaN(value.getTime())) throw invalid("A date is not valid.");
            return { $date: (value - 978307200000) / 1000 };
        }
        if (value instanceof Uint8Array) return { $data: bytesToText(value) };
        if (Array.isArray(value)) return value.map(encode);
        switch (typeof value) {
        case "string": return text(value);
        case "bigint":
            if (BigInt.asIntN(64, value) !== value) throw invalid(`The integer ${value} has more than 64 bits.`);
            return { $integer: String(value) };
        case "number": return Number.isFinite(value) ? value : { $real: String(value) };
        case "boolean": return value;
        case "object": {
            if (value === null) return null;
            const encoded = members(plain(value));
            return Object.keys(encoded).some(key => key.startsWith("$")) ? { $dictionary: encoded } : encoded;
        }
        default: throw invalid(`A parameter cannot be a ${typeof value}.`);
        }
    }

    function text(value) {
        if (/\p{Surrogate}/u.test(value)) throw invalid("A text has half of a surrogate pair.");
        return value;
    }
}

/** Returns the steps of a place in the form of `encodePlace`. Throws if the text is no place. */
export function decodePlace(text) {
    const { format, steps, references = [], webAddress } = JSON.parse(text);
    if (format !== 1 || !Array.isArray(steps) || !steps.length || !Array.isArray(references)) throw invalid("Not a place.");
    const items = references.map(({ dataSource, identifier, aliases, role, resolution }) => {
        const item = new Item(dataSource, { id: identifier, aliases, role });
        return resolution === undefined ? item : Object.assign(item, { resolution });
    });
    const reference = index => {
        if (!Object.hasOwn(items, index)) throw invalid("Not a place.");
        return items[index];
    };
    return {
        steps: steps.map(({ screen, title, progress, references: indices = [], parameters = {} }) => {
            if (typeof screen !== "string") throw invalid("Not a place.");
            return { screen, title, progress, items: indices.map(reference), parameters: decode(parameters) };
        }),
        webAddress,
    };

    function members(value) {
        return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, decode(member)]));
    }

    function decode(value) {
        if (Array.isArray(value)) return value.map(decode);
        if (value === null || typeof value !== "object") return value;
        const [mark, ...others] = Object.keys(value);
        if (others.length || !mark?.startsWith("$")) return members(value);
        const marked = value[mark];
        switch (mark) {
        case "$date": return new Date(978307200000 + Math.round(1000 * marked));
        case "$integer": return BigInt(marked);
        case "$real": return Number(marked);
        case "$data": return Uint8Array.from(atob(marked), character => character.charCodeAt(0));
        case "$dictionary": return members(marked);
        case "$reference": return reference(marked);
        default: throw invalid("Not a place.");
        }
    }
}

/** Whether two states show the same. A book that has not loaded yet has no progress. */
export function showsSame(text, other) {
    if (text === other) return true;
    if (shownBy(text) !== shownBy(other)) return false;
    const [steps, others] = [text, other].map(place => JSON.parse(place).steps);
    return steps.every(({ progress }, index) => (progress ?? others[index].progress) === (others[index].progress ?? progress));
}

/**
 * Returns a text that is equal for two states with the same screens, items and parameters. Titles, scroll positions, the
 * progress, the layout and versions may differ. With `isPlace`, values that belong to no screen may differ, too.
 */
export function shownBy(text, isPlace) {
    let place;
    try { place = JSON.parse(text); } catch { return text; }
    const references = place.references ?? [];
    const steps = (place.steps ?? []).map(step => {
        const parameters = { ...step.parameters };
        if (isPlace) delete parameters["placekeeper.values"];
        const shown = (step.references ?? []).filter(index => !isScrolling({ $reference: index }));
        return [step.screen, shown.map(item), normal(parameters)];
    });
    return JSON.stringify(steps);

    function item(index) {
        const { dataSource, role, identifier, aliases } = references[index] ?? {};
        return [dataSource, role, identifier ?? [...aliases ?? []].sort()];
    }

    function isScrolling(value) {
        if (Array.isArray(value)) return value.length > 0 && value.every(isScrolling);
        return references[value?.$reference]?.role === "firstVisible";
    }

    function normal(value) {
        if (Array.isArray(value)) return value.filter(member => !isScrolling(member)).map(normal);
        if (value === null || typeof value !== "object") return value;
        if (Object.hasOwn(value, "$reference")) return { $reference: item(value.$reference) };
        const pairs = Object.entries(value).filter(([, member]) => !isScrolling(member));
        return Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, member]) => [key, normal(member)]));
    }
}

const titlesOf = text => JSON.parse(text).steps.map(step => step.title ?? step.screen);

// MARK: Storage

/**
 * The records of one device in IndexedDB, shared by all tabs. Where there is no IndexedDB, or after a failed write, this
 * page keeps them in memory.
 */
class Store {
    /** Records that only this page has. */
    kept = new Map();
    /** The records as this page last saw them on the disk, for use while the disk cannot be read. */
    seen = new Map();
    isPersistent = true;

    constructor(name) { this.name = name; }

    open() {
        this.database ??= new Promise(resolve => {
            const request = indexedDB.open(this.name, 1);
            request.onupgradeneeded = () => request.result.createObjectStore("records");
            request.onsuccess = () => {
                const database = request.result;
                database.onversionchange = database.onclose = () => { database.close(); this.database = undefined; };
                resolve(database);
            };
            request.onerror = () => resolve();
        }).catch(() => undefined).then(database => {
            this.isPersistent = database !== undefined;
            return database;
        });
        return this.database;
    }

    /**
     * Runs a function in one transaction over all records. The function may wait only for the records.
     * If the records cannot be written, this page keeps them in memory; with `isStrict`, the error is thrown.
     */
    async transact(body, isStrict, isRetry) {
        const database = await this.open();
        const written = new Map(), { kept, seen } = this;
        const end = () => { for (const [key, value] of written) kept.set(key, value); };
        const view = records => ({
            async get(key) {
                if (written.has(key)) return structuredClone(written.get(key));
                if (kept.has(key)) return structuredClone(kept.get(key));
                if (records) seen.set(key, await finished(records.get(key)));
                return structuredClone(seen.get(key));
            },
            async keys(prefix) {
                const range = IDBKeyRange.bound(prefix, prefix + "\uffff");
                const keys = new Set(records ? await finished(records.getAllKeys(range)) : []);
                for (const [key, value] of [...(records ? [] : seen), ...kept, ...written]) {
                    if (!key.startsWith(prefix)) continue;
                    if (value === undefined) keys.delete(key); else keys.add(key);
                }
                return [...keys];
            },
            set(key, value) {
                written.set(key, structuredClone(value));
                if (value === undefined) records?.delete(key); else records?.put(value, key);
            },
        });
        if (!database) {
            const result = await body(view());
            end();
            return result;
        }
        let result, failure, transaction, isDone;
        try {
            transaction = database.transaction("records", "readwrite", { durability: "strict" });
            await new Promise((resolve, reject) => {
                transaction.oncomplete = resolve;
                transaction.onabort = () => reject(transaction.error ?? new Error("The transaction was aborted."));
                body(view(transaction.objectStore("records"))).then(value => { [result, isDone] = [value, true]; }).catch(error => {
                    failure = error;
                    try { transaction.abort(); } catch { reject(error); }
                });
            });
            for (const [key, value] of written) {
                kept.delete(key);
                seen.set(key, value);
            }
        } catch (error) {
            const isOurs = failure && !(failure instanceof DOMException);
            if (isOurs) throw failure;
            if (!transaction && !isRetry) {
                // The browser closed the database.
                this.database = undefined;
                return this.transact(body, isStrict, true);
            }
            const failed = new PlacekeeperError("storage-failed", "The browser cannot read or write its records.", { cause: error });
            if (!isDone) {
                // A page that has never read the account must not replace it with a new one.
                if (!kept.has("account") && !seen.has("account")) throw failed;
                written.clear();
                result = await body(view());
            }
            end();
            if (isStrict) throw failed;
        }
        return result;
    }
}

const finished = request => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
});

// MARK: Scenes of this device

/** A new record of a scene: its unsent captures and outcomes, its last acknowledged or restored state, and its faults. */
const newScene = () => ({ captures: [], outcomes: [], dismissed: [], watches: [], bad: [], sequence: 0 });

/** A scene's record, without the parts that are damaged. */
async function readScene(records, key) {
    const record = { ...newScene(), ...await records.get(key) };
    for (const list of ["captures", "outcomes", "dismissed", "watches", "bad"]) {
        if (!Array.isArray(record[list])) record[list] = [];
    }
    record.captures = record.captures.filter(isCapture);
    record.outcomes = record.outcomes.filter(item => isUUID(item?.archive) && isUUID(item.id) && isSequence(item.sequence) && !item.text);
    record.watches = record.watches.filter(Boolean);
    record.bad = record.bad.filter(one => Array.isArray(one?.deaths));
    if (!isCapture(record.last)) delete record.last;
    if (!isSequence(record.sequence)) record.sequence = Math.max(0, ...record.captures.map(({ sequence }) => sequence));
    return record;
}

const isSequence = number => Number.isSafeInteger(number) && number >= 0 && number < 1e15;
const isCapture = item => isUUID(item?.archive) && typeof item.text === "string" && item.text !== "" && isSequence(item.sequence);
const isRegistration = registration => isUUID(registration?.device) && isToken(registration.token) && typeof registration.user === "string";
const isView = capture => capture.restored !== undefined || capture.isFirstScreen === true;

/** The newest state on this device. Skips view-only captures of another place, because launches do not restore them. */
function newest({ captures, last }) {
    const capture = captures.findLast(({ looksAway }) => !looksAway);
    return capture && !(last && last.sequence > capture.sequence) ? capture : last;
}

/** Numbers never repeat, even if the records were lost, unless the clock was set back. */
function nextSequence(record, now) {
    record.sequence = Math.max(record.sequence, record.last?.laterSequence ?? 0, record.last?.sequence ?? 0) + 1;
    return record.sequence = Math.max(record.sequence, Math.floor(now.wall * 1000));
}

/** Changes what this device knows of archives whose restore went wrong. Keeps the latest 32. */
function note(record, archives, version, change) {
    for (const archive of archives) {
        let known = record.bad.find(one => one.archive === archive && one.version === version);
        record.bad = record.bad.filter(one => one !== known);
        known ??= { archive, version, deaths: [] };
        change(known);
        record.bad = [...record.bad.slice(-31), known];
    }
}

/** The archives that this version of the app must not restore again. */
function refusedArchives(record, version) {
    const refused = record.bad.filter(one => one.isDiscarded || one.isRefused && (version === undefined || one.version === version));
    return refused.map(({ archive }) => archive);
}

function cautionOf(record, archives, version) {
    return record.bad.findLast(one => archives.includes(one.archive) && one.version === version && one.caution)?.caution;
}

/** Makes a sent capture the last state of its scene, unless it is a view-only capture of another place. */
function acknowledge(record, capture, tag, revision) {
    record.captures = record.captures.filter(({ archive }) => archive !== capture.archive);
    const { last } = record;
    if (capture.looksAway) {
        if (last && last.sequence < capture.sequence) last.laterSequence = capture.sequence;
    } else if (!last || last.sequence <= capture.sequence) {
        record.last = capture;
        record.tag = { archive: capture.archive, tag, revision };
    }
}

/** What happened in one scene of this page. */
class Session {
    shown = new Set();
    work = "none";
    restored; watch; interactedAt; content; offered; heldSave; headIsOwn; timer; owner; unsent;

    /** Whether the person has interacted with the scene since it was launched or restored. */
    get hasInteracted() { return this.work === "unsaved" || this.work === "saved"; }

    /** Until the next interaction, saves count as view-only captures of the saved work. */
    end() { if (this.work === "saved" || this.work === "marked") this.work = "left"; }
}

// MARK: Requests

const placeType = "application/vnd.placekeeper.place+json";
const answerLimit = 8 << 20, keepaliveLimit = 60_000;
const fetchOptions = { credentials: "omit", cache: "no-store", redirect: "error", referrerPolicy: "no-referrer" };
const isUUID = text => typeof text === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
const isToken = text => typeof text === "string" && /^[\x21-\x7e]{1,512}$/.test(text);
const isSceneName = name => typeof name === "string" && /^(?!\.\.?$)[A-Za-z0-9._-]{1,64}$/.test(name);
const sleep = seconds => new Promise(resolve => { setTimeout(resolve, seconds * 1000); });
const unreadable = () => new PlacekeeperError("answer-unreadable", "The service's answer cannot be read.");

function randomHex(count) {
    return Array.from(crypto.getRandomValues(new Uint8Array(count)), byte => byte.toString(16).padStart(2, "0")).join("");
}

/** A random UUID. `crypto.randomUUID` exists only in secure contexts. */
function newUUID() {
    const hex = randomHex(16);
    const variant = "89ab"[parseInt(hex[16], 16) & 3];
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function revisionOf(text) {
    const revision = /^\d{1,15}$/.test(text ?? "") ? Number(text) : undefined;
    return revision;
}

/** The decisive reason of a refusal: against the place itself if there is one, or else the first one. */
function decisiveReason({ candidates }) {
    const listed = Array.isArray(candidates) && candidates[0]?.reasons;
    const reasons = Array.isArray(listed) ? listed.filter(Boolean) : [];
    const missing = ["no-place", "place-not-allowed"];
    const code = (reasons.find(({ blocks, code }) => blocks === "place" && !missing.includes(code)) ?? reasons[0])?.code;
    return typeof code === "string" ? code : "incompatible";
}

/** The text of a body, which has a limit. */
async function readText(response, limit) {
    const decoder = new TextDecoder();
    let text = "", length = 0;
    for (const reader = response.body?.getReader(); reader;) {
        const { done, value } = await reader.read();
        if (done) break;
        length += value.length;
        if (length > limit) {
            await reader.cancel();
            throw unreadable();
        }
        text += decoder.decode(value, { stream: true });
    }
    return text + decoder.decode();
}

/** Whether the same request may succeed later. */
function isTemporary({ status, code }) {
    if (status === undefined) return ["offline", "busy", "answer-unreadable"].includes(code);
    return status >= 500 || status === 429 || status === 408;
}

const isUnauthorized = ({ status, code }) => status === 401 && code === "unauthorized";

// MARK: The client

class Core extends EventTarget {
    sessions = new Map();
    page = newUUID();
    failures = 0;
    retryAt = 0;
    busyUntil = 0;
    queues = new Map();
    keepaliveBytes = 0;
    withoutRoom = new Map();

    constructor(server, options) {
        super();
        this.server = new URL(server, globalThis.location?.href).href.replace(/\/+$/, "");
        if (typeof options.key !== "string") throw new TypeError("Placekeeper needs the app's publishable key.");
        this.options = { idiom: "mac", bundleVersion: "0", sendDelay: 2, ...options };
        this.store = new Store(`placekeeper ${this.server} ${options.key}`);
        // Where storage is denied, Web Locks fail.
        this.locks = (async () => {
            await navigator.locks?.query();
            return navigator.locks;
        })().catch(() => undefined);
        this.holdPage();
        // A page that holds a lock cannot go into the back-forward cache.
        addEventListener("pagehide", () => { this.leave(); this.releasePage?.(); });
        addEventListener("pageshow", ({ persisted }) => {
            if (!persisted) return;
            this.holdPage();
            this.resume();
        });
        addEventListener("online", () => this.resume());
        document.addEventListener("visibilitychange", () => {
            if (document.visibilityState === "hidden") this.leave(); else this.resume();
        });
        this.previousPage();
        this.purge().catch(error => this.fault(error)).then(() => this.work());
    }

    now() { return { wall: Date.now() / 1000, uptime: performance.now() / 1000, page: this.page }; }

    /** The version, layout and idiom that the service compares. */
    get context() {
        const { idiom, layout, bundleVersion, stateVersion } = this.options;
        return { idiom, layout, bundleVersion, stateVersion };
    }

    get query() {
        const pairs = Object.entries(this.context).filter(([, value]) => value !== undefined);
        return "?" + new URLSearchParams(pairs.map(([key, value]) => [key, String(value)]));
    }

    session(name) {
        if (!this.sessions.has(name)) this.sessions.set(name, new Session());
        return this.sessions.get(name);
    }

    fault(error) {
        this.problem = error;
        this.dispatchEvent(new CustomEvent("problem", { detail: error }));
    }

    // MARK: Several tabs

    /** Holds a lock while the page lives, so that another tab does not take this page's restore for a crash. */
    holdPage() {
        this.locks.then(locks => locks?.request(this.lockName(this.page), () => new Promise(resolve => {
            this.releasePage = resolve;
        }))).catch(() => undefined);
    }

    lockName(name) { return `${this.store.name} ${name}`; }

    /** The key in `localStorage` of a page that the person left, which is written at once when a page is hidden. */
    leftKey(page) { return this.lockName(`left ${page}`); }

    /** Without `localStorage`, nothing tells a crash from a page that the person left, so no page counts as crashed. */
    hasLeft(page) {
        if (page === this.page) return false;
        try { return localStorage.getItem(this.leftKey(page)) !== null; } catch { return true; }
    }

    /** Whether a page that restored a state cannot have crashed: it lives, the person left it, or the browser discarded it. */
    async endedInOrder() {
        const locks = await this.locks, held = (await locks?.query())?.held.map(({ name }) => name);
        const previous = this.previousPage();
        return page => {
            if (page === this.page || this.hasLeft(page)) return true;
            if (page === previous && document.wasDiscarded) return true;
            // Without locks, we only know that this tab's earlier page is gone.
            return held ? held.includes(this.lockName(page)) : page !== previous;
        };
    }

    /** The page that this tab showed before. */
    previousPage() {
        if (this.knownPrevious === undefined) {
            try {
                this.knownPrevious = sessionStorage.getItem(this.lockName("page"));
                sessionStorage.setItem(this.lockName("page"), this.page);
            } catch { this.knownPrevious = null; }
        }
        return this.knownPrevious;
    }

    /** Runs a function in one tab at a time. Without Web Locks, a lease in the records excludes other tabs. */
    async withLock(name, body) {
        const locks = await this.locks;
        if (locks) return locks.request(this.lockName(name), body);
        const turn = (this.queues.get(name) ?? Promise.resolve()).then(() => this.withLease("lease " + name, body));
        this.queues.set(name, turn.catch(() => undefined));
        return turn;
    }

    async withLease(key, body) {
        const take = async records => {
            const [lease, now] = [await records.get(key), Date.now()];
            if (lease && lease.page !== this.page && lease.until > now && lease.until < now + 120_000) return false;
            records.set(key, { page: this.page, until: now + 60_000 });
            return true;
        };
        while (!await this.store.transact(take)) await sleep(0.2);
        try { return await body(); } finally {
            await this.store.transact(async records => {
                if ((await records.get(key))?.page === this.page) records.set(key);
            });
        }
    }

    // MARK: Requests

    /**
     * Sends a request. Returns its status, fields and text. Throws a `PlacekeeperError`, with the `status` and the
     * `document` of the service's problem.
     */
    async request(method, path, { token, type, accept, body, fields, deadline = 30, keepalive } = {}) {
        const headers = { "Launch-Id": this.page, ...fields };
        if (token) headers.Authorization = `Bearer ${token}`;
        if (type) headers["Content-Type"] = type;
        if (accept) headers.Accept = accept;
        const abort = new AbortController();
        const timer = setTimeout(() => abort.abort(), deadline * 1000);
        try {
            const response = await fetch(this.server + path, { ...fetchOptions, method, headers, body, keepalive, signal: abort.signal });
            const text = await readText(response, answerLimit);
            const { status } = response;
            if (response.ok || status === 304) {
                this.failures = 0;
                if (this.problem && isTemporary(this.problem)) this.problem = undefined;
                this.noteMode(response.headers, path);
                return { status, text, field: name => response.headers.get(name) ?? undefined };
            }
            throw this.problemOf(response, text);
        } catch (error) {
            if (error instanceof PlacekeeperError) throw error;
            const message = `The service at ${this.server} cannot be reached, or the app's webOrigins do not list ${location.origin}.`;
            throw new PlacekeeperError("offline", message, { cause: error });
        } finally { clearTimeout(timer); }
    }

    problemOf(response, text) {
        const { status, headers } = response;
        const wait = headers.get("Retry-After");
        const seconds = wait === null ? undefined : /^\d{1,9}$/.test(wait) ? Number(wait) : 60;
        let problem;
        if (headers.get("Content-Type")?.startsWith("application/problem+json")) {
            try { problem = JSON.parse(text); } catch { /* It is no problem document. */ }
        }
        if (typeof problem?.code !== "string" || problem.status !== status) {
            const message = `The answer with status ${status} came from a proxy or another server, not from the service.`;
            // A long `Retry-After` of a proxy is shortened.
            return new PlacekeeperError("offline", message, { retryAfter: seconds && Math.min(seconds, 300) });
        }
        const isBusy = ["throttled", "overloaded", "draining"].includes(problem.code);
        const error = new PlacekeeperError(isBusy ? "busy" : problem.code, String(problem.detail), { retryAfter: seconds });
        return Object.assign(error, { status, document: problem });
    }

    json({ text, field }) {
        if (!field("Content-Type")?.startsWith("application/json")) throw unreadable();
        try { return JSON.parse(text); } catch { throw unreadable(); }
    }

    /** The service names the mode with places to restore, unless it is `auto`. */
    noteMode(headers, path) {
        if (!/\/(latest|restorable)\?/.test(path)) return;
        const name = headers.get("Placekeeper-Restoration");
        this.newMode = ["offer", "off"].includes(name) ? name : "auto";
    }

    /** Waits after a failure. The service's own wait also holds for later pages. */
    async failed(error) {
        if (!isTemporary(error) && !isUnauthorized(error)) return;
        this.failures = Math.min(this.failures + 1, 10);
        this.retryAt = this.now().uptime + Math.min(300, 2 ** this.failures / 2) * (0.5 + Math.random() / 2);
        if (!(error.retryAfter > 0)) return;
        const from = this.now(), seconds = Math.min(error.retryAfter, 86_400);
        await this.store.transact(async records => {
            await this.serviceWait(records);
            if (from.uptime + seconds <= this.busyUntil) return;
            this.busyUntil = from.uptime + seconds;
            records.set("retry", { from, seconds });
        });
    }

    /** The seconds for which the service asked to wait. The wait of another page is computed once: a wall clock may be set. */
    async serviceWait(records) {
        const retry = await records.get("retry"), now = this.now();
        const wall = retry?.from?.wall, rest = Math.min(retry?.seconds - ageOf(retry?.from, now), 86_400);
        if (rest > 0 && retry.from?.page !== this.page && wall !== this.knownRetry) {
            this.busyUntil = Math.max(this.busyUntil, now.uptime + rest);
        }
        this.knownRetry = wall;
        const wait = Math.max(0, this.busyUntil - now.uptime);
        if (retry && wait === 0) records.set("retry");
        return wait;
    }

    // MARK: The account

    /** Reads the account. The sessions of this page end when another tab has changed its owner. */
    async read(records) {
        let account = await records.get("account");
        if (!isUUID(account?.installation?.id)) {
            account = { installation: newInstallation(), owner: newUUID() };
            records.set("account", account);
        }
        if (!isRegistration(account.registration)) delete account.registration;
        this.account = account;
        if (this.owner !== undefined && this.owner !== account.owner) {
            this.sessions.forEach(session => clearTimeout(session.timer));
            this.sessions = new Map();
            queueMicrotask(() => this.dispatchEvent(new Event("accountchange")));
        }
        this.owner = account.owner;
        this.firstOwner ??= account.owner;
        return account;
    }

    async open(records, name) {
        const account = await this.read(records);
        const key = `scene/${folderOf(account)}/${name}`;
        return { account, key, record: await readScene(records, key) };
    }

    /** Registers the device unless it is registered. `extra` has a link code or a sign-in token. */
    registered(extra) {
        return this.withLock("account", async () => {
            let account = await this.store.transact(records => this.read(records));
            if (account.unanswered) account = await this.checkChange(account);
            if (account.registration && !extra) return account;
            if (!extra && (account.needsSignIn || this.options.registersAnonymously === false)) {
                throw new PlacekeeperError("sign-in-required", "The user must sign in.");
            }
            if (!extra && account.isSignedOut) {
                throw new PlacekeeperError("not-registered", "The user signed out on this device.");
            }
            if (!extra && this.refusal) throw this.refusal;
            try {
                return await this.register(extra, account);
            } catch (error) {
                if (error.code === "installation-cloned") {
                    account = await this.changeAccount(account => { account.installation = newInstallation(); });
                    return this.register(extra, account);
                }
                if (!extra && !isTemporary(error)) this.refusal = error;
                throw error;
            }
        });
    }

    async register(extra, { installation }) {
        const { key: app, idiom, name, model } = this.options;
        const body = JSON.stringify({ app, idiom, name, model, installation, ...extra });
        const answer = this.json(await this.request("POST", "/v1/devices", { type: "application/json", body }));
        if (!isRegistration(answer)) throw unreadable();
        const { device, token, user, isSignedIn } = answer;
        return this.store.transact(async records => {
            const account = await this.read(records);
            const former = account.formerDevice && await records.get(`folder/${account.formerDevice}`);
            if (former && former.user !== user) account.owner = newUUID();
            account.registration = { device, token, user, isSignedIn: isSignedIn === true };
            for (const member of ["isSignedOut", "needsSignIn", "formerDevice", "endedDevice", "unanswered"]) delete account[member];
            await this.adopt(records, account);
            return account;
        });
    }

    /** Stores a registration, and moves the states of its user into the device's folder. */
    async adopt(records, account) {
        const { device, user, isSignedIn } = account.registration;
        records.set("account", account);
        records.set(`folder/${device}`, { user, isSignedIn });
        for (const key of await records.keys("scene/")) {
            const [, folder, name] = key.split("/");
            if (folder === device || folder !== "new" && (await records.get(`folder/${folder}`))?.user !== user) continue;
            const [other, target] = [await readScene(records, key), `scene/${device}/${name}`];
            const own = await records.get(target) && await readScene(records, target);
            if (own) {
                own.captures = [...own.captures, ...other.captures].sort((a, b) => a.sequence - b.sequence);
                own.outcomes = [...own.outcomes, ...other.outcomes];
                own.sequence = Math.max(own.sequence, other.sequence);
                own.last ??= other.last;
                own.tag ??= other.tag;
            }
            records.set(target, own ?? other);
            records.set(key);
        }
        await this.read(records);
    }

    changeAccount(change) {
        return this.store.transact(async records => {
            const account = await this.read(records);
            await change(account, records);
            records.set("account", account);
            return this.read(records);
        });
    }

    /**
     * Sends a change of a registered device's account. The change is stored first: if the answer is lost, nothing else is
     * sent until the client knows the device's user.
     */
    change(kind, method, path, body, discards) {
        return this.withLock("account", async () => {
            let account = await this.store.transact(records => this.read(records));
            if (account.unanswered) account = await this.checkChange(account);
            if (!account.registration) return false;
            account = await this.changeAccount(account => { account.unanswered = { kind, discards, at: Date.now() }; });
            const { registration: { token }, unanswered } = account;
            const fields = body && { type: "application/json", body: JSON.stringify(body) };
            try {
                const answer = await this.request(method, path, { token, ...fields });
                if (kind === "signIn" || kind === "link") await this.useDevice(this.json(answer));
                else if (answer.status === 204) await this.leaveUser(unanswered);
                else throw unreadable();
            } catch (error) {
                if (isUnauthorized(error)) {
                    if (kind === "signOut") { await this.leaveUser(unanswered); return true; }
                    await this.endRegistration(token);
                } else if (error.status && (!isTemporary(error) || error.status === 503 || error.status === 429)) {
                    // The service changed nothing.
                    await this.changeAccount(account => { delete account.unanswered; });
                }
                throw error;
            }
            return true;
        });
    }

    async checkChange({ registration, unanswered }) {
        try {
            await this.useDevice(this.json(await this.request("GET", "/v1/devices/self", { token: registration.token })));
        } catch (error) {
            if (!isUnauthorized(error)) throw error;
            if (unanswered.kind === "signOut" || unanswered.kind === "erase") await this.leaveUser(unanswered);
            else await this.endRegistration(registration.token);
        }
        return this.store.transact(records => this.read(records));
    }

    useDevice(device) {
        if (typeof device?.user !== "string") throw unreadable();
        return this.store.transact(async records => {
            const account = await this.read(records);
            if (!account.registration) return;
            Object.assign(account.registration, { user: device.user, isSignedIn: device.isSignedIn === true });
            delete account.unanswered;
            await this.adopt(records, account);
        });
    }

    /** Leaves the user. States of an erased user, and discarded states, are removed, but not those saved since. */
    leaveUser({ kind, discards, at }) {
        return this.changeAccount(async (account, records) => {
            const folder = folderOf(account);
            if (discards || kind === "erase") {
                for (const key of [...await records.keys(`scene/${folder}/`), ...await records.keys(`scene/${account.endedDevice}/`)]) {
                    const { captures } = await readScene(records, key);
                    const later = captures.filter(({ sequence }) => sequence > at);
                    records.set(key, later.length && kind !== "erase" ? { ...newScene(), captures: later, sequence: later.at(-1).sequence } : undefined);
                }
            }
            const owner = await records.get(`folder/${folder}`);
            if (owner) records.set(`folder/${folder}`, { ...owner, left: this.now() });
            for (const member of Object.keys(account)) delete account[member];
            Object.assign(account, { installation: newInstallation(), owner: newUUID(), isSignedOut: true });
        });
    }

    /** Ends a registration whose token the service refused. Pending states are kept for their user. */
    endRegistration(token) {
        return this.changeAccount(account => {
            if (account.registration?.token !== token) return;
            const { device, isSignedIn } = account.registration;
            delete account.registration;
            delete account.unanswered;
            if (isSignedIn) Object.assign(account, { needsSignIn: true, formerDevice: device });
            // The same installation usually gets the same user again, with the states of this device.
            else Object.assign(account, { owner: newUUID(), endedDevice: device });
            this.fault(new PlacekeeperError("revoked", "The service ended this device's registration."));
        });
    }

    async join(kind, path, body, extra) {
        if (!await this.change(kind, "POST", path, body)) await this.registered(extra);
        this.refusal = undefined;
    }

    async signOut(unsent, deadline) {
        if (unsent === "send") await this.flush(deadline);
        const discards = unsent === "discard";
        if (await this.change("signOut", "POST", "/v1/devices/self/sign-out", { next: "none" }, discards)) return;
        if (!this.account.needsSignIn) throw new PlacekeeperError("not-signed-in", "The device is not signed in.");
        await this.leaveUser({ kind: "signOut", discards, at: Date.now() });
    }

    async erase() {
        if (!await this.change("erase", "DELETE", "/v1/users/self")) await this.leaveUser({ kind: "erase", at: Date.now() });
    }

    /** Sends a request for which the app waits. */
    async ask(method, path, options) {
        const wait = await this.store.transact(records => this.serviceWait(records));
        if (wait > 0) throw new PlacekeeperError("busy", "The service asked to try again later.", { retryAfter: wait });
        const { registration: { token } } = await this.registered();
        try {
            return await this.request(method, path, { token, ...options });
        } catch (error) {
            if (isUnauthorized(error)) await this.endRegistration(token);
            throw error;
        }
    }

    async places() {
        const answer = await this.ask("GET", "/v1/places" + this.query);
        const { items } = this.json(answer) ?? {};
        if (!Array.isArray(items)) throw unreadable();
        const answeredAt = Date.parse(answer.field("Date")) || Date.now();
        return items.filter(item => isUUID(item?.archive?.id)).map(({ archive, device, fidelity, isHead }) => ({
            archive: archive.id, scene: archive.scene, titles: Array.isArray(archive.place) ? archive.place.map(String) : [],
            device: { name: device?.name, model: device?.model, isThisDevice: archive.device === this.account.registration?.device },
            // By this device's clock, which may differ from the service's.
            date: new Date(Date.now() - Math.max(0, answeredAt - Date.parse(archive.capturedAt) || 0)),
            isLatest: isHead === true, isRestorable: fidelity !== "none", revision: archive.revision,
        }));
    }

    // MARK: Saving

    async save(name, place, interaction = "ifChanged") {
        const [text, at, session] = [encodePlace(place, this.context), this.now(), this.session(name)];
        const isTold = interaction !== "ifChanged" && interaction !== "viewing";
        // The app's first screen, which it shows before it knows what to restore.
        if (session.launching && !isTold && !session.hasInteracted) {
            session.heldSave = { text, at };
            return session.launching.then(() => undefined);
        }
        return this.saveText(name, session, text, interaction, at);
    }

    async saveText(name, session, text, interaction, at) {
        let isNew, before;
        try {
            isNew = await this.store.transact(async records => {
                // After a failed write, the function runs again.
                const { content, work, interactedAt, restored, hasReported } = session;
                Object.assign(session, before ??= { content, work, interactedAt, restored, hasReported });
                const { account, key, record } = await this.open(records, name);
                // Until the scene is launched for the new account, the page still shows the former one's content.
                if ((session.owner ?? this.firstOwner) !== account.owner) {
                    throw new PlacekeeperError("account-changed", "The account changed since the scene was launched: launch it again.");
                }
                const capture = this.capture(record, session, text, interaction, at, account);
                session.content = text;
                if (!capture) { records.set(key, record); return false; }
                if (!await records.get("versions")) records.set("versions", this.versions(at));
                if (account.isSignedOut && capture.hasInteraction && this.options.registersAnonymously !== false) {
                    delete account.isSignedOut;
                    records.set("account", account);
                }
                delete capture.hasInteraction;
                records.set(key, record);
                session.unsent = capture;
                return true;
            }, true);
        } finally { if (isNew !== false) this.schedule(session); }
    }

    /** Adds a capture to the record, unless the state is no news. */
    capture(record, session, text, interaction, at, account) {
        const latest = newest(record);
        let resolved = interaction;
        if (interaction === "ifChanged") {
            const { restored } = session;
            const isUnchanged = session.content !== undefined ? showsSame(text, session.content)
                : restored ? (restored.isOwn ? showsSame : isAtPlace)(text, restored.text)
                    : latest !== undefined && showsSame(text, latest.text);
            resolved = isUnchanged ? "viewing" : "now";
        }
        let hasInteraction = resolved !== "viewing";
        if (hasInteraction) {
            const ago = Number.isFinite(resolved?.ago) ? Math.min(Math.max(resolved.ago, 0), maximumAge) : 0;
            session.interactedAt = { ...at, wall: at.wall - ago, uptime: at.uptime - ago };
        } else {
            const { interactedAt } = session;
            // A screen that opened on its own, long after the last interaction, is nobody's work.
            if (interactedAt && ageOf(interactedAt, at) > 5 && latest && !isAtPlace(text, latest.text)) session.end();
            hasInteraction = session.hasInteracted;
        }
        if (!hasInteraction && account.isSignedOut) return;
        if (hasInteraction) {
            this.noteLife(record, session, at);
            session.restored = undefined;
            session.work = session.hasInteracted ? "saved" : "marked";
        } else if (session.work === "left") {
            session.restored = this.local(record).served;
            session.hasReported = true;
            session.work = "none";
        }
        // A first screen must not replace work on this device that was not restored.
        if (!hasInteraction && !session.restored && latest && !latest.isFirstScreen) return;
        // The same state is sent again when the person starts to work in a view-only state, or returns after working on
        // another device.
        const isReturn = latest && isView(latest) || session.headIsOwn !== true && !record.captures.length;
        if (latest?.text === text && !(hasInteraction && isReturn)) return;
        const restored = hasInteraction ? undefined : session.restored;
        // If the restored state is itself a view-only capture, the origin is the work that it shows.
        const origin = restored && (restored.origin ?? (restored.revision === undefined ? undefined
            : { archive: restored.archive, revision: restored.revision }));
        const looksAway = restored !== undefined && !isAtPlace(text, restored.text);
        // Without a revision of the pending work, the service cannot order the view-only capture below it.
        if (looksAway && !origin) return;
        const capture = {
            archive: newUUID(), sequence: nextSequence(record, at), text,
            interactedAt: session.interactedAt ?? restored?.interactedAt ?? at,
        };
        if (origin) capture.restored = origin;
        if (!hasInteraction && !restored) capture.isFirstScreen = true;
        if (looksAway) capture.looksAway = true;
        if (session.watch) {
            session.watch.saved = capture.archive;
            this.writeWatch(record, session, at);
        }
        // A view-only capture does not replace work.
        record.captures = [...record.captures.filter(earlier => isView(capture) && !isView(earlier)), capture];
        return Object.assign(capture, { hasInteraction });
    }

    /** Records that the person is interacting with a scene. */
    interacted(name) {
        const [session, at] = [this.session(name), this.now()];
        session.interactedAt = at;
        session.work = "unsaved";
        return this.changeScene(name, record => this.noteLife(record, session, at));
    }

    changeScene(name, change) {
        return this.store.transact(async records => {
            const { key, record, account } = await this.open(records, name);
            const result = await change(record, records, account);
            records.set(key, record);
            return result;
        });
    }

    // MARK: Restores

    /** The newest state on this device, or why it may not be restored. */
    local(record) {
        const capture = newest(record);
        if (!capture) return {};
        const refused = refusedArchives(record, this.options.bundleVersion);
        if (refused.includes(capture.archive) || refused.includes(capture.restored?.archive)) return { fault: "crashed" };
        try { decodePlace(capture.text); } catch { return { fault: "unreadable" }; }
        const isKept = capture.restored?.archive === capture.archive;
        const revision = isKept ? capture.restored.revision
            : record.tag?.archive === capture.archive ? record.tag.revision : undefined;
        const { archive, text, restored: origin, interactedAt } = capture;
        return {
            served: { archive, text, origin, revision, interactedAt, isOwn: capture.isServed !== true },
            isPending: record.captures.some(pending => pending.archive === archive),
        };
    }

    beginRestore(name, record, session, served, at) {
        this.endRestore(record, session, at);
        // In another tab, the person may work on during this restore.
        const base = newest(record)?.sequence;
        Object.assign(session, { restored: { ...served, base }, hasReported: false, work: "none", content: undefined });
        session.shown.add(served.archive);
        if (session.offered?.offer.archive === served.archive) this.setOffer(name, session);
        const { archive, origin } = served;
        session.watch = { page: this.page, archive, origin: origin?.archive, at, version: this.options.bundleVersion, isArmed: true };
        this.writeWatch(record, session, at);
        // A restore succeeds when the page has lived for five seconds. A death counts for thirty.
        for (const seconds of [5, 30]) {
            setTimeout(() => {
                if (session.watch?.at !== at) return;
                this.changeScene(name, record => {
                    if (session.watch?.at !== at) return;
                    this.endRestore(record, session, this.now());
                    if (seconds === 5) return;
                    session.watch.isArmed = false;
                    this.writeWatch(record, session, at);
                    const { version } = session.watch;
                    record.bad = record.bad.filter(one => one.archive !== archive || one.version !== version || one.isDiscarded);
                    session.watch = undefined;
                }).catch(error => this.fault(error));
                this.schedule(session);
            }, seconds * 1000);
        }
    }

    writeWatch(record, { watch }) {
        record.watches = record.watches.filter(({ page }) => page !== this.page);
        if (watch?.isArmed) record.watches.push({ ...watch });
    }

    /** Ends a restore as successful, because the page is evidently alive, or with another result. */
    endRestore(record, session, at, result = "restored") {
        const { restored, watch } = session;
        if (!restored || session.hasReported) return;
        session.hasReported = true;
        if (watch) watch.hasEndedWell = true;
        const version = this.options.bundleVersion;
        if (restored.revision !== undefined) this.addOutcome(record, restored.archive, result, this.page, at);
        if (result === "restored") {
            this.writeWatch(record, session);
            note(record, [restored.archive], version, known => { delete known.caution; });
            this.keep(record, restored, at);
        } else {
            if (result === "failed") note(record, [restored.archive], version, known => { known.isRefused = true; });
            Object.assign(session, { restored: undefined, watch: undefined });
            this.writeWatch(record, session);
        }
    }

    addOutcome(record, archive, result, launch, at) {
        record.outcomes.push({ id: newUUID(), archive, sequence: nextSequence(record, at), body: { result, launch, ...this.context } });
    }

    /** Keeps another device's restored state, for launches without the service. */
    keep(record, { archive, revision, isOwn, text, base }, at) {
        const latest = newest(record);
        if (revision === undefined || latest?.sequence !== base || record.last?.archive === archive || [latest?.archive, latest?.restored?.archive].includes(archive)) return;
        record.last = { archive, sequence: nextSequence(record, at), interactedAt: at, restored: { archive, revision }, text };
        if (!isOwn) record.last.isServed = true;
    }

    /** The restore has succeeded, and the page is in front. */
    noteLife(record, session, at) {
        this.endRestore(record, session, at);
        if (session.watch?.isArmed !== false) return;
        session.watch.isArmed = true;
        this.setLeft(false);
        this.writeWatch(record, session);
    }

    setLeft(isLeft) {
        try {
            if (isLeft) localStorage.setItem(this.leftKey(this.page), Date.now());
            else localStorage.removeItem(this.leftKey(this.page));
        } catch { /* See `hasLeft`. */ }
    }

    /** Counts the deaths of earlier pages that restored a state of the scene. */
    async countDeaths(record, records, endedInOrder, at) {
        for (const watch of record.watches) {
            if (endedInOrder(watch.page)) continue;
            const archives = [watch.archive, watch.origin, watch.saved].filter((one, index, all) => one && all.indexOf(one) === index);
            const known = record.bad.find(one => one.archive === watch.archive && one.version === watch.version)?.deaths ?? [];
            const deaths = [...known.slice(-2), { page: watch.page, at: watch.at }];
            note(record, archives, watch.version, one => { one.deaths = deaths; });
            if (watch.hasEndedWell && !isCrashLoop(deaths)) continue;
            note(record, archives, watch.version, one => { one.isRefused = true; });
            const crashes = await records.get("crashes") ?? [];
            if (!crashes.some(({ page }) => page === watch.page)) {
                records.set("crashes", [...crashes.slice(-15), { page: watch.page, version: watch.version, at: watch.at }]);
            }
            for (const archive of archives) this.addOutcome(record, archive, "crashed", watch.page, at);
        }
        // A watch of a living page stays.
        record.watches = record.watches.filter(({ page }) => endedInOrder(page) && !this.hasLeft(page));
    }

    async hasCrashedOften(records, at) {
        const crashes = await records.get("crashes") ?? [];
        const { bundleVersion } = this.options;
        return crashes.filter(crash => crash.version === bundleVersion && ageOf(crash.at, at) < 7 * 86_400).length >= 2;
    }

    // MARK: Launching

    versions(at, since) { return { bundleVersion: this.options.bundleVersion, since, answeredAt: at, refused: [] }; }

    /** Whether the service may refuse this device's own state by now. */
    async asksFirst(records, name, at) {
        const { bundleVersion } = this.options;
        if ((await records.get("stopped"))?.bundleVersion === bundleVersion) return true;
        const known = await records.get("versions");
        if (known?.bundleVersion !== bundleVersion || known.refused.includes(name)) return true;
        return known.since !== undefined && ageOf(known.since, at) < 86_400 && ageOf(known.answeredAt, at) >= 600;
    }

    launch(name, deadline) {
        const first = this.session(name), call = { end: performance.now() + deadline, isLate: false };
        // If another tab has changed the account, this page's sessions have ended.
        const launching = this.store.transact(records => this.read(records)).then(() => {
            const session = this.session(name);
            session.launching = launching;
            return this.launchNow(name, session, call);
        });
        first.launching = launching;
        const launched = launching.finally(async () => {
            const session = this.session(name), held = session.heldSave ?? first.heldSave;
            session.launching = first.launching = session.heldSave = undefined;
            if (held && !session.restored && !session.hasLocal) {
                await this.saveText(name, session, held.text, "viewing", held.at).catch(error => this.fault(error));
            }
        });
        const late = sleep(deadline / 1000).then(() => {
            call.isLate = true;
            return { reason: "deadline" };
        });
        return Promise.race([launched, late]).catch(error => {
            if (error.code !== "storage-failed") throw error;
            this.fault(error);
            return { reason: error.code };
        });
    }

    async launchNow(name, session, call) {
        const start = performance.now(), endedInOrder = await this.endedInOrder();
        const hurries = await this.store.transact(async records => {
            const { account, key, record } = await this.open(records, name);
            const at = this.now();
            session.owner = account.owner;
            await this.countDeaths(record, records, endedInOrder, at);
            records.set(key, record);
            const mode = await records.get("mode") ?? "auto";
            return mode === "auto" && account.registration !== undefined && !account.unanswered
                && this.local(record).served !== undefined && !newest(record).isFirstScreen
                && !await this.hasCrashedOften(records, at) && !await this.asksFirst(records, name, at);
        });
        const asked = this.askLatest(name, session);
        const own = hurries && { kind: "notAsked" };
        // The rest of the time is for the decision.
        const wait = Math.min(hurries ? start + 50 : Infinity, start + 0.9 * (call.end - start)) - performance.now();
        const late = sleep(Math.max(0, wait) / 1000).then(() => own || { kind: "unavailable", reason: "deadline", isLate: true });
        const remote = await Promise.race([asked, late]);
        const launch = await this.decide(name, session, remote, call);
        if (remote === own || remote.isLate) {
            asked.then(answer => this.offerLater(name, session, answer)).catch(error => this.fault(error));
        }
        return launch;
    }

    /** The service's answer to a launch. Pending states are sent first, so the service compares them with others. */
    async askLatest(name, session) {
        try {
            if (await this.store.transact(records => this.serviceWait(records)) > 0) return { kind: "unavailable", reason: "busy" };
            let { registration } = await this.registered();
            await this.withLock("send", () => this.sendScene(name));
            const tag = await this.changeScene(name, (record, records, account) => {
                registration = account.registration;
                const { last, captures, tag } = record;
                return last && !captures.length && tag?.archive === last.archive ? tag.tag : undefined;
            });
            const fields = tag ? { "If-None-Match": tag } : {};
            const answer = await this.ask("GET", `/v1/scenes/${name}/archives/latest${this.query}`, { accept: placeType, fields });
            const superseded = answer.field("Placekeeper-Superseded"), caution = answer.field("Placekeeper-Caution");
            if (answer.status === 304) return { kind: "notModified", isSuperseded: superseded !== undefined, caution };
            const remote = { kind: "served", ...this.served(answer, registration), isSuperseded: superseded !== undefined, caution };
            remote.head = superseded === undefined ? remote.revision : revisionOf(superseded.split(";")[0]);
            if (remote.fidelity === "none") return { kind: "incompatible", reason: "no-place" };
            // The offer names the device.
            if (!remote.isOwn || remote.isSuperseded) {
                const places = await this.places().catch(() => []);
                remote.description = places.find(({ archive }) => archive === remote.archive);
                if (remote.description) remote.age = Math.max(0, (Date.now() - remote.description.date) / 1000);
            }
            return remote;
        } catch (error) {
            if (!(error instanceof PlacekeeperError)) error = unreadable();
            if (error.code === "nothing-stored") return { kind: "nothingStored" };
            if (error.status === 406) return { kind: "incompatible", reason: decisiveReason(error.document) };
            await this.failed(error);
            if (isTemporary(error)) this.fault(error);
            return { kind: "unavailable", reason: isUnauthorized(error) ? "revoked" : error.code };
        }
    }

    served({ field, text }, registration) {
        const archive = field("Placekeeper-Archive"), device = field("Placekeeper-Device");
        const revision = revisionOf(field("Placekeeper-Revision")), fidelity = field("Placekeeper-Fidelity");
        if (!isUUID(archive) || !device || revision === undefined || !["full", "place", "none"].includes(fidelity)) throw unreadable();
        try { decodePlace(text); } catch { throw unreadable(); }
        return { archive, revision, fidelity, text, tag: field("ETag"), isOwn: device === registration?.device };
    }

    /** Decides a launch, and records the start of the restore. */
    decide(name, session, remote, call) {
        return this.changeScene(name, async (record, records) => {
            // The app no longer waits for a place.
            if (call.isLate) return {};
            const at = this.now();
            const { situation, local, answer } = await this.situation(name, record, records, session, remote, at);
            const decision = decideLaunch(situation);
            const launch = { reason: decision.reason };
            if (remote.kind === "notAsked" && session.offered && session.offered.offer.archive !== decision.restore) {
                [launch.offer, launch.reason] = [session.offered.offer, "other-device"];
            } else if (decision.offer) {
                const offered = decision.offer.archive === answer.archive ? answer : { ...local.served, age: decision.offer.age };
                launch.offer = this.offer(name, session, { ...offered, age: decision.offer.age });
            }
            session.hasLocal = local.served !== undefined || local.fault !== undefined;
            if (decision.restore !== undefined) {
                const restored = local.served?.archive === decision.restore ? local.served : answer;
                this.beginRestore(name, record, session, restored, at);
                launch.restore = restoredPlace(name, restored);
            } else if (local.served && !session.hasInteracted) session.work = "left";
            return launch;
        });
    }

    /** What a launch depends on. Records what the service's answer says about this device's states. */
    async situation(name, record, records, session, remote, at) {
        const version = this.options.bundleVersion;
        const local = this.local(record), { served } = local;
        if (this.newMode) records.set("mode", this.newMode);
        const mode = this.newMode ?? await records.get("mode") ?? "auto";
        const about = remote.kind === "served" ? remote.archive : remote.kind === "notModified" ? served?.archive : undefined;
        if (about && cautionOf(record, [about], version) !== remote.caution) {
            note(record, [about], version, known => { known.caution = remote.caution; });
        }
        const own = served && {
            archive: served.archive, place: shownBy(served.text, true), isPending: local.isPending,
            revision: served.revision, origin: served.origin,
            age: served.interactedAt && ageOf(served.interactedAt, at),
            caution: local.isPending ? undefined : cautionOf(record, [served.archive, served.origin?.archive], version),
        };
        let answer = remote.kind === "served" ? { ...remote, place: shownBy(remote.text, true) } : remote;
        const refuses = own !== undefined && (isRefused(own, answer) || own.caution !== undefined);
        answer = await this.remember(name, records, answer, refuses, at);
        if (answer.kind === "served" && refusedArchives(record, version).includes(answer.archive)) {
            answer = { kind: "incompatible", reason: "crashed" };
        }
        // The answer to an upload of JSON has no entity tag.
        if (remote.tag && remote.isOwn && record.tag?.archive === remote.archive) record.tag.tag = remote.tag;
        if (answer.kind === "served") session.headIsOwn = answer.isOwn && !answer.isSuperseded;
        if (answer.kind === "notModified") session.headIsOwn = !answer.isSuperseded;
        const latest = newest(record);
        const situation = {
            local: own, localFault: local.fault, remote: answer, mode,
            isUnused: latest === undefined || latest.isFirstScreen === true,
            hasCrashedOften: await this.hasCrashedOften(records, at), dismissed: record.dismissed, withheld: [],
        };
        return { situation, local, answer };
    }

    /** Records whether restores of this version are stopped. Without an answer, the last known one applies. */
    async remember(name, records, remote, refuses, at) {
        const { bundleVersion } = this.options, stopCode = "restores-stopped";
        const isStopped = (await records.get("stopped"))?.bundleVersion === bundleVersion;
        if (remote.kind === "notAsked") return remote;
        if (remote.kind === "unavailable") return isStopped ? { kind: "incompatible", reason: stopCode } : remote;
        if (remote.kind === "incompatible" && remote.reason === stopCode) records.set("stopped", { bundleVersion });
        else if (isStopped && remote.isSuperseded === false) records.set("stopped");
        const earlier = await records.get("versions");
        const known = earlier?.bundleVersion === bundleVersion ? earlier : this.versions(at, earlier && at);
        known.refused = [...known.refused.filter(scene => scene !== name), ...refuses ? [name] : []];
        known.answeredAt = at;
        records.set("versions", known);
        return remote;
    }

    // MARK: Offers

    offer(name, session, { archive, text, description, age, head, revision, isOwn, origin, interactedAt }) {
        const offer = description ?? {
            archive, scene: name, titles: titlesOf(text), device: { isThisDevice: isOwn },
            date: new Date(Date.now() - 1000 * (age ?? 0)),
        };
        this.setOffer(name, session, { offer, served: { archive, text, isOwn, origin, interactedAt, revision: head ?? revision }, head });
        return offer;
    }

    setOffer(name, session, offered) {
        session.offered = offered;
        this.dispatchEvent(new CustomEvent(`offer ${name}`, { detail: offered?.offer }));
    }

    isShown(record, session, archive) {
        const latest = newest(record);
        return session.shown.has(archive) || record.dismissed.includes(archive)
            || latest?.archive === archive || latest?.restored?.archive === archive;
    }

    /** Offers a newer place that the service served after the launch was decided. */
    offerLater(name, session, remote) {
        return this.changeScene(name, async (record, records) => {
            const { situation, answer } = await this.situation(name, record, records, session, remote, this.now());
            if (answer.kind !== "served" || answer.isOwn || situation.mode === "off" || this.isShown(record, session, answer.archive)) return;
            // Work since the launch may be newer.
            if (["none", "left"].includes(session.work)) this.offer(name, session, answer);
        });
    }

    async accept(name, archive) {
        const session = this.session(name);
        let served = session.offered?.served;
        if (served?.archive !== archive || served.text === undefined) {
            if (!isUUID(archive)) throw new PlacekeeperError("place-invalid", "The place has no valid id.");
            const answer = await this.ask("GET", `/v1/scenes/${name}/archives/${archive}/restorable${this.query}`, { accept: placeType });
            served = this.served(answer, this.account.registration);
        }
        await this.changeScene(name, (record, records, account) => {
            session.owner = account.owner;
            this.beginRestore(name, record, session, served, this.now());
        });
        return restoredPlace(name, served);
    }

    async dismiss(name, archive) {
        await this.changeScene(name, record => {
            record.dismissed = [...record.dismissed.filter(one => one !== archive).slice(-15), archive];
        });
        const session = this.session(name);
        if (session.offered?.offer.archive === archive) this.setOffer(name, session);
    }

    report(name, result) {
        const session = this.session(name);
        const done = this.changeScene(name, record => this.endRestore(record, session, this.now(), result));
        this.schedule(session);
        return done;
    }

    discard(name) {
        const session = this.session(name);
        return this.changeScene(name, record => {
            this.endRestore(record, session, this.now(), "abandoned");
            const { archive, restored } = newest(record) ?? {};
            // Otherwise, the service would serve the work that the view-only capture shows.
            note(record, [archive, restored?.archive].filter(Boolean), undefined, known => { known.isDiscarded = true; });
        });
    }

    /** Compares the places of all devices with the scenes of this page, and offers newer places of other devices. */
    async refreshOffers() {
        const places = await this.places();
        for (const [name, session] of this.sessions) {
            if (session.owner === undefined || session.launching) continue;
            const head = places.find(({ scene, isLatest }) => scene === name && isLatest);
            if (!head) continue;
            await this.changeScene(name, async (record, records) => {
                session.headIsOwn = head.device.isThisDevice;
                const mode = this.newMode ?? await records.get("mode");
                const isNews = !head.device.isThisDevice && head.isRestorable && mode !== "off"
                    && !this.isShown(record, session, head.archive) && !record.captures.length;
                if (!isNews) return session.offered && session.offered.head !== head.revision && this.setOffer(name, session);
                if (session.offered?.offer.archive !== head.archive) this.setOffer(name, session, { offer: head, head: head.revision });
            });
        }
    }

    // MARK: Sending

    /** Sends the scene's states soon. */
    schedule(session) {
        const now = performance.now();
        session.firstSavedAt ??= now;
        const delay = Math.min(this.options.sendDelay, session.firstSavedAt / 1000 + 5 * this.options.sendDelay - now / 1000);
        clearTimeout(session.timer);
        session.timer = setTimeout(() => { session.firstSavedAt = undefined; this.work(); }, Math.max(0, delay) * 1000);
    }

    /** Sends everything that is pending, unless a failure or the service asks to wait. Never throws. */
    work() {
        // The pass may have missed what was saved since it began.
        this.again = this.working !== undefined;
        this.working ??= this.pass().catch(async error => {
            await this.failed(error);
            this.fault(error);
        }).finally(async () => {
            this.working = undefined;
            clearTimeout(this.timer);
            if (this.again) return this.work();
            const wait = Math.max(await this.store.transact(records => this.serviceWait(records)), this.retryAt - this.now().uptime);
            if (wait > 0 && await this.pending()) this.timer = setTimeout(() => this.work(), wait * 1000 + 50);
        }).catch(error => this.fault(error));
        return this.working;
    }

    async pass() {
        const wait = await this.store.transact(records => this.serviceWait(records));
        if (wait > 0 || this.retryAt > this.now().uptime || !await this.pending()) return;
        await this.registered();
        await this.withLock("send", async () => {
            const names = await this.store.transact(async records => {
                const prefix = `scene/${folderOf(await this.read(records))}/`;
                return (await records.keys(prefix)).map(key => key.slice(prefix.length));
            });
            let failure;
            for (const name of names) {
                try { await this.sendScene(name); } catch (error) {
                    if (error.code === "offline" || error.code === "busy" || error.status === 401) throw error;
                    failure ??= error;
                }
            }
            if (failure) throw failure;
        });
    }

    /** The number of unsent captures and outcomes. */
    pending() {
        return this.store.transact(async records => {
            let count = 0;
            const account = await this.read(records);
            for (const folder of [folderOf(account), account.endedDevice]) {
                for (const key of await records.keys(`scene/${folder}/`)) {
                    const { captures, outcomes } = await readScene(records, key);
                    count += captures.length + outcomes.length;
                }
            }
            return count;
        });
    }

    /** Sends the captures and outcomes of a scene in order. Throws if the rest can only be sent later. */
    async sendScene(name) {
        for (;;) {
            const { account, item } = await this.store.transact(async records => {
                const { account, record: { captures, outcomes } } = await this.open(records, name);
                const waiting = captures.filter(({ archive }) => !(this.withoutRoom.get(archive) > this.now().uptime));
                return { account, item: [...waiting, ...outcomes].sort((a, b) => a.sequence - b.sequence)[0] };
            });
            if (!item) return;
            if (!account.registration) throw new PlacekeeperError("not-registered", "The device is not registered.");
            await this.send(name, item, account.registration);
        }
    }

    /** Sends a capture or an outcome. Throws if it can only be sent later. */
    async send(name, item, { token, device }, keepalive) {
        let answer, error;
        try {
            answer = await this.request(...requestOf(name, item), { token, keepalive, ...bodyOf(item, this.now()) });
            if (item.text ? revisionOf(answer.field("Placekeeper-Revision")) === undefined : answer.status !== 204) throw unreadable();
        } catch (failure) {
            error = failure;
            if (isUnauthorized(error)) await this.endRegistration(token);
            if (isUnauthorized(error) || isTemporary(error) || !error.status) throw error;
        }
        await this.changeScene(name, (record, records, account) => {
            if (account.registration?.device !== device) return;
            if (!item.text) record.outcomes = record.outcomes.filter(({ id }) => id !== item.id);
            else if (answer) this.noteSent(name, record, item, answer);
            else if (isAboutRoom(error)) this.withoutRoom.set(item.archive, this.now().uptime + 3600);
            else {
                // Sending the same capture again does not help. The last refused one is kept.
                record.captures = record.captures.filter(({ archive }) => archive !== item.archive);
                if (error.status !== 410) record.refused = item;
            }
        });
        if (!error || !item.text || error.status === 410) return;
        this.lost = isAboutRoom(error) ? error : new PlacekeeperError("state-refused", `${error.code}: ${error.message}`, { cause: error });
        this.fault(this.lost);
    }

    noteSent(name, record, capture, { field }) {
        const revision = revisionOf(field("Placekeeper-Revision")), session = this.session(name);
        acknowledge(record, capture, field("ETag"), revision);
        if (session.unsent?.archive === capture.archive) session.unsent = undefined;
        const isHead = revisionOf(field("Head-Revision")) === revision;
        if (!record.captures.length || isHead) session.headIsOwn = isHead;
        if (isHead && session.offered) this.setOffer(name, session);
        if (!isHead) this.refreshSoon();
    }

    /** Sends everything, and waits until it is sent. */
    async flush(deadline = 5000) {
        const end = performance.now() + deadline;
        this.retryAt = 0;
        for (const session of this.sessions.values()) clearTimeout(session.timer);
        this.lost = undefined;
        while (await this.pending()) {
            const left = end - performance.now();
            if (this.lost) throw this.lost;
            if (left <= 0) throw new PlacekeeperError("unsent-states", "Not everything was sent before the deadline. The rest is sent later.", { cause: this.problem });
            const sent = await Promise.race([this.work().then(() => true), sleep(left / 1000)]);
            if (sent && await this.pending()) await sleep(Math.min(0.1, left / 1000));
        }
        if (this.lost) throw this.lost;
    }

    /** The person leaves the page: it may be gone at any time. Sends what fits with `keepalive`. */
    leave() {
        if ([...this.sessions.values()].some(({ watch }) => watch?.isArmed)) this.setLeft(true);
        const sending = [];
        for (const [name, session] of this.sessions) {
            session.end();
            if (session.watch) {
                session.watch.isArmed = false;
                this.changeScene(name, record => {
                    this.endRestore(record, session, this.now());
                    this.writeWatch(record, session);
                }).catch(error => this.fault(error));
            }
            const { unsent } = session, registration = this.account?.registration;
            if (!unsent || !registration || this.busyUntil > this.now().uptime) continue;
            const length = bytesOf(unsent.text);
            if (this.keepaliveBytes + length > keepaliveLimit) continue;
            this.keepaliveBytes += length;
            const sent = this.send(name, unsent, registration, true).catch(() => undefined);
            sending.push(sent.then(() => { this.keepaliveBytes -= length; }));
        }
        Promise.all(sending).then(() => this.work());
        this.closeEvents();
    }

    resume() {
        this.retryAt = 0;
        this.work();
        this.closeEvents();
        this.follow();
    }

    // MARK: Events

    refreshSoon() {
        if (!this.follows || this.refreshing) return;
        this.refreshing = sleep(0.1).then(() => {
            this.refreshing = undefined;
            return this.refreshOffers();
        }).catch(error => this.failed(error));
    }

    closeEvents() {
        this.events?.abort();
        this.events = undefined;
    }

    follow() { this.openEvents().catch(error => this.fault(error)); }

    /** Follows the changes of other devices while the page is visible. */
    async openEvents() {
        if (!this.follows || this.events || document.visibilityState === "hidden") return;
        const abort = this.events = new AbortController();
        for (let delay = 1; !abort.signal.aborted; delay = Math.min(2 * delay, 60)) {
            try {
                await this.readEvents(abort.signal, () => { delay = 1; });
            } catch (error) {
                if (abort.signal.aborted) return;
                await this.failed(error instanceof PlacekeeperError ? error : unreadable());
            }
            await sleep(Math.max(delay, await this.store.transact(records => this.serviceWait(records))));
        }
    }

    async readEvents(signal, noteLife) {
        const { registration: { token } } = await this.registered();
        // Changes before the stream begins cause no event.
        await this.refreshOffers();
        const headers = { Authorization: `Bearer ${token}`, Accept: "text/event-stream", "Launch-Id": this.page };
        if (this.lastEvent?.token === token) headers["Last-Event-ID"] = this.lastEvent.id;
        const connection = new AbortController(), end = () => connection.abort();
        if (signal.aborted) return;
        signal.addEventListener("abort", end);
        // The service sends something every 15 seconds.
        let timer = setTimeout(end, 45_000);
        try {
            const response = await fetch(this.server + "/v1/events", { ...fetchOptions, headers, signal: connection.signal });
            if (!response.ok) throw this.problemOf(response, await readText(response, 1 << 16));
            const reader = response.body.getReader(), decoder = new TextDecoder();
            let rest = "", event = "", id;
            for (;;) {
                const { done, value } = await reader.read();
                if (done) return;
                clearTimeout(timer);
                timer = setTimeout(end, 45_000);
                noteLife();
                const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
                rest = lines.pop();
                if (rest.length > 1 << 16) throw unreadable();
                for (const line of lines.map(line => line.replace(/\r$/, ""))) {
                    if (line.startsWith("event:")) event = line.slice(6).trim();
                    if (line.startsWith("id:")) id = line.slice(3).trim();
                    if (line !== "") continue;
                    if (/^\d{1,16}$/.test(id)) this.lastEvent = { token, id };
                    if (event === "settingsChanged") await this.readSettings();
                    else if (event && event !== "outcomeReported") this.refreshSoon();
                    event = "";
                }
            }
        } finally {
            clearTimeout(timer);
            signal.removeEventListener("abort", end);
            end();
        }
    }

    async readSettings() {
        const { restoration } = this.json(await this.ask("GET", "/v1/manifest"));
        this.newMode = ["auto", "offer", "off"].includes(restoration) ? restoration : "auto";
        await this.store.transact(async records => { records.set("mode", this.newMode); });
        if (this.newMode !== "off") return this.refreshSoon();
        for (const [name, session] of this.sessions) if (session.offered) this.setOffer(name, session);
    }

    /** Removes states that were kept for thirty days for users who have not signed in again, and old marks of pages. */
    purge() {
        try {
            for (const key of Object.keys(localStorage)) {
                if (key.startsWith(this.leftKey("")) && !(Date.now() - localStorage.getItem(key) < 7 * 86_400_000)) localStorage.removeItem(key);
            }
        } catch { /* There are no marks. */ }
        return this.store.transact(async records => {
            const account = await this.read(records);
            for (const key of await records.keys("folder/")) {
                const folder = key.slice(7), owner = await records.get(key);
                if (folder === folderOf(account) || folder === account.endedDevice) continue;
                const scenes = await records.keys(`scene/${folder}/`);
                if (scenes.length && !owner?.left) records.set(key, { ...owner, left: this.now() });
                else if (!scenes.length || ageOf(owner.left, this.now()) >= 30 * 86_400) {
                    for (const gone of [key, ...scenes]) records.set(gone);
                }
            }
        });
    }

    /** Deletes the states of a scene, but not those saved since. */
    forget(name) {
        return this.withLock("send", async () => {
            const start = await this.changeScene(name, record => nextSequence(record, this.now()));
            await this.ask("DELETE", `/v1/scenes/${name}`).catch(error => {
                if (error.status !== 404) throw error;
            });
            const session = this.session(name);
            await this.changeScene(name, record => {
                // The service drops uploads of work from before the deletion, so the later work gets a later time.
                const interactedAt = session.interactedAt = this.now(), { sequence } = record;
                const captures = record.captures.filter(capture => capture.sequence > start)
                    .map(capture => ({ ...capture, interactedAt }));
                for (const member of Object.keys(record)) delete record[member];
                Object.assign(record, newScene(), { captures, sequence });
                Object.assign(session, { restored: undefined, watch: undefined, unsent: captures.at(-1) });
                if (!captures.length) this.sessions.set(name, Object.assign(new Session(), { owner: session.owner }));
            });
            if (session.offered) this.setOffer(name, session);
        });
    }
}

const folderOf = ({ registration, formerDevice }) => registration?.device ?? formerDevice ?? "new";
const newInstallation = () => ({ id: newUUID(), secret: randomHex(32) });
const isAtPlace = (text, other) => shownBy(text, true) === shownBy(other, true);
const isAboutRoom = ({ code }) => code === "quota-exceeded" || code === "too-many-scenes";
const restoredPlace = (scene, { archive, isOwn, revision, text }) => ({ archive, scene, isOwn, revision, ...decodePlace(text) });

const requestOf = (name, { text, archive }) => text
    ? ["PUT", `/v1/scenes/${name}/archives/${archive}`] : ["POST", `/v1/scenes/${name}/archives/${archive}/outcomes`];

function bodyOf(item, now) {
    if (!item.text) return { type: "application/json", body: JSON.stringify(item.body) };
    const fields = { "Interaction-Age": ageOf(item.interactedAt, now).toFixed(3), "Capture-Sequence": String(item.sequence) };
    if (isView(item)) fields["Restored-From"] = String(item.restored?.revision ?? 0);
    return { type: placeType, body: item.text, fields };
}

// MARK: The public interface, which placekeeper.d.ts describes

export class Scene extends EventTarget {
    #core;
    constructor(core, name) {
        super();
        [this.#core, this.name] = [core, name];
        core.addEventListener(`offer ${name}`, ({ detail }) => this.dispatchEvent(new CustomEvent("offer", { detail })));
    }

    launch({ deadline = 1000 } = {}) { return this.#core.launch(this.name, deadline); }
    save(place, { interaction } = {}) { return this.#core.save(this.name, place, interaction); }
    interacted() { return this.#core.interacted(this.name); }
    accept({ archive }) { return this.#core.accept(this.name, archive); }
    dismiss({ archive }) { return this.#core.dismiss(this.name, archive); }
    report(result) { return this.#core.report(this.name, result); }
    discard() { return this.#core.discard(this.name); }
    forget() { return this.#core.forget(this.name); }
}

export class Placekeeper extends EventTarget {
    #core;
    #scenes = new Map();

    constructor(server, options) {
        super();
        this.#core = new Core(server, options);
        this.#core.addEventListener("problem", ({ detail }) => this.dispatchEvent(new CustomEvent("problem", { detail })));
        this.#core.addEventListener("accountchange", () => this.dispatchEvent(new Event("accountchange")));
    }

    scene(name) {
        // The name becomes a part of paths.
        if (!isSceneName(name)) throw new PlacekeeperError("scene-name-invalid", "A scene's name has 1 to 64 of the characters A–Z a–z 0–9 . _ and -, and is neither . nor .. itself.");
        if (!this.#scenes.has(name)) this.#scenes.set(name, new Scene(this.#core, name));
        return this.#scenes.get(name);
    }

    follow() {
        this.#core.follows = true;
        this.#core.follow();
    }

    signIn(token) { return this.#core.join("signIn", "/v1/devices/self/sign-in", { token }, { signInToken: token }); }
    link(code) { return this.#core.join("link", "/v1/devices/self/link", { code }, { linkCode: code }); }
    async makeLinkCode() { return this.#core.json(await this.#core.ask("POST", "/v1/link-codes")); }
    signOut({ unsent = "send", deadline = 5000 } = {}) { return this.#core.signOut(unsent, deadline); }
    erase() { return this.#core.erase(); }
    places() { return this.#core.places(); }
    flush({ deadline = 5000 } = {}) { return this.#core.flush(deadline); }

    async status() {
        const [core, pending] = [this.#core, await this.#core.pending()];
        const { registration, needsSignIn = false } = core.account;
        return {
            isRegistered: registration !== undefined, isSignedIn: registration?.isSignedIn === true, needsSignIn,
            pending, isPersistent: core.store.isPersistent, problem: core.problem,
        };
    }
}
