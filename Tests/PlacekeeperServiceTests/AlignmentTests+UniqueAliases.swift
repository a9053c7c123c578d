import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService
import Testing

/// Lists of books that declare some kinds of aliases unique. Titles and ISBNs are ambiguous on a third device. The phone
/// has one book with an ISBN, and one with a title.
extension AlignmentTests {
    private static func books(uniqueAliases: [String]) async throws -> IdentityFixture {
        let fixture = try await IdentityFixture(DataSource(scope: .registered, uniqueAliases: uniqueAliases))
        let doubtful = ["title:Poems", "title:Poems", "isbn:9", "isbn:9"]
        try await fixture.register(doubtful.enumerated().map { Item("o\($0)", aliases: [$1]) }, on: fixture.other)
        try await fixture.register(
            Item("p1", aliases: ["isbn:1"]), Item("p2", aliases: ["title:Letters"]), on: fixture.phone)
        return fixture
    }

    /// Returns the identifiers that the pad gets for two of the phone's books: from an archive that has their aliases,
    /// from an archive without aliases, and for single identifiers.
    private static func found(in fixture: IdentityFixture) async throws -> [[String?]] {
        let books = [("p1", ["isbn:1"]), ("p2", ["title:Letters"])]
        var found: [[String?]] = []
        for (number, hasAliases) in [(1, true), (2, false)] as [(UInt64, Bool)] {
            let references = books.map { book in
                var reference = ModelReference.to(book.0, role: .selected)
                reference.element = Element(book.0, aliases: hasAliases ? book.1 : [])
                return reference
            }
            _ = try await fixture.upload(references, by: fixture.phone, number: number)
            found.append(try await fixture.references(for: fixture.pad).map(\.element.identifier))
        }
        let resolutions = try await fixture.service.lists.resolve(
            books.map(\.0), of: fixture.phone.device.id, in: IdentityFixture.list, for: fixture.pad)
        return found + [resolutions.map(\.identifier)]
    }

    private static let declarations: [(unique: [String], isFound: [Bool])] = [
        ([], [false, false]), (["server"], [false, false]), (["isbn"], [true, false]), (["title"], [false, true]),
        (["isbn", "title"], [true, true]),
    ]

    /// Without positions, nothing supports an item with a weak alias.
    @Test(arguments: declarations)
    func takesAnItemByOneAliasOfAUniqueKind(_ unique: [String], _ isFound: [Bool]) async throws {
        let fixture = try await Self.books(uniqueAliases: unique)
        try await fixture.register(
            Item("q1", aliases: ["isbn:1"]), Item("q2", aliases: ["title:Letters"]), on: fixture.pad)
        let expected = zip(isFound, ["q1", "q2"]).map { $0 ? $1 : nil }
        #expect(try await Self.found(in: fixture) == [expected, expected, expected])
    }

    /// The items that the pad replaced have the aliases, and their replacements have none.
    @Test(arguments: declarations)
    func followsARedirectByOneAliasOfAUniqueKind(_ unique: [String], _ isFound: [Bool]) async throws {
        let fixture = try await Self.books(uniqueAliases: unique)
        try await fixture.register(
            Item("old 1", aliases: ["isbn:1"]), Item("old 2", aliases: ["title:Letters"]), Item("q1"), Item("q2"),
            on: fixture.pad)
        try await fixture.redirect("old 1", to: "q1", on: fixture.pad)
        try await fixture.redirect("old 2", to: "q2", on: fixture.pad)
        let expected = zip(isFound, ["q1", "q2"]).map { $0 ? $1 : nil }
        #expect(try await Self.found(in: fixture) == [expected, expected, expected])
    }

    /// The pad has the book on another shelf.
    @Test(arguments: [([], nil), (["title"], nil), (["isbn"], "moved")] as [([String], String?)])
    func believesAUniqueKindAgainstTheNeighbors(_ unique: [String], _ expected: String?) async throws {
        let shelf = (1...9).map { ("\($0)", ["title:\($0)"]) }
        let others = (1...10).map { ("other \($0)", ["title:other \($0)"]) }
        let twins = [("twin", ["isbn:9"]), ("other twin", ["isbn:9"])]
        let book = [("book", ["isbn:1"])]
        let fixture = try await Self.fixture(
            phone: shelf.prefix(5) + book + shelf.dropFirst(5) + others,
            pad: shelf + others + [("moved", ["isbn:1"])] + twins,
            DataSource(scope: .registered, uniqueAliases: unique))
        let found = try await fixture.resolve("book", of: fixture.phone, for: fixture.pad)
        #expect(found.identifier == expected)
    }
}
