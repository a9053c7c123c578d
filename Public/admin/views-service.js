// The views of the service: apps, administrators, the own account, API tokens, and facts.

import {
  act, badge, bytes, codeBlock, confirm, empty, facts, h, link, lookUp, name, notify, number, pager, panel, path, plain,
  query, table, time,
} from "./elements.js";
import { administrator, forgetApps, get, go, may, rememberNames, send } from "./app.js";
import { choiceField, dialog, draft, dropDraft, form, keepDraft, passwordField, textField } from "./forms.js";
import { nameRule, passwordFault } from "./log-in.js";

// # Apps
// The apps of the service.

const restorationBadge = (word) => lookUp({
  auto: badge("restores", "good", "Clients restore archives"),
  offer: badge("offers", "accent", "Clients offer archives to the user"),
  off: badge("restoring is off", "bad", "Clients ignore archives"),
}, word) ?? badge(plain(word));

export function appsView(visit) {
  const create = may("owner") ? h("button", { type: "button", on: { click: createApp } }, "New app") : null;
  return {
    title: "Apps",
    actions: create,
    content: panel({
      label: "Apps", signal: visit.signal,
      load: async (signal) => {
        const page = await get(`/apps${query({ cursor: visit.query.get("cursor") })}`, signal);
        rememberNames(page.items);
        return page;
      },
      show: ({ items, next }) => items.length ? [
        table({
          caption: "Apps",
          columns: [
            { title: "App", isHead: true }, { title: "Restoring" }, { title: "Users", isNumber: true },
            { title: "Devices", isNumber: true }, { title: "Archives", isNumber: true }, { title: "Stored", isNumber: true },
            { title: "Created" },
          ],
          rows: items.map((app) => [
            name(app.bundleIdentifier, { href: link("/apps", app.id), label: "bundle identifier" }),
            restorationBadge(app.restoration), number(app.usage?.users), number(app.usage?.devices),
            number(app.usage?.archives), bytes(app.usage?.bytes), time(app.createdAt, "relative"),
          ]),
        }),
        pager(visit, next, ["/"]),
      ] : empty("There is no app yet",
        h("p", null, "An app has a bundle identifier, a key that is built into it, and its own settings."),
        may("owner") ? h("button", { type: "button", on: { click: createApp } }, "Create the first app")
          : h("p.quiet", null, "An owner can create one.")),
    }),
  };
}

function createApp() {
  const bundle = textField({
    id: "bundle", label: "Bundle identifier", required: true, value: draft("app") ?? "", placeholder: "com.example.photos",
    help: "The identifier of the app, as in Xcode.", maxlength: 255,
  });
  bundle.input.addEventListener("input", () => keepDraft("app", bundle.value));
  const opened = dialog({
    title: "New app",
    content: form({
      fields: bundle.element,
      action: "Create",
      async submit() {
        const { data } = await send("POST", "/apps", { body: { bundleIdentifier: bundle.value.trim() } });
        dropDraft("app");
        opened.close("done");
        forgetApps();
        go(link("/apps", data.id, "start"));
      },
    }),
  });
}

// # Administrators
// Administrators, and one's own password.

const roles = [
  ["viewer", "viewer: reads; contents are redacted"],
  ["operator", "operator: also changes archives and decides"],
  ["owner", "owner: also settings, apps, administrators and tokens"],
];

const roleBadge = (role) => badge(plain(role), lookUp({ owner: "accent", operator: "good" }, role));

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

// # API tokens
// API tokens, for automation.

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

// # About
// About the service.

export function aboutView(visit) {
  return {
    title: "About",
    content: panel({
      label: "The service", signal: visit.signal, name: "about",
      load: (signal) => get("/about", signal),
      show: (about) => [
        facts([
          ["Status", about.ready ? badge("ready", "good") : badge("not ready", "bad")],
          ["Version", plain(about.version)], ["Store", plain(about.storeVersion)],
          ["Started", time(about.startedAt)], ["Apps", about.apps === undefined ? null : number(about.apps)],
          ["Stored", about.maximumBytes ? `${bytes(about.usedBytes)} of ${bytes(about.maximumBytes)}` : bytes(about.usedBytes)],
        ]),
        about.maximumBytes ? h("meter.meter", { min: 0, max: about.maximumBytes, high: about.maximumBytes * 0.9, value: about.usedBytes, "aria-label": "Storage in use" }) : null,
        h("p", null, h("a", { href: "/openapi.yaml" }, "API description"), " · ", h("a", { href: "/" }, "Status page")),
      ],
    }),
  };
}
