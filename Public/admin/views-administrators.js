// The view of the administrators.

import { path, query } from "./addresses.js";
import { get, send } from "./api.js";
import { codeBlock } from "./copying.js";
import { confirm, dialog } from "./dialogs.js";
import { h } from "./dom.js";
import { draft, dropDraft, keepDraft } from "./drafts.js";
import { choiceField, form, passwordField, switchField, textField } from "./forms.js";
import { nameRule, passwordFault } from "./log-in.js";
import { name } from "./names.js";
import { panel } from "./panels.js";
import { roleBadge, roles } from "./roles.js";
import { serviceSections } from "./service.js";
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
    tabs: serviceSections("administrators"),
    actions: h("button", { type: "button", on: { click: () => addAdministrator(() => list.reload()) } }, "New administrator"),
    content: list,
  };
}

function actions(one, done) {
  const invite = h("button.secondary.small", { type: "button", "aria-label": `New link for ${plain(one.name, 30)}` }, "New link…");
  invite.addEventListener("click", () => act(invite, async () => {
    const isSure = await confirm({
      title: "Make a new link?", action: "Make a link", isDangerous: true,
      content: h("p", null, name(one.name, { isPlain: true }), " must set a new password with it. The present password no longer works, and all their sessions end."),
    });
    if (!isSure) return;
    showInvitation(one.name, (await send("POST", path`/administrators/${one.id}/invitation`)).data);
    done();
  }));
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
  return h("span.row-actions", null, one.id === administrator()?.id ? null : invite, change, remove);
}

function addAdministrator(done) {
  const kept = draft("administrator") ?? {};
  const who = textField({ id: "new-name", label: "Name", ...nameRule, value: kept.name ?? "" });
  const role = choiceField({ id: "new-role", label: "Role", value: kept.role ?? "viewer", options: roles });
  const element = form({
    fields: [who.element, role.element],
    action: "Invite",
    async submit() {
      const { data } = await send("POST", "/administrators", { body: { name: who.value, role: role.value } });
      dropDraft("administrator");
      opened.close("done");
      showInvitation(data.name, data.invitation);
      done();
    },
  });
  element.addEventListener("input", () => keepDraft("administrator", { name: who.value, role: role.value }));
  const opened = dialog({ title: "New administrator", content: element });
}

/** Shows the link with which an administrator sets a password. It is shown once. */
function showInvitation(invited, { path: target, expiresAt }) {
  const link = new URL(target, location.origin).href;
  dialog({
    title: "Give this link to the administrator",
    content: [
      h("p", null, "With it, ", name(invited, { isPlain: true }), " sets a password and logs in. It works once, until ", time(expiresAt, "minute"), ". It cannot be shown again."),
      codeBlock(link, { label: "invitation", wraps: true }),
    ],
  });
}

function edit(one, done) {
  const role = choiceField({ id: "role", label: "Role", value: one.role, options: roles });
  const factor = switchField({ id: "factor", label: "Second factor", value: "true", help: "Switch it off if its phone and recovery codes are lost." });
  const password = passwordField({ id: "reset", label: "New password", required: false, autocomplete: "new-password", help: "Leave empty to keep the password. A new password ends all sessions of the administrator." });
  const opened = dialog({
    title: "Change the administrator",
    content: [h("p", null, name(one.name, { limit: 40, label: "name" })), form({
      fields: [role.element, password.element, one.hasSecondFactor && one.id !== administrator()?.id ? factor.element : null].filter(Boolean),
      action: "Save",
      async submit() {
        const fault = password.value ? passwordFault(password.value) : null;
        password.fail(fault);
        if (fault) return password.focus();
        const body = { ...(role.value !== one.role ? { role: role.value } : {}), ...(password.value ? { password: password.value } : {}), ...(factor.value === "false" ? { hasSecondFactor: false } : {}) };
        if (Object.keys(body).length) await send("PATCH", path`/administrators/${one.id}`, { body });
        opened.close("done");
        notify("The administrator is changed.");
        done();
      },
    })],
  });
}
