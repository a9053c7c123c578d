import PlacekeeperArchive
import Testing

/// Before Swift compares or hashes a string, it sorts each run of combining marks. The time grows with the square of
/// the run's length. If a reader compared or hashed `hostile`, each comparison or hash would take ten seconds.
@Suite(.timeLimit(.minutes(20)))
struct CombiningRunTests {
    /// A string of 400 KB, which also takes 400 KB in an archive.
    static let hostile = "a" + String(repeating: "\u{301}\u{323}", count: 100_000)

    @Test(arguments: TextPlace.allCases)
    func refusesLongRunOfMarksBeforeComparingText(place: TextPlace) {
        let bytes = place.archive(holding: Self.hostile)
        #expect(bytes.count < 1 << 20)
        let readers: [(String, () throws(ArchiveError) -> Void)] = [
            ("list", { () throws(ArchiveError) in _ = try BinaryPropertyList(validating: bytes) }),
            ("tree", { () throws(ArchiveError) in _ = try PropertyListValue(reading: bytes) }),
            ("reader", { () throws(ArchiveError) in _ = try KeyedArchiveReader(validating: bytes) }),
            ("summary", { () throws(ArchiveError) in _ = try ArchiveSummary(reading: bytes) }),
            ("archive", { () throws(ArchiveError) in _ = try StateArchive(reading: bytes) }),
            ("references", { () throws(ArchiveError) in _ = try ReferenceTable(reading: bytes) }),
            ("inspection", { () throws(ArchiveError) in _ = try ArchiveInspection(reading: bytes) }),
        ]
        for (name, read) in readers { #expect(Refusal(read).code == .combiningRun, "\(name)") }
    }

    @Test(arguments: TextPlace.allCases.filter { ![.layout, .bundleVersion, .systemVersion].contains($0) })
    func readsTextOfManyLanguagesInEveryPlace(place: TextPlace) throws {
        for text in Self.honest {
            let bytes = place.archive(holding: text)
            let archive = try StateArchive(reading: bytes)
            let again = try archive.encoded()
            #expect(try StateArchive(reading: again) == archive)
            let inspection = try ArchiveInspection(reading: bytes)
            if place != .topLevelKey, place != .kind {
                #expect(inspection.json.utf8.contains(text), "\(place) \(text)")
            }
            #expect(ArchiveDifference(from: inspection, to: inspection).changes.isEmpty)
        }
    }

    /// Strings that readers must accept: combining marks of many languages, emoji, and letters that are decorated with
    /// marks.
    static let honest = [
        "Tie\u{302}\u{301}ng Vie\u{323}\u{302}t", "ที่นี่น้ำ", "क्षत्रिय र्क्ष्म्य", "בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים", "بِسْمِ ٱللَّٰهِ",
        "བསྒྲུབས་ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ", "각\u{1100}\u{1161}\u{11A8}", "が\u{3099}", "👩‍👩‍👧‍👦🏳️‍🌈👍🏽🇩🇪🇫🇷",
        String(repeating: "👨‍", count: 200), String(repeating: "e\u{301}\u{323}", count: 300),
        "Z" + String(repeating: "\u{334}\u{351}\u{35C}", count: 33) + "algo",
        String(repeating: "\u{1D165}", count: 256),
        String(repeating: String(repeating: "\u{301}", count: 256) + "a", count: 3),
        String(repeating: String(repeating: "\u{323}\u{301}", count: 128) + "\u{34F}", count: 3),
    ]

    @Test(arguments: [
        "\u{301}", "\u{323}", "\u{5B0}", "\u{E38}", "\u{94D}", "\u{F71}", "\u{3099}", "\u{20D0}", "\u{FE20}",
        "\u{1D165}", "\u{1E8D0}",
    ])
    func reportsOffsetOfMarkThatMakesRunTooLong(mark: String) {
        func units(_ count: Int) -> [UInt8] {
            let text = "ab" + String(repeating: mark, count: count) + "c"
            return text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        }
        func list(_ count: Int) -> RawList {
            let text = units(count)
            let object = [0x6F, 0x11] + RawList.number(UInt64(text.count / 2), width: 2) + text
            return RawList([object]) { $0.offsetWidth = 2 }
        }
        #expect(Refusal(ofList: list(256).bytes).code == nil)
        let refusal = Refusal(ofList: list(257).bytes)
        #expect(refusal.code == .combiningRun)
        #expect(refusal.offset == 12 + 2 * (2 + 256 * mark.utf16.count))
    }

    @Test func refusesToWriteLongRunOfMarks() {
        let long = "a" + String(repeating: "\u{301}", count: 257)
        #expect(throws: ArchiveWritingError(.combiningRun)) { try PropertyListValue.string(long).encoded() }
        #expect(throws: ArchiveWritingError(.combiningRun)) {
            try PropertyListValue.dictionary([long: .boolean(true)]).encoded()
        }
        let changes: [(subject: String, change: (inout StateArchive) -> Void)] = [
            ("application", { $0.bundleVersion = long }), ("application", { $0.application["key"] = .string(long) }),
            ("Tabs", { $0.objects[0].className = long }), ("Tabs", { $0.objects[0].state[long] = .null }),
            ("Tabs", { $0.objects[0].state["key"] = .array([.dictionary(["key": .string(long)])]) }),
            ("Sheet", { $0.instances = [SavedInstance(className: "Sheet", state: ["key": .string(long)])] }),
            ("photos", { $0.references[0].element.aliases = [long] }),
            ("photos", { $0.references[0].before = [.init(long)] }),
            ("photo", { $0.place?.steps[2].title = long }),
        ]
        for (subject, change) in changes {
            var archive = Samples.photos
            change(&archive)
            #expect(throws: ArchiveWritingError(.combiningRun, in: subject)) { try archive.encoded() }
        }
    }
}

extension String.UTF8View {
    fileprivate func contains(_ text: String) -> Bool {
        let (whole, part) = (Array(self), Array(text.utf8))
        guard let first = part.first else { return true }
        return whole.indices.contains { whole[$0] == first && whole[$0...].starts(with: part) }
    }
}
