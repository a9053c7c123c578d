import Testing

@testable import placekeeper

@Suite struct TerminalTextTests {
    @Test(arguments: [
        ("plain", "plain"), ("größer 👩‍👧", "größer 👩‍👧"), ("\u{1B}[31mred", "\"\\u{1b}[31mred\""), ("a\nb", "\"a\\u{a}b\""),
        ("\u{9B}2J", "\"\\u{9b}2J\""), ("a\u{202E}b", "\"a\\u{202e}b\""),
    ])
    func escapesUnsafeCharacters(text: String, shown: String) {
        #expect(escapedForTerminal(text) == shown)
    }

    @Test(arguments: [
        ("An app has at most 256.", "an app has at most 256"), ("The store failed.", "the store failed"),
        ("plain", "plain"), ("", ""),
    ])
    func convertsASentenceToAClause(sentence: String, clause expected: String) {
        #expect(clause(sentence) == expected)
    }
}
