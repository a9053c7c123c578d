import PlacekeeperArchive
import Testing

/// A dictionary hashes its keys. Many dictionaries in an archive can share one long key, so the reader limits the cost
/// of hashing. Without this limit, each test here takes minutes.
@Suite(.timeLimit(.minutes(20)))
struct KeyBudgetTests {
    /// 90,000 combining marks in runs of the maximum length. Hashing the string takes 13 ms.
    static let marks = String(repeating: String(repeating: "\u{301}\u{323}", count: 128) + "a", count: 350)

    /// Reads an archive of `count` dictionaries that share a key.
    private func refusal(repeating key: String, _ count: Int, in table: String) -> Refusal {
        let objects: [PropertyListValue] = [
            .string("$null"), .string(key),
            .dictionary(["NS.keys": .array([.uid(1)]), "NS.objects": .array([.boolean(true)])]),
            .dictionary(["NS.objects": .array([PropertyListValue](repeating: .uid(2), count: count))]),
        ]
        let state = PropertyListValue.dictionary([
            "NS.keys": .array([.string("key")]), "NS.objects": .array([.uid(3)]),
        ])
        let step = PropertyListValue.dictionary([
            "NS.keys": .array([.string("screen"), .string("parameters")]),
            "NS.objects": .array([.string("photo"), state]),
        ])
        let place = PropertyListValue.dictionary(["NS.objects": .array([step])])
        let top: [(String, PropertyListValue)] = [
            ("Placekeeper.formatVersion", .integer(1)), ("filler", .data([UInt8](repeating: 0, count: 300_000))),
            (table, table == "Placekeeper.place" ? place : state),
        ]
        let bytes = UncheckedPlist.bytes(top: top, objects: objects)
        return Refusal { () throws(ArchiveError) in _ = try StateArchive(reading: bytes) }
    }

    @Test(arguments: [("Placekeeper.application", 20_000), ("Placekeeper.place", 40)])
    func readsDictionariesThatShareShortKey(table: String, count: Int) {
        #expect(refusal(repeating: "selectedElementOfTheGrid", count, in: table).code == nil)
        #expect(refusal(repeating: "選択された写真", count, in: table).code == nil)
    }

    @Test(arguments: ["Placekeeper.application", "Placekeeper.place"])
    func refusesDictionariesThatShareLongKey(table: String) {
        #expect(refusal(repeating: Self.marks, 20_000, in: table).code == .expansion)
        #expect(refusal(repeating: String(repeating: "a", count: 200_000), 20_000, in: table).code == .expansion)
    }

    @Test func refusesTreeWhoseDictionariesShareLongKey() {
        var writer = BinaryPropertyListWriter()
        let key = writer.add(Self.marks)
        let entry = writer.addDictionary(keys: [key], values: [writer.add(true)])
        let top = writer.addArray([BinaryPropertyListWriter.Reference](repeating: entry, count: 20_000))
        let bytes = writer.finish(top: top)
        let refusal = Refusal { () throws(ArchiveError) in _ = try PropertyListValue(reading: bytes) }
        #expect(refusal.code == .expansion)
    }

    @Test func writesArchivesUpToTheReadersLimit() throws {
        func archive(_ count: Int) -> StateArchive {
            let entry = StateValue.dictionary([String(repeating: "k", count: 200_000): .boolean(true)])
            return StateArchive(application: ["all": .array([StateValue](repeating: entry, count: count))])
        }
        // The limit is 64 × 1,048,576 bytes, and the key `all` is included in the limit.
        #expect(try StateArchive(reading: archive(335).encoded()) == archive(335))
        #expect(throws: ArchiveWritingError(.expansion, in: "application")) { try archive(336).encoded() }

        func tree(_ count: Int) -> PropertyListValue {
            let entry = PropertyListValue.dictionary([String(repeating: "k", count: 200_000): .boolean(true)])
            return .array([PropertyListValue](repeating: entry, count: count))
        }
        #expect(try PropertyListValue(reading: tree(335).encoded()) == tree(335))
        #expect(throws: ArchiveWritingError(.expansion)) { try tree(336).encoded() }
    }
}
