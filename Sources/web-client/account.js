// The account: the device's registration and its user.

import { ageOf, now } from "./clock.js";
import { emit, isTemporary, isUnauthorized, PlacekeeperError, reportProblem, unreadable } from "./errors.js";
import { isToken, isUUID, newUUID, randomHex } from "./identifiers.js";
import { joinScenes, newScene, readScene } from "./scenes.js";
import { flush } from "./sending.js";
import { jsonBody, jsonOf, request, waitOf } from "./service.js";
import { withLock } from "./tabs.js";

/** Reads the account. The sessions of this page end when another tab has changed its owner. */
export function readAccount(client, records) {
    let account = records.get("account");
    if (!isUUID(account?.installation?.id)) {
        account = newAccount();
        records.set("account", account);
    }
    if (!isRegistration(account.registration)) {
        delete account.registration;
        delete account.unanswered;
    }
    client._account = account;
    if (client._owner !== undefined && client._owner !== account.owner) {
        client._sessions.forEach(session => clearTimeout(session._timer));
        client._sessions = new Map();
        queueMicrotask(() => emit(client._target, "accountchange"));
    }
    client._owner = account.owner;
    client._firstOwner ??= account.owner;
    return account;
}

export const loadAccount = client => client._store._transact(records => readAccount(client, records));

function changeAccount(client, change) {
    return client._store._transact(records => {
        const account = readAccount(client, records);
        records.set("account", change(account, records) ?? account);
        return readAccount(client, records);
    }, "");
}

/** Registers the device unless it is registered. `extra` has a link code or a sign-in token. */
export function registeredAccount(client, extra) {
    return withLock(client, "account", async () => {
        let account = await checkedAccount(client);
        if (!extra) {
            if (account.registration) return account;
            if (account.needsSignIn || client._options.registersAnonymously === false) {
                throw new PlacekeeperError("sign-in-required", "The user must sign in.");
            }
            if (account.isSignedOut) throw new PlacekeeperError("not-registered", "The device is not registered.");
            if (client._refusal) throw client._refusal;
        }
        try {
            return await register(client, extra, account);
        } catch (error) {
            if (error.code === "installation-cloned") {
                account = await changeAccount(client, account => { account.installation = newInstallation(); });
                return register(client, extra, account);
            }
            if (!extra && !isTemporary(error)) client._refusal = error;
            throw error;
        }
    });
}

async function register(client, extra, { installation }) {
    const { key: app, idiom, name, model } = client._options;
    const answer = jsonOf(await request(client, "POST", "/v1/devices", jsonBody({ app, idiom, name, model, installation, ...extra })));
    if (!isRegistration(answer)) throw unreadable();
    return useDevice(client, answer, { device: answer.device, token: answer.token });
}

/** Records a new registration, or the user of the present one, and adopts the states of this user. */
function useDevice(client, { user, isSignedIn }, registration) {
    if (typeof user !== "string") throw unreadable();
    client._problem = undefined;
    return client._store._transact(records => {
        const account = readAccount(client, records);
        registration ??= account.registration;
        if (!registration) return account;
        const { installation, owner, formerDevice } = account, folder = `folder/${registration.device}`;
        const former = formerDevice && records.get(`folder/${formerDevice}`);
        const device = { user, isSignedIn: isSignedIn === true };
        records.set("account", {
            installation, owner: former && former.user !== user ? newUUID() : owner, registration: { ...registration, ...device },
        });
        records.set(folder, device);
        adoptScenes(records, registration.device, user);
        return readAccount(client, records);
    }, "");
}

/** Moves the states of a user into the device's folder. */
function adoptScenes(records, device, user) {
    for (const key of records.keys("scene/")) {
        const [, folder, name] = key.split("/"), target = `scene/${device}/${name}`;
        if (folder === device || folder !== "new" && records.get(`folder/${folder}`)?.user !== user) continue;
        const other = readScene(records, key), own = records.get(target) && readScene(records, target);
        records.set(target, own ? joinScenes(own, other) : other);
        records.set(key);
    }
}

/** The account, after the client has learned what became of a change whose answer was lost. */
async function checkedAccount(client) {
    const account = await loadAccount(client), { registration, unanswered } = account;
    if (!unanswered) return account;
    try {
        return await useDevice(client, jsonOf(await request(client, "GET", "/v1/devices/self", { token: registration.token })));
    } catch (error) {
        if (!isUnauthorized(error)) throw error;
        // A sign-in may have expired, so an account counts as erased only after the service says so.
        const { kind } = unanswered, hasLeft = kind === "sign-out" || kind === "erase" && !registration.isSignedIn;
        return hasLeft ? leaveUser(client, unanswered) : endRegistration(client, registration.token);
    }
}

/**
 * Sends a change of a registered device's account. The change is stored first: if the answer is lost, nothing else is
 * sent until the client knows the device's user. Returns false if the device is not registered.
 */
function changeUser(client, kind, body, discards) {
    return withLock(client, "account", async () => {
        const { registration } = await checkedAccount(client);
        if (!registration) return false;
        const unanswered = { kind, discards, at: Date.now() }, { token } = registration;
        await changeAccount(client, account => { account.unanswered = unanswered; });
        const [method, path] = kind === "erase" ? ["DELETE", "/v1/users/self"] : ["POST", `/v1/devices/self/${kind}`];
        try {
            const answer = await request(client, method, path, { token, ...body && jsonBody(body) });
            if (kind !== "sign-out" && kind !== "erase") await useDevice(client, jsonOf(answer));
            else if (answer.status === 204) await leaveUser(client, unanswered);
            else throw unreadable();
        } catch (error) {
            if (isUnauthorized(error)) {
                if (kind === "sign-out") return leaveUser(client, unanswered);
                await endRegistration(client, token);
            } else if (error.status && (!isTemporary(error) || [429, 503].includes(error.status))) {
                // The service changed nothing.
                await changeAccount(client, account => { delete account.unanswered; });
            }
            throw error;
        }
        return true;
    });
}

/** Leaves the user. States of an erased user, and discarded states, are removed, but not those saved since. */
function leaveUser(client, { kind, discards, at }) {
    return changeAccount(client, (account, records) => {
        if (discards || kind === "erase") {
            for (const key of sceneKeys(records, account)) {
                const captures = readScene(records, key).captures.filter(({ sequence }) => kind !== "erase" && sequence > at);
                records.set(key, captures.length ? { ...newScene(), captures, sequence: captures.at(-1).sequence } : undefined);
            }
        }
        const folder = `folder/${folderOf(account)}`, owner = records.get(folder);
        if (owner) records.set(folder, { ...owner, left: now(client) });
        return { ...newAccount(), isSignedOut: true };
    });
}

/** Ends a registration whose token the service refused. Pending states are kept for their user. */
export function endRegistration(client, token) {
    return changeAccount(client, account => {
        if (account.registration?.token !== token) return;
        reportProblem(client, new PlacekeeperError("revoked", "The device is not registered."));
        const { installation, owner, registration: { device, isSignedIn } } = account;
        if (isSignedIn) return { installation, owner, needsSignIn: true, formerDevice: device };
        // The same installation usually gets the same user again, with the states of this device.
        return { installation, owner: newUUID(), endedDevice: device };
    });
}

/** Sends a request for which the app waits. */
export async function ask(client, method, path, options) {
    const wait = await waitOf(client);
    if (wait > 0) throw new PlacekeeperError("busy", "The service asked to wait.", { retryAfter: wait });
    const { registration: { token } } = await registeredAccount(client);
    try {
        return await request(client, method, path, { token, ...options });
    } catch (error) {
        if (isUnauthorized(error)) await endRegistration(client, token);
        throw error;
    }
}

export async function join(client, kind, body, extra) {
    if (!await changeUser(client, kind, body)) await registeredAccount(client, extra);
    client._refusal = undefined;
}

export async function signOut(client, unsent, deadline) {
    if (unsent === "send") await flush(client, deadline);
    const discards = unsent === "discard";
    if (await changeUser(client, "sign-out", { next: "none" }, discards)) return;
    if (!client._account.needsSignIn) throw new PlacekeeperError("not-signed-in", "The device is not signed in.");
    await leaveUser(client, { discards, at: Date.now() });
}

export async function erase(client) {
    if (await changeUser(client, "erase")) return;
    if (client._account.needsSignIn) throw new PlacekeeperError("sign-in-required", "The user must sign in.");
    await leaveUser(client, { kind: "erase" });
}

/** Removes states that were kept for thirty days for users who have not signed in again. */
export function purge(client) {
    return client._store._transact(records => {
        const account = readAccount(client, records);
        for (const key of records.keys("folder/")) {
            const folder = key.slice(7), owner = records.get(key);
            if (folder === folderOf(account) || folder === account.endedDevice) continue;
            const scenes = records.keys(`scene/${folder}/`);
            if (scenes.length && !owner?.left) records.set(key, { ...owner, left: now(client) });
            else if (!scenes.length || ageOf(owner.left, now(client)) >= 30 * 86_400) {
                for (const gone of [key, ...scenes]) records.set(gone);
            }
        }
    });
}

/** The folder of the records of the account's scenes. */
export const folderOf = ({ registration, formerDevice }) => registration?.device ?? formerDevice ?? "new";

/** The keys of all scenes whose states belong to the account's user. */
export const sceneKeys = (records, account) =>
    [...records.keys(`scene/${folderOf(account)}/`), ...records.keys(`scene/${account.endedDevice}/`)];

const isRegistration = registration => isUUID(registration?.device) && isToken(registration.token) && typeof registration.user === "string";

const newInstallation = () => ({ id: newUUID(), secret: randomHex(32) });

/** An account without a user. Its owner changes with the user, even if the device is not registered. */
const newAccount = () => ({ installation: newInstallation(), owner: newUUID() });
