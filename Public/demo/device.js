// A device of the demo: a frame with the reading app, which has a storage of its own.

import { fill, h } from "../admin/dom.js";

const memory = (kind) => `placekeeper.demo.${kind}`;
const reducesMotion = matchMedia("(prefers-reduced-motion: reduce)");

function remembered(kind) {
  try { return JSON.parse(localStorage.getItem(memory(kind))); } catch { return undefined; }
}

export class Device extends EventTarget {
  constructor(kind, name, key) {
    super();
    Object.assign(this, { kind, name, key, view: {}, settings: { profile: kind, app: 1, state: 1, ...remembered(kind) } });
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
    try { localStorage.setItem(memory(this.kind), JSON.stringify(this.settings)); } catch { /* They last until the page is closed. */ }
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

  /** The person closes the app, and opens it again. */
  async restart(settings) {
    await this.leave();
    return this.start(settings);
  }

  /** Ends the app as a browser ends a page that the person leaves. */
  leave() {
    return new Promise((resolve) => {
      this.frame.addEventListener("load", resolve, { once: true });
      this.frame.src = "about:blank";
    });
  }

  /** Ends the app as a crash does: opening the document drops its listeners, so the app does not notice its end. */
  crash() {
    this.document.open();
    fill(this.glass, h("p.crashed", null, "The app crashed."));
  }

  /** Does something, and waits until a condition holds, which each event of the app may change. */
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

  // MARK: What a person does

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
    this.element.classList.toggle("offline", isOffline);
  }

  turn() { this.element.classList.toggle("turned"); }
}
