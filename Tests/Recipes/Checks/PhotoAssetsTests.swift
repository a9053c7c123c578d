import PlacekeeperClient
import PlacekeeperTesting
import PlacekeeperUI
import Testing

@MainActor
struct PhotoAssetsTests {
    @Test func opensTheSamePhotoAndLooksUpNoOther() async throws {
        let devices = try await TwoDevices()
        let (phoneLibrary, padLibrary) = Library.ofTwoDevices()
        try await openAndRegister("phone-7", of: phoneLibrary, on: devices)
        #expect(phoneLibrary.lookUps == 1)

        #expect(await devices.shown(of: PhotoList(padLibrary), on: devices.pad) == "pad-992")
        #expect(padLibrary.lookUps <= 2)
    }

    /// The service knows the phone's identifier of the photo, because the phone has registered the photo.
    @Test func searchesForNoRegisteredPhoto() async throws {
        let devices = try await TwoDevices()
        let (phoneLibrary, padLibrary) = Library.ofTwoDevices()
        try await openAndRegister("phone-7", of: phoneLibrary, on: devices)

        _ = try await devices.open("pad-992", of: PhotoList(padLibrary), on: devices.pad, in: "second")
        let launched = PhotoList(phoneLibrary)
        #expect(await devices.shown(of: launched, on: devices.phone, in: "second") == "phone-7")
        #expect(phoneLibrary.searches == 0)
    }

    @Test func opensNoOtherPhotoIfTheCloudIdentifierIsUnknown() async throws {
        let devices = try await TwoDevices()
        // The pad was set up from a copy of the phone, and has another photo under the local identifier.
        try await openAndRegister("p7", of: Library([("p7", "cloud-7")]), on: devices)
        #expect(await devices.shown(of: PhotoList(Library([("p7", "cloud-1")])), on: devices.pad) == nil)
    }

    @Test func opensNoPhotoIfTwoHaveTheCloudIdentifier() async throws {
        let devices = try await TwoDevices()
        try await openAndRegister("p7", of: Library([("p7", "cloud-7")]), on: devices)
        let pad = Library([("q1", "cloud-7"), ("q2", "cloud-7")])
        #expect(await devices.shown(of: PhotoList(pad), on: devices.pad) == nil)
    }

    /// Opens a photo on the phone, and registers it.
    private func openAndRegister(_ photo: String, of library: Library, on devices: TwoDevices) async throws {
        let list = PhotoList(library)
        let window = try await devices.open(photo, of: list, on: devices.phone)
        await list.register(in: window.place, with: devices.phone.placekeeper)
        try await devices.phone.placekeeper.flush()
    }
}

/// A photo library in memory that counts the lookups of cloud identifiers.
@MainActor
private final class Library: PhotoNames {
    private let assets: [(local: String, cloud: String)]
    private(set) var lookUps = 0
    /// The lookups of a photo by its cloud identifier.
    private(set) var searches = 0

    init(_ assets: [(String, String)]) { self.assets = assets.map { (local: $0.0, cloud: $0.1) } }

    /// The same 1,000 photos on a phone and, in another order, on a pad.
    static func ofTwoDevices() -> (phone: Library, pad: Library) {
        let names = (0..<1000).map { "cloud-\($0)" }
        return (
            Library(names.enumerated().map { ("phone-\($0)", $1) }),
            Library(names.reversed().enumerated().map { ("pad-\($0)", $1) })
        )
    }

    func identifier(at index: Int) -> String? { assets.indices.contains(index) ? assets[index].local : nil }
    func index(of identifier: String) -> Int? { assets.firstIndex { $0.local == identifier } }
    func cloudName(of identifier: String) -> String? {
        lookUps += 1
        return assets.first { $0.local == identifier }?.cloud
    }
    func identifiers(withCloudName name: String) -> [String] {
        lookUps += 1
        searches += 1
        return assets.filter { $0.cloud == name }.map(\.local)
    }
}
