import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

/// An app under test. Its archive is encoded to bytes and read again, as at the next launch.
@MainActor
final class TestApp: ApplicationRestorationDelegate {
    let environment: RestorationEnvironment
    let journal = Journal()
    var roots: [any RestorableViewController] = []
    var device = RestorationContext(idiom: .phone, bundleVersion: "1", systemVersion: "17.4")
    var shouldSave = true
    var shouldRestore = true
    var willEncode: (StateEncoder) -> Void = { _ in }
    var didDecode: (StateDecoder) -> Void = { _ in }
    var make: ([String], StateDecoder) -> (any RestorableViewController)? = { _, _ in nil }

    init(_ roots: any RestorableViewController..., in environment: RestorationEnvironment = RestorationEnvironment()) {
        self.environment = environment
        self.roots = roots
        environment.delegate = self
        environment.log = journal
    }

    func save(limits: BinaryPropertyList.Limits = .init()) throws -> StateArchive? {
        let preserver = StatePreserver(environment, roots: { self.roots }, device: device, timestamp: 800_000_000)
        return try preserver.preserve().map { try StateArchive(reading: $0.encoded(), limits: limits) }
    }

    @discardableResult
    func restore(_ archive: StateArchive?) throws -> Restoration {
        StateRestorer(environment, roots: { self.roots }).restore(try #require(archive))
    }

    func shouldSaveApplicationState(_ coder: StateEncoder) -> Bool {
        journal.calls.append("shouldSave")
        return shouldSave
    }
    func shouldRestoreApplicationState(_ coder: StateDecoder) -> Bool {
        journal.calls.append("shouldRestore")
        return shouldRestore
    }
    func willEncodeRestorableState(with coder: StateEncoder) {
        journal.calls.append("willEncode")
        willEncode(coder)
    }
    func didDecodeRestorableState(with coder: StateDecoder) {
        journal.calls.append("didDecode")
        didDecode(coder)
    }
    func viewController(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any RestorableViewController)? {
        journal.calls.append("delegate \(path.joined(separator: "/"))")
        return make(path, coder)
    }
    func applicationFinishedRestoringState() { journal.calls.append("finished") }
}

/// The recorded calls and events, in order.
@MainActor
final class Journal: RestorationLog {
    var calls: [String] = []
    private(set) var events: [RestorationEvent] = []
    func record(_ event: RestorationEvent) { events.append(event) }
}

/// A screen that records its calls in a journal.
class Screen: ViewController {
    var text = ""
    var journal: Journal?

    init(_ identifier: String?, text: String = "", journal: Journal? = nil) {
        super.init()
        restorationIdentifier = identifier
        self.text = text
        self.journal = journal
    }

    override func encodeRestorableState(with coder: StateEncoder) {
        super.encodeRestorableState(with: coder)
        journal?.calls.append("encode \(restorationIdentifier ?? "")")
        coder.encode(text, forKey: "text")
    }

    override func decodeRestorableState(with coder: StateDecoder) throws {
        try super.decodeRestorableState(with: coder)
        journal?.calls.append("decode \(restorationIdentifier ?? "")")
        text = coder.decodeString(forKey: "text") ?? text
    }

    override func applicationFinishedRestoringState() {
        journal?.calls.append("finished \(restorationIdentifier ?? "")")
    }
}

extension ViewController {
    @discardableResult
    func named(_ identifier: String?) -> Self {
        restorationIdentifier = identifier
        return self
    }
}
