// The view of an app's events as they happen.

import { link, path, query, replaceFilters } from "./addresses.js";
import { base, get } from "./api.js";
import { appName } from "./apps.js";
import { selectControl } from "./controls.js";
import { contextText } from "./devices.js";
import { fill, h, lookUp } from "./dom.js";
import { counted, number } from "./formats.js";
import { name } from "./names.js";
import { empty } from "./panels.js";
import { explained, isAborted, Problem } from "./problems.js";
import { isCaution, reasonText } from "./reasons.js";
import { plain } from "./texts.js";
import { time } from "./times.js";
import { act } from "./toasts.js";
import { deviceLink, isKnown, userLoader, userName } from "./users.js";

const mostShown = 500;

/** The number of users that are read for the names of their devices, and of those that are read together. */
const [mostNamed, together] = [50, 4];

/** The kinds of events: the words of the filter. */
const kinds = {
  archiveStored: "Archives stored", archiveDeleted: "Archives deleted", sceneForgotten: "Scenes forgotten", outcomeReported: "Restores reported",
  restoreServed: "Restores served", restoreRefused: "Restores refused", deviceRegistered: "Devices registered", deviceRevoked: "Devices revoked", deviceCopied: "Copies of devices noticed",
};

export function liveView(visit) {
  const { params: { app }, signal, query: filters } = visit;
  const state = { kind: filters.get("kind") ?? "", text: filters.get("text") ?? "", isPaused: false };
  // The shown events, the newest first. The waiting events, the oldest first.
  const events = [];
  let arrived = [];
  let waitingCount = 0;
  // The subjects of the users whose devices were named.
  const subjects = new Map();
  document.addEventListener("placekeeper:administrator", () => subjects.clear(), { signal });

  const lamp = h("span.lamp", { "aria-hidden": "true" });
  const status = h("p.live-status", { role: "status" });
  const line = h("div.live-line", { data: { state: "waiting" } }, lamp, status);
  const pause = h("button.secondary.small", { type: "button", id: "pause", "aria-pressed": "false", on: { click: () => setPaused(!state.isPaused) } }, "Pause");
  const naming = h("button.secondary.small", {
    type: "button", title: `Reads the users of the newest events, at most ${mostNamed}. The audit log has an entry about each.`, on: { click: () => act(naming, nameDevices) },
  }, "Name the devices");
  const again = h("button.secondary.small", { type: "button", hidden: true, on: { click: () => stream.connect() } }, "Try again");
  const count = h("p.quiet.hint");
  const place = h("div");
  const list = h("ol.events", { "aria-label": "Events, newest first" });

  const fits = (event) => (!state.kind || event.kind === state.kind) && (!state.text || searched(event).includes(state.text.toLowerCase()));
  const isShown = (event) => event.isMark || fits(event);
  const elements = (some) => some.filter(isShown).map(({ element }) => element);

  /** Shows all events that fit the filters. */
  function show() {
    fill(list, elements(events));
    describe();
  }

  /**
   * Shows the events that have arrived, each above the ones that are older: answers and changes come by different ways,
   * so an effect may arrive before its cause. The other events stay as they are, so that a link keeps the focus.
   */
  function showArrived() {
    const fresh = arrived;
    arrived = [];
    for (const event of fresh) {
      const place = event.isMark ? 0 : events.findIndex((other) => other.isMark || !isLater(other, event));
      const index = place < 0 ? events.length : place;
      events.splice(index, 0, event);
      if (isShown(event)) list.insertBefore(event.element, events.slice(index + 1).find(isShown)?.element ?? null);
    }
    for (const { element } of events.splice(mostShown)) element.remove();
    describe();
  }

  /** Reads the users of the newest shown events whose devices have no names yet, and draws the events again. */
  async function nameDevices() {
    const users = [...new Set(events.filter((event) => event.device && fits(event) && !isKnown(event.device)).map(({ user }) => user))].slice(0, mostNamed);
    const work = async () => {
      for (let user = users.shift(); user && !signal.aborted; user = users.shift()) {
        try {
          subjects.set(user, (await userLoader({ app, user })(signal)).subject);
        } catch (error) {
          // An event may be about an erased user.
          if (error.status !== 404) throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: together }, work));
    for (const event of events) event.element = event.isMark ? event.element : row(event, app, subjects);
    show();
  }

  function describe() {
    const isFiltered = state.kind !== "" || state.text !== "";
    count.textContent = isFiltered && events.length ? `${counted(events.filter(fits).length, "event")} of ${number(events.length)} fit the filters.`
      : events.length === mostShown ? `The newest ${mostShown} events.` : "";
    if (list.firstChild) {
      if (!list.isConnected) fill(place, list);
    } else {
      fill(place, empty(isFiltered ? "No event fits the filters" : "Nothing has happened yet",
        h("p", null, isFiltered ? "Events that fit appear here." : "An event appears here when a device uploads a state, restores one, or is refused one.")));
    }
  }

  function add(event) {
    // A stream that is lost repeatedly gets one mark, so that marks do not displace events.
    if (event.isMark && (arrived.at(-1) ?? events[0])?.text === event.text) return;
    event.element = event.isMark ? h("li.event.mark-line", null, h("p", null, event.text)) : row(event, app, subjects);
    arrived.push(event);
    if (arrived.length > mostShown) arrived.shift();
    if (state.isPaused) {
      waitingCount += event.isMark ? 0 : 1;
      say();
    } else {
      schedule();
    }
  }

  // Events that arrive within 100 milliseconds are shown together.
  let isScheduled = false;
  function schedule() {
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(() => {
      isScheduled = false;
      if (!state.isPaused) showArrived();
    }, 100);
  }

  function setPaused(isPaused) {
    state.isPaused = isPaused;
    pause.ariaPressed = String(isPaused);
    pause.textContent = isPaused ? "Go on" : "Pause";
    waitingCount = 0;
    showArrived();
    say();
  }

  function setFilter(change) {
    Object.assign(state, change);
    replaceFilters(change);
    show();
  }

  function say() {
    const [word, text] = stream.state;
    line.dataset.state = state.isPaused && word === "good" ? "waiting" : word;
    again.hidden = word !== "bad";
    status.textContent = state.isPaused ? `${word === "good" ? "" : `${text} `}Paused: ${counted(waitingCount, "new event")} ${waitingCount === 1 ? "waits" : "wait"}.` : text;
  }

  const stream = follow(app, signal, { add, say });
  stream.connect();
  show();
  return {
    title: "Live",
    crumbs: [[appName(app), link("/apps", app)]],
    lead: "What the devices of this app's users do, as it happens.",
    content: h("div.stack", null,
      h("section.panel.live-bar", { "aria-label": "Stream" }, line, again, naming, pause),
      h("section.panel", { "aria-label": "Events", data: { panel: "events" } },
        h("div.controls", null, kindControl(state.kind, setFilter), textControl(state.text, setFilter)), count, place)),
  };
}

const kindControl = (value, change) =>
  selectControl("kind", "Show", [["", "All events"], ...Object.entries(kinds)], value, (kind) => change({ kind }));

function textControl(value, change) {
  return h("div.control", null, h("label", { for: "text" }, "User or scene"),
    h("input", {
      id: "text", type: "search", spellcheck: "false", autocomplete: "off", placeholder: "an id, or a part of a name", props: { value },
      on: { input: (event) => change({ text: event.target.value.trim() }) },
    }));
}

/** The texts of an event in which the filter looks. */
const searched = ({ user, scene }) => `${user ?? ""}\n${scene ?? ""}`.toLowerCase();

// Follows the events. The browser connects again by itself, except after a refusal: then the session may have ended.

const [firstPause, longestPause] = [2_000, 30_000];

/** The number of past events with which a new stream begins. Each is known already, or newer than the known events. */
const replayed = 200;

const mostKnown = 1_000;

function follow(app, signal, { add, say }) {
  let source = null;
  const known = new Set();
  let pause = firstPause;
  let wasOpen = false;
  const stream = { state: ["waiting", "Connecting…"], connect };
  const set = (word, text) => {
    stream.state = [word, text];
    say();
  };

  function connect() {
    source?.close();
    if (signal.aborted) return;
    set("waiting", known.size ? "Connecting again…" : "Connecting…");
    source = new EventSource(base + path`/apps/${app}/events` + query({ recent: replayed }));
    let mayMiss = known.size > 0;
    source.addEventListener("open", () => {
      pause = firstPause;
      // A new stream begins without past answers.
      if (wasOpen) add({ isMark: true, text: "Answers to devices may be missing here: the stream was lost." });
      wasOpen = true;
      set("good", "Live. New events appear by themselves.");
      document.dispatchEvent(new CustomEvent("placekeeper:answer"));
    });
    source.addEventListener("change", (message) => {
      // A new stream may repeat changes.
      const event = parsed(message.data);
      const key = event && `${event.user} ${event.revision}`;
      const isKnown = known.has(key);
      if (mayMiss && !isKnown) add({ isMark: true, text: "Events may be missing here: the stream was lost." });
      mayMiss = false;
      if (isKnown) return;
      known.add(key);
      if (known.size > mostKnown) known.delete(known.values().next().value);
      if (event) add(event);
    });
    source.addEventListener("answer", (message) => {
      const event = parsed(message.data);
      if (event) add(event);
    });
    source.addEventListener("missed", () => add({ isMark: true, text: "Some answers are missing here: too many came at once." }));
    source.addEventListener("reset", () => add({ isMark: true, text: "Events are missing here: the service no longer has them." }));
    source.addEventListener("error", () => {
      if (signal.aborted) return;
      set("waiting", "The stream is lost. The page connects again…");
      if (source.readyState === EventSource.CLOSED) recover();
    });
  }

  /** Finds out why the service refused the stream. If the session has ended, the request asks for the password. */
  async function recover() {
    try {
      await get("/session", signal);
      setTimeout(connect, pause);
      pause = Math.min(2 * pause, longestPause);
    } catch (error) {
      if (isAborted(error) || signal.aborted) return;
      set("bad", `The stream is lost. ${explained(error)}`);
      if (error instanceof Problem && error.isOffline) document.addEventListener("placekeeper:recovered", connect, { once: true, signal });
    }
  }

  signal.addEventListener("abort", () => source?.close(), { once: true });
  return stream;
}

function parsed(text) {
  try {
    const event = JSON.parse(text);
    return event && typeof event === "object" ? event : null;
  } catch {
    return null;
  }
}

// An event as a sentence with links.

/** The order of events of one millisecond: a cause is before its effects. */
const order = [
  "deviceRegistered", "deviceCopied", "archiveStored", "restoreServed", "restoreRefused", "outcomeReported", "archiveDeleted", "sceneForgotten", "deviceRevoked",
];

function isLater(first, second) {
  const difference = Date.parse(first.at) - Date.parse(second.at);
  return difference ? difference > 0 : order.indexOf(first.kind) > order.indexOf(second.kind);
}

function row(event, app, subjects) {
  const person = ["/apps", app, "users", event.user];
  const scene = event.scene === undefined ? null : name(event.scene, { limit: 40, label: "scene", href: link(...person, "scenes", event.scene) });
  const archive = (text) => event.archive === undefined ? text
    : h("a", { href: link(...person, "scenes", event.scene ?? "", "archives", event.archive) }, text);
  const device = event.device ? deviceLink(event.device, person, { idiom: event.asked?.idiom }) : "A device";
  const asked = event.asked ? ` as ${contextText(event.asked)}` : "";
  const [resultKind, resultWords] = lookUp(results, event.result) ?? ["accent", "reported a restore of"];
  const [kind, words] = lookUp({
    archiveStored: ["good", [device, " stored ", archive("an archive"), " of the scene ", scene]],
    archiveDeleted: ["poor", ["An archive of ", event.device ? [device, ", of "] : null, "the scene ", scene, " was deleted"]],
    sceneForgotten: ["poor", ["The scene ", scene, " was forgotten"]],
    outcomeReported: [resultKind, [
      device, ` ${resultWords} `, archive("an archive"), " of the scene ", scene,
      event.path ? [" at ", name(event.path, { limit: 60, label: "path" })] : null]],
    restoreServed: [event.fidelity === "place" ? "accent" : "good", [
      device, " asked for the scene ", scene, asked, ", and got ", archive(event.fidelity === "place" ? "the place of an archive" : "an archive"),
      event.reasons?.length ? [". Against the newest one: ", reasonsText(event.reasons)] : null,
      event.reasons?.some(isCaution) ? ". The app only offers the state" : null]],
    restoreRefused: ["bad", [
      device, " asked for the scene ", scene, asked, ", and got nothing", event.reasons?.length ? [": ", reasonsText(event.reasons)] : null]],
    deviceRegistered: ["good", [device, " registered"]],
    deviceRevoked: ["poor", [device, " was revoked"]],
    deviceCopied: ["poor", ["A copy of ", device, " got an identity of its own"]],
  }, event.kind) ?? ["plain", [plain(event.kind), scene ? [" in the scene ", scene] : null]];
  return h("li.event", null,
    h("span.event-time", null, time(event.at, isToday(event.at) ? "precise" : "exact")),
    h(`span.event-dot.${kind}`, { "aria-hidden": "true" }),
    h("p", null, words, " · ", h("a.quiet", { href: link(...person) }, userName(event.user, subjects.get(event.user)))));
}

const isToday = (at) => Date.now() - Date.parse(at) < 43_200_000;
const reasonsText = (reasons) => reasons.slice(0, 4).map(reasonText).join("; ");

/** The results of restores that devices report. */
const results = {
  began: ["accent", "began to restore"], restored: ["good", "restored"], failed: ["bad", "could not restore"],
  crashed: ["worst", "crashed when it restored"], abandoned: ["poor", "discarded"],
};
