// API tokens, for automation.

import { get, path, query, send } from "../api.js";
import { draft, dropDraft, keepDraft } from "../drafts.js";
import { h } from "../dom.js";
import { name, plain } from "../text.js";
import { codeBlock } from "../components/copy.js";
import { confirm, dialog } from "../components/dialog.js";
import { choiceField, form, textField } from "../components/form.js";
import { badge, pager, table } from "../components/list.js";
import { act, notify } from "../components/notice.js";
import { empty, panel } from "../components/panel.js";
import { time } from "../components/time.js";
import { roleBadge, roles } from "./administrators.js";

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
      h("button", { type: "button", on: { click: () => add(() => list.reload()) } }, "Make a token")),
  });
  return {
    title: "API tokens",
    actions: h("button", { type: "button", on: { click: () => add(() => list.reload()) } }, "New token"),
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
      content: h("p", null, "Scripts with the token ", name(token.label, { isPlain: true }), " get no answer any more."),
    });
    if (!isSure) return;
    await send("DELETE", path`/tokens/${token.id}`);
    notify("The token is revoked.");
    done();
  }));
  return button;
}

function add(done) {
  const kept = draft("token") ?? {};
  const label = textField({ id: "token-label", label: "Label", required: true, value: kept.label ?? "", help: "Where the token is used." });
  const role = choiceField({ id: "token-role", label: "Role", value: kept.role ?? "viewer", options: roles });
  const days = textField({ id: "token-days", label: "Days", value: kept.days ?? "90", inputmode: "numeric", pattern: "[0-9]*", help: "Empty: the token does not expire." });
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
        content: [h("p", null, "It is shown only now. Copy it to where it is used."), codeBlock(data.token ?? "", { label: "token" })],
      });
    },
  });
  element.addEventListener("input", () => keepDraft("token", { label: label.value, role: role.value, days: days.value }));
  const opened = dialog({ title: "New API token", content: element });
}
