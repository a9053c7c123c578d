import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime

/// An interface of `screenCount` screens with twenty keys each, which is saved to bytes and restored from them.
@MainActor
final class Runtime: ApplicationRestorationDelegate {
    private let environment = RestorationEnvironment()
    private let root = TabBarController()

    init(screenCount: Int) {
        environment.delegate = self
        root.restorationIdentifier = "Tabs"
        root.viewControllers = (0..<screenCount).map(Screen.init)
    }

    func shouldSaveApplicationState(_ coder: StateEncoder) -> Bool { true }
    func shouldRestoreApplicationState(_ coder: StateDecoder) -> Bool { true }

    func preserve() throws -> [UInt8] {
        let device = RestorationContext(idiom: .phone, bundleVersion: "42", systemVersion: "17.4")
        let preserver = StatePreserver(environment, roots: { [self.root] }, device: device, timestamp: 800_000_000)
        return try preserver.preserve()?.encoded() ?? []
    }

    func restore(_ bytes: [UInt8]) throws {
        let archive = try StateArchive(reading: bytes, limits: .init(maximumByteCount: 256 << 20))
        _ = StateRestorer(environment, roots: { [self.root] }).restore(archive)
    }
}

private final class Screen: ViewController {
    private static let offsets = (0..<7).map { "offset\($0)" }
    private static let rows = (0..<7).map { "row\($0)" }
    private static let titles = (0..<4).map { "title\($0)" }
    private var numbers: [Double]
    private var places: [Int]
    private var texts: [String]
    private var isEditing: Bool
    private var selection: [Int]

    init(_ number: Int) {
        numbers = (0..<7).map { Double(number * 7 + $0) / 3 }
        places = (0..<7).map { number * 7 + $0 }
        texts = (0..<4).map { "Title \(number) of \($0)" }
        isEditing = number % 2 == 0
        selection = [number, 0]
        super.init()
        restorationIdentifier = "Screen\(number)"
    }

    override func encodeRestorableState(with coder: StateEncoder) {
        for (key, value) in zip(Self.offsets, numbers) { coder.encode(value, forKey: key) }
        for (key, value) in zip(Self.rows, places) { coder.encode(value, forKey: key) }
        for (key, value) in zip(Self.titles, texts) { coder.encode(value, forKey: key) }
        coder.encode(isEditing, forKey: "isEditing")
        coder.encode(selection, forKey: "selection")
    }

    override func decodeRestorableState(with coder: StateDecoder) throws {
        numbers = Self.offsets.map { coder.decodeDouble(forKey: $0) }
        places = Self.rows.map { coder.decodeInteger(forKey: $0) }
        texts = Self.titles.map { coder.decodeString(forKey: $0) ?? "" }
        isEditing = coder.decodeBool(forKey: "isEditing")
        selection = coder.decode([Int].self, forKey: "selection") ?? []
    }
}
