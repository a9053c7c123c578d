// Shows texts that the service got from apps and people. Such a text may have markup, control characters, characters
// that change the direction of the text around it, or a million combining marks. It is shown as text, isolated, and cut.

const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Returns a text whose invisible controls are visible: `␀` for NUL, `[U+202E]` for a change of direction. */
export function visible(text) {
  return String(text).replace(controls, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return "\u2421";
    return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
  });
}

/** Returns at most `limit` characters of a text, with at most four combining marks after each other. */
export function cut(text, limit) {
  const start = String(text).slice(0, limit * 8).replace(/(\p{M}{4})\p{M}+/gu, "$1");
  const characters = Array.from(start);
  const isCut = characters.length > limit || String(text).length > limit * 8 || start.length < Math.min(text.length, limit * 8);
  return { text: characters.slice(0, limit).join("").toWellFormed(), isCut };
}

/** Returns a text for a place that can only have plain text, such as an option or the page's title. */
export const plain = (value, limit = 60) => {
  const { text, isCut } = cut(value ?? "", limit);
  return visible(text) + (isCut ? "…" : "");
};
