// Errors and events for the app.

export class PlacekeeperError extends Error {
    name = "PlacekeeperError";
    constructor(code, message, { retryAfter, cause } = {}) {
        super(message, { cause });
        this.code = code;
        if (retryAfter !== undefined) this.retryAfter = retryAfter;
    }
}

export const invalid = message => new PlacekeeperError("place-invalid", message);

export const unreadable = () => new PlacekeeperError("answer-unreadable", "The answer cannot be read.");

/** Whether the same request may succeed later. */
export function isTemporary({ status, code }) {
    if (status === undefined) return ["offline", "busy", "answer-unreadable"].includes(code);
    return status >= 500 || [408, 429].includes(status);
}

export const isUnauthorized = ({ status, code }) => status === 401 && code === "unauthorized";

export const isAboutRoom = ({ code }) => code === "quota-exceeded" || code === "too-many-scenes";

/** Dispatches an event of the public interface. */
export const emit = (target, type, detail) => target.dispatchEvent(new CustomEvent(type, { detail }));

export function reportProblem(client, error) {
    client._problem = error;
    emit(client._target, "problem", error);
}
