// The view of an app's restoration health: the stopped restores, success by version and idiom, and the failures.

import { link, path } from "./addresses.js";
import { get, send } from "./api.js";
import { appName } from "./apps.js";
import { deviceOf, devicesOf } from "./devices.js";
import { confirm } from "./dialogs.js";
import { h, lookUp, setStyle } from "./dom.js";
import { badge } from "./facts.js";
import { failuresPanel } from "./failures.js";
import { capital, counted, number, percent } from "./formats.js";
import { empty, panel, shared } from "./panels.js";
import { Problem } from "./problems.js";
import { denied, deniedNote } from "./roles.js";
import { may } from "./session.js";
import { gradeOf, side, sides } from "./success.js";
import { shortTable, table } from "./tables.js";
import { plain } from "./texts.js";
import { time } from "./times.js";
import { act, notify } from "./toasts.js";

const ranges = [[24, "24 hours"], [168, "7 days"], [720, "30 days"]];

export function healthView(visit) {
  const { params: { app }, signal } = visit;
  const hours = ranges.some(([value]) => String(value) === visit.query.get("hours")) ? Number(visit.query.get("hours")) : 24;
  const read = () => shared(async (signal) => {
    const [health, { data, etag }] = await Promise.all([
      get(path`/apps/${app}/health` + `?hours=${hours}`, signal), send("GET", path`/apps/${app}`, { signal }),
    ]);
    return { health, app: data, etag, stops: data.settings?.stoppedRestores ?? [] };
  });
  let loading = read();
  const load = (signal) => loading(signal);
  const switches = panel({
    title: "What is stopped, and what fails too often", signal, name: "switches", load,
    show: (data) => switchboard(data, change),
  });
  const groups = panel({
    title: "Releases, the worst first", signal, name: "groups", load,
    note: "Each row adds up the restores of one kind of device with one version, from archives of any version.",
    show: (data) => groupTable(data, app, change),
  });
  const restores = panel({
    title: "Worst pairs of versions", signal, name: "restores", load,
    note: "Left of each arrow is the kind of device and the version that captured the archive. Right of it is the device that restored it.",
    show: (data) => restoreTable(data, app),
  });

  /** Reads everything again, and shows the stopped restores. */
  function reload() {
    loading = read();
    switches.reload();
    groups.reload();
    restores.reload();
  }

  /** Changes the stopped restores, after a confirmation. Somebody else's change is not overwritten. */
  async function change({ etag }, stops, question, done) {
    if (!await confirm(question)) return;
    try {
      await send("PUT", path`/apps/${app}/stopped-restores`, { ifMatch: etag, body: { stoppedRestores: stops } });
      notify(done);
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 412) throw error;
      notify("Nothing was changed, because somebody else has saved the settings. The page shows them now. Check them, and try again.", "bad");
    }
    reload();
  }

  return {
    title: "Restoration health",
    crumbs: [[appName(app), link("/apps", app)]],
    actions: h("nav.segments", { "aria-label": "Period" }, ranges.map(([value, text]) => h("a", {
      id: `hours-${value}`, href: link("/apps", app, "health", { ...Object.fromEntries(visit.query), hours: value }), "aria-current": value === hours ? "true" : null,
    }, text))),
    content: h("div.stack", null, switches, groups, restores, failuresPanel(visit, hours)),
  };
}

const versionText = (version) => version === undefined ? "any version" : `version ${plain(version, 20)}`;

/** Names the devices of a stop: `iPads with version 43`. */
const devicesText = ({ targetVersion, idiom }) => `${devicesOf(idiom)} with ${versionText(targetVersion)}`;

/** Names a stop: which archives are not served to which devices. */
const stopText = (stop) => `${stop.sourceVersion === undefined ? "all archives" : `archives of ${versionText(stop.sourceVersion)}`} on ${devicesText(stop)}`;

/** Says what a stop does. */
const effectText = (stop) => stop.sourceVersion === undefined ? `${devicesText(stop)} start fresh until you allow restores again.`
  : `${devicesText(stop)} get no archive of ${versionText(stop.sourceVersion)} until you allow restores again. They get an older one of another version, or start fresh.`;

const isSame = (first, second) =>
  first.sourceVersion === second.sourceVersion && first.targetVersion === second.targetVersion && first.idiom === second.idiom;

/** Whether a stop concerns a pair of versions. A stop without a version concerns every version. */
const concerns = (stop, pair) => stop.idiom === pair.idiom
  && [undefined, pair.sourceVersion].includes(stop.sourceVersion) && [undefined, pair.targetVersion].includes(stop.targetVersion);

/** A stop without a version counts for every version, so restores without a version cannot be stopped alone. */
const hasVersions = ({ sourceVersion, targetVersion }) => sourceVersion !== undefined && targetVersion !== undefined;

// The switch of the app, the breaker, and the restores that are stopped.

function switchboard(data, change) {
  const { health: { breaker }, app, stops } = data;
  const settings = (show) => link("/apps", app.id, "settings", { show });
  const [word, kind, text] = lookUp({
    auto: ["on", "good", "Devices restore archives."], offer: ["offers", "accent", "Devices offer archives, and do not restore them by themselves."],
    off: ["off", "bad", "Devices ignore archives."],
  }, app.restoration) ?? [plain(app.restoration), "plain", ""];
  const { mode, pairs } = breaker;
  const alerts = pairs.filter(({ state }) => state === "alert");
  // The service may have stopped restores after the settings were read.
  const stopped = [...stops, ...pairs.filter((pair) => pair.state === "stopped" && !stops.some((stop) => concerns(stop, pair)))];
  const rules = app.settings?.breaker ?? {};
  return [
    releases(alerts).map(({ version, pairs: failing, stops: asked }) => h("div.callout.poor.act", null,
      h("div", null,
        h("p", null, h("b", null, `${capital(versionText(version))} fails too often`), failing[0].since ? [" since ", time(failing[0].since, "minute")] : null, failing.length > 1 ? ":" : null),
        h("ul.lines", null, failing.map((pair) => h("li", null, `${capital(stopText(pair))}: `, shareText(pair))))),
      failing.every(hasVersions) ? stopButton(data, asked, change) : null)),
    stopped.map((stop) => h("div.callout.bad.act", null,
      h("p", null, h("b", null, "Stopped: "), `${stopText(stop)}, by ${stop.by === "breaker" ? "the automatic stop" : "an administrator"}. `,
        stop.until ? ["Until ", time(stop.until, "minute"), "."] : "Until somebody allows it again."),
      allowButton(data, stop, change))),
    alerts.length || stopped.length ? null : h("p", null, badge("all allowed", "good"), " No restore is stopped, and no release fails too often."),
    deniedNote("replaceStoppedRestores", "stop and allow restores"),
    h("div.switches", null,
      h("div.switch", null, h("h3", null, "Restoring ", badge(word, kind)), h("p.quiet", null, `${text} `, h("a", { href: settings("restoration") }, "Setting"))),
      h("div.switch", null, h("h3", null, "Automatic stop ", badge(lookUp(modes, mode) ?? plain(mode), mode === "stop" ? "accent" : "plain")),
        h("p.quiet", null, breakerText(mode, rules), " ", h("a", { href: settings("breaker.mode") }, "Setting")))),
    pairs.length ? h("details", null, h("summary", null, "What the automatic stop counts"),
      h("p.quiet.hint", null, "Only established users count: their account is at least 7 days old, and they restored on two different days. Before restores are stopped, all users of one client network count as one."),
      pairTable(pairs)) : null,
  ];
}

const modes = { off: "off", alert: "off, alerts only", stop: "on" };

/**
 * One alert for each release: the pairs that fail on devices of one version, and the stops that end them. Where several
 * versions of archives fail on one kind of device, the stop covers archives of every version.
 */
export function releases(alerts) {
  const versions = [...new Set(alerts.map(({ targetVersion }) => targetVersion))];
  return versions.map((version) => {
    const pairs = alerts.filter(({ targetVersion }) => targetVersion === version);
    const stops = [...new Set(pairs.map(({ idiom }) => idiom))].map((idiom) => {
      const own = pairs.filter((pair) => pair.idiom === idiom);
      return own.length > 1 ? { targetVersion: version, idiom } : { sourceVersion: own[0].sourceVersion, targetVersion: version, idiom };
    });
    return { version, pairs, stops };
  });
}

const breakerText = (mode, { failurePercent, minimumUsers, windowHours }) => mode === "off" ? "Nothing happens when a release fails."
  : [mode === "stop" ? "Stops the restores of a release for an hour, and then for a day, if they fail" : "Only writes into the audit log if the restores of a release fail",
    failurePercent === undefined ? " too often." : ` for ${number(failurePercent)} % of at least ${counted(minimumUsers, "established user")} within ${counted(windowHours, "hour")}.`];

const shareText = ({ users, failingUsers, share }) => `${percent(share)}: ${number(failingUsers)} of ${counted(users, "established user")}.`;

const pairTable = (pairs) => table({
  caption: "What the automatic stop counts",
  columns: [
    { title: "Archive", isHead: true }, { title: "Device" }, { title: "Established users", isNumber: true },
    { title: "Of them failing", isNumber: true }, { title: "Share", isNumber: true }, { title: "State" },
  ],
  rows: pairs.map((pair) => [
    versionText(pair.sourceVersion), `${deviceOf(pair.idiom)}, ${versionText(pair.targetVersion)}`,
    number(pair.users), number(pair.failingUsers), percent(pair.share), stateBadge(pair.state),
  ]),
});

const stateBadge = (state) => badge(plain(state), lookUp({ normal: "good", alert: "poor", stopped: "bad" }, state));

/** A button that stops the restores of some devices, with one question for all of them. */
function stopButton(data, asked, change) {
  const texts = asked.map(stopText).join(" and ");
  const button = h("button.secondary.small", { type: "button", disabled: !may("replaceStoppedRestores"), title: denied("replaceStoppedRestores", "stop restores"), "aria-label": `Stop ${texts}` }, "Stop…");
  button.addEventListener("click", () => act(button, () => change(data,
    [...data.stops, ...asked.map((stop) => ({ ...stop, by: "administrator" }))],
    {
      title: "Stop these restores?", action: "Stop", isDangerous: true,
      content: [
        asked.map((stop) => h("p", null, h("b", null, effectText(stop)))),
        h("p", null, "This also holds if a user selects such an archive. Nothing is deleted, and devices notice at their next request."),
      ],
    },
    `Stopped: ${texts}.`)));
  return button;
}

function allowButton(data, stop, change) {
  const button = h("button.secondary.small", { type: "button", disabled: !may("replaceStoppedRestores"), title: denied("replaceStoppedRestores", "allow restores"), "aria-label": `Allow ${stopText(stop)} again` }, "Allow again…");
  button.addEventListener("click", () => act(button, () => change(data,
    data.stops.filter((other) => !isSame(other, stop)),
    {
      title: "Allow these restores again?", action: "Allow again",
      content: [
        h("p", null, h("b", null, devicesText(stop)), ` restore ${stop.sourceVersion === undefined ? "archives" : `archives of ${versionText(stop.sourceVersion)}`} again, if the policy allows it.`),
        stop.by === "breaker" ? h("p", null, "The automatic stop had stopped them. It leaves them alone until the stop would have ended.") : null,
      ],
    },
    `Allowed again: ${stopText(stop)}.`)));
  return button;
}

// The reports of devices about their restores.

function restoreTable({ health: { restores }, stops }, app) {
  if (!restores.length) return nothingReported(app);
  return shortTable({
    caption: "Worst pairs of versions",
    columns: restoreColumns("Versions"),
    rows: [...restores].sort(worstFirst).map((row) => {
      const pair = { sourceVersion: row.source.bundleVersion, targetVersion: row.target.bundleVersion, idiom: row.target.idiom };
      return restoreRow(sides(row), row, stops.some((stop) => concerns(stop, pair)), null);
    }),
  });
}

/** The worst first: the one with the most failing users, and then the one with the lowest share of success. */
const worstFirst = (first, second) => second.failingUsers - first.failingUsers || shareOf(first) - shareOf(second) || second.restored - first.restored;

const shareOf = ({ restored, failed, crashed }) => restored / Math.max(1, restored + failed + crashed);

const nothingReported = (app) => empty("No device has reported a restore in this period",
  h("p", null, "Reports appear when devices restore an archive. ", h("a", { href: link("/apps", app, "start") }, "Get started")));

const restoreColumns = (first) => [
  { title: first, isHead: true }, { title: "Success" }, { title: "Restored", isNumber: true, isMinor: true }, { title: "Failures", isNumber: true },
  { title: "Failing users", isNumber: true }, { title: "Actions", isHidden: true },
];

/** The counts of restores. A sum of users counts a user with archives of several versions several times. */
const restoreRow = (title, row, isStopped, stop) => [
  title, success(row),
  withNote(number(row.restored), row.medianMilliseconds === undefined ? null : `median ${number(row.medianMilliseconds)} ms`),
  withNote(number(row.failed + row.crashed), row.crashed ? counted(row.crashed, "crash", "crashes") : null),
  withNote(`${row.isSum && row.failingUsers ? "at most " : ""}${number(row.failingUsers)}`, `of ${row.isSum ? "at most " : ""}${number(row.users)}`),
  isStopped ? badge("stopped", "bad") : row.failed + row.crashed && stop ? stop() : null,
];

/** The rows by the version and idiom of the restoring device. */
function groupTable(data, app, change) {
  const { health: { restores, reports, isSample }, stops } = data;
  if (!restores.length) return nothingReported(app);
  const groups = new Map();
  for (const row of restores) {
    const key = side(row.target);
    const group = groups.get(key) ?? { target: row.target, restored: 0, failed: 0, crashed: 0, users: 0, failingUsers: 0, rows: 0 };
    for (const count of ["restored", "failed", "crashed", "users", "failingUsers"]) group[count] += row[count];
    group.rows += 1;
    groups.set(key, group);
  }
  return [
    h("p.quiet", null, `${counted(reports, "report")} in this period. `, isSample ? "Some reports of this period are not in the log. " : "",
      "The tables count the reports in the service's log, which keeps an app's newest 10,000 reports. The counters of the ",
      h("a", { href: link("/apps", app) }, "overview"), " count every event."),
    shortTable({
      caption: "Releases, the worst first",
      columns: restoreColumns("Restored on"),
      rows: [...groups.values()].sort(worstFirst).map((group) => {
        const { idiom, bundleVersion: targetVersion } = group.target;
        const isStopped = stops.some((stop) => concerns(stop, { idiom, targetVersion }));
        return restoreRow(h("bdi", null, side(group.target)), { ...group, isSum: group.rows > 1 }, isStopped,
          targetVersion === undefined ? null : () => stopButton(data, [{ targetVersion, idiom }], change));
      }),
    }),
  ];
}

/** A number with a note below it. */
const withNote = (text, note) => h("span.noted", null, h("span", null, text), note ? h("span.quiet.hint", null, note) : null);

/** The share of restores that succeeded, with a bar. */
function success({ restored, failed, crashed }) {
  const share = shareOf({ restored, failed, crashed });
  return h(`span.share.${gradeOf(share)}`, null, setStyle(h("span.bar", { "aria-hidden": "true" }), "--share", share), percent(share));
}
