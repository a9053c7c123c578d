import PlacekeeperArchive
import PlacekeeperRuntime
import PlacekeeperStandIns
import Testing

/// Tests a list with two files whose names differ only in their Unicode normalization form. Identifiers are bytes.
@MainActor
struct IdentifierFormTests {
    private static let (composed, decomposed) = ("Fotos/\u{E9}.jpg", "Fotos/e\u{301}.jpg")
    private let elements = Elements("a", Self.composed, Self.decomposed, "z")
    private let list = TableView()

    init() { adopt(list) }

    private func adopt(_ list: TableView) {
        list.restorationIdentifier = "List"
        list.dataSource = elements
    }

    private func bytes(_ identifiers: [String?]) -> [[UInt8]] { identifiers.map { Array(($0 ?? "").utf8) } }
    private var both: [[UInt8]] { bytes([Self.composed, Self.decomposed]) }

    private func saved() throws -> StateArchive {
        let screen = Screen("Root")
        screen.views = [list]
        return try #require(try TestApp(screen).save())
    }

    private func restored(_ archive: StateArchive) throws -> TableView {
        let (screen, list) = (Screen("Root"), TableView())
        adopt(list)
        screen.views = [list]
        _ = try TestApp(screen).restore(StateArchive(reading: archive.encoded()))
        return list
    }

    @Test func restoresTheSelectionAndTheTopRow() throws {
        list.listSelection = [.init(item: 2)]
        list.listAnchor = .init(indexPath: .init(item: 2), offset: 3)
        let restored = try restored(saved())
        #expect(restored.listSelection == [.init(item: 2)])
        #expect(restored.listAnchor == .init(indexPath: .init(item: 2), offset: 3))
    }

    @Test func restoresBothSelectedRows() throws {
        list.listSelection = [.init(item: 1), .init(item: 2)]
        #expect(try restored(saved()).listSelection == [.init(item: 1), .init(item: 2)])
    }

    @Test func savesAReferenceToEachVisibleRow() throws {
        let archive = try saved()
        let visible = archive.references.filter { $0.role == .other }.map(\.element.identifier)
        #expect(bytes(visible) == both + bytes(["z"]))
        let restored = try restored(archive)
        #expect(restored.listVisible.map(\.indexPath.item) == [0, 1, 2, 3])
    }

    /// An alias that a row and its saved neighbor have does not identify either of them.
    @Test func takesTheFormsForTwoItemsThatShareAnAlias() {
        elements.sections = [["other"]]
        elements.aliases = ["other": ["t"]]
        let reference = ModelReference(
            dataSource: "elements", element: .init(Self.composed, aliases: ["t"]), role: .selected,
            after: [.init(Self.decomposed, aliases: ["t"])])
        #expect(reference.resolve(in: elements) == nil)
    }

    @Test func registersBothItems() throws {
        let registered = elements.registeredElements()
        #expect(bytes(registered.map(\.identifier)) == bytes(["a"]) + both + bytes(["z"]))
        #expect(Set(registered.map(\.position)).count == 4)
        let named = [Self.decomposed, Self.composed].map { ListElement($0) }
        let again = named.registeredElements(after: registered)
        #expect(bytes(again.map(\.identifier)) == both.reversed())
        let archive = StateArchive(
            references: [Self.composed, Self.decomposed].map { ModelReference($0, in: elements, role: .selected) })
        let referred = archive.registeredElements(of: elements, after: registered)
        #expect(bytes(referred.map(\.identifier)) == bytes(registered.map(\.identifier)))
        #expect(referred.map(\.position) == registered.map(\.position))
    }

    @Test func comparesIdentifiersByTheirBytes() {
        let (one, other) = (Self.composed, Self.decomposed)
        #expect(ModelReference.Element(one) != .init(other) && ListElement(one) != .init(other))
        #expect(ModelReference.Element("p", aliases: [one]) == .init("p", aliases: [other]))
        #expect(
            ModelReference.Resolution(step: .pending, confidence: 0, neighbor: one)
                != .init(step: .pending, confidence: 0, neighbor: other))
        #expect(RegisteredElement(one, position: 1) != .init(other, position: 1))
        #expect(IdentifiedElement(identifier: one, step: .identifier) != .init(identifier: other, step: .identifier))
        let place = ElementIndexPath(item: 1)
        #expect(
            ElementResolution(indexPath: place, identifier: one, step: .identifier)
                != .init(indexPath: place, identifier: other, step: .identifier))
    }
}
