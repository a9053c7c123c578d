// Keeps the focus on a control whose panel is drawn again, because a filter has changed.

let wanted = null;

/** Remembers the control that has the focus, before a view is drawn again. */
export function rememberFocus() {
  wanted = document.activeElement?.id || null;
}

/** Forgets the control, if the new view is another one. */
export function forgetFocus() {
  wanted = null;
}

/** Gives the focus back, once the control exists again, and unless the person has moved on. */
export function restoreFocus() {
  const control = wanted && document.getElementById(wanted);
  if (!control) return;
  wanted = null;
  if (document.activeElement === document.body || document.activeElement === null) control.focus({ preventScroll: true });
}
