import PlacekeeperClient
import PlacekeeperRuntime
import PlacekeeperTesting

/// A suite with a phone and a pad of one user.
@MainActor
class LinkedDevicesTests {
    let service: TestService
    let phone: VirtualDevice
    let pad: VirtualDevice

    init() async throws {
        service = try await TestService()
        phone = service.device(.phone)
        pad = service.device(.pad)
        try await pad.placekeeper.link(phone.placekeeper.linkCode().code)
    }
}
