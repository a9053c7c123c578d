import Foundation
import PlacekeeperArchive
import Testing

struct RoundTripTests {
    @Test(arguments: UInt64(0)..<100)
    func readsBackRandomPropertyLists(seed: UInt64) throws {
        var random = RandomArchives(seed: seed)
        let value = random.propertyList()
        let bytes = try value.encoded()
        let again = try PropertyListValue(reading: bytes)
        #expect(again == value)
        #expect(try again.encoded() == bytes)
    }

    @Test(arguments: UInt64(0)..<50)
    func exchangesPropertyListsWithFoundation(seed: UInt64) throws {
        var random = RandomArchives(seed: seed)
        let value = PropertyListValue.array([random.propertyList(hasUIDs: false)])
        let theirs = try PropertyListSerialization.propertyList(from: Data(value.encoded()), format: nil)
        let written = try PropertyListSerialization.data(fromPropertyList: theirs, format: .binary, options: 0)
        #expect(try PropertyListValue(reading: [UInt8](written)) == value)
    }

    @Test(arguments: UInt64(0)..<100)
    func readsBackRandomArchives(seed: UInt64) throws {
        var random = RandomArchives(seed: seed)
        let archive = random.archive()
        let bytes = try archive.encoded()
        let again = try StateArchive(reading: bytes)
        #expect(again == archive)
        #expect(try again.encoded() == bytes)
        let summary = try ArchiveSummary(reading: bytes)
        #expect(summary.objectCount == archive.objects.count)
        #expect(summary.placeTitles == (archive.place?.steps ?? []).map { $0.title ?? $0.screen })
        #expect(throws: Never.self) { try ArchiveInspection(reading: bytes) }
    }

    /// A damaged archive is either read, or refused with an offset within the file.
    @Test(arguments: UInt64(0)..<200)
    func readsOrRefusesDamagedArchives(seed: UInt64) throws {
        var random = RandomArchives(seed: seed)
        var bytes = seed % 2 == 0 ? try random.archive().encoded() : try random.propertyList().encoded()
        for _ in 0..<random.number(1..<6) {
            let position = random.number(0..<bytes.count)
            switch random.number(0..<5) {
            case 0: bytes[position] ^= 1 << UInt8(random.number(0..<8))
            case 1: bytes[position] = UInt8(random.number(0..<256))
            case 2: bytes.removeLast(min(random.number(0..<40), bytes.count - 1))
            case 3: bytes.insert(UInt8(random.number(0..<256)), at: position)
            default: bytes.swapAt(position, random.number(0..<bytes.count))
            }
        }
        for refusal in [Refusal(of: bytes), Refusal(ofList: bytes)] {
            if let offset = refusal.offset { #expect(0...bytes.count ~= offset) }
        }
        if let inspection = try? ArchiveInspection(reading: bytes) {
            #expect(inspection.description.utf8.count < 200 * bytes.count)
        }
    }
}
