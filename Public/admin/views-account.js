// The view of one's own account.

import { send } from "./api.js";
import { h } from "./dom.js";
import { form, passwordField } from "./forms.js";
import { passwordFault } from "./log-in.js";
import { name } from "./names.js";
import { roleBadge } from "./roles.js";
import { administrator } from "./session.js";
import { notify } from "./toasts.js";

export function accountView() {
  const old = passwordField({ id: "old", label: "Password", autocomplete: "current-password" });
  const next = passwordField({ id: "next", label: "New password", autocomplete: "new-password", help: "10 to 256 bytes." });
  return {
    title: "Your account",
    content: h("section.panel.narrow", { "aria-label": "Password" },
      h("p", null, "Logged in as ", name(administrator()?.name, { label: "name" }), " ", roleBadge(administrator()?.role ?? ""), "."),
      h("h2", null, "Change the password"),
      form({
        fields: [old.element, next.element],
        action: "Change the password",
        async submit() {
          const fault = passwordFault(next.value);
          next.fail(fault);
          if (fault) return next.focus();
          await send("PUT", "/session/password", { body: { password: old.value, newPassword: next.value } });
          old.value = "";
          next.value = "";
          notify("The password is changed. Your other sessions have ended.");
        },
      })),
  };
}
