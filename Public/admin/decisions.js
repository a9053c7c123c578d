// Decisions about items: that two items are one or are different.

import { query } from "./addresses.js";
import { get, send } from "./api.js";
import { deviceOptions } from "./devices.js";
import { confirm } from "./dialogs.js";
import { h } from "./dom.js";
import { draft, dropDraft, keepDraft } from "./drafts.js";
import { badge } from "./facts.js";
import { choiceField, form, textArea, textField } from "./forms.js";
import { name } from "./names.js";
import { empty, folded, panel } from "./panels.js";
import { itemLink } from "./references.js";
import { deniedNote } from "./roles.js";
import { may } from "./session.js";
import { time } from "./times.js";
import { act, notify } from "./toasts.js";
import { dataSourcePath } from "./users.js";

/** The decisions about the items of a data source, read when the person opens them. */
export function foldedDecisions(visit, loadUser, start = {}) {
  return folded("Decisions", async () => deniedNote("listDecisions", "see decisions") ?? decisionPanel(visit, loadUser, start));
}

/** The decisions about the items of a data source. `start` has the values of the form for a new decision. */
function decisionPanel(visit, loadUser, start) {
  const { params, signal } = visit;
  const here = ["/apps", params.app, "users", params.user];
  const load = async (signal) => {
    const [person, page] = await Promise.all([loadUser(signal), get(`${dataSourcePath(params)}/decisions`, signal)]);
    return { person, page };
  };
  const element = panel({
    label: "Decisions", isBare: true, signal, load, name: "decisions",
    note: "A decision says that two items are one or are different. It takes precedence over all aliases.",
    show: ({ person, page }) => [
      page.items.length ? h("ul.lines.decisions", null, page.items.map((one) => decision(one, person, params, here, () => element.reload())))
        : empty("Nothing is decided", h("p", null, "Only aliases count as evidence.")),
      may("decideItems") ? h("details", { id: "decide", open: Boolean(draft(draftName(params))) },
        h("summary", null, "Decide about two items"), decide(person, params, start, () => element.reload())) : null,
    ],
  });
  return element;
}

function decision(one, person, params, here, done) {
  const withDevice = ({ device, identifier }) => ({ identifier, device: person.devices?.find(({ id }) => id === device) ?? { id: device } });
  const button = h("button.secondary.small", { type: "button" }, "Take back…");
  button.addEventListener("click", () => act(button, async () => {
    const isSure = await confirm({
      title: "Take this decision back?", action: "Take it back", isDangerous: true,
      content: h("p", null, one.kind === "different" ? "Different: " : "The same: ", name(one.first.identifier), " and ", name(one.second.identifier),
        ". Then only aliases count as evidence again."),
    });
    if (!isSure) return;
    await send("DELETE", dataSourcePath(params) + "/decisions" + query({ first: itemText(one.first), second: itemText(one.second) }));
    notify("The decision is taken back.");
    done();
  }));
  return h("li", null, one.kind === "different" ? badge("different", "poor") : badge("the same", "good"), " ",
    one.hasEnded ? [badge("ended", "poor"), " "] : null,
    itemLink(withDevice(one.first), params.name, here), " and ", itemLink(withDevice(one.second), params.name, here),
    one.hasEnded ? h("p", null, "It no longer counts, because one of the identifiers now belongs to another item.") : null,
    one.note ? h("p", null, name(one.note, { limit: 120, label: "note" })) : null,
    h("p.quiet", null, one.decidedAt ? time(one.decidedAt) : null, " ", may("removeItemDecision") ? button : null));
}

/** An item in a decision, as the API writes it. */
const itemText = ({ device, identifier }) => `${device}:${identifier}`;

const draftName = ({ app, user, name }) => `decision ${app} ${user} ${name}`;

function decide(person, params, start, done) {
  const kept = draft(draftName(params)) ?? start;
  const devices = deviceOptions(person);
  const fields = {
    kind: choiceField({ id: "kind", label: "The two items are", value: kept.kind ?? "same", options: [["same", "the same"], ["different", "different"]] }),
    firstDevice: choiceField({ id: "first-device", label: "First device", value: kept.firstDevice, options: devices }),
    first: textField({ id: "first", label: "Its identifier", required: true, value: kept.first ?? "" }),
    secondDevice: choiceField({ id: "second-device", label: "Second device", value: kept.secondDevice ?? devices[1]?.[0], options: devices }),
    second: textField({ id: "second", label: "Its identifier", required: true, value: kept.second ?? "" }),
    note: textArea({ id: "note", label: "Reason", value: kept.note ?? "", help: "At most 512 bytes.", maxlength: 512 }),
  };
  const values = () => Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, field.value]));
  const element = form({
    fields: h("div.form.grid", null, Object.values(fields).map((field) => field.element)),
    action: "Decide",
    async submit() {
      const all = values();
      await send("POST", `${dataSourcePath(params)}/decisions`, { body: {
        kind: all.kind, note: all.note, first: itemText({ device: all.firstDevice, identifier: all.first }),
        second: itemText({ device: all.secondDevice, identifier: all.second }),
      } });
      dropDraft(draftName(params));
      notify("The decision counts from now on.");
      done();
    },
  });
  element.addEventListener("input", () => keepDraft(draftName(params), values()));
  return element;
}
