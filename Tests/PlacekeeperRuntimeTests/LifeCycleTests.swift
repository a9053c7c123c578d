import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

@MainActor
struct LifeCycleTests {
    private typealias Made = LookUpTests.Made
    private let storage = InMemoryArchiveStorage()

    /// Launches an app, uses it (by default pushes a page) and saves the state.
    private func savePage(_ use: (LivingApp) -> Void = { $0.navigation.push(Made("Page")) }) throws {
        let app = LivingApp(storage)
        app.application.launch()
        use(app)
        try app.application.saveState()
    }

    @Test("seed 4 · a launch loads the interface, calls willFinish, restores, and calls didFinish", .tags(.seed))
    func launchesInOrder() throws {
        try savePage()
        let app = LivingApp(storage)
        app.application.launch()
        #expect(app.journal.calls == ["load", "willFinishLaunching", "shouldRestore", "didFinishLaunching"])
        #expect(app.stack == ["List", "Page"])
    }

    @Test("seed 46 · the archive is gone after it was restored, or after it could not be read", .tags(.seed))
    func removesArchiveAfterTheLaunch() throws {
        try savePage()
        #expect(storage.archive != nil)
        #expect(LivingApp(storage).application.launch() != .nothingSaved)
        #expect(storage.archive == nil)
        #expect(LivingApp(storage).application.launch() == .nothingSaved)

        // The archive is also gone if some of its objects were not restored.
        try savePage { $0.navigation.push(Made("Gone", text: "gone")) }
        guard case .restored(let restoration) = LivingApp(storage).application.launch() else {
            Issue.record("Nothing was restored.")
            return
        }
        #expect(restoration.missing == ["Root/Gone"])
        #expect(storage.archive == nil)

        try storage.writeArchive([1, 2, 3])
        let app = LivingApp(storage)
        guard case .unreadable = app.application.launch() else {
            Issue.record("Three bytes are not an archive.")
            return
        }
        #expect(storage.archive == nil)
        #expect(storage.quarantinedArchive == [1, 2, 3])
        #expect(app.stack == ["List"])
    }

    @Test("seed 49 · in developer mode the archive survives a force quit", .tags(.seed))
    func keepsArchiveInDeveloperMode() throws {
        try savePage()
        let app = LivingApp(storage) { $0.isDeveloperMode = true }
        app.application.launch()
        app.application.forceQuit()
        #expect(storage.archive != nil)
        #expect(app.stack == ["List", "Page"])
    }

    @Test("seed 52 · a background launch on a locked device restores nothing and saves nothing", .tags(.seed))
    func keepsArchiveOfALockedDevice() throws {
        try savePage()
        let before = storage.archive
        storage.isLocked = true
        let app = LivingApp(storage)
        app.application.launch()
        #expect(app.stack == ["List"])
        // The app saves nothing even if the device is unlocked before the task ends, because the screen does not show
        // the person's state.
        storage.isLocked = false
        #expect(try app.application.saveState() == nil)
        #expect(storage.archive == before)
        let next = LivingApp(storage)
        next.application.launch()
        #expect(next.stack == ["List", "Page"])
    }

    @Test("seed 50 · the log has each step of saving and restoring", .tags(.seed))
    func logsEachStep() throws {
        var saving: [String] = []
        var written: RestorationEvent?
        try savePage { app in
            app.navigation.push(Made("Page"))
            app.navigation.push(Made("Gone", text: "gone"))
            let first = app.journal.events.count
            _ = try? app.application.saveState()
            written = app.journal.events.last
            saving = app.journal.events.dropFirst(first).compactMap { event in
                guard case .saved(let path, _) = event, event.description.hasPrefix("saved \(path) (") else {
                    return nil
                }
                return path
            }
        }
        #expect(saving == ["Root", "Root/List", "Root/Page", "Root/Gone"])
        #expect(written == .written(bytes: storage.archive?.count ?? 0))
        let app = LivingApp(storage)
        app.application.launch()
        #expect(
            app.journal.events.map(\.description) == [
                "found Root, which already existed", "found Root/List, which already existed",
                "found Root/Page by its restoration class",
                "Root/Gone is missing: its restoration class returned nil",
                "Root has only the first 2 of its 3 view controllers",
                "decoded Root", "decoded Root/List", "decoded Root/Page",
                "restoring is complete", "launched: 3 restored, 1 missing, 0 failed", "discarded the archive",
            ])

        app.shouldSave = false
        #expect(try app.application.saveState() == nil)
        #expect(app.journal.events.last == .savingDeclined)
        app.application.forceQuit()
        #expect(app.journal.events.last == .forceQuit)
        try storage.writeArchive([1, 2, 3])
        let unreadable = LivingApp(storage)
        unreadable.application.launch()
        guard case .quarantined = unreadable.journal.events.first else {
            Issue.record("The log does not say that the archive was quarantined.")
            return
        }
        try savePage()
        let declining = LivingApp(storage)
        declining.shouldRestore = { _ in false }
        declining.application.launch()
        #expect(declining.journal.events == [.restoringDeclined, .launched(.declined), .discarded])
        try savePage()
        try storage.writeAttempts(1)
        let guarded = LivingApp(storage)
        guarded.application.launch()
        #expect(guarded.journal.events == [.discarded, .launched(.crashedBefore)])
    }

    @Test("seed 60 · an app can refuse state that is older than a month", .tags(.seed))
    func refusesOldState() throws {
        for (days, isRestored) in [(29.0, true), (31.0, false)] {
            try savePage()
            let now = 800_000_000 + days * 86400
            let app = LivingApp(storage, now: now)
            app.shouldRestore = { RestorationGate(maximumAge: 30 * 86400).refusal(of: $0, now: now) == nil }
            app.application.launch()
            #expect((app.stack.count == 2) == isRestored)
        }
        // The age of state without a timestamp is unknown.
        try savePage()
        var archive = try StateArchive(reading: try #require(storage.archive))
        archive.timestamp = nil
        try storage.writeArchive(try archive.encoded())
        let app = LivingApp(storage)
        var refusal: RestorationGate.Refusal?
        app.shouldRestore = {
            refusal = RestorationGate(maximumAge: 30 * 86400).refusal(of: $0, now: 800_000_000)
            return refusal == nil
        }
        app.application.launch()
        #expect(refusal == .age(seconds: nil, maximum: 30 * 86400))
        #expect(app.stack == ["List"])
    }

    @Test("seed 61 · an app or an object can require a bundle version; a missing version counts as 0", .tags(.seed))
    func requiresMinimumBundleVersion() throws {
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
    func refusesStateOfAnotherIdiom() throws {
        let gate = RestorationGate(idiom: .pad)
        let saved = TestApp(Screen("Root"))
        let archive = try saved.save()
        let next = TestApp(Screen("Root"))
        var refusal: RestorationGate.Refusal?
        next.didDecode = { refusal = gate.refusal(of: $0, now: 0) }
        try next.restore(archive)
        #expect(refusal == .idiom(saved: .phone, current: .pad))

        try savePage()
        let pad = LivingApp(storage, idiom: .pad)
        #expect(pad.application.launch() == .incompatible)
        #expect(pad.stack == ["List"])

        // A missing idiom is not the current one.
        try savePage()
        var stored = try StateArchive(reading: try #require(storage.archive))
        stored.idiom = nil
        try next.restore(stored)
        #expect(refusal == .idiom(saved: nil, current: .pad))
        try storage.writeArchive(try stored.encoded())
        let phone = LivingApp(storage)
        #expect(phone.application.launch() == .incompatible)
        #expect(phone.stack == ["List"])
    }

    @Test(
        "seed 68 · an app can refuse state by the system version that saved it", .tags(.seed),
        arguments: [
            ("17.4", "18", false), ("18", "18.0", true), ("18.0.1", "18", true), ("9.9", "9.10", false),
            ("10", "9.10", true), (nil, "1", false),
        ] as [(String?, String, Bool)])
    func refusesBySystemVersion(saved: String?, minimum: String, isRestored: Bool) throws {
        let saving = LivingApp(storage, systemVersion: saved)
        saving.application.launch()
        saving.navigation.push(Made("Page"))
        try saving.application.saveState()
        let app = LivingApp(storage, systemVersion: "26")
        app.shouldRestore = { RestorationGate(minimumSystemVersion: minimum).refusal(of: $0, now: 0) == nil }
        app.application.launch()
        #expect(app.stack == (isRestored ? ["List", "Page"] : ["List"]))
    }

    @Test("seed 68 · an object can adjust its state to the system version that saved it", .tags(.seed))
    func adjustsToTheSystemVersion() throws {
        /// A screen that counts lines from 0. Before system version 18, the screen counted lines from 1.
        final class Reader: Screen {
            var line = 40
            override func encodeRestorableState(with coder: StateEncoder) { coder.encode(line, forKey: "line") }
            override func decodeRestorableState(with coder: StateDecoder) throws {
                let isOlder = RestorationGate(minimumSystemVersion: "18").refusal(of: coder, now: 0) != nil
                line = coder.decodeInteger(forKey: "line") - (isOlder ? 1 : 0)
            }
        }
        for (version, line) in [("17.4", 6), ("18.0", 7), ("26.1", 7)] {
            let (saved, reader) = (Reader("Root"), Reader("Root"))
            saved.line = 7
            let app = TestApp(saved)
            app.device.systemVersion = version
            let next = TestApp(reader)
            next.device.systemVersion = "26.1"
            var told: String?
            next.didDecode = { told = $0.decodeString(forKey: ReservedKey.systemVersion) }
            try next.restore(app.save())
            #expect(reader.line == line)
            #expect(told == version)
        }
    }

    @Test("seed 69 · restoration that continues is extended, and completed explicitly", .tags(.seed))
    func completesWhenEachExtensionIsCompleted() async throws {
        try savePage()
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

    @Test("seed 69 · a deadline that passes after completion does not complete a later extension", .tags(.seed))
    func ignoresDeadlineOfCompletedExtension() async throws {
        let environment = RestorationEnvironment()
        let clock = StoppedClock()
        environment.extendStateRestoration()
        async let isInTime = environment.restorationCompletes(within: .seconds(1), clock: clock)
        await clock.waitForSleeper()
        environment.completeStateRestoration()
        #expect(await isInTime)

        environment.extendStateRestoration()
        clock.wake()
        for _ in 0..<100 { await Task.yield() }
        #expect(environment.isRestorationExtended)
    }

    @Test("seed 69 · extended restoration is completed at the deadline", .tags(.seed))
    func completesExtendedRestorationAtTheDeadline() async throws {
        try savePage()
        let app = LivingApp(storage)
        app.decodes = { app.environment.extendStateRestoration() }
        app.application.launch()
        #expect(await !app.environment.restorationCompletes(within: .zero, clock: ContinuousClock()))
        #expect(!app.environment.isRestorationExtended)
        #expect(storage.archive == nil)
    }
}

/// A clock that wakes its only sleeper in `wake()`. Cancellation does not wake the sleeper.
@MainActor
private final class StoppedClock: Clock {
    private var sleeper: CheckedContinuation<Void, Never>?
    private var waiting: CheckedContinuation<Void, Never>?

    nonisolated var now: ContinuousClock.Instant { ContinuousClock().now }
    nonisolated var minimumResolution: Duration { .zero }

    nonisolated func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        await hold()
    }

    private func hold() async {
        await withCheckedContinuation {
            sleeper = $0
            waiting?.resume()
        }
    }

    func waitForSleeper() async {
        if sleeper == nil { await withCheckedContinuation { waiting = $0 } }
    }

    func wake() { sleeper?.resume() }

    @Test("seed 75 · a process that has not launched saves nothing over the stored state", .tags(.seed))
    func savesNothingBeforeTheLaunch() throws {
        let storage = InMemoryArchiveStorage()
        let app = LivingApp(storage)
        app.application.launch()
        try app.application.saveState()
        let good = storage.archive
        let next = LivingApp(storage)
        #expect(try next.application.saveState() == nil)
        #expect(storage.archive == good)
        #expect(next.journal.events == [.notLaunched])
    }
}
