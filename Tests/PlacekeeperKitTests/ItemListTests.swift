import PlacekeeperArchive
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperKit

/// The items of an app, as the runtime reads them.
@MainActor
struct ItemListTests {
    private struct Letter: PlaceItem {
        let placeID: String
        var placeAliases: [ItemAlias] = []
        static var selectsNeighbor: Bool { true }
        static var listName: String { "letters" }
    }

    private let letters = ["a", "b", "c"].map { Letter(placeID: $0, placeAliases: [ItemAlias("id", $0)]) }

    private func found(_ alias: String, in letters: [Letter]) -> String? {
        ModelReference(dataSource: "letters", element: .init(nil, aliases: [alias])).find(in: letters.list)?.identifier
    }

    @Test func hasEachItemWithItsAliases() {
        let list = letters.list
        #expect(list.dataSourceName == "letters")
        #expect(list.listElements.map(\.identifier) == ["a", "b", "c"])
        #expect(list.listElements.map(\.aliases) == [["id:a"], ["id:b"], ["id:c"]])
        #expect(list.modelIdentifierForElement(at: .init(section: 0, item: 2), in: nil) == "c")
        #expect(list.indexPathForElement(withModelIdentifier: "b", in: nil) == .init(section: 0, item: 1))
        #expect(list.elementCounts(in: nil) == [3])
    }

    @Test(arguments: [(3, 0), (1, 0), (0, 3), (0, -1), (-1, 0)])
    func hasNoItemBeyondItsRows(_ section: Int, _ item: Int) {
        #expect(letters.list.modelIdentifierForElement(at: .init(section: section, item: item), in: nil) == nil)
    }

    @Test func hasNoOtherItem() {
        #expect(letters.list.indexPathForElement(withModelIdentifier: "gone", in: nil) == nil)
        #expect(letters.list.indexPathForElement(withModelIdentifier: nil, in: nil) == nil)
        #expect(letters.list.modelIdentifierForElement(at: nil, in: nil) == nil)
        #expect(!letters.list.containsElement(withModelIdentifier: "gone"))
    }

    @Test func promisesWhatTheTypeOfTheItemsSays() {
        #expect(letters.list.selectsNeighbors && letters.list.uniqueAliases == [])
        #expect(!Shelf().list.selectsNeighbors && Shelf().list.uniqueAliases == ["isbn"])
    }

    @Test func findsAnItemByAnAliasUnlessSeveralHaveIt() {
        #expect(found("id:c", in: letters) == "c")
        #expect(found("id:gone", in: letters) == nil)
        let same = ["a", "b"].map { Letter(placeID: $0, placeAliases: [ItemAlias("same", "1")]) }
        #expect(found("same:1", in: same) == nil)
    }

    /// Two files may have names that differ only in their Unicode normalization form.
    @Test func tellsTheFormsOfAnIdentifierApart() {
        let names = ["\u{E9}", "e\u{301}"]
        let list = names.map { Letter(placeID: $0) }.list
        #expect(names.map { list.indexPathForElement(withModelIdentifier: $0, in: nil)?.item } == [0, 1])
    }

    @Test func loadsAnItemOnceAndKeepsIt() async {
        let shelf = Shelf("", ["1"])
        shelf.stored = ["2"]
        var loads = 0
        shelf.whileLoading = { loads += 1 }
        let list = shelf.list
        #expect(await list.reveal(elementWithModelIdentifier: "1") && loads == 0)
        #expect(await list.reveal(elementWithModelIdentifier: "2") && loads == 1)
        #expect(await list.reveal(elementWithModelIdentifier: "2") && loads == 1)
        #expect(await !list.reveal(elementWithModelIdentifier: "9"))
        #expect(list.listElements.map(\.identifier) == ["1", "2"])
        #expect(list.title(of: "2") == "Book 2" && list.title(of: "9") == nil)
    }

    @Test func takesNoOtherItemThatTheAppLoads() async {
        final class Wrong: ItemSource {
            func item(withPlaceID id: String) async -> Book? { Book(id: "other", isbn: "1") }
        }
        #expect(await !Wrong().list.reveal(elementWithModelIdentifier: "1"))
    }

    /// An app's index has the alias of the item as its key.
    @Test func asksTheAppsIndexByTheAliasOfTheItem() async {
        final class Library: ItemSource {
            let index = [ItemAlias.unique("isbn", "2"): ["2"]]
            func item(withPlaceID id: String) async -> Book? { id == "2" ? Book(id: "2", isbn: "2") : nil }
            func placeIDs(matching alias: ItemAlias) -> [String]? { index[alias] ?? [] }
        }
        let saved = ModelReference(
            dataSource: "Book", element: .init("phone-2", aliases: ["isbn:2"]), role: .selected)
        let list = Library().list
        let found = await saved.revealElement(in: list)?.identifier
        #expect(found == "2")
    }

    @Test func stampChangesWithTheItemsAndOnlyThen() {
        let shelf = Shelf()
        let first = shelf.stamp(after: nil)
        #expect(shelf.stamp(after: first) == first)
        shelf.isbns.append("4")
        let second = shelf.stamp(after: first)
        #expect(second != first)
        shelf.isbns = ["4", "3", "2", "1"]
        #expect(shelf.stamp(after: second) != second)
        let books = Shelf().placeItems
        #expect(books.stamp(after: books.stamp(after: nil)) == first)
    }

    @Test func keyOfAValueOfAnItemIsTheSameOnEveryDevice() {
        let (phone, pad) = (Shelf("phone-").placeItems[0], Shelf("pad-").placeItems[0])
        #expect(phone.storageKey("draft") == "draft#Book-isbn:1" && pad.storageKey("draft") == "draft#Book-isbn:1")
        #expect(letters[0].storageKey("draft") == "draft#letters-a")
        #expect(Letter(placeID: "a").storageKey("draft") == "draft#letters-a")
    }
}
