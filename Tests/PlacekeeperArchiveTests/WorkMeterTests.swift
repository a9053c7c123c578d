import Testing

@testable import PlacekeeperArchive

/// Work on an archive pauses after each portion, so that a server can do other work in between.
struct WorkMeterTests {
    /// Counts the pauses of work on the calling thread.
    private final class Pauses: @unchecked Sendable {
        // Only the thread of the test uses the count.
        var count = 0
    }

    private func pauses(in work: () throws -> Void) rethrows -> Int {
        let pauses = Pauses()
        try WorkMeter.$pause.withValue(WorkMeter.Pause { pauses.count += 1 }) { try work() }
        return pauses.count
    }

    /// An array of many values, which the file stores once.
    private static func many(_ last: StateValue) -> StateArchive {
        let row = StateValue.array((0..<300).map { .integer(Int64($0)) })
        let rows = StateValue.array([StateValue](repeating: row, count: 100) + [last])
        return StateArchive(objects: [
            RestorableObject(path: "a", kind: .view, className: "A", state: ["rows": rows]),
            RestorableObject(path: "b", kind: .view, className: "B", state: ["rows": rows]),
        ])
    }

    /// A long text, in which each character takes an escape sequence in JSON.
    private static func long(_ last: String) -> StateArchive {
        StateArchive(application: ["text": .string(String(repeating: "\u{1}", count: 300_000) + last)])
    }

    private static func keys(_ last: StateValue) -> StateArchive {
        let entries = (0..<12_000).map { ("é\(($0 &* 7919) % 12_000)", StateValue.integer(1)) }
        return StateArchive(
            application: Dictionary(uniqueKeysWithValues: entries).merging(["z": last]) { first, _ in first })
    }

    private static func references(_ last: String) -> StateArchive {
        StateArchive(
            references: (0..<3000).map {
                ModelReference(dataSource: "d", element: .init("\($0)", aliases: ["a", last]))
            })
    }

    @Test(arguments: [
        ("many values", many(.null), many(.real(1))), ("a long text", long("a"), long("b")),
        ("many keys", keys(.null), keys(.real(1))), ("many references", references("a"), references("b")),
    ])
    func pausesInEachPartOfLongWork(_ name: String, _ one: StateArchive, _ other: StateArchive) throws {
        let bytes = try one.encoded()
        var inspection = try ArchiveInspection(reading: bytes)
        let reading = try pauses { inspection = try ArchiveInspection(reading: bytes) }
        let writing = pauses { _ = inspection.jsonBytes(isRedacted: false) }
        let after = try ArchiveInspection(reading: other.encoded())
        let comparing = try pauses { _ = try ArchiveDifference(from: inspection, to: after, limit: 1 << 20) }
        #expect(reading > 0 && writing > 0 && comparing > 0, "\(name): \(reading), \(writing), \(comparing)")
    }

    @Test func pausesWhileAPartOfAnArchiveIsRead() throws {
        let bytes = try Self.references("a").encoded()
        #expect(try pauses { _ = try ArchiveSummary(reading: bytes) } > 0)
        #expect(try pauses { _ = try ReferenceTable(reading: bytes) } > 0)
        #expect(try pauses { _ = try ArchivedPlace(reading: bytes) } > 0)
    }

    /// Marks take the longest to check.
    @Test func pausesInALongTextOfMarks() throws {
        let marks = "e" + String(repeating: "\u{301}", count: 200)
        let archive = StateArchive(application: ["text": .string(String(repeating: marks, count: 100))])
        let bytes = try archive.encoded()
        #expect(try pauses { _ = try ArchiveSummary(reading: bytes) } > 2)
    }

    @Test func shortWorkDoesNotPause() throws {
        let bytes = try Samples.photos.encoded()
        #expect(try pauses { _ = try ArchiveInspection(reading: bytes).jsonBytes(isRedacted: true) } == 0)
    }

    @Test func pausesAfterEachPortion() {
        let count = pauses {
            var meter = WorkMeter()
            for _ in 0..<10 * (WorkMeter.portion + 1) { meter.consume(1) }
        }
        #expect(count == 10)
    }

    /// Hashing a key cannot be interrupted.
    @Test(arguments: [("a", 300_000, false), ("a", 200_000, true), ("é", 20_000, false), ("é", 16_000, true)])
    func inspectsNoArchiveWithAKeyThatTakesLongToHash(_ text: String, _ count: Int, _ isShown: Bool) throws {
        let key = String(repeating: text, count: count)
        for archive in [
            StateArchive(application: [key: .null]),
            StateArchive(objects: [RestorableObject(path: key, kind: .view, className: "A")]),
        ] {
            let bytes = try archive.encoded()
            #expect(try StateArchive(reading: bytes) == archive)
            if isShown {
                _ = try ArchiveInspection(reading: bytes)
            } else {
                let refusal = #expect(throws: ArchiveError.self) { try ArchiveInspection(reading: bytes) }
                #expect(refusal?.code == .expansion)
            }
        }
    }
}
