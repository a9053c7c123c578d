// Dialogs, forms, and the drafts of forms. They are loaded with the views and the acts that ask a person.

import { append, copyButton, counted, cut, explained, fill, h, isAborted, uniqueID, visible } from "./elements.js";

// # Dialogs
// Dialogs over the page. The focus goes into the dialog, and afterward back to where it was.

/**
 * Opens a dialog.
 * @param {{title: string, content: Child, isWide?: boolean, closed?: (result: string) => void}} options
 */
export function dialog({ title, content, isWide = false, closed = () => {} }) {
  const id = uniqueID("dialog");
  const origin = document.activeElement;
  const element = h(`dialog.dialog${isWide ? ".wide" : ""}`, { "aria-labelledby": id },
    h("div.dialog-head", null,
      h("h2", { id }, title),
      h("button.icon", { type: "button", "aria-label": "Close", on: { click: () => element.close("") } }, "✕")),
    h("div.dialog-body", null, content));
  element.addEventListener("close", () => {
    element.remove();
    if (origin instanceof HTMLElement && origin.isConnected) origin.focus();
    closed(element.returnValue);
  });
  document.body.append(element);
  element.showModal();
  (element.querySelector("[autofocus]") ?? element.querySelector("input, textarea, select"))?.focus();
  return { element, close: (result = "") => element.close(result) };
}

/**
 * Asks before an act that cannot easily be undone.
 * @param {{title: string, content: Child, action: string, isDangerous?: boolean}} options
 * @returns {Promise<boolean>}
 */
export function ask({ title, content, action, isDangerous = false }) {
  return new Promise((resolve) => {
    const opened = dialog({
      title,
      content: [
        content,
        h("div.buttons", null,
          h("button.secondary", { type: "button", autofocus: true, on: { click: () => opened.close("") } }, "Cancel"),
          h(`button${isDangerous ? ".danger" : ""}`, { type: "button", on: { click: () => opened.close("yes") } }, action)),
      ],
      closed: (result) => resolve(result === "yes"),
    });
  });
}

const shownLimit = 200_000;

/** Shows the whole of a text that `name` has cut. */
export function showWhole(whole, label) {
  const shown = cut(whole, shownLimit);
  dialog({
    title: `The whole ${label}`,
    isWide: true,
    content: [
      h("p.quiet", null, counted(whole.length, "character"), shown.isCut
        ? ". Long runs of combining marks are shortened here; the copy has them all." : ""),
      h("div.whole", { tabindex: "0", role: "region", "aria-label": `The whole ${label}` },
        h("bdi", null, visible(shown.text))),
      h("div.buttons", null, copyButton(whole, "Copy")),
    ],
  });
}

// # Forms
// Forms and fields with labels, help and errors.

/**
 * A field with its label.
 * @returns {{element: HTMLElement, input: HTMLElement, value: any, focus: () => void, fail: (text: string) => void}}
 */
function labeled(input, { label, help, id, error }) {
  const fault = h("p.fault", { id: `${id}-fault`, hidden: true });
  const described = [help ? `${id}-help` : null, `${id}-fault`].filter(Boolean).join(" ");
  input.setAttribute("aria-describedby", described);
  const element = h("div.field", null,
    h("label", { for: id }, label), input,
    help ? h("p.help", { id: `${id}-help` }, help) : null, fault);
  const field = {
    element, input,
    get value() { return input.value; },
    set value(value) { input.value = value; },
    focus: () => input.focus(),
    fail(text) {
      fault.hidden = !text;
      fault.textContent = text ?? "";
      if (text) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    },
  };
  if (error) field.fail(error);
  return field;
}

export function textField({ id = uniqueID("field"), label, help, value = "", type = "text", ...attributes }) {
  const input = h("input", {
    id, type, name: id, spellcheck: "false", autocapitalize: "off", autocomplete: "off", ...attributes,
    props: { value },
  });
  return labeled(input, { label, help, id });
}

export function textArea({ id = uniqueID("field"), label, help, value = "", ...attributes }) {
  return labeled(h("textarea", { id, name: id, rows: 3, ...attributes, props: { value } }), { label, help, id });
}

/** A password with a switch that shows it. */
export function passwordField({ id = uniqueID("field"), label, help, ...attributes }) {
  const field = textField({ id, label, help, type: "password", required: true, ...attributes });
  const toggle = h("button.secondary.small", {
    type: "button", "aria-pressed": "false", "aria-label": `Show: ${label}`,
    on: {
      click: () => {
        const isShown = field.input.type === "text";
        field.input.type = isShown ? "password" : "text";
        toggle.ariaPressed = String(!isShown);
      },
    },
  }, "Show");
  const row = h("div.joined", null);
  field.input.replaceWith(row);
  append(row, [field.input, toggle]);
  return field;
}

/** A choice among a few values: `options` is a list of `[value, label]`. */
export function choiceField({ id = uniqueID("field"), label, help, value, options, ...attributes }) {
  const input = h("select", { id, name: id, ...attributes }, options.map(([key, text]) =>
    h("option", { value: key, selected: key === value }, text)));
  return labeled(input, { label, help, id });
}

/**
 * A form that sends once at a time, and shows why sending failed. The typed values stay.
 * @param {{fields: Child, action: string, submit: () => Promise<void>, isDangerous?: boolean,
 *   extra?: Child, focusOnError?: () => void}} options
 */
export function form({ fields, action, submit, isDangerous = false, extra, focusOnError = () => {} }) {
  const fault = h("div", { role: "alert" });
  const button = h(`button${isDangerous ? ".danger" : ""}`, { type: "submit" }, action);
  const element = h("form.form", { autocomplete: "on" }, fields, fault, h("div.buttons", null, extra, button));
  element.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (button.ariaDisabled === "true") return;
    button.ariaDisabled = "true";
    fill(fault);
    try {
      await submit();
    } catch (error) {
      if (isAborted(error)) return;
      fill(fault, h("p.failure", null, explained(error)));
      focusOnError();
    } finally {
      button.ariaDisabled = "false";
    }
  });
  return element;
}

// # Drafts
// Keeps the typed values of a form until the form is sent. A reload of the page does not lose them. Never for passwords.

const key = (name) => `placekeeper.draft.${name}`;

/** Returns the draft with a name, or null. */
export function draft(name) {
  try {
    return JSON.parse(sessionStorage.getItem(key(name)) ?? "null");
  } catch {
    return null;
  }
}

/** Keeps a draft. */
export function keepDraft(name, value) {
  try {
    sessionStorage.setItem(key(name), JSON.stringify(value));
  } catch {
    // Without storage, the draft lasts as long as the form.
  }
}

/** Forgets a draft, after its form was sent or discarded. */
export function dropDraft(name) {
  try {
    sessionStorage.removeItem(key(name));
  } catch {
    // There is nothing to forget.
  }
}

/** Forgets all drafts, when the person logs out. */
export function dropAllDrafts() {
  try {
    for (const name of Object.keys(sessionStorage)) {
      if (name.startsWith("placekeeper.draft.")) sessionStorage.removeItem(name);
    }
  } catch {
    // There is nothing to forget.
  }
}
