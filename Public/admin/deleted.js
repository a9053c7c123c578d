// The deleted archives of a scene, and the undo of a deletion.

import { go, link } from "./addresses.js";
import { get, send } from "./api.js";
import { contextText } from "./devices.js";
import { h } from "./dom.js";
import { bytes, counted, shortID } from "./formats.js";
import { empty, panel } from "./panels.js";
import { denied, deniedNote } from "./roles.js";
import { may } from "./session.js";
import { table } from "./tables.js";
import { time } from "./times.js";
import { act, notify } from "./toasts.js";
import { archivePath, deviceLink, scenePath } from "./users.js";

/** Undoes the deletion of an archive, and shows the timeline of its scene. */
export async function undelete(params) {
  await send("POST", `${archivePath(params)}/undelete`);
  notify(`The archive ${shortID(params.archive)} is back.`);
  go(link("/apps", params.app, "users", params.user, "scenes", params.scene));
}

/** Lists the archives of a scene whose deletion can be undone. */
export const deletedPanel = ({ params, signal }) => panel({
  label: "Deleted archives", isBare: true, signal, name: "deleted",
  load: (signal) => get(`${scenePath(params)}/deleted-archives`, signal),
  show: ({ items }) => items.length ? [
    table({
      caption: "Deleted archives",
      columns: [
        { title: "Captured", isHead: true }, { title: "Device" }, { title: "Size", isNumber: true }, { title: "Deleted" },
        { title: "Can be undone until" }, { title: "Actions", isHidden: true },
      ],
      rows: items.map((item) => [
        time(item.capturedAt, "minute"), device(item, params), bytes(item.byteCount), time(item.deletedAt, "relative"),
        h("span", null, time(item.undoableUntil, "date"), " ", h("span.quiet", null, `(for ${daysLeft(item.undoableUntil)})`)), undoButton(item, params),
      ]),
    }),
    deniedNote("undeleteArchive", "undo a deletion"),
  ] : empty("Nothing was deleted in the last 30 days", h("p", null, "You can undo the deletion of an archive for 30 days. Then its bytes are gone.")),
});

function daysLeft(until) {
  const days = Math.floor((Date.parse(until) - Date.now()) / 86_400_000);
  return days < 1 ? "less than a day" : counted(days, "more day");
}

/** The device that captured a deleted archive, and its context. */
const device = ({ device, context }, { app, user }) => h("span", null,
  device ? [deviceLink(device, ["/apps", app, "users", user], { idiom: context?.idiom }), " as "] : null, contextText(context));

function undoButton(item, params) {
  const button = h("button.secondary.small", {
    type: "button", disabled: !may("undeleteArchive"), title: denied("undeleteArchive", "undo a deletion"), "aria-label": `Undo the deletion of ${shortID(item.archive)}`,
  }, "Undo");
  button.addEventListener("click", () => act(button, () => undelete({ ...params, archive: item.archive })));
  return button;
}
