// The theme, the menu on a narrow screen, the search, the copy buttons, and the mark of the section that is read.
"use strict";
const root = document.currentScript.dataset.root;
const html = document.documentElement;

// A browser may refuse storage to a page that is opened from a disk.
const stored = {
  get: (name) => { try { return localStorage.getItem(name); } catch { return null; } },
  set: (name, value) => { try { localStorage.setItem(name, value); } catch { /* Until the page is left. */ } },
};

function showTheme(theme) {
  if (theme) html.dataset.theme = theme;
  html.toggleAttribute("data-dark", theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
}
showTheme(stored.get("theme"));

const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

// Search

let index = null;
const field = () => document.querySelector("#search input");

/** Loads the index at the first use. It is a script, because a page from a disk may not fetch files. */
function load() {
  if (index !== null) return;
  index = [];
  document.head.append(element("script", {
    src: `${root}search-index.js`,
    onload: () => {
      index = window.searchIndex.map(([url, page, heading, text, kind]) => ({
        url, page, heading, text, kind,
        lowerPage: page.toLowerCase(), lowerHeading: heading.toLowerCase(), lowerText: text.toLowerCase(),
      }));
      search();
    },
  }));
}

/** Guides come first, and history and reasons last. */
const weights = { HTTP: 0.7, Swift: 0.7, Decision: 0.5, Changelog: 0.5 };

/** How well an entry matches: every word must occur; a word of a title counts more than one of the text. */
function score(entry, words) {
  let total = 0;
  for (const word of words) {
    const heading = entry.lowerHeading.indexOf(word);
    const page = entry.lowerPage.indexOf(word);
    const text = entry.lowerText.indexOf(word);
    if (heading < 0 && page < 0 && text < 0) return 0;
    if (heading >= 0) total += entry.lowerHeading === word ? 60 : startsWord(entry.lowerHeading, heading) ? 30 : 12;
    if (page >= 0) total += startsWord(entry.lowerPage, page) ? 8 : 3;
    if (text >= 0) total += startsWord(entry.lowerText, text) ? 4 : 1;
  }
  return (total - Math.min(entry.lowerHeading.length, 80) / 40) * (weights[entry.kind] ?? 1);
}
const startsWord = (text, place) => place === 0 || !/[a-z0-9]/.test(text[place - 1]);

/** The words around the first match, with the matches marked. */
function excerpt(entry, words) {
  const places = words.map((word) => entry.lowerText.indexOf(word)).filter((place) => place >= 0);
  const first = places.length ? Math.min(...places) : 0;
  const from = first > 60 ? entry.text.indexOf(" ", first - 50) + 1 : 0;
  const isCut = entry.text.length > from + 150;
  return marked((from ? "… " : "") + entry.text.slice(from, from + 150) + (isCut ? " …" : ""), words);
}
function marked(text, words) {
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(`(${escaped.join("|")})`, "gi");
  return text.split(pattern).map((part, place) => (place % 2 ? element("mark", {}, part) : part));
}

function search() {
  const words = field().value.toLowerCase().split(/\s+/).filter(Boolean);
  const results = document.getElementById("results");
  results.hidden = !words.length;
  field().setAttribute("aria-expanded", String(words.length > 0));
  if (!words.length) return;
  const found = index.map((entry) => [score(entry, words), entry]).filter(([points]) => points > 0)
    .sort((a, b) => b[0] - a[0]).slice(0, 12);
  results.replaceChildren(...found.map(([, entry], place) => {
    const heading = entry.heading || entry.page;
    return element("a", { href: root + entry.url, id: `result-${place}`, role: "option", tabIndex: -1 },
      element("i", {}, entry.kind), element("b", {}, ...marked(heading, words)),
      element("span", {}, heading === entry.page ? "" : entry.page), element("p", {}, ...excerpt(entry, words)));
  }));
  const isLoaded = index.length > 0;
  if (!found.length) results.append(element("p", { className: "none" }, isLoaded ? "Nothing found." : "Loading …"));
  choose(0);
}
function choose(place) {
  const links = [...document.querySelectorAll("#results a")];
  links.forEach((link, other) => link.setAttribute("aria-selected", String(other === place)));
  links[place]?.scrollIntoView({ block: "nearest" });
  if (links[place]) field().setAttribute("aria-activedescendant", links[place].id);
}
function closeSearch() {
  document.getElementById("results").hidden = true;
  field().setAttribute("aria-expanded", "false");
  field().removeAttribute("aria-activedescendant");
}
function keys(event) {
  const links = [...document.querySelectorAll("#results a")];
  const chosen = links.findIndex((link) => link.getAttribute("aria-selected") === "true");
  if (event.key === "ArrowDown") choose(Math.min(chosen + 1, links.length - 1));
  else if (event.key === "ArrowUp") choose(Math.max(chosen - 1, 0));
  else if (event.key === "Enter") links[chosen]?.click();
  else if (event.key === "Escape") { closeSearch(); field().blur(); }
  else return;
  event.preventDefault();
}

// The section that is read

/** Marks the link of the last heading above the middle of the window, in the contents and below the API's entry. */
function follow() {
  const links = [...document.querySelectorAll("aside a, nav .follows a")];
  const targets = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  let current = -1;
  targets.forEach((target, place) => {
    if (target && target.getBoundingClientRect().top < innerHeight / 3) current = place;
  });
  links.forEach((link, place) => {
    if (place === current) link.setAttribute("aria-current", "location");
    else link.removeAttribute("aria-current");
  });
  if (document.querySelector(".follows")) showGroup(links.map((link) => link.parentElement), current);
}

/** Shows the requests of the tag that is read, and hides those of the other tags. */
function showGroup(items, current) {
  const isGroup = (item) => item.classList.contains("level-2");
  const first = items.slice(0, current + 1).findLastIndex(isGroup);
  let isShown = false;
  items.forEach((item, place) => {
    if (isGroup(item)) isShown = place === first;
    else item.classList.toggle("shown", isShown);
  });
  if (current >= 0) reveal(items[current]);
}

/** Scrolls the navigation, and not the page, to an entry. */
function reveal(item) {
  const navigation = document.getElementById("navigation");
  const { top, bottom } = item.getBoundingClientRect();
  const frame = navigation.getBoundingClientRect();
  if (top < frame.top || bottom > frame.bottom) navigation.scrollTop += top - frame.top - frame.height / 3;
}

document.addEventListener("DOMContentLoaded", () => {
  document.getElementById("theme").addEventListener("click", () => {
    const theme = html.hasAttribute("data-dark") ? "light" : "dark";
    stored.set("theme", theme);
    showTheme(theme);
  });
  const menu = document.getElementById("menu");
  const toggleMenu = (isOpen) => {
    html.toggleAttribute("data-menu", isOpen);
    menu.setAttribute("aria-expanded", String(html.hasAttribute("data-menu")));
  };
  menu.addEventListener("click", () => toggleMenu());
  document.getElementById("navigation").addEventListener("click", (event) => {
    if (event.target.closest("a")) toggleMenu(false);
  });

  field().addEventListener("focus", load);
  field().addEventListener("input", search);
  field().addEventListener("keydown", keys);
  document.addEventListener("click", (event) => {
    if (!event.target.closest("#search") || event.target.closest("#results a")) closeSearch();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target.closest("input") || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    field().select();
  });

  for (const block of document.querySelectorAll("pre.code:not(.numbered)")) {
    if (block.closest(".declaration")) continue;
    const button = element("button", { type: "button", className: "copy" }, "Copy");
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(block.textContent);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    const frame = element("div", { className: "block" });
    block.replaceWith(frame);
    frame.append(block, button);
  }

  const entry = document.querySelector('nav [aria-current="true"]') ?? document.querySelector("nav [aria-current]");
  if (entry) reveal(entry);
  follow();
  let isWaiting = false;
  addEventListener("scroll", () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => { isWaiting = false; follow(); });
  }, { passive: true });
});
