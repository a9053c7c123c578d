// The frame of the page: the bar at the top, the navigation, and the place of the views.

import { go, link } from "./addresses.js";
import { madeRequests } from "./api.js";
import { appName, apps } from "./apps.js";
import { showRequests } from "./curl.js";
import { announce, append, fill, h } from "./dom.js";
import { forgetFocus, rememberFocus, restoreFocus } from "./focus.js";
import { icon, mark } from "./icons.js";
import { logOut } from "./log-in.js";
import { name } from "./names.js";
import { choose, preference } from "./preferences.js";
import { explained } from "./problems.js";
import { isOfService } from "./service.js";
import { administrator } from "./session.js";
import { plain } from "./texts.js";
import { act } from "./toasts.js";

export const main = document.getElementById("main");
let shownApp = null;

/** Puts the frame around the views. */
export function frame() {
  fill(document.getElementById("page"), topBar(), h("div.columns", null, navigation(), main));
}

function topBar() {
  const toggle = h("button.icon.menu-toggle", {
    type: "button", "aria-expanded": "false", "aria-controls": "navigation", "aria-label": "Menu",
    on: { click: () => setMenu(toggle.ariaExpanded !== "true") },
  }, icon("menu"));
  return h("header.topbar", null,
    toggle,
    h("a.brand", { href: "#/", "aria-label": "Placekeeper" }, mark(28), h("span", null, "Placekeeper")),
    h("div", { id: "switcher" }),
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
    choices("Colors", "theme", [["auto", "As the system"], ["light", "Light"], ["dark", "Dark"]]),
    choices("Times", "zone", [["local", "Local time"], ["utc", "UTC"]]),
    choices("The key /", "slash", [["on", "Goes to the search"], ["off", "Does nothing"]]),
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
  ["Overview", "", "overview"], ["Health", "health", "health"], ["Live", "live", "live"], ["Users", "users", "users"], ["Get started", "start", "start"],
  ["Settings", "settings", "settings"], ["Audit log", "audit", "audit"],
];

function navigation() {
  return h("nav.navigation", { id: "navigation", "aria-label": "Sections" },
    h("div", { id: "app-links" }), serviceLinks());
}

function serviceLinks() {
  return h("div.nav-group", null, h("p.nav-title", null, "Service"), h("ul", null,
    item("Home", "#/", "apps"), item("Service", "#/service", "about")));
}

const item = (text, href, glyph) => h("li", null, h("a.nav-link", { href }, icon(glyph), text));

function showApp({ app: id = null, user }) {
  // In a user's views, the list of apps is read only when the person opens it.
  if (id && !user) apps().catch(() => {
    // The view says why the apps could not be read.
  });
  if (id === shownApp) return;
  shownApp = id;
  fill(document.getElementById("app-links"), id ? h("div.nav-group", null,
    h("p.nav-title", null, appName(id)),
    h("ul", null, sections.map(([text, part, glyph]) => item(text, part ? link("/apps", id, part) : link("/apps", id), glyph)))) : null);
  fill(document.getElementById("switcher"), id ? switcher(id) : null);
}

/** A menu of the apps. */
function switcher(id) {
  const list = h("ul.app-list", null);
  const element = menu("Switch the app", appName(id), list, "app-menu");
  element.addEventListener("toggle", async () => {
    if (!element.open) return;
    try {
      fill(list, (await apps()).map((app) => h("li", null,
        h("a", { href: link("/apps", app.id), "aria-current": app.id === id ? "true" : null }, plain(app.bundleIdentifier, 40)))));
    } catch (error) {
      fill(list, h("li", null, explained(error)));
    }
  });
  return element;
}

/** Whether the next view is shown for its search. */
let wantsSearch = false;

/** Goes to the search of the shown view. Returns whether the view has a search. */
function focusSearch() {
  const input = document.getElementById("search");
  input?.focus();
  input?.select();
  return Boolean(input);
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || preference("slash") === "off") return;
  if (!shownApp || event.target.closest?.("input, textarea, select, dialog")) return;
  event.preventDefault();
  if (focusSearch()) return;
  wantsSearch = true;
  go(link("/apps", shownApp, "users"));
});

/** Draws the frame again, because another administrator has logged in or the apps have changed. */
export function renewFrame() {
  const app = shownApp;
  shownApp = null;
  frame();
  showApp({ app });
  markCurrent();
}

/**
 * Shows a view.
 * @param {{title: string, crumbs?: [import("./dom.js").Child, string][], heading?: import("./dom.js").Child,
 *   tabs?: import("./dom.js").Child, lead?: import("./dom.js").Child, actions?: import("./dom.js").Child, content: import("./dom.js").Child}} view
 * @param {boolean | null} isSame whether only the filters have changed; null for the first view, which leaves the focus
 */
export function showView(view, isSame, visit) {
  // The focus goes to the title too, if its element is drawn again and cannot be told from others.
  const losesFocus = isSame && !rememberFocus() && main.contains(document.activeElement);
  if (!isSame) forgetFocus();
  showApp(visit.params);
  setMenu(false);
  markCurrent();
  document.title = view.title ? `${plain(view.title)} · Placekeeper` : "Placekeeper";
  const heading = h("h1", { tabindex: "-1" }, view.heading ?? view.title);
  fill(main,
    view.crumbs?.length ? h("nav.crumbs", { "aria-label": "Where this is" },
      h("ol", null, view.crumbs.map(([text, href]) => h("li", null, h("a", { href }, text))))) : null,
    h("div.view-head", null, heading, h("div.view-actions", null, view.actions, h("button.secondary.small", { type: "button", id: "as-curl", on: { click: () => showRequests(madeRequests()) } }, "As curl"))),
    view.tabs ?? null,
    view.lead ? h("div.lead", null, view.lead) : null);
  append(main, [view.content]);
  if (isSame) {
    restoreFocus();
    if (losesFocus) heading.focus({ preventScroll: true });
  } else if (isSame === false) {
    window.scrollTo(0, 0);
    heading.focus({ preventScroll: true });
    announce("");
  }
  if (wantsSearch) focusSearch();
  wantsSearch = false;
}

function markCurrent() {
  const address = location.hash.replace(/\?.*/s, "") || "#/";
  const here = isOfService(address) ? "#/service" : address;
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
