// The stage: two devices of one person, the stories, and what the service answered.

import { fill, h } from "../admin/dom.js";
import { choose, preference } from "../admin/preferences.js";
import { stories } from "./stories.js";
import { launched, why } from "./words.js";

const memory = (kind) => `placekeeper.demo.${kind}`;
const reducesMotion = matchMedia("(prefers-reduced-motion: reduce)");

class Device extends EventTarget {
  constructor(kind, name, key) {
    super();
    Object.assign(this, { kind, name, key, view: {}, settings: { profile: kind, app: 1, state: 1, ...JSON.parse(localStorage.getItem(memory(kind))) } });
    const tool = (text, listener) => h("button.secondary.small", { type: "button", on: { click: listener } }, text);
    this.glass = h("div.glass");
    this.airplane = tool("Airplane mode", () => this.setOffline(!this.isOffline));
    this.version = h("span.quiet");
    this.element = h("section.handheld", { "data-kind": kind, "aria-label": name }, h("header", null, h("h2", null, name), this.version), this.glass,
      h("div.inline", null, this.airplane, tool("Restart", () => this.restart()), tool("Turn", () => this.turn())));
  }

  get reader() { return this.frame.contentWindow.reader; }
  get document() { return this.frame.contentDocument; }
  find(selector) { return this.document.querySelector(selector); }

  // MARK: The frame

  /** Starts the app, with other settings if some are given. Resolves after the launch. */
  start(settings) {
    Object.assign(this.settings, settings);
    localStorage.setItem(memory(this.kind), JSON.stringify(this.settings));
    this.version.textContent = `version ${this.settings.state}.${this.settings.app}`;
    this.offer = undefined;
    this.showOffline(false);
    this.frame = h("iframe", { title: `${this.name}: the reading app`, src: `?${new URLSearchParams({ device: this.kind, ...this.settings })}#key=${this.key}` });
    this.frame.addEventListener("reader", ({ detail }) => {
      this.view = detail.view;
      if (detail.kind === "offer") this.offer = detail.offer;
      this.isNew ||= detail.kind === "registered";
      this.dispatchEvent(new CustomEvent("note", { detail }));
    });
    return this.after("launched", () => fill(this.glass, this.frame));
  }

  /** The person closes the app, as one leaves a page, and opens it again. */
  async restart(settings) {
    await new Promise((resolve) => {
      this.frame.onload = resolve;
      this.frame.src = "about:blank";
    });
    return this.start(settings);
  }

  /** Opening the document drops its listeners, so the app does not notice its end, as in a crash. */
  crash() {
    this.document.open();
    fill(this.glass, h("p.crashed", null, "The app crashed."));
  }

  /** Does something, and waits until an event of the app makes a condition true. */
  until(condition, action) {
    return new Promise((resolve, reject) => {
      const end = (settle, result) => {
        clearTimeout(timer);
        this.removeEventListener("note", listener);
        settle(result);
      };
      const listener = ({ detail }) => condition(detail) && end(resolve, detail);
      const timer = setTimeout(() => end(reject, new Error(`The ${this.kind} did not get there in time.`)), 15_000);
      this.addEventListener("note", listener);
      action?.();
      listener({ detail: {} });
    });
  }

  after(kind, action) { return this.until((detail) => detail.kind === kind, action); }

  /** Waits for the offer of another device's page, by its title. */
  offered(title) { return this.until(() => this.offer === title); }

  // MARK: Actions of the person

  press(act) { this.find(`[data-act="${act}"]`).click(); }

  /** The person continues at the offered page. */
  async follow(title) {
    await this.offered(title);
    await this.after("opened", () => this.press("continue"));
  }

  /** Opens a page by way of the library, and reads to a paragraph. The place is then sent, or kept if offline. */
  async read({ book, chapter, paragraph }) {
    while (this.view.book) this.press("back");
    this.find(`[data-book="${book}"] button`).click();
    this.press(`chapter-${chapter}`);
    const top = this.document.querySelectorAll("article > p")[paragraph].offsetTop - 20;
    await this.until(() => this.view.paragraph === paragraph,
      () => this.find("#screen").scrollTo({ top, behavior: reducesMotion.matches ? "instant" : "smooth" }));
    if (!this.isOffline) await this.send();
    return this.find("article h2").textContent;
  }

  /** Waits until everything is sent. */
  send() { return this.reader.places.flush({ deadline: 15_000 }); }

  setOffline(isOffline) {
    this.reader.setOffline(isOffline);
    this.showOffline(isOffline);
  }

  showOffline(isOffline) {
    this.isOffline = isOffline;
    this.airplane.ariaPressed = String(isOffline);
  }

  turn() { this.element.classList.toggle("turned"); }
}

// MARK: The page

const pace = Number(new URLSearchParams(location.search).get("pace") ?? 1200);
const pause = (least = 0) => new Promise((resolve) => { setTimeout(resolve, Math.max(pace, least)); });

const caption = h("div.caption.panel", { role: "status" });
const log = h("ol.log");
const buttons = stories.map((story) => h("button.story.secondary", { type: "button", on: { click: () => play(story) } }, story.title));
let isBusy = true, phone, tablet;

/** Lists what the service answered, and what the app then did. */
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

function setBusy(value) {
  isBusy = value;
  for (const button of buttons) button.ariaDisabled = String(value);
}

async function play(story) {
  if (isBusy) return;
  setBusy(true);
  const steps = h("ol"), look = h("p.look");
  stories.forEach((one, index) => { buttons[index].ariaCurrent = String(one === story); });
  fill(caption, h("h2", null, story.title), steps, look);
  const act = (device) => [phone, tablet].forEach((one) => one.element.classList.toggle("acts", one === device));
  const say = async (text, device) => {
    act(device);
    steps.append(h("li", null, text));
    if (innerWidth < 768) device.element.scrollIntoView({ block: "nearest" });
    await pause();
  };
  try {
    for (const device of [phone, tablet]) if (device.isOffline) device.setOffline(false);
    await story.tell({ phone, tablet, say, pause });
    fill(look, h("strong", null, "Look: "), story.look);
    buttons[stories.indexOf(story)].dataset.done = "";
  } catch ({ message }) {
    fill(look, `The story stopped. ${message} Play it again.`);
  }
  act();
  setBusy(false);
}

/** Starts both devices. New ones become devices of one person. */
async function open() {
  const show = (title, text) => fill(caption, h("h2", null, title), h("p", null, text));
  show("Starting the devices…");
  try {
    await Promise.all([phone.start(), tablet.start()]);
    if (phone.isNew || tablet.isNew) await tablet.reader.link((await phone.reader.places.makeLinkCode()).code);
    show("One person, two devices", "Play a story, or open a book on one device and watch the other. The service treats both as it treats everybody.");
    setBusy(false);
  } catch ({ message }) {
    show("The devices did not start", `${message} Does the service run, and is the key in the address right?`);
  }
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
    h("header.topbar", null, h("img", { src: "../mark.svg", alt: "", width: 28, height: 28 }), h("p.brand", null, "Placekeeper"), h("span.spacer"), colors(), h("a", { href: "../admin/" }, "Admin page")),
    h("main", null,
      h("div.intro", null, h("h1", null, "Read here. Continue there."), h("p.quiet", null, "A small reading app on two devices of one person.")),
      h("nav.stories", { "aria-labelledby": "stories-title" }, h("h2", { id: "stories-title" }, "Stories"), h("ol", null, buttons.map((button) => h("li", null, button)))),
      h("div.play", null, caption, h("div.devices", { id: "devices" }, phone.element, tablet.element)),
      h("section.answers", { "aria-labelledby": "answers-title", tabindex: 0 }, h("h2", { id: "answers-title" }, "What happened"), log)));
  await open();
}
