// The settings of an app: a form that keeps what was typed, also if somebody else has saved meanwhile.

import { Problem, isAborted, path, send } from "../api.js";
import { appName, forgetApps } from "../apps.js";
import { draft, dropDraft, keepDraft } from "../drafts.js";
import { announce, fill, h } from "../dom.js";
import { counted } from "../format.js";
import { link } from "../router.js";
import { may } from "../session.js";
import { plain } from "../text.js";
import { groupsFor, patch, read, shown, valueAt } from "../settings-fields.js";
import { conflict } from "../conflict.js";
import { confirm } from "../components/dialog.js";
import { choiceField, textField } from "../components/form.js";
import { explained, notify } from "../components/notice.js";
import { panel } from "../components/panel.js";

export function settingsView(visit) {
  const { app } = visit.params;
  return {
    title: "Settings",
    crumbs: [[appName(app), link("/apps", app)]],
    lead: may("owner") ? null : "Only an owner can change the settings.",
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
  const controls = new Map(fields.map((field) => [field.key, control(field, kept[field.key] ?? original(field))]));
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
  const button = h("button", { type: "submit" }, "Save");
  bar.append(summary, h("button.secondary", { type: "button", on: { click: discard } }, "Discard"), button);
  const form = h("form.settings", { novalidate: true, on: { input: update, change: update } }, clash,
    groups.map(([title, list]) => h("fieldset.panel", { disabled: !may("owner") }, h("legend", null, h("h2", null, title)),
      h("div.fields", null, list.map((field) => controls.get(field.key).element)))),
    fault, bar);
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

function control(field, value) {
  const id = `setting-${field.key.replaceAll(".", "-")}`;
  const { label } = field;
  const help = field.help || undefined;
  const options = field.kind === "flag" ? [["true", "yes"], ["false", "no"]] : field.options;
  if (options) {
    const all = options.some(([key]) => key === value) ? options : [...options, [value, plain(value) || "not set"]];
    return choiceField({ id, label, help, value, options: all });
  }
  return textField({
    id, label, help, value, inputmode: field.kind === "number" ? "numeric" : null,
    placeholder: field.mayBeNone ? "none" : null,
  });
}
