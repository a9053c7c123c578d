// About the service.

import { get } from "./api.js";
import { h } from "./dom.js";
import { badge, facts } from "./facts.js";
import { bytes, number } from "./formats.js";
import { panel } from "./panels.js";
import { plain } from "./texts.js";
import { time } from "./times.js";

export function aboutView(visit) {
  return {
    title: "About",
    content: panel({
      label: "The service", signal: visit.signal, name: "about",
      load: (signal) => get("/about", signal),
      show: (about) => [
        facts([
          ["Status", about.ready ? badge("ready", "good") : badge("not ready", "bad")],
          ["Version", plain(about.version)], ["Store", plain(about.storeVersion)],
          ["Started", time(about.startedAt)], ["Apps", about.apps === undefined ? null : number(about.apps)],
          ["Stored", about.maximumBytes ? `${bytes(about.usedBytes)} of ${bytes(about.maximumBytes)}` : bytes(about.usedBytes)],
        ]),
        about.maximumBytes ? h("meter.meter", { min: 0, max: about.maximumBytes, high: about.maximumBytes * 0.9, value: about.usedBytes, "aria-label": "Storage in use" }) : null,
        h("p", null, h("a", { href: "/openapi.yaml" }, "API description"), " · ", h("a", { href: "/" }, "Status page")),
      ],
    }),
  };
}
