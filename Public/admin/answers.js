// The answers that devices got in the past.

import { link, query, replaceFilters } from "./addresses.js";
import { get } from "./api.js";
import { selectControl } from "./controls.js";
import { contextText, deviceOptions } from "./devices.js";
import { fill, h } from "./dom.js";
import { counted, shortID } from "./formats.js";
import { name } from "./names.js";
import { empty, panel } from "./panels.js";
import { isCaution, offered, reasonText } from "./reasons.js";
import { showMore } from "./tables.js";
import { time } from "./times.js";
import { deviceLink, userPath } from "./users.js";

const logText = "The log keeps each answer that differs from the one before it, the newest 10,000 of an app for 30 days. Answers of the last minute may be missing.";

/**
 * The answers to a user's devices: about the scene and the archive of the address, or about all scenes. At first, those
 * to the device in the address, or to `asking`, which the address does not name.
 */
export function answersPanel(visit, person, { asking } = {}) {
  const { params, signal } = visit;
  const { scene, archive } = params;
  const isInAddress = asking === undefined;
  const chosen = isInAddress ? visit.query.get("answersOf") : asking;
  const place = h("div");
  const show = (device) => {
    const load = (cursor) => get(`${userPath(params)}/answers${query({ scene, archive, device, limit: archive ? 10 : undefined, cursor })}`, signal);
    fill(place, panel({
      label: "Answers that devices got", isBare: true, signal, name: "answers", load: () => load(),
      show: (page) => answerList(page, load, params, device ? showAll : null),
    }));
  };
  const change = (device) => {
    if (isInAddress) replaceFilters({ answersOf: device });
    show(device);
  };
  const control = selectControl("answers-of", "Answers to", [["", "All devices"], ...deviceOptions(person)], chosen, change);
  const showAll = () => {
    const select = control.querySelector("select");
    select.value = "";
    select.focus();
    change("");
  };
  show(chosen);
  return [h("div.controls", null, control), place];
}

/** The answers of the log. `showAll` shows those to all devices, if these are the answers to one device. */
function answerList(page, load, params, showAll) {
  if (!page.items.length) return noAnswer(params, showAll);
  const show = (answers) => answers.map((answer) => answerItem(answer, params));
  const list = h("ol.candidates", null, show(page.items));
  return [h("p.quiet.hint", null, logText), list, showMore(list, page.next, load, show)];
}

function noAnswer({ archive }, showAll) {
  const about = archive ? " about this archive" : "";
  if (showAll) {
    return empty(`The log has no answer to this device${about}`, h("p", null, logText),
      h("button.secondary.small", { type: "button", on: { click: showAll } }, "Show the answers to all devices"));
  }
  return empty("The log has no answer", archive ? h("p", null, "In the entries that the log still has, no device was given this archive, and none was refused it: an answer names the archives from the newest to the one that was served.") : null,
    h("p", null, logText));
}

/** Why an archive, or its full state, was not served. */
const why = ({ reasons }) => (reasons ?? []).filter((reason) => !isCaution(reason)).map(reasonText).join("; ");

function answerItem(answer, params) {
  const { at, device, asked, served, candidates } = answer;
  const person = ["/apps", params.app, "users", params.user];
  const archive = (id, text) => h("a", { href: link(...person, "scenes", answer.scene, "archives", id) }, text);
  const chosen = candidates.find((one) => one.archive === served?.archive);
  const refused = candidates.filter((one) => one !== chosen && one.archive !== params.archive);
  const wanted = params.archive && candidates.find((one) => one !== chosen && one.archive === params.archive);
  const isServed = params.archive ? served?.archive === params.archive : served;
  return h(`li.candidate.${isServed ? "good" : "bad"}`, null,
    h("div.entry-head", null, time(at, "full"), deviceLink(device, person, { idiom: asked?.idiom }), h("span.quiet", null, `as ${contextText(asked)}`),
      params.scene === undefined ? h("span", null, "Scene ", name(answer.scene, { limit: 30, label: "scene", href: link(...person, "scenes", answer.scene) })) : null),
    wanted ? h("p", null, h("b", null, "Did not get this archive: "), `${why(wanted)}.`) : null,
    served ? h("p", null, answer.held ? "Already had " : "Got ", served.fidelity === "place" ? "the place of " : "the full state of ",
      served.archive === params.archive ? "this archive" : archive(served.archive, chosen ? ["the archive captured ", time(chosen.capturedAt, "full")] : `the archive ${shortID(served.archive)}`),
      served.fidelity === "place" && chosen?.reasons?.length ? `, not the full state: ${why(chosen)}.` : ".",
      offered(chosen?.reasons)) : h("p", null, h("b", null, "Got nothing.")),
    refused.length ? h("ul.why", null, refused.map((one) => h("li", null,
      archive(one.archive, ["The archive captured ", time(one.capturedAt, "full")]), ` was not served: ${why(one)}.`))) : null,
    answer.repeats ? h("p.quiet", null, `The same answer ${counted(answer.repeats, "more time")}, until `, time(answer.lastAt, "full"), ".") : null,
    answer.omitted ? h("p.quiet", null, `${counted(answer.omitted, "earlier answer")} ${answer.omitted === 1 ? "was" : "were"} not logged: the log was full.`) : null);
}
