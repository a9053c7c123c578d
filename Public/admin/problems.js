// Problems: why a request has failed.

/** A request that failed: a problem that the service described, or no answer (`status` 0). */
export class Problem extends Error {
  constructor(status, document, fields) {
    super(document.title ?? "The request failed");
    this.name = "Problem";
    this.status = status;
    this.code = document.code ?? "";
    this.title = document.title ?? `The service answered with ${status}`;
    this.detail = document.detail ?? "";
    this.retryAfter = Number(fields?.get("Retry-After")) || null;
  }

  get isOffline() {
    return this.status === 0;
  }
}

/** Returns the problem that the service does not answer, and lets the page watch for the service. */
export function offline() {
  document.dispatchEvent(new CustomEvent("placekeeper:offline"));
  return new Problem(0, {
    code: "no-answer", title: "The service does not answer",
    detail: "The service does not answer. It may be restarting. Nothing that you typed is lost.",
  });
}

/** Returns the problem that a file of the page cannot be loaded, although the service answers. */
export const notLoaded = () => new Problem(-1, {
  code: "page-not-loaded", title: "A part of this page could not be loaded",
  detail: "A part of this page could not be loaded, although the service answers. A proxy may have refused the file. Load the page again.",
});

/** Whether an error only says that its view is gone. */
export const isAborted = (error) => error?.name === "AbortError";

/** Returns an error as one sentence or two. */
export function explained(error) {
  if (!(error instanceof Problem)) return "The page has failed here. Load it again; if it fails again, report it.";
  const detail = error.detail || error.title;
  const text = detail.endsWith(".") ? detail : `${detail}.`;
  return error.retryAfter ? `${text.replace(/ Try again( later| shortly)?\.$/, "")} Try again in ${error.retryAfter} s.` : text;
}
