// The person's choices for this browser: colours and time zone. They are kept in the browser's storage.

const values = { theme: ["auto", "light", "dark"], zone: ["local", "utc"] };
const chosen = {};

function stored(name) {
  try {
    return localStorage.getItem(`placekeeper.${name}`);
  } catch {
    return null;
  }
}

/** Returns a choice, or its default. */
export function preference(name) {
  const value = chosen[name] ?? stored(name);
  return values[name].includes(value) ? value : values[name][0];
}

/** Changes a choice, and shows the effect at once. */
export function choose(name, value) {
  chosen[name] = value;
  try {
    localStorage.setItem(`placekeeper.${name}`, value);
  } catch {
    // The choice lasts until the page is closed.
  }
  if (name === "theme") {
    if (value === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = value;
  }
  document.dispatchEvent(new CustomEvent("placekeeper:preferences"));
}
