import PlacekeeperArchive
import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperClient

/// States of another device that this device restored, and that later launches restore without the service.
struct TakenStateTests {
    /// The device that saves the state, the device that takes it, and whether the taking device returns to an earlier
    /// version of the app before the launch.
    struct Versions: Sendable {
        var saved: RestorationContext
        var own: RestorationContext
        var later: RestorationContext?
        /// The part that the launch restores. Nil for the part that was served.
        var fidelity: RestorationFidelity?
        var reason: String?
    }

    @Test(arguments: [
        // The state versions are equal, so the bundle versions do not count.
        Versions(
            saved: .init(idiom: .phone, bundleVersion: "4", stateVersion: 2),
            own: .init(idiom: .phone, bundleVersion: "3", stateVersion: 2)),
        // The bundle versions of two platforms are not comparable.
        Versions(
            saved: .init(idiom: .phone, bundleVersion: "4"), own: .init(idiom: .mac, bundleVersion: "3")),
        Versions(
            saved: .init(idiom: .phone, bundleVersion: "4"), own: .init(idiom: .pad, bundleVersion: "4"),
            later: .init(idiom: .pad, bundleVersion: "3"), fidelity: .place),
        Versions(
            saved: .init(idiom: .phone, bundleVersion: "4"), own: .init(idiom: .phone, bundleVersion: "4"),
            later: .init(idiom: .phone, bundleVersion: "3"), fidelity: .place),
        Versions(
            saved: .init(idiom: .phone, bundleVersion: "4", stateVersion: 2),
            own: .init(idiom: .phone, bundleVersion: "4", stateVersion: 2),
            later: .init(idiom: .phone, bundleVersion: "4", stateVersion: 1), reason: "state-version-newer"),
    ])
    func launchWithoutConnectionJudgesVersionsAsTheServiceDoes(_ versions: Versions) async throws {
        let service = try await TestService()
        let source = service.device { $0.device = versions.saved }
        let device = service.device { $0.device = versions.own }
        source.placekeeper.scene().save(
            StateArchive(
                bundleVersion: versions.saved.bundleVersion, idiom: versions.saved.idiom.rawValue,
                stateVersion: versions.saved.stateVersion, place: Place([.init(screen: "photo", title: "Tram 28")])))
        try await source.placekeeper.flush()
        try await device.placekeeper.link(source.placekeeper.linkCode().code)
        let taken = try #require(await device.placekeeper.scene().launch().restore)
        device.placekeeper.scene().report(.restored, of: taken)
        try await device.placekeeper.flush()
        if let later = versions.later { device.configuration.device = later }
        device.kill()
        device.network.fault = .offline
        let launch = await device.placekeeper.scene().launch()
        #expect((launch.restore == nil) == (versions.reason != nil))
        if let fidelity = versions.fidelity { #expect(launch.restore?.fidelity == fidelity) }
        if let reason = versions.reason { #expect(launch.reason.code.rawValue == reason) }
    }
}
