// Paths, links and names for the views of a user and of the user's scenes.

import { link, path, query } from "./addresses.js";
import { get } from "./api.js";
import { appName } from "./apps.js";
import { compareNames, deviceLabel, hasNamesake } from "./devices.js";
import { h } from "./dom.js";
import { shortID } from "./formats.js";
import { name } from "./names.js";
import { shared } from "./panels.js";
import { plain } from "./texts.js";

/** The path of a user in the API. */
export const userPath = ({ app, user }) => path`/apps/${app}/users/${user}`;

/** The path of a scene in the API. */
export const scenePath = (params) => userPath(params) + path`/scenes/${params.scene}`;

/** The path of an archive in the API. */
export const archivePath = (params) => scenePath(params) + path`/archives/${params.archive}`;

/** The path of a user's data source in the API. */
export const dataSourcePath = (params) => userPath(params) + path`/data-sources/${params.name}`;

/** The devices of the users that the page has read, by their ids: other views name these devices without a request. */
const knownDevices = new Map();

/** Forgets the names of devices, because another administrator has logged in. */
export const forgetDevices = () => knownDevices.clear();

/** Whether the page knows the name of a device. */
export const isKnown = (device) => knownDevices.has(device);

const userText = (id, subject) => subject === undefined ? `User ${shortID(id)}` : plain(subject, 40);

/** The subject of a user, or else the start of the id. The subject replaces the id once `userLoader` has read it. */
export const userName = (id, subject) => h(subject === undefined ? "bdi.name" : "bdi.name.long", { data: { user: id } }, userText(id, subject));

/** Returns a loader of a user, whose result several panels share. */
export const userLoader = (params, cursor) => shared(async (signal) => {
  const person = await get(userPath(params) + query({ cursor }), signal);
  for (const device of person.devices ?? []) knownDevices.set(device.id, device);
  compareNames(person.devices ?? []);
  for (const element of document.querySelectorAll("[data-user]")) {
    if (element.dataset.user === params.user) element.textContent = userText(params.user, person.subject);
  }
  return person;
});

/**
 * A link to a device on the page of its user: the name if the page knows it, and the start of the id. `person` has the
 * parts of the user's address.
 */
export function deviceLink(id, person, { idiom } = {}) {
  const device = knownDevices.get(id);
  return h("a.device-link", { href: link(...person, { device: id }) }, deviceLabel(device, id, { idiom }),
    (device?.name || device?.model) && !hasNamesake(device) ? [" ", h("code.id", null, shortID(id))] : null);
}

/** The links above the title, from the app down to the user or the scene that contains the view. */
export function crumbs({ app, user, scene }, { isInside = false, isUser = false } = {}) {
  const here = ["/apps", app, "users", user];
  return [
    [appName(app), link("/apps", app)], ["Users", link("/apps", app, "users")],
    isUser ? null : [userName(user), link(...here)],
    isInside && scene ? [["Scene ", name(scene, { isPlain: true })], link(...here, "scenes", scene)] : null,
  ].filter(Boolean);
}

/** Says whether a user has an account. */
export const accountText = (isSignedIn) => isSignedIn ? "account" : h("span.quiet", null, "anonymous");
