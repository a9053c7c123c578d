// The answers that devices got in the past.

import { link, query, replaceFilters } from "./addresses.js";
import { get } from "./api.js";
import { selectControl } from "./controls.js";
import { contextText, deviceOptions } from "./devices.js";
import { fill, h } from "./dom.js";
import { shortID } from "./formats.js";
import { empty, panel } from "./panels.js";
import { isCaution, offered, reasonText } from "./reasons.js";
import { showMore } from "./tables.js";
import { time } from "./times.js";
import { deviceLink, userPath } from "./users.js";

const logText = "The log keeps the newest 10,000 answers of an app for 30 days, and at most ten of a user in a minute. A device that already has the newest archive is not written again.";

/** The answers about the scene: to the requesting device at first, or to the device in the address. */
export function answersPanel(visit, person, { asking } = {}) {
  const { params, signal } = visit;
  const isInAddress = asking === undefined;
  const chosen = isInAddress ? visit.query.get("answersOf") : asking;
  const place = h("div");
  const show = (device) => {
    const load = (cursor) => get(`${userPath(params)}/answers${query({ scene: params.scene, device, cursor })}`, signal);
    fill(place, panel({
      label: "Answers that devices got", isBare: true, signal, name: "answers", load: () => load(), show: (page) => answerList(page, load, params),
    }));
  };
  const change = (device) => {
    if (isInAddress) replaceFilters({ answersOf: device });
    show(device);
  };
  show(chosen);
  return [h("div.controls", null, selectControl("answers-of", "Answers to", [["", "All devices"], ...deviceOptions(person)], chosen, change)), place];
}

function answerList(page, load, params) {
  if (!page.items.length) return empty("The log has no answer", h("p", null, logText));
  const show = (answers) => answers.map((answer) => answerItem(answer, params));
  const list = h("ol.candidates", null, show(page.items));
  return [h("p.quiet.hint", null, logText), list, showMore(list, page.next, load, show)];
}

function answerItem({ at, device, asked, served, candidates }, { app, user, scene }) {
  const person = ["/apps", app, "users", user];
  const archive = (id, text) => h("a", { href: link(...person, "scenes", scene, "archives", id) }, text);
  const why = ({ reasons }) => (reasons ?? []).filter((reason) => !isCaution(reason)).map(reasonText).join("; ");
  const chosen = candidates.find((one) => one.archive === served?.archive);
  const refused = candidates.filter((one) => one !== chosen);
  return h(`li.candidate.${served ? "good" : "bad"}`, null,
    h("div.entry-head", null, time(at, "full"), deviceLink(device, person, { idiom: asked?.idiom }), h("span.quiet", null, `as ${contextText(asked)}`)),
    served ? h("p", null, `Got ${served.fidelity === "place" ? "the place" : "the full state"} of `,
      archive(served.archive, chosen ? ["the archive captured ", time(chosen.capturedAt, "full")] : `the archive ${shortID(served.archive)}`),
      served.fidelity === "place" && chosen?.reasons?.length ? `, not the full state: ${why(chosen)}.` : ".",
      offered(chosen?.reasons)) : h("p", null, h("b", null, "Got nothing.")),
    refused.length ? h("ul.why", null, refused.map((one) => h("li", null,
      archive(one.archive, ["The archive captured ", time(one.capturedAt, "full")]), ` was not served: ${why(one)}.`))) : null);
}
