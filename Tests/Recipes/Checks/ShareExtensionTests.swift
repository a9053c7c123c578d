import PlacekeeperKit
import PlacekeeperTesting
import Testing

@MainActor
struct ShareExtensionTests {
    @Test func opensTheSharedLinkInTheAppOnThePad() async throws {
        let devices = try await TwoDevices()
        await share("https://example.com/tram", on: devices)
        let pad = [link("17", "boat"), link("18", "tram")]
        #expect(await shown(of: pad, on: devices.pad) == "18")
        #expect(try await devices.pad.placekeeper.places().map(\.titles.last) == ["Tram"])
    }

    @Test func opensNoLinkIfTwoHaveTheAddress() async throws {
        let devices = try await TwoDevices()
        await share("https://example.com/tram", on: devices)
        #expect(await shown(of: [link("17", "tram"), link("18", "tram")], on: devices.pad) == nil)
    }

    @Test func keepsTheLinkForTheAppIfThereIsNoConnection() async throws {
        let devices = try await TwoDevices()
        devices.phone.network.fault = .offline
        await share("https://example.com/tram", on: devices)
        devices.phone.network.repair()
        devices.phone.kill()
        devices.phone.configuration.isExtension = false
        try await devices.phone.placekeeper.flush()
        #expect(await shown(of: [link("18", "tram")], on: devices.pad) == "18")
    }

    @Test func restoresNothingInTheExtension() async throws {
        let devices = try await TwoDevices()
        await share("https://example.com/tram", on: devices)
        let restoration = await devices.phone.placekeeper.scene([LinkRoute].self).restore()
        #expect(restoration.value == nil)
        #expect(restoration.reason.code.rawValue == "process-is-extension")
    }

    /// The extension runs as the next process on the files of the app.
    private func share(_ address: String, on devices: TwoDevices) async {
        let phone = devices.phone
        phone.kill()
        phone.configuration.isExtension = true
        await devices.service.advancingClock {
            await keepLink(address, title: "Tram", with: phone.placekeeper)
        }
    }

    private func link(_ row: String, _ name: String) -> Link {
        Link(placeID: row, address: "https://example.com/\(name)")
    }

    private func shown(of links: [Link], on device: VirtualDevice) async -> String? {
        let value = await device.placekeeper.scene([LinkRoute].self).restore(items: links).value
        guard case .link(let link, _)? = value?.last else { return nil }
        return link.placeID
    }
}
