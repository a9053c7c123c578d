// Messages about an act: a success goes away, a failure stays until it is closed.

import { Problem, isAborted } from "../api.js";
import { h } from "../dom.js";

/** @param {string} text @param {"good" | "bad"} kind */
export function notify(text, kind = "good") {
  const notice = h(`div.notice.${kind}`, { role: kind === "bad" ? "alert" : "status" },
    h("p", null, text),
    h("button.icon", { type: "button", "aria-label": "Close the message", on: { click: () => notice.remove() } }, "✕"));
  document.getElementById("notices").append(notice);
  if (kind === "good") setTimeout(() => notice.remove(), 6_000);
}

/** Returns an error as one sentence or two. */
export function explained(error) {
  if (!(error instanceof Problem)) return "The page has failed here. Load it again; if it fails again, report it.";
  const wait = error.retryAfter ? ` Try again in ${error.retryAfter} s.` : "";
  const detail = error.detail && !error.detail.endsWith(".") ? `${error.detail}.` : error.detail;
  return `${error.title}.${detail ? ` ${detail}` : ""}${wait}`;
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
