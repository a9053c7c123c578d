// The person's choices for this browser: colors, time zone and the key "/". They are kept in the browser's storage.

const preferences = { theme: ["auto", "light", "dark"], zone: ["local", "utc"], slash: ["on", "off"] };
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
  return preferences[name].includes(value) ? value : preferences[name][0];
}

/** Changes a choice, and shows the effect immediately. */
export function choose(name, value) {
  chosen[name] = value;
  try {
    localStorage.setItem(`placekeeper.${name}`, value);
  } catch {
    // The choice lasts until the page is closed.
  }
  if (name === "theme") applyTheme();
  document.dispatchEvent(new CustomEvent("placekeeper:preferences"));
}

function applyTheme() {
  const theme = preference("theme");
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

applyTheme();
