// All that the reading app needs of Placekeeper: docs/web.md describes the module.

import { Item, Placekeeper } from "../client/0.2/placekeeper.js";
import { bookOf } from "./books.js";

const kinds = {
  phone: { idiom: "phone", layout: "compact", name: "Phone" },
  tablet: { idiom: "pad", layout: "regular", name: "Tablet" },
};

/** Keeps the place of an app that can `show` a view, or its first screen, and `ask` whether to continue at an offer. */
export function keepPlace({ key, device, profile, version }, app) {
  const places = new Placekeeper(location.origin, {
    ...kinds[device], key, profile, bundleVersion: version.app, stateVersion: version.state, sendDelay: 0.2,
  });
  const scene = places.scene("reader");
  scene.addEventListener("offer", ({ detail }) => app.ask(detail));
  const launch = async () => {
    const launched = await scene.launch();
    app.show(launched.restore && viewOf(launched.restore.steps));
    places.follow();
    return launched;
  };
  places.addEventListener("accountchange", launch);
  return {
    places, launch,
    save: (view, options) => scene.save(stepsOf(view), options),
    open: async (offer) => viewOf((await scene.accept(offer)).steps),
    dismiss: (offer) => scene.dismiss(offer),
    /** Joins the person of the device that made the code, and opens that person's place. */
    link: async (code) => {
      await places.link(code);
      return launch();
    },
  };
}

const item = (id, role) => new Item("Book", { id, role, aliases: [`demo-book:${id}`] });

/** The screens from the library to the page. Their items are found wherever a device's list has them. */
function stepsOf({ top, book, chapter, paragraph }) {
  const steps = [{ screen: "library", title: "Library", items: top ? [item(top, "firstVisible")] : [] }];
  if (book === undefined) return steps;
  const { title, chapters } = bookOf(book);
  steps.push({ screen: "book", title, items: [item(book)] });
  if (chapter === undefined) return steps;
  const { length } = chapters[chapter].text;
  return [...steps, {
    screen: "page", title: chapters[chapter].title, parameters: { chapter, paragraph },
    progress: length > 1 ? paragraph / (length - 1) : 1,
  }];
}

/** The view of a place, as far as this app has its book. */
function viewOf([library, book, page]) {
  const view = { top: library?.items[0]?.id };
  const found = bookOf(book?.items[0]?.id);
  if (!found) return view;
  view.book = found.id;
  const { chapter, paragraph } = page?.parameters ?? {};
  if (!found.chapters[chapter]?.text[paragraph]) return view;
  return { ...view, chapter, paragraph };
}
