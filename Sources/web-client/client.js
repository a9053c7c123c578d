// The state of this device in this page, and what the page does when the person leaves it or returns.

import { purge } from "./account.js";
import { uptime } from "./clock.js";
import { reportProblem } from "./errors.js";
import { closeEvents, followEvents } from "./events.js";
import { newUUID } from "./identifiers.js";
import { bytesOf } from "./place.js";
import { endRestore, writeWatch } from "./restores.js";
import { changeScene, mergeRecords } from "./scenes.js";
import { sendItem, sendPending } from "./sending.js";
import { Store } from "./store.js";
import { findLocks, holdPage, purgeMarks, replacePage, setLeft } from "./tabs.js";

/** The state of one device in one page. */
export class Client {
    /** The public scenes, by name. */
    _scenes = new Map();
    /** What happened in each scene, until another account becomes active. */
    _sessions = new Map();
    _page = newUUID();
    _locks = findLocks().catch(() => undefined);
    _failures = 0;
    /** The uptimes before which nothing is sent: after a failure, and as the service asked. */
    _retryAt = 0;
    _busyUntil = 0;
    /** The uptimes until which captures wait that the service has no room for. */
    _withoutRoom = new Map();

    constructor(target, server, options) {
        if (typeof options.key !== "string") throw new TypeError("The publishable key is missing.");
        this._target = target;
        this._server = new URL(server, location.href).href.replace(/\/+$/, "");
        this._options = { idiom: "mac", bundleVersion: "0", sendDelay: 2, ...options };
        this._store = new Store(`placekeeper ${this._server} ${options.key}${options.profile ?? ""}`, mergeRecords);
        this._previousPage = replacePage(this);
        holdPage(this);
        // A page that holds a lock cannot go into the back-forward cache.
        addEventListener("pagehide", () => { leavePage(this); this._releasePage?.(); });
        addEventListener("pageshow", ({ persisted }) => {
            if (!persisted) return;
            holdPage(this);
            resumePage(this);
        });
        addEventListener("online", () => resumePage(this));
        document.addEventListener("visibilitychange", () => {
            if (document.hidden) leavePage(this); else resumePage(this);
        });
        purgeMarks(this);
        purge(this).catch(error => reportProblem(this, error)).then(() => sendPending(this));
    }
}

/** The person leaves the page: it may be gone at any time. Sends what fits with `keepalive`. */
function leavePage(client) {
    if ([...client._sessions.values()].some(({ _watch }) => _watch?.isArmed)) setLeft(client, true);
    const sending = [];
    for (const session of client._sessions.values()) {
        const { _watch: watch, _unsent: unsent } = session;
        session._end();
        if (watch) {
            watch.isArmed = false;
            changeScene(session, record => {
                endRestore(record, session);
                writeWatch(record, session);
            }).catch(error => reportProblem(client, error));
        }
        const registration = client._account?.registration;
        // A browser refuses to keep more than 64 KiB alive. The next pass, or the next page, sends the rest.
        if (!unsent || !registration || client._busyUntil > uptime() || bytesOf(unsent.text) > 60_000) continue;
        sending.push(sendItem(session, unsent, registration, true).catch(() => undefined));
    }
    Promise.all(sending).then(() => sendPending(client));
    closeEvents(client);
}

function resumePage(client) {
    client._retryAt = 0;
    sendPending(client);
    closeEvents(client);
    followEvents(client);
}
