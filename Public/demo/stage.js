// The stage: two devices of one person, the stories, and what the service answered.

import { fill, h } from "../admin/dom.js";
import { choose, preference } from "../admin/preferences.js";
import { Device } from "./device.js";
import { stories } from "./stories.js";
import { launched, why } from "./words.js";

const pace = Number(new URLSearchParams(location.search).get("pace") ?? 1200);
const pause = () => new Promise((resolve) => { setTimeout(resolve, pace); });
const newProfile = (kind) => `${kind}-${crypto.getRandomValues(new Uint32Array(1))[0]}`;

const caption = h("div.caption.panel", { role: "status" });
const log = h("ol.log");
const buttons = stories.map((story) => h("button.story.secondary", { type: "button", on: { click: () => play(story) } }, story.title));
const startOver = h("button.secondary", { type: "button", on: { click: () => whileBusy(eraseAll) } }, "Start over");
let isBusy = false, phone, tablet;

/** One thing at a time uses the devices. */
async function whileBusy(work) {
  if (isBusy) return;
  isBusy = true;
  for (const button of [...buttons, startOver]) button.ariaDisabled = "true";
  await work();
  isBusy = false;
  for (const button of [...buttons, startOver]) button.ariaDisabled = "false";
}

/** Adds what the service answered to a device, and what the app then did. */
function follow(device) {
  const add = (classes, kind, text, reason) => {
    log.prepend(h("li", { class: classes, "data-kind": kind }, h("strong", null, device.name), h("p", null, text), reason && h("p.why", null, reason)));
    log.children[40]?.remove();
  };
  device.addEventListener("note", ({ detail: { kind, isAnswer, text, explanation, reason, offer } }) => {
    if (isAnswer) add("", kind, text, why(explanation));
    else if (kind === "launched") add("app", kind, launched(reason));
    else if (kind === "offer" && offer) add("app", kind, `Asks whether to continue at “${offer}”.`);
  });
}

function play(story) {
  return whileBusy(async () => {
    const steps = h("ol"), look = h("p.look");
    stories.forEach((one, index) => { buttons[index].ariaCurrent = String(one === story); });
    fill(caption, h("h2", null, story.title), steps, look);
    const say = async (text, device) => {
      for (const one of [phone, tablet]) one.element.classList.toggle("acts", one === device);
      steps.append(h("li", null, text));
      if (innerWidth < 768) device.element.scrollIntoView({ block: "nearest" });
      await pause();
    };
    try {
      for (const device of [phone, tablet]) if (device.isOffline) device.setOffline(false);
      await story.tell({ phone, tablet, say, pause, newProfile });
      fill(look, h("strong", null, "Look: "), story.look);
      buttons[stories.indexOf(story)].dataset.done = "";
    } catch ({ message }) {
      fill(look, h("strong", null, "The story stopped. "), `${message} Play it again.`);
    }
    for (const one of [phone, tablet]) one.element.classList.remove("acts");
  });
}

/** Starts both devices. Devices that the service has just registered become devices of one person. */
async function open() {
  const show = (title, text) => fill(caption, h("h2", null, title), h("p", null, text));
  show("Starting the devices…");
  try {
    await Promise.all([phone.start(), tablet.start()]);
    if (phone.isNew || tablet.isNew) {
      await tablet.reader.link((await phone.reader.places.makeLinkCode()).code);
      phone.isNew = tablet.isNew = false;
    }
    show("One person, two devices", "Play a story, or open a book on one device and watch the other. Nothing is staged: both apps use the module for web apps, and the service treats them as it treats everybody.");
  } catch ({ message }) {
    show("The devices did not start", `${message} Does the service run, and is the key in the address right?`);
  }
}

/** Erases the person from the service, and begins with two new devices. */
async function eraseAll() {
  await phone.reader.places.erase().catch(() => undefined);
  for (const device of [phone, tablet]) {
    await device.leave();
    device.settings = { profile: newProfile(device.kind), app: 1, state: 1 };
  }
  for (const button of buttons) delete button.dataset.done;
  fill(log);
  await open();
}

function colors() {
  const change = ({ target: { value } }) => {
    choose("theme", value);
    for (const { document } of [phone, tablet]) document.documentElement.dataset.theme = value;
  };
  return h("select", { "aria-label": "Colors", on: { change } }, Object.entries({ auto: "Automatic colors", light: "Light", dark: "Dark" })
    .map(([value, text]) => h("option", { value, selected: value === preference("theme") }, text)));
}

export async function start(key) {
  [phone, tablet] = [new Device("phone", "Phone", key), new Device("tablet", "Tablet", key)];
  follow(phone);
  follow(tablet);
  document.body.className = "stage";
  fill(document.body,
    h("a.skip", { href: "#devices" }, "Skip to the devices"),
    h("header.topbar", null, h("img", { src: "../mark.svg", alt: "", width: 28, height: 28 }), h("p.brand", null, "Placekeeper"), h("span.spacer"), h("div.inline", null, colors(), startOver, h("a", { href: "../admin/" }, "Admin page"))),
    h("main", null,
      h("div.intro", null, h("h1", null, "Read here. Continue there."), h("p", null, "A small reading app on two devices of one person.")),
      h("nav.stories", { "aria-labelledby": "stories-title" }, h("h2", { id: "stories-title" }, "Stories"), h("ol", null, buttons.map((button) => h("li", null, button)))),
      h("div.play", null, caption, h("div.devices", { id: "devices" }, phone.element, tablet.element)),
      h("section.answers", { "aria-labelledby": "answers-title" }, h("h2", { id: "answers-title" }, "What the service answered"), log)));
  await whileBusy(open);
}
