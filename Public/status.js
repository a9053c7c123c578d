// Requests the status of the service when the page opens, and every ten seconds while the page is visible.

const interval = 10_000;
const patience = 5_000;

const element = (id) => document.getElementById(id);

/** For each unit at the end of a limit's name, the function that formats the value. */
const units = [
  ["Bytes", (value) => size(value)],
  ["Seconds", (value) => duration(value)],
];

function size(bytes) {
  if (bytes >= 1 << 20) return `${round(bytes / (1 << 20))} MiB`;
  if (bytes >= 1 << 10) return `${round(bytes / (1 << 10))} KiB`;
  return `${bytes} bytes`;
}

function duration(seconds) {
  const steps = [["day", 86_400], ["hour", 3_600], ["minute", 60], ["second", 1]];
  const [name, length] = steps.find(([, length]) => seconds >= length) ?? steps.at(-1);
  const count = round(seconds / length);
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

const round = (number) => Math.round(number * 10) / 10;

/** Returns the title and the text of a limit: "Archive" and "1 MiB" for `archiveBytes` and 1048576. */
function described(name, value) {
  const [unit, show] = units.find(([unit]) => name.endsWith(unit)) ?? ["", (value) => String(value)];
  const words = name.slice(0, name.length - unit.length).replace(/([A-Z]+)/g, " $1").trim().toLowerCase();
  return [words.replace(/\bjson\b/, "JSON").replace(/^./, (first) => first.toUpperCase()), show(value)];
}

/** Requests a path. Returns the response's status (null without a response), its text, and the time in ms. */
async function ask(path) {
  const start = performance.now();
  try {
    const response = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(patience) });
    const text = await response.text();
    return { status: response.status, text, took: Math.round(performance.now() - start) };
  } catch {
    return { status: null, text: "", took: 0 };
  }
}

function json(answer) {
  try {
    return answer.status === 200 ? JSON.parse(answer.text) : null;
  } catch {
    return null;
  }
}

function show(id, answer, words) {
  const result = answer.status === 200 ? "good" : answer.status === null ? "bad" : "poor";
  element(id).dataset.result = result;
  element(id).querySelector(".result").textContent =
    result === "good" ? `${words.good} · ${answer.took} ms` : result === "poor" ? `${words.poor} (${answer.status})` : "No answer";
}

function showLimits(limits) {
  const rows = Object.entries(limits ?? {})
    .filter(([, value]) => typeof value === "number")
    .map(([name, value]) => {
      const row = document.createElement("tr");
      const [title, text] = described(name, value);
      const head = document.createElement("th");
      head.scope = "row";
      head.textContent = title;
      const cell = document.createElement("td");
      cell.textContent = text;
      row.append(head, cell);
      return row;
    });
  element("rows").replaceChildren(...rows);
  element("no-limits").hidden = rows.length > 0;
  element("no-limits").textContent = "The service did not return its limits.";
}

const verdicts = {
  good: ["The service is up", "The service is live, and ready to store and to serve archives."],
  poor: ["The service is not ready", "The service is live, but not ready for requests. It may still answer reads."],
  bad: ["The service does not answer", "No response came from this address."],
};

/** Sets a text only if the text is new, so that a screen reader does not repeat the text every ten seconds. */
function say(id, text) {
  if (element(id).textContent !== text) element(id).textContent = text;
}

let isChecking = false;

async function check() {
  if (isChecking) return;
  isChecking = true;
  element("check").ariaDisabled = "true";
  const [live, ready, version, limits] = await Promise.all(["/livez", "/readyz", "/version", "/v1/limits"].map(ask));
  show("livez", live, { good: "Live", poor: "Not live" });
  show("readyz", ready, { good: "Ready", poor: "Not ready" });
  const state = live.status === null ? "bad" : live.status === 200 && ready.status === 200 ? "good" : "poor";
  document.body.dataset.state = state;
  say("overall", verdicts[state][0]);
  say("detail", verdicts[state][1]);
  const number = json(version)?.version;
  say("version", number ? `version ${number}` : "");
  if (state !== "bad") showLimits(json(limits));
  const now = new Date();
  element("time").dateTime = now.toISOString();
  element("time").textContent = now.toLocaleTimeString();
  element("check").ariaDisabled = "false";
  isChecking = false;
}

element("check").addEventListener("click", check);
document.addEventListener("visibilitychange", () => document.hidden || check());
setInterval(() => document.hidden || check(), interval);
check();
