// Starts the two devices side by side, or one device alone: /demo/?device=phone#key=pk_…

import "../admin/preferences.js";
import { fill, h } from "../admin/dom.js";

/** The app's publishable key: the part after # of the link that `make run` prints, or the one of the last visit. */
function publishableKey() {
  const given = /^#key=([\w-]+)$/.exec(location.hash)?.[1];
  try {
    if (given) localStorage.setItem("placekeeper.demo.key", given);
    return given ?? localStorage.getItem("placekeeper.demo.key");
  } catch { return given; }
}

const key = publishableKey();
if (key) {
  const { start } = await import(new URLSearchParams(location.search).has("device") ? "./reader.js" : "./stage.js");
  await start(key);
} else {
  fill(document.querySelector("main"), h("h1", null, "Placekeeper demo"),
    h("p", null, "Open this page with the link that ", h("code", null, "make run"), " or ", h("code", null, "placekeeper dev"), " prints: it ends in the app’s key."));
}
