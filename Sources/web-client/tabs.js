// The pages that share this device: which of them live, and which may act.

import { sleep } from "./clock.js";
import { newUUID } from "./identifiers.js";

const lockName = (client, name) => `${client._store.name} ${name}`;

/** Web Locks, or undefined where there are none. Where storage is denied, they fail. */
export async function findLocks() {
    await navigator.locks?.query();
    return navigator.locks;
}

/** Holds a lock while the page lives, so that another tab does not take this page's restore for a crash. */
export async function holdPage(client) {
    const locks = await client._locks;
    locks?.request(lockName(client, client._page), () => new Promise(resolve => { client._releasePage = resolve; })).catch(() => undefined);
}

/** The key in `localStorage` of a page that the person left, which is written at once when a page is hidden. */
const leftKey = (client, page) => lockName(client, `left ${page}`);

/** Without `localStorage`, nothing tells a crash from a page that the person left, so no page counts as crashed. */
export function hasLeft(client, page) {
    if (page === client._page) return false;
    try { return localStorage.getItem(leftKey(client, page)) !== null; } catch { return true; }
}

export function setLeft(client, isLeft) {
    const key = leftKey(client, client._page);
    try {
        if (isLeft) localStorage.setItem(key, Date.now());
        else localStorage.removeItem(key);
    } catch { /* See `hasLeft`. */ }
}

/** Removes the marks of pages that the person left a week ago. */
export function purgeMarks(client) {
    try {
        for (const key of Object.keys(localStorage)) {
            if (key.startsWith(leftKey(client, "")) && !(Date.now() - localStorage[key] < 7 * 86_400_000)) localStorage.removeItem(key);
        }
    } catch { /* There are no marks. */ }
}

/** Whether a page that restored a state cannot have crashed: it lives, the person left it, or the browser discarded it. */
export async function endedInOrder(client) {
    const held = (await (await client._locks)?.query())?.held.map(({ name }) => name);
    return page => {
        if (page === client._page || hasLeft(client, page)) return true;
        const isPrevious = page === client._previousPage;
        if (isPrevious && document.wasDiscarded) return true;
        // Without locks, we only know that this tab's earlier page is gone.
        return held ? held.includes(lockName(client, page)) : !isPrevious;
    };
}

/** Returns the page that this tab showed before. */
export function replacePage(client) {
    const key = lockName(client, "page");
    try {
        const previous = sessionStorage.getItem(key);
        sessionStorage.setItem(key, client._page);
        return previous;
    } catch { /* We do not know it. */ }
}

/** Runs a function in one tab at a time. Without Web Locks, a lease in the records excludes other tabs. */
export async function withLock(client, name, body) {
    const locks = await client._locks;
    if (locks) return locks.request(lockName(client, name), body);
    const key = `lease ${name}`, holder = newUUID();
    const take = records => {
        const lease = records.get(key), left = lease?.until - Date.now();
        if (left > 0 && left < 120_000) return false;
        records.set(key, { holder, until: Date.now() + 60_000 });
        return true;
    };
    while (!await client._store._transact(take)) await sleep(0.1);
    try { return await body(); } finally {
        await client._store._transact(records => {
            if (records.get(key)?.holder === holder) records.set(key);
        });
    }
}
