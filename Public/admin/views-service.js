// The health of the service.

import { get } from "./api.js";
import { h } from "./dom.js";
import { badge, facts } from "./facts.js";
import { bytes, duration, number } from "./formats.js";
import { panel } from "./panels.js";
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
      panel({ title: "Alerts and storage", signal, name: "about", load: (signal) => get("/about", signal), show: aboutText }),
      h("section.panel", { "aria-label": "Elsewhere", data: { panel: "elsewhere" } },
        h("p", null, h("code", null, "placekeeper doctor"), " checks the machine, the proxy and the files."),
        h("p", null, h("a", { href: "/openapi.yaml" }, "API description"), " · ", h("a", { href: "/" }, "Status page")))),
  };
}

/** Reads what the service says to anyone about its readiness. Null if a proxy keeps that from the page. */
async function readiness(signal) {
  try {
    const answer = await fetch("/readyz", { cache: "no-store", signal });
    if (answer.status === 503) {
      const { detail } = await answer.json() ?? {};
      return { reason: typeof detail === "string" ? detail : "" };
    }
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
  about.alerts.length
    ? h("div.callout.bad", null, h("ul.lines", null, about.alerts.map((alert) => h("li", null, plain(alert.message, 500), " Started ", time(alert.startedAt, "relative"), "."))))
    : h("p", null, badge("no alerts", "good"), " This instance has no alerts."),
  facts([
    ["Placekeeper", plain(about.version)], ["Database", plain(about.storeVersion)], ["Started", time(about.startedAt)], ["Apps", number(about.apps)],
    ["Instances", instancesText(about)], ["Last backup", backupText(about)], ["Last proof of a backup", proofText(about)],
    ["Free disk space", about.disk && `${bytes(about.disk.freeBytes)} of ${bytes(about.disk.totalBytes)}`],
    ["Size of the database", about.maximumBytes ? `${bytes(about.usedBytes)} of ${bytes(about.maximumBytes)}` : bytes(about.usedBytes)],
    ["Size of its files", Number.isFinite(about.databaseBytes) && bytes(about.databaseBytes)],
    ["Size of the write-ahead log", Number.isFinite(about.logBytes) && bytes(about.logBytes)],
  ]),
  about.maximumBytes ? h("meter.meter", { min: 0, max: about.maximumBytes, high: about.maximumBytes * 0.9, value: about.usedBytes, "aria-label": "Size of the database" }) : null,
  h("p.quiet.hint", null, "The database has indexes, items and logs too, so it is larger than the archives that the apps store. Only ", h("code", null, "placekeeper backup verify"), " proves that a backup can be restored."),
];

const instancesText = ({ instances }) => h("div", null, instances.map(({ name, version, lastSeenAt }) =>
  h("div", null, plain(name, 200), `: ${plain(version)}, last seen `, time(lastSeenAt, "relative"))));

function proofText({ backupProof, lastBackup }) {
  if (!backupProof) return lastBackup ? h("span", null, "none. Run ", h("code", null, "placekeeper backup verify")) : null;
  const made = backupProof.endedAt;
  return h("span", null, time(backupProof.at, "relative"),
    !made ? ", of another file" : made === lastBackup?.endedAt ? ", of the last backup" : [", of the backup made ", time(made, "relative")]);
}

/** The age in milliseconds at which a backup is old. The alert uses the same. */
const oldBackup = 26 * 3_600_000;

function backupText({ lastBackup, backupFailure }) {
  const last = lastBackup && [
    Date.now() - Date.parse(lastBackup.endedAt) > oldBackup ? [badge("old", "poor"), " "] : null, time(lastBackup.endedAt, "relative"), `, ${bytes(lastBackup.bytes)} in ${duration(lastBackup.milliseconds / 1000)}`,
  ];
  const failure = backupFailure && [badge("failed", "bad"), " ", time(backupFailure.at, "relative"), `: ${plain(backupFailure.message, 500)} `];
  return h("span", null, failure, last ?? (failure ? null : [badge("none", "poor"), " that this instance knows. Make one: ", h("code", null, "placekeeper backup create")]));
}
