// The view of an app's settings.

import {
  act, announce, confirm, counted, exactBytes, explained, fill, h, idioms, isAborted, link, loaded, notify, panel,
  path, plain, Problem, readBytes, uniqueID,
} from "./elements.js";
import { appName, forgetApps, may, send } from "./app.js";
import { choiceField, draft, dropDraft, keepDraft, textField } from "./forms.js";

// # The form
// The settings of an app: a form that keeps the typed values. Another administrator's change does not lose them.

export function settingsView(visit) {
  const { app } = visit.params;
  return {
    title: "Settings",
    crumbs: [[appName(app), link("/apps", app)]],
    lead: may("owner") ? null : may("operator") ? "Only an owner can save settings. You can try a changed policy." : "Only an owner can change the settings.",
    content: panel({
      label: "Settings", signal: visit.signal, name: "settings", isBare: true,
      load: (signal) => send("GET", path`/apps/${app}`, { signal }),
      show: ({ data, etag }) => editor(data, etag, app, visit.query.get("show")),
    }),
  };
}

function editor(data, etag, app, shownKey) {
  const draftName = `settings ${app}`;
  const state = { settings: data.settings ?? {}, etag };
  const groups = groupsFor(state.settings);
  const fields = groups.flatMap(([, list]) => list);
  const kept = draft(draftName) ?? {};
  const controls = new Map(fields.map((field) => [field.key, control(field, kept[field.key] ?? original(field), mayTry(field))]));
  const bar = h("div.savebar", { role: "region", "aria-label": "Changes", hidden: true });
  const clash = h("div");
  const fault = h("div", { role: "alert" });

  function original(field) {
    return shown(field, valueAt(state.settings, field.path));
  }
  const changed = () => fields.filter((field) => controls.get(field.key).value !== original(field));

  function update() {
    const list = changed();
    for (const field of fields) controls.get(field.key).element.classList.toggle("changed", list.includes(field));
    if (list.length) keepDraft(draftName, Object.fromEntries(list.map(({ key }) => [key, controls.get(key).value])));
    else dropDraft(draftName);
    bar.hidden = list.length === 0;
    trying?.update();
    summary.textContent = `${counted(list.length, "change")}: ${list.slice(0, 4).map(({ label }) => label).join(", ")}${list.length > 4 ? "…" : ""}`;
  }

  function discard() {
    for (const field of fields) {
      controls.get(field.key).value = original(field);
      controls.get(field.key).fail(null);
    }
    fill(clash);
    fill(fault);
    update();
    announce("The changes are discarded.");
  }

  async function save() {
    const values = changed().map((field) => ({ field, ...read(field, controls.get(field.key).value) }));
    for (const { field, fault } of values) controls.get(field.key).fail(fault ?? null);
    const wrong = values.find(({ fault }) => fault);
    if (wrong) return controls.get(wrong.field.key).focus();
    if (!values.length) return;
    const isOff = values.some(({ field, value }) => field.key === "restoration" && value === "off");
    if (isOff && !await confirm({
      title: "Switch restoring off?", action: "Switch restoring off", isDangerous: true,
      content: h("p", null, "All devices of ", h("b", null, plain(data.bundleIdentifier)), " stop restoring archives. Nothing is deleted, and it can be switched on again."),
    })) return;
    fill(fault);
    try {
      const answer = await send("PATCH", path`/apps/${app}/settings`, {
        type: "application/merge-patch+json", ifMatch: state.etag,
        body: patch(values.map(({ field, value }) => [field.path, value])),
      });
      saved(answer);
    } catch (error) {
      if (error instanceof Problem && error.status === 412) return showConflict();
      throw error;
    }
  }

  function saved({ data: next, etag: nextTag }) {
    state.settings = next.settings ?? state.settings;
    state.etag = nextTag;
    fill(clash);
    for (const field of fields) controls.get(field.key).value = original(field);
    update();
    notify("The settings are saved. Devices see them within a second.");
    forgetApps();
  }

  async function showConflict() {
    const { data: theirs, etag: tag } = await send("GET", path`/apps/${app}`);
    const base = state.settings;
    const rows = fields.map((field) => ({
      field, before: shown(field, valueAt(base, field.path)), theirs: shown(field, valueAt(theirs.settings, field.path)),
      yours: controls.get(field.key).value,
    })).filter(({ before, theirs, yours }) => before !== theirs || before !== yours);
    const view = conflict(rows, async (chosen) => {
      state.settings = theirs.settings ?? {};
      state.etag = tag;
      for (const field of fields) controls.get(field.key).value = chosen.get(field.key) ?? original(field);
      fill(clash);
      update();
      if (changed().length) await press();
      else notify("The settings stay as the other administrator saved them.");
    });
    fill(clash, view);
    view.focus();
  }

  async function press() {
    if (button.ariaDisabled === "true") return;
    button.ariaDisabled = "true";
    try {
      await save();
    } catch (error) {
      if (!isAborted(error)) fill(fault, h("p.failure", null, explained(error)));
    } finally {
      button.ariaDisabled = "false";
    }
  }

  const summary = h("p");
  const button = h("button", { type: "submit", disabled: !may("owner") }, "Save");
  const typed = () => changed().filter(isPolicy).map((field) => ({ field, ...read(field, controls.get(field.key).value) }));
  const trying = dryRunPanel(app, typed, controls);
  bar.append(summary, h("button.secondary", { type: "button", on: { click: discard } }, "Discard"), button);
  const group = ([title, list]) => h("fieldset.panel", null, h("legend", null, h("h2", null, title)),
    h("div.fields", null, list.map((field) => controls.get(field.key).element)));
  const form = h("form.settings", { novalidate: true, on: { input: update, change: update } }, clash,
    h("div.beside", null, h("div.settings", null, groups.filter(hasPolicy).map(group)), trying.element),
    groups.filter((one) => !hasPolicy(one)).map(group), fault, bar);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    press();
  });
  update();
  if (Object.keys(kept).length && changed().length) announce("Your unsaved changes are back.");
  reveal(controls, shownKey);
  return form;
}

/** Moves to the field that a link names. */
function reveal(controls, key) {
  const control = [...controls].find(([name]) => key && (name === key || name.startsWith(`${key}.`)))?.[1];
  if (!control) return;
  requestAnimationFrame(() => {
    control.element.scrollIntoView({ block: "center" });
    control.focus();
  });
}

const isPolicy = ({ path: [first] }) => first === "policy";
const hasPolicy = ([, fields]) => fields.some(isPolicy);

/** An owner may edit every setting. An operator may edit the policy, only to try it. */
const mayTry = (field) => may("owner") || (may("operator") && isPolicy(field));

/** The panel beside the policy: it tries the typed policy against real restores, and keeps the typed values. */
function dryRunPanel(app, typed, controls) {
  const id = uniqueID("dry-run");
  const place = h("div.dry-run", { role: "status" });
  const note = h("p.quiet.hint");
  const button = h("button.secondary", { type: "button", disabled: !may("operator") }, "Try it");
  let tried = null;
  button.addEventListener("click", () => act(button, async () => {
    const values = typed();
    for (const { field, fault } of values) controls.get(field.key).fail(fault ?? null);
    const wrong = values.find(({ fault }) => fault);
    if (wrong) return controls.get(wrong.field.key).focus();
    const policy = patch(values.map(({ field, value }) => [field.path, value])).policy ?? {};
    const { dryRun } = await loaded(() => import("./dry-run.js"));
    fill(place, h("p.quiet", null, "Trying…"));
    try {
      fill(place, await dryRun(app, policy));
      tried = JSON.stringify(policy);
    } catch (error) {
      fill(place);
      throw error;
    }
    update();
  }));

  function update() {
    const isUnchanged = typed().length === 0;
    button.disabled = !may("operator") || isUnchanged;
    const policy = JSON.stringify(patch(typed().map(({ field, value }) => [field.path, value])).policy ?? {});
    note.textContent = isUnchanged ? "Change a setting of the policy first." : tried === null ? ""
      : tried === policy ? "The result below is for the policy as it is typed." : "The policy was changed after this dry run. Repeat it.";
  }
  const element = h("section.panel.dry-run-panel", { "aria-labelledby": id, data: { panel: "dry-run" } },
    h("h2", { id }, "Try the policy"),
    h("p.quiet", null, "Tries the typed policy against the last 10,000 real restores, before it is saved. Nothing is changed."),
    h("div.buttons.start", null, button), note, place);
  return { element, update };
}

function control(field, value, isEnabled) {
  const id = `setting-${field.key.replaceAll(".", "-")}`;
  const disabled = !isEnabled;
  const { label } = field;
  const help = field.help || undefined;
  const options = field.kind === "flag" ? [["true", "yes"], ["false", "no"]] : field.options;
  if (options) {
    const all = options.some(([key]) => key === value) ? options : [...options, [value, plain(value) || "not set"]];
    return choiceField({ id, label, help, value, options: all, disabled });
  }
  return textField({
    id, label, help, value, disabled, inputmode: field.kind === "number" ? "numeric" : null,
    placeholder: field.mayBeNone ? "none" : null,
  });
}

// # The fields
// The settings of an app as fields of a form. docs/policy.md of the project defines them.

/**
 * @typedef {{key: string, path: string[], label: string, help: string, kind: string, options?: [string, string][],
 *   least?: number, most?: number, mayBeNone?: boolean}} Field
 * `key` is the setting's name in the command `placekeeper app policy`.
 */

const choice = (key, path, label, help, options) => ({ key, path, label, help, kind: "choice", options });
const flag = (key, path, label, help) => ({ key, path, label, help, kind: "flag" });
const number = (key, path, label, help, least, most, mayBeNone = false) => ({ key, path, label, help, kind: "number", least, most, mayBeNone });
const optional = (kind) => (key, path, label, help) => ({ key, path, label, help, kind, mayBeNone: true });
const [size, span, text] = ["bytes", "span", "text"].map(optional);

const policy = (name) => ["policy", name];
const breaker = (kind, key, ...rest) => kind(`breaker.${key}`, ["breaker", key], ...rest);
const rate = (key, label, help, most = 1_000_000, mayBeNone = false) => number(key, ["rateLimits", key], label, help, 1, most, mayBeNone);
const quota = (key, label, help, least, most) => number(key, ["quotas", key], label, help, least, most, true);

/** The groups of the form. */
const groups = [
  ["Restoring", [
    choice("restoration", ["restoration"], "Restoration", "What clients do with an archive. Switch it off if a release restores badly.",
      [["auto", "auto: restore"], ["offer", "offer: ask the user"], ["off", "off: ignore archives"]]),
    flag("allowsPlace", policy("allowsPlace"), "Allows the place", "Whether a device that may not restore the full state gets the place."),
    span("maximumAge", policy("maximumAge"), "Maximum age", "Such as 30m, 12h or 7d. Archives with an older last interaction are refused. Leave empty for no limit."),
  ]],
  ["Versions", [
    choice("stateVersions", policy("stateVersions"), "State versions", "The state versions that a device accepts, if both sides give one.",
      [["exact", "exact: the same"], ["atMost", "atMost: the same or older"], ["any", "any"]]),
    flag("allowsNewerBundleVersion", policy("allowsNewerBundleVersion"), "Allows newer app versions", "Whether an older version of the app may restore the full state of a newer one. It gets the place in any case."),
    text("minimumBundleVersion", policy("minimumBundleVersion"), "Minimum app version", "Archives of older versions are refused. Leave empty for no minimum."),
    flag("allowsNewerSystemVersion", policy("allowsNewerSystemVersion"), "Allows newer systems", "Whether an older major system version may restore the full state of a newer one. It gets the place in any case."),
  ]],
  ["Accepted idioms", idioms.map((idiom) => ({
    key: `acceptedIdioms.${idiom}`, path: ["policy", "acceptedIdioms", idiom], kind: "idioms", label: `A ${idiom} also restores`,
    help: `Other idioms whose full state a ${idiom} may restore, separated by commas. Leave empty for none.`, mayBeNone: true,
  }))],
  ["Breaker", [
    breaker(choice, "mode", "Breaker", "What happens if restores between two versions fail for too many users.",
      [["off", "off: nothing"], ["alert", "alert: an entry in the audit log"], ["stop", "stop: also stops these restores for an hour or a day"]]),
    breaker(number, "failurePercent", "Failing users in percent", "Of the established users whose devices restored such an archive. At least five users must fail.", 1, 100),
    breaker(number, "minimumUsers", "Least number of users", "With fewer established users, the breaker waits.", 1, 1_000_000),
    breaker(number, "windowHours", "Window in hours", "How far back reports count.", 1, 720),
  ]],
  ["Storage", [
    number("retainedArchives", ["retainedArchives"], "Retained archives", "Kept for each scene and idiom.", 1, 1_000),
    flag("showsContents", ["showsContents"], "Shows contents", "Whether operators and owners see the contents of archives: only if the app's privacy notice says so."),
    flag("allowsScreenshots", ["allowsScreenshots"], "Allows screenshots", "A screenshot shows the user's data: only if the app's privacy notice says so."),
    size("userBytes", ["quotas", "userBytes"], "Bytes of a user", "Such as 256MiB. Leave empty for no limit."),
    size("anonymousBytes", ["quotas", "anonymousBytes"], "Bytes of an anonymous user", "The same for a user without an account."),
    size("appBytes", ["quotas", "appBytes"], "Bytes of the app", "All users together."),
    quota("userArchives", "Archives of a user", "Leave empty for no limit.", 0, 1e9),
    quota("userDevices", "Devices of a user", "Leave empty for 256.", 1, 256),
    quota("userScenes", "Scenes of a user", "Scenes with archives. Leave empty for 10000.", 1, 10_000),
    ...[["appUsers", "Users of the app"], ["appDevices", "Devices of the app"]].map(([key, label]) => quota(key, label, "Leave empty for no limit.", 0, 1e9)),
  ]],
  ["Registration and sign-in", [
    choice("registration", ["registration"], "Registration", "How a device may register.",
      [["open", "open: with the key"], ["linkOnly", "linkOnly: with a link code or a sign-in token"], ["token", "token: with a sign-in token or a link code"]]),
    text("issuer", ["signIn", "issuer"], "Issuer", "The issuer that a sign-in token must have. Leave empty to accept any."),
    text("audience", ["signIn", "audience"], "Audience", "The audience that a sign-in token must have. Leave empty to accept no audience, or the bundle identifier."),
  ]],
  ["Rate limits", [
    rate("deviceBurst", "Device, at once", "Requests that a device may send at once."),
    rate("devicePerSecond", "Device, per second", "After the burst."),
    rate("userBurst", "User, at once", "All devices of a user together."),
    rate("userPerSecond", "User, per second", "After the burst."),
    rate("appBurst", "App, at once", "All users together, if the next setting is set."),
    rate("appPerSecond", "App, per second", "Leave empty for no limit.", 1_000_000, true),
    rate("registrationBurst", "New users at once", "Without a link code."),
    rate("registrationsPerDay", "New users per day", "After the burst.", 100_000_000),
  ]],
];

/** Returns the groups, with a group of the settings that this page does not know. */
export function groupsFor(settings) {
  // Only the command changes the keys of sign-in tokens.
  const known = new Set(groups.flatMap(([, fields]) => fields.map(({ path }) => path.join("."))));
  const others = leaves(settings, []).filter(({ path }) => !known.has(path.join(".")) && path.join(".") !== "signIn.keysFile");
  return others.length ? [...groups, ["Other settings", others]] : groups;
}

function leaves(value, path) {
  return Object.entries(value ?? {}).flatMap(([key, inner]) => {
    const here = [...path, key];
    const kind = { boolean: "flag", number: "number", string: "text" }[typeof inner];
    if (kind) return [{ key: here.join("."), path: here, label: here.join(" › "), help: "", kind }];
    return inner && typeof inner === "object" && !Array.isArray(inner) && key !== "acceptedIdioms" ? leaves(inner, here) : [];
  });
}

/** Returns the value at a path, or undefined. */
const valueAt = (settings, path) => path.reduce((value, key) => value?.[key], settings);

/** Returns a value as the form shows it. */
function shown(field, value) {
  if (value === undefined || value === null) return field.kind === "flag" ? "false" : "";
  if (field.kind === "bytes") return exactBytes(value);
  return field.kind === "idioms" ? value.join(",") : String(value);
}

/** Reads the text of a field. Returns `{value}`, with null for none, or `{fault}`. */
function read(field, raw) {
  const text = raw.trim();
  if (text === "" && field.kind !== "choice") {
    return field.mayBeNone || field.kind === "text" ? { value: null } : { fault: "Give a value." };
  }
  switch (field.kind) {
  case "flag": return { value: text === "true" };
  case "number": return readNumber(field, text);
  case "bytes": {
    const value = readBytes(text);
    return value === null ? { fault: "Write a size such as 512MiB." } : { value };
  }
  case "span": return /^[1-9][0-9]{0,8}[smhd]$/.test(text) ? { value: text } : { fault: "Write a time such as 30m, 12h or 7d." };
  case "idioms": {
    const names = text.split(",").map((name) => name.trim()).filter(Boolean);
    const wrong = names.find((name) => !idioms.includes(name));
    return wrong ? { fault: `Use ${idioms.join(", ")}.` } : { value: names };
  }
  default: return { value: text };
  }
}

function readNumber({ least, most }, text) {
  const value = Number(text);
  const isInside = Number.isSafeInteger(value) && value >= (least ?? -Infinity) && value <= (most ?? Infinity);
  return isInside ? { value } : { fault: least === undefined ? "Give a whole number." : `Give a whole number from ${least} to ${most}.` };
}

/** Returns a JSON merge patch (RFC 7396) that sets values at paths. */
export function patch(changes) {
  const result = Object.create(null);
  for (const [path, value] of changes) {
    let place = result;
    for (const key of path.slice(0, -1)) place = place[key] ??= Object.create(null);
    place[path.at(-1)] = value;
  }
  return result;
}

// # Conflicts
// Two administrators changed the same settings: both versions beside each other, and a choice for each difference.

const words = { true: "yes", false: "no" };

const textOf = (value, { kind }) => kind === "flag" ? words[value] : value === "" ? h("span.quiet", null, "none") : h("bdi", null, plain(value, 60));

/**
 * @param {{field: {key: string, label: string}, before: string, theirs: string, yours: string}[]} rows
 * @param {(chosen: Map<string, string>) => Promise<void>} done gets the chosen text of each setting
 */
function conflict(rows, done) {
  const id = uniqueID("conflict");
  const choices = rows.map((row) => ({ row, isYours: row.yours !== row.before }));
  const button = h("button", { type: "button" }, "Save this choice");
  button.addEventListener("click", () => act(button, () =>
    done(new Map(choices.map(({ row, isYours }) => [row.field.key, isYours ? row.yours : row.theirs])))));
  const element = h("section.panel.conflict", { "aria-labelledby": id, tabindex: "-1" },
    h("h2", { id }, "Somebody else has saved these settings"),
    h("p", null, "Nothing is lost: both versions are below. Choose one for each setting, and save."),
    h("div.conflicts", null, choices.map((choice) => difference(choice))),
    h("div.buttons.start", null, button));
  return element;
}

function difference(choice) {
  const { row } = choice;
  const name = uniqueID("choice");
  const option = (label, value, isYours) => h("label.option", null,
    h("input", { type: "radio", name, checked: choice.isYours === isYours, on: { change: () => { choice.isYours = isYours; } } }),
    h("span", null, h("b", null, label), " ", textOf(value, row.field)));
  return h("fieldset.conflict-row", { data: { key: row.field.key } },
    h("legend", null, row.field.label),
    h("p.quiet", null, "Before: ", textOf(row.before, row.field)),
    row.theirs === row.yours ? h("p", null, "Both: ", textOf(row.yours, row.field))
      : [option("Theirs", row.theirs, false), option("Yours", row.yours, true)]);
}
