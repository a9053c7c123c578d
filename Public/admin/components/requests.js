// "As curl": the requests behind the shown view, to paste into a shell.

import { curl, requestsOfView } from "../api.js";
import { h } from "../dom.js";
import { may } from "../session.js";
import { codeBlock } from "./copy.js";
import { dialog } from "./dialog.js";

export function curlButton() {
  return h("button.secondary.small", { type: "button", id: "as-curl", on: { click: show } }, "As curl");
}

function show() {
  const requests = requestsOfView();
  const opened = dialog({
    title: "As curl",
    isWide: true,
    content: [
      h("p", null, "These requests are behind this view. ", h("code", null, "PLACEKEEPER_TOKEN"), " is an API token",
        may("owner") ? [" (", h("a", { href: "#/tokens", on: { click: () => opened.close() } }, "make one"), ")."] : "; an owner can make one."),
      requests.length
        ? requests.map((request) => codeBlock(curl(request), { label: `${request.method} ${request.target.split("?")[0]}`, wraps: true }))
        : h("p.quiet", null, "This view has made no request."),
    ],
  });
}
