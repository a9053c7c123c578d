@testable import PlacekeeperCore
import Testing

@testable import PlacekeeperService

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
            description: "a revoked device needs no archive", scene: ["pA", "pb", "pb", "pC", "pb+"], limit: 1,
            dropped: [1, 2, 4]),
        Row(
            description: "a revoked device's archive that was served last is kept", scene: ["pA", "pb", "pb*"],
            limit: 1, dropped: [1]),
        Row(
            description: "the archive that was served last is kept", scene: ["pA", "pA", "pA*", "pA"], limit: 1,
            dropped: [1, 3]),
    ]

    @Test(arguments: rows) func dropsSurplusArchives(_ row: Row) {
        var servedLast: [DeviceID: ArchiveID] = [:]
        let entries = row.scene.enumerated().map { index, text in
            let device = DeviceID(high: 0, low: UInt64(text.utf8.dropFirst().first ?? 0))
            var archive = Fixture.archive(UInt64(index), idiom: text.hasPrefix("p") ? .phone : .pad, device: device)
            archive.capturedAt = Timestamp(milliseconds: Int64(1000 - index))
            if text.contains("+") { archive.summary.place = ["Albums"] }
            if text.hasSuffix("*") { servedLast[DeviceID(high: 1, low: UInt64(index))] = archive.id }
            var entry = History.Entry(archive)
            entry.isServable = !text.hasSuffix("!")
            return entry
        }
        var inserted = History()
        for (device, id) in servedLast { inserted.serve(id, to: device) }
        // The archives are inserted in an order that is neither theirs nor its opposite.
        for parity in [1, 0] {
            for (index, entry) in entries.enumerated() where index % 2 == parity { inserted.insert(entry) }
        }
        for history in [History(entries.reversed(), servedLast: servedLast), inserted] {
            let prunable = history.prunable(keeping: row.limit) { $0.low < 0x61 }
            #expect(Set(prunable.map(\.id.low)) == row.dropped)
        }
    }

    /// Stores captures at the given times, in seconds, one after another, as uploads do. Returns the times that are kept, the
    /// newest first.
    private func kept(_ times: [Int], keeping limit: Int = 20) -> [Int] {
        var history = History()
        for (index, time) in times.enumerated() {
            var archive = Fixture.archive(UInt64(index), device: DeviceID(high: 0, low: 1))
            (archive.capturedAt, archive.revision) = (
                Timestamp(milliseconds: 1_000_000_000 + Int64(time) * 1000), Revision(rawValue: Int64(index + 1))
            )
            archive.orderRevision = archive.revision
            history.insert(History.Entry(archive))
            for entry in history.prunable(keeping: limit, besides: archive.id, isRegistered: { _ in true }) {
                history.remove(entry.id)
            }
        }
        return history.entries.reversed().map { Int(($0.position.capturedAt.milliseconds - 1_000_000_000) / 1000) }
    }

    /// A slip: the person scrolls through the book, and forty saves follow within two minutes.
    @Test func keepsThePlaceBeforeManySavesInTwoMinutes() {
        let kept = kept([0, 600] + (1...40).map { 90_000 + 3 * $0 })
        #expect(kept.count == 20 && kept.suffix(2) == [600, 0])
        #expect(kept.prefix(10) == (31...40).reversed().map { 90_000 + 3 * $0 }[...])
    }

    /// A week of evenings, each with an hour of reading and a save each half minute.
    @Test func keepsTheLastPlaceOfEachEvening() {
        let evenings = (0..<7).flatMap { day in (0..<120).map { day * 86_400 + $0 * 30 } }
        let kept = kept(evenings)
        #expect(kept.count == 20 && Set((2...5).map { $0 * 86_400 + 119 * 30 }).isSubset(of: kept))
    }

    /// One session of three hours: the farther back, the farther apart.
    @Test func keepsPlacesOfALongSession() {
        let kept = kept((0..<360).map { $0 * 30 })
        let ages = kept.map { 359 * 30 - $0 }
        #expect(ages.prefix(10) == (0..<10).map { $0 * 30 }[...])
        for (low, high) in [(300, 600), (600, 1800), (1800, 3600), (3600, 10_800)] {
            #expect(ages.contains { $0 >= low && $0 < high }, "\(ages)")
        }
    }

    @Test func dropsViewsBelowAllWorkFirst() {
        let history = History(
            ([(0, 1), (1_000_000, 2), (2_000_000, 3)] as [(Int64, UInt64)]).map { time, number in
                var archive = Fixture.archive(number, device: DeviceID(high: 0, low: 0x61))
                (archive.capturedAt, archive.revision) = (
                    Timestamp(milliseconds: time), Revision(rawValue: Int64(number))
                )
                return History.Entry(archive)
            }, servedLast: [:])
        #expect(history.prunable(keeping: 2) { _ in false }.map(\.id.low) == [1])
    }

    /// After each change, a history has the facts that it would have if it were read again.
    @Test(arguments: 0..<200 as Range<UInt64>) func staysAsIfReadAgain(_ seed: UInt64) {
        let random = SeededRandom(seed: seed)
        var history = History()
        for step in 0..<60 {
            let id = ArchiveID(high: 0, low: UInt64(random.below(12)))
            let device = DeviceID(high: 0, low: UInt64(random.below(4)))
            switch random.below(6) {
            case 0...2 where !history.contains(id):
                var archive = Fixture.archive(id.low, idiom: random.below(2) == 0 ? .phone : .pad, device: device)
                archive.capturedAt = Timestamp(milliseconds: Int64(random.below(1000)))
                (archive.revision, archive.orderRevision) = (
                    Revision(rawValue: Int64(step)), Revision(rawValue: Int64(step))
                )
                if random.below(2) == 0 { archive.summary.place = ["Albums"] }
                history.insert(History.Entry(archive))
            case 3: history.remove(id, isUndoable: random.below(2) == 0)
            case 4 where history.contains(id): history.serve(id, to: device)
            case 4: history.dropServedLast(by: device)
            default: history.change(id) { $0.isServable = random.below(2) == 0 }
            }
            let again = History(history.entries, servedLast: history.servedLast)
            #expect(again.entries == history.entries)
            let limit = 1 + random.below(3)
            #expect(again.prunable(keeping: limit) { $0.low > 1 } == history.prunable(keeping: limit) { $0.low > 1 })
        }
    }
}
