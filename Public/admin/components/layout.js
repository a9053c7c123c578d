// The frame of the page: the bar at the top, the navigation, and the place of the views.

import { apps, appName } from "../apps.js";
import { announce, append, fill, h } from "../dom.js";
import { forgetFocus, rememberFocus, restoreFocus } from "../focus.js";
import { go, link } from "../router.js";
import { administrator, logOut, may } from "../session.js";
import { choose, preference } from "../preferences.js";
import { name, plain } from "../text.js";
import { curlButton } from "./requests.js";
import { icon } from "./icons.js";
import { act } from "./notice.js";

const main = () => document.getElementById("main");
let shownApp = null;

/** Puts the frame around the views. */
export function frame() {
  const place = main();
  fill(document.getElementById("page"), topBar(), h("div.columns", null, navigation(), place));
}

function topBar() {
  const toggle = h("button.icon.menu-toggle", {
    type: "button", "aria-expanded": "false", "aria-controls": "navigation", "aria-label": "Menu",
    on: { click: () => setMenu(toggle.ariaExpanded !== "true") },
  }, icon("menu"));
  return h("header.topbar", null,
    toggle,
    h("a.brand", { href: "#/" }, h("img", { src: "../mark.svg", alt: "", width: 28, height: 28 }), h("span", null, "Placekeeper")),
    h("div.switcher", { id: "switcher" }),
    h("div.spacer"),
    viewMenu(), accountMenu());
}

function setMenu(isOpen) {
  document.querySelector(".menu-toggle")?.setAttribute("aria-expanded", String(isOpen));
  document.getElementById("navigation")?.classList.toggle("open", isOpen);
}

/** A button with a panel below it. Escape and a click elsewhere close it. */
function menu(label, summary, children, id) {
  const element = h("details.menu", { id }, h("summary", { "aria-label": label }, summary), h("div.menu-body", null, children));
  const close = () => {
    element.open = false;
  };
  element.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && element.open) {
      close();
      element.querySelector("summary").focus();
    }
  });
  element.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !element.contains(event.relatedTarget)) close();
  });
  document.addEventListener("pointerdown", (event) => element.contains(event.target) || close());
  element.addEventListener("click", (event) => event.target.closest("a") && close());
  return element;
}

function choices(legend, key, options) {
  return h("fieldset.choices", null, h("legend", null, legend), options.map(([value, text]) =>
    h("label", null, h("input", {
      type: "radio", name: `preference-${key}`, value, checked: preference(key) === value,
      on: { change: () => choose(key, value) },
    }), text)));
}

function viewMenu() {
  return menu("Display", [icon("display"), h("span.wide-only", null, "Display")], [
    choices("Colours", "theme", [["auto", "As the system"], ["light", "Light"], ["dark", "Dark"]]),
    choices("Times", "zone", [["local", "Local time"], ["utc", "UTC"]]),
  ], "display-menu");
}

function accountMenu() {
  const who = administrator();
  const leave = h("button.secondary.small", { type: "button", on: { click: () => act(leave, logOut) } }, "Log out");
  return menu("Account", h("span.account", null, plain(who?.name, 20)), [
    h("p", null, "Logged in as ", name(who?.name, { label: "name" }), h("span.quiet", null, ` · ${who?.role ?? ""}`)),
    h("p", null, h("a", { href: "#/account" }, "Change the password")),
    leave,
  ], "account-menu");
}

const sections = [
  ["Overview", "", "overview"], ["Users", "users", "users"], ["Get started", "start", "start"],
  ["Settings", "settings", "settings"], ["Audit log", "audit", "audit"],
];

function navigation() {
  return h("nav.navigation", { id: "navigation", "aria-label": "Sections" },
    h("div", { id: "app-links" }), serviceLinks());
}

function serviceLinks() {
  return h("div.nav-group", null, h("p.nav-title", null, "Service"), h("ul", null,
    item("Apps", "#/", "apps"),
    may("owner") ? item("Administrators", "#/administrators", "people") : null,
    may("owner") ? item("API tokens", "#/tokens", "key") : null,
    item("About", "#/about", "about")));
}

const item = (text, href, glyph) => h("li", null, h("a.nav-link", { href }, icon(glyph), text));

function showApp(id) {
  if (id !== shownApp) {
    shownApp = id;
    fill(document.getElementById("app-links"), id ? h("div.nav-group", null,
      h("p.nav-title", null, appName(id)),
      h("ul", null, sections.map(([text, part, glyph]) => item(text, part ? link("/apps", id, part) : link("/apps", id), glyph)))) : null);
  }
  showSwitcher(id);
}

async function showSwitcher(id) {
  const place = document.getElementById("switcher");
  try {
    const items = await apps();
    if (place !== document.getElementById("switcher")) return;
    if (items.length < 2 && id) return void fill(place);
    if (!items.length || !id) return void fill(place);
    const select = h("select", { "aria-label": "App", id: "app-switcher", on: { change: () => go(link("/apps", select.value)) } },
      items.map((app) => h("option", { value: app.id, selected: app.id === id }, plain(app.bundleIdentifier, 40))));
    fill(place, select);
  } catch {
    // The view says why the apps could not be read.
  }
}

/** Makes the frame anew, because another administrator has logged in or the apps have changed. */
export function renewFrame() {
  shownApp = null;
  frame();
}

/**
 * Shows a view.
 * @param {{title: string, crumbs?: [import("../dom.js").Child, string][], heading?: import("../dom.js").Child,
 *   lead?: import("../dom.js").Child, actions?: import("../dom.js").Child, content: import("../dom.js").Child}} view
 * @param {boolean | null} isSame whether only the filters have changed; null for the first view, which leaves the focus
 */
export function showView(view, isSame, visit) {
  if (isSame) rememberFocus();
  else forgetFocus();
  showApp(visit.params.app ?? null);
  setMenu(false);
  markCurrent();
  document.title = view.title ? `${plain(view.title)} · Placekeeper` : "Placekeeper";
  const heading = h("h1", { tabindex: "-1" }, view.heading ?? view.title);
  fill(main(),
    view.crumbs?.length ? h("nav.crumbs", { "aria-label": "Where this is" },
      h("ol", null, view.crumbs.map(([text, href]) => h("li", null, h("a", { href }, text))))) : null,
    h("div.view-head", null, heading, h("div.view-actions", null, view.actions, curlButton())),
    view.lead ? h("div.lead", null, view.lead) : null);
  append(main(), [view.content]);
  if (isSame) {
    restoreFocus();
  } else if (isSame === false) {
    window.scrollTo(0, 0);
    heading.focus({ preventScroll: true });
    announce("");
  }
}

function markCurrent() {
  const here = location.hash.replace(/\?.*/s, "") || "#/";
  let best = null;
  for (const element of document.querySelectorAll(".nav-link")) {
    element.removeAttribute("aria-current");
    const href = element.getAttribute("href");
    const isInside = here === href || here.startsWith(`${href}/`);
    const isLonger = !best || href.length > best.getAttribute("href").length;
    if (isInside && href !== "#/" ? isLonger : here === href) best = element;
  }
  best?.setAttribute("aria-current", "page");
}
