import KeyedArchive
import SampleApps
import RestorationInterface
import StateRestoration
import Testing

/// The sample apps on two devices that call their items otherwise: what was selected, open and at the top on one is that
/// on the other.
@MainActor
struct TwoDeviceTests {
    @Test(arguments: Sample.allCases, ItemNames.allCases)
    func landsOnTheSameItems(_ sample: Sample, _ names: ItemNames) async throws {
        for (layout, other) in Self.layouts {
            // What is told makes no difference to how screens are laid out.
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

    /// The row at the top, more and more of those below it, and the open one with them.
    @Test(arguments: Sample.allCases, ItemNames.allCases)
    func keepsTheOtherVisibleRowsInPlaceWhenTheFirstIsGone(_ sample: Sample, _ names: ItemNames) async throws {
        for (gone, left) in [([10, 12], 11), ([10, 11, 12, 13], 14), (Array(2...18), 19)] {
            try await move(sample, names, gone, between: Self.alike) { pair, list, _, comment in
                let title = pair.title(left)
                let seen = list.list.listVisible.first { list.items.items[$0.indexPath.item].title == title }
                // A list cannot stand lower than its first row.
                let highest = -Double(left - gone.count { $0 < left }) * list.list.rowHeight
                #expect(seen?.offset == max(highest, Self.hidden - Double(left - 10) * list.list.rowHeight), comment)
            }
        }
    }

    /// All rows that were visible, and more and more around them.
    @Test(arguments: Sample.allCases, ItemNames.allCases)
    func standsAtTheNearestNeighbourOfWhatIsGone(_ sample: Sample, _ names: ItemNames) async throws {
        for (gone, nearest) in [(Array(10...21), 9), (Array(9...22), 8), (Array(2...25), 26)] {
            try await move(sample, names, gone, between: Self.alike) { pair, list, told, comment in
                try expect(nearest, pair, list, told, comment)
            }
        }
    }

    /// A place names the first visible row alone.
    @Test(arguments: Sample.allCases, ItemNames.allCases)
    func standsAtTheNearestNeighbourInAnotherLayout(_ sample: Sample, _ names: ItemNames) async throws {
        for (gone, nearest) in [([10, 12], 11), ([10, 11, 12, 13], 9), (Array(2...18), 19)] {
            try await move(sample, names, gone, between: Self.others) { pair, list, told, comment in
                try expect(nearest, pair, list, told, comment)
            }
        }
    }

    private func expect(_ nearest: Int, _ pair: Pair, _ list: ListScreen, _ told: Told, _ comment: Comment) throws {
        let top = try #require(list.list.listAnchor)
        // Where the archive's neighbours are gone as well, nothing but positions tells; else the list stays.
        if told == .all || abs(nearest - 10) <= ModelReference.maximumNeighbourCount {
            #expect(list.items.items[top.indexPath.item].title == pair.title(nearest), comment)
        } else {
            #expect(list.list.contentOffset == 0, comment)
        }
        #expect(top.offset == 0, comment)
    }

    /// Moves to another device, whose rows `gone` are no longer there, and checks its list.
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
                // Of what was never told to be gone, the screen waits.
                if told == .all { #expect(Appearance(seen.shell).screensOfItem.isEmpty, comment) }
            }
        }
    }

    /// How much of row 10, the one at the top, was hidden.
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
