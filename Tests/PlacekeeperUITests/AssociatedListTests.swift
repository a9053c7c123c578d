import PlacekeeperArchive
import PlacekeeperUI
import PlacekeeperRuntime
import Testing

@MainActor
struct AssociatedListTests {
    private let rows = [["a", "b"], [], ["c"]]

    @Test func findsElementsOfTheDataSource() {
        let list = list()
        #expect(list.modelIdentifierForElement(at: .init(section: 2, item: 0), in: nil) == "c")
        #expect(list.indexPathForElement(withModelIdentifier: "b", in: nil) == .init(section: 0, item: 1))
        #expect(list.registeredElements().map(\.identifier) == ["a", "b", "c"])
        #expect(list.registeredElements().map(\.aliases) == [["id:a"], ["id:b"], ["id:c"]])
    }

    @Test func doesNotTrustFirstRowForUnknownIdentifier() {
        #expect(list().indexPathForElement(withModelIdentifier: "gone", in: nil) == nil)
        #expect(!list().containsElement(withModelIdentifier: "gone"))
    }

    @Test(arguments: [(3, 0), (1, 0), (0, 2), (0, -1), (-1, 0)])
    func doesNotAskBeyondTheRows(_ section: Int, _ item: Int) {
        #expect(list().modelIdentifierForElement(at: .init(section: section, item: item), in: nil) == nil)
    }

    @Test func promisesNothingByDefault() {
        #expect(!list().selectsNeighbors && list().uniqueAliases.isEmpty)
        let promising = AssociatedList(
            "letters", selectsNeighbors: true, uniqueAliases: ["id"], counts: { [] }, identifierAt: { _ in nil },
            indexPathOf: { _ in nil })
        #expect(promising.selectsNeighbors && promising.uniqueAliases == ["id"])
    }

    @Test func findsNothingForNil() {
        #expect(list().modelIdentifierForElement(at: nil, in: nil) == nil)
        #expect(list().indexPathForElement(withModelIdentifier: nil, in: nil) == nil)
    }

    @Test func findsElementByAliasUnlessSeveralHaveIt() {
        func found(_ alias: String, in list: AssociatedList) -> String? {
            ModelReference(dataSource: "letters", element: .init(nil, aliases: [alias])).find(in: list)?.identifier
        }
        #expect(found("id:c", in: list()) == "c")
        #expect(found("id:gone", in: list()) == nil)
        #expect(found("same", in: list { _ in ["same"] }) == nil)
    }

    /// Two files may have names that differ only in their Unicode normalization form. A data source that compares texts
    /// as Swift does finds one for the other.
    @Test func doesNotTakeOneFormOfAnIdentifierForTheOther() {
        let names = ["\u{E9}", "e\u{301}"]
        let list = AssociatedList(
            "files", counts: { [2] }, identifierAt: { names[$0.item] },
            indexPathOf: { name in names.firstIndex(of: name).map { .init(section: 0, item: $0) } },
            aliases: { _ in ["same"] })
        #expect(list.indexPathForElement(withModelIdentifier: names[0], in: nil) == .init(section: 0, item: 0))
        #expect(list.indexPathForElement(withModelIdentifier: names[1], in: nil) == nil)
        let shared = ModelReference(dataSource: "files", element: .init(nil, aliases: ["same"]))
        #expect(shared.find(in: list) == nil)
        #expect(PlaceItem(names[0], of: "files") != PlaceItem(names[1], of: "files"))
    }

    private func list(_ aliases: @escaping @MainActor (String) -> [String] = { ["id:" + $0] }) -> AssociatedList {
        AssociatedList(
            "letters", counts: { rows.map(\.count) }, identifierAt: { rows[$0.section][$0.item] },
            indexPathOf: { identifier in
                for (section, row) in rows.enumerated() {
                    if let item = row.firstIndex(of: identifier) { return .init(section: section, item: item) }
                }
                // As some data sources of apps do.
                return .init(section: 0, item: 0)
            }, aliases: aliases)
    }
}
