// The views of one's own account, and of the sessions.

import { path } from "./addresses.js";
import { get, send } from "./api.js";
import { h } from "./dom.js";
import { form, passwordField } from "./forms.js";
import { passwordFault } from "./log-in.js";
import { name } from "./names.js";
import { panel } from "./panels.js";
import { roleBadge } from "./roles.js";
import { secondFactor } from "./second-factor.js";
import { serviceSections } from "./service.js";
import { administrator, readSession } from "./session.js";
import { table } from "./tables.js";
import { time } from "./times.js";
import { act, notify } from "./toasts.js";

export function accountView(visit) {
  return {
    title: "Your account",
    tabs: serviceSections("account"),
    content: h("div.stack", null, password(), factor()),
  };
}

export function sessionsView(visit) {
  return { title: "Sessions", tabs: serviceSections("sessions"), lead: "Log-ins that have not ended. An owner sees those of all administrators.", content: sessions(visit) };
}

/** The section about the second factor, which changes after a change. */
function factor() {
  const section = h("section.panel.narrow", { "aria-label": "Second factor" });
  const show = () => section.replaceChildren(...secondFactor(async () => {
    await readSession();
    show();
  }));
  show();
  return section;
}

function sessions(visit) {
  const list = panel({
    label: "Sessions", signal: visit.signal, name: "sessions",
    load: (signal) => get("/sessions", signal),
    show: ({ items }) => table({
      caption: "Sessions that have not ended",
      columns: [{ title: "Administrator", isHead: true }, { title: "Last used" }, { title: "Logged in" }, { title: "Actions", isHidden: true }],
      rows: items.map((one) => [
        [name(one.name, { limit: 40, label: "name" }), one.isCurrent ? h("span.quiet", null, " (this one)") : null],
        time(one.lastUsedAt, "relative"), time(one.createdAt, "relative"), one.isCurrent ? null : endButton(one, () => list.reload()),
      ]),
    }),
  });
  return list;
}

function endButton(one, done) {
  const button = h("button.secondary.small", { type: "button", "aria-label": `End a session of ${one.name}` }, "End");
  button.addEventListener("click", () => act(button, async () => {
    await send("DELETE", path`/sessions/${one.id}`);
    notify("The session has ended.");
    done();
  }));
  return button;
}

function password() {
  const old = passwordField({ id: "old", label: "Password", autocomplete: "current-password" });
  const next = passwordField({ id: "next", label: "New password", autocomplete: "new-password", help: "10 to 256 bytes." });
  return h("section.panel.narrow", { "aria-label": "Password" },
      h("p", null, "Logged in as ", name(administrator()?.name, { label: "name" }), " ", roleBadge(administrator()?.role ?? "")),
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
      }));
}
