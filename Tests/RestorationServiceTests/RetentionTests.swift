import RestorationService
import Testing

struct RetentionTests {
    /// Archives as idiom and device, older with each; `!` marks one that cannot be served, `+` one with a place, `*` one
    /// that some device was served last. Devices with a small letter were revoked.
    struct Row: Sendable, CustomStringConvertible {
        var description: String
        var scene: [String]
        var limit: Int
        var dropped: Set<UInt64>
    }

    static let rows = [
        Row(description: "nothing", scene: [], limit: 1, dropped: []),
        Row(description: "the newest of one device", scene: ["pA", "pA", "pA"], limit: 2, dropped: [2]),
        Row(
            description: "idioms do not crowd each other out", scene: ["pA", "pA", "dB", "dB"], limit: 1,
            dropped: [1, 3]),
        Row(description: "each device's head", scene: ["pA", "pA", "pB", "pC", "pB"], limit: 1, dropped: [1, 4]),
        Row(
            description: "below a bad head, the next good one", scene: ["pA", "pA!", "pB!", "pB!", "pB", "pB"],
            limit: 1, dropped: [1, 3, 5]),
        Row(description: "of bad ones only the head", scene: ["pA", "pB!", "pB!"], limit: 1, dropped: [2]),
        Row(
            description: "a device of two idioms has one head", scene: ["pA", "pB", "pC", "dC", "dC"], limit: 1,
            dropped: [4]),
        Row(
            description: "each device's newest good one with a place",
            scene: ["pA", "pA", "pA+!", "pA+", "pA+", "pB", "pB+"],
            limit: 1, dropped: [1, 2, 4]),
        Row(
            description: "nothing more of a revoked device", scene: ["pA", "pb", "pb", "pC", "pb+"], limit: 2,
            dropped: [2, 4]),
        Row(
            description: "what was served last of a revoked device's archives", scene: ["pA", "pb", "pb*"], limit: 1,
            dropped: [1]),
        Row(description: "what was served last", scene: ["pA", "pA", "pA*", "pA"], limit: 1, dropped: [1, 3]),
    ]

    @Test(arguments: rows) func drops(_ row: Row) {
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
