// The reading app's network: airplane mode, and what the service answers. The module notices neither.

const send = globalThis.fetch;
let connection = new AbortController();

/** Has the event `answer`, with the request and the answer as `detail`. */
export const network = Object.assign(new EventTarget(), { isOffline: false });

/** Airplane mode ends requests and streams that are under way, and lets no other begin. */
export function setOffline(isOffline) {
  network.isOffline = isOffline;
  connection.abort();
  connection = new AbortController();
  dispatchEvent(new Event(isOffline ? "offline" : "online"));
}

globalThis.fetch = async (address, options = {}) => {
  if (network.isOffline) throw new TypeError("The device is in airplane mode.");
  const { signal } = connection, startedAt = performance.now();
  const response = await send(address, { ...options, signal: AbortSignal.any([signal, options.signal].filter(Boolean)) });
  network.dispatchEvent(new CustomEvent("answer", { detail: { address, options, response, startedAt } }));
  return response;
};

/** Asks the service why it gave an answer to `latest`. Returns its explanation, or nothing. */
export async function explanation({ address, options: { headers: { Authorization } } }) {
  const { pathname, search } = new URL(address);
  const response = await send(pathname + "/explanation" + search, { headers: { Authorization } });
  return response.ok ? response.json() : undefined;
}
