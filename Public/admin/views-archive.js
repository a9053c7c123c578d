// The view of an archive: its facts, its contents, and the acts on it.

import { go, link } from "./addresses.js";
import { answersPanel } from "./answers.js";
import { get, send } from "./api.js";
import { headText, kindBadge, kindOf, quarantineList, resultBadge } from "./archives.js";
import { inspection } from "./contents.js";
import { identifier } from "./copying.js";
import { undelete } from "./deleted.js";
import { contextText, deviceText } from "./devices.js";
import { confirm } from "./dialogs.js";
import { h, setStyle } from "./dom.js";
import { badge, facts } from "./facts.js";
import { absolute, bytes, counted, number, shortID } from "./formats.js";
import { aliasList } from "./identity.js";
import { name } from "./names.js";
import { empty, folded, panel, shared } from "./panels.js";
import { placeTrail } from "./places.js";
import { preference } from "./preferences.js";
import { denied } from "./roles.js";
import { table } from "./tables.js";
import { plain } from "./texts.js";
import { time } from "./times.js";
import { act, notify } from "./toasts.js";
import { archivePath, crumbs, deviceLink, scenePath, userLoader } from "./users.js";

export function archiveView(visit) {
  const { params, signal } = visit;
  const { app, user, scene, archive } = params;
  const person = ["/apps", app, "users", user];
  const here = [...person, "scenes", scene];
  const load = shared((signal) => get(archivePath(params), signal));
  const loadUser = userLoader(params);
  const loadOthers = shared((signal) => get(`${scenePath(params)}/archives`, signal));
  const section = (options) => panel({ signal, load, ...options });
  const loadBoth = async (signal) => {
    const [data, owner] = await Promise.all([load(signal), loadUser(signal)]);
    return { data, owner };
  };
  return {
    title: `Archive ${shortID(archive)}`,
    crumbs: crumbs(params, { isInside: true }),
    content: h("div.stack", null,
      panel({
        label: "Archive", signal, name: "archive", load: loadBoth,
        show: ({ data, owner }) => summary(data, owner, params, here),
      }),
      panel({ title: "Outcomes", signal, load: loadBoth, name: "outcomes", show: ({ data }) => outcomes(data.outcomes ?? [], person) }),
      folded("Which devices got it, and why others did not", async () => answersPanel(visit, await loadUser(signal)), { isOpen: visit.query.has("answersOf") }),
      panel({
        title: "Compare", signal, load: loadOthers, name: "compare", skeleton: "chart",
        show: ({ items }) => compare(items, archive, here),
      }),
      section({ title: "Contents", name: "contents", show: (data) => inspection(data, person) }),
      section({ title: "References", name: "references", show: (data) => references(data.references ?? [], person, data.archive.device) }),
      section({ title: "Sizes by key", name: "sizes", show: (data) => sizes(data.sizes ?? [], data.archive.size) }),
      section({ title: "Screenshot", name: "screenshot", show: (data) => screenshot(data, params, signal) })),
  };
}

function summary({ archive, isRedacted }, owner, params, here) {
  const devices = new Map((owner.devices ?? []).map((device) => [device.id, device]));
  const kind = kindOf(archive);
  return [
    h("div.entry-head", null, placeTrail(archive.place),
      h("span.badges", null, kindBadge(archive),
        archive.quarantines?.length ? badge("Quarantined", "bad") : null)),
    kind === "head" ? h("p", null, headText(archive))
      : h("p", null, "Not the head. ", h("a", { href: link(...here) }, "The timeline"), " shows why."),
    quarantineList(archive),
    facts([
      ["Captured", time(archive.capturedAt, "exact")], ["Received", time(archive.receivedAt, "exact")],
      ["Device", deviceLink(archive.device, here.slice(0, 4), { idiom: archive.context?.idiom })],
      ["Context", contextText(archive.context)], ["Revision", number(archive.revision)],
      ["Size", bytes(archive.size)], ["Objects", number(archive.objectCount)], ["References", number(archive.referenceCount)],
      ["Id", identifier(archive.id, { label: "archive id" })],
      ["SHA-256", identifier(archive.digest, { shown: `${plain(archive.digest, 16)}`, label: "SHA-256" })],
    ]),
    actions(archive, isRedacted, params, here, devices),
  ];
}

/** Why contents are hidden. docs/policy.md of the project has the rule. */
const hiddenText = "Only operators and owners see contents, and only if the app's setting “Shows contents” is on.";

function actions(archive, isRedacted, params, here, devices) {
  const [mayNotLoad, mayNotMove, noDeletion] = ["downloadArchive", "makeUsersHead", "deleteUsersArchive"]
    .map((operation) => denied(operation, "download, restore or delete an archive"));
  const [noDownload, noHead] = [mayNotLoad ?? (isRedacted ? hiddenText : null), mayNotMove ?? (archive.isHead ? "This archive is the head already." : null)];
  const [download, head, remove] = [["Download", "secondary", noDownload], ["Make it the head", "secondary", noHead], ["Delete…", "quietly", noDeletion]]
    .map(([text, kind, why]) => h(`button.${kind}`, { type: "button", disabled: Boolean(why), title: why }, text));
  download.addEventListener("click", () => act(download, () => save(archive, params)));
  head.addEventListener("click", () => act(head, () => makeHead(archive, params, here, devices)));
  remove.addEventListener("click", () => act(remove, () => deleteArchive(archive, params, here, devices)));
  return [
    h("div.buttons.start", null, download, head, remove),
    [...new Set([noDownload, noHead, noDeletion])].filter(Boolean).map((why) => h("p.quiet.hint", null, why)),
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
  const list = quarantineList(archive);
  const isSure = await confirm({
    title: "Make this archive the head?",
    action: "Make it the head",
    isDangerous: Boolean(list),
    content: [
      h("p", null, "A copy of this archive becomes the newest of its scene. Devices that ask get the copy, if they may restore it. Nothing is deleted."),
      list ? h("div.callout.bad", null, h("p", null, h("b", null, "Restores of this state have failed. "),
        "The copy is not quarantined: these devices get the state again, and may fail again."), list) : null,
      named(archive, params, devices),
    ],
  });
  if (!isSure) return;
  await send("POST", `${archivePath(params)}/head`);
  notify("A copy of the archive is the head now.");
  go(link(...here));
}

/** Says what the head becomes when the head is deleted: the next archive of the timeline. */
async function headAfter(archive, params, devices) {
  const { items } = await get(`${scenePath(params)}/archives?limit=2`);
  const next = items.find(({ id }) => id !== archive.id);
  if (!next) return h("p", null, "It is the only archive of the scene: devices then start fresh.");
  return h("p", null, "It is the head. Then the head is the archive captured ", h("b", null, time(next.capturedAt, "full")), " on ",
    h("b", null, deviceText(devices.get(next.device), next.device)), next.place?.length ? [", at ", h("b", null, name(next.place.at(-1), { limit: 40, isPlain: true }))] : null, ".");
}

async function deleteArchive(archive, params, here, devices) {
  const reports = Object.values(archive.outcomes ?? {}).reduce((sum, count) => sum + count, 0);
  const parts = ["state", "place", archive.hasScreenshot && "screenshot", reports && counted(reports, "outcome")].filter(Boolean);
  const after = archive.isHead ? await headAfter(archive, params, devices) : h("p", null, "The head stays.");
  const isSure = await confirm({
    title: "Delete this archive?",
    action: `Delete ${shortID(archive.id)}`,
    isDangerous: true,
    content: [
      h("p", null, `The archive is deleted with its ${new Intl.ListFormat("en-GB").format(parts)}. This can be undone for 30 days.`),
      after,
      named(archive, params, devices),
    ],
  });
  if (!isSure) return;
  const { data } = await send("DELETE", archivePath(params));
  notify(`The archive ${shortID(archive.id)} is deleted.`, "good", data?.undoableUntil ? () => undelete(params) : null);
  go(link(...here));
}

/** The last title of a place, for an option. Empty if the titles are hidden. */
const lastTitle = (place) => place?.at(-1) === "…" ? "" : ` · ${plain(place?.at(-1) ?? "no place", 30)}`;

function compare(items, archive, here) {
  const others = items.filter(({ id }) => id !== archive);
  if (!others.length) return empty("There is no other archive to compare with");
  const index = items.findIndex(({ id }) => id === archive);
  const before = items[index + 1]?.id ?? others[0].id;
  const select = h("select", { id: "other" }, others.map((other) => h("option", { value: other.id, selected: other.id === before },
    `${absolute(other.capturedAt, preference("zone"))}${lastTitle(other.place)}${other.isHead ? " · head" : ""}`)));
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

function outcomes(items, person) {
  if (!items.length) return empty("No device has reported about this archive");
  return h("ul.lines.outcomes", null, items.map((outcome) => h("li", null,
    resultBadge(outcome.result, { isWhole: true }), " ",
    deviceLink(outcome.device, person, { idiom: outcome.context?.idiom }), ` as ${contextText(outcome.context)} `,
    outcome.path ? ["at ", name(outcome.path, { limit: 48, label: "path" }), " "] : null,
    outcome.step !== undefined ? `step ${outcome.step} ` : null,
    outcome.duration !== undefined ? `${Math.round(outcome.duration * 1000)} ms ` : null,
    h("span.quiet", null, time(outcome.reportedAt, "relative")))));
}

function screenshot({ archive, isRedacted }, params, signal) {
  if (archive.hasScreenshot && isRedacted) return empty("The screenshot is hidden", h("p", null, hiddenText));
  if (!archive.hasScreenshot) return empty("This archive has no screenshot", h("p", null, "Screenshots are stored only if the app's settings allow them."));
  const place = h("div");
  const button = h("button.secondary", { type: "button" }, "Show the screenshot");
  button.addEventListener("click", () => act(button, async () => {
    const image = await get(`${archivePath(params)}/screenshot`, signal, "blob");
    const source = URL.createObjectURL(image);
    signal.addEventListener("abort", () => URL.revokeObjectURL(source), { once: true });
    place.replaceChildren(h("img.screenshot", { src: source, alt: "The screen when the state was captured" }));
  }));
  place.append(h("p.quiet", null, "It shows the user's data. The audit log gets an entry when you look at it."), button);
  return place;
}

// The bytes of an archive by key, as bars.

/** The number of shown keys, and the number of keys that the service lists at most. */
const [shownCount, listedCount] = [12, 100];

function sizes(items, size) {
  const sorted = [...items].sort((first, second) => second.bytes - first.bytes);
  if (!sorted.length) return empty("The sizes are not known");
  const most = Math.max(1, sorted[0].bytes);
  const [rest, sum] = [sorted.slice(shownCount), (list) => list.reduce((total, item) => total + item.bytes, 0)];
  return [
    h("ul.bars", null, sorted.slice(0, shownCount).map((item) => h("li", null,
      h("span.bar-name", null, name(item.key, { limit: 48, label: "key" })), h("span.number", null, bytes(item.bytes)),
      setStyle(h("span.bar", { "aria-hidden": "true" }), "--share", item.bytes / most)))),
    rest.length ? h("p.quiet", null, `${rest.length} smaller keys have ${bytes(sum(rest))}.`) : null,
    h("p.quiet.hint", null, `These values have about ${bytes(sum(sorted))}, and the archive has ${bytes(size)}: `,
      sum(sorted) > size ? "a value that several keys share is stored once, and counts for each key here."
        : `the rest is ${sorted.length < listedCount ? "" : `the values after the largest ${listedCount}, `}the keys, the paths and classes of the objects, and the tables of the file.`),
  ];
}
