// One's own second factor: codes of an authenticator app.

import { send } from "./api.js";
import { copyButton, codeBlock } from "./copying.js";
import { dialog } from "./dialogs.js";
import { h } from "./dom.js";
import { form, passwordField, textField } from "./forms.js";
import { administrator } from "./session.js";
import { notify } from "./toasts.js";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Returns a new key of 20 random bytes in base 32 (RFC 4648 section 6). */
function makeKey() {
  // Five bits of each byte are used. 32 characters have 160 bits.
  return [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => alphabet[byte & 31]).join("");
}

/** The section of the account about the second factor. `done` is called after a change. */
export function secondFactor(done) {
  const isOn = administrator()?.hasSecondFactor;
  const button = h("button.secondary", { type: "button", on: { click: () => (isOn ? remove(done) : add(done)) } },
    isOn ? "Remove the second factor…" : "Add a second factor…");
  return [
    h("h2", null, "Second factor"),
    h("p", null, isOn
      ? "A log-in needs your password and a code of your authenticator app."
      : "With a second factor, a log-in also needs a code of an authenticator app on your phone."),
    button,
  ];
}

function add(done) {
  const key = makeKey();
  const shown = key.match(/.{4}/g).join(" ");
  const label = encodeURIComponent(`Placekeeper:${administrator()?.name ?? ""}`);
  const link = `otpauth://totp/${label}?secret=${key}&issuer=Placekeeper`;
  const password = passwordField({ id: "factor-password", label: "Password", autocomplete: "current-password" });
  const code = textField({ id: "factor-code", label: "Code", autocomplete: "one-time-code", required: true, help: "Six digits that the app shows now." });
  const opened = dialog({
    title: "Add a second factor",
    content: [
      h("p", null, "Add this key to your authenticator app, or open ", h("a", { href: link }, "this link"), " on the device that has it."),
      h("p.identifier", null, h("code", null, shown), copyButton(key, "Copy", { what: "key" })),
      form({
        fields: [code.element, password.element],
        action: "Add",
        async submit() {
          const body = { password: password.value, secret: key, code: code.value };
          const { data } = await send("PUT", "/session/second-factor", { body });
          opened.close("done");
          showRecoveryCodes(data.recoveryCodes);
          done();
        },
      }),
    ],
  });
}

function showRecoveryCodes(codes) {
  dialog({
    title: "Keep these recovery codes",
    content: [
      h("p", null, "Each of them replaces a code once, for the day on which your phone is lost. They cannot be shown again."),
      codeBlock(codes.join("\n"), { label: "recovery codes" }),
    ],
  });
}

function remove(done) {
  const password = passwordField({ id: "factor-password", label: "Password", autocomplete: "current-password" });
  const code = textField({ id: "factor-code", label: "Code", autocomplete: "one-time-code", required: true, help: "Six digits from your authenticator app, or a recovery code." });
  const opened = dialog({
    title: "Remove the second factor",
    content: form({
      fields: [password.element, code.element],
      action: "Remove",
      async submit() {
        await send("POST", "/session/second-factor/removal", { body: { password: password.value, code: code.value } });
        opened.close("done");
        notify("The second factor is removed.");
        done();
      },
    }),
  });
}
