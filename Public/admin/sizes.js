// The bytes of an archive by key, as bars.

import { h, setStyle } from "./dom.js";
import { bytes } from "./format.js";
import { name } from "./text.js";
import { empty } from "./components/panel.js";

const shownCount = 12;

export function sizes(items) {
  const sorted = [...items].sort((first, second) => second.bytes - first.bytes);
  if (!sorted.length) return empty("The sizes are not known");
  const most = Math.max(1, sorted[0].bytes);
  const rest = sorted.slice(shownCount);
  return [
    h("ul.bars", null, sorted.slice(0, shownCount).map((item) => h("li", null,
      h("span.bar-name", null, name(item.key, { limit: 48, label: "key" })), h("span.number", null, bytes(item.bytes)),
      setStyle(h("span.bar", { "aria-hidden": "true" }), "--share", item.bytes / most)))),
    rest.length ? h("p.quiet", null, `${rest.length} smaller keys have ${bytes(rest.reduce((sum, item) => sum + item.bytes, 0))}.`) : null,
  ];
}
