import Foundation
import PlacekeeperRuntime
import Testing

struct MetadataAliasesTests {
    @Test func namesATrackByItsMetadata() {
        let aliases = MetadataAliases.track(title: "Intro", artist: "The xx", album: "xx", disc: 1, number: 1)
        #expect(aliases == ["song:intro|the xx", "track:intro|the xx|xx|1|1", "number:the xx|xx|1|1"])
        #expect(
            MetadataAliases.track(title: "Intro", artist: "The xx", album: "xx")
                == ["song:intro|the xx", "track:intro|the xx|xx||"])
        #expect(MetadataAliases.track(title: "Intro", artist: nil, disc: 1, number: 1) == ["song:intro|"])
    }

    @Test func namesABookAndAPhoto() {
        #expect(MetadataAliases.book(title: "Emma", author: "Jane Austen") == ["book:emma|jane austen|"])
        #expect(MetadataAliases.book(title: "Works", author: nil, volume: 2) == ["book:works||2"])
        let time = Date(timeIntervalSince1970: 1_700_000_000.123)
        #expect(MetadataAliases.photo(captured: time, width: 4032, height: 3024) == ["capture:1700000000123|4032x3024"])
    }

    @Test(arguments: ["  A  Song ", "a song", "A\tSONG", "A\u{0}Song", "A|Song"])
    func ignoresDifferencesThatDoNotMatter(title: String) {
        #expect(MetadataAliases.track(title: title, artist: "B") == ["song:a song|b"])
    }

    @Test(arguments: [nil, "", "  ", "|", "\u{7}"])
    func namesNothingWithoutATitle(title: String?) {
        #expect(MetadataAliases.track(title: title, artist: "A", album: "B", disc: 1, number: 1) == [])
        #expect(MetadataAliases.book(title: title, author: "A") == [])
    }

    /// The service refuses aliases above 512 bytes.
    @Test func shortensLongFieldsToWholeCharacters() {
        let long = String(repeating: "é", count: 1000)
        for alias in MetadataAliases.track(title: long, artist: long, album: long, disc: .max, number: .max) {
            #expect(alias.utf8.count <= 512)
        }
        #expect(MetadataAliases.book(title: long, author: "") == ["book:\(String(repeating: "é", count: 75))||"])
        #expect(
            MetadataAliases.book(title: String(repeating: "e\u{301}", count: 1000), author: "")
                == MetadataAliases.book(title: long, author: ""))
        let family = "👩‍👩‍👧‍👦"
        let start = String(repeating: "x", count: 130)
        #expect(MetadataAliases.book(title: start + family, author: "") == ["book:\(start)||"])
    }

    @Test(arguments: [Double.infinity, .nan, 1e300])
    func namesNoPhotoWithoutATime(seconds: Double) {
        let aliases = MetadataAliases.photo(captured: Date(timeIntervalSince1970: seconds), width: 1, height: 1)
        #expect(aliases == [])
    }
}
