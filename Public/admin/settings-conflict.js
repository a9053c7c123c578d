// Two administrators changed the same settings: both versions beside each other, and a choice for each difference.

import { h, uniqueID } from "./dom.js";
import { plain } from "./texts.js";
import { act } from "./toasts.js";

const words = { true: "on", false: "off" };
const textOf = (value, { kind, options }) => {
  if (kind === "flag") return words[value];
  if (value === "") return h("span.quiet", null, "none");
  const shown = kind === "idioms" ? value.split(",") : [value];
  return h("bdi", null, shown.map((key) => options?.find(([other]) => other === key)?.[1] ?? plain(key, 60)).join(", "));
};

/**
 * @param {{field: {key: string, label: string}, before: string, theirs: string, yours: string}[]} rows
 * @param {(chosen: Map<string, string>) => Promise<void>} done gets the chosen text of each setting
 */
export function conflict(rows, done) {
  const id = uniqueID("conflict");
  const choices = rows.map((row) => ({ row, isYours: row.yours !== row.before }));
  const button = h("button", { type: "button" }, "Save this choice");
  button.addEventListener("click", () => act(button, () =>
    done(new Map(choices.map(({ row, isYours }) => [row.field.key, isYours ? row.yours : row.theirs])))));
  const element = h("section.panel.conflict", { "aria-labelledby": id, tabindex: "-1" },
    h("h2", { id }, "Somebody else has saved these settings"),
    h("p", null, "Nothing is lost: both versions are below. Choose one for each setting, and save."),
    h("div.conflicts", null, choices.map((choice) => difference(choice))),
    h("div.buttons.start", null, button));
  return element;
}

function difference(choice) {
  const { row } = choice;
  const name = uniqueID("choice");
  const option = (label, value, isYours) => h("label.option", null,
    h("input", { type: "radio", name, checked: choice.isYours === isYours, on: { change: () => { choice.isYours = isYours; } } }),
    h("span", null, h("b", null, label), " ", textOf(value, row.field)));
  return h("fieldset.conflict-row", { data: { key: row.field.key } },
    h("legend", null, row.field.label),
    h("p.quiet", null, "Before: ", textOf(row.before, row.field)),
    row.theirs === row.yours ? h("p", null, "Both: ", textOf(row.yours, row.field))
      : [option("Theirs", row.theirs, false), option("Yours", row.yours, true)]);
}
