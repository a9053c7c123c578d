import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperStandIns
import PlacekeeperSampleApps
import PlacekeeperRuntime
import PlacekeeperTestSupport
import Testing

/// A person uses the sample apps on a phone and on a pad, each with a client of the service.
@MainActor
@Suite(.timeLimit(.minutes(20)))
struct PhoneAndPadTests {
    @Test(arguments: pairs(Sample.allCases, ItemNames.allCases).sampled)
    func restoresTheSameItemsThereAndOffersThemBack(_ sample: Sample, _ names: ItemNames) async throws {
        for route in Route.all {
            for isLate in [false, true] { try await route.travel(.memory, sample, names, isLate: isLate) }
        }
    }

    @Test(arguments: Sample.allCases, ItemNames.allCases)
    func restoresTheSameItemsOverASocket(_ sample: Sample, _ names: ItemNames) async throws {
        for (route, isLate) in zip(Route.betweenPhoneAndPad, [false, true]) {
            try await route.travel(.sockets, sample, names, isLate: isLate)
        }
    }

    /// The service has the items of both devices, so it finds all items itself, and serves the pad's own identifiers.
    @Test(arguments: Sample.allCases, ItemNames.allCases)
    func servesTheIdentifiersOfTheRegisteredItems(_ sample: Sample, _ names: ItemNames) async throws {
        try await ServiceInUse.run(.memory) { service in
            let phone = try await Self.usedPhone(sample, names, service)
            let pad = ClientDevice(sample, .split, names, .there, service)
            await pad.registerItems()
            try await pad.link(to: phone)
            try await pad.placekeeper.flush()
            let served = try #require(await pad.launch().restore)
            let references = served.archive.references.filter { $0.dataSource == "items" }
            #expect(!references.isEmpty)
            #expect(references.allSatisfy { $0.resolution?.step == .alias })
            let known = Set(pad.items.items.map { Array($0.id.utf8) })
            #expect(references.allSatisfy { known.contains(Array(($0.element.identifier ?? "").utf8)) })
        }
    }

    @Test(arguments: Sample.allCases)
    func showsASnapshotOnlyOfItsOwnState(_ sample: Sample) async throws {
        try await ServiceInUse.run(.memory) { service in
            let phone = try await Self.usedPhone(sample, .uuids, service)
            phone.endProcess()
            await phone.launch()
            #expect(phone.launchImage == .snapshot)
            let other = ClientDevice(sample, .tabs, .uuids, .there, service)
            try await other.link(to: phone)
            await other.registerItems()
            try await other.placekeeper.flush()
            #expect(await other.launch().restore != nil)
            #expect(other.launchImage == .standard)
        }
    }

    /// The open item and the item at the top were removed on the pad before the launch.
    @Test(arguments: Sample.allCases, ItemNames.allCases)
    func opensNoOtherItemInPlaceOfARemovedOne(_ sample: Sample, _ names: ItemNames) async throws {
        for network in ServiceInUse.Network.allCases {
            try await ServiceInUse.run(network) { service in
                let phone = try await Self.usedPhone(sample, names, service)
                let pad = ClientDevice(sample, .split, names, .there, service)
                try await pad.link(to: phone)
                await pad.registerItems()
                try await pad.placekeeper.flush()
                let top = pad.items.items[11].title
                for row in [12, 10] { pad.items.items.remove(at: row) }
                await pad.registerItems()
                try await pad.placekeeper.flush()
                await pad.launch()
                #expect(pad.seen == Seen(top: top, selected: [], screens: []), "\(network)")
            }
        }
    }

    /// The rows at the top, their neighbors in the archive and the open item have not arrived on the other device.
    @Test(arguments: Sample.allCases, DeviceLayout.allCases)
    func standsAtANeighborUntilTheItemArrives(_ sample: Sample, _ layout: DeviceLayout) async throws {
        for network in layout == .tabs ? ServiceInUse.Network.allCases : [.memory] {
            try await ServiceInUse.run(network) { service in
                let (other, all) = try await Self.deviceWithoutTheRows(2...21, sample, layout, service)
                await other.launch()
                #expect(other.seen.top == all[1].title && other.seen.selected.isEmpty, "\(network)")
                await other.load(all)
                #expect(other.seen.top == PlayedDevice.topTitle(sample), "\(network)")
                #expect(other.seen.selected == [all[PlayedDevice.openRow].title], "\(network)")
            }
        }
    }

    @Test(arguments: Sample.allCases, DeviceLayout.allCases)
    func staysWhereThePersonScrolledWhenTheItemArrives(_ sample: Sample, _ layout: DeviceLayout) async throws {
        try await ServiceInUse.run(.memory) { service in
            let (other, all) = try await Self.deviceWithoutTheRows(2...21, sample, layout, service)
            await other.launch()
            #expect(other.seen.top == all[1].title)
            let list = try #require(other.list)
            list.scroll(to: 3 * list.rowHeight)
            #expect(other.seen.top == all[23].title)
            await other.load(all)
            #expect(other.seen.top == all[23].title && other.seen.selected.isEmpty)
        }
    }

    /// The app ends at the neighbor, and the items are registered before the next launch.
    @Test(arguments: Sample.allCases)
    func comesToTheItemAtTheLaunchAfterItsRegistration(_ sample: Sample) async throws {
        try await ServiceInUse.run(.memory) { service in
            let (other, all) = try await Self.deviceWithoutTheRows(2...21, sample, .tabs, service)
            await other.launch()
            try await other.leave()
            other.endProcess()
            await other.launch()
            #expect(other.seen.top == all[1].title)
            try await other.leave()
            other.endProcess()
            other.items.items = all
            await other.registerItems()
            try await other.placekeeper.flush()
            await other.launch()
            #expect(other.seen.top == PlayedDevice.topTitle(sample))
        }
    }

    /// Returns another device of the person who used a phone. The device has registered all items but those of some rows.
    private static func deviceWithoutTheRows(
        _ rows: ClosedRange<Int>, _ sample: Sample, _ layout: DeviceLayout, _ service: ServiceInUse
    ) async throws -> (device: ClientDevice, all: [Catalog.Item]) {
        let phone = try await usedPhone(sample, .rowKeys, service)
        let other = ClientDevice(sample, layout, .rowKeys, .there, service)
        let all = other.items.items
        other.items.items.removeSubrange(rows)
        try await other.link(to: phone)
        await other.registerItems()
        try await other.placekeeper.flush()
        return (other, all)
    }

    /// The process on the phone ends while the person uses the pad. The next launch restores the phone's own state, and
    /// offers the pad's place.
    @Test(arguments: Sample.allCases, ServiceInUse.Network.allCases)
    func offersThePlaceOfThePadAtTheNextLaunch(_ sample: Sample, _ network: ServiceInUse.Network) async throws {
        try await ServiceInUse.run(network) { service in
            let phone = try await Self.usedPhone(sample, .rowKeys, service)
            let left = phone.appearance
            let pad = ClientDevice(sample, .split, .rowKeys, .there, service)
            try await pad.link(to: phone)
            await pad.registerItems()
            await pad.launch()
            service.wait(60)
            pad.goOn(opening: 20)
            try await pad.leave()
            phone.endProcess()
            await phone.registerItems()
            let launch = await phone.launch()
            #expect(phone.appearance == left)
            let offer = try #require(launch.offer)
            #expect(!offer.place.device.isThisDevice && offer.place.isLatest)
            try await phone.take(offer)
            #expect(phone.seen == pad.seen)
        }
    }

    /// The person looks at the restored state, and the system ends the process before the app saves.
    @Test(arguments: Sample.allCases, DeviceLayout.allCases)
    func restoresAStateAgainThatWasRestoredBefore(_ sample: Sample, _ layout: DeviceLayout) async throws {
        try await ServiceInUse.run(.memory) { service in
            let phone = try await Self.usedPhone(sample, .coreData, service)
            let pad = ClientDevice(sample, layout, .coreData, .there, service)
            try await pad.link(to: phone)
            await pad.registerItems()
            for _ in 1...2 {
                await pad.launch()
                #expect(pad.seen == phone.seen)
                // The client keeps the outcome of the restore.
                try await pad.placekeeper.flush()
                pad.endProcess()
            }
        }
    }

    @Test(arguments: Sample.allCases, DeviceLayout.allCases)
    func restoresNoStateAgainWithWhichThePersonEndedTheApp(_ sample: Sample, _ layout: DeviceLayout) async throws {
        try await ServiceInUse.run(.memory) { service in
            let phone = try await Self.usedPhone(sample, .coreData, service)
            let pad = ClientDevice(sample, layout, .coreData, .there, service)
            try await pad.link(to: phone)
            await pad.registerItems()
            await pad.launch()
            try await pad.forceQuit()
            #expect(await pad.launch().isFresh)
            #expect(pad.seen.selected.isEmpty)
        }
    }

    /// The process ends before the app completes the restoration that it extended, so the state possibly crashed the app.
    @Test(arguments: Sample.allCases)
    func restoresNoStateAgainWhoseRestorationDidNotComplete(_ sample: Sample) async throws {
        try await ServiceInUse.run(.memory) { service in
            let phone = try await Self.usedPhone(sample, .coreData, service)
            let other = ClientDevice(sample, .tabs, .coreData, .there, service)
            try await other.link(to: phone)
            await other.registerItems()
            #expect(await !other.launch(isExtended: true).isFresh)
            other.endProcess()
            #expect(await other.launch().isFresh)
        }
    }

    /// A person who only looks at another device, and leaves, does not displace the phone's place.
    @Test(arguments: Sample.allCases, [DeviceLayout.tabs, .split])
    func doesNotOfferAGlance(_ sample: Sample, _ layout: DeviceLayout) async throws {
        try await ServiceInUse.run(.memory) { service in
            let phone = try await Self.usedPhone(sample, .uuids, service)
            let pad = ClientDevice(sample, layout, .uuids, .there, service)
            try await pad.link(to: phone)
            await pad.registerItems()
            await pad.launch()
            service.wait(60)
            try await pad.leave()
            phone.endProcess()
            #expect(await phone.launch().offer == nil)
        }
    }

    private static func usedPhone(
        _ sample: Sample, _ names: ItemNames, _ service: ServiceInUse
    ) async throws -> ClientDevice {
        let phone = ClientDevice(sample, .tabs, names, .here, service)
        await phone.registerItems()
        await phone.launch()
        phone.use(opening: PlayedDevice.openRow)
        try await phone.leave()
        return phone
    }
}

/// The layouts of two devices.
private struct Route {
    let here: DeviceLayout
    let there: DeviceLayout

    static let betweenPhoneAndPad = [Route(here: .tabs, there: .split), Route(here: .split, there: .tabs)]
    static let all =
        betweenPhoneAndPad + [Route(here: .tabs, there: .collapsed)]
        + [Route(here: .tabs, there: .tabs), Route(here: .split, there: .split)]

    /// A person uses an app on the first device, goes on with the second device, and comes back.
    /// - Parameter isLate: Whether the items of the second device arrive after the launch.
    @MainActor
    func travel(
        _ network: ServiceInUse.Network, _ sample: Sample, _ names: ItemNames, isLate: Bool
    ) async throws {
        let comment: Comment = "\(here) → \(there), \(network), late: \(isLate)"
        try await ServiceInUse.run(network) { service in
            let first = ClientDevice(sample, here, names, .here, service)
            let second = ClientDevice(sample, there, names, .there, service)
            await first.registerItems()
            await first.launch()
            first.use(opening: PlayedDevice.openRow)
            try await first.leave()

            try await second.link(to: first)
            if isLate {
                let items = second.unloadItems()
                await second.launch()
                #expect(second.seen.selected.isEmpty && second.seen.top == nil, comment)
                await second.load(items)
            } else {
                await second.registerItems()
                try await second.placekeeper.flush()
                await second.launch()
            }
            #expect(second.seen.top == PlayedDevice.topTitle(sample), comment)
            #expect(second.seen == first.seen, comment)
            if here == there { #expect(second.appearance == first.appearance, comment) }

            service.wait(60)
            second.goOn(opening: 20)
            try await second.leave()
            #expect(second.seen != first.seen, comment)
            let offer = try #require(await first.offer(), comment)
            try await first.take(offer)
            #expect(first.seen == second.seen, comment)
            if here == there { #expect(first.appearance == second.appearance, comment) }
        }
    }
}

extension ClientDevice {
    /// Joins the user of another device with a code.
    func link(to other: ClientDevice) async throws {
        try await placekeeper.link(try await other.placekeeper.linkCode().code)
    }
}
