import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperRuntime
import PlacekeeperSampleApps
import PlacekeeperService
import PlacekeeperStandIns
import Testing

/// Tests moves between two devices that `TwoDeviceTests` does not test.
@MainActor
struct JourneyTests {
    @Test(arguments: Sample.allCases, ItemNames.allCases)
    func restoresTheSameStateThereAndBack(_ sample: Sample, _ names: ItemNames) async throws {
        let pair = try await Pair(sample, names, .tabs, .tabs)
        try await pair.tell(pair.target, .all)
        try await pair.bring()
        try pair.target.device.launch().life.saveState()
        #expect(try await pair.moveBack() == pair.left)
    }

    /// On the other device, the app saves its state and ends before its items have arrived. The first device still
    /// finds the items of this archive.
    @Test(arguments: Sample.allCases, DeviceLayout.allCases)
    func keepsPendingItemsOnTheWayBack(_ sample: Sample, _ layout: DeviceLayout) async throws {
        let pair = try await Pair(sample, .coreData, layout, layout)
        try await pair.bring()
        pair.target.device.items.items = []
        try pair.target.device.launch().life.saveState()
        #expect(try await pair.moveBack() == pair.left)
    }

    /// A device's own archive already has this device's identifiers, so the service resolves nothing.
    @Test(arguments: Sample.allCases)
    func servesADeviceItsOwnArchiveByteForByte(_ sample: Sample) async throws {
        let pair = try await Pair(sample, .coreData, .tabs, .tabs)
        try await pair.tell(pair.source, .all)
        let bytes = try #require(pair.source.device.storage.archive)
        #expect(try await pair.cloud.serve(bytes, from: pair.source.member, to: pair.source.member) == bytes)
    }

    /// The service resolves references without aliases by the items that the devices registered.
    @Test(arguments: Sample.allCases, DeviceLayout.allCases)
    func resolvesReferencesWithoutAliasesByRegisteredItems(_ sample: Sample, _ layout: DeviceLayout) async throws {
        let pair = try await Pair(sample, .rowKeys, layout, layout)
        try await pair.tell(pair.source, .all)
        try await pair.tell(pair.target, .all)
        var archive = try StateArchive(reading: try #require(pair.source.device.storage.archive))
        for index in archive.references.indices {
            archive.references[index].element.aliases = []
            archive.references[index].before = []
            archive.references[index].after = []
        }
        try pair.source.device.storage.writeArchive(try archive.encoded())
        #expect(Appearance(try await pair.move().shell) == pair.left)
    }

    /// In a keyed data source, the service does not resolve another device's identifiers, even if these identifiers
    /// mean other items on the requesting device. The app finds the items.
    @Test(arguments: Sample.allCases, DeviceLayout.allCases)
    func leavesKeyedItemsToTheApp(_ sample: Sample, _ layout: DeviceLayout) async throws {
        let pair = try await Pair(sample, .rowKeys, layout, layout, scope: .keyed)
        let bytes = try #require(pair.source.device.storage.archive)
        #expect(try await pair.cloud.serve(bytes, from: pair.source.member, to: pair.target.member) == bytes)
        try pair.target.device.storage.writeArchive(bytes)
        #expect(pair.target.device.launched() == pair.left)
    }

    @Test(arguments: ItemNames.allCases)
    func doesNotResolveTextThatEqualsAnIdentifier(_ names: ItemNames) async throws {
        let pair = try await Pair(.nameEditor, names, .tabs, .tabs)
        try await pair.tell(pair.source, .all)
        try await pair.tell(pair.target, .all)
        let device = pair.source.device
        let (app, life, _) = device.launch()
        let text = device.items.items[PlayedDevice.openRow].id
        try #require(app.shell.visible.last as? EditorScreen).lastName.text = text
        try life.saveState()
        let editor = try #require(try await pair.move().shell.visible.last as? EditorScreen)
        #expect(editor.title == "Person 13")
        #expect(Array(editor.lastName.text.utf8) == Array(text.utf8))
    }

    @Test(arguments: [false, true])
    func selectsNeighborOnlyIfTheDataSourceAsksForIt(_ isWanted: Bool) async throws {
        let pair = try await Pair(.textAndNumbers, .uuids, .tabs, .tabs, selectsNeighbors: isWanted)
        try await pair.tell(pair.source, .all)
        try await pair.tell(pair.target, .all)
        try await pair.remove([PlayedDevice.openRow])
        let list = try #require(pair.list(of: try await pair.move()))
        let selected = list.list.listSelection.map { list.items.items[$0.item].title }
        #expect(selected == (isWanted ? ["Number 14"] : []))
    }

    /// A redirect replaces an item by another item with a new identifier and new aliases.
    @Test(arguments: Sample.allCases)
    func opensTheItemOfARedirect(_ sample: Sample) async throws {
        let pair = try await Pair(sample, .coreData, .tabs, .tabs)
        try await pair.tell(pair.source, .all)
        let device = pair.source.device
        try await pair.cloud.upload(try #require(device.storage.archive), from: pair.source.member)
        let old = device.items.items[PlayedDevice.openRow]
        let new = Catalog.Item(id: "new", serverID: "new", title: old.title)
        device.items.items[PlayedDevice.openRow] = new
        try await pair.cloud.register(
            [.init("new", aliases: ["new"], position: 0)],
            redirecting: [.init(from: old.id, to: "new")], of: pair.source.member)
        try device.storage.writeArchive(try #require(try await pair.cloud.latest(for: pair.source.member)))
        #expect(device.launched() == pair.left)
    }

    /// The service resolves pending references once the device has registered the items.
    @Test func resolvesPendingReferencesAfterRegistration() async throws {
        let pair = try await Pair(.profiles, .coreData, .tabs, .tabs)
        try await pair.cloud.upload(try #require(pair.source.device.storage.archive), from: pair.source.member)
        func steps() async throws -> Set<ModelReference.Step?> {
            let bytes = try #require(try await pair.cloud.latest(for: pair.target.member))
            return Set(try StateArchive(reading: bytes).references.map(\.resolution?.step))
        }
        let before = try await steps()
        try await pair.tell(pair.target, .all)
        let after = try await steps()
        #expect(before == [.pending])
        #expect(after == [.alias])
    }
}

extension Pair {
    /// Serves the other device's archive to the first device, launches the app on the first device, and returns the
    /// app's screens.
    fileprivate func moveBack() async throws -> Appearance {
        let bytes = try #require(target.device.storage.archive)
        try await tell(source, .all)
        let served = try #require(try await cloud.serve(bytes, from: target.member, to: source.member))
        try source.device.storage.writeArchive(served)
        return source.device.launched()
    }
}
