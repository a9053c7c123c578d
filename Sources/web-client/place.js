// Places: what the app saves, as the JSON of docs/place-format.md.

import { clamp } from "./clock.js";
import { invalid } from "./errors.js";

export class Item {
    constructor(source, { id, aliases, role = "selected" } = {}) {
        Object.assign(this, { source, role }, id !== undefined && { id }, aliases && { aliases });
    }
}

const bytesToText = bytes => btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(""));

export const bytesOf = text => new TextEncoder().encode(text).length;

/** An object with changed members. */
const mapMembers = (value, change) => Object.fromEntries(Object.entries(value).map(([key, member]) => [key, change(member, key)]));

/** Returns the text of a place in the form that docs/place-format.md defines. */
export function encodePlace(place, context = {}) {
    const { steps, webAddress } = Array.isArray(place) ? { steps: place } : place ?? {};
    if (!Array.isArray(steps) || !steps.length || steps.length > 64) throw invalid("A place has 1 to 64 steps.");
    const references = [];
    const document = { format: 1, ...context, webAddress, steps: steps.map(encodeStep), references };
    if (!references.length) delete document.references;
    const encoded = JSON.stringify(document), size = bytesOf(encoded);
    if (size > 131_072) throw invalid(`A place has at most 131,072 bytes, not ${size}.`);
    return encoded;

    function encodeStep({ screen, title, progress, items, parameters }) {
        if (typeof screen !== "string" || !screen) throw invalid("A step has a screen.");
        const indices = (items ?? []).map(item => encodeItem(item instanceof Item ? item : new Item(item.source, item)));
        return {
            screen: text(screen), title: title === undefined ? undefined : text(String(title)),
            progress: clamp(progress, 0, 1),
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

    function encode(value) {
        if ([null, true, false].includes(value)) return value;
        if (value instanceof Item) return { $reference: encodeItem(value) };
        if (value instanceof Date) {
            if (Number.isNaN(value.getTime())) throw invalid("A date is invalid.");
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
        case "object": {
            // JSON leaves out undefined members.
            const encoded = mapMembers(plain(value), (member, key) => text(key) === key && member !== undefined ? encode(member) : undefined);
            return Object.keys(encoded).some(key => key.startsWith("$")) ? { $dictionary: encoded } : encoded;
        }
        default: throw invalid(`A parameter cannot be a ${typeof value}.`);
        }
    }

    function text(value) {
        if (/\p{Surrogate}/u.test(value)) throw invalid("A text has a lone surrogate.");
        return value;
    }
}

/** Returns the steps of a place in the form of `encodePlace`. Throws if the text is no place. */
export function decodePlace(text) {
    const { format, steps, references = [], webAddress } = JSON.parse(text);
    if (format !== 1 || !Array.isArray(steps) || !steps.length || !Array.isArray(references)) throw invalid("Not a place.");
    const items = references.map(({ dataSource, identifier: id, aliases, role }) => new Item(dataSource, { id, aliases, role }));
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

    function decode(value) {
        if (Array.isArray(value)) return value.map(decode);
        if (value === null || typeof value !== "object") return value;
        const [mark, ...others] = Object.keys(value);
        if (others.length || !mark?.startsWith("$")) return mapMembers(value, decode);
        const marked = value[mark];
        switch (mark) {
        case "$date": return new Date(978307200000 + Math.round(1000 * marked));
        case "$integer": return BigInt(marked);
        case "$real": return Number(marked);
        case "$data": return Uint8Array.from(atob(marked), character => character.charCodeAt(0));
        case "$dictionary": return mapMembers(marked, decode);
        case "$reference": return reference(marked);
        default: throw invalid("Not a place.");
        }
    }
}
