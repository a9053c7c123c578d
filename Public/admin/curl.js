// "As curl": the requests behind the shown view, to paste into a shell.

import { base } from "./api.js";
import { codeBlock } from "./copying.js";
import { dialog } from "./dialogs.js";
import { h } from "./dom.js";
import { may } from "./session.js";

const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns a request as a curl command that reads an API token from the environment. */
export function curl({ method, target, body }) {
  const parts = ["curl -sS"];
  if (method !== "GET") parts.push(`-X ${method}`);
  parts.push(`-H "Authorization: Bearer $PLACEKEEPER_TOKEN"`);
  if (body !== undefined) parts.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`);
  parts.push(quoted(location.origin + base + target));
  return parts.join(" ");
}

/** Shows requests as commands. */
export function showRequests(requests) {
  const opened = dialog({
    title: "As curl",
    isWide: true,
    content: [
      h("p", null, "These requests are behind this view. ", h("code", null, "PLACEKEEPER_TOKEN"), " is an API token",
        may("createAPIToken") ? [" (", h("a", { href: "#/tokens", on: { click: () => opened.close() } }, "make one"), ")."] : "; an owner can make one."),
      requests.length
        ? requests.map((request) => codeBlock(curl(request), { label: `${request.method} ${request.target.split("?")[0]}`, wraps: true }))
        : h("p.quiet", null, "This view has made no request."),
    ],
  });
}
