// Acts on a user or an app that cannot be undone, and the export of a user.

import { go, link, path, query } from "./addresses.js";
import { get, send } from "./api.js";
import { appName, forgetApps } from "./apps.js";
import { deviceText } from "./devices.js";
import { confirm } from "./dialogs.js";
import { h } from "./dom.js";
import { counted, shortID } from "./formats.js";
import { name } from "./names.js";
import { denied, deniedNote } from "./roles.js";
import { act, notify } from "./toasts.js";
import { userPath } from "./users.js";

function actButton(text, kind, operation, words, task, label) {
  const why = denied(operation, words);
  const button = h(`button.${kind}`, { type: "button", disabled: Boolean(why), title: why, "aria-label": label }, text);
  button.addEventListener("click", () => act(button, task));
  return button;
}

/** A button that revokes a device of a user. */
export const revokeButton = (device, params, done) => actButton("Revoke…", "secondary.small", "revokeUsersDevice", "revoke a device", async () => {
  const isSure = await confirm({
    title: "Revoke this device?", action: "Revoke", isDangerous: true,
    content: [
      h("p", null, h("b", null, deviceText(device)), " can no longer read or store this user’s archives. Those that it stored stay."),
      h("p", null, "If the app registers it again, it belongs to another user, until it signs in or is linked."),
    ],
  });
  if (!isSure) return;
  await send("DELETE", userPath(params) + path`/devices/${device.id}`);
  notify(`${deviceText(device)} is revoked.`);
  done();
}, `Revoke ${deviceText(device)}`);

/** Buttons that export and erase a user. */
export function userActs(person, params) {
  const exporting = actButton("Export", "secondary", "exportUsersData", "export a user’s data", async () => {
    const source = URL.createObjectURL(await get(`${userPath(params)}/export`, undefined, "blob"));
    h("a", { href: source, download: `user-${shortID(person.id)}.ndjson` }).click();
    setTimeout(() => URL.revokeObjectURL(source), 10_000);
    notify("The data is downloaded. The audit log has an entry about it.");
  });
  const erasing = actButton("Erase…", "quietly", "eraseUsersData", "erase a user", async () => {
    const isSure = await confirm({
      title: "Erase this user?", action: "Erase", isDangerous: true, typed: shortID(person.id),
      content: h("p", null, name(person.subject ?? `User ${shortID(person.id)}`, { limit: 40, isPlain: true }), ` is deleted with ${counted(person.archives, "archive")}, `
        + `${counted((person.devices ?? []).length, "device")} and all items. This cannot be undone: if an older backup is restored, the user is erased again.`),
    });
    if (!isSure) return;
    await send("DELETE", userPath(params));
    notify("The user is erased.");
    go(link("/apps", params.app, "users"));
  });
  const notes = [deniedNote("exportUsersData", "export a user’s data"), deniedNote("eraseUsersData", "erase a user")];
  return [h("div.buttons.start", null, exporting, erasing), notes];
}

/** The section that deletes an app. */
export const appDeletion = (app) => h("section.panel", { "aria-label": "Delete the app", data: { panel: "deletion" } },
  h("p", null, "Deletes ", appName(app.id), " with all its users, their archives and their items."),
  h("div.buttons.start", null, actButton("Delete the app…", "quietly", "deleteApp", "delete apps", async () => {
    const isSure = await confirm({
      title: "Delete this app?", action: "Delete the app", isDangerous: true, typed: app.bundleIdentifier,
      content: h("p", null, `${counted(app.usage?.users ?? 0, "user")} and ${counted(app.usage?.archives ?? 0, "archive")} are deleted. Devices lose their states at once. This cannot be undone.`),
    });
    if (!isSure) return;
    await send("DELETE", path`/apps/${app.id}` + query({ confirm: app.bundleIdentifier }));
    forgetApps();
    notify("The service deletes the app.");
    go("#/");
  })), deniedNote("deleteApp", "delete apps"));
