import Foundation
import PlacekeeperArchive
import Testing

@Suite struct ReferenceTableTests {
    /// Returns the references with changed identifiers. Most references change, and some identifiers become nil, as
    /// when the service resolves references.
    private func renamed(_ references: [ModelReference], _ random: inout RandomArchives) -> [ModelReference] {
        references.map { reference in
            guard random.number(0..<4) > 0 else { return reference }
            var reference = reference
            reference.element.identifier = random.number(0..<3) == 0 ? nil : random.text()
            for index in reference.before.indices { reference.before[index].identifier = random.text() }
            reference.resolution = ModelReference.Resolution(
                step: [.alias, .pending, .neighbor][random.number(0..<3)],
                confidence: Double(random.number(0..<101)) / 100, isAmbiguous: random.number(0..<2) == 0,
                neighbor: random.number(0..<2) == 0 ? random.text() : nil)
            return reference
        }
    }

    @Test(arguments: 0..<500) func replacesOnlyTheReferences(seed: Int) throws {
        var random = RandomArchives(seed: UInt64(seed))
        var archive = random.archive()
        let bytes = try archive.encoded()
        let table = try ReferenceTable(reading: bytes)
        #expect(table.references == archive.references)
        archive.references = renamed(archive.references, &random)
        let rewritten = table.rewriting(archive.references)
        #expect(try StateArchive(reading: rewritten) == archive)
        // A rewritten archive can be rewritten again.
        archive.references = renamed(archive.references, &random)
        let again = try ReferenceTable(reading: rewritten).rewriting(archive.references)
        #expect(try StateArchive(reading: again) == archive)
    }

    @Test func readsTheStepsThat0_1_0Wrote() throws {
        for (old, step) in [("company", ModelReference.Step.alignment), ("neighbour", .neighbor)] {
            var archive = Samples.photos
            archive.references[0].resolution = .init(step: .init(rawValue: old), confidence: 0.5)
            #expect(try ReferenceTable(reading: archive.encoded()).references[0].resolution?.step == step)
        }
    }

    @Test func readsTheNeighborThat0_1_0Wrote() throws {
        var archive = Samples.photos
        archive.references[0].resolution = .init(step: .pending, confidence: 0.5, neighbor: "p7")
        let bytes = Self.renaming("neighbor", to: "neighbour", in: try archive.encoded())
        #expect(try ReferenceTable(reading: bytes).references[0].resolution?.neighbor == "p7")
    }

    /// Replaces a short ASCII string of a binary property list by a longer one, and moves the objects behind it.
    private static func renaming(_ old: String, to new: String, in list: [UInt8]) -> [UInt8] {
        let trailer = list.count - 32
        let (width, growth) = (Int(list[trailer + 6]), new.utf8.count - old.utf8.count)
        func number(_ range: Range<Int>) -> Int { list[range].reduce(0) { $0 << 8 | Int($1) } }
        func bytes(_ number: Int, _ width: Int) -> [UInt8] {
            (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        let table = number(trailer + 24..<trailer + 32)
        let text = [0x50 | UInt8(old.utf8.count)] + Array(old.utf8)
        guard let start = list.firstRange(of: text)?.lowerBound else { return list }
        var result = Array(list[..<start]) + [0x50 | UInt8(new.utf8.count)] + Array(new.utf8)
        result += list[start + text.count..<table]
        for entry in stride(from: table, to: trailer, by: width) {
            let offset = number(entry..<entry + width)
            result += bytes(offset > start ? offset + growth : offset, width)
        }
        return result + list[trailer..<trailer + 24] + bytes(table + growth, 8)
    }

    @Test func returnsOriginalBytesForEqualReferences() throws {
        let bytes = try Samples.photos.encoded()
        let table = try ReferenceTable(reading: bytes)
        #expect(table.rewriting(table.references) == bytes)
    }

    @Test func preservesStateThatSharesTextWithTheTable() throws {
        var archive = Samples.photos
        archive.application = ["note": .string("p12"), "list": .array([.string("p12"), .reference(0)])]
        let table = try ReferenceTable(reading: archive.encoded())
        archive.references[0].element.identifier = "q7"
        let rewritten = try StateArchive(reading: table.rewriting(archive.references))
        #expect(rewritten.application["note"] == .string("p12"))
        #expect(rewritten == archive)
    }

    /// The list has more objects after rewriting, so its object references and UIDs can take more bytes.
    @Test(arguments: [200, 250, 260, 65_400, 65_530, 65_600]) func widensReferencesForAddedObjects(count: Int) throws {
        var archive = StateArchive(
            application: ["numbers": .array((0..<count).map { .integer(Int64($0)) })],
            references: (0..<40).map { ModelReference(dataSource: "photos", element: .init("p\($0)")) })
        let table = try ReferenceTable(
            reading: archive.encoded(), limits: BinaryPropertyList.Limits(maximumByteCount: 8 << 20))
        for index in archive.references.indices { archive.references[index].element.identifier = "other \(index)" }
        let rewritten = table.rewriting(archive.references)
        #expect(try StateArchive(reading: rewritten, limits: .init(maximumByteCount: 8 << 20)) == archive)
    }

    @Test func isEmptyForAForeignArchive() throws {
        let bytes = try NSKeyedArchiver.archivedData(withRootObject: ["a", "b"], requiringSecureCoding: true)
        #expect(try ReferenceTable(reading: Array(bytes)).references.isEmpty)
    }

    @Test func writesTablesThatFoundationReads() throws {
        let table = try ReferenceTable(reading: Samples.photos.encoded())
        var references = table.references
        references[0].element.identifier = "é 🏖️"
        references[0].resolution = .init(step: .alias, confidence: 0.95)
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(table.rewriting(references)))
        unarchiver.requiresSecureCoding = true
        let classes = [NSArray.self, NSDictionary.self, NSString.self, NSNumber.self, NSDate.self, NSData.self]
        let read = unarchiver.decodeObject(of: classes, forKey: "Placekeeper.references") as? [[String: Any]]
        #expect(read?.first?["identifier"] as? String == "é 🏖️")
        #expect(read?.first?["step"] as? String == "alias")
        let objects = unarchiver.decodeObject(of: classes, forKey: "Placekeeper.objects") as? [[String: Any]]
        #expect(objects?.count == Samples.photos.objects.count)
    }

    @Test func refusesConfidenceOutOfRange() throws {
        var reference = ModelReference(dataSource: "photos", element: .init("p1"))
        reference.resolution = .init(step: .alias, confidence: 2)
        let bytes = try StateArchive(references: [reference]).encoded()
        let refusal = #expect(throws: ArchiveError.self) { try ReferenceTable(reading: bytes) }
        #expect(refusal?.code == .referenceTable)
    }
}
