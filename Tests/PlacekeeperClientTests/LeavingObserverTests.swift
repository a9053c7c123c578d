import Foundation
import PlacekeeperArchive
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperClient

/// An app that the system ends in the background, and that calls nothing but `launch`.
struct LeavingObserverTests {
    private struct Unchecked: @unchecked Sendable {
        let files: MemoryFiles
    }

    @Test(arguments: LeavingObserver.names + [nil])
    func endOfAProcessInTheBackgroundIsNoCrash(_ name: String?) async throws {
        let service = try await TestService()
        let disk = Unchecked(files: MemoryFiles())
        let center = NotificationCenter()
        func placekeeper() -> Placekeeper {
            var options = Placekeeper.Configuration()
            options.device = RestorationContext(idiom: .phone, bundleVersion: "1")
            let clock = DeviceClock(service.clock)
            return Placekeeper(
                key: service.key, configuration: options, clock: clock, transport: TestTransport(service, clock: clock),
                files: { disk.files }, credentials: { FileCredentialStore($0) },
                random: SystemRandomNumberGenerator(), notifications: center)
        }
        let first = placekeeper()
        first.scene().save(
            StateArchive(bundleVersion: "1", idiom: 0, place: Place([.init(screen: "page", title: "40")])))
        try await first.flush()
        let second = placekeeper()
        #expect(await second.scene().launch().restore != nil)
        if let name { center.post(name: .init(name), object: nil) }
        _ = await second.drain()
        let third = placekeeper()
        #expect((await third.scene().launch().restore != nil) == (name != nil))
    }
}
