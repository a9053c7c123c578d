// Starts the page: finds out who is logged in, and shows the view of the address.

import { Problem, get, isAborted } from "./api.js";
import { fill, h } from "./dom.js";
import { route, start } from "./router.js";
import { logInForm, readSession } from "./session.js";
import { explained, notify } from "./components/notice.js";
import { failure } from "./components/panel.js";
import { frame, renewFrame, showView } from "./components/layout.js";
import { watchConnection } from "./components/connection.js";
import { setUpView } from "./views/set-up.js";
import { appsView } from "./views/apps.js";
import { startView } from "./views/start.js";
import { overviewView } from "./views/overview.js";
import { usersView } from "./views/users.js";
import { userView } from "./views/user.js";
import { timelineView } from "./views/timeline.js";
import { archiveView } from "./views/archive.js";
import { differenceView } from "./views/difference.js";
import { explainView } from "./views/explain.js";
import { dataSourcesView, dataSourceView } from "./views/identity.js";
import { itemView } from "./views/item.js";
import { settingsView } from "./views/settings.js";
import { auditView } from "./views/audit.js";
import { administratorsView, accountView } from "./views/administrators.js";
import { tokensView } from "./views/tokens.js";
import { aboutView } from "./views/about.js";

const user = "/apps/:app/users/:user";
const scene = `${user}/scenes/:scene`;

route("/", appsView);
route("/apps/:app", overviewView);
route("/apps/:app/start", startView);
route("/apps/:app/users", usersView);
route("/apps/:app/settings", settingsView);
route("/apps/:app/audit", auditView);
route(user, userView);
route(scene, timelineView);
route(`${scene}/explain`, explainView);
route(`${scene}/archives/:archive`, archiveView);
route(`${scene}/archives/:archive/diff`, differenceView);
route(`${user}/data-sources`, dataSourcesView);
route(`${user}/data-sources/:name`, dataSourceView);
route(`${user}/data-sources/:name/items/:item`, itemView);
route("/administrators", administratorsView);
route("/tokens", tokensView);
route("/account", accountView);
route("/about", aboutView);

const main = document.getElementById("main");

function missingView() {
  return {
    title: "Not found",
    content: h("p", null, "This address names no view. ", h("a", { href: "#/" }, "Show the apps")),
  };
}

/** Shows a page without the frame, for people who are not logged in. */
function alone(title, ...children) {
  document.title = `${title} · Placekeeper`;
  const heading = h("h1", { tabindex: "-1" }, title);
  fill(main, h("div.alone", null,
    h("img", { src: "../mark.svg", alt: "", width: 48, height: 48 }), heading, children));
  (main.querySelector("input") ?? heading).focus();
}

function showLogIn(status) {
  alone("Log in", status?.needsSetUp
    ? h("p", null, "This service has no administrator yet. Open the one-time link that the service gave at its first ",
      "start: in the terminal, or in a file of its data directory.")
    : h("p.quiet", null, "The administration of this Placekeeper service."),
  logInForm(() => open()));
}

/** Shows the views. After a log-in, the focus goes to the first view's title; otherwise it stays at the page's start. */
function open({ isAfterLogIn = true } = {}) {
  let isFirst = !isAfterLogIn;
  const show = (view, isSame, visit) => {
    showView(view, isFirst ? null : isSame, visit);
    isFirst = false;
  };
  frame();
  start({ show, missing: missingView });
}

async function boot() {
  const secret = /^#\/set-up\/(.+)$/.exec(location.hash)?.[1];
  if (secret) {
    alone("Set up Placekeeper", setUpView(secret, () => {
      history.replaceState(null, "", "#/");
      open();
    }));
    return;
  }
  try {
    const [isLoggedIn, status] = await Promise.all([readSession(), get("/status")]);
    if (isLoggedIn) open({ isAfterLogIn: false });
    else showLogIn(status);
  } catch (error) {
    if (!(error instanceof Problem)) console.error(error);
    alone("Placekeeper", failure(error, boot));
  }
}

document.getElementById("skip").addEventListener("click", (event) => {
  // The address names the view, so the link must not change it.
  event.preventDefault();
  (main.querySelector("h1") ?? main).focus();
});
document.addEventListener("placekeeper:administrator", () => {
  renewFrame();
  notify("Another administrator has logged in. What you typed is still there.");
});
document.addEventListener("placekeeper:apps", renewFrame);
window.addEventListener("hashchange", () => {
  if (location.hash.startsWith("#/set-up/")) location.reload();
});
window.addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  if (isAborted(event.reason)) return;
  console.error(event.reason);
  notify(explained(event.reason), "bad");
});
watchConnection();
boot();

