import Foundation
import PlacekeeperClient
import PlacekeeperTesting
import PlacekeeperUI
import PlacekeeperRuntime
import Testing

@MainActor
struct ShareExtensionTests {
    @Test func opensTheSharedLinkInTheAppOnThePad() async throws {
        let devices = try await TwoDevices()
        await share("https://example.com/tram", on: devices)
        let pad = LinkList(["17": "https://example.com/boat", "18": "https://example.com/tram"])
        #expect(await devices.shown(of: pad, on: devices.pad) == "18")
    }

    @Test func opensNoLinkIfTwoHaveTheAddress() async throws {
        let devices = try await TwoDevices()
        await share("https://example.com/tram", on: devices)
        let pad = LinkList(["17": "https://example.com/tram", "18": "https://example.com/tram"])
        #expect(await devices.shown(of: pad, on: devices.pad) == nil)
    }

    @Test func keepsTheLinkForTheAppIfThereIsNoConnection() async throws {
        let devices = try await TwoDevices()
        devices.phone.network.fault = .offline
        await share("https://example.com/tram", on: devices)
        devices.phone.network.repair()
        devices.phone.kill()
        devices.phone.options.process = .app
        try await devices.phone.placekeeper.flush()
        let pad = LinkList(["18": "https://example.com/tram"])
        #expect(await devices.shown(of: pad, on: devices.pad) == "18")
    }

    @Test func restoresNothingInTheExtension() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let server = try #require(URL(string: "http://127.0.0.1:9"))
        let launch = await extensionClient(server, key: "pk_", group: folder).scene().launch()
        #expect(launch.reason.code == .processIsExtension)
    }

    /// The extension runs as the next process on the files of the app.
    private func share(_ address: String, on devices: TwoDevices) async {
        let phone = devices.phone
        phone.kill()
        phone.options.process = .extension
        let device = phone.options.device
        await devices.service.advancingClock {
            await keepLink(address, title: "Tram", with: phone.placekeeper, on: device)
        }
    }
}

/// The links of a device, by row key.
private final class LinkList: ModelAssociation {
    let dataSourceName = "links"
    private let links: [String: String]

    init(_ links: [String: String]) { self.links = links }

    var listElements: [ListElement] { links.map { ListElement($0.key, aliases: ["url:" + $0.value]) } }
}
