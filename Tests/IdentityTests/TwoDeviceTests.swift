import PlacekeeperArchive
import PlacekeeperSampleApps
import PlacekeeperStandIns
import PlacekeeperRuntime
import PlacekeeperTestSupport
import Testing

/// Plays the sample apps on two devices with different item identifiers. The selected item, the open item and the item
/// at the top are the same on both devices.
@MainActor
struct TwoDeviceTests {
    @Test(arguments: pairs(Sample.allCases, ItemNames.allCases).sampled)
    func restoresTheSameItems(_ sample: Sample, _ names: ItemNames) async throws {
        for (layout, other) in Self.layouts {
            // The layout does not depend on the registered items, so two different layouts are tested only with all
            // items registered.
            for told in layout == other ? Told.allCases : [.all] {
                for isLate in [false, true] {
                    let pair = try await Pair(sample, names, layout, other)
                    try await pair.tell(pair.source, told)
                    try await pair.tell(pair.target, told)
                    let seen = try await pair.move(isLate: isLate)
                    #expect(pair.isAsLeft(seen), "\(layout) → \(other), told \(told), late: \(isLate)")
                }
            }
        }
    }

    /// Each case removes the row at the top and the open row. Each later case removes more rows next to them.
    @Test(arguments: pairs(Sample.allCases, ItemNames.allCases).sampled)
    func keepsOtherVisibleRowsInPlaceWhenTheFirstIsGone(_ sample: Sample, _ names: ItemNames) async throws {
        for (gone, left) in [([10, 12], 11), ([10, 11, 12, 13], 14), (Array(2...18), 19)] {
            try await move(sample, names, gone, between: Self.alike) { pair, list, _, comment in
                let title = pair.title(left)
                let seen = list.list.listVisible.first { list.items.items[$0.indexPath.item].title == title }
                // A list cannot scroll above its first row.
                let highest = -Double(left - gone.count { $0 < left }) * list.list.rowHeight
                #expect(seen?.offset == max(highest, Self.hidden - Double(left - 10) * list.list.rowHeight), comment)
            }
        }
    }

    /// Each case removes all visible rows. Each later case also removes more rows above and below the visible rows.
    @Test(arguments: pairs(Sample.allCases, ItemNames.allCases).sampled)
    func scrollsToNearestNeighborOfRemovedRows(_ sample: Sample, _ names: ItemNames) async throws {
        for (gone, nearest) in [(Array(10...21), 9), (Array(9...22), 8), (Array(2...25), 26)] {
            try await move(sample, names, gone, between: Self.alike) { pair, list, told, comment in
                try expect(nearest, pair, list, told, comment)
            }
        }
    }

    /// In another layout, the app restores the place. A place refers only to the first visible row of a list, so if
    /// this row was removed, the list scrolls to its nearest neighbor and not to another row that was visible.
    @Test(arguments: pairs(Sample.allCases, ItemNames.allCases).sampled)
    func scrollsToNearestNeighborInAnotherLayout(_ sample: Sample, _ names: ItemNames) async throws {
        for (gone, nearest) in [([10, 12], 11), ([10, 11, 12, 13], 9), (Array(2...18), 19)] {
            try await move(sample, names, gone, between: Self.others) { pair, list, told, comment in
                try expect(nearest, pair, list, told, comment)
            }
        }
    }

    private func expect(_ nearest: Int, _ pair: Pair, _ list: ListScreen, _ told: Told, _ comment: Comment) throws {
        let top = try #require(list.list.listAnchor)
        // If the neighbors in the archive were removed too, the service finds a neighbor only by registered positions.
        if told == .all || abs(nearest - 10) <= ModelReference.maximumNeighborCount {
            #expect(list.items.items[top.indexPath.item].title == pair.title(nearest), comment)
        } else {
            #expect(list.list.contentOffset == 0, comment)
        }
        #expect(top.offset == 0, comment)
    }

    /// Restores the app on another device, from which the rows `gone` were removed, and checks the list of the items.
    private func move(
        _ sample: Sample, _ names: ItemNames, _ gone: [Int], between layouts: [(DeviceLayout, DeviceLayout)],
        check: (Pair, ListScreen, Told, Comment) throws -> Void
    ) async throws {
        for (layout, other) in layouts {
            for (told, isLate) in layout == other ? Self.circumstances : [(.all, false)] {
                let pair = try await Pair(sample, names, layout, other)
                try await pair.tell(pair.source, told)
                try await pair.tell(pair.target, told)
                try await pair.remove(gone)
                let seen = try await pair.move(isLate: isLate)
                let list = try #require(pair.list(of: seen))
                let comment: Comment = "\(layout) → \(other), gone \(gone), told \(told), late: \(isLate)"
                try check(pair, list, told, comment)
                #expect(list.list.listSelection.isEmpty, comment)
                // If an item was never registered, the service does not know that the item was removed, so the item's
                // screen stays open and waits for the item.
                if told == .all { #expect(Appearance(seen.shell).screensOfItem.isEmpty, comment) }
            }
        }
    }

    /// The height of the hidden part of row 10, the row at the top.
    private static let hidden = 12.0

    private static let circumstances: [(told: Told, isLate: Bool)] = [
        (.all, false), (.all, true), (.none, true),
    ]

    private static var alike: [(DeviceLayout, DeviceLayout)] { layouts.filter { $0 == $1 } }
    private static var others: [(DeviceLayout, DeviceLayout)] { layouts.filter { $0 != $1 } }

    private static var layouts: [(DeviceLayout, DeviceLayout)] {
        DeviceLayout.allCases.flatMap { layout in DeviceLayout.allCases.map { (layout, $0) } }
    }
}
