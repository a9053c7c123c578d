// First run: the one-time link makes the first administrator.

import { Problem } from "../api.js";
import { h } from "../dom.js";
import { form, passwordField, textField } from "../components/form.js";
import { setUp } from "../session.js";

/** Returns the message of a new password's fault, or null. The service has the same limits. */
export function passwordFault(text) {
  const length = new TextEncoder().encode(text).length;
  if (length < 10) return "Use at least 10 characters.";
  return length > 256 ? "Use at most 256 bytes." : null;
}

export function setUpView(secret, done) {
  const name = textField({ id: "name", label: "Name", autocomplete: "username", required: true, help: "You log in with this name." });
  const password = passwordField({
    id: "password", label: "Password", autocomplete: "new-password",
    help: "10 to 256 bytes. A password manager makes a good one.",
  });
  return [
    h("p.quiet", null, "You become the first administrator, with the role owner. This link works once."),
    form({
      fields: [name.element, password.element],
      action: "Create the administrator",
      async submit() {
        const fault = passwordFault(password.value);
        password.fail(fault);
        if (fault) return password.focus();
        try {
          await setUp(decoded(secret), name.value, password.value);
        } catch (error) {
          if (error instanceof Problem && error.code === "set-up-refused") {
            error.detail = "The link was used, is old, or is not complete. If an administrator exists, log in without the link; " +
              "otherwise start the service again for a new link.";
          }
          throw error;
        }
        done();
      },
    }),
    h("p", null, h("a", { href: "#/", on: { click: () => setTimeout(() => location.reload()) } }, "Log in instead")),
  ];
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
