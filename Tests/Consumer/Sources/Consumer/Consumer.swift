import AppTests
import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime

@main
struct Consumer {
    static func main() async throws {
        let place = Place([.init(screen: "albums", title: "Albums"), .init(screen: "photo", title: "Tram 28")])
        let bytes = try StateArchive(bundleVersion: "42", idiom: 0, place: place).encoded()

        // This code is also in docs/archive-format.md.
        let summary = try ArchiveSummary(reading: bytes)
        print(summary.idiom ?? -1, summary.bundleVersion ?? "no version", summary.objectCount)
        print(summary.placeTitles.joined(separator: " › "))
        try restore()

        let archive = StateArchive(bundleVersion: "1", idiom: 0, place: place)
        let tests = CarryingTests()
        guard try await tests.carry(archive) == archive, try await tests.launchOnMainActor() else {
            throw Failure.stateWasNotCarried
        }
    }

    enum Failure: Error {
        case stateWasNotCarried
    }

    @MainActor
    private static func restore() throws {
        let storage = InMemoryArchiveStorage()
        let editor = Editor()
        editor.text = "unsaved"
        try Life(editor, storage).application.saveState()
        let next = Editor()
        print(Life(next, storage).application.launch(), next.text)
    }
}

final class Editor: ViewController {
    var text = ""

    override init() {
        super.init()
        restorationIdentifier = "Editor"
    }

    override func encodeRestorableState(with coder: StateEncoder) { coder.encode(text, forKey: "text") }
    override func decodeRestorableState(with coder: StateDecoder) throws {
        text = coder.decodeString(forKey: "text") ?? ""
    }
}

@MainActor
final class Life: ApplicationLifeCycleDelegate {
    let roots: [any RestorableViewController]
    private(set) var application: RestorableApplication!

    init(_ root: ViewController, _ storage: any ArchiveStorage) {
        roots = [root]
        application = RestorableApplication(
            self, environment: RestorationEnvironment(), storage: storage,
            configuration: .init(device: RestorationContext(idiom: .phone)) { 0 })
    }

    func loadInterface() {}
    func shouldSaveApplicationState(_ coder: StateEncoder) -> Bool { true }
    func shouldRestoreApplicationState(_ coder: StateDecoder) -> Bool { true }
}
