import Foundation
import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

/// Tests which archive is kept, and when it is discarded.
@MainActor
struct KeptStateTests {
    typealias Made = LookUpTests.Made
    let storage = InMemoryArchiveStorage()

    /// Launches an app, pushes pages and saves the state.
    func savePages(_ pages: String..., in storage: any ArchiveStorage) throws {
        let app = LivingApp(storage)
        app.application.launch()
        for page in pages { app.navigation.push(Made(page)) }
        try app.application.saveState()
    }

    /// Launches the app as in a new process, and returns the identifiers of its navigation stack.
    func nextStack() -> [String?] {
        let app = LivingApp(storage)
        app.application.launch()
        return app.stack
    }

    @Test("seed 79 · the archive stays until the app has finished launching, and is then discarded", .tags(.seed))
    func discardsAfterLaunching() throws {
        try savePages("Page", in: storage)
        let saved = try #require(storage.archive)
        let app = LivingApp(storage)
        var stored: [[UInt8]?] = []
        app.decodes = { stored.append(storage.archive) }
        app.finishes = { stored.append(storage.archive) }
        app.application.launch()
        #expect(stored == [saved, saved])
        #expect(storage.archive == nil)
    }

    @Test("seed 79 · state that is saved while restoration is extended stays", .tags(.seed), arguments: [true, false])
    func keepsStateSavedWhileExtended(hasChanged: Bool) throws {
        try savePages("Page", in: storage)
        let app = LivingApp(storage)
        app.decodes = { app.environment.extendStateRestoration() }
        app.application.launch()
        if hasChanged { app.navigation.push(Made("Later")) }
        try app.application.saveState()
        app.environment.completeStateRestoration()
        #expect(!app.environment.isRestorationExtended)
        #expect(nextStack() == (hasChanged ? ["List", "Page", "Later"] : ["List", "Page"]))
    }

    @Test("seed 79 · a served archive that is stored while restoration is extended stays", .tags(.seed))
    func keepsServedArchiveStoredWhileExtended() throws {
        let elsewhere = InMemoryArchiveStorage()
        try savePages("Served", in: elsewhere)
        try savePages("Page", in: storage)
        let app = LivingApp(storage)
        app.decodes = { app.environment.extendStateRestoration() }
        app.application.launch()
        try storage.writeArchive(try #require(elsewhere.archive))
        app.environment.completeStateRestoration()
        #expect(nextStack() == ["List", "Served"])
    }

    @Test("seed 79 · state that is saved while a place is restored stays, and its attempts count from 0", .tags(.seed))
    func keepsStateSavedWhilePlaceIsRestored() async throws {
        let phone = LivingApp(storage)
        phone.root = { NavigationController(root: PlaceTests.Stop("albums")).named("Root") }
        phone.application.launch()
        try phone.application.saveState()

        for savesFirst in [true, false] {
            let storage = storage.copy()
            let pad = LivingApp(storage, idiom: .pad)
            let way = Way()
            pad.placeNavigator = way
            #expect(pad.application.launch() == .placeOnly)
            pad.navigation.push(Made("Meanwhile"))
            if savesFirst { try pad.application.saveState() }
            var attempts: Int?
            way.goes = { _ in
                attempts = try? storage.readAttempts()
                if !savesFirst { _ = try? pad.application.saveState() }
            }
            #expect(await pad.application.restorePlace() == PlaceRestoration(reached: ["albums"]))
            #expect(attempts == (savesFirst ? 0 : 1))
            let next = LivingApp(storage, idiom: .pad)
            next.application.launch()
            #expect(next.stack == ["List", "Meanwhile"])
        }
    }

    @Test("seed 79 · the archive of a place is discarded when the place is restored", .tags(.seed))
    func discardsArchiveOfRestoredPlace() async throws {
        let phone = LivingApp(storage)
        phone.root = { NavigationController(root: PlaceTests.Stop("albums")).named("Root") }
        phone.application.launch()
        try phone.application.saveState()
        let pad = LivingApp(storage, idiom: .pad)
        pad.placeNavigator = Way()
        pad.application.launch()
        #expect(storage.archive != nil)
        _ = await pad.application.restorePlace()
        #expect(storage.archive == nil)
    }

    @Test func keepsThePlaceUntilTheAppCanNavigate() async throws {
        let phone = LivingApp(storage)
        phone.root = { NavigationController(root: PlaceTests.Stop("albums")).named("Root") }
        phone.application.launch()
        try phone.application.saveState()
        let pad = LivingApp(storage, idiom: .pad)
        pad.application.launch()
        #expect(await pad.application.restorePlace() == nil)
        pad.placeNavigator = Way()
        #expect(await pad.application.restorePlace() == PlaceRestoration(reached: ["albums"]))
    }

    @Test func putsTheArchiveBackWhenSavingFails() throws {
        try savePages("Page", in: storage)
        let saved = try #require(storage.archive)
        let app = LivingApp(storage)
        app.application.launch()
        #expect(storage.archive == nil)
        let twins = [View(), View()]
        for view in twins { view.restorationIdentifier = "Twin" }
        app.navigation.views = twins
        #expect(throws: PreservationError.duplicatePath("Root/Twin")) { try app.application.saveState() }
        #expect(storage.archive == saved)

        // After a later save, a failed save leaves the newer archive in the storage.
        app.navigation.views = []
        app.navigation.push(Made("Newer"))
        try app.application.saveState()
        app.navigation.views = twins
        #expect(throws: PreservationError.self) { try app.application.saveState() }
        #expect(nextStack() == ["List", "Page", "Newer"])
    }

    @Test("seed 47 · the attempt is counted before anything is made or decoded", .tags(.seed))
    func countsTheAttemptBeforeRestoring() throws {
        try savePages("Page", in: storage)
        var crashed: InMemoryArchiveStorage?
        let app = LivingApp(storage)
        app.decodes = { crashed = storage.copy() }
        app.application.launch()
        let disk = try #require(crashed)
        #expect(disk.archive != nil)
        let next = LivingApp(disk)
        #expect(next.application.launch() == .crashedBefore)
        #expect(next.stack == ["List"])
        #expect(disk.archive == nil)
        // The number of attempts belonged to the discarded archive, so the new archive is restored.
        try savePages("Other", in: disk)
        let last = LivingApp(disk)
        last.application.launch()
        #expect(last.stack == ["List", "Other"])
    }

    @Test("seed 47 · the crash threshold is a setting, and a completed launch resets the count", .tags(.seed))
    func countsCrashesUpToTheThreshold() throws {
        var disk = storage
        /// Launches the app. If the launch crashes, `disk` then has the content that it had during restoring.
        func launch(crashes: Bool) -> LaunchResult {
            let app = LivingApp(disk) { $0.crashThreshold = 3 }
            var middle: InMemoryArchiveStorage?
            app.decodes = { middle = disk.copy() }
            let result = app.application.launch()
            if crashes, let middle { disk = middle }
            return result
        }
        try savePages("Page", in: disk)
        for _ in 1...3 {
            guard case .restored = launch(crashes: true) else { throw StorageError.failed("It was not restored.") }
        }
        #expect(launch(crashes: false) == .crashedBefore)
        #expect(launch(crashes: false) == .nothingSaved)

        try savePages("Page", in: disk)
        _ = launch(crashes: true)
        _ = launch(crashes: true)
        _ = launch(crashes: false)
        #expect(try disk.readAttempts() == 0)
        try savePages("Page", in: disk)
        for _ in 1...3 {
            guard case .restored = launch(crashes: true) else { throw StorageError.failed("It was not restored.") }
        }
    }

    @Test(arguments: [true, false])
    func keepsTheArchiveOfACrashInDeveloperMode(isDeveloperMode: Bool) throws {
        try savePages("Page", in: storage)
        let saved = storage.archive
        try storage.writeAttempts(1)
        let app = LivingApp(storage) { $0.isDeveloperMode = isDeveloperMode }
        #expect(app.application.launch() == .crashedBefore)
        #expect(app.stack == ["List"])
        #expect(storage.archive == (isDeveloperMode ? saved : nil))
        #expect(nextStack() == (isDeveloperMode ? ["List", "Page"] : ["List"]))
    }

    @Test("seed 48 · a force quit deletes the state", .tags(.seed))
    func deletesStateOnForceQuit() throws {
        try savePages("Page", in: storage)
        let app = LivingApp(storage)
        app.application.launch()
        #expect(app.stack == ["List", "Page"])
        try app.application.saveState()
        app.application.forceQuit()
        let next = LivingApp(storage)
        #expect(next.application.launch() == .nothingSaved)
        #expect(next.stack == ["List"])
    }

    @Test("seed 80 · a force quit deletes all state, including the quarantined archive", .tags(.seed))
    func deletesQuarantinedArchiveOnForceQuit() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        func files() -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
        }
        let storage = FileArchiveStorage(folder: folder)
        try storage.writeArchive([1, 2, 3])
        LivingApp(storage).application.launch()
        try savePages("Page", in: storage)
        try storage.writeAttempts(1)
        // This file remains if a process ends while it writes an archive.
        try Data([1]).write(to: folder.appendingPathComponent("state.plist.new"))
        let all = ["state.attempts", "state.plist", "state.plist.new", "state.quarantined.plist"]
        #expect(files() == all)
        LivingApp(storage) { $0.isDeveloperMode = true }.application.forceQuit()
        #expect(files() == all)
        LivingApp(storage).application.forceQuit()
        #expect(files() == [])

        let memory = self.storage
        try memory.writeArchive([1, 2, 3])
        LivingApp(memory).application.launch()
        try savePages("Page", in: memory)
        try memory.writeAttempts(1)
        #expect(memory.quarantinedArchive == [1, 2, 3])
        LivingApp(memory).application.forceQuit()
        #expect(memory.archive == nil)
        #expect(memory.quarantinedArchive == nil)
        #expect(try memory.readAttempts() == 0)
    }

    @Test("seed 80 · state that a force quit deleted is not put back", .tags(.seed))
    func putsNothingBackAfterForceQuit() throws {
        try savePages("Page", in: storage)
        let app = LivingApp(storage)
        app.application.launch()
        app.application.forceQuit()
        app.navigation.restorationIdentifier = ""
        #expect(throws: PreservationError.self) { try app.application.saveState() }
        #expect(storage.archive == nil)
    }
}

/// A navigator that reaches every step of a place.
@MainActor
final class Way: PlaceNavigating {
    var goes: (PlaceStep) -> Void = { _ in }
    func go(to step: PlaceStep) async -> Bool {
        goes(step)
        return true
    }
}

extension InMemoryArchiveStorage {
    /// Returns the storage that another process finds if this process ends now.
    func copy() -> InMemoryArchiveStorage {
        let copy = InMemoryArchiveStorage(archive: archive)
        try? copy.writeAttempts((try? readAttempts()) ?? 0)
        return copy
    }
}
