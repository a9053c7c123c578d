import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

/// Tests the opt-in of the app, and the order of the calls.
@MainActor
struct OptInTests {
    private typealias Made = LookUpTests.Made

    /// The common superclass of the apps in these tests.
    @MainActor
    private class App {
        let journal = Journal()
        let root = NavigationController().named("Root")
        var result: LaunchResult?
        var roots: [any RestorableViewController] { [root] }
        func loadInterface() { root.viewControllers = [Screen("List", text: "default", journal: journal)] }
        func didFinishLaunching(_ result: LaunchResult) {
            self.result = result
            if result == .declined { (root.top as? Screen)?.text = "set up by the app" }
        }
        func willEncodeRestorableState(with coder: StateEncoder) {
            journal.calls.append("willEncode")
            coder.encode(7, forKey: "interface")
        }
        func didDecodeRestorableState(with coder: StateDecoder) { journal.calls.append("didDecode") }
        func viewController(
            withRestorationIdentifierPath path: [String], coder: StateDecoder
        ) -> (any RestorableViewController)? {
            journal.calls.append("delegate \(path.joined(separator: "/"))")
            return nil
        }

        var text: String? { (root.viewControllers.first as? Screen)?.text }

        func life(_ storage: any ArchiveStorage) throws -> RestorableApplication {
            let environment = RestorationEnvironment(restorationClasses: [Counted.self])
            let device = RestorationContext(idiom: .phone, bundleVersion: "1")
            return RestorableApplication(
                try #require(self as? any ApplicationLifeCycleDelegate), environment: environment, storage: storage,
                configuration: .init(device: device) { 800_000_000 })
        }
    }

    /// An app that implements neither opt-in method.
    private final class Silent: App, ApplicationLifeCycleDelegate {}

    /// An app that uses `NSCoder` and implements neither opt-in method.
    private final class SilentCoding: App, ApplicationLifeCycleDelegate, NSCoderRestorationDelegate {}

    /// An app that answers both opt-in methods with `answer`.
    private final class Answering: App, ApplicationLifeCycleDelegate {
        var answer = true
        func shouldSaveApplicationState(_ coder: StateEncoder) -> Bool {
            journal.calls.append("shouldSave")
            return answer
        }
        func shouldRestoreApplicationState(_ coder: StateDecoder) -> Bool { answer }
    }

    /// A screen that counts how often its factory makes it.
    private final class Counted: Screen, ViewControllerRestoration {
        static var count = 0
        static func viewController(
            withRestorationIdentifierPath path: [String], coder: StateDecoder
        ) -> (any RestorableViewController)? {
            count += 1
            return Counted(path.last, text: "made")
        }
    }

    /// A storage that records in a journal when an archive is written.
    private final class Noting: ArchiveStorage {
        let inner = InMemoryArchiveStorage()
        let journal: Journal
        init(_ journal: Journal) { self.journal = journal }
        func readArchive() throws(StorageError) -> [UInt8]? { try inner.readArchive() }
        func writeArchive(_ bytes: [UInt8]) throws(StorageError) {
            journal.calls.append("write")
            try inner.writeArchive(bytes)
        }
        func discardArchive() throws(StorageError) { try inner.discardArchive() }
        func quarantineArchive() throws(StorageError) { try inner.quarantineArchive() }
        func discardEverything() throws(StorageError) { try inner.discardEverything() }
        func readAttempts() throws(StorageError) -> Int { try inner.readAttempts() }
        func writeAttempts(_ count: Int) throws(StorageError) { try inner.writeAttempts(count) }
    }

    /// Returns the storage of an app that answered yes. The app's list has the text "saved", and a screen is pushed.
    private func savedStorage() throws -> InMemoryArchiveStorage {
        let storage = InMemoryArchiveStorage()
        let app = Answering()
        let life = try app.life(storage)
        life.launch()
        (app.root.top as? Screen)?.text = "saved"
        let pushed = Counted("Pushed")
        pushed.restorationClass = Counted.self
        app.root.push(pushed)
        try life.saveState()
        return storage
    }

    @Test("seed 1 · nothing is written if the app answers no, or not at all", .tags(.seed), arguments: [true, false])
    func writesNothingWithoutOptIn(answersNothing: Bool) throws {
        let storage = try savedStorage()
        let before = try #require(storage.archive)
        let app: App = answersNothing ? Silent() : Answering()
        (app as? Answering)?.answer = false
        let life = try app.life(storage)
        app.loadInterface()
        #expect(try life.saveState() == nil)
        #expect(storage.archive == before)
        #expect(app.journal.calls.filter { $0 != "shouldSave" } == [])
        #expect(try SilentCoding().life(storage).saveState() == nil)
        #expect(storage.archive == before)
    }

    @Test("seed 1 · nothing is restored if the app answers no, or not at all", .tags(.seed), arguments: [true, false])
    func readsNothingWithoutOptIn(answersNothing: Bool) throws {
        let app: App = answersNothing ? Silent() : Answering()
        (app as? Answering)?.answer = false
        #expect(try app.life(savedStorage()).launch() == .declined)
        #expect(try SilentCoding().life(savedStorage()).launch() == .declined)
        #expect(app.journal.calls == [])
        #expect(app.root.viewControllers.count == 1)
        // An app that answers yes restores the same archive.
        let willing = Answering()
        try willing.life(savedStorage()).launch()
        #expect(willing.text == "saved")
        #expect(willing.root.viewControllers.count == 2)
    }

    @Test("seed 1 · no place is restored if the app answers no", .tags(.seed), arguments: [true, false])
    func restoresNoPlaceWithoutOptIn(answer: Bool) async throws {
        let storage = InMemoryArchiveStorage()
        let phone = LivingApp(storage)
        phone.root = { NavigationController(root: PlaceTests.Stop("albums")).named("Root") }
        phone.application.launch()
        try phone.application.saveState()
        let (pad, way) = (LivingApp(storage, idiom: .pad), Way())
        var steps: [String] = []
        way.goes = { steps.append($0.screen) }
        pad.placeNavigator = way
        pad.shouldRestore = { _ in answer }
        #expect(pad.application.launch() == (answer ? .placeOnly : .declined))
        _ = await pad.application.restorePlace()
        #expect(steps == (answer ? ["albums"] : []))
    }

    @Test("seed 2 · saving calls shouldSave, willEncode and each object, and writes the archive last", .tags(.seed))
    func savesInOrder() throws {
        let app = Answering()
        let storage = Noting(app.journal)
        let life = try app.life(storage)
        life.launch()
        (app.root.top as? Screen)?.present(Screen("Sheet", journal: app.journal))
        try life.saveState()
        #expect(app.journal.calls == ["shouldSave", "willEncode", "encode List", "encode Sheet", "write"])
        let archive = try StateArchive(reading: try #require(storage.inner.archive))
        #expect(archive.application["interface"] == .integer(7))
    }

    @Test("seed 2 · objects registered and roots changed in willEncode are saved", .tags(.seed))
    func savesChangesMadeInWillEncode() throws {
        final class Level: StateRestoring {
            var value = 0
            func encodeRestorableState(with coder: StateEncoder) { coder.encode(value, forKey: "value") }
            func decodeRestorableState(with coder: StateDecoder) { value = coder.decodeInteger(forKey: "value") }
        }
        let level = Level()
        level.value = 11
        let app = TestApp(Screen("Old", text: "old"))
        let detail = Screen("Detail", text: "detail")
        let root = Custom("New", [detail])
        app.willEncode = { coder in
            coder.encode(detail, forKey: "detail")
            coder.encode(["open": detail], forKey: "byName")
            app.environment.registerObject(level, restorationIdentifier: "Level")
            app.roots = [root, Screen("Second")]
        }
        let archive = try #require(try app.save())
        #expect(archive.objects.map(\.path) == ["New", "New/Detail", "Second", "Level"])
        #expect(archive.application["detail"] == .object(path: "New/Detail"))
        #expect(archive.application["byName"] == .dictionary(["open": .object(path: "New/Detail")]))

        let (restoredDetail, restoredLevel) = (Screen("Detail"), Level())
        let next = TestApp(Custom("New", [restoredDetail]))
        next.environment.registerObject(restoredLevel, restorationIdentifier: "Level")
        var (decoded, named): (Screen?, (any StateRestoring)?)
        next.didDecode = {
            decoded = $0.decodeObject(forKey: "detail")
            named = $0.decodeObjectsByName(forKey: "byName")["open"]
        }
        try next.restore(archive)
        #expect(decoded === restoredDetail)
        #expect(named === restoredDetail)
        #expect(restoredDetail.text == "detail")
        #expect(restoredLevel.value == 11)
    }

    @Test(
        "seed 65 · view controllers in a custom root that willEncode encodes come back by their references",
        .tags(.seed))
    func restoresReferencesIntoACustomRoot() throws {
        func app() -> (TestApp, [Screen]) {
            let details = [Screen("Detail"), Screen("Detail")]
            return (TestApp(Custom("A", [details[0]]), Custom("B", [details[1]])), details)
        }
        let (saved, details) = app()
        (details[0].text, details[1].text) = ("a", "b")
        saved.willEncode = {
            $0.encode(details[1], forKey: "shown")
            $0.encode(["first": details[0], "second": details[1]], forKey: "byName")
        }
        let (next, restored) = app()
        var (shown, byName): (Screen?, [String: Screen]) = (nil, [:])
        next.didDecode = {
            shown = $0.decodeObject(forKey: "shown")
            byName = $0.decodeObjectsByName(forKey: "byName")
        }
        try next.restore(saved.save())
        #expect(shown === restored[1])
        #expect(byName["first"] === restored[0])
        #expect(byName["second"] === restored[1])
        #expect(byName.mapValues(\.text) == ["first": "a", "second": "b"])
    }

    @Test func distinguishesReferencedObjectsWithTheSameIdentifier() throws {
        let details = [Screen("Detail", text: "a"), Screen("Detail", text: "b")]
        let app = TestApp(Custom("A", [details[0]]), Custom("B", [details[1]]))
        app.willEncode = { $0.encode(details, forKey: "details") }
        let archive = try #require(try app.save())
        #expect(archive.objects.map(\.path) == ["A", "A/Detail", "B", "B/Detail"])
        #expect(
            archive.application["details"] == .array([.object(path: "A/Detail"), .object(path: "B/Detail")]))
    }

    @Test("seed 5 · if shouldRestore answers no, no factory is called, and the app sets itself up", .tags(.seed))
    func callsNoFactory() throws {
        for (answer, count, text) in [(false, 0, "set up by the app"), (true, 1, "saved")] {
            let app = Answering()
            app.answer = answer
            Counted.count = 0
            try app.life(savedStorage()).launch()
            #expect(Counted.count == count)
            #expect(app.text == text)
            #expect((app.result == .declined) == !answer)
            #expect(app.journal.calls.contains("didDecode") == answer)
            #expect(app.journal.calls.contains("delegate Root") == answer)
        }
    }

    @Test("seed 10 · window roots are saved first, and then the objects that they refer to, recursively", .tags(.seed))
    func savesRootsBeforeReferencedObjects() throws {
        let registered = View()
        func interface() -> (app: TestApp, screens: [String: Referring]) {
            var screens: [String: Referring] = [:]
            for name in ["First", "Second", "Child", "Near", "Far", "Sheet", "Named"] {
                screens[name] = Referring(name)
            }
            let app = TestApp()
            screens["Near"]?.present(screens["Sheet"]!)
            screens["First"]?.others = [screens["Near"]!]
            screens["Near"]?.others = [screens["Far"]!, screens["Second"]!]
            let window = Custom("Window", [screens["Child"]!])
            app.roots = [screens["First"]!, window, screens["Second"]!]
            app.willEncode = { $0.encode(screens["Named"], forKey: "named") }
            app.environment.registerObject(registered, restorationIdentifier: "Registered")
            return (app, screens)
        }
        let (app, screens) = interface()
        for (name, screen) in screens { screen.text = "text of \(name)" }
        let archive = try app.save()
        #expect(
            archive?.objects.map(\.path) == [
                "First", "Window", "Window/Child", "Second", "Registered", "Named", "Near", "Near/Sheet", "Far",
            ])

        let (next, restored) = interface()
        let known = restored
        next.make = { path, _ in path.count == 1 ? known[path[0]] : nil }
        try next.restore(archive)
        #expect(restored.mapValues(\.text) == screens.mapValues(\.text))
        #expect(
            restored["Near"]?.decoded.map(ObjectIdentifier.init)
                == [restored["Far"]!, restored["Second"]!].map { ObjectIdentifier($0) })
    }
}

/// A screen that refers to other screens.
private final class Referring: Screen {
    var others: [Screen] = []
    private(set) var decoded: [Screen] = []
    override func encodeRestorableState(with coder: StateEncoder) {
        super.encodeRestorableState(with: coder)
        coder.encode(others, forKey: "others")
    }
    override func decodeRestorableState(with coder: StateDecoder) throws {
        try super.decodeRestorableState(with: coder)
        decoded = coder.decodeObjects(forKey: "others")
    }
}

/// A custom container. The view controllers in it do not refer to the container.
private final class Custom: ViewController {
    private let held: [ViewController]
    init(_ identifier: String, _ held: [ViewController]) {
        self.held = held
        super.init()
        restorationIdentifier = identifier
    }
    override var restorableChildren: [any RestorableViewController] { held }
    override var placeChildren: [any RestorableViewController] { held }
}
