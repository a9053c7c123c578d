// Sets the chosen colours before the page is drawn. The other settings are in preferences.js.
try {
  const theme = localStorage.getItem("placekeeper.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Without storage, the colours are the system's.
}
