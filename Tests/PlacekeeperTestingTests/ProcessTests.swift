import PlacekeeperKit
import PlacekeeperTesting
import Testing

@MainActor
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
        await service.advance(by: .seconds(60))
        phone.kill()
        // The next process opens its files before it saves.
        _ = try await phone.placekeeper.places()
        phone.kill(afterChanges: count)
        phone.save("Lisbon")
        try? await phone.placekeeper.flush()
        let hasDied = phone.hasEnded
        phone.kill()
        let title = await phone.restoredTitle()
        // A state whose save did not reach the disk is lost. An earlier state never is.
        #expect(title == "Lisbon" || count == 0 && title == "Porto", "after \(count) changes")
        try await phone.placekeeper.flush()
        #expect(phone.placekeeper.status.unsentCount == 0)
        let titles = try await phone.storedTitles()
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
        #expect(await phone.restoredTitle() == "Lisbon")
        // The app crashes while the restored screen appears.
        phone.kill()
        phone.network.fault = .offline
        let restored = await phone.scene.restore()
        #expect(restored.value == nil)
        #expect(restored.reason.code.rawValue == "crashed")
    }

    @Test func stateThatWasOnScreenForFiveSecondsIsRestoredAgain() async throws {
        try await phone.saveAndFlush("Lisbon")
        phone.kill()
        #expect(await phone.restoredTitle() == "Lisbon")
        await service.advance(by: .seconds(5))
        phone.kill()
        #expect(await phone.restoredTitle() == "Lisbon")
    }

    @Test func endedProcessChangesAndSendsNothing() async throws {
        let scene = phone.scene
        scene.save(Shown(title: "Porto"))
        try await phone.placekeeper.flush()
        let ended = phone.placekeeper
        phone.kill()
        let requests = phone.network.requests.count
        scene.save(Shown(title: "Lisbon"))
        try? await ended.flush()
        await service.advance(by: .seconds(60))
        #expect(phone.network.requests.count == requests)
        #expect(await phone.restoredTitle() == "Porto")
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
        let locked = await phone.scene.restore()
        #expect(locked.value == nil)
        #expect(locked.reason.code.rawValue == "locked")
        #expect(phone.placekeeper.status.account == .locked)
        await service.advance(by: .seconds(60))
        #expect(phone.network.requests.count == requests)
        phone.unlock()
        #expect(await phone.restoredTitle() == "Lisbon")
    }

    @Test func fullDiskIsAProblemUntilThereIsRoom() async throws {
        try await phone.saveAndFlush("Porto")
        phone.isDiskFull = true
        phone.save("Lisbon")
        await service.settle()
        #expect(phone.placekeeper.status.problem?.code == .storageFailed)
        phone.isDiskFull = false
        await service.advance(by: .seconds(60))
        try await phone.saveAndFlush("Lisbon")
        #expect(phone.placekeeper.status.problem == nil)
    }
}
