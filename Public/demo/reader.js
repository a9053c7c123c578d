// The reading app: a library, a book, a page. place.js keeps the person's place.

import { fill, h } from "../admin/dom.js";
import { bookOf, books } from "./books.js";
import { explanation, network, setOffline } from "./network.js";
import { keepPlace } from "./place.js";
import { answered, launched } from "./words.js";

const { device = "phone", profile = device, app = "1", state = "1" } = Object.fromEntries(new URLSearchParams(location.search));
// Each device sorts its library in its own way.
const order = device === "tablet" ? "author" : "title";
const library = books.toSorted((a, b) => a[order].localeCompare(b[order]));
const inset = 20;

let place, view = {}, hasUndo, offerCard, keptAt = 0;

const button = (text, act, listener, classes = "secondary") => h("button", { type: "button", class: classes, "data-act": act, on: { click: listener } }, text);
const title = h("h1");
const back = button("‹", "back", () => go(view.chapter === undefined ? { top: view.book } : { top: view.top, book: view.book }));
back.ariaLabel = "Back";
const sent = h("span.sent");
const screen = h("main", { id: "screen", tabindex: 0, "aria-label": "Reading" });
const toast = h("section.toast", { "aria-label": "Message", role: "status" });
const code = h("output.link-code");
const input = h("input", { id: "code", autocomplete: "off", required: true });
const fault = h("p.fault", { role: "alert" });
const reason = h("p.quiet");
const dialog = h("dialog.dialog", { "aria-labelledby": "link-title" }, h("div.dialog-body", null,
  h("h2", { id: "link-title" }, "Link your devices"),
  h("div.inline", null, button("Show a code", "make-code", () => attempt(async () => {
    code.textContent = (await place.places.makeLinkCode()).code;
    tell("shows-code", { code: code.textContent });
  })), code),
  h("form.field", { on: { submit: (event) => {
    event.preventDefault();
    attempt(() => link(input.value));
  } } }, h("label", { for: "code" }, "The code that your other device shows"), h("div.joined", null, input, h("button", { "data-act": "use-code" }, "Link"))),
  fault, reason, button("Close", "close", () => dialog.close())));

/** Tells the page of the demo, if this is one of its frames. */
const tell = (kind, detail) => globalThis.frameElement?.dispatchEvent(new CustomEvent("reader", { detail: { ...detail, kind, view } }));

// MARK: Screens

/** Shows a view. Without one, this is the first screen, which is not yet anybody's place. */
function show(shown = {}) {
  view = shown;
  const book = bookOf(view.book), chapter = book?.chapters[view.chapter];
  back.hidden = !book;
  title.textContent = book?.title ?? "Library";
  fill(screen, chapter ? page(chapter, book.chapters[view.chapter + 1]) : book ? chapters(book) : shelf());
  settle();
  tell("shown");
}

const cover = (book) => h("span.cover", { "data-tint": books.indexOf(book) % 3, "aria-hidden": "true" }, book.title.replace(/^(A|The) /, "").charAt(0));

const shelf = () => h("ul.books", null, library.map((book) => h("li", { "data-book": book.id },
  h("button", { type: "button", on: { click: () => go({ top: view.top, book: book.id }) } }, cover(book), h("span", null, h("strong", null, book.title), h("span.quiet", null, book.author))))));

const chapters = (book) => [h("div.front", null, cover(book), h("p.quiet", null, `by ${book.author}`)),
  h("ol.chapters", null, book.chapters.map((one, index) => h("li", null, button(one.title, `chapter-${index}`, () => turnTo(index)))))];

const page = ({ title: name, text }, next) => h("article", null, h("h2", null, name), text.map((one) => h("p", null, one)),
  h("footer", null, next ? button(`Next: ${next.title}`, "next", () => turnTo(view.chapter + 1)) : "The end."));

const parts = () => [...screen.querySelectorAll("article > p, .books > li")];

function settle() {
  const index = view.book ? view.paragraph : library.findIndex(({ id }) => id === view.top);
  screen.scrollTop = index > 0 ? parts()[index].offsetTop - inset : 0;
  mark();
}

const mark = () => parts().forEach((part, index) => part.classList.toggle("here", index === view.paragraph));

// Another width breaks the lines elsewhere, but the paragraph stays.
let width;
new ResizeObserver(() => {
  if (width !== screen.clientWidth) settle();
  width = screen.clientWidth;
}).observe(screen);

screen.addEventListener("scroll", () => {
  if (width !== screen.clientWidth) return;
  const index = Math.max(0, parts().findLastIndex((part) => part.offsetTop <= screen.scrollTop + inset + 8));
  const scrolled = view.book ? { ...view, paragraph: index } : { top: library[index].id };
  if (view.book ? view.chapter === undefined || index === view.paragraph : scrolled.top === (view.top ?? library[0].id)) return;
  view = scrolled;
  mark();
  keep();
  tell("shown");
});

function go(next, options) {
  const hadFocus = document.activeElement !== document.body;
  show(next);
  keep(options);
  hasUndo = false;
  fill(toast, offerCard);
  if (hadFocus) screen.focus({ preventScroll: true });
}

const turnTo = (chapter) => go({ ...view, chapter, paragraph: 0 });

async function keep(options) {
  keptAt = performance.now();
  try {
    await place.save(view, options);
    sent.textContent = (await place.places.status()).pending ? "● Kept here" : "✓ Sent";
  } catch (error) { say(error); }
}

// MARK: Offers

const card = (name, text, ...buttons) => h("div.card", { "data-card": name }, h("p", null, text), h("div.inline", null, buttons));

function ask(offer) {
  const where = offer?.titles.at(-1);
  offerCard = offer && card("offer", `${offer.device.name} is at “${where}”.`,
    button("Continue", "continue", () => open(offer).catch(say), ""), button("Not now", "dismiss", () => place.dismiss(offer)));
  if (offer || !hasUndo) fill(toast, offerCard);
  tell("offer", { offer: where });
}

async function open(offer) {
  const leaving = view;
  show(await place.open(offer));
  // Showing a place is no work, which the module knows.
  keep();
  hasUndo = true;
  fill(toast, card("undo", "You are at the other device’s place.", button("Undo", "undo", () => go(leaving, { interaction: "now" }), "")));
  tell("opened");
}

function say({ message }) { sent.textContent = message; }

// MARK: Linking and answers

async function attempt(action) {
  fault.textContent = "";
  try { await action(); } catch ({ message }) { fault.textContent = message; }
}

async function link(text) {
  noteLaunch(await place.link(text.trim().toUpperCase()));
  dialog.close();
}

function noteLaunch(launch) {
  reason.textContent = `At its start: ${launched(launch.reason)}`;
  if (launch.restore) keep();
  tell("launched", { reason: launch.reason });
}

network.addEventListener("answer", async ({ detail }) => {
  const told = answered(detail);
  if (!told) return;
  if (detail.options.method === "PUT" && detail.startedAt > keptAt) sent.textContent = "✓ Sent";
  if (told.asksWhy) told.explanation = await explanation(detail).catch(() => undefined);
  tell(told.kind, { ...told, isAnswer: true });
});

// MARK: Start

export async function start(key) {
  document.body.className = "reader";
  document.title = "Reading app";
  fill(document.body, h("header.top", null, back, title, sent, button("Link", "link", () => dialog.showModal())), screen, toast, dialog);
  place = keepPlace({ key, device, profile, version: { app, state: Number(state) } }, { show, ask });
  // For the stories.
  globalThis.reader = { setOffline, link, places: place.places };
  noteLaunch(await place.launch());
}
