// The words about items, aliases and hidden values.

import { link } from "./addresses.js";
import { h } from "./dom.js";
import { badge } from "./facts.js";
import { counted } from "./formats.js";
import { name } from "./names.js";
import { plain } from "./texts.js";

/** Says by which item a removed item was replaced, and which aliases are ambiguous. `here` are the parts of the data source's address. */
export const identityNotes = ({ replacedBy, ambiguousAliases }, device, here) => [
  replacedBy === undefined ? null : h("p", null, badge("removed", "poor"), " replaced by ", name(replacedBy, {
    limit: 48, label: "identifier", href: link(...here, "items", replacedBy, { device }) })),
  ambiguousAliases?.length ? h("p", null, badge("ambiguous", "poor"), " ", aliasList(ambiguousAliases)) : null,
];

/** The text for a hidden value: its type, with the number of elements. */
export const redactedText = ({ redacted, count }) => plain(redacted) + (count === undefined ? "" : `, ${counted(count, "element")}`);

/** Lists aliases. */
export const aliasList = (aliases) => aliases?.length
  ? h("span.aliases", null, aliases.slice(0, 12).map((alias) => h("code.alias", null, name(alias, { limit: 40, label: "alias" }))),
    aliases.length > 12 ? h("span.quiet", null, ` and ${aliases.length - 12} more`) : null)
  : h("span.quiet", null, "none");
