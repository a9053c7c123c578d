// Forms and fields with labels, help and errors.

import { append, fill, h, uniqueID } from "./dom.js";
import { explained, isAborted } from "./problems.js";

/** @typedef {import("./dom.js").Child} Child */

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

/** A switch. Its value is `"true"` or `"false"`. */
export function switchField({ id = uniqueID("field"), label, help, value, ...attributes }) {
  const input = h("input", { id, type: "checkbox", role: "switch", name: id, ...attributes, props: { checked: value === "true" } });
  const field = labeled(input, { label, help, id });
  field.element.classList.add("with-switch");
  return Object.defineProperty(field, "value", {
    get: () => String(input.checked),
    set: (value) => { input.checked = value === "true"; },
  });
}

/** Check boxes: `options` is a list of `[key, label]`. Its value has the checked keys, separated by commas. */
export function boxesField({ id = uniqueID("field"), label, value, options, ...attributes }) {
  const boxes = options.map(([key]) => h("input", { id: `${id}-${key}`, type: "checkbox", name: id, value: key, ...attributes }));
  const fault = h("p.fault", { hidden: true });
  const element = h("fieldset.field.boxes", null, h("legend", null, label),
    h("div.box-list", null, options.map(([, text], index) => h("label.option", null, boxes[index], h("span", null, text)))), fault);
  const field = {
    element, input: boxes[0],
    get value() { return boxes.filter(({ checked }) => checked).map((box) => box.value).join(","); },
    set value(value) { for (const box of boxes) box.checked = value.split(",").includes(box.value); },
    focus: () => boxes[0].focus(),
    fail(text) {
      fault.hidden = !text;
      fault.textContent = text ?? "";
    },
  };
  field.value = value;
  return field;
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
