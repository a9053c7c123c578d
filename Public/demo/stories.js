// The stories. Each one does on the two devices what a person would do.

// The stories read these pages in turn.
const pages = [
  ["lamp", 1, 2], ["maps", 0, 1], ["lamp", 2, 1], ["lamp", 0, 2],
].map(([book, chapter, paragraph]) => ({ book, chapter, paragraph }));
let turn = -1;

/** Reads the next page that neither device shows. Returns its title. */
function readOn(reader, other) {
  const isShown = ({ book, chapter }) => [reader, other].some(({ view }) => view.book === book && view.chapter === chapter);
  do turn = (turn + 1) % pages.length; while (isShown(pages[turn]));
  return reader.read(pages[turn]);
}

export const stories = [
  {
    title: "Read on the phone, open on the tablet",
    look: "Both devices mark the same paragraph, although their lines break elsewhere. Turn a device: the paragraph stays.",
    async tell({ phone, tablet, say }) {
      await say("The phone opens a book and reads to a paragraph.", phone);
      const page = await readOn(phone, tablet);
      await say("The tablet asks. It never moves by itself.", tablet);
      await say("The person continues there.", tablet);
      await tablet.follow(page);
    },
  },
  {
    title: "Go offline",
    look: "The phone kept its place while it was offline. Then it sent the place, and the tablet asks.",
    async tell({ phone, tablet, say }) {
      phone.setOffline(true);
      await say("The phone is in airplane mode, and the person reads on.", phone);
      const page = await readOn(phone, tablet);
      await say("The place is safe on the phone. The tablet does not know it yet.", phone);
      phone.setOffline(false);
      await say("The phone is online again.", phone);
      await phone.send();
      await tablet.offered(page);
    },
  },
  {
    title: "Come late",
    look: "The phone’s place arrived last, but it is older. So the tablet’s place stays the newest, and the phone asks.",
    async tell({ phone, tablet, say, pause }) {
      phone.setOffline(true);
      await say("The phone reads in airplane mode.", phone);
      await readOn(phone, tablet);
      // The service knows times only as exactly as a request takes.
      await pause(2000);
      await say("Later, the tablet reads on.", tablet);
      const page = await readOn(tablet, phone);
      phone.setOffline(false);
      await say("The phone comes back, with older work.", phone);
      await phone.send();
      await phone.offered(page);
    },
  },
  {
    title: "Only look",
    look: "The tablet only showed the place. The phone’s work is still the newest, and opens again.",
    async tell({ phone, tablet, say }) {
      await say("The phone reads.", phone);
      const page = await readOn(phone, tablet);
      await say("The tablet opens the place, and is turned around.", tablet);
      await tablet.follow(page);
      tablet.turn();
      await tablet.send();
      await say("The phone starts again.", phone);
      tablet.turn();
      await phone.restart();
    },
  },
  {
    title: "Slip and undo",
    look: "The phone is back at its own page. It is the newest place again, so the tablet asks.",
    async tell({ phone, tablet, say }) {
      await say("The phone reads.", phone);
      const page = await readOn(phone, tablet);
      await say("On the tablet, the person slips to the end of a book.", tablet);
      const slip = await tablet.read({ book: "maps", chapter: 1, paragraph: 2 });
      await say("The phone follows the slip…", phone);
      await phone.follow(slip);
      await say("…and takes it back.", phone);
      phone.press("undo");
      await phone.send();
      await tablet.offered(page);
    },
  },
  {
    title: "Crash",
    look: "The tablet opened its own page. The service keeps the other page from this version of the tablet’s app, until an update.",
    async tell({ phone, tablet, say, pause }) {
      await say("The tablet gets an update of the app, and reads.", tablet);
      await tablet.restart({ app: tablet.settings.app + 1 });
      await readOn(tablet, phone);
      await say("The phone reads another page.", phone);
      const page = await readOn(phone, tablet);
      await say("The tablet opens this page, and the app crashes at once.", tablet);
      await tablet.follow(page);
      tablet.crash();
      await pause();
      await say("The person opens the app again.", tablet);
      await tablet.start();
      await tablet.send();
    },
  },
  {
    title: "Old version",
    look: "The old app kept its own page, because it cannot read places of the new version. Since its update, the phone asks.",
    async tell({ phone, tablet, say }) {
      const state = Math.max(tablet.settings.state, phone.settings.state) + 1;
      await say("The phone reads.", phone);
      await readOn(phone, tablet);
      await say(`The tablet gets version ${state} of the app, and reads on.`, tablet);
      await tablet.restart({ state });
      const page = await readOn(tablet, phone);
      await say("The phone still has the old version. It starts again.", phone);
      await phone.after("refusal", () => phone.restart());
      await say("Now the phone gets the new version, too.", phone);
      await phone.restart({ state });
      await phone.offered(page);
    },
  },
  {
    title: "Link with a code",
    look: "The new tablet opened the page without a question: it has no page to lose. A real phone links in the same way.",
    async tell({ phone, tablet, say, pause }) {
      await say("The phone reads. Then the person buys a new tablet.", phone);
      await readOn(phone, tablet);
      await tablet.restart({ profile: `tablet-${Date.now()}`, state: phone.settings.state });
      await say("The phone shows a code.", phone);
      phone.press("link");
      const { code } = await phone.after("shows-code", () => phone.press("make-code"));
      await say("The person types it on the tablet.", tablet);
      tablet.press("link");
      tablet.find("#code").value = code;
      await pause();
      await tablet.after("launched", () => tablet.press("use-code"));
      phone.press("close");
    },
  },
];
