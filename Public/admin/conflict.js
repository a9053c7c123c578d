// Two administrators changed the same settings: both versions beside each other, and a choice for each difference.

import { h, uniqueID } from "./dom.js";
import { plain } from "./text.js";
import { act } from "./components/notice.js";

const words = { true: "yes", false: "no" };

const text = (value, { kind }) => kind === "flag" ? words[value] : value === "" ? h("span.quiet", null, "none") : h("bdi", null, plain(value, 60));

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
    h("span", null, h("b", null, label), " ", text(value, row.field)));
  return h("fieldset.conflict-row", { data: { key: row.field.key } },
    h("legend", null, row.field.label),
    h("p.quiet", null, "Before: ", text(row.before, row.field)),
    row.theirs === row.yours ? h("p", null, "Both: ", text(row.yours, row.field))
      : [option("Theirs", row.theirs, false), option("Yours", row.yours, true)]);
}
