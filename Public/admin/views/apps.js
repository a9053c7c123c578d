// The apps of the service.

import { get, query, send } from "../api.js";
import { forgetApps } from "../apps.js";
import { draft, dropDraft, keepDraft } from "../drafts.js";
import { h } from "../dom.js";
import { bytes, number } from "../format.js";
import { go, link } from "../router.js";
import { may } from "../session.js";
import { name } from "../text.js";
import { dialog } from "../components/dialog.js";
import { form, textField } from "../components/form.js";
import { badge, pager, table } from "../components/list.js";
import { empty, panel } from "../components/panel.js";
import { time } from "../components/time.js";

const restorationBadge = (word) => ({
  auto: badge("restores", "good", "Clients restore archives"),
  offer: badge("offers", "accent", "Clients offer archives to the person"),
  off: badge("restoring is off", "bad", "Clients ignore archives"),
})[word] ?? badge(String(word));

export function appsView(visit) {
  const create = may("owner") ? h("button", { type: "button", on: { click: createApp } }, "New app") : null;
  return {
    title: "Apps",
    actions: create,
    content: panel({
      label: "Apps", signal: visit.signal,
      load: (signal) => get(`/apps${query({ cursor: visit.query.get("cursor") })}`, signal),
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
