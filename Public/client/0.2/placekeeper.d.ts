/** An item of the app's data. In a parameter of a step, it must be an `Item`; `items` also takes plain objects. */
export class Item {
    constructor(source: string, item?: { id?: string; aliases?: string[]; role?: string });
    source: string;
    id?: string;
    aliases?: string[];
    role: string;
}

/** A value of a step's parameter. The service keeps integers beyond 2^53 as `bigint`, and dates and bytes as they are. */
export type Value =
    string | number | boolean | bigint | null | Date | Uint8Array | Item | Value[] | { [key: string]: Value | undefined };

/** A screen of the app, with the items and parameters that it needs. */
export interface Step {
    screen: string;
    title?: string;
    /** How far the person got, from 0 to 1. Other numbers are clamped. */
    progress?: number;
    items?: (Item | { source: string; id?: string; aliases?: string[]; role?: string })[];
    parameters?: { [key: string]: Value | undefined };
}

/** The screens of the app, from the first to the one in front. */
export type Place = Step[] | { steps: Step[]; webAddress?: string };

/** A place to restore. */
export interface Restored {
    archive: string;
    scene: string;
    isOwn: boolean;
    revision?: number;
    steps: Step[];
    webAddress?: string;
}

/** A place of some device, to offer or to list. */
export interface StoredPlace {
    archive: string;
    scene: string;
    titles: string[];
    device: { name?: string; model?: string; isThisDevice: boolean };
    /** The time of the person's last interaction, by this device's clock. */
    date: Date;
    isLatest?: boolean;
    isRestorable?: boolean;
}

export interface Launch {
    /** The place to restore without asking. */
    restore?: Restored;
    /** A place to offer to the person, and never to restore without asking. */
    offer?: StoredPlace;
    /** Why, for example `own-state`, `fresh-installation`, `other-device` or `offline`. */
    reason: string;
}

/** The person's last interaction: by default now if the place has changed, or else a look at the place. */
export type Interaction = "ifChanged" | "now" | "viewing" | { /** Seconds. */ ago: number };

/** A scene: a window's role or a document. An `offer` event has the newer place of another device, or nothing, as `detail`. */
export class Scene extends EventTarget {
    private constructor();
    readonly name: string;
    /** Returns within the deadline, in milliseconds. */
    launch(options?: { deadline?: number }): Promise<Launch>;
    /** Saves the place. Resolves when it is on the disk, and rejects if the browser cannot write it. */
    save(place: Place, options?: { interaction?: Interaction }): Promise<void>;
    /** Records that the person interacts with the scene, even if its place stays the same. */
    interacted(): Promise<void>;
    /** Returns an offered or listed place, which the app then restores. */
    accept(place: Pick<StoredPlace, "archive">): Promise<Restored>;
    /** Stops offering a place on this device. */
    dismiss(place: Pick<StoredPlace, "archive">): Promise<void>;
    /** Reports that a restore has ended. Without a report, five seconds without a crash are a success. */
    report(result: "restored" | "failed"): Promise<void>;
    /** Stops restoring the scene's newest state on this device. */
    discard(): Promise<void>;
    /** Deletes the scene's states from this device and from the service. */
    forget(): Promise<void>;
}

export interface Options {
    /** The app's publishable key. */
    key: string;
    /** The idiom whose screens the page has. */
    idiom?: "mac" | "phone" | "pad" | "tv" | "watch" | "vision" | "carPlay";
    layout?: "compact" | "regular";
    /** The web app's own version. */
    bundleVersion?: string;
    stateVersion?: number;
    /** The device's name and model for the person's other devices. */
    name?: string;
    model?: string;
    /** Pages with another profile are another device, for example in a demo or a test. By default, all pages are one. */
    profile?: string;
    /** False if the person must sign in before anything is sent. */
    registersAnonymously?: boolean;
    /** The seconds for which places are collected before they are sent. */
    sendDelay?: number;
}

export interface Status {
    isRegistered: boolean;
    isSignedIn: boolean;
    needsSignIn: boolean;
    /** The number of unsent places and outcomes. */
    pending: number;
    /** False if the browser has no storage, so that places are kept only while the page is open. */
    isPersistent: boolean;
    problem?: PlacekeeperError;
}

/** Keeps a person's place in a web app. Events: `problem`, with the error as `detail`, and `accountchange`. */
export class Placekeeper extends EventTarget {
    constructor(server: string | URL, options: Options);
    /** A name has 1 to 64 of the characters A–Z a–z 0–9 . _ and -. Throws `scene-name-invalid` for any other name. */
    scene(name: string): Scene;
    /** Offers newer places of other devices while the app runs. */
    follow(): void;
    signIn(token: string): Promise<void>;
    link(code: string): Promise<void>;
    /** Returns a code that the person types on another device. */
    makeLinkCode(): Promise<{ code: string; expiresAt: string }>;
    /** Signs out. `unsent` is what happens to unsent states. The deadline is in milliseconds. */
    signOut(options?: { unsent?: "send" | "keep" | "discard"; deadline?: number }): Promise<void>;
    /** Erases the person's data on the service, if the device is registered, and on this device. */
    erase(): Promise<void>;
    /** Returns the newest place of each device and scene. */
    places(): Promise<StoredPlace[]>;
    /** Sends everything, and resolves when the service has acknowledged it. */
    flush(options?: { deadline?: number }): Promise<void>;
    status(): Promise<Status>;
}

/** An error with a stable code. */
export class PlacekeeperError extends Error {
    code: string;
    /** Seconds. */
    retryAfter?: number;
}

/** Decides a launch from a situation of docs/clients.md. */
export function decideLaunch(situation: object): { restore?: string; offer?: { archive: string; age?: number }; reason: string };
