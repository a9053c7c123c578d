// The explanation of an answer.

import {
  badge, comparedValues, contextText, counted, deviceLabel, deviceText, duration, empty, folded, h, idioms, link,
  loaded, name, number, panel, placeTrail, plain, query, reasons, reasonText, shared, table, time,
} from "./elements.js";
import { crumbs, filter, get, go, scenePath, userPath } from "./app.js";
import { choiceField, textField } from "./forms.js";

// # Explanation
// Explains an answer: every candidate with each rule and the values compared, and the identity step of each reference.

const contextKeys = ["idiom", "layout", "bundleVersion", "systemVersion", "stateVersion"];

export function explainView(visit) {
  const { params, signal } = visit;
  const asked = Object.fromEntries(["device", ...contextKeys].map((key) => [key, visit.query.get(key) ?? undefined]));
  const isAsked = Boolean(asked.device || asked.idiom);
  const loadUser = shared((signal) => get(userPath(params), signal));
  return {
    title: "Explain",
    crumbs: crumbs(params, { isInside: true }),
    lead: "Which archive a device gets, and why it gets no other.",
    content: h("div.stack", null,
      panel({ title: "The question", signal, load: loadUser, name: "question", show: (person) => question(visit, person, asked) }),
      isAsked ? panel({
        title: "The answer", signal, name: "answer",
        load: async (signal) => {
          const [person, explanation] = await Promise.all([loadUser(signal), get(`${scenePath(params)}/explanation${query(asked)}`, signal)]);
          return { person, explanation };
        },
        show: ({ person, explanation }) => answer(explanation, person, visit, asked),
      }) : null),
  };
}

/** The form: a device of the user, or a context that nobody needs to have. */
function question(visit, person, asked) {
  const devices = person.devices ?? [];
  const isDevice = visit.query.get("mode") !== "context" && (Boolean(asked.device) || !asked.idiom) && devices.length > 0;
  const mode = h("div.segments", { role: "group", "aria-label": "Who asks" },
    modeButton("mode-device", "A device of the user", isDevice, () => filter({ mode: undefined, device: devices[0]?.id, ...empties() }), !devices.length),
    modeButton("mode-context", "Any other device", !isDevice, () => filter({ mode: "context", device: undefined })));
  return [mode, isDevice ? deviceQuestion(visit, devices, asked) : contextQuestion(visit, asked)];
}

const empties = () => Object.fromEntries(contextKeys.map((key) => [key, undefined]));

const modeButton = (id, text, isChosen, choose, isDisabled) => h("button", {
  type: "button", id, "aria-pressed": String(isChosen), disabled: isDisabled, on: { click: choose },
}, text);

function deviceQuestion(visit, devices, asked) {
  const field = choiceField({
    id: "device", label: "Device", value: asked.device ?? "",
    help: "The service uses the versions with which the device last stored an archive or reported an outcome.",
    options: [...(asked.device ? [] : [["", "Choose a device…"]]), ...devices.map((device) => [device.id, `${deviceText(device)} (${device.idiom})`])],
  });
  field.input.addEventListener("change", () => field.value && filter({ device: field.value, mode: undefined }));
  return h("div.form", null, field.element);
}

function contextQuestion(visit, asked) {
  const fields = {
    idiom: choiceField({ id: "idiom", label: "Idiom", value: asked.idiom ?? "phone", options: idioms.map((idiom) => [idiom, idiom]) }),
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
  return h("form.form.grid", { on: { submit } }, Object.values(fields).map(({ element }) => element),
    h("div.buttons", null, h("button", { type: "submit" }, "Explain")));
}

function answer(explanation, person, visit, asked) {
  const devices = new Map((person.devices ?? []).map((device) => [device.id, device]));
  const { app, user, scene } = visit.params;
  const here = ["/apps", app, "users", user];
  const candidates = explanation.candidates ?? [];
  const served = candidates.find(({ archive }) => archive.id === explanation.served);
  return [
    verdict(explanation, served, candidates, devices),
    h("p.quiet", null, `Asked as ${contextText(explanation.asked)}.`),
    h("h3", null, counted(candidates.length, "candidate")),
    candidates.length ? candidateList(candidates, (candidate, index) =>
      candidateItem(candidate, { explanation, devices, app, href: link(...here, "scenes", scene, "archives", candidate.archive.id), index, servedIndex: candidates.indexOf(served) }), served)
      : empty("The scene has no archive", h("p", null, "No device has uploaded a state of this scene.")),
    served ? folded(["References of the served archive", h("span.quiet", null, ` ${number(explanation.referenceCount)}`)], async () =>
      (await loaded(() => import("./views-item.js"))).referenceList(explanation, here, served.archive.device)) : null,
  ];
}

/** The candidates. The candidates far below the served archive are folded. */
function candidateList(candidates, show, served) {
  const count = Math.max(candidates.indexOf(served) + 3, 8);
  const list = (part, start) => h("ol.candidates", { start }, part.map((candidate, index) => show(candidate, start - 1 + index)));
  const rest = candidates.slice(count);
  return [
    list(candidates.slice(0, count), 1),
    rest.length ? h("details", null, h("summary", null, `${counted(rest.length, "older candidate")}`), list(rest, count + 1)) : null,
  ];
}

function verdict(explanation, served, candidates, devices) {
  if (!explanation.served) {
    return h("div.callout.bad", null, h("p", null, h("b", null, "Nothing is served. "), candidates.length
      ? `Each of the ${counted(candidates.length, "candidate")} is refused.` : "The scene has no archive."));
  }
  const fidelity = served?.fidelity === "full" ? "the full state" : "the place, without the layout,";
  return h("div.callout.good", null, h("p", null, h("b", null, `Served: ${fidelity} `), "of the archive captured ",
    served ? [time(served.archive.capturedAt, "full"), " on ", deviceLabel(devices.get(served.archive.device), served.archive.device, { idiom: served.archive.context?.idiom })] : explanation.served, "."),
  served ? placeTrail(served.archive.place) : null);
}

function candidateItem(candidate, { explanation, devices, app, href, index, servedIndex }) {
  const { archive, fidelity } = candidate;
  const isServed = archive.id === explanation.served;
  const kind = isServed ? "good" : fidelity === "none" ? "bad" : "plain";
  const word = isServed ? `served, ${fidelity}` : fidelity === "none" ? "refused" : `${fidelity} allowed`;
  const why = isServed ? (fidelity === "full" ? "It is the newest archive that this device may restore." : "It is the newest archive of which this device may restore at least the place.")
    : fidelity === "none" ? `Refused: ${(candidate.reasons ?? []).map(reasonText).join("; ")}.`
      : index > servedIndex && servedIndex >= 0 ? "It may be restored, but a newer archive is served." : (candidate.reasons ?? []).map(reasonText).join("; ");
  return h(`li.candidate.${kind}`, null,
    h("div.entry-head", null,
      h("a", { href }, time(archive.capturedAt, "full")),
      deviceLabel(devices.get(archive.device), archive.device, { idiom: archive.context?.idiom }),
      badge(word, kind)),
    placeTrail(archive.place, { isShort: true }),
    h("p.why", null, why),
    h("details", { open: isServed || fidelity === "none" ? index < 4 : false },
      h("summary", null, "Rules and values"), rules(candidate, explanation.asked ?? {}, app)));
}

/** The rules: first the rules against the archive, then the other rules in the order of docs/policy.md. A rule without a reason against the archive has passed. */
function rules({ archive, reasons: against = [] }, asked, app) {
  const context = archive.context ?? {};
  const compared = [
    ["Idiom", context.idiom, asked.idiom], ["Layout", context.layout, asked.layout], ["Platform", null, null],
    ["State version", context.stateVersion, asked.stateVersion], ["Bundle version", context.bundleVersion, asked.bundleVersion],
    ["Minimum version", context.bundleVersion, null], ["System version", context.systemVersion, asked.systemVersion],
    ["Age", duration((Date.now() - Date.parse(archive.capturedAt)) / 1000), null], ["Place", archive.place?.length ? counted(archive.place.length, "step") : "none", null],
    ["Quarantine", null, null], ["Stopped restores", null, null], ["Abandoned", null, null],
  ];
  const failed = [];
  const passed = compared.map(([rule, own, wanted]) => {
    const reason = against.find(({ code }) => reasons[code]?.rule === rule);
    if (reason) failed.push(failedRow(rule, reason, app));
    return reason ? null : [rule, value(own), value(wanted), isComparable(rule, own, wanted) ? badge("passed", "good") : badge("not compared")];
  });
  const unknown = against.filter(({ code }) => !reasons[code]).map((reason) => failedRow(plain(reason.code), reason, app));
  return table({
    caption: "Rules and the values compared",
    columns: [{ title: "Rule", isHead: true }, { title: "Archive" }, { title: "Asked or required" }, { title: "Result" }],
    rows: [...failed, ...unknown, ...passed.filter(Boolean)],
  });
}

/** Layouts and state versions are compared only if both sides give one. */
const isComparable = (rule, own, wanted) => !["Layout", "State version"].includes(rule) || (own !== undefined && wanted !== undefined);

const value = (text) => text === null || text === undefined ? h("span.quiet", null, "–") : h("bdi", null, plain(text, 32));

function failedRow(rule, reason, app) {
  const [own, wanted] = comparedValues(reason);
  const { setting, view } = reasons[reason.code] ?? {};
  const details = [reason.path ? ["path ", name(reason.path, { limit: 60, label: "path" })] : null, reason.step !== undefined ? ` step ${reason.step}` : null,
    reason.duration !== undefined ? ` after ${duration(reason.duration)}` : null];
  return [
    rule, h("bdi", null, own), h("bdi", null, wanted),
    h("span", null, badge(reason.blocks === "full" ? "blocks the full state" : "blocks everything", reason.blocks === "full" ? "poor" : "bad"), " ",
      h("code", null, plain(reason.code)), " ", details,
      setting ? h("a", { href: link("/apps", app, "settings", { show: setting }) }, "Setting") : null,
      view ? h("a", { href: link("/apps", app, view) }, "Show") : null),
  ];
}
