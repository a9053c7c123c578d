import PlacekeeperClient
import PlacekeeperTesting
import PlacekeeperUI
import Testing

@MainActor
struct PhotoAssetsTests {
    @Test func opensTheSamePhotoAndLooksUpNoOther() async throws {
        let devices = try await TwoDevices()
        let names = (0..<1000).map { "cloud-\($0)" }
        let phoneLibrary = Library(names.enumerated().map { ("phone-\($0)", $1) })
        let phone = PhotoList(phoneLibrary)
        let place = try await devices.open("phone-7", of: phone, on: devices.phone)
        await phone.register(in: place, with: devices.phone.placekeeper)
        try await devices.phone.placekeeper.flush()
        #expect(phoneLibrary.lookUps == 1)

        let padLibrary = Library(names.reversed().enumerated().map { ("pad-\($0)", $1) })
        #expect(await devices.shown(of: PhotoList(padLibrary), on: devices.pad) == "pad-992")
        #expect(padLibrary.lookUps <= 3)
    }

    @Test func opensNoOtherPhotoIfTheCloudIdentifierIsUnknown() async throws {
        let devices = try await TwoDevices()
        // The pad was set up from a copy of the phone, and has another photo under the local identifier.
        let phone = PhotoList(Library([("p7", "cloud-7")]))
        let place = try await devices.open("p7", of: phone, on: devices.phone)
        await phone.register(in: place, with: devices.phone.placekeeper)
        try await devices.phone.placekeeper.flush()
        #expect(await devices.shown(of: PhotoList(Library([("p7", "cloud-1")])), on: devices.pad) == nil)
    }
}

/// A photo library in memory that counts the look-ups of cloud identifiers.
@MainActor
private final class Library: PhotoNames {
    private let assets: [(local: String, cloud: String)]
    private(set) var lookUps = 0

    init(_ assets: [(String, String)]) { self.assets = assets.map { (local: $0.0, cloud: $0.1) } }

    func identifier(at index: Int) -> String? { assets.indices.contains(index) ? assets[index].local : nil }
    func index(of identifier: String) -> Int? { assets.firstIndex { $0.local == identifier } }
    func cloudName(of identifier: String) -> String? {
        lookUps += 1
        return assets.first { $0.local == identifier }?.cloud
    }
    func identifier(withCloudName name: String) -> String? {
        lookUps += 1
        return assets.first { $0.cloud == name }?.local
    }
}
