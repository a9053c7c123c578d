import PlacekeeperArchive
import Testing

struct BinaryPropertyListTests {
    typealias Content = BinaryPropertyList.Content

    @Test(arguments: [
        ([0x08], Content.boolean(false)), ([0x09], .boolean(true)),
        ([0x10, 0xFF], .integer(255)), ([0x11, 0xFF, 0xFE], .integer(65_534)),
        ([0x12, 0xFF, 0xFF, 0xFF, 0xFF], .integer(4_294_967_295)),
        ([0x13] + RawList.number(.max, width: 8), .integer(-1)),
        ([0x14] + RawList.number(0, width: 8) + RawList.number(.max, width: 8), .unsigned(.max)),
        ([0x14] + RawList.number(0, width: 8) + RawList.number(5, width: 8), .integer(5)),
        ([0x14] + RawList.number(.max, width: 8) + RawList.number(1 << 63, width: 8), .integer(.min)),
        ([0x22, 0x3F, 0x80, 0, 0], .real(1)), (RawList.real(-2.5), .real(-2.5)),
        (RawList.real(.infinity), .real(.infinity)),
        (RawList.real(-63_114_076_800, marker: 0x33), .date(-63_114_076_800)),
        (RawList.real(252_423_993_599, marker: 0x33), .date(252_423_993_599)),
        ([0x42, 7, 8], .data(9..<11)), ([0x80, 0xFE], .uid(254)), ([0x82, 1, 0, 0], .uid(65_536)),
        ([0x87] + RawList.number(.max, width: 8), .uid(.max)),
    ])
    func readsScalars(object: [UInt8], content: Content) throws {
        let list = try BinaryPropertyList(validating: RawList(object).bytes)
        #expect(list[list.top] == content)
    }

    @Test(arguments: 1...8, [1, 2, 3, 4, 5, 6, 7, 8])
    func readsOffsetsAndReferencesOfEveryWidth(offsetWidth: Int, referenceWidth: Int) throws {
        let reference = { (number: UInt64) in RawList.number(number, width: referenceWidth) }
        let list = try BinaryPropertyList(
            validating: RawList([
                [0xD1] + reference(1) + reference(2), RawList.text("key"), [0xA2] + reference(3) + reference(3),
                [0x10, 7],
            ]) {
                $0.offsetWidth = offsetWidth
                $0.referenceWidth = referenceWidth
            }.bytes)
        guard case .dictionary(let entries) = list[list.top] else { return #expect(Bool(false), "no dictionary") }
        #expect(list.entry(0, of: entries).key == "key")
        let value = try #require(list.value(for: "key", in: entries))
        #expect(list.value(for: "kez", in: entries) == nil)
        guard case .array(let elements) = list[value] else { return #expect(Bool(false), "no array") }
        #expect(elements.count == 2)
        #expect(list[list.element(1, of: elements)] == .integer(7))
    }

    @Test(arguments: ["", "a", "Summer", "0123456789abcdef", "été", "𝕊ommer 🏖️", "\u{0}"])
    func readsTextInBothEncodings(text: String) throws {
        let utf16: [UInt8] =
            [0x6F, 0x10, UInt8(text.utf16.count)] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        for object in [utf16]
            + (text.utf8.allSatisfy { $0 < 0x80 } ? [[0x5F, 0x10, UInt8(text.utf8.count)] + text.utf8] : [])
        {
            let list = try BinaryPropertyList(validating: RawList(object).bytes)
            guard case .string(let place) = list[list.top] else { return #expect(Bool(false), "no string") }
            #expect(list.string(place) == text)
        }
    }

    @Test func validatesSharedObjectsOnce() throws {
        // Thirty arrays, each with ten references to the next array. A validator that followed each reference would
        // reach 10^30 leaves in about 400 bytes, and would not end.
        let objects = (1...30).map { [0xAA] + [UInt8](repeating: UInt8($0), count: 10) } + [[0x51, 0x61]]
        let bytes = RawList(objects) { $0.offsetWidth = 2 }.bytes
        #expect(try BinaryPropertyList(validating: bytes).objectCount == 31)
        let refusal = Refusal { () throws(ArchiveError) in _ = try PropertyListValue(reading: bytes) }
        #expect(refusal.code == .expansion)
    }

    @Test func acceptsCanonicallyEquivalentKeysExceptInTrees() throws {
        // The letter é as one scalar and as two scalars. The two strings are equal in Swift, but their bytes differ.
        let keys: [[UInt8]] = [[0x61, 0, 0xE9], [0x62, 0, 0x65, 3, 1]]
        let bytes = RawList([[0xD2, 1, 2, 1, 1]] + keys).bytes
        #expect(Refusal(ofList: bytes).code == nil)
        let refusal = Refusal { () throws(ArchiveError) in _ = try PropertyListValue(reading: bytes) }
        #expect(refusal.code == .duplicateKey)
    }

    @Test func acceptsDictionaryWithManyKeys() throws {
        let value = PropertyListValue.dictionary(
            Dictionary(uniqueKeysWithValues: (0..<5000).map { ("key\($0)", .integer($0)) }))
        #expect(try PropertyListValue(reading: value.encoded()) == value)
    }
}
