import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperRuntime
import PlacekeeperService

/// An archive of a device, with the things that it is about.
struct Capture: Sendable {
    /// A reference that is scored.
    struct Subject: Sendable {
        /// The index of the reference in the archive.
        var reference: Int
        var thing: Int
        var isFirstVisible: Bool
    }

    var device: Int
    var writtenAt: Timestamp
    var scene: String
    var references: [ModelReference]
    var subjects: [Subject]
    /// The device's list at the time of the archive.
    var shelf: Shelf

    /// The rows that an archive refers to: the visible rows, the selected rows, and the row of an open detail.
    static func rows(of shelf: Shelf, _ chance: inout Chance) -> [(place: Int, role: ModelReference.Role)] {
        let count = shelf.rows.count
        let top = chance.below(count)
        var rows: [(place: Int, role: ModelReference.Role)] = [(top, .firstVisible)]
        let visible = min(count - top, chance.within(6...12))
        rows += (top..<top + visible).dropFirst().map { ($0, .other) }
        let selectionCount = min(
            count, chance.pick([1, chance.within(2...5), chance.within(6...20)], shares: Shares.selections))
        if chance.happens(Shares.runs) {
            let first = min(top + chance.below(max(visible, 1)), count - selectionCount)
            rows += (first..<first + selectionCount).map { ($0, .selected) }
        } else {
            rows += (0..<count).shuffled(using: &chance).prefix(selectionCount).sorted().map { ($0, .selected) }
        }
        rows.append((chance.below(count), .selected))
        return rows
    }
}
