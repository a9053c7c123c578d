import Testing

@testable import placekeeper_demo

struct TextTests {
    @Test(arguments: [
        ("Tram 28", "Tram 28   "), ("View from Graça", "View from…"), ("石畳の坂道", "石畳の坂道"),
        ("石畳の坂道a", "石畳の坂… "), ("Cafe\u{301}", "Cafe\u{301}      "), ("a\u{1B}[2Jb", "a[2Jb     "),
        ("🚋 28", "🚋 28     "),
    ])
    func fitsTextIntoColumns(_ text: String, _ fitted: String) {
        #expect(Text.fit(text, 10) == fitted)
    }

    @Test func breaksLinesBetweenWords() {
        #expect(Text.wrap("the pad has 石畳 here", 8, indent: 1) == ["the pad", " has", " 石畳", " here"])
        #expect(Text.wrap("", 8) == [])
    }
}
