import PlacekeeperKit
import PlacekeeperTesting
import Testing

@MainActor
struct PhotoAssetsTests {
    @Test func opensTheSamePhotoAndLooksUpNoOther() async throws {
        let devices = try await TwoDevices()
        let (phone, pad) = Library.ofTwoDevices()
        try await open("phone-7", of: phone, on: devices)
        #expect(phone.lookUps == 1)

        #expect(await devices.shown(of: Photos(library: pad), on: devices.pad) == "pad-992")
        #expect(pad.names == ["cloud-7"])
        #expect(pad.lookUps <= 6)
    }

    @Test func opensThePhotoOfThisDeviceAfterOneSearchAtMost() async throws {
        let devices = try await TwoDevices()
        let (phone, _) = Library.ofTwoDevices()
        try await open("phone-7", of: phone, on: devices)
        devices.phone.kill()
        #expect(await devices.shown(of: Photos(library: phone), on: devices.phone) == "phone-7")
        #expect(phone.searches <= 1)
    }

    @Test func opensNoOtherPhotoIfTheCloudIdentifierIsUnknown() async throws {
        let devices = try await TwoDevices()
        // The pad was set up from a copy of the phone, and has another photo under the local identifier.
        try await open("p7", of: Library([("p7", "cloud-7")]), on: devices)
        let pad = Library([("p7", "cloud-1")])
        #expect(await devices.shown(of: Photos(library: pad), on: devices.pad) == nil)
    }

    @Test func opensNoPhotoIfTwoHaveTheCloudIdentifier() async throws {
        let devices = try await TwoDevices()
        try await open("p7", of: Library([("p7", "cloud-7")]), on: devices)
        let pad = Library([("q1", "cloud-7"), ("q2", "cloud-7")])
        #expect(await devices.shown(of: Photos(library: pad), on: devices.pad) == nil)
    }

    private func open(_ identifier: String, of library: Library, on devices: TwoDevices) async throws {
        let photo = try #require(library.photo(identifier))
        try await devices.open(photo, of: Photos(library: library), on: devices.phone)
    }
}

/// A photo library in memory that counts the lookups of cloud identifiers.
@MainActor
private final class Library: PhotoLibrary {
    private let assets: [(local: String, cloud: String)]
    private(set) var lookUps = 0
    /// The lookups of a photo by its cloud identifier.
    private(set) var searches = 0
    /// The cloud identifiers that were looked up.
    private(set) var names: Set<String> = []

    init(_ assets: [(String, String)]) { self.assets = assets.map { (local: $0.0, cloud: $0.1) } }

    /// The same 1,000 photos on a phone and, in another order, on a pad.
    static func ofTwoDevices() -> (phone: Library, pad: Library) {
        let names = (0..<1000).map { "cloud-\($0)" }
        return (
            Library(names.enumerated().map { ("phone-\($0)", $1) }),
            Library(names.reversed().enumerated().map { ("pad-\($0)", $1) })
        )
    }

    func photo(_ identifier: String) -> Photo? {
        guard let asset = assets.first(where: { $0.local == identifier }) else { return nil }
        lookUps += 1
        names.insert(asset.cloud)
        return Photo(placeID: identifier, cloudName: asset.cloud)
    }

    func identifiers(withCloudName name: String) -> [String] {
        lookUps += 1
        searches += 1
        names.insert(name)
        return assets.filter { $0.cloud == name }.map(\.local)
    }
}
