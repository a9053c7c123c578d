// A user: devices, scenes and data sources.

import { get, path } from "../api.js";
import { appName } from "../apps.js";
import { deviceLabel } from "../devices.js";
import { h } from "../dom.js";
import { bytes, counted, number, shortID } from "../format.js";
import { link } from "../router.js";
import { name } from "../text.js";
import { identifier } from "../components/copy.js";
import { facts, table } from "../components/list.js";
import { empty, panel, shared } from "../components/panel.js";
import { placeTrail } from "../components/place.js";
import { time } from "../components/time.js";
import { dataSourceTable } from "./identity.js";
import { accountBadge } from "./users.js";

/** The path of a user in the API. */
export const userPath = ({ app, user }) => path`/apps/${app}/users/${user}`;

/** The links above the title: down to the user, if the view is below a user, and to the scene, if it is below a scene. */
export function crumbs({ app, user, scene }, { isInside = false, isUser = false } = {}) {
  const here = ["/apps", app, "users", user];
  return [
    [appName(app), link("/apps", app)], ["Users", link("/apps", app, "users")],
    isUser ? null : [`User ${shortID(user)}`, link(...here)],
    isInside && scene ? [["Scene ", name(scene, { isPlain: true })], link(...here, "scenes", scene)] : null,
  ].filter(Boolean);
}

export function userView(visit) {
  const { signal, params } = visit;
  const { app, user } = params;
  const load = shared((signal) => get(userPath(params), signal));
  const here = ["/apps", app, "users", user];
  return {
    title: `User ${shortID(user)}`,
    crumbs: crumbs(params, { isUser: true }),
    content: h("div.stack", null,
      panel({ label: "User", signal, load, name: "user", show: (data) => userFacts(data) }),
      panel({
        title: "Scenes", signal, load, name: "scenes",
        show: ({ scenes }) => scenes?.length ? h("ul.scenes", null, scenes.map((scene) => sceneItem(scene, here)))
          : empty("No scene has an archive", h("p", null, "The user's devices have not uploaded a state yet.")),
      }),
      panel({
        title: "Devices", signal, load, name: "devices",
        show: ({ devices }) => devices?.length ? deviceTable(devices) : empty("This user has no device", h("p", null, "All devices were revoked, or moved to another user.")),
      }),
      panel({
        title: "Data sources", signal, name: "data-sources", note: "The lists whose items the devices have registered.",
        load: (signal) => get(`${userPath(params)}/data-sources`, signal),
        show: ({ items }) => dataSourceTable(items, here),
      })),
  };
}

function userFacts(data) {
  return facts([
    ["Id", identifier(data.id, { label: "user id" })],
    ["Kind", accountBadge(data.signedIn)],
    ["Subject", data.subject === undefined ? (data.signedIn ? h("span.quiet", null, "hidden by the app's policy") : null)
      : name(data.subject, { label: "subject" })],
    ["Archives", number(data.archives)],
    ["Stored", bytes(data.bytes)],
    ["Last seen", data.lastSeenAt ? time(data.lastSeenAt) : null],
    ["Created", data.createdAt ? time(data.createdAt) : null],
  ]);
}

function sceneItem(scene, here) {
  const timeline = link(...here, "scenes", scene.name);
  return h("li.scene", null,
    h("div.scene-head", null,
      h("h3", null, name(scene.name, { href: timeline, label: "name of the scene" })),
      h("span.quiet", null, counted(scene.archives, "archive"))),
    scene.head ? h("div.scene-place", null, placeTrail(scene.head.place),
      h("p.quiet", null, "Head: captured ", time(scene.head.capturedAt, "relative"), " on ", scene.head.context?.idiom ?? "a device"))
      : h("p.quiet", null, scene.forgottenAt ? ["Forgotten ", time(scene.forgottenAt)] : "No archive is kept."),
    h("div.links", null,
      h("a.button.secondary.small", { href: timeline }, "Timeline"),
      h("a.button.secondary.small", { href: link(...here, "scenes", scene.name, "explain") }, "Explain")));
}

const deviceTable = (devices) => table({
  caption: "Devices",
  columns: [{ title: "Device", isHead: true }, { title: "Model" }, { title: "System" }, { title: "Last seen" }, { title: "Registered" }, { title: "Id" }],
  rows: devices.map((device) => [
    deviceLabel(device, device.id, { isWhole: true }),
    device.model ? name(device.model, { limit: 24 }) : h("span.quiet", null, "not given"),
    device.systemVersion ? name(device.systemVersion, { limit: 16 }) : h("span.quiet", null, "not given"),
    time(device.lastSeenAt, "relative"), time(device.createdAt, "relative"),
    identifier(device.id, { shown: shortID(device.id), label: "device id" }),
  ]),
});
