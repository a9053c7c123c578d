// The demo's library. The texts were written for it.

const paragraphs = (text) => text.trim().split(/\n\s*\n/).map((one) => one.trim().replace(/\s+/g, " "));

export const books = [
  {
    id: "lamp", title: "The Lamp on Gull Rock", author: "Ida Marrow",
    chapters: [
      {
        title: "The last boat",
        text: paragraphs(`
          The boat that brought the new keeper also brought flour, rope, a crate of oranges, and a letter that nobody had
          asked for.

          Nell read the letter on the landing while the gulls shouted at the oranges. It said that the lamp would burn
          without a keeper from spring on. It thanked her for her service, which had not yet begun.

          "Good news?" asked the boatman.

          "They want me to keep it until it keeps itself," she said, and carried the oranges up first, because it was
          going to be that kind of winter.

          That night she lit it for the first time. Far out, a ship she would never meet moved a little to the left.`),
      },
      {
        title: "The tide room",
        text: paragraphs(`
          Below the kitchen was a room that filled with the sea twice a day and emptied again, politely, leaving
          something behind each time.

          Nell put up a shelf above the high-water mark and began a museum. She wrote the labels with the care of a
          person who has nobody to talk to: "Boot, left. Owner probably annoyed."

          In the second week the sea left a bottle. There was a page in it, and on the page was a drawing of the tide
          room, with the shelf and the boot.

          She looked at the drawing for as long as the lamp took to turn twelve times. Somebody had stood where she was
          standing, and had seen what she had only just put there.

          Then she took a pencil, and drew one more thing on the shelf: an orange. She corked the bottle, and gave it
          back to the sea to see what the sea would say.`),
      },
      {
        title: "What the sea said",
        text: paragraphs(`
          It said nothing for nine days, which for the sea is an effort.

          On the tenth day there was an orange in the tide room. It was fresh, and it was cold, and it had a label tied
          to it in handwriting very like her own.

          "Orange," said the label. "Owner no longer alone."

          So she lit the lamp, and turned the page.`),
      },
    ],
  },
  {
    id: "maps", title: "A Map of Small Mistakes", author: "Tobias Wren",
    chapters: [
      {
        title: "The wrong street",
        text: paragraphs(`
          The town of Ambry had one street too many, and only the mapmaker knew which.

          Her grandfather had drawn it by mistake, between the bakery and the bridge, on a day with too much wind. It was
          called Lantern Lane, and it did not exist.

          One day the mapmaker wrote it a letter. "To whoever lives there," she wrote. "Are you happy with
          the street?"`),
      },
      {
        title: "An answer",
        text: paragraphs(`
          The answer was on good paper. The drains were excellent, it said, and the neighbors quiet. One only wished for
          a tree.

          She drew a lime, and gave it two hundred leaves, because nobody would count.

          By June, everyone on the bridge could smell it.`),
      },
    ],
  },
  {
    id: "clock", title: "Thirteen O’Clock Tea", author: "Perpetua Stone",
    chapters: [
      {
        title: "One hour more",
        text: paragraphs(`
          The clock in the hall struck thirteen, and since it had never been wrong before, the family sat down to tea.

          Nobody had planned anything for the hour, so nobody was late for it. Aunt Vera finished a sentence that she had
          begun in March.`),
      },
      {
        title: "The repairman",
        text: paragraphs(`
          A repairman came, because the clock had told him to.

          He listened to it with his ear against the wood, and at thirteen he put down his tools and asked whether there
          was a cup for him as well.`),
      },
    ],
  },
  ...[
    ["bees", "Letters to a Beekeeper", "Anselm Ogden", "The bees have read your last letter. They would like it known that they do not hum; they discuss."],
    ["dust", "Dust for Beginners", "Wilma Ruskin", "Choose a shelf that you love, and then do nothing. This is harder than it sounds."],
    ["east", "East of the Kettle", "Mirabel Finch", "We set out at breakfast to cross the kitchen. By noon we had lost sight of the table."],
    ["moss", "Slow News from the Moss", "Edwin Vale", "Nothing happened again today, and it was done beautifully."],
    ["stair", "Up the Down Stair", "Nora Quill", "The school had two staircases, and a rule for each, and one girl who carried a plank."],
  ].map(([id, title, author, text]) => ({ id, title, author, chapters: [{ title: "Beginning", text: [text] }] })),
];

export const bookOf = (id) => books.find((book) => book.id === id);
