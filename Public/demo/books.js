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

          Nell read the letter on the landing while the gulls shouted at the oranges. It thanked her
          for her service, which had not yet begun.

          She carried the oranges up first, because it was going to be that kind of winter.

          That night she lit it for the first time. Far out, a ship she would never meet moved a little to the left.`),
      },
      {
        title: "The tide room",
        text: paragraphs(`
          Below the kitchen was a room that filled with the sea twice a day and emptied again, politely, leaving
          something behind each time.

          Nell put up a shelf above the high-water mark and began a museum. She wrote the labels with the care of a
          person who has nobody to talk to: “Boot, left. Owner probably annoyed.”

          In the second week the sea left a bottle. There was a page in it, and on the page was a drawing of the tide
          room, with the shelf and the boot.

          Then she took a pencil, and drew one more thing on the shelf: an orange. She corked the bottle, and gave
          it back to the sea.`),
      },
      {
        title: "What the sea said",
        text: paragraphs(`
          It said nothing for nine days, which for the sea is an effort.

          On the tenth day there was an orange in the tide room. It was fresh, and it was cold, and it had a label tied
          to it in handwriting very like her own.

          “Orange,” said the label. “Owner no longer alone.”

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

          One day the mapmaker wrote it a letter. “To whoever lives there,” she wrote. “Are you happy with
          the street?”`),
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
  ...[
    ["bees", "Letters to a Beekeeper", "Anselm Ogden"], ["dust", "Dust for Beginners", "Wilma Ruskin"], ["east", "East of the Kettle", "Mirabel Finch"],
    ["moss", "Slow News from the Moss", "Edwin Vale"], ["stair", "Up the Down Stair", "Nora Quill"], ["wool", "Where the Wool Goes", "Greta Holm"],
  ].map(([id, title, author]) => ({ id, title, author, chapters: [{ title: "Preface", text: ["The author is still looking for the first sentence."] }] })),
];

export const bookOf = (id) => books.find((book) => book.id === id);
