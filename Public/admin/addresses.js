// Addresses of the API and of the views, and moving between the views.

/** Makes a path whose values are percent-encoded: ``path`/apps/${app}/users` ``. */
export function path(parts, ...values) {
  return parts.reduce((text, part, index) => text + encode(values[index - 1]) + part);
}

/** Percent-encodes a text. Halves of characters, which cannot be encoded, are replaced. */
const encode = (value) => encodeURIComponent(String(value).toWellFormed());

/** Makes a query of the values that are present, with its question mark. */
export function query(values) {
  const present = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return present.length ? `?${present.map(([name, value]) => `${name}=${encode(value)}`).join("&")}` : "";
}

/** Returns the address of a view: ``link("/apps", app, "users")``. A value that is an object is the query. */
export function link(start, ...rest) {
  const filters = rest.length && typeof rest.at(-1) === "object" ? rest.pop() : {};
  return `#${start}${rest.map((part) => `/${encode(part)}`).join("")}${query(filters)}`;
}

/** Goes to an address that `link` returned. The view of the present address is shown again. */
export function go(address) {
  if (location.hash === address) window.dispatchEvent(new HashChangeEvent("hashchange"));
  else location.hash = address;
}

/** Changes the filters of the shown view, and keeps the others. */
export function filter(changes) {
  const { path, filters } = read(location.hash);
  go(`#${path}${query({ ...Object.fromEntries(filters), ...changes })}`);
}

/** Writes changed filters of the shown view into its address. The view shows them by itself. */
export function replaceFilters(changes) {
  const { path, filters } = read(location.hash);
  history.replaceState(history.state, "", `#${path}${query({ ...Object.fromEntries(filters), ...changes })}`);
  document.getElementById("main").dataset.address = location.hash;
}

/** Returns the path and the filters of an address. */
export function read(hash) {
  const [path, filters = ""] = hash.replace(/^#/, "").split(/\?(.*)/s);
  return { path: path || "/", filters: new URLSearchParams(filters) };
}
