import KeyedArchive
import StateRestoration
import Testing

/// An app with a list, a pushed page and a sheet, that can be launched again and again on one storage.
@MainActor
final class LivingApp: ApplicationLifeCycleDelegate {
    let environment = RestorationEnvironment(restorationClasses: [LookUpTests.Made.self])
    let journal = Journal()
    private(set) var application: RestorableApplication!
    private(set) var navigation = NavigationController()
    var shouldRestore: (StateDecoder) -> Bool = { _ in true }
    var decodes: () -> Void = {}
    var root: () -> NavigationController = { NavigationController(root: Screen("List")).named("Root") }

    init(
        _ storage: any ArchiveStorage, idiom: UserInterfaceIdiom = .phone, bundleVersion: String? = "1",
        systemVersion: String? = "17.4",
        now: Double = 800_000_000, set: (inout RestorableApplication.Configuration) -> Void = { _ in }
    ) {
        let device = RestorationContext(idiom: idiom, bundleVersion: bundleVersion, systemVersion: systemVersion)
        var configuration = RestorableApplication.Configuration(device: device) { now }
        set(&configuration)
        environment.log = journal
        application = RestorableApplication(
            self, environment: environment, storage: storage, configuration: configuration)
    }

    func shouldSaveApplicationState(_ coder: StateEncoder) -> Bool { true }
    func shouldRestoreApplicationState(_ coder: StateDecoder) -> Bool {
        journal.calls.append("shouldRestore")
        return shouldRestore(coder)
    }
    func didDecodeRestorableState(with coder: StateDecoder) { decodes() }

    var roots: [any RestorableViewController] { [navigation] }
    func loadInterface() {
        journal.calls.append("load")
        navigation = root()
    }
    func willFinishLaunching() { journal.calls.append("willFinishLaunching") }
    func didFinishLaunching(_ result: LaunchResult) { journal.calls.append("didFinishLaunching") }

    var stack: [String?] { navigation.viewControllers.map(\.restorationIdentifier) }
}

@MainActor
struct LifeCycleTests {
    private typealias Made = LookUpTests.Made
    private let storage = InMemoryArchiveStorage()

    /// A first life that leaves a page open.
    private func live(_ use: (LivingApp) -> Void = { $0.navigation.push(Made("Page")) }) throws {
        let app = LivingApp(storage)
        app.application.launch()
        use(app)
        try app.application.saveState()
    }

    @Test("seed 4 · the interface is loaded, then comes willFinish, then restoring, then didFinish", .tags(.seed))
    func launchesInOrder() throws {
        try live()
        let app = LivingApp(storage)
        app.application.launch()
        #expect(app.journal.calls == ["load", "willFinishLaunching", "shouldRestore", "didFinishLaunching"])
        #expect(app.stack == ["List", "Page"])
    }

    @Test("seed 1 · no opt-in: nothing is written, nothing is read", .tags(.seed))
    func writesNothingWithoutOptIn() throws {
        let app = LivingApp(storage)
        app.application.launch()
        app.environment.delegate = nil
        #expect(try app.application.saveState() == nil)
        #expect(storage.archive == nil)
        try live()
        app.application.launch()
        #expect(app.stack == ["List"])
    }

    @Test(
        "seed 46 · the archive is for the next launch: it is gone after it was restored, or could not be", .tags(.seed))
    func discardsTheArchive() throws {
        try live()
        #expect(storage.archive != nil)
        #expect(LivingApp(storage).application.launch() != .nothingSaved)
        #expect(storage.archive == nil)
        #expect(LivingApp(storage).application.launch() == .nothingSaved)

        try storage.writeArchive([1, 2, 3])
        let app = LivingApp(storage)
        guard case .unreadable = app.application.launch() else {
            Issue.record("Three bytes are no archive.")
            return
        }
        #expect(storage.archive == nil)
        #expect(storage.archiveSetAside == [1, 2, 3])
        #expect(app.stack == ["List"])
    }

    @Test(
        "seed 47 · after a crash while restoring the archive is thrown away; how many it takes is a setting",
        .tags(.seed),
        arguments: [1, 2])
    func throwsAwayWhatCrashes(threshold: Int) throws {
        try live()
        for attempt in 1...threshold {
            // It ends in the middle: what was extended never completes.
            let app = LivingApp(storage) { $0.crashThreshold = threshold }
            app.decodes = { app.environment.extendStateRestoration() }
            app.application.launch()
            #expect(app.stack == ["List", "Page"], "attempt \(attempt)")
            #expect(storage.archive != nil)
        }
        let app = LivingApp(storage) { $0.crashThreshold = threshold }
        #expect(app.application.launch() == .crashedBefore)
        #expect(app.stack == ["List"])
        #expect(storage.archive == nil)
        try live()
        #expect(LivingApp(storage).application.launch() != .crashedBefore)
    }

    @Test("seed 48 · a person who ends the app starts afresh", .tags(.seed))
    func forgetsOnForceQuit() throws {
        try live()
        LivingApp(storage).application.forceQuit()
        #expect(storage.archive == nil)
    }

    @Test("seed 49 · in developer mode the archive survives the app's end", .tags(.seed))
    func keepsInDeveloperMode() throws {
        try live()
        let app = LivingApp(storage) { $0.isDeveloperMode = true }
        app.application.launch()
        app.application.forceQuit()
        #expect(storage.archive != nil)
        #expect(app.stack == ["List", "Page"])
    }

    @Test("seed 51 · the archive cannot be read while the device is locked", .tags(.seed))
    func protectsTheArchive() throws {
        try live()
        storage.isLocked = true
        #expect(throws: StorageError.locked) { try storage.readArchive() }
        #expect(LivingApp(storage).application.launch() == .locked)
    }

    @Test("seed 52 · a launch in the background of a locked device restores nothing and saves nothing", .tags(.seed))
    func leavesALockedArchive() throws {
        try live()
        let before = storage.archive
        storage.isLocked = true
        let app = LivingApp(storage)
        app.application.launch()
        #expect(app.stack == ["List"])
        // Even if it is unlocked before the task ends: what is shown is not what the person left.
        storage.isLocked = false
        #expect(try app.application.saveState() == nil)
        #expect(storage.archive == before)
        let next = LivingApp(storage)
        next.application.launch()
        #expect(next.stack == ["List", "Page"])
    }

    @Test(
        "seed 53 · a launch in the background of an unlocked device restores all, and saves again at its end",
        .tags(.seed))
    func restoresInTheBackground() throws {
        try live()
        let app = LivingApp(storage)
        app.application.launch()
        #expect(app.stack == ["List", "Page"])
        try app.application.saveState()
        let next = LivingApp(storage)
        next.application.launch()
        #expect(next.stack == ["List", "Page"])
    }

    @Test("seed 50 · the log tells each step of saving and restoring", .tags(.seed))
    func logsEachStep() throws {
        try live { app in
            app.navigation.push(Made("Page"))
            app.navigation.push(Made("Gone", text: "gone"))
            app.journal.calls = []
        }
        let app = LivingApp(storage)
        app.application.launch()
        #expect(
            app.journal.events.map(\.description) == [
                "found Root, which was there", "found Root/List, which was there",
                "found Root/Page by its restoration class",
                "Root/Gone is missing: its restoration class does not want it",
                "Root ends after 2 of 3 view controllers", "decoded Root", "decoded Root/List", "decoded Root/Page",
                "restoring is complete", "launched: 3 restored, 1 missing, 0 failed",
            ])
    }

    @Test("seed 60 · an app can leave state alone that is a month old", .tags(.seed))
    func agesOut() throws {
        for (days, isRestored) in [(29.0, true), (31.0, false)] {
            try live()
            let now = 800_000_000 + days * 86400
            let app = LivingApp(storage, now: now)
            app.shouldRestore = { RestorationGate(maximumAge: 30 * 86400).refusal(of: $0, now: now) == nil }
            app.application.launch()
            #expect((app.stack.count == 2) == isRestored)
        }
    }

    @Test("seed 61 · a minimum bundle version, a missing one counting as 0; one object may gate itself", .tags(.seed))
    func gatesByVersion() throws {
        let gate = RestorationGate(minimumBundleVersion: "3")
        for (version, isRestored) in [(nil, false), ("2.9", false), ("3", true), ("3.0", true), ("10", true)]
            as [(String?, Bool)]
        {
            let app = LivingApp(storage, bundleVersion: version)
            app.application.launch()
            app.navigation.push(Made("Page"))
            try app.application.saveState()
            let next = LivingApp(storage, bundleVersion: "11")
            next.shouldRestore = { gate.refusal(of: $0, now: 0) == nil }
            next.application.launch()
            #expect((next.stack.count == 2) == isRestored)
        }
        final class Gated: Screen {
            override func decodeRestorableState(with coder: StateDecoder) throws {
                guard RestorationGate(minimumBundleVersion: "2").refusal(of: coder, now: 0) == nil else { return }
                try super.decodeRestorableState(with: coder)
            }
        }
        let saved = TestApp(Screen("Plain", text: "a"), Screen("Gated", text: "b"))
        let next = TestApp(Screen("Plain"), Gated("Gated"))
        try next.restore(saved.save())
        #expect(next.roots.compactMap { ($0 as? Screen)?.text } == ["a", ""])
    }

    @Test("seed 62 · state of another idiom is not restored", .tags(.seed))
    func gatesByIdiom() throws {
        let gate = RestorationGate(idiom: .pad)
        let saved = TestApp(Screen("Root"))
        let archive = try saved.save()
        let next = TestApp(Screen("Root"))
        var refusal: RestorationGate.Refusal?
        next.didDecode = { refusal = gate.refusal(of: $0, now: 0) }
        try next.restore(archive)
        #expect(refusal == .idiom(saved: .phone, current: .pad))

        try live()
        let pad = LivingApp(storage, idiom: .pad)
        #expect(pad.application.launch() == .incompatible)
        #expect(pad.stack == ["List"])
        #expect(storage.archive != nil)
    }

    @Test("seed 68 · an app can refuse by the system that saved, or adjust to it", .tags(.seed))
    func gatesBySystem() throws {
        try live()
        let app = LivingApp(storage, systemVersion: "18.0")
        var saved: String?
        app.shouldRestore = {
            saved = $0.decodeString(forKey: ReservedKey.systemVersion)
            return RestorationGate(minimumSystemVersion: "18").refusal(of: $0, now: 0) == nil
        }
        #expect(app.application.launch() == .declined)
        #expect(saved == "17.4")
    }

    @Test("seed 69 · restoring that goes on is extended, and completed explicitly", .tags(.seed))
    func extendsRestoring() async throws {
        try live()
        let app = LivingApp(storage)
        app.decodes = {
            app.environment.extendStateRestoration()
            app.environment.extendStateRestoration()
        }
        app.application.launch()
        #expect(storage.archive != nil)
        app.environment.completeStateRestoration()
        #expect(app.environment.isRestorationExtended)
        app.environment.completeStateRestoration()
        #expect(storage.archive == nil)
        #expect(await app.environment.restorationCompletes(within: .seconds(600), clock: ContinuousClock()))
    }

    @Test("seed 69 · what is not completed in time counts as complete", .tags(.seed))
    func endsExtendedRestoring() async throws {
        try live()
        let app = LivingApp(storage)
        app.decodes = { app.environment.extendStateRestoration() }
        app.application.launch()
        #expect(await !app.environment.restorationCompletes(within: .zero, clock: ContinuousClock()))
        #expect(!app.environment.isRestorationExtended)
        #expect(storage.archive == nil)
    }
}
