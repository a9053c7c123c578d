import Foundation
import PlacekeeperArchive
import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperClient

/// The client as an app uses it: with its own queue, over the service in memory.
struct FiveLinesTests {
    private func placekeeper(_ service: TestService, _ files: MemoryFiles = MemoryFiles()) -> Placekeeper {
        var options = Placekeeper.Configuration()
        options.device = RestorationContext(idiom: .phone, bundleVersion: "42")
        // The clock is real, and the machine is busy.
        let deadline = Duration.seconds(600)
        (options.launchDeadline, options.ownStateDeadline, options.flushDeadline) = (deadline, deadline, deadline)
        let files = Unchecked(files)
        return Placekeeper(
            key: service.key, configuration: options, clock: SystemClock(),
            transport: TestTransport(service, clock: SystemClock()), files: { files.value },
            credentials: { FileCredentialStore($0) }, random: SystemRandomNumberGenerator())
    }

    /// The files are used by one queue at a time.
    private struct Unchecked: @unchecked Sendable {
        let value: MemoryFiles
        init(_ value: MemoryFiles) { self.value = value }
    }

    private func archive(_ text: String) -> StateArchive {
        var archive = StateArchive(bundleVersion: "42", idiom: 0)
        archive.place = Place([.init(screen: text, title: text)])
        return archive
    }

    @Test func carriesAStateToAnotherDevice() async throws {
        let service = try await TestService()
        let phone = placekeeper(service)
        let pad = placekeeper(service)
        phone.scene().save(archive("Lisbon"))
        try await phone.flush()
        try await pad.link(try await phone.linkCode().code)
        let launch = await pad.scene().launch()
        #expect(launch.restore?.archive.place?.steps.first?.screen == "Lisbon")
    }

    @Test func offersAStateThatArrivesLater() async throws {
        let service = try await TestService()
        let phone = placekeeper(service)
        let pad = placekeeper(service)
        let scene = pad.scene()
        scene.save(archive("Porto"))
        try await pad.flush()
        try await phone.link(try await pad.linkCode().code)
        var offers = scene.offers.makeAsyncIterator()
        service.clock.advance(by: 1)
        phone.scene().save(archive("Lisbon"))
        try await phone.flush()
        var offered = await offers.next()
        while let offer = offered, offer == nil { offered = await offers.next() }
        let offer = try #require(offered ?? nil)
        #expect(offer.place.titles == ["Lisbon"])
        let served = try await scene.take(offer)
        #expect(served.archive.place?.steps.first?.screen == "Lisbon")
    }

    @Test func keepsWhatWasSavedBeforeTheProcessEnds() async throws {
        let service = try await TestService()
        let files = MemoryFiles()
        let phone = placekeeper(service, files)
        #expect(phone.status.account == .unknown)
        phone.scene().save(archive("Lisbon"))
        try await phone.waitUntilSaved()
        #expect(files.paths.contains { $0.contains("/scenes/s.main/") })
        #expect(phone.status.account != .unknown)
    }

    @Test func waitUntilSavedTellsThatTheDiskIsFull() async throws {
        let files = MemoryFiles()
        let phone = placekeeper(try await TestService(), files)
        phone.scene().save(archive("Porto"))
        try await phone.flush()
        files.fault = .noSpace
        phone.scene().save(archive("Lisbon"))
        let error = await #expect(throws: PlacekeeperError.self) { try await phone.waitUntilSaved() }
        #expect(error?.code == .storageFailed)
    }

    @Test func endsAtOnceIfTheTaskIsCanceled() async throws {
        let service = try await TestService()
        let phone = placekeeper(service)
        let task = Task { try await phone.link("00000000") }
        task.cancel()
        let error = await #expect(throws: (any Error).self) { try await task.value }
        #expect(error is CancellationError || (error as? PlacekeeperError)?.code == .linkCodeInvalid)
    }

    @Test func asksNothingForATaskThatIsAlreadyCanceled() async throws {
        let service = try await TestService()
        let phone = placekeeper(service)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await phone.link("00000000")
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
