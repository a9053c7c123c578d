// Getting started: the key, the lines for the app, and waiting for the first device.

import { link, path } from "./addresses.js";
import { get } from "./api.js";
import { appName } from "./apps.js";
import { codeBlock } from "./copying.js";
import { announce, fill, h } from "./dom.js";
import { counted } from "./formats.js";
import { panel, shared } from "./panels.js";
import { explained, isAborted, Problem } from "./problems.js";

const swiftString = (text) => JSON.stringify(String(text)).replace(/\\u([0-9a-f]{4})/gi, "\\u{$1}");
const code = (key) => `import PlacekeeperKit

let placekeeper = Placekeeper(URL(string: ${swiftString(location.origin)})!, key: ${swiftString(key)})

NavigationStack(path: $path) { Library(shelf: shelf) }
    .keepsPlace($path, in: placekeeper, items: shelf.books, title: "Library")`;

const webCode = (key) => `import { Placekeeper } from ${JSON.stringify(`${location.origin}/client/0.2/placekeeper.js`)};
const places = new Placekeeper(${JSON.stringify(location.origin)}, { key: ${JSON.stringify(key)}, bundleVersion: "1" });
const scene = places.scene("main");
const { restore } = await scene.launch();
show(restore?.steps ?? [{ screen: "home" }]);

// When the place changes:
scene.save([{ screen: "home" }]);`;

const shell = (key) => `S=${location.origin}
json='Content-Type: application/json'
field() { sed -n "s/.*\\"$1\\" *: *\\"\\([^\\"]*\\)\\".*/\\1/p"; }
token=$(curl -sS "$S/v1/devices" -H "$json" -d '{"app": "${key}", "idiom": "phone", "name": "Phone"}' | field token)
placekeeper sample > state.plist
curl -sS -T state.plist -H "Authorization: Bearer $token" "$S/v1/scenes/main/archives/$(uuidgen | tr A-F a-f)"
curl -sS -D - -o latest.plist -H "Authorization: Bearer $token" "$S/v1/scenes/main/archives/latest?idiom=phone&bundleVersion=42"
placekeeper inspect latest.plist`;

export function startView(visit) {
  const { app } = visit.params;
  const load = shared((signal) => get(path`/apps/${app}`, signal));
  const { signal } = visit;
  return {
    title: "Get started",
    crumbs: [[appName(app), link("/apps", app)]],
    content: h("div.stack", null,
      waiting(app, signal),
      panel({
        title: "The key", signal, load, name: "key",
        note: "The publishable key is built into the app. It lets new devices register, and opens no existing data.",
        show: (data) => codeBlock(data.publishableKey ?? "", { label: "publishable key" }),
      }),
      panel({
        title: "In the app", signal, load, name: "swift",
        note: ["Make one client for each process, and keep it. ", h("code", null, "path"), " is the app’s navigation, and ",
          h("code", null, "shelf.books"), " is a list of its items. docs/your-app.md of the project shows the whole client."],
        show: (data) => codeBlock(code(data.publishableKey ?? ""), { label: "Swift code" }),
      }),
      panel({
        title: "In a web app", signal, load, name: "web",
        note: ["List the page’s origin in the ", h("a", { href: link("/apps", app, "settings", { show: "webOrigins" }) }, "settings"),
          " first. docs/web.md of the project shows the rest."],
        show: (data) => codeBlock(webCode(data.publishableKey ?? ""), { label: "JavaScript code" }),
      }),
      panel({
        title: "Without an app", signal, load, name: "walk-through",
        note: "These lines register a device, upload a sample state, and get it back. Paste them into a shell that has the command placekeeper.",
        show: (data) => codeBlock(shell(data.publishableKey ?? ""), { label: "lines for a shell" }),
      })),
  };
}

/** A status that turns green when the first device registers. */
function waiting(app, signal) {
  const title = h("p.waiting-title", null, "Looking for devices…");
  const detail = h("p.quiet", null, "This takes a moment.");
  const element = h("section.panel.live", { "aria-label": "First device", data: { state: "waiting" } },
    h("span.lamp", { "aria-hidden": "true" }), h("div", { role: "status" }, title, detail));
  const say = (state, text, ...more) => {
    if (element.dataset.state !== state || title.textContent !== text) {
      element.dataset.state = state;
      title.textContent = text;
      fill(detail, more);
    }
  };
  poll(app, signal, say).catch((error) => say("bad", "The devices cannot be read", explained(error)));
  return element;
}

async function poll(app, signal, say) {
  let wasWaiting = false;
  for (let pause = 2_000; !signal.aborted; pause = Math.min(pause * 1.2, 10_000)) {
    try {
      if (!document.hidden || !wasWaiting) {
        const overview = await get(path`/apps/${app}/overview` + "?hours=24", signal);
        if (!overview.waitingForFirstDevice) {
          say("good", wasWaiting ? "The first device is here" : "Devices are using this app",
            counted(overview.usage?.devices ?? 1, "device"), " of ", counted(overview.usage?.users ?? 1, "user"), ". ",
            h("a", { href: link("/apps", app, "users") }, "Show the users"), " or the ",
            h("a", { href: link("/apps", app) }, "overview"), ".");
          if (wasWaiting) announce("The first device is here");
          return;
        }
        wasWaiting = true;
        say("waiting", "Waiting for the first device…", "Start the app, or paste the lines below. This page notices by itself.");
      }
    } catch (error) {
      if (isAborted(error)) return;
      if (!(error instanceof Problem)) throw error;
      say("bad", "The devices cannot be read now", explained(error), " The page tries again.");
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
