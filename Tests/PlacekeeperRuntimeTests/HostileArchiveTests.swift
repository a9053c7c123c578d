import PlacekeeperArchive
import PlacekeeperSampleApps
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

/// Tests archives from a hostile server or a broken disk. An unreadable archive is quarantined, and the app starts with
/// its default interface.
@MainActor
struct HostileArchiveTests {
    private typealias Made = LookUpTests.Made

    private func bytes(_ use: (LivingApp) -> Void = { $0.navigation.push(Made("Page")) }) throws -> [UInt8] {
        let storage = InMemoryArchiveStorage()
        let app = LivingApp(storage)
        app.application.launch()
        use(app)
        try app.application.saveState()
        return try #require(storage.archive)
    }

    @Test func quarantinesUnreadableMutatedArchives() throws {
        let honest = try bytes()
        var random = SplitMix(seed: 7)
        var unreadable = 0
        for _ in 0..<3000 {
            var bytes = honest
            bytes.mutate(using: &random)
            let storage = InMemoryArchiveStorage(archive: bytes)
            let app = LivingApp(storage)
            switch app.application.launch() {
            case .unreadable:
                unreadable += 1
                #expect(storage.archive == nil)
                #expect(storage.quarantinedArchive == bytes)
                #expect(app.stack == ["List"])
            case .restored: #expect(app.stack.first == "List")
            case .placeOnly, .incompatible, .declined: #expect(app.stack == ["List"])
            case let other: Issue.record("\(other)")
            }
            // The next launch saves and restores as usual.
            try app.application.saveState()
            #expect(LivingApp(storage).application.launch().isRestored)
        }
        #expect(unreadable > 1000)
    }

    /// Hashing the string `marks` once takes ten seconds, so the reader must refuse the archive before it hashes the
    /// string.
    @Test(.timeLimit(.minutes(20))) func quarantinesArchiveWithLongRunOfCombiningMarks() throws {
        let marks = String(repeating: "\u{301}\u{323}", count: 100_000)
        var builder = KeyedArchiveBuilder()
        builder.setTop(builder.add(1 as Int64), forKey: "Placekeeper.formatVersion")
        let key = builder.add(marks)
        let state = builder.addDictionary(keys: [key], values: [key])
        builder.setTop(state, forKey: "Placekeeper.application")
        let bytes = builder.finish()
        let storage = InMemoryArchiveStorage(archive: bytes)
        let app = LivingApp(storage)
        guard case .unreadable(let reason) = app.application.launch() else {
            Issue.record("The archive was read.")
            return
        }
        #expect(reason.contains("combining-run"))
        #expect(storage.quarantinedArchive == bytes)
        #expect(app.stack == ["List"])
    }

    @Test(arguments: Sample.allCases)
    func savesAndRestoresAfterNavigatingToMutatedPlace(sample: Sample) async throws {
        let phone = PlayedDevice(sample, .tabs)
        try phone.use()
        let honest = try #require(phone.storage.archive)
        var random = SplitMix(seed: 11)
        var places = 0
        for _ in 0..<200 {
            var bytes = honest
            bytes.mutate(using: &random)
            let pad = PlayedDevice(sample, .split)
            try pad.storage.writeArchive(bytes)
            let (_, life, _) = pad.launch()
            if await life.restorePlace() != nil { places += 1 }
            // Even if the navigation stopped before it reached the place, the state can be saved and restored.
            try life.saveState()
            #expect(pad.launch().result.isRestored)
        }
        #expect(places > 0)
    }

    @Test func quarantinesArchiveOverTheSizeLimit() throws {
        let bytes = try bytes()
        let storage = InMemoryArchiveStorage(archive: bytes)
        let app = LivingApp(storage) { $0.maximumArchiveSize = bytes.count - 1 }
        #expect(
            app.application.launch()
                == .unreadable("It has \(bytes.count) bytes, and the limit is \(bytes.count - 1)."))
        #expect(storage.quarantinedArchive == bytes)
    }

    @Test func keepsOnlyTheNewestQuarantinedArchive() throws {
        let storage = InMemoryArchiveStorage(archive: [1])
        LivingApp(storage).application.launch()
        try storage.writeArchive([2])
        LivingApp(storage).application.launch()
        #expect(storage.quarantinedArchive == [2])
    }

    @Test func restoresObjectsWhoseFactoriesReferToEachOther() throws {
        /// A screen whose factory decodes a reference to the next screen.
        final class Chained: Screen, ViewControllerRestoration {
            static func viewController(
                withRestorationIdentifierPath path: [String], coder: StateDecoder
            ) -> (any RestorableViewController)? {
                let _: Chained? = coder.decodeObject(forKey: "next")
                let made = Chained(path.last)
                made.restorationClass = Chained.self
                return made
            }
        }
        let count = 20_000
        let objects = (0..<count).map { index in
            RestorableObject(
                path: "\(index)", kind: .viewController, className: "Chained", restorationClass: "Chained",
                state: ["next": .object(path: "\((index + 1) % count)")])
        }
        let app = TestApp()
        app.environment.add(Chained.self)
        #expect(try app.restore(StateArchive(objects: objects)).restored.count == count)
    }

    @Test func reportsObjectsWithUnusualPathsAsMissing() throws {
        let paths = [
            "", "/", "//", ":[0]:", ":[0]:/A", "A/:[0]:", "A/:[x]:/B", "A//B", String(repeating: "/a", count: 5000),
        ]
        let objects = paths.map {
            RestorableObject(path: $0, kind: .viewController, className: "Screen", storyboard: "Main")
        }
        let app = TestApp(Screen("A", text: "default"))
        let restoration = try app.restore(StateArchive(objects: objects))
        #expect(restoration.restored == [])
        #expect(restoration.missing.count == paths.count)
    }

    @Test func restoresNoObjectOfAnUnlistedClass() throws {
        let archive = StateArchive(objects: [
            RestorableObject(
                path: "A", kind: .viewController, className: "Screen", restorationClass: "LookUpTests.Made"),
            RestorableObject(path: "B", kind: .object, className: "Any", restorationClass: "Made"),
        ])
        #expect(try TestApp().restore(archive).restored == [])
    }

    @Test func savesAndRestoresAThousandNestedPresentations() throws {
        func chain() -> [Screen] { (0..<1000).map { Screen("S\($0)", text: "\($0)") } }
        func present(_ screens: [Screen]) -> Screen {
            for (presenting, presented) in zip(screens, screens.dropFirst()) { presenting.present(presented) }
            return screens[0]
        }
        let saved = chain()
        // The paths alone exceed the size limit of an uploaded archive, so the test sets a higher limit.
        let archive = try TestApp(present(saved)).save(limits: .init(maximumByteCount: 16 << 20))
        let restored = chain()
        for screen in restored { screen.text = "" }
        try TestApp(present(restored)).restore(archive)
        #expect(restored.map(\.text) == saved.map(\.text))
        // Dismisses the screens one by one, because releasing a long chain at once recurses too deeply.
        for screen in saved + restored { screen.dismiss() }
    }
}

extension LaunchResult {
    fileprivate var isRestored: Bool { if case .restored = self { true } else { false } }
}

extension [UInt8] {
    /// Makes one to four random changes. Each change replaces or inserts one byte, or removes up to 63 bytes at the
    /// end.
    fileprivate mutating func mutate(using random: inout SplitMix) {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0..<count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: self[place] = UInt8.random(in: 0...255, using: &random)
            case 1: self[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 2: removeLast(Int.random(in: 0..<Swift.min(64, count - 1), using: &random))
            default: insert(UInt8.random(in: 0...255, using: &random), at: place)
            }
        }
    }
}
