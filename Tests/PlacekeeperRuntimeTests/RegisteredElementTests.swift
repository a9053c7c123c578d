import PlacekeeperArchive
import Testing

import PlacekeeperStandIns
@testable import PlacekeeperModels
@testable import PlacekeeperRuntime

/// Tests the items that a device registers with the service.
@MainActor
struct RegisteredElementTests {
    private func elements() -> Elements {
        let elements = Elements([(0..<20).map { "a\($0)" }, [], (20..<40).map { "a\($0)" }])
        elements.aliases = Dictionary(uniqueKeysWithValues: (0..<40).map { ("a\($0)", ["id:\($0)"]) })
        return elements
    }

    private func element(_ number: Int) -> RegisteredElement {
        RegisteredElement("a\(number)", aliases: ["id:\(number)"], position: Int64(number) * ListPositions.step)
    }

    @Test func registersWholeListInOrder() {
        #expect(elements().registeredElements() == (0..<40).map(element))
        #expect(Elements([[], []]).registeredElements() == [])
    }

    @Test func registersRepeatedItemOnce() {
        let source = Elements([["a1", "caf\u{E9}"], ["a2", "a1", "caf\u{E9}"], ["a3"]])
        #expect(source.registeredElements().map(\.identifier) == ["a1", "caf\u{E9}", "a2", "a3"])
        #expect(source.registeredElements().map(\.position) == [0, 1, 2, 5].map { $0 * ListPositions.step })
    }

    @Test func registersReferencedItemsAndTheirNeighbors() {
        let source = elements()
        let archive = StateArchive(references: [
            ModelReference("a22", of: source, role: .selected), ModelReference("a1", of: source, role: .firstVisible),
            ModelReference(dataSource: "others", element: .init("a39")),
        ])
        let told = archive.registeredElements(of: source)
        // Each referenced item and up to eight neighbors on each side are registered, and each item only once.
        #expect(told.count == 27)
        #expect(Set(told) == Set((Array(14...30) + Array(0...9)).map(element)))
    }

    @Test func registersNoMissingItem() {
        let source = elements()
        var archive = StateArchive(references: [ModelReference("a22", of: source, role: .selected)])
        source.sections[2].removeAll { $0 == "a22" || $0 == "a23" }
        archive.references.append(
            ModelReference(
                dataSource: "elements", element: .init("a5", aliases: ["gone"]),
                resolution: .init(step: .neighbor, confidence: 0.25)))
        let told = archive.registeredElements(of: source)
        #expect(!told.contains { ["a22", "a23", "a5"].contains($0.identifier) })
        #expect(told.first { $0.identifier == "a24" }?.position == 22 * ListPositions.step)
    }

    @Test func registersReferencedItemsOfAListWithoutCounts() {
        let source = ListWithoutCounts(["a", "b", "c", "d"])
        let archive = StateArchive(
            references: ["d", "b", "gone"].map { ModelReference($0, of: source, role: .selected) })
        let told = archive.registeredElements(of: source)
        #expect(told.map(\.identifier) == ["b", "d"])
        #expect(told.map(\.aliases) == [["id:b"], ["id:d"]])
        let later = StateArchive(references: [ModelReference("c", of: source, role: .selected)])
        let second = later.registeredElements(of: source, after: told)
        #expect(second.map(\.identifier) == ["b", "c", "d"])
        #expect(zip(second, second.dropFirst()).allSatisfy { $0.position < $1.position })
        #expect(Set(told).isSubset(of: second))
    }

    /// The call returns all items that must be registered, also those of earlier archives. The app sends only the items
    /// that changed.
    @Test func keepsItemsRegisteredForEarlierArchives() {
        let source = elements()
        let (one, other) = (
            StateArchive(references: [ModelReference("a1", of: source, role: .firstVisible)]),
            StateArchive(references: [ModelReference("a22", of: source, role: .selected)])
        )
        let first = one.registeredElements(of: source)
        #expect(Set(first.map(\.identifier)) == Set((0...9).map { "a\($0)" }))
        source.sections[0].removeAll { $0 == "a3" }
        source.aliases["a5"] = ["id:5", "late"]
        let second = other.registeredElements(of: source, after: first)
        let removed = Set(first.map(\.identifier)).subtracting(second.map(\.identifier))
        #expect(removed == ["a3"])
        let told = Set(second).subtracting(first)
        #expect(Set(told.map(\.identifier)) == Set((Array(14...30) + [5]).map { "a\($0)" }))
        #expect(told.first { $0.identifier == "a5" }?.aliases == ["id:5", "late"])
        #expect(zip(second, second.dropFirst()).allSatisfy { $0.position < $1.position })
        #expect(one.registeredElements(of: source, after: second) == second)
    }
}

/// A list that knows the index paths of its items, but gives no counts: the default of `elementCounts(in:)`.
private final class ListWithoutCounts: DataSourceModelAssociation {
    let dataSourceName = "elements"
    private let identifiers: [String]

    init(_ identifiers: [String]) { self.identifiers = identifiers }

    func modelIdentifierForElement(at indexPath: ElementIndexPath?, in view: (any ElementView)?) -> String? {
        indexPath.map { identifiers[$0.item] }
    }

    func indexPathForElement(
        withModelIdentifier identifier: String?, in view: (any ElementView)?
    ) -> ElementIndexPath? {
        identifiers.firstIndex { $0 == identifier }.map { ElementIndexPath(item: $0) }
    }

    func modelAliases(forElementWithModelIdentifier identifier: String) -> [String] { ["id:" + identifier] }
}
