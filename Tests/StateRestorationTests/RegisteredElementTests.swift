import KeyedArchive
import Testing

@testable import StateRestoration

/// What a device tells of its lists.
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

    @Test func tellsAllOfAListInItsOrder() {
        #expect(elements().registeredElements() == (0..<40).map(element))
        #expect(Elements([[], []]).registeredElements() == [])
    }

    @Test func tellsOnceWhatIsInAListTwice() {
        let source = Elements([["a1", "caf\u{E9}"], ["a2", "a1", "cafe\u{301}"], ["a3"]])
        #expect(source.registeredElements().map(\.identifier) == ["a1", "caf\u{E9}", "a2", "a3"])
        #expect(source.registeredElements().map(\.position) == [0, 1, 2, 5].map { $0 * ListPositions.step })
    }

    @Test func tellsOnlyWhatAnArchiveRefersToAndItsNeighbours() {
        let source = elements()
        let archive = StateArchive(references: [
            ModelReference("a22", of: source, role: .selected), ModelReference("a1", of: source, role: .firstVisible),
            ModelReference(dataSource: "others", element: .init("a39")),
        ])
        let told = archive.registeredElements(of: source)
        // Eight on each side, each once.
        #expect(told.count == 27)
        #expect(Set(told) == Set((Array(14...30) + Array(0...9)).map(element)))
    }

    @Test func tellsNothingOfWhatIsNotThere() {
        let source = elements()
        var archive = StateArchive(references: [ModelReference("a22", of: source, role: .selected)])
        source.sections[2].removeAll { $0 == "a22" || $0 == "a23" }
        archive.references.append(
            ModelReference(
                dataSource: "elements", element: .init("a5", aliases: ["gone"]),
                resolution: .init(step: .neighbour, confidence: 0.25)))
        let told = archive.registeredElements(of: source)
        #expect(!told.contains { ["a22", "a23", "a5"].contains($0.identifier) })
        #expect(told.first { $0.identifier == "a24" }?.position == 22 * ListPositions.step)
    }
}
