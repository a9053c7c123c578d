// Keeps the focus on a control whose panel is drawn again, because a filter has changed.

let wanted = null;
let used = null;

/** Names the control that the person just used: it gets the focus, if the element that has it now is drawn again too. */
export function keepFocusOn(id) {
  used = id;
}

/** Remembers the control that has the focus, before a view is drawn again. Returns whether there is one. */
export function rememberFocus() {
  wanted = document.activeElement?.id || used;
  used = null;
  return wanted !== null;
}

/** Forgets the control, if the new view is another one. */
export function forgetFocus() {
  wanted = used = null;
}

/** Whether no element has the focus. */
const isLost = () => document.activeElement === document.body || document.activeElement === null;

/** Whether the person has not moved the focus since the view was shown. */
export const isUnmoved = () => isLost() || document.activeElement.localName === "h1";

/** Gives the focus to the title of the view, if no element has it. */
export function focusTitle() {
  if (isLost()) document.querySelector("#main h1")?.focus({ preventScroll: true });
}

/** Gives the focus back, once the control exists again, and unless the person has moved on. */
export function restoreFocus() {
  const control = wanted && document.getElementById(wanted);
  if (!control) return;
  wanted = null;
  if (isLost()) control.focus({ preventScroll: true });
}
