// The reading app's network: airplane mode, and what the service answers.

const send = globalThis.fetch;
let connection = new AbortController();

/** Has the event `answer`, with the request and the answer as `detail`. */
export const network = new EventTarget();

/** Airplane mode also ends requests and streams that are under way. */
export function setOffline(isOffline) {
  connection.abort();
  if (isOffline) return;
  connection = new AbortController();
  dispatchEvent(new Event("online"));
}

globalThis.fetch = async (address, options) => {
  const startedAt = performance.now();
  const response = await send(address, { ...options, signal: AbortSignal.any([connection.signal, options.signal]) });
  network.dispatchEvent(new CustomEvent("answer", { detail: { address, options, response, startedAt } }));
  return response;
};

/** Asks the service why it gave an answer to `latest`. */
export async function explanation({ address, options: { headers: { Authorization } } }) {
  const { pathname, search } = new URL(address);
  const response = await send(pathname + "/explanation" + search, { headers: { Authorization } });
  return response.json();
}
