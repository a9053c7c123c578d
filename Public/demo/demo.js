// Starts two devices side by side, or one alone: /demo/?device=phone#key=pk_…

import "../admin/preferences.js";

const key = /^#key=([\w-]+)$/.exec(location.hash)?.[1];
if (key) {
  const { start } = await import(location.search.includes("device=") ? "./reader.js" : "./stage.js");
  await start(key);
} else {
  document.querySelector("p").textContent = "Open this page with the link that make run prints. It ends with the app’s key.";
}
