// Says that the service does not answer, and finds out when it answers again.

import { fill, h } from "./dom.js";

const pause = 2_000;
let banner = null;

/** Whether the service answers now. */
export async function isAnswering() {
  try {
    const response = await fetch("/admin/api/status", { cache: "no-store", signal: AbortSignal.timeout(5_000) });
    return response.ok;
  } catch {
    return false;
  }
}

async function wait() {
  while (banner) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    if (banner && await isAnswering()) recovered();
  }
}

function recovered() {
  if (!banner) return;
  banner.remove();
  banner = null;
  document.dispatchEvent(new CustomEvent("placekeeper:recovered"));
}

/** Starts to watch. After the service has answered again, panels without an answer load again by themselves. */
export function watchConnection() {
  document.addEventListener("placekeeper:offline", () => {
    if (banner) return;
    banner = h("div.banner", { role: "alert" });
    document.body.prepend(banner);
    fill(banner, h("p", null, "The service does not answer. The page tries again every two seconds, and keeps what you typed."));
    wait();
  });
  document.addEventListener("placekeeper:answer", recovered);
}
