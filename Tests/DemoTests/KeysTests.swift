import Testing

@testable import placekeeper_demo

struct KeysTests {
    @Test(arguments: [
        ("\u{1B}[A\u{1B}[B\u{1B}OC\u{1B}[D", [Key.up, .down, .right, .left]), ("\t\r\n", [.tab, .enter, .enter]),
        ("qo", [.letter("q"), .letter("o")]), ("\u{3}", [.interrupt]), ("\u{7F}", [.left]),
        // A page key, a function key with a parameter, and an unfinished sequence.
        ("\u{1B}[5~\u{1B}[1;5Aq", [.letter("q")]), ("q\u{1B}[", [.letter("q")]), ("\u{1B}", []),
    ])
    func readsTheKeysOfATerminal(_ sent: String, _ keys: [Key]) {
        #expect(Key.keys(in: Array(sent.utf8)) == keys)
    }
}
