// The view of an app's settings.

import { link, path } from "./addresses.js";
import { send } from "./api.js";
import { appName, forgetApps } from "./apps.js";
import { appDeletion } from "./deletions.js";
import { confirm } from "./dialogs.js";
import { announce, fill, h, uniqueID } from "./dom.js";
import { draft, dropDraft, keepDraft } from "./drafts.js";
import { dryRun } from "./dry-run.js";
import { counted } from "./formats.js";
import { boxesField, choiceField, switchField, textField } from "./forms.js";
import { panel } from "./panels.js";
import { explained, isAborted, Problem } from "./problems.js";
import { denied } from "./roles.js";
import { may } from "./session.js";
import { conflict } from "./settings-conflict.js";
import { groupsFor, patch, read, shown, valueAt } from "./settings-fields.js";
import { plain } from "./texts.js";
import { act, notify } from "./toasts.js";

export function settingsView(visit) {
  const { app } = visit.params;
  return {
    title: "Settings",
    crumbs: [[appName(app), link("/apps", app)]],
    lead: denied("changeAppSettings", "save settings") && `${denied("changeAppSettings", "save settings")}${may("trySettings") ? " You can try a changed policy." : ""}`,
    content: panel({
      label: "Settings", signal: visit.signal, name: "settings", isBare: true,
      load: (signal) => send("GET", path`/apps/${app}`, { signal }),
      show: ({ data, etag }) => [editor(data, etag, app, visit.query.get("show")), appDeletion(data)],
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
  const button = h("button", { type: "submit", disabled: !may("changeAppSettings"), title: denied("changeAppSettings", "save settings") }, "Save");
  const typed = () => changed().filter(isPolicy).map((field) => ({ field, ...read(field, controls.get(field.key).value) }));
  const trying = dryRunPanel(app, typed, controls);
  bar.append(fault, summary, h("button.secondary", { type: "button", on: { click: discard } }, "Discard"), button);
  const group = ([title, list]) => h("fieldset.panel", { id: sectionID(title) }, h("legend", null, h("h2", { tabindex: "-1" }, title)),
    h("div.fields", null, list.map((field) => controls.get(field.key).element)));
  const form = h("form.settings", { novalidate: true, on: { input: update, change: update } }, sectionLinks(groups), clash,
    h("div.beside", null, h("div.settings", null, groups.filter(hasPolicy).map(group)), trying.element),
    groups.filter((one) => !hasPolicy(one)).map(group), bar);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    press();
  });
  update();
  if (Object.keys(kept).length && changed().length) announce("Your unsaved changes are back.");
  reveal(controls, shownKey);
  return form;
}

const sectionID = (title) => `section-${title.toLowerCase().replaceAll(" ", "-")}`;

/** Links to the sections of the form. The page's address names the view, so they are buttons. */
const sectionLinks = (groups) => h("nav.segments.section-links", { "aria-label": "Sections of the settings" }, groups.map(([title]) =>
  h("button", { type: "button", on: { click: () => {
    const section = document.getElementById(sectionID(title));
    section.scrollIntoView({ block: "start" });
    section.querySelector("h2").focus({ preventScroll: true });
  } } }, title)));

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
const mayTry = (field) => may("changeAppSettings") || (may("trySettings") && isPolicy(field));

/** The panel beside the policy: it tries the typed policy against real restores, and keeps the typed values. */
function dryRunPanel(app, typed, controls) {
  const id = uniqueID("dry-run");
  const place = h("div.dry-run", { role: "status" });
  const note = h("p.quiet.hint");
  const button = h("button.secondary", { type: "button", disabled: !may("trySettings"), title: denied("trySettings", "try a policy") }, "Try it");
  let tried = null;
  button.addEventListener("click", () => act(button, async () => {
    const values = typed();
    for (const { field, fault } of values) controls.get(field.key).fail(fault ?? null);
    const wrong = values.find(({ fault }) => fault);
    if (wrong) return controls.get(wrong.field.key).focus();
    const policy = patch(values.map(({ field, value }) => [field.path, value])).policy ?? {};
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
    button.disabled = !may("trySettings") || isUnchanged;
    const policy = JSON.stringify(patch(typed().map(({ field, value }) => [field.path, value])).policy ?? {});
    note.textContent = denied("trySettings", "try a policy") ?? (isUnchanged ? "Change a setting of the policy first." : tried === null ? ""
      : tried === policy ? "The result below is for the policy as it is typed." : "The policy was changed after this dry run. Repeat it.");
  }
  const element = h("section.panel.dry-run-panel", { "aria-labelledby": id, data: { panel: "dry-run" } },
    h("h2", { id }, "Try the policy"),
    h("p.quiet", null, "Tries the typed policy against the last 10,000 real restores, before it is saved. Nothing is changed."),
    h("div.buttons.start", null, button), note, place);
  return { element, update };
}

function control(field, value, isEnabled) {
  const id = `setting-${field.key.replaceAll(".", "-")}`;
  const { label, kind } = field;
  const help = field.help || undefined;
  const rest = { id, label, help, value, disabled: !isEnabled, title: isEnabled ? null : denied("changeAppSettings", "change this setting") };
  if (kind === "flag") return switchField(rest);
  if (kind === "idioms") return boxesField({ ...rest, options: field.options });
  if (field.options) {
    const all = field.options.some(([key]) => key === value) ? field.options : [...field.options, [value, plain(value) || "not set"]];
    return choiceField({ ...rest, options: all });
  }
  return textField({ ...rest, inputmode: kind === "number" ? "numeric" : null, placeholder: field.mayBeNone ? "none" : null });
}
