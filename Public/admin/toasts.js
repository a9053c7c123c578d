// Messages about an act, which go away by themselves: a success after 6 seconds, a failure after 20, and one that can be
// undone after a minute. A message stays while the pointer or the focus is on it.

import { h } from "./dom.js";
import { focusTitle } from "./focus.js";
import { explained, isAborted } from "./problems.js";

window.addEventListener("hashchange", () => {
  for (const notice of document.querySelectorAll("#notices .notice.bad")) notice.remove();
});

/** @param {string} text @param {"good" | "bad"} kind @param {(() => Promise<void>) | null} undo undoes the act */
export function notify(text, kind = "good", undo = null) {
  const button = undo && h("button.secondary.small", { type: "button" }, "Undo");
  const notice = h(`div.notice.${kind}`, { role: kind === "bad" ? "alert" : "status" },
    h("p", null, text), button,
    h("button.icon", { type: "button", "aria-label": "Close the message", on: { click: () => notice.remove() } }, "✕"));
  button?.addEventListener("click", () => act(button, async () => {
    await undo();
    notice.remove();
    focusTitle();
  }));
  // After another act, an older offer to undo may be out of date.
  if (kind === "good") for (const older of document.querySelectorAll("#notices .undoable")) older.remove();
  if (undo) notice.classList.add("undoable");
  document.getElementById("notices").append(notice);
  const leave = () => notice.matches(":hover, :focus-within") ? setTimeout(leave, 2_000) : notice.remove();
  setTimeout(leave, undo ? 60_000 : kind === "good" ? 6_000 : 20_000);
}

/** Runs an act of a button. A failure becomes a message; the button cannot be pressed meanwhile. */
export async function act(button, task) {
  if (button?.ariaDisabled === "true") return;
  if (button) button.ariaDisabled = "true";
  try {
    await task();
  } catch (error) {
    if (!isAborted(error)) notify(explained(error), "bad");
  } finally {
    if (button) button.ariaDisabled = "false";
  }
}
