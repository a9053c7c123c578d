// Starts the page: reads the session, and shows the view of the address.

import { get, renewBy } from "./api.js";
import { watchConnection } from "./connection.js";
import { fill, h } from "./dom.js";
import { frame, main, renewFrame } from "./frame.js";
import { mark } from "./icons.js";
import { invitationView, logInAgain, logInForm, setUpView } from "./log-in.js";
import { failure } from "./panels.js";
import { explained, isAborted, Problem } from "./problems.js";
import { prepare, render } from "./router.js";
import { readSession } from "./session.js";
import { notify } from "./toasts.js";
import { forgetDevices } from "./users.js";

/** Shows a page without the frame, for people who are not logged in. */
function alone(title, ...children) {
  document.title = `${title} · Placekeeper`;
  const heading = h("h1", { tabindex: "-1" }, title);
  main.ariaBusy = "false";
  fill(main, h("div.alone", null,
    mark(48), heading, children));
  (main.querySelector("input") ?? heading).focus();
}

function showLogIn(status) {
  alone("Log in", status?.needsSetUp
    ? h("p", null, "This service has no administrator yet. Open the one-time link of the service's last ",
      "start: it is in the terminal, or in a file of the data directory.")
    : h("p.quiet", null, "The administration of this Placekeeper service."),
  logInForm(() => showViews()));
}

/** Shows the views. After a log-in, the focus goes to the first view's title; otherwise it stays at the page's start. */
function showViews(options) {
  frame();
  window.addEventListener("hashchange", () => render());
  render(options);
}

/** The addresses that work without a session, each with its title and its view. */
const links = [
  [/^#\/set-up\/(.+)$/, "Set up Placekeeper", setUpView],
  [/^#\/invitation\/(.+)$/, "Welcome to Placekeeper", invitationView],
];

/** Whether the page shows such an address, which has no other views. */
let setsUp = false;

async function boot() {
  main.ariaBusy = "true";
  const [rule, title, view] = links.find(([known]) => known.test(location.hash)) ?? [];
  setsUp = Boolean(rule);
  try {
    if (rule) {
      return alone(title, view(rule.exec(location.hash)[1], () => {
        setsUp = false;
        history.replaceState(null, "", "#/");
        showViews();
      }));
    }
    prepare();
    if (await readSession()) showViews({ keepsFocus: true });
    else showLogIn(await get("/status"));
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
  // The names must not be shown to another administrator.
  forgetDevices();
  renewFrame();
  notify("Another administrator has logged in. What you typed is still there.");
});

document.addEventListener("placekeeper:apps", renewFrame);

window.addEventListener("hashchange", () => {
  if (setsUp || links.some(([rule]) => rule.test(location.hash))) location.reload();
});

window.addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  if (isAborted(event.reason)) return;
  console.error(event.reason);
  notify(explained(event.reason), "bad");
});

let asking = null;

/** Asks for the password over the page. Several requests share one dialog. */
function logIn() {
  asking ??= logInAgain().finally(() => {
    asking = null;
  });
  return asking;
}

renewBy({ logIn, read: readSession });
watchConnection();
boot();
