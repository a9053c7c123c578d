// API tokens, for automation.

import { path, query } from "./addresses.js";
import { get, send } from "./api.js";
import { codeBlock } from "./copying.js";
import { confirm, dialog } from "./dialogs.js";
import { h } from "./dom.js";
import { draft, dropDraft, keepDraft } from "./drafts.js";
import { badge } from "./facts.js";
import { choiceField, form, textField } from "./forms.js";
import { name } from "./names.js";
import { empty, panel } from "./panels.js";
import { roleBadge, roles } from "./roles.js";
import { serviceSections } from "./service.js";
import { pager, table } from "./tables.js";
import { plain } from "./texts.js";
import { time } from "./times.js";
import { act, notify } from "./toasts.js";

export function tokensView(visit) {
  const list = panel({
    label: "API tokens", signal: visit.signal, name: "tokens",
    load: (signal) => get(`/tokens${query({ cursor: visit.query.get("cursor") })}`, signal),
    show: ({ items, next }) => items.length ? [
      table({
        caption: "API tokens",
        columns: [{ title: "Label", isHead: true }, { title: "Role" }, { title: "Last used" }, { title: "Expires" }, { title: "Created" }, { title: "Actions", isHidden: true }],
        rows: items.map((token) => [
          name(token.label, { limit: 40, label: "label" }), roleBadge(token.role), time(token.lastUsedAt, "relative"),
          expiry(token.expiresAt), time(token.createdAt, "relative"), revoke(token, () => list.reload()),
        ]),
      }),
      pager(visit, next, ["/tokens"]),
    ] : empty("There is no API token", h("p", null, "A script sends a token instead of logging in: Authorization: Bearer pka_…"),
      h("button", { type: "button", on: { click: () => addToken(() => list.reload()) } }, "Make a token")),
  });
  return {
    title: "API tokens",
    tabs: serviceSections("tokens"),
    actions: h("button", { type: "button", on: { click: () => addToken(() => list.reload()) } }, "New token"),
    content: list,
  };
}

function expiry(at) {
  if (!at) return h("span.quiet", null, "never");
  return Date.parse(at) < Date.now() ? [badge("expired", "bad"), " ", time(at, "relative")] : time(at, "relative");
}

function revoke(token, done) {
  const button = h("button.secondary.small", { type: "button", "aria-label": `Revoke ${plain(token.label, 30)}` }, "Revoke…");
  button.addEventListener("click", () => act(button, async () => {
    const isSure = await confirm({
      title: "Revoke this token?", action: "Revoke", isDangerous: true,
      content: h("p", null, "Scripts with the token ", name(token.label, { isPlain: true }), " stop working."),
    });
    if (!isSure) return;
    await send("DELETE", path`/tokens/${token.id}`);
    notify("The token is revoked.");
    done();
  }));
  return button;
}

function addToken(done) {
  const kept = draft("token") ?? {};
  const label = textField({ id: "token-label", label: "Label", required: true, maxlength: 64, value: kept.label ?? "", help: "Where the token is used." });
  const role = choiceField({ id: "token-role", label: "Role", value: kept.role ?? "viewer", options: roles });
  const days = textField({ id: "token-days", label: "Days", value: kept.days ?? "90", inputmode: "numeric", pattern: "[0-9]*", help: "Leave empty for a token that does not expire." });
  const element = form({
    fields: [label.element, role.element, days.element],
    action: "Make the token",
    async submit() {
      const body = { label: label.value, role: role.value, ...(days.value.trim() ? { days: Number(days.value) } : {}) };
      const { data } = await send("POST", "/tokens", { body });
      dropDraft("token");
      opened.close("done");
      done();
      dialog({
        title: "The token",
        content: [h("p", null, "Copy it now: it will not be shown again."), codeBlock(data.token ?? "", { label: "token" })],
      });
    },
  });
  element.addEventListener("input", () => keepDraft("token", { label: label.value, role: role.value, days: days.value }));
  const opened = dialog({ title: "New API token", content: element });
}
