// The health of the service.

import { link, path } from "./addresses.js";
import { get } from "./api.js";
import { h } from "./dom.js";
import { badge, facts } from "./facts.js";
import { bytes, number } from "./formats.js";
import { empty, panel } from "./panels.js";
import { isAborted } from "./problems.js";
import { serviceSections } from "./service.js";
import { plain } from "./texts.js";
import { time } from "./times.js";

export function serviceView({ signal }) {
  return {
    title: "Service",
    tabs: serviceSections("service"),
    content: h("div.stack", null,
      panel({ title: "Readiness", signal, name: "readiness", load: readiness, show: readinessText }),
      panel({ title: "Versions and storage", signal, name: "about", load: (signal) => get("/about", signal), show: aboutText }),
      panel({ title: "Last backup", signal, name: "backup", load: lastBackup, show: backupText }),
      h("section.panel", { "aria-label": "Elsewhere", data: { panel: "elsewhere" } },
        h("p", null, "Alerts about releases are on ", h("a", { href: "#/" }, "Home"), ". The alert command tells of the others: a full disk, an old backup, many failed log-ins."),
        h("p", null, "Free disk space, the size of the log and the other instances are in the metrics, and in what ", h("code", null, "placekeeper doctor"), " finds."),
        h("p", null, h("a", { href: "/openapi.yaml" }, "API description"), " · ", h("a", { href: "/" }, "Status page")))),
  };
}

/** Reads what the service says to anyone about its readiness. Null if a proxy keeps that from the page. */
async function readiness(signal) {
  try {
    const answer = await fetch("/readyz", { cache: "no-store", signal });
    if (answer.status === 503) return { reason: (await answer.json()).detail };
    const lines = (await answer.text()).split("\n");
    return lines[0] === "ok" ? { warnings: lines.filter((line) => line.startsWith("warning: ")).map((line) => line.slice("warning: ".length)) } : null;
  } catch (error) {
    if (isAborted(error)) throw error;
    return null;
  }
}

function readinessText(found) {
  if (!found) return h("p", null, badge("not known", "poor"), " The page cannot read /readyz. Perhaps a proxy keeps it from the page.");
  if (found.reason !== undefined) return h("div.callout.bad", { role: "alert" }, h("p", null, badge("not ready", "bad"), ` ${plain(found.reason, 500)}`));
  const { warnings } = found;
  if (!warnings.length) return h("p", null, badge("ready", "good"), " The service can read and write its data, and warns of nothing.");
  return h("div.callout.poor", null, h("p", null, badge("ready", "good"), " The service works, but somebody must act:"),
    h("ul.lines", null, warnings.map((warning) => h("li", null, plain(warning, 500)))));
}

const aboutText = (about) => [
  facts([
    ["Placekeeper", plain(about.version)], ["Database", plain(about.storeVersion)], ["Started", time(about.startedAt)], ["Apps", number(about.apps)],
    ["Size of the database", about.maximumBytes ? `${bytes(about.usedBytes)} of ${bytes(about.maximumBytes)}` : bytes(about.usedBytes)],
  ]),
  about.maximumBytes ? h("meter.meter", { min: 0, max: about.maximumBytes, high: about.maximumBytes * 0.9, value: about.usedBytes, "aria-label": "Size of the database" }) : null,
  h("p.quiet.hint", null, "The database has indexes, items and logs too, so it is larger than the archives that the apps store."),
];

/** The newest backup in the log of the oldest app: a backup has an entry in the log of each app. */
async function lastBackup(signal) {
  const { items: apps } = await get("/apps", signal);
  const [oldest] = apps.toSorted((first, second) => Date.parse(first.createdAt) - Date.parse(second.createdAt));
  if (!oldest) return null;
  const { items: [entry] } = await get(path`/apps/${oldest.id}/audit` + "?action=backed-up&limit=1", signal);
  return entry ? { entry, app: oldest.id } : null;
}

/** The age in milliseconds at which a backup is old. The alert command uses the same. */
const oldBackup = 26 * 3_600_000;

function backupText(found) {
  const proof = h("p.quiet", null, "Only ", h("code", null, "placekeeper backup verify"), " proves that a backup can be restored. The service does not see backups by other programs.");
  if (!found) return [empty("The log has no backup", h("p", null, "Make one: ", h("code", null, "placekeeper backup create"))), proof];
  return [h("p", null, Date.now() - Date.parse(found.entry.at) > oldBackup ? [badge("old", "poor"), " "] : null, "Begun ", time(found.entry.at), ". ", h("a", { href: link("/apps", found.app, "audit", { action: "backed-up" }) }, "Entries")), proof];
}
