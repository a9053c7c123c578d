import PlacekeeperRuntime
import PlacekeeperTesting

/// The devices of a suite, and their service in memory.
class DeviceTests {
    let service: TestService
    let phone: SimulatedDevice
    /// Another device. It is a phone too, so that it restores whole states of the phone.
    private(set) lazy var pad = SimulatedDevice(service, .phone, seed: 2)

    init() async throws {
        service = try await TestService()
        phone = SimulatedDevice(service)
    }
}
