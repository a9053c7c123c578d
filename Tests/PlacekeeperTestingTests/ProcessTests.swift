import PlacekeeperClient
import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

struct ProcessTests {
    let service: TestService
    let phone: VirtualDevice

    init() async throws {
        service = try await TestService()
        phone = service.device(.phone)
    }

    /// Saves two states on a phone that dies after some changes of its files. Returns whether it died.
    private func carryThroughDeath(afterChanges count: Int) async throws -> Bool {
        let service = try await TestService()
        let phone = service.device(.phone)
        try await phone.saveAndFlush("Porto")
        await service.advance(by: 60)
        phone.kill()
        // The next process opens its files before it saves.
        _ = try await phone.placekeeper.places()
        phone.kill(afterChanges: count)
        phone.placekeeper.scene().save(.showing("Lisbon"))
        try? await phone.placekeeper.flush()
        let hasDied = phone.hasEnded
        phone.kill()
        let launch = await phone.placekeeper.scene().launch()
        // A state whose save did not reach the disk is lost. An earlier state never is.
        #expect(launch.title == "Lisbon" || count == 0 && launch.title == "Porto", "after \(count) changes")
        if let restored = launch.restore { phone.placekeeper.scene().report(.restored, of: restored) }
        try await phone.placekeeper.flush()
        #expect(phone.placekeeper.status.pendingCount == 0)
        let titles = try await phone.placekeeper.scene().history().map(\.titles)
        #expect(titles == [["Lisbon"], ["Porto"]] || count == 0 && titles == [["Porto"]], "after \(count) changes")
        return hasDied
    }

    @Test func deathAtEachChangeOfAFileLosesAndRepeatsNoState() async throws {
        var count = 0
        while try await carryThroughDeath(afterChanges: count) {
            count += 1
            try #require(count < 100)
        }
        #expect(count > 3)
    }

    @Test func stateOfACrashedRestoreIsNotRestoredAgain() async throws {
        try await phone.saveAndFlush("Lisbon")
        phone.kill()
        #expect(await phone.placekeeper.scene().launch().title == "Lisbon")
        // The app crashes before it reports the outcome.
        phone.kill()
        phone.network.fault = .offline
        let launch = await phone.placekeeper.scene().launch()
        #expect(launch.isFresh)
        #expect(launch.reason.code == .crashed)
    }

    @Test func reportedRestoreIsRestoredAgain() async throws {
        try await phone.saveAndFlush("Lisbon")
        phone.kill()
        let scene = phone.placekeeper.scene()
        scene.report(.restored, of: try #require(await scene.launch().restore))
        await service.settle()
        phone.kill()
        #expect(await phone.placekeeper.scene().launch().title == "Lisbon")
    }

    @Test func endedProcessChangesAndSendsNothing() async throws {
        let scene = phone.placekeeper.scene()
        scene.save(.showing("Porto"))
        try await phone.placekeeper.flush()
        let ended = phone.placekeeper
        phone.kill()
        let requests = phone.network.requests.count
        scene.save(.showing("Lisbon"))
        try? await ended.flush()
        await service.advance(by: 60)
        #expect(phone.network.requests.count == requests)
        #expect(await phone.placekeeper.scene().launch().title == "Porto")
    }

    @Test func callOfAProcessThatIsKilledEnds() async throws {
        try await phone.saveAndFlush("Porto")
        phone.network.fault = .never
        let placekeeper = phone.placekeeper
        let places = Task { try await placekeeper.places() }
        while phone.network.requests.last?.hasPrefix("GET") != true { await Task.yield() }
        phone.kill()
        await #expect(throws: PlacekeeperError.self) { try await places.value }
    }

    @Test func lockedDeviceRestoresAfterUnlocking() async throws {
        try await phone.saveAndFlush("Lisbon")
        phone.reboot(isLocked: true)
        let requests = phone.network.requests.count
        let locked = await phone.placekeeper.scene().launch()
        #expect(locked.isFresh)
        #expect(locked.reason.code == .locked)
        #expect(phone.placekeeper.status.account == .locked)
        await service.advance(by: 60)
        #expect(phone.network.requests.count == requests)
        phone.unlock()
        let launch = await phone.placekeeper.scene().launch()
        #expect(launch.title == "Lisbon")
    }

    @Test func fullDiskIsAProblemUntilThereIsRoom() async throws {
        try await phone.saveAndFlush("Porto")
        phone.isDiskFull = true
        phone.placekeeper.scene().save(.showing("Lisbon"))
        await service.settle()
        #expect(phone.placekeeper.status.problem?.code == .storageFailed)
        phone.isDiskFull = false
        await service.advance(by: 60)
        try await phone.saveAndFlush("Lisbon")
        #expect(phone.placekeeper.status.problem == nil)
    }
}
