import Foundation
import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperKit

/// Screens of each form that the compiler writes.
private enum Screen: Codable, Hashable {
    case about
    case book(Book.Reference, page: Int?)
    case photo(UUID)
    case row(number: Int, of: String)
    case filter(Filter)
    case edited(draft: String)
    case nested(Chapter)

    /// The case `edited` was `draft`, and its value `draft` was `text`.
    enum CodingKeys: String, CodingKey { case about, book, photo, row, filter, edited = "draft", nested }
    enum EditedCodingKeys: String, CodingKey { case draft = "text" }
}

private enum Order: String, Codable { case ascending, descending }
private enum Level: Int, Codable { case low = 1, high = 3 }

private struct Chapter: Codable, Hashable {
    var book: Book.Reference
    var number: Int
    var related: [Book.Reference] = []
}

private struct Filter: Codable, Hashable {
    var isOn = true
    var (count, small, share, text) = (UInt64.max, Int8.min, 0.5, "")
    var (bytes, day, address) = (Data([0, 255]), Date(timeIntervalSinceReferenceDate: 0.25), URL(string: "a://b/c?d"))
    var (tags, nested, maybe) = ([String](), [[1], []], Date?.none)
    var (order, level) = (Order.descending, Level.high)
}

/// The limits of each type of number.
private struct Numbers: Codable, Hashable {
    var (a, b, c, d) = ([Int8.min, .max], [Int16.min, .max], [Int32.min, .max], [Int64.min, .max])
    var (e, f, g, h) = ([UInt8.min, .max], [UInt16.min, .max], [UInt32.min, .max], [UInt64.min, .max])
    var (i, j) = ([Int.min, .max, 0, -1], [UInt.min, .max])
    var k = [Double.leastNonzeroMagnitude, .greatestFiniteMagnitude, -.infinity, .pi, 1, -0.0]
    var l = [Float.leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, .pi, 1]
    var (m, n) = (true, false)
}

/// A state with a reference in each position.
private struct Desk: Codable, Hashable {
    struct Drawer: Codable, Hashable { var book: Book.Reference, note: Note }
    struct Note: Codable, Hashable { var books: [Book.Reference] }

    var member: Book.Reference
    var optional: Book.Reference?
    var missing: Book.Reference?
    var array: [Book.Reference]
    var optionals: [Book.Reference?]
    var set: Set<Book.Reference>
    var named: [String: Book.Reference]
    var pages: [Book.Reference: Int]
    var drawer: Drawer
}

/// Values between a state and the bytes of its archive.
@MainActor
struct ValueCodingTests {
    let phone: VirtualDevice

    init() async throws { phone = try await TestService().device(.phone) }

    /// What comes back, and the names of what was left out.
    private func carry<Value: Codable>(
        _ value: Value, _ lists: [any ModelAssociation] = [Shelf().list], to other: [any ModelAssociation]? = nil
    ) async throws -> (value: Value?, omitted: [String]) {
        let (navigator, restored) = (ValueNavigator<Value>(lists: lists), ValueNavigator<Value>(lists: other ?? lists))
        navigator.show(value)
        let place = KeptPlace(phone.placekeeper.scene(), navigator: navigator, device: phone.configuration.device)
        let archive = try StateArchive(reading: place.archiveToSave().archive.encoded())
        restored.goToFirstScreen()
        let result = await archive.restorePlace(through: restored)
        return (result?.stopped == nil ? restored.value : nil, place.omissions.map(\.name).sorted())
    }

    private func expectSame<Value: Codable & Equatable>(
        _ value: Value, _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let carried = try await carry(value)
        #expect(carried.value == value, sourceLocation: location)
        #expect(carried.omitted == [], sourceLocation: location)
    }

    // MARK: - Paths

    @Test func carriesAPathOfEachFormOfScreen() async throws {
        let book = Book.Reference(placeID: "2")
        try await expectSame([
            Screen.about, .book(book, page: 7), .book(book, page: nil), .photo(UUID()), .row(number: -3, of: "a"),
            .filter(Filter()), .edited(draft: "x"), .nested(Chapter(book: book, number: 2, related: [book, book])),
        ])
        try await expectSame([Order.ascending, .descending])
        try await expectSame([Level.high, .low])
        try await expectSame([Chapter(book: book, number: 1), Chapter(book: book, number: 2)])
        try await expectSame([Desk.Note(books: [book])])
        try await expectSame([Desk.Drawer(book: book, note: .init(books: []))])
        try await expectSame([book, .init(placeID: "1")])
        try await expectSame(["sea", "", "\u{E9}", "e\u{301}"])
        try await expectSame([3, -1, .max])
        try await expectSame([Screen]())
    }

    @Test func savesTheNamesOfCodingKeys() {
        let writer = ValueSteps(lists: ItemLists())
        let book = Book.Reference(placeID: "1")
        let steps = writer.steps(of: [Screen.edited(draft: "x"), .book(book, page: nil), .about], title: nil)
        #expect(steps.map(\.screen) == ["root", "draft", "book", "about"])
        #expect(steps.map(\.parameters) == [[:], ["text": .string("x")], ["_0": .reference(0)], [:]])
        #expect(writer.steps(of: [Order.ascending], title: nil).map(\.screen) == ["root", "ascending"])
        #expect(writer.steps(of: [Desk.Note](), title: "Desk").map(\.title) == ["Desk"])
    }

    /// Build 1 had the case `search(text:)`.
    @Test func readsScreensOfAnOlderVersionUnderThePresentNames() async throws {
        enum Later: Codable, Hashable {
            case book(Book.Reference, edition: Int?)
            case find(words: String)
            enum CodingKeys: String, CodingKey { case book, find = "search" }
            enum FindCodingKeys: String, CodingKey { case words = "text" }
        }
        let (older, later) = (ValueNavigator<[Route]>(lists: [Shelf("phone-").list]), ValueNavigator<[Later]>())
        later.lists = [Shelf("pad-").list]
        older.show([.search(text: "sea"), .book("phone-2")])
        let place = KeptPlace(phone.placekeeper.scene(), navigator: older, device: phone.configuration.device)
        _ = await place.archive().restorePlace(through: later)
        #expect(later.path == [.find(words: "sea"), .book(.init(placeID: "pad-2"), edition: nil)])
    }

    @Test(arguments: [
        Place.Step(screen: "gone"), Place.Step(screen: ""),
        Place.Step(screen: "edited", parameters: ["text": .string("x")]),
        Place.Step(screen: "draft"), Place.Step(screen: "draft", parameters: ["text": .integer(1)]),
        Place.Step(screen: "draft", parameters: ["text": .null]),
        Place.Step(screen: "draft", parameters: ["text": .object(path: "x")]),
        Place.Step(screen: "book", parameters: ["_0": .string("1")]),
        Place.Step(screen: "book", parameters: ["_0": .reference(7)]),
    ])
    func staysOnThePreviousScreenForAnUnknownNameOrValue(step: Place.Step) async {
        let navigator = ValueNavigator<[Screen]>(lists: [Shelf().list])
        let result = await StateArchive(place: Place([.init(screen: "about"), step])).restorePlace(through: navigator)
        #expect(result?.stopped == step.screen)
        #expect(navigator.path == [.about])
    }

    @Test(arguments: [
        ("count", StateValue.integer(-1)), ("small", .integer(128)), ("isOn", .integer(1)),
        ("share", .string("1")), ("bytes", .string("1")), ("tags", .array([.integer(1)])),
        ("tags", .dictionary([:])), ("share", .real(.nan)), ("day", .date(.nan)),
        ("order", .string("sideways")), ("level", .integer(2)), ("small", .real(1)), ("text", .reference(0)),
    ])
    func refusesAValueOfAnotherTypeOrOutOfRange(label: String, value: StateValue) async {
        let writer = ValueSteps(lists: ItemLists())
        var parameters = writer.steps(of: Filter(), title: nil)[0].parameters
        func restored() async -> Filter? {
            let navigator = ValueNavigator<Filter>()
            let place = Place([.init(screen: "root", parameters: parameters)])
            _ = await StateArchive(place: place).restorePlace(through: navigator)
            return navigator.value
        }
        #expect(await restored() == Filter())
        parameters[label] = value
        #expect(await restored() == nil)
    }

    /// A screen whose name is also that of the first step.
    @Test func carriesAScreenWithTheNameRoot() async throws {
        enum Screen: Codable, Hashable { case root, leaf }
        try await expectSame([Screen.root, .leaf])
        try await expectSame([Screen.leaf, .root])
    }

    // MARK: - Whole values

    @Test func carriesAWholeValue() async throws {
        try await expectSame(Filter())
        try await expectSame(Numbers())
        try await expectSame(Screen.about)
        try await expectSame(Screen.row(number: 1, of: "a"))
        try await expectSame(Level.high)
        try await expectSame(Order.ascending)
        try await expectSame("sea")
        try await expectSame(UUID())
        try await expectSame(Data([1, 2]))
        try await expectSame(Date(timeIntervalSinceReferenceDate: 7))
        try await expectSame(URL(string: "https://books.example/1?page=2#a"))
        try await expectSame(Set(["a", "b", "c"]))
        try await expectSame(["a": nil, "b": 1] as [String: Int?])
        try await expectSame([1: ["a"], -2: []])
        try await expectSame([UUID(): 1])
        try await expectSame(Decimal(string: "12.5"))
        try await expectSame(0..<7)
    }

    @Test func carriesAReferenceInEachPositionUnderThisDevicesIdentifier() async throws {
        func desk(_ prefix: String) -> Desk {
            func book(_ isbn: Int) -> Book.Reference { .init(placeID: "\(prefix)\(isbn)") }
            return Desk(
                member: book(1), optional: book(2), array: [book(2), book(1), book(2)],
                optionals: [nil, book(3), nil], set: [book(1), book(3)], named: ["first": book(3)],
                pages: [book(1): 10, book(2): 20], drawer: .init(book: book(2), note: .init(books: [book(3)])))
        }
        let carried = try await carry(desk("phone-"), [Shelf("phone-").list], to: [Shelf("pad-").list])
        #expect(carried.value == desk("pad-"))
        #expect(carried.omitted == [])
    }

    @Test(arguments: [nil, "phone-2"])
    func carriesAnOptionalReferenceAlone(id: String?) async throws {
        let value = id.map { Book.Reference(placeID: $0) }
        let carried = try await carry(value, [Shelf("phone-").list], to: [Shelf("pad-").list])
        #expect(try #require(carried.value)?.placeID == id.map { _ in "pad-2" })
    }

    @Test func readsAWholeValueWithoutItsOptionalMembers() async throws {
        struct Later: Codable, Equatable {
            var text: String
            var page: Int?
            var book: Book.Reference?
        }
        let navigator = ValueNavigator<Later>()
        let place = Place([.init(screen: "root", parameters: ["text": .string("sea"), "gone": .integer(1)])])
        _ = await StateArchive(place: place).restorePlace(through: navigator)
        #expect(navigator.value == Later(text: "sea"))
    }
}
