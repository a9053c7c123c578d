// A dry run of a changed policy against the restores that the service has logged.

import { link, path } from "./addresses.js";
import { send } from "./api.js";
import { contextText } from "./devices.js";
import { h, lookUp } from "./dom.js";
import { badge, figures } from "./facts.js";
import { capital, counted, number, percent, shortID } from "./formats.js";
import { name } from "./names.js";
import { empty } from "./panels.js";
import { blockerText, reasonText } from "./reasons.js";
import { plain } from "./texts.js";
import { time } from "./times.js";

const kinds = {
  refused: ["get nothing", "bad", "An archive was served before. With this policy, none of the archives in the log may be served; an older one still might."],
  served: ["get an archive", "good", "Nothing was served before."],
  place: ["get only the place", "poor", "The full state was served before."],
  full: ["get the full state", "good", "Only the place was served before."],
  other: ["get another archive", "accent", "Another archive was served before."],
};

/** Tries a policy, and returns the result as elements. `policy` is a merge patch. */
export async function dryRun(app, policy) {
  const { data } = await send("POST", path`/apps/${app}/dry-runs`, { body: { policy } });
  return result(data, app);
}

function result({ answers, unchanged, unchangedReasons = [], changes, from, to }, app) {
  if (!answers) return empty("The service has logged no restore yet", h("p", null, "The log begins with the first answer to a device that asks for an archive."));
  const changed = answers - unchanged;
  return [
    figures([
      { name: "Would change", value: number(changed), note: `${percent(changed / answers)} of ${counted(answers, "answer")}` },
      { name: "Stay as they are", value: number(unchanged) },
    ]),
    from ? h("p.quiet.hint", null, "Answers from ", time(from, "minute"), " to ", time(to, "minute"), ".") : null,
    changes.filter(({ count }) => count).length ? changes.filter(({ count }) => count).map((change) => changeItem(change, app))
      : h("p", null, badge("no change", "good"), " Each device would get the same archive as before."),
    unchangedReasons.length ? [
      h("h3", null, "What still blocks the newest archive"),
      h("ul.lines.blockers", null, unchangedReasons.map((reason) => h("li", null, blockedText(reason)))),
      h("p.quiet.hint", null, "These answers would stay as they are. An answer with several reasons counts for each."),
    ] : null,
  ];
}

/** Says how many answers a reason still blocks: `423 answers of 40 users: the full state is blocked by the layout.` */
const blockedText = ({ code, blocks, answers, users }) => `${counted(answers, "answer")} of ${counted(users, "user")}: ${blockerText({ code, blocks })}.`;

function changeItem({ kind, count, users, examples }, app) {
  const [words, color, note] = lookUp(kinds, kind) ?? [plain(kind), "plain", ""];
  return h("details.dry-run-change", { data: { kind } },
    h("summary", null, badge(number(count), color), " ", h("b", null, words), h("span.quiet", null, ` · ${counted(users, "user")}`)),
    h("p.quiet.hint", null, note, examples.length < count ? ` The newest ${examples.length}:` : ""),
    h("ol.examples", null, examples.map((example) => exampleItem(example, app))));
}

function exampleItem({ at, user, scene, asked, before, after, reasons: against }, app) {
  const person = ["/apps", app, "users", user];
  const served = (answer) => answer ? h("a", { href: link(...person, "scenes", scene, "archives", answer.archive) },
    `${answer.fidelity === "place" ? "the place of" : "the full state of"} ${shortID(answer.archive)}`) : h("span.quiet", null, "nothing");
  return h("li.example", null,
    h("p", null, time(at, "minute"), " · ", h("a", { href: link(...person) }, "user ", h("code", null, shortID(user))), " · scene ",
      name(scene, { limit: 30, label: "scene", href: link(...person, "scenes", scene) })),
    h("p.quiet", null, `Asked as ${contextText(asked)}.`),
    h("p", null, served(before), " → ", served(after)),
    against?.length ? h("ul.why", null, against.map((reason) => h("li", null, capital(reasonText(reason)), "."))) : null);
}
