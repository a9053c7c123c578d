// An archive: its place, state, references, sizes and outcomes, and the acts on it.

import { get, path, send } from "../api.js";
import { contextText, deviceLabel, deviceText } from "../devices.js";
import { h } from "../dom.js";
import { absolute, bytes, counted, number, shortID } from "../format.js";
import { kindOf, quarantineText, whyNotHead } from "../order.js";
import { preference } from "../preferences.js";
import { go, link } from "../router.js";
import { may } from "../session.js";
import { name, plain } from "../text.js";
import { identifier } from "../components/copy.js";
import { confirm } from "../components/dialog.js";
import { badge, facts, table } from "../components/list.js";
import { act, notify } from "../components/notice.js";
import { empty, panel, shared } from "../components/panel.js";
import { placeTrail } from "../components/place.js";
import { time } from "../components/time.js";
import { inspection } from "../inspection.js";
import { aliasList } from "../references.js";
import { sizes } from "../sizes.js";
import { scenePath } from "./timeline.js";
import { crumbs, userPath } from "./user.js";

/** The path of an archive in the API. */
export const archivePath = (params) => scenePath(params) + path`/archives/${params.archive}`;

export function archiveView(visit) {
  const { params, signal } = visit;
  const { app, user, scene, archive } = params;
  const person = ["/apps", app, "users", user];
  const here = [...person, "scenes", scene];
  const load = shared((signal) => get(archivePath(params), signal));
  const loadUser = shared((signal) => get(userPath(params), signal));
  const loadOthers = shared((signal) => get(`${scenePath(params)}/archives`, signal));
  const section = (options) => panel({ signal, load, ...options });
  return {
    title: `Archive ${shortID(archive)}`,
    crumbs: crumbs(params, { isInside: true }),
    content: h("div.stack", null,
      panel({
        label: "Archive", signal, name: "archive",
        load: async (signal) => {
          const [data, owner] = await Promise.all([load(signal), loadUser(signal)]);
          return { data, owner };
        },
        show: ({ data, owner }) => summary(data, owner, params, here),
      }),
      panel({
        title: "Compare", signal, load: loadOthers, name: "compare", skeleton: "chart",
        show: ({ items }) => compare(items, archive, here),
      }),
      section({ title: "Contents", name: "contents", show: (data) => inspection(data, person) }),
      section({ title: "References", name: "references", show: (data) => references(data.references ?? [], person, data.archive.device) }),
      h("div.pair", null,
        section({ title: "Sizes by key", name: "sizes", show: (data) => sizes(data.sizes ?? []) }),
        section({ title: "Outcomes", name: "outcomes", show: (data) => outcomes(data.outcomes ?? []) })),
      section({ title: "Snapshot", name: "snapshot", show: ({ archive }) => snapshot(archive, params, signal) })),
  };
}

function summary({ archive, isRedacted }, owner, params, here) {
  const devices = new Map((owner.devices ?? []).map((device) => [device.id, device]));
  const kind = kindOf(archive, [archive]);
  return [
    h("div.entry-head", null, placeTrail(archive.place),
      h("span.badges", null, kind === "head" ? badge("Head", "good") : kind === "older" ? null : badge("Late", "poor"),
        archive.quarantines?.length ? badge("Quarantined", "bad") : null)),
    kind === "head" ? h("p", null, whyNotHead(archive, [archive], devices))
      : h("p", null, "Not the head. ", h("a", { href: link(...here) }, "The timeline"), " shows why."),
    archive.quarantines?.length ? h("ul.why.bad", null, archive.quarantines.map((one) => h("li", null, quarantineText(one)))) : null,
    facts([
      ["Captured", time(archive.capturedAt, "exact")], ["Received", time(archive.receivedAt, "exact")],
      ["Device", deviceLabel(devices.get(archive.device), archive.device, { idiom: archive.context?.idiom, isWhole: true })],
      ["Context", contextText(archive.context)], ["Revision", number(archive.revision)],
      ["Size", bytes(archive.size)], ["Objects", number(archive.objectCount)], ["References", number(archive.referenceCount)],
      ["Id", identifier(archive.id, { label: "archive id" })],
      ["SHA-256", identifier(archive.digest, { shown: `${plain(archive.digest, 16)}`, label: "SHA-256" })],
      ["Values", isRedacted ? "hidden by the app's policy: the page shows keys and types" : null],
    ]),
    actions(archive, params, here, devices),
  ];
}

function actions(archive, params, here, devices) {
  const [download, head, remove] = ["Download", "Make it the head", "Delete…"].map((text, index) =>
    h(`button.${index === 2 ? "danger" : "secondary"}`, { type: "button", disabled: !may("operator") }, text));
  head.disabled ||= archive.isHead;
  download.addEventListener("click", () => act(download, () => save(archive, params)));
  head.addEventListener("click", () => act(head, () => makeHead(archive, params, here, devices)));
  remove.addEventListener("click", () => act(remove, () => deleteArchive(archive, params, here, devices)));
  return [
    h("div.buttons.start", null, download, head, remove),
    may("operator") ? null : h("p.quiet", null, "Downloading and changing need the role operator."),
  ];
}

async function save(archive, params) {
  const { data } = await send("GET", `${archivePath(params)}/content`, { as: "blob" });
  const source = URL.createObjectURL(data);
  const anchor = h("a", { href: source, download: `${params.scene}-${shortID(archive.id)}.plist` });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(source), 10_000);
  notify("The archive is downloaded. The audit log has an entry about it.");
}

/** Names an archive before an act on it. */
const named = (archive, params, devices) => facts([
  ["Archive", h("code", null, archive.id)], ["Scene", name(params.scene)],
  ["Place", placeTrail(archive.place)], ["Captured", [time(archive.capturedAt, "full"), " on ", deviceText(devices.get(archive.device), archive.device)]],
  ["Size", bytes(archive.size)],
]);

async function makeHead(archive, params, here, devices) {
  const isSure = await confirm({
    title: "Make this archive the head?",
    action: "Make it the head",
    content: [
      h("p", null, "A copy of this archive becomes the newest of its scene. Devices that ask get the copy, if they may restore it. Nothing is deleted."),
      named(archive, params, devices),
    ],
  });
  if (!isSure) return;
  await send("POST", `${archivePath(params)}/head`);
  notify("A copy of the archive is the head now.");
  go(link(...here));
}

async function deleteArchive(archive, params, here, devices) {
  const reports = Object.values(archive.outcomes ?? {}).reduce((sum, count) => sum + count, 0);
  const isSure = await confirm({
    title: "Delete this archive?",
    action: `Delete ${shortID(archive.id)}`,
    isDangerous: true,
    content: [
      h("p", null, "The archive goes with its state, its place",
        archive.hasSnapshot ? ", its snapshot" : "", reports ? ` and ${counted(reports, "outcome")}` : "", ". ",
        archive.isHead ? "It is the head: the archive before it becomes the head." : "The head stays."),
      named(archive, params, devices),
    ],
  });
  if (!isSure) return;
  await send("DELETE", archivePath(params));
  notify(`The archive ${shortID(archive.id)} is deleted.`);
  go(link(...here));
}

function compare(items, archive, here) {
  const others = items.filter(({ id }) => id !== archive);
  if (!others.length) return empty("There is no other archive to compare with");
  const index = items.findIndex(({ id }) => id === archive);
  const before = items[index + 1]?.id ?? others[0].id;
  const select = h("select", { id: "other" }, others.map((other) => h("option", { value: other.id, selected: other.id === before },
    `${absolute(other.capturedAt, preference("zone"))} · ${plain((other.place ?? []).at(-1) ?? "no place", 30)}${other.isHead ? " · head" : ""}`)));
  return h("form.inline", {
    on: {
      submit: (event) => {
        event.preventDefault();
        go(link(...here, "archives", archive, "diff", { with: select.value }));
      },
    },
  }, h("label", { for: "other" }, "With the archive captured"), select, h("button.secondary", { type: "submit" }, "Show the differences"));
}

function references(items, person, device) {
  if (!items.length) return empty("This archive refers to no item");
  return table({
    caption: "References",
    columns: [{ title: "#", isNumber: true }, { title: "Data source" }, { title: "Identifier", isHead: true }, { title: "Role" }, { title: "Aliases" }],
    rows: items.map((reference) => [
      number(reference.index),
      name(reference.dataSource, { href: link(...person, "data-sources", reference.dataSource) }),
      reference.identifier === undefined ? h("span.quiet", null, "none") : name(reference.identifier, {
        limit: 48, label: "identifier", href: link(...person, "data-sources", reference.dataSource, "items", reference.identifier, { device }) }),
      h("bdi", null, plain(reference.role, 20)), aliasList(reference.aliases),
    ]),
  });
}

function outcomes(items) {
  if (!items.length) return empty("No device has reported about this archive");
  const kinds = { restored: "good", failed: "bad", crashed: "bad", abandoned: "poor" };
  return h("ul.lines.outcomes", null, items.map((outcome) => h("li", null,
    badge(plain(outcome.result), kinds[outcome.result]), " ", contextText(outcome.context), " ",
    outcome.path ? ["at ", name(outcome.path, { limit: 48, label: "path" }), " "] : null,
    outcome.step !== undefined ? `step ${outcome.step} ` : null,
    outcome.duration !== undefined ? `${Math.round(outcome.duration * 1000)} ms ` : null,
    h("span.quiet", null, time(outcome.reportedAt, "relative")))));
}

function snapshot(archive, params, signal) {
  if (!archive.hasSnapshot) return empty("This archive has no snapshot", h("p", null, "Snapshots are stored only if the app's settings allow them."));
  const place = h("div");
  const button = h("button.secondary", { type: "button" }, "Show the snapshot");
  button.addEventListener("click", () => act(button, async () => {
    const image = await get(`${archivePath(params)}/snapshot`, signal, "blob");
    const source = URL.createObjectURL(image);
    signal.addEventListener("abort", () => URL.revokeObjectURL(source), { once: true });
    place.replaceChildren(h("img.snapshot", { src: source, alt: "The screen when the state was captured" }));
  }));
  place.append(h("p.quiet", null, "It shows the person's data. The audit log gets an entry when you look at it."), button);
  return place;
}
