// The explanation of an answer.

import { filter, go, link, query } from "./addresses.js";
import { answersPanel } from "./answers.js";
import { get } from "./api.js";
import { contextText, deviceLabel, deviceOf, deviceText, idioms, lastUsed } from "./devices.js";
import { h, lookUp } from "./dom.js";
import { badge } from "./facts.js";
import { counted, duration, number } from "./formats.js";
import { choiceField, textField } from "./forms.js";
import { name } from "./names.js";
import { empty, folded, panel } from "./panels.js";
import { placeTrail } from "./places.js";
import { comparedValues, isCaution, offered, reasons, reasonText } from "./reasons.js";
import { referenceList } from "./references.js";
import { table } from "./tables.js";
import { plain } from "./texts.js";
import { time } from "./times.js";
import { crumbs, scenePath, userLoader } from "./users.js";

const contextKeys = ["idiom", "layout", "bundleVersion", "systemVersion", "stateVersion"];

export function explainView(visit) {
  const { params, signal } = visit;
  const given = Object.fromEntries(["device", ...contextKeys].map((key) => [key, visit.query.get(key) ?? undefined]));
  const isContext = visit.query.get("mode") === "context" || Boolean(given.idiom && !given.device);
  const loadUser = userLoader(params);
  /** The question: a device or a context. By default, the device that was used last. Null if there is neither. */
  const questionOf = (person) => {
    if (isContext) return given.idiom ? given : null;
    const device = given.device ?? lastUsed(person)?.id;
    return device ? { ...given, device } : null;
  };
  return {
    title: "Explain",
    crumbs: crumbs(params, { isInside: true }),
    lead: "Which archive a device gets, and why it gets no other.",
    content: h("div.stack", null,
      panel({ label: "The question", isBare: true, signal, load: loadUser, name: "question", skeleton: "chart", show: (person) =>
        question(visit, person, questionOf(person) ?? given, isContext || !person.devices?.length) }),
      panel({
        label: "The answer", isBare: true, signal, name: "answer",
        load: async (signal) => {
          const person = await loadUser(signal);
          const asked = questionOf(person);
          return { person, explanation: asked && await get(`${scenePath(params)}/explanation${query(asked)}`, signal) };
        },
        show: ({ person, explanation }) => explanation ? answer(explanation, person, visit, isContext ? null : questionOf(person).device) : null,
      })),
  };
}

/** The form: a device of the user, or a context that no device needs to have. */
function question(visit, person, asked, isContext) {
  const devices = person.devices ?? [];
  const mode = h("div.segments", { role: "group", "aria-label": "Who asks" },
    modeButton("mode-device", "A device of the user", !isContext, () => filter({ mode: undefined, device: undefined, ...empties() }), !devices.length),
    modeButton("mode-context", "Any other device", isContext, () => filter({ mode: "context", device: undefined })));
  return [mode, isContext ? contextQuestion(visit, asked) : deviceQuestion(devices, asked)];
}

const empties = () => Object.fromEntries(contextKeys.map((key) => [key, undefined]));

const modeButton = (id, text, isChosen, choose, isDisabled) => h("button", {
  type: "button", id, "aria-pressed": String(isChosen), disabled: isDisabled, title: isDisabled ? "This user has no device." : null, on: { click: choose },
}, text);

function deviceQuestion(devices, asked) {
  const field = choiceField({
    id: "device", label: "Device", value: asked.device,
    help: "The service uses the versions with which the device last stored an archive or reported an outcome.",
    options: devices.map((device) => [device.id, `${deviceText(device)} (${deviceOf(device.idiom)})`]),
  });
  field.input.addEventListener("change", () => filter({ device: field.value, mode: undefined }));
  return h("div.form.grid", null, field.element);
}

function contextQuestion(visit, asked) {
  const fields = {
    idiom: choiceField({ id: "idiom", label: "Idiom", value: asked.idiom ?? "phone", options: idioms.map((idiom) => [idiom, deviceOf(idiom)]) }),
    layout: choiceField({ id: "layout", label: "Layout", value: asked.layout ?? "", options: [["", "not given"], ["compact", "compact"], ["regular", "regular"]] }),
    bundleVersion: textField({ id: "bundleVersion", label: "Bundle version", value: asked.bundleVersion ?? "", placeholder: "42" }),
    systemVersion: textField({ id: "systemVersion", label: "System version", value: asked.systemVersion ?? "", placeholder: "17.4" }),
    stateVersion: textField({ id: "stateVersion", label: "State version", value: asked.stateVersion ?? "", inputmode: "numeric", pattern: "-?[0-9]*" }),
  };
  const submit = (event) => {
    event.preventDefault();
    const { app, user, scene } = visit.params;
    const context = Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, field.value.trim()]));
    go(link("/apps", app, "users", user, "scenes", scene, "explain", { mode: "context", ...context }));
  };
  const form = h("form.form.grid", { on: { submit } }, Object.values(fields).map(({ element }) => element),
    h("div.buttons", null, h("button", { type: "submit" }, "Explain")));
  return asked.idiom ? h("details", null, h("summary", null, "Change the context"), form) : form;
}

/** The answer in one sentence, and the parts of its explanation, folded. */
function answer(explanation, person, visit, device) {
  const devices = new Map((person.devices ?? []).map((device) => [device.id, device]));
  const { app, user, scene } = visit.params;
  const here = ["/apps", app, "users", user];
  const candidates = explanation.candidates ?? [];
  const served = candidates.find(({ archive }) => archive.id === explanation.served);
  const href = ({ archive }) => link(...here, "scenes", scene, "archives", archive.id);
  return [
    h(`div.callout.${served ? "good" : "bad"}`, null,
      h("p", null, verdict(candidates, served, device ? deviceLabel(devices.get(device), device) : "This device", devices, href)),
      served ? placeTrail(served.archive.place) : null,
      h("p.quiet", null, `Asked as ${contextText(explanation.asked)}.`)),
    folded(["Candidates and rules", h("span.quiet", null, ` ${number(candidates.length)}`)], async () => candidates.length
      ? candidateList(candidates, (candidate, index) => candidateItem(candidate, { isServed: candidate === served, asked: explanation.asked ?? {}, devices, app, href, index }))
      : empty("The scene has no archive", h("p", null, "No device has uploaded a state of this scene."))),
    served ? folded(["References of the served archive", h("span.quiet", null, ` ${number(explanation.referenceCount)}`)], async () =>
      referenceList(explanation, here, served.archive.device)) : null,
    folded(device ? "Answers that the device got" : "Answers that devices got", async () =>
      answersPanel(visit, person, { asking: device })),
  ];
}

/** The answer and its reason as one sentence. */
function verdict(candidates, served, who, devices, href) {
  const refused = candidates.filter((candidate) => candidate !== served);
  const newest = refused.length ? textOf(blocking(refused[0])) : "";
  if (!candidates.length) return [h("b", null, "Nothing is served. "), who, " gets nothing: the scene has no archive."];
  if (!served) {
    return [h("b", null, "Nothing is served. "), who, refused.length === 1 ? " gets nothing, because the only archive is refused: "
      : ` gets nothing, because each of the ${counted(refused.length, "archive")} is refused, the newest one because `, newest, "."];
  }
  const { archive } = served;
  return [h("b", null, "Served: "), who, ` gets ${served.fidelity === "full" ? "the full state" : "the place, without the layout,"} of the archive captured `,
    h("a", { href: href(served) }, time(archive.capturedAt, "full")), " on ",
    deviceLabel(devices.get(archive.device), archive.device, { idiom: archive.context?.idiom }),
    refused.length ? [", because ", refused.length === 1 ? "the newer archive is refused: " : `the ${number(refused.length)} newer archives are refused, the newest one because `, newest]
      : ", because it is the newest", ".",
    served.fidelity !== "full" && blocking(served).length ? ` The full state is refused: ${textOf(blocking(served))}.` : null,
    offered(served.reasons)];
}

const textOf = (found) => found.map(reasonText).join("; ");

/** The reasons that block a part of an archive. */
const blocking = ({ reasons: found = [] }) => found.filter((reason) => !isCaution(reason));

/** The candidates. The candidates far below the newest one are folded. */
function candidateList(candidates, show) {
  const count = 8;
  const list = (part, start) => h("ol.candidates", { start }, part.map((candidate, index) => show(candidate, start - 1 + index)));
  const rest = candidates.slice(count);
  return [
    list(candidates.slice(0, count), 1),
    rest.length ? h("details", null, h("summary", null, `${counted(rest.length, "older candidate")}`), list(rest, count + 1)) : null,
  ];
}

function candidateItem(candidate, { isServed, asked, devices, app, href, index }) {
  const { archive, fidelity } = candidate;
  const kind = isServed ? "good" : "bad";
  const against = textOf(blocking(candidate));
  const why = !isServed ? `Refused: ${against}.` : fidelity === "full" ? "It is the newest archive that this device may restore."
    : `It is the newest archive of which this device may restore at least the place. Against the full state: ${against}.`;
  return h(`li.candidate.${kind}`, null,
    h("div.entry-head", null,
      h("a", { href: href(candidate) }, time(archive.capturedAt, "full")),
      deviceLabel(devices.get(archive.device), archive.device, { idiom: archive.context?.idiom }),
      badge(isServed ? (fidelity === "full" ? "served in full" : "only its place served") : "refused", kind)),
    placeTrail(archive.place, { isShort: true }),
    h("p.why", null, why, isServed ? offered(candidate.reasons) : null),
    h("details", { open: index < 1 }, h("summary", null, "Rules and values"), rules(candidate, asked, app)));
}

/** The rules: first the rules against the archive, then the other rules in the order of docs/policy.md. A rule without a reason against the archive has passed. */
function rules({ archive, reasons: against = [] }, asked, app) {
  const context = archive.context ?? {};
  const compared = [
    ["Idiom", deviceOf(context.idiom), deviceOf(asked.idiom)], ["Layout", context.layout, asked.layout], ["Platform", null, null],
    ["State version", context.stateVersion, asked.stateVersion], ["Bundle version", context.bundleVersion, asked.bundleVersion],
    ["Minimum version", context.bundleVersion, null], ["System version", context.systemVersion, asked.systemVersion],
    ["Age", duration((Date.now() - Date.parse(archive.capturedAt)) / 1000), null], ["Place", archive.place?.length ? counted(archive.place.length, "step") : "none", null],
    ["Quarantine", null, null], ["Crash elsewhere", null, null], ["Stopped restores", null, null], ["Abandoned", null, null],
  ];
  const failed = [];
  const passed = compared.map(([rule, own, wanted]) => {
    const reason = against.find(({ code }) => lookUp(reasons, code)?.rule === rule);
    if (reason) failed.push(failedRow(rule, reason, app));
    return reason ? null : [rule, value(own), value(wanted), isComparable(rule, own, wanted) ? badge("passed", "good") : badge("not compared")];
  });
  const unknown = against.filter(({ code }) => !lookUp(reasons, code)).map((reason) => failedRow(plain(reason.code), reason, app));
  return table({
    caption: "Rules and the values compared",
    columns: [{ title: "Rule", isHead: true }, { title: "Archive" }, { title: "Asked or required" }, { title: "Result" }],
    rows: [...failed, ...unknown, ...passed.filter(Boolean)],
  });
}

/** Layouts and state versions are compared only if both sides give one. */
const isComparable = (rule, own, wanted) => !["Layout", "State version"].includes(rule) || (own !== undefined && wanted !== undefined);

const value = (text) => text === null || text === undefined ? h("span.quiet", null, "–") : h("bdi", null, plain(text, 32));

/** What a reason blocks, if it does not block everything. */
const effects = { full: ["blocks the full state", "poor"], automatic: ["only offered", "poor"] };

function failedRow(rule, reason, app) {
  const [own, wanted] = comparedValues(reason);
  const { setting, view } = lookUp(reasons, reason.code) ?? {};
  const details = [reason.path ? ["path ", name(reason.path, { limit: 60, label: "path" })] : null, reason.step !== undefined ? ` step ${reason.step}` : null,
    reason.duration !== undefined ? ` after ${duration(reason.duration)}` : null];
  return [
    rule, h("bdi", null, own), h("bdi", null, wanted),
    h("span", null, badge(...lookUp(effects, reason.blocks) ?? ["blocks everything", "bad"]), " ",
      h("code", null, plain(reason.code)), " ", details,
      setting ? h("a", { href: link("/apps", app, "settings", { show: setting }) }, "Setting") : null,
      view ? h("a", { href: link("/apps", app, view) }, "Show") : null),
  ];
}
