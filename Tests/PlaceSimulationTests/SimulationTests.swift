import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

@testable import placekeeper_bench_places

/// A sample of the simulation. `make bench-places` runs all of it.
struct SimulationTests {
    @Test func sampleLeadsToTheLastWork() async throws {
        var options = SimulationOptions()
        (options.users, options.days) = (12, 10)
        let tally = try await PlaceSimulation.run(options)
        let own = try #require(tally.systems[Tally.placekeeper])
        let newest = try #require(tally.systems[NewestUpload.name])
        #expect(own.count(.known) > 200)
        #expect(own.count(.known) == newest.count(.known))
        #expect(tally.cases.filter { $0.cause == .unexplained }.map(\.text).isEmpty)
        // The sample is small, so its bar is lower than that of the simulation.
        #expect(own.share(.wrong) <= newest.share(.wrong) / 10)
        #expect(own.share(.nothing) <= 0.01)
    }

    @Test func sameSeedGivesSameResults() async throws {
        var options = SimulationOptions()
        (options.users, options.days) = (2, 4)
        let report = Report(tally: try await PlaceSimulation.run(options), options: options)
        let again = Report(tally: try await PlaceSimulation.run(options), options: options)
        #expect(report.json == again.json)
        #expect(report.text == again.text)
    }

    @Test func deviceRestoredFromABackupHasTheFilesOfTheBackup() async throws {
        let service = try await TestService()
        let phone = service.device(.phone)
        let state = StateArchive(bundleVersion: "1", idiom: 0)
        phone.placekeeper.scene().save(state)
        try await phone.placekeeper.flush()
        let clone = service.device(cloning: phone)
        clone.network.fault = .offline
        let restored = try #require(await clone.placekeeper.scene().launch().restore)
        #expect(restored.archive == state)
        clone.placekeeper.scene().report(.restored, of: restored)
        try await clone.placekeeper.waitUntilSaved()
        // Each of the two has files of its own from now on.
        phone.placekeeper.scene().save(StateArchive(bundleVersion: "2", idiom: 0))
        try await phone.placekeeper.flush()
        clone.kill()
        #expect(await clone.placekeeper.scene().launch().restore?.archive == state)
    }
}
