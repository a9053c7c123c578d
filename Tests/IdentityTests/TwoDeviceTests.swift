import KeyedArchive
import SampleApps
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

    /// Of the row at the top and the open one, and of more and more around them.
    private static let gone = [[10, 12], [10, 11, 12, 13], Array(2...18)]

    @Test(arguments: Sample.allCases, ItemNames.allCases)
    func standsAtTheNearestNeighbourOfWhatIsGone(_ sample: Sample, _ names: ItemNames) async throws {
        for (layout, other) in Self.layouts {
            for (gone, nearest) in zip(Self.gone, [11, 9, 19]) {
                for (told, isLate) in layout == other ? Self.circumstances : [(.all, false)] {
                    let pair = try await Pair(sample, names, layout, other)
                    let title = pair.target.device.items.items[nearest].title
                    try await pair.tell(pair.source, told)
                    try await pair.tell(pair.target, told)
                    try await pair.remove(gone)
                    let seen = try await pair.move(isLate: isLate)
                    let list = try #require(pair.list(of: seen))
                    let top = try #require(list.list.listAnchor)
                    let comment: Comment = "\(layout) → \(other), gone \(gone), told \(told), late: \(isLate)"
                    // Where the archive's neighbours are gone as well, nothing but positions tells; else the list stays.
                    if told == .all || gone.count < ModelReference.maximumNeighbourCount {
                        #expect(list.items.items[top.indexPath.item].title == title, comment)
                    } else {
                        #expect(list.list.contentOffset == 0, comment)
                    }
                    #expect(top.offset == 0, comment)
                    #expect(list.list.listSelection.isEmpty, comment)
                    // Of what was never told to be gone, the screen waits.
                    if told == .all { #expect(Appearance(seen.shell).screensOfItem.isEmpty, comment) }
                }
            }
        }
    }

    private static let circumstances: [(told: Told, isLate: Bool)] = [
        (.all, false), (.all, true), (.none, true),
    ]

    private static var layouts: [(DeviceLayout, DeviceLayout)] {
        DeviceLayout.allCases.flatMap { layout in DeviceLayout.allCases.map { (layout, $0) } }
    }
}
