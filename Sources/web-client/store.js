// The records of this device in IndexedDB, which all tabs share.

import { PlacekeeperError } from "./errors.js";

/**
 * Where there is no IndexedDB, or after a failed write, this page keeps its records in memory. Another tab may write the
 * same record meanwhile: `merge` then joins the two, given the key, the record on the disk and the kept one.
 */
export class Store {
    /** The records that only this page has, each with the record on the disk that it replaces. */
    _kept = new Map();
    /** The records as this page last saw them on the disk, for use while the disk cannot be read. */
    _seen = new Map();
    _isPersistent = true;

    constructor(name, merge) { Object.assign(this, { name, _merge: merge }); }

    /** The database, or undefined where there is none. */
    _open() {
        this._database ??= new Promise(resolve => {
            const request = indexedDB.open(this.name, 1);
            request.onupgradeneeded = () => request.result.createObjectStore("records");
            request.onsuccess = () => {
                const database = request.result;
                database.onversionchange = database.onclose = () => { database.close(); this._database = undefined; };
                resolve(database);
            };
            request.onerror = () => resolve();
        }).catch(() => undefined).then(database => {
            this._isPersistent = database !== undefined;
            return database;
        });
        return this._database;
    }

    /**
     * Runs a function in one transaction over the records. Of scenes, which may be many and large, it gets only those whose
     * name ends so: none by default, and all with an empty text. The function must not wait. If the records cannot be
     * written, this page keeps them in memory; with `isStrict`, the error is thrown.
     */
    async _transact(body, scene = "/", isStrict, isRetry) {
        const database = await this._open(), kept = this._kept;
        let transaction, work;
        try {
            transaction = database?.transaction("records", "readwrite", { durability: "strict" });
            const store = transaction.objectStore("records");
            const end = new Promise((resolve, reject) => {
                transaction.oncomplete = resolve;
                transaction.onabort = () => reject(transaction.error);
            });
            end.catch(() => undefined);
            const keys = await finished(store.getAllKeys());
            // A scene that is not read has a value too, because its key is listed.
            this._read(keys, await Promise.all(keys.map(key => key.startsWith("scene/") && !key.endsWith(scene) && !kept.has(key)
                ? this._seen.get(key) ?? null : finished(store.get(key)))));
            work = this._run(body);
            if (work.error) transaction.abort();
            else {
                for (const [key, value] of work.written) {
                    if (value === undefined) store.delete(key);
                    else store.put(value, key);
                }
                await end;
                for (const [key, value] of work.written) {
                    kept.delete(key);
                    this._seen.set(key, value);
                }
            }
        } catch (cause) {
            if (database && !transaction && !isRetry) {
                // The browser closed the database.
                this._database = undefined;
                return this._transact(body, scene, isStrict, true);
            }
            try { transaction?.abort(); } catch { /* It has ended. */ }
            const failed = new PlacekeeperError("storage-failed", "The records cannot be stored.", { cause });
            // A page that has never read the account must not replace it with a new one.
            if (!work && database && !kept.has("account") && !this._seen.has("account")) throw failed;
            work ??= this._run(body);
            if (!work.error) for (const [key, value] of work.written) kept.set(key, { value, base: this._seen.get(key) });
            if (database && isStrict) throw work.error ?? failed;
        }
        if (work.error) throw work.error;
        return work.result;
    }

    /** Notes what is on the disk, and joins it with the records that only this page has. */
    _read(keys, values) {
        this._seen = new Map(keys.map((key, index) => [key, values[index]]));
        for (const [key, { value, base }] of this._kept) {
            const disk = this._seen.get(key);
            if (JSON.stringify(base) === JSON.stringify(disk)) continue;
            this._kept.set(key, { value: this._merge(key, disk, value), base: disk });
        }
    }

    /** Runs a function over the records as this page knows them. Returns its result or error, and what it wrote. */
    _run(body) {
        const all = new Map(this._seen), written = new Map();
        for (const [key, { value }] of this._kept) all.set(key, value);
        const records = {
            get: key => structuredClone(all.get(key)),
            keys: prefix => [...all.keys()].filter(key => key.startsWith(prefix) && all.get(key) !== undefined),
            set(key, value) {
                for (const map of [all, written]) map.set(key, structuredClone(value));
            },
        };
        try { return { result: body(records), written }; } catch (error) { return { error }; }
    }
}

const finished = request => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
});
