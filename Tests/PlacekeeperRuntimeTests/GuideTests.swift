import Foundation
import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

// The code blocks of the guide GettingStarted.md. `guideShowsThisCode` compares the guide with this code.

@MainActor
final class NotesList: ViewController {
    let table = TableView()

    init(_ notes: Notes) {
        super.init()
        restorationIdentifier = "List"
        table.restorationIdentifier = "Table"
        table.dataSource = notes
        views = [table]
    }
}

@MainActor
final class Editor: ViewController, ViewControllerRestoration {
    let notes: Notes
    let note: String
    var draft: String

    init(_ note: String, of notes: Notes) {
        self.notes = notes
        self.note = note
        draft = notes.text[note] ?? ""
        super.init()
        restorationIdentifier = "Editor"
        restorationClass = Editor.self
    }

    static func viewController(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any RestorableViewController)? {
        let notes = Notes.shared
        guard let note = coder.decodeShownElement(of: notes, forKey: "note")?.identifier else { return nil }
        return Editor(note, of: notes)
    }

    override func encodeRestorableState(with coder: StateEncoder) {
        super.encodeRestorableState(with: coder)
        coder.encode(elementWithModelIdentifier: note, of: notes, forKey: "note")
        coder.encode(draft, forKey: "draft")
    }

    override func decodeRestorableState(with coder: StateDecoder) throws {
        try super.decodeRestorableState(with: coder)
        draft = coder.decodeString(forKey: "draft") ?? draft
    }
}

@MainActor
final class Notes: ListDataSource, DataSourceModelAssociation {
    static let shared = Notes()
    let dataSourceName = "notes"
    var identifiers: [String] = []
    var serverIDs: [String: Int] = [:]
    var text: [String: String] = [:]

    func elementCounts() -> [Int] { [identifiers.count] }

    func modelIdentifierForElement(at place: ElementIndexPath?, in view: (any ElementView)?) -> String? {
        guard let place, identifiers.indices.contains(place.item) else { return nil }
        return identifiers[place.item]
    }

    func indexPathForElement(
        withModelIdentifier identifier: String?, in view: (any ElementView)?
    ) -> ElementIndexPath? {
        identifiers.firstIndex { $0 == identifier }.map { ElementIndexPath(item: $0) }
    }
}

extension Notes {
    func modelAliases(forElementWithModelIdentifier identifier: String) -> [String] {
        serverIDs[identifier].map { ["server:\($0)"] } ?? []
    }
}

@MainActor
final class NotesApp: ApplicationLifeCycleDelegate {
    let navigation = NavigationController()
    var roots: [any RestorableViewController] { [navigation] }

    func loadInterface() {
        navigation.restorationIdentifier = "Navigation"
        navigation.viewControllers = [NotesList(.shared)]
    }

    func shouldSaveApplicationState(_ coder: StateEncoder) -> Bool { true }

    func shouldRestoreApplicationState(_ coder: StateDecoder) -> Bool {
        RestorationGate(minimumBundleVersion: "2").refusal(of: coder, now: 0) == nil
    }
}

@MainActor
func launch(
    in folder: URL, served: RestorationFidelity? = nil
) -> (app: NotesApp, life: RestorableApplication) {
    let app = NotesApp()
    let life = RestorableApplication(
        app, environment: RestorationEnvironment(restorationClasses: [Editor.self]),
        storage: FileArchiveStorage(folder: folder),
        configuration: .init(device: RestorationContext(idiom: .phone, bundleVersion: "2")) {
            Date().timeIntervalSinceReferenceDate
        })
    life.launch(served: served)
    return (app, life)
}

@MainActor
func leaveAndComeBack(in folder: URL) throws -> NotesApp {
    let (app, life) = launch(in: folder)
    app.navigation.push(Editor("shopping", of: .shared))
    try life.saveState()
    return launch(in: folder).app
}

@MainActor
func launch(
    with archive: [UInt8], _ fidelity: RestorationFidelity, in folder: URL
) throws -> (app: NotesApp, life: RestorableApplication) {
    let storage = FileArchiveStorage(folder: folder)
    try storage.writeArchive(archive)
    try storage.writeAttempts(0)  // The count belongs to the earlier archive.
    return launch(in: folder, served: fidelity)
}

extension Editor: PlaceProviding {
    func encodePlace(with coder: PlaceEncoder) {
        coder.addStep(screen: "editor", elements: [ModelReference(note, of: notes, role: .selected)])
    }
}

extension NotesApp: PlaceNavigating {
    var placeNavigator: (any PlaceNavigating)? { self }

    func go(to step: PlaceStep) async -> Bool {
        guard let note = step.elements.first?.resolve(in: Notes.shared) else { return false }
        navigation.push(Editor(note.identifier, of: .shared))
        return true
    }
}

@MainActor
@Suite(.serialized)
struct GuideTests {
    @Test func restoresScreenOnPhoneAndPlaceOnPad() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        Notes.shared.identifiers = ["shopping", "ideas"]
        let app = try leaveAndComeBack(in: folder)
        #expect((app.navigation.top as? Editor)?.note == "shopping")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])

        let (phone, life) = launch(in: folder)
        phone.navigation.push(Editor("ideas", of: .shared))
        try life.saveState()
        Notes.shared.identifiers = ["new", "ideas"]
        let pad = NotesApp()
        let padLife = RestorableApplication(
            pad, environment: RestorationEnvironment(restorationClasses: [Editor.self]),
            storage: FileArchiveStorage(folder: folder),
            configuration: .init(device: RestorationContext(idiom: .pad, bundleVersion: "2")) { 0 })
        #expect(padLife.launch() == .placeOnly)
        #expect(await padLife.restorePlace() == PlaceRestoration(reached: ["editor"]))
        #expect((pad.navigation.top as? Editor)?.note == "ideas")
    }

    @Test func restoresArchiveOfAnotherDevice() throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: root) }
        let (phone, other) = (root.appendingPathComponent("phone"), root.appendingPathComponent("other"))
        Notes.shared.identifiers = ["shopping", "ideas"]
        let (app, life) = launch(in: phone)
        (app.navigation.viewControllers.first as? NotesList)?.table.scroll(to: 50)
        app.navigation.push(Editor("ideas", of: .shared))
        let uploaded = try #require(try life.saveState()).encoded()

        // An unfinished launch with an earlier archive is not an attempt to restore the new archive.
        try FileArchiveStorage(folder: other).writeAttempts(1)
        let restored = try launch(with: uploaded, .full, in: other).app
        #expect((restored.navigation.top as? Editor)?.note == "ideas")
        #expect((restored.navigation.viewControllers.first as? NotesList)?.table.contentOffset == 50)
    }

    @Test func findsNoteByAliasWhenItsIdentifierChanged() {
        let notes = Notes()
        (notes.identifiers, notes.serverIDs) = (["p1", "p2"], ["p1": 7, "p2": 8])
        let reference = ModelReference("p1", of: notes, role: .selected)
        (notes.identifiers, notes.serverIDs) = (["p1", "p2", "p3"], ["p1": 9, "p3": 7])
        #expect(reference.resolve(in: notes)?.identifier == "p3")
        // A failed synchronization gave two notes one ID.
        notes.serverIDs["p2"] = 7
        #expect(reference.resolve(in: notes) == nil)
    }

    @Test func guideShowsThisCode() throws {
        let here = URL(fileURLWithPath: #filePath)
        let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let guide = try String(
            contentsOf: root.appendingPathComponent(
                "Sources/PlacekeeperRuntime/PlacekeeperRuntime.docc/GettingStarted.md"),
            encoding: .utf8)
        let code = try String(contentsOf: here, encoding: .utf8)
        let blocks = guide.components(separatedBy: "```swift\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
        let imports =
            "import Foundation\nimport PlacekeeperArchive\nimport PlacekeeperStandIns\nimport PlacekeeperRuntime\n\n"
        #expect(blocks.count == 11)
        for block in blocks {
            #expect(code.contains(block.replacingOccurrences(of: imports, with: "")))
        }
    }
}
