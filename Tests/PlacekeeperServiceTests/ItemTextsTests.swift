import PlacekeeperCore
import PlacekeeperMatching
import Testing

@testable import PlacekeeperService

/// Checks the stored form of an item's texts. A damaged database may hold any bytes, so reading must refuse malformed
/// bytes.
struct ItemTextsTests {
    @Test func readsWrittenTexts() throws {
        let texts = ItemTexts(identifier: "p1", aliases: ["", "server:4711", "\u{212B}"])
        #expect(try ItemTexts(reading: texts.bytes) == texts)
        #expect(try ItemTexts.identifier(in: texts.bytes) == "p1")
    }

    @Test(arguments: [[], [0], [0, 3, 1, 2], [0, 1, 0x61, 0], [0, 1, 0x61, 0, 2, 0x62]] as [[UInt8]])
    func rejectsTruncatedBytes(_ bytes: [UInt8]) {
        #expect(throws: StoreError.self) { try ItemTexts(reading: bytes) }
    }

    @Test(arguments: [[], [0], [0, 3, 1, 2]] as [[UInt8]])
    func rejectsTruncatedIdentifier(_ bytes: [UInt8]) {
        #expect(throws: StoreError.self) { try ItemTexts.identifier(in: bytes) }
    }
}
