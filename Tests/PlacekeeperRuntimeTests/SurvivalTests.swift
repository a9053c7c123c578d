import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

/// Tests that the next launch restores an archive again if the process went to the background after it had restored the
/// archive. This also applies while restoration is extended.
@MainActor
struct SurvivalTests {
    private let storage = InMemoryArchiveStorage()

    /// Saves the state of an app with a pushed page, launches another app that extends restoration, and returns this
    /// app.
    private func extended() throws -> LivingApp {
        let app = LivingApp(storage)
        app.application.launch()
        app.navigation.push(LookUpTests.Made("Page"))
        try app.application.saveState()
        let next = LivingApp(storage)
        next.decodes = { next.environment.extendStateRestoration() }
        next.application.launch()
        #expect(try storage.readAttempts() == 1)
        return next
    }

    private func expectRestores() {
        let next = LivingApp(storage)
        next.application.launch()
        #expect(next.stack == ["List", "Page"])
    }

    @Test func restoresAgainAfterLeavingWithoutSaving() throws {
        let app = try extended()
        app.shouldSave = false
        #expect(try app.application.saveState() == nil)
        expectRestores()
    }

    @Test func restoresAgainAfterFailedSave() throws {
        let app = try extended()
        app.navigation.restorationIdentifier = ""
        #expect(throws: PreservationError.self) { try app.application.saveState() }
        expectRestores()
    }

    @Test func restoresPlaceAgainAfterLeavingWhileItIsRestored() async throws {
        let phone = LivingApp(storage)
        phone.root = { NavigationController(root: PlaceTests.Stop("albums")).named("Root") }
        phone.application.launch()
        try phone.application.saveState()
        let pad = LivingApp(storage, idiom: .pad)
        let way = Way()
        pad.placeNavigator = way
        pad.shouldSave = false
        pad.application.launch()
        var left: InMemoryArchiveStorage?
        way.goes = { _ in
            #expect((try? storage.readAttempts()) == 1)
            _ = try? pad.application.saveState()
            left = storage.copy()
        }
        _ = await pad.application.restorePlace()
        let disk = try #require(left)
        #expect(LivingApp(disk, idiom: .pad).application.launch() == .placeOnly)
    }

    @Test func restoresAgainAfterCompletionOnLockedDevice() throws {
        let app = try extended()
        storage.isLocked = true
        app.environment.completeStateRestoration()
        storage.isLocked = false
        app.shouldSave = false
        try app.application.saveState()
        expectRestores()
    }
}
