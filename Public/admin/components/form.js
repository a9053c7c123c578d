// Forms and fields with labels, help and errors.

import { append, fill, h, uniqueID } from "../dom.js";
import { explained } from "./notice.js";
import { isAborted } from "../api.js";

/**
 * A field with its label.
 * @returns {{element: HTMLElement, input: HTMLElement, value: any, focus: () => void, fail: (text: string) => void}}
 */
function labelled(input, { label, help, id, error }) {
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
  return labelled(input, { label, help, id });
}

export function textArea({ id = uniqueID("field"), label, help, value = "", ...attributes }) {
  return labelled(h("textarea", { id, name: id, rows: 3, ...attributes, props: { value } }), { label, help, id });
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
  return labelled(input, { label, help, id });
}

/**
 * A form that sends once at a time, and shows why sending failed. The typed values stay.
 * @param {{fields: import("../dom.js").Child, action: string, submit: () => Promise<void>, isDangerous?: boolean,
 *   extra?: import("../dom.js").Child, focusOnError?: () => void}} options
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
