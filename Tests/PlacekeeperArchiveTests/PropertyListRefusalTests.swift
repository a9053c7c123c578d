import PlacekeeperArchive
import Testing

struct PropertyListRefusalTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var bytes: [UInt8]
        var code: ArchiveError.Code
        var offset: Int
        var testDescription: String { name }

        init(_ name: String, _ bytes: [UInt8], _ code: ArchiveError.Code, at offset: Int) {
            self.name = name
            self.bytes = bytes
            self.code = code
            self.offset = offset
        }

        init(_ name: String, _ list: RawList, _ code: ArchiveError.Code, at offset: Int) {
            self.init(name, list.bytes, code, at: offset)
        }
    }

    @Test(arguments: frames + scalars + counts + containers)
    func reportsCodeAndOffsetOfEveryProblem(wrong: Case) {
        let refusal = Refusal(ofList: wrong.bytes)
        #expect(refusal.code == wrong.code)
        #expect(refusal.offset == wrong.offset)
        #expect(Refusal(of: wrong.bytes) == refusal)
    }

    @Test func refusesFileLargerThanTheLimit() {
        let bytes = RawList().bytes
        let limits = BinaryPropertyList.Limits(maximumByteCount: bytes.count - 1)
        let refusal = Refusal { () throws(ArchiveError) in _ = try BinaryPropertyList(validating: bytes, limits: limits)
        }
        #expect(refusal.code == .tooLarge)
    }

    @Test(arguments: [false, true])
    func limitsDepthInEitherOrderOfTheTable(innermostFirst: Bool) {
        #expect(Refusal(ofList: RawList.nested(128, innermostFirst: innermostFirst).bytes).code == nil)
        #expect(Refusal(ofList: RawList.nested(129, innermostFirst: innermostFirst).bytes).code == .tooDeep)
        #expect(Refusal(ofList: RawList.nested(5000, innermostFirst: innermostFirst).bytes).code == .tooDeep)
    }

    @Test func messageExplainsEveryCode() {
        for wrong in Self.frames + Self.scalars + Self.counts + Self.containers {
            let message = ArchiveError(wrong.code, at: 7).message
            #expect(message.hasSuffix(" (byte 7)."))
            #expect(!message.hasPrefix("The archive cannot be read"))
        }
    }

    // The trailer of a file with one object of one byte begins at offset 10.
    static let frames: [Case] = [
        Case("an empty file", [UInt8](), .tooShort, at: 0),
        Case("39 bytes", Array(RawList().bytes.prefix(39)), .tooShort, at: 39),
        Case("XML", Array("<?xml version='1.0'?><plist/>".utf8), .xml, at: 0),
        Case("XML after a byte order mark", Array("\u{FEFF}\n<plist></plist>".utf8), .xml, at: 0),
        Case("another version", RawList { $0.header = Array("bplist15".utf8) }, .notBinary, at: 0),
        Case("not a property list", [UInt8](repeating: 7, count: 64), .notBinary, at: 0),
        Case("offset width 0", RawList { $0.offsetWidth = 0 }, .offsetWidth, at: 15),
        Case("offset width 9", RawList { $0.offsetWidth = 9 }, .offsetWidth, at: 23),
        Case("reference width 0", RawList { $0.referenceWidth = 0 }, .referenceWidth, at: 17),
        Case("reference width 255", RawList { $0.referenceWidth = 255 }, .referenceWidth, at: 17),
        Case("no objects", RawList { $0.count = 0 }, .noObjects, at: 18),
        Case("the greatest number of objects", RawList { $0.count = .max }, .offsetTable, at: 34),
        Case(
            "a table whose size overflows",
            RawList {
                $0.count = 1 << 63
                $0.offsetWidth = 2
            }, .offsetTable, at: 35),
        Case("a table in the header", RawList { $0.table = 7 }, .offsetTable, at: 34),
        Case("a table past the trailer", RawList { $0.table = 11 }, .offsetTable, at: 34),
        Case("a table at the greatest offset", RawList { $0.table = .max }, .offsetTable, at: 34),
        Case("a gap before the trailer", RawList { $0.gap = 1 }, .offsetTable, at: 35),
        Case("a top object that does not exist", RawList { $0.top = 1 }, .topObject, at: 26),
        Case("a top object of the greatest index", RawList { $0.top = .max }, .topObject, at: 26),
        Case("an object in the header", RawList { $0.offsets = [0] }, .objectOffset, at: 9),
        Case("an object in the table", RawList { $0.offsets = [9] }, .objectOffset, at: 9),
        Case(
            "an object at the greatest offset",
            RawList {
                $0.offsets = [.max]
                $0.offsetWidth = 8
            }, .objectOffset, at: 9),
        Case(
            "two objects at one offset", RawList([[0x52, 0x61, 0x61], []]) { $0.offsets = [8, 8] },
            .overlappingObjects, at: 8),
    ]

    static let scalars: [Case] =
        ([0x00, 0x01, 0x07, 0x0A, 0x0C, 0x0E, 0x0F, 0x70, 0x90, 0xB0, 0xC0, 0xE0, 0xF0] as [UInt8]).map {
            Case("marker \($0)", RawList([$0]), .unknownMarker, at: 8)
        } + [
            Case("an integer of 32 bytes", RawList([0x15] + [UInt8](repeating: 0, count: 32)), .integerWidth, at: 8),
            Case("an integer of 32 KB", RawList([0x1F]), .integerWidth, at: 8),
            Case("an integer past the end", RawList([0x13, 0, 0, 0]), .objectEnd, at: 8),
            Case(
                "an integer of 65 bits", RawList([0x14] + RawList.number(1, width: 8) + RawList.number(0, width: 8)),
                .integerRange, at: 8),
            Case(
                "a negative integer of 65 bits",
                RawList([0x14] + RawList.number(.max, width: 8) + RawList.number(0, width: 8)), .integerRange, at: 8),
            Case("a real of 1 byte", RawList([0x20, 0]), .realWidth, at: 8),
            Case("a real of 16 bytes", RawList([0x24] + [UInt8](repeating: 0, count: 16)), .realWidth, at: 8),
            Case("a real past the end", RawList([0x22, 0, 0, 0]), .objectEnd, at: 8),
            Case("a date of 4 bytes", RawList([0x32, 0, 0, 0, 0]), .dateWidth, at: 8),
            Case("a date past the end", RawList([0x33, 0]), .objectEnd, at: 8),
            Case("a date that is not a number", RawList(RawList.real(.nan, marker: 0x33)), .dateRange, at: 8),
            Case("an infinite date", RawList(RawList.real(-.infinity, marker: 0x33)), .dateRange, at: 8),
            Case("the year 10000", RawList(RawList.real(252_423_993_600, marker: 0x33)), .dateRange, at: 8),
            Case("before the year 1", RawList(RawList.real(-63_114_076_801, marker: 0x33)), .dateRange, at: 8),
            Case("a UID of 9 bytes", RawList([0x88] + [UInt8](repeating: 0, count: 9)), .uidWidth, at: 8),
            Case("a UID of 16 bytes", RawList([0x8F] + [UInt8](repeating: 0, count: 16)), .uidWidth, at: 8),
            Case("a UID past the end", RawList([0x81, 0]), .objectEnd, at: 8),
            Case("one byte that is not ASCII", RawList([0x53, 0x61, 0xC3, 0x61]), .nonASCII, at: 10),
            Case(
                "the last of many bytes that is not ASCII",
                RawList([0x5F, 0x10, 20] + [UInt8](repeating: 97, count: 19) + [0x80]),
                .nonASCII, at: 30),
            Case("half a pair at the end", RawList([0x62, 0, 0x61, 0xD8, 0]), .loneSurrogate, at: 11),
            Case("half a pair in the middle", RawList([0x62, 0xDB, 0xFF, 0, 0x61]), .loneSurrogate, at: 11),
            Case("the second half first", RawList([0x62, 0xDC, 0, 0xD8, 0]), .loneSurrogate, at: 9),
            Case("two first halves", RawList([0x63, 0xD8, 0, 0xD8, 0, 0xDC, 0]), .loneSurrogate, at: 11),
        ]

    static let counts: [Case] = [
        Case("a count that is a string", RawList([0x5F, 0x51, 0x61]), .countNotInteger, at: 9),
        Case("no count", RawList([0x4F]), .objectEnd, at: 9),
        Case("half a count", RawList([0x4F, 0x11, 0]), .objectEnd, at: 9),
        Case("a negative count", RawList([0x4F, 0x13] + RawList.number(.max, width: 8)), .countNegative, at: 9),
        Case("a count of 16 bytes", RawList([0x4F, 0x14] + [UInt8](repeating: 0, count: 16)), .countTooLarge, at: 9),
        Case("a count of 32 bytes", RawList([0x4F, 0x15] + [UInt8](repeating: 0, count: 32)), .integerWidth, at: 9),
        Case("data past the end", RawList([0x42, 0]), .countTooLarge, at: 8),
        Case("text past the end", RawList([0x53, 97, 97]), .countTooLarge, at: 8),
        Case("UTF-16 past the end", RawList([0x62, 0, 97, 0]), .countTooLarge, at: 8),
        Case("a long count past the end", RawList([0x5F, 0x10, 200]), .countTooLarge, at: 8),
        Case(
            "UTF-16 whose length overflows", RawList([0x6F, 0x13] + RawList.number(1 << 62, width: 8)), .countTooLarge,
            at: 8),
        Case(
            "an array whose length overflows", RawList([0xAF, 0x13] + RawList.number(UInt64(Int64.max), width: 8)),
            .countTooLarge, at: 8),
        Case("a dictionary with half its references", RawList([0xD2, 0, 0]), .countTooLarge, at: 8),
    ]

    static let containers: [Case] = [
        Case("an element that does not exist", RawList([0xA1, 1]), .reference, at: 9),
        Case("a key that does not exist", RawList([0xD1, 9, 0]), .reference, at: 9),
        Case("a value that does not exist", RawList([0xD1, 1, 9], RawList.text("a")), .reference, at: 10),
        Case(
            "a reference to the greatest index",
            RawList([[0xA1] + RawList.number(.max, width: 8)]) { $0.referenceWidth = 8 }, .reference, at: 9),
        Case("a number as a key", RawList([0xD1, 1, 1], [0x10, 1]), .keyNotString, at: 9),
        Case("a dictionary as a key", RawList([0xD1, 1, 1], [0xD0]), .keyNotString, at: 9),
        Case("a dictionary as its own key", RawList([0xD1, 0, 0]), .keyNotString, at: 9),
        Case("a key twice", RawList([0xD2, 1, 1, 1, 1], RawList.text("a")), .duplicateKey, at: 10),
        Case(
            "two equal keys", RawList([0xD2, 1, 2, 1, 1], RawList.text("ab"), RawList.text("ab")), .duplicateKey,
            at: 10),
        Case(
            "two equal keys in different encodings",
            RawList([0xD2, 1, 2, 1, 1], RawList.text("ab"), [0x62, 0, 0x61, 0, 0x62]), .duplicateKey, at: 10),
        Case("an array in itself", RawList([0xA1, 0]), .containerCycle, at: 9),
        Case("a dictionary in itself", RawList([0xD1, 1, 0], RawList.text("a")), .containerCycle, at: 10),
        Case("two arrays in each other", RawList([0xA1, 1], [0xA1, 0]), .containerCycle, at: 11),
        Case(
            "a cycle not reachable from the top", RawList([0x09], [0xA1, 2], [0xA1, 1]), .containerCycle, at: 12),
    ]
}
