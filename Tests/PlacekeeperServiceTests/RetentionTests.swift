import PlacekeeperService
import Testing

struct RetentionTests {
    struct Row: Sendable, CustomStringConvertible {
        var description: String
        /// The scene's archives, from the newest to the oldest. Each string begins with the idiom and a letter for the
        /// device. `!` marks an archive that cannot be served, `+` marks an archive with a place, and `*` marks the
        /// archive that a device was served last. Devices with a lowercase letter are revoked.
        var scene: [String]
        var limit: Int
        var dropped: Set<UInt64>
    }

    static let rows = [
        Row(description: "an empty scene", scene: [], limit: 1, dropped: []),
        Row(
            description: "the newest archives of one device are kept", scene: ["pA", "pA", "pA"], limit: 2,
            dropped: [2]),
        Row(
            description: "each idiom has a limit of its own", scene: ["pA", "pA", "dB", "dB"], limit: 1,
            dropped: [1, 3]),
        Row(
            description: "each device's head is kept", scene: ["pA", "pA", "pB", "pC", "pB"], limit: 1,
            dropped: [1, 4]),
        Row(
            description: "below an unservable head, the next servable archive is kept",
            scene: ["pA", "pA!", "pB!", "pB!", "pB", "pB"], limit: 1, dropped: [1, 3, 5]),
        Row(
            description: "of unservable archives only the head is kept", scene: ["pA", "pB!", "pB!"], limit: 1,
            dropped: [2]),
        Row(
            description: "a device of two idioms has one head", scene: ["pA", "pB", "pC", "dC", "dC"], limit: 1,
            dropped: [4]),
        Row(
            description: "each device's newest servable archive with a place is kept",
            scene: ["pA", "pA", "pA+!", "pA+", "pA+", "pB", "pB+"],
            limit: 1, dropped: [1, 2, 4]),
        Row(
            description: "a revoked device needs no archive", scene: ["pA", "pb", "pb", "pC", "pb+"], limit: 2,
            dropped: [2, 4]),
        Row(
            description: "a revoked device's archive that was served last is kept", scene: ["pA", "pb", "pb*"],
            limit: 1, dropped: [1]),
        Row(
            description: "the archive that was served last is kept", scene: ["pA", "pA", "pA*", "pA"], limit: 1,
            dropped: [1, 3]),
    ]

    @Test(arguments: rows) func dropsSurplusArchives(_ row: Row) {
        let entries = row.scene.enumerated().map { index, text in
            let device = DeviceID(high: 0, low: UInt64(text.utf8.dropFirst().first ?? 0))
            var archive = Fixture.archive(UInt64(index), idiom: text.hasPrefix("p") ? .phone : .pad, device: device)
            archive.capturedAt = Timestamp(milliseconds: Int64(1000 - index))
            if text.contains("+") { archive.summary.place = ["Albums"] }
            return Retention.Entry(archive, isServable: !text.hasSuffix("!"))
        }
        for order in [entries, entries.reversed()] {
            let surplus = Retention.surplus(of: order, keeping: row.limit) { device in
                device.low < 0x61
            } mustStay: { entry in
                row.scene[Int(entry.id.low)].hasSuffix("*")
            }
            #expect(Set(surplus.map(\.low)) == row.dropped)
        }
    }
}
