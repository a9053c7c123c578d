import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

/// Tests when the archive that a launch restores is discarded, and when it is put back.
@MainActor
struct ArchiveInUseTests {
    private typealias Made = LookUpTests.Made
    private let storage = InMemoryArchiveStorage()

    /// Launches an app, pushes a page and saves the state.
    private func savePage(_ page: String, in storage: any ArchiveStorage) throws {
        let app = LivingApp(storage)
        app.application.launch()
        app.navigation.push(Made(page))
        try app.application.saveState()
    }

    /// Launches the app as in a new process, and returns the identifiers of its navigation stack.
    private func nextStack() -> [String?] {
        let app = LivingApp(storage)
        app.application.launch()
        return app.stack
    }

    @Test("seed 79 · state that is saved while restoration is extended survives the end of the process", .tags(.seed))
    func restoresStateSavedWhileExtended() throws {
        try savePage("Page", in: storage)
        let app = LivingApp(storage)
        app.decodes = { app.environment.extendStateRestoration() }
        app.application.launch()
        app.navigation.push(Made("Later"))
        try app.application.saveState()
        // The system ends the process: the extended restoration never completes.
        #expect(app.environment.isRestorationExtended)
        #expect(nextStack() == ["List", "Page", "Later"])
    }

    @Test("seed 79 · an archive that was stored after launching is kept when saving fails", .tags(.seed))
    func keepsTheServedArchiveWhenSavingFails() throws {
        let elsewhere = InMemoryArchiveStorage()
        try savePage("Served", in: elsewhere)
        try savePage("Page", in: storage)
        let app = LivingApp(storage)
        app.application.launch()
        try storage.writeArchive(try #require(elsewhere.archive))
        app.navigation.restorationIdentifier = ""
        #expect(throws: PreservationError.self) { try app.application.saveState() }
        #expect(nextStack() == ["List", "Served"])
    }

    /// Saves a phone's state. On a pad, only the place of this archive can be restored.
    private func savePlace() throws {
        let phone = LivingApp(storage)
        phone.root = { NavigationController(root: PlaceTests.Stop("albums")).named("Root") }
        phone.application.launch()
        try phone.application.saveState()
    }

    @Test("seed 46 · the archive of a place is discarded when the app declines it", .tags(.seed))
    func discardsDeclinedPlace() throws {
        try savePlace()
        let pad = LivingApp(storage, idiom: .pad)
        pad.placeNavigator = Way()
        pad.shouldRestore = { _ in false }
        #expect(pad.application.launch() == .declined)
        #expect(storage.archive == nil)
        #expect(LivingApp(storage, idiom: .pad).application.launch() == .nothingSaved)
    }

    @Test("seed 49 · in developer mode the archive of a place survives", .tags(.seed))
    func keepsThePlaceInDeveloperMode() async throws {
        try savePlace()
        let saved = try #require(storage.archive)
        let pad = LivingApp(storage, idiom: .pad) { $0.isDeveloperMode = true }
        pad.placeNavigator = Way()
        pad.application.launch()
        #expect(await pad.application.restorePlace() == PlaceRestoration(reached: ["albums"]))
        #expect(storage.archive == saved)
    }

    @Test("seed 79 · the archive of a restored place is put back when saving fails", .tags(.seed))
    func putsThePlaceBackWhenSavingFails() async throws {
        try savePlace()
        let saved = try #require(storage.archive)
        let pad = LivingApp(storage, idiom: .pad)
        pad.placeNavigator = Way()
        #expect(pad.application.launch() == .placeOnly)
        #expect(await pad.application.restorePlace() == PlaceRestoration(reached: ["albums"]))
        #expect(storage.archive == nil)
        pad.navigation.restorationIdentifier = ""
        #expect(throws: PreservationError.self) { try pad.application.saveState() }
        #expect(storage.archive == saved)
        #expect(LivingApp(storage, idiom: .pad).application.launch() == .placeOnly)
    }
}
