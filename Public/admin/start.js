// Starts the page. If a file of the page cannot be loaded, says whether the service is away or only the file.

import("./app.js").catch(async (error) => {
  console.error(error);
  const isAnswering = await fetch("/admin/api/status", { cache: "no-store" }).then(({ ok }) => ok, () => false);
  const text = document.querySelector("#main .waiting");
  text.setAttribute("role", "alert");
  text.textContent = isAnswering
    ? "A part of this page could not be loaded, although the service answers. A proxy may have refused the file. Load the page again."
    : "The service does not answer. It may be restarting. Load the page again in a moment.";
});
