// The public interface, which placekeeper.d.ts describes.

import { ask, erase, join, signOut } from "./account.js";
import { Client } from "./client.js";
import { PlacekeeperError } from "./errors.js";
import { followEvents } from "./events.js";
import { isSceneName } from "./identifiers.js";
import { launch } from "./launch.js";
import { accept, dismiss, listPlaces } from "./offers.js";
import { discard, report } from "./restores.js";
import { forget, noteInteraction, save } from "./saving.js";
import { countPending, flush } from "./sending.js";
import { jsonOf } from "./service.js";

export { decideLaunch } from "./decision.js";
export { Item } from "./place.js";
export { PlacekeeperError };

export class Scene extends EventTarget {
    #client;
    constructor(client, name) {
        super();
        this.#client = client;
        this.name = name;
    }

    launch({ deadline = 1000 } = {}) { return launch(this.#client, this.name, deadline); }
    save(place, { interaction } = {}) { return save(this.#client, this.name, place, interaction); }
    interacted() { return noteInteraction(this.#client, this.name); }
    accept({ archive }) { return accept(this.#client, this.name, archive); }
    dismiss({ archive }) { return dismiss(this.#client, this.name, archive); }
    report(result) { return report(this.#client, this.name, result); }
    discard() { return discard(this.#client, this.name); }
    forget() { return forget(this.#client, this.name); }
}

export class Placekeeper extends EventTarget {
    #client;

    constructor(server, options) {
        super();
        this.#client = new Client(this, server, options);
    }

    scene(name) {
        // The name becomes a part of paths.
        if (!isSceneName(name)) {
            throw new PlacekeeperError("scene-name-invalid", "A scene's name has 1 to 64 letters, digits, or . _ -");
        }
        const scenes = this.#client._scenes;
        if (!scenes.has(name)) scenes.set(name, new Scene(this.#client, name));
        return scenes.get(name);
    }

    follow() {
        this.#client._follows = true;
        followEvents(this.#client);
    }

    signIn(token) { return join(this.#client, "sign-in", { token }, { signInToken: token }); }
    link(code) { return join(this.#client, "link", { code }, { linkCode: code }); }
    async makeLinkCode() { return jsonOf(await ask(this.#client, "POST", "/v1/link-codes")); }
    signOut({ unsent = "send", deadline = 5000 } = {}) { return signOut(this.#client, unsent, deadline); }
    erase() { return erase(this.#client); }
    places() { return listPlaces(this.#client); }
    flush({ deadline = 5000 } = {}) { return flush(this.#client, deadline); }

    async status() {
        const pending = await countPending(this.#client), { _account: account, _store: store, _problem: problem } = this.#client;
        const { registration, needsSignIn = false } = account;
        return {
            isRegistered: Boolean(registration), isSignedIn: Boolean(registration?.isSignedIn), needsSignIn, pending,
            isPersistent: store._isPersistent, problem,
        };
    }
}
