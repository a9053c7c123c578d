import PlacekeeperArchive
import Testing

struct WebAddressTests {
    @Test(arguments: [
        "https://a.example", "http://a.example/", "HTTPS://A.example:8443/photos/12?order=new&q=%C3%A9#top",
        "https://a.example?b", "https://a.example#c", "https://192.0.2.1/", "https://[2001:db8::1]:443/a",
        "https://xn--mnchen-3ya.example/~a/(b);c=1,d@e:f!*'$", "https://a.example/?a?b/c", "https://a.example:/",
        "https://a.example:65535/", "https://a.example:0080/",
        "https://a.example/" + String(repeating: "a", count: 2030),
    ])
    func acceptsWebAddress(address: String) throws {
        #expect(Place.isWebAddress(address))
        let archive = StateArchive(place: Place([.init(screen: "a")], webAddress: address))
        let bytes = try archive.encoded()
        #expect(try StateArchive(reading: bytes) == archive)
        #expect(try ArchiveSummary(reading: bytes).placeTitles == ["a"])
    }

    @Test(arguments: [
        "", "https://", "https:///a", "https://:443", "https://?a", "a.example", "//a.example", "/photos", "https:a",
        "ftp://a.example", "javascript:alert(1)", "https://user@a.example", "https://user:secret@a.example/",
        "https://a.example:80a/", "https://h:99999/", "https://a.example:65536",
        "https://[::1]:18446744073709551696/", "https://a b.example", "https://a.example/é", "https://a.example/a b",
        "https://a.example/\n", "https://a.example/%", "https://a.example/%4", "https://a.example/%4g",
        "https://a.example/\"", "https://a.example/<", "https://a.example/\\", "https://a.example/[", "https://[",
        "https://[]", "https://[::1", "https://[g]/", "https://[::1]a/", "https://a.example/#a#b", " https://a.example",
        "https://a.example/" + String(repeating: "a", count: 2031),
    ])
    func refusesOtherText(address: String) { #expect(!Place.isWebAddress(address)) }

    @Test func keepsWebAddressWithoutSteps() throws {
        let archive = StateArchive(place: Place([], webAddress: "https://a.example/"))
        #expect(try StateArchive(reading: archive.encoded()) == archive)
        let bytes = UncheckedPlist.bytes(top: [
            ("Placekeeper.formatVersion", .integer(1)), ("Placekeeper.webAddress", .string("https://a.example/")),
        ])
        #expect(try StateArchive(reading: bytes).place == archive.place)
    }

    @Test func inspectsWebAddress() throws {
        var archive = Samples.photos
        archive.place?.webAddress = "https://a.example/photos/12"
        let inspection = try ArchiveInspection(reading: archive.encoded())
        #expect(inspection.description.contains("Placekeeper.webAddress"))
        #expect(inspection.json.contains("https://a.example/photos/12"))
    }

    @Test func keepsPlaceWhenReferencesAreRewritten() throws {
        var archive = Samples.photos
        archive.place?.webAddress = "https://a.example/photos/12"
        let table = try ReferenceTable(reading: archive.encoded())
        archive.references[0].element.identifier = "row-7"
        let place = try ArchivedPlace(reading: table.rewriting(archive.references))
        #expect(place.place == archive.place && place.references == archive.references)
    }

    @Test func readsNoPlaceOfForeignArchive() throws {
        let bytes = UncheckedPlist.bytes(top: [("Placekeeper.webAddress", .string("https://a.example/"))])
        let place = try ArchivedPlace(reading: bytes)
        #expect(place.place == nil && place.references.isEmpty)
    }
}
