// Administrators, and one's own password.

import { path, query } from "./addresses.js";
import { get, send } from "./api.js";
import { confirm, dialog } from "./dialogs.js";
import { h } from "./dom.js";
import { draft, dropDraft, keepDraft } from "./drafts.js";
import { choiceField, form, passwordField, textField } from "./forms.js";
import { nameRule, passwordFault } from "./log-in.js";
import { name } from "./names.js";
import { panel } from "./panels.js";
import { roleBadge, roles } from "./roles.js";
import { administrator } from "./session.js";
import { pager, table } from "./tables.js";
import { plain } from "./texts.js";
import { time } from "./times.js";
import { act, notify } from "./toasts.js";

export function administratorsView(visit) {
  const list = panel({
    label: "Administrators", signal: visit.signal, name: "administrators",
    load: (signal) => get(`/administrators${query({ cursor: visit.query.get("cursor") })}`, signal),
    show: ({ items, next }) => [
      table({
        caption: "Administrators",
        columns: [{ title: "Name", isHead: true }, { title: "Role" }, { title: "Last seen" }, { title: "Created" }, { title: "Actions", isHidden: true }],
        rows: items.map((one) => [
          [name(one.name, { limit: 40, label: "name" }), one.id === administrator()?.id ? h("span.quiet", null, " (you)") : null],
          roleBadge(one.role), time(one.lastSeenAt, "relative"), time(one.createdAt, "relative"), actions(one, () => list.reload()),
        ]),
      }),
      pager(visit, next, ["/administrators"]),
    ],
  });
  return {
    title: "Administrators",
    actions: h("button", { type: "button", on: { click: () => addAdministrator(() => list.reload()) } }, "New administrator"),
    content: list,
  };
}

function actions(one, done) {
  const change = h("button.secondary.small", { type: "button", "aria-label": `Change ${plain(one.name, 30)}` }, "Change…");
  const remove = h("button.secondary.small", { type: "button", "aria-label": `Remove ${plain(one.name, 30)}` }, "Remove…");
  change.addEventListener("click", () => edit(one, done));
  remove.addEventListener("click", () => act(remove, async () => {
    const isSure = await confirm({
      title: "Remove this administrator?", action: "Remove", isDangerous: true,
      content: h("p", null, name(one.name, { isPlain: true }), ` (${plain(one.role)}) can no longer log in, and all their sessions end. Their entries in the audit log stay.`),
    });
    if (!isSure) return;
    await send("DELETE", path`/administrators/${one.id}`);
    notify("The administrator is removed.");
    done();
  }));
  return h("span.row-actions", null, change, remove);
}

function addAdministrator(done) {
  const kept = draft("administrator") ?? {};
  const who = textField({ id: "new-name", label: "Name", ...nameRule, value: kept.name ?? "" });
  const role = choiceField({ id: "new-role", label: "Role", value: kept.role ?? "viewer", options: roles });
  const password = passwordField({ id: "new-password", label: "Password", autocomplete: "new-password", help: "10 to 256 bytes. The administrator can change it after the first log-in." });
  const element = form({
    fields: [who.element, role.element, password.element],
    action: "Create",
    async submit() {
      const fault = passwordFault(password.value);
      password.fail(fault);
      if (fault) return password.focus();
      await send("POST", "/administrators", { body: { name: who.value, role: role.value, password: password.value } });
      dropDraft("administrator");
      opened.close("done");
      notify("The administrator is created.");
      done();
    },
  });
  element.addEventListener("input", () => keepDraft("administrator", { name: who.value, role: role.value }));
  const opened = dialog({ title: "New administrator", content: element });
}

function edit(one, done) {
  const role = choiceField({ id: "role", label: "Role", value: one.role, options: roles });
  const password = passwordField({ id: "reset", label: "New password", required: false, autocomplete: "new-password", help: "Leave empty to keep the password. A new password ends all sessions of the administrator." });
  const opened = dialog({
    title: "Change the administrator",
    content: [h("p", null, name(one.name, { limit: 40, label: "name" })), form({
      fields: [role.element, password.element],
      action: "Save",
      async submit() {
        const fault = password.value ? passwordFault(password.value) : null;
        password.fail(fault);
        if (fault) return password.focus();
        const body = { ...(role.value !== one.role ? { role: role.value } : {}), ...(password.value ? { password: password.value } : {}) };
        if (Object.keys(body).length) await send("PATCH", path`/administrators/${one.id}`, { body });
        opened.close("done");
        notify("The administrator is changed.");
        done();
      },
    })],
  });
}
