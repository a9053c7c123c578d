// Checks of identifiers, and new ones.

const matches = pattern => text => typeof text === "string" && pattern.test(text);

export const isUUID = matches(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

export const isToken = matches(/^[\x21-\x7e]{1,512}$/);

export const isSceneName = matches(/^(?!\.\.?$)[A-Za-z0-9._-]{1,64}$/);

export function randomHex(count) {
    return Array.from(crypto.getRandomValues(new Uint8Array(count)), byte => byte.toString(16).padStart(2, "0")).join("");
}

/** A random UUID of RFC 9562. `crypto.randomUUID` exists only in secure contexts. */
export const newUUID = () => randomHex(16).replace(/(.{8})(.{4}).(.{3}).(.{3})(.+)/, "$1-$2-4$3-8$4-$5");
