// Administrators, and one's own password.

import { get, path, query, send } from "../api.js";
import { draft, dropDraft, keepDraft } from "../drafts.js";
import { h } from "../dom.js";
import { administrator } from "../session.js";
import { name, plain } from "../text.js";
import { confirm, dialog } from "../components/dialog.js";
import { choiceField, form, passwordField, textField } from "../components/form.js";
import { badge, pager, table } from "../components/list.js";
import { act, notify } from "../components/notice.js";
import { panel } from "../components/panel.js";
import { time } from "../components/time.js";
import { passwordFault } from "./set-up.js";

export const roles = [
  ["viewer", "viewer: reads; contents are redacted"],
  ["operator", "operator: also changes archives and decides"],
  ["owner", "owner: also settings, apps, administrators and tokens"],
];

export const roleBadge = (role) => badge(plain(role), { owner: "accent", operator: "good" }[role] ?? "plain");

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
    actions: h("button", { type: "button", on: { click: () => add(() => list.reload()) } }, "New administrator"),
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
      content: h("p", null, name(one.name, { isPlain: true }), ` (${plain(one.role)}) cannot log in any more, and all their sessions end. The entries in the audit log stay.`),
    });
    if (!isSure) return;
    await send("DELETE", path`/administrators/${one.id}`);
    notify("The administrator is removed.");
    done();
  }));
  return h("span.row-actions", null, change, remove);
}

function add(done) {
  const kept = draft("administrator") ?? {};
  const who = textField({ id: "new-name", label: "Name", required: true, value: kept.name ?? "" });
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
  const password = passwordField({ id: "reset", label: "New password", required: false, autocomplete: "new-password", help: "Empty: the password stays. A new password ends all sessions of the administrator." });
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
