// The view of an app's restoration health: the stopped restores, success by version and idiom, and the latest failures.

import {
  act, badge, confirm, counted, empty, h, link, lookUp, name, notify, number, panel, path, percent, plain, Problem,
  setStyle, shared, shortID, table, time,
} from "./elements.js";
import { appName, deviceLink, get, may, send } from "./app.js";

// # Restoration health
// How well the restores of an app's users succeed, and the switches against restores that fail.

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
    title: "Switches", signal, name: "switches", load,
    show: (data) => switchboard(data, change),
  });
  const groups = panel({
    title: "Success by restoring version and idiom", signal, name: "groups", load,
    note: "Each row adds up the restores of devices with one version and idiom, from archives of any version.",
    show: (data) => groupTable(data, app, change),
  });
  const restores = panel({
    title: "Success by version and idiom", signal, name: "restores", load,
    note: "Left of each arrow is the idiom and the version that captured the archive. Right of it is the device that restored it.",
    show: (data) => restoreTable(data, app, change),
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
      await send("PATCH", path`/apps/${app}/settings`, { type: "application/merge-patch+json", ifMatch: etag, body: { stoppedRestores: stops } });
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
      id: `hours-${value}`, href: link("/apps", app, "health", { hours: value }), "aria-current": value === hours ? "true" : null,
    }, text))),
    content: h("div.stack", null, switches, groups, restores,
      panel({ title: "Restoration paths that fail most", signal, load, name: "paths", show: ({ health }) => pathTable(health.paths) }),
      panel({
        title: "Latest failures", signal, load, name: "failures",
        note: "A restore that fails or crashes quarantines the archive for the idiom and version of the device: other such devices get another archive.",
        show: ({ health }) => failureTable(health.failures, app),
      })),
  };
}

const versionText = (version) => version === undefined ? "any version" : `version ${plain(version, 20)}`;

/** Names a stop: which archives are not served to which devices. */
const stopText = ({ sourceVersion, targetVersion, idiom }) =>
  `archives of ${versionText(sourceVersion)} on a ${plain(idiom, 20)} with ${versionText(targetVersion)}`;

const isSame = (first, second) =>
  first.sourceVersion === second.sourceVersion && first.targetVersion === second.targetVersion && first.idiom === second.idiom;

/** Whether a stop concerns a pair of versions. A stop without a version concerns every version. */
const concerns = (stop, pair) => stop.idiom === pair.idiom
  && [undefined, pair.sourceVersion].includes(stop.sourceVersion) && [undefined, pair.targetVersion].includes(stop.targetVersion);

/** A stop without a version counts for every version, so restores without a version cannot be stopped alone. */
const hasVersions = ({ sourceVersion, targetVersion }) => sourceVersion !== undefined && targetVersion !== undefined;

// # Switches
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
    h("div.switches", null,
      h("div.switch", null, h("h3", null, "Restoring ", badge(word, kind)), h("p.quiet", null, `${text} `, h("a", { href: settings("restoration") }, "Setting"))),
      h("div.switch", null, h("h3", null, "Breaker ", badge(lookUp({ off: "off", alert: "alerts", stop: "stops" }, mode) ?? plain(mode), mode === "off" ? "plain" : "accent")),
        h("p.quiet", null, breakerText(mode, rules), " ", h("a", { href: settings("breaker.mode") }, "Setting")))),
    alerts.map((pair) => h("div.callout.poor.act", null,
      h("p", null, h("b", null, "Too many restores fail: "), `${stopText(pair)}. `, shareText(pair), pair.since ? [" Since ", time(pair.since, "minute"), "."] : null),
      hasVersions(pair) ? stopButton(data, pair, change) : null)),
    stopped.map((stop) => h("div.callout.bad.act", null,
      h("p", null, h("b", null, "Stopped: "), `${stopText(stop)}, by ${stop.by === "breaker" ? "the breaker" : "an administrator"}. `,
        stop.until ? ["Until ", time(stop.until, "minute"), "."] : "Until an administrator allows it again."),
      allowButton(data, stop, change))),
    alerts.length || stopped.length ? null : h("p", null, badge("all allowed", "good"), " No restore is stopped, and no pair of versions fails too often."),
    may("owner") ? null : h("p.quiet", null, "Stopping and allowing need the role owner."),
    h("p.quiet.hint", null, "The breaker counts only established users, whose account is at least 7 days old and who restored on two different days. To stop restores, it counts all users of one client network as one user."),
    pairs.length ? h("details", null, h("summary", null, "The breaker's counts"), pairTable(pairs)) : null,
  ];
}

const breakerText = (mode, { failurePercent, minimumUsers, windowHours }) => mode === "off" ? "No alert when restores start failing."
  : [mode === "stop" ? "Stops restores between two versions for an hour, and later for a day, if they fail" : "Writes an entry into the audit log, if restores between two versions fail",
    failurePercent === undefined ? " too often." : ` for ${number(failurePercent)} % of at least ${counted(minimumUsers, "established user")} within ${counted(windowHours, "hour")}.`];

const shareText = ({ users, failingUsers, share }) => `${percent(share)}: ${number(failingUsers)} of ${counted(users, "established user")}.`;

const pairTable = (pairs) => table({
  caption: "The breaker's counts",
  columns: [
    { title: "Archive", isHead: true }, { title: "Device" }, { title: "Established users", isNumber: true },
    { title: "Of them failing", isNumber: true }, { title: "Share", isNumber: true }, { title: "State" },
  ],
  rows: pairs.map((pair) => [
    versionText(pair.sourceVersion), `${plain(pair.idiom, 20)}, ${versionText(pair.targetVersion)}`,
    number(pair.users), number(pair.failingUsers), percent(pair.share), stateBadge(pair.state),
  ]),
});

const stateBadge = (state) => badge(plain(state), lookUp({ normal: "good", alert: "poor", stopped: "bad" }, state));

function stopButton(data, pair, change) {
  const { sourceVersion, targetVersion, idiom } = pair;
  const button = h("button.secondary.small", { type: "button", disabled: !may("owner"), "aria-label": `Stop ${stopText(pair)}` }, "Stop…");
  button.addEventListener("click", () => act(button, () => change(data,
    [...data.stops, { sourceVersion, targetVersion, idiom, by: "administrator" }],
    {
      title: "Stop these restores?", action: "Stop", isDangerous: true,
      content: [
        h("p", null, "The service stops serving ", h("b", null, stopText(pair)), ", even if a user selects such an archive. ",
          sourceVersion === undefined ? "Such a device starts without an archive." : "A device gets an older archive of another version, or none."),
        h("p", null, `This covers archives of ${versionText(sourceVersion)} from devices of every idiom.`),
        h("p", null, "Nothing is deleted, and devices notice at their next request. You can allow these restores again at any time."),
      ],
    },
    `Stopped: ${stopText(pair)}.`)));
  return button;
}

function allowButton(data, stop, change) {
  const button = h("button.secondary.small", { type: "button", disabled: !may("owner"), "aria-label": `Allow ${stopText(stop)} again` }, "Allow again…");
  button.addEventListener("click", () => act(button, () => change(data,
    data.stops.filter((other) => !isSame(other, stop)),
    {
      title: "Allow these restores again?", action: "Allow again",
      content: [
        h("p", null, "The service serves ", h("b", null, stopText(stop)), " again, if the policy allows it."),
        stop.by === "breaker" ? h("p", null, "The breaker stopped them. It leaves them alone until the stop would have ended.") : null,
      ],
    },
    `Allowed again: ${stopText(stop)}.`)));
  return button;
}

// # Counts
// The reports of devices about their restores.

/** Names the two sides of a restore: `phone 43 → pad 42`. */
const sides = ({ source, target }) => h("bdi", null, `${side(source)} → ${side(target)}`);

const side = ({ idiom, bundleVersion }) => `${plain(idiom, 20)} ${bundleVersion === undefined ? "without a version" : plain(bundleVersion, 20)}`;

function restoreTable(data, app, change) {
  const { health: { restores }, stops } = data;
  if (!restores.length) return nothingReported(app);
  return table({
    caption: "Success by version and idiom",
    columns: restoreColumns("Versions"),
    rows: restores.map((row) => {
      const pair = { sourceVersion: row.source.bundleVersion, targetVersion: row.target.bundleVersion, idiom: row.target.idiom };
      return restoreRow(sides(row), row, stops.some((stop) => concerns(stop, pair)), hasVersions(pair) ? () => stopButton(data, pair, change) : null);
    }),
  });
}

const nothingReported = (app) => empty("No device has reported a restore in this period",
  h("p", null, "Reports appear when devices restore an archive. ", h("a", { href: link("/apps", app, "start") }, "Get started")));

const restoreColumns = (first) => [
  { title: first, isHead: true }, { title: "Success" }, { title: "Restored", isNumber: true }, { title: "Failures", isNumber: true },
  { title: "Failing users", isNumber: true }, { title: "Actions", isHidden: true },
];

/** The counts of restores. A sum of users counts a user with archives of several versions several times. */
const restoreRow = (title, row, isStopped, stop) => [
  title, success(row),
  withNote(number(row.restored), row.medianMilliseconds === undefined ? null : `median ${number(row.medianMilliseconds)} ms`),
  withNote(number(row.failed + row.crashed), row.crashed ? counted(row.crashed, "crash", "crashes") : null),
  withNote(`${row.isSum ? "at most " : ""}${number(row.failingUsers)}`, `of ${row.isSum ? "at most " : ""}${number(row.users)}`),
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
    table({
      caption: "Success by restoring version and idiom",
      columns: restoreColumns("Restored on"),
      rows: [...groups.values()].map((group) => {
        const { idiom, bundleVersion: targetVersion } = group.target;
        const isStopped = stops.some((stop) => concerns(stop, { idiom, targetVersion }));
        return restoreRow(h("bdi", null, side(group.target)), { ...group, isSum: group.rows > 1 }, isStopped,
          targetVersion === undefined ? null : () => stopButton(data, { targetVersion, idiom }, change));
      }),
    }),
  ];
}

/** A number with a note below it. */
const withNote = (text, note) => h("span.noted", null, h("span", null, text), note ? h("span.quiet.hint", null, note) : null);

/** The share of restores that succeeded, with a bar. */
function success({ restored, failed, crashed }) {
  const share = restored / Math.max(1, restored + failed + crashed);
  const kind = share < 0.9 ? "bad" : share < 0.98 ? "poor" : "good";
  return h(`span.share.${kind}`, null, setStyle(h("span.bar", { "aria-hidden": "true" }), "--share", share), percent(share));
}

function pathTable(paths) {
  if (!paths.length) return empty("No restore failed in this period");
  return table({
    caption: "Restoration paths that fail most",
    columns: [
      { title: "Path", isHead: true }, { title: "Failures", isNumber: true }, { title: "Users", isNumber: true }, { title: "Versions" },
      { title: "Last failure" },
    ],
    rows: paths.map((one) => [
      name(one.path, { limit: 60, label: "path", empty: "(no path)" }), number(one.failures), number(one.users),
      sides(one), time(one.lastAt, "relative"),
    ]),
  });
}

function failureTable(failures, app) {
  if (!failures.length) return empty("No restore failed in this period", h("p", null, "A failure appears here with the user, the scene and the archive."));
  return table({
    caption: "Latest failures",
    columns: [{ title: "Time", isHead: true }, { title: "Result" }, { title: "Archive" }, { title: "User and device" }, { title: "Versions" }, { title: "Path" }],
    rows: failures.map((one) => {
      const user = ["/apps", app, "users", one.user];
      return [
        time(one.at, "minute"), badge(plain(one.result), "bad"),
        h("span", null, h("a", { href: link(...user, "scenes", one.scene, "archives", one.archive) }, h("code.id", null, shortID(one.archive))),
          " of ", name(one.scene, { limit: 30, href: link(...user, "scenes", one.scene), label: "scene" })),
        h("span.pair-of-links", null, h("a", { href: link(...user) }, h("code.id", null, shortID(one.user))), " ",
          deviceLink(one.device, user, { idiom: one.target.idiom })),
        sides(one), one.path ? name(one.path, { limit: 48, label: "path" }) : h("span.quiet", null, "not reported"),
      ];
    }),
  });
}
