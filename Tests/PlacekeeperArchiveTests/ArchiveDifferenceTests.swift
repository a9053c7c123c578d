import PlacekeeperArchive
import Testing

struct ArchiveDifferenceTests {
    @Test func findsNoChangesBetweenEqualArchives() throws {
        var archive = Samples.photos
        archive.objects[0].state["nothing"] = .real(.nan)
        #expect(try difference(archive, archive).changes.isEmpty)
    }

    @Test func listsChangesBySectionAndKey() throws {
        var after = Samples.photos
        after.bundleVersion = "43"
        after.place?.steps[2].title = "Beach"
        after.references[0].element.identifier = "p99"
        after.objects.remove(at: 1)
        after.objects[2].state["zoomScale"] = .real(3)
        after.objects[2].state["draft"] = nil
        after.objects[2].state["rating"] = .integer(5)
        after.objects[2].className = "PhotoController"
        after.objects.append(RestorableObject(path: "Tabs/Map", kind: .view, className: "MapView"))
        #expect(
            try difference(Samples.photos, after).description == """
                Top Level
                  ~ UIApplicationStateRestorationBundleVersion: "42" → "43"
                Place
                  ~ 3 photo: {references: [Model Reference: 0], parameters: {zoom: 2.5}} → \
                {title: "Beach", references: [Model Reference: 0], parameters: {zoom: 2.5}}
                Model References
                  ~ 0 photos: {identifier: "p12", aliases: ["sha256:ab", "cloud:9"], role: "selected", \
                before: [{identifier: "p11"}], after: [{identifier: "p13", aliases: ["cloud:10"]}, {identifier: "p14"}]} → \
                {identifier: "p99", aliases: ["sha256:ab", "cloud:9"], role: "selected", \
                before: [{identifier: "p11"}], after: [{identifier: "p13", aliases: ["cloud:10"]}, {identifier: "p14"}]}
                - [View Controller] Tabs/Albums
                [View Controller] Tabs/Albums/Photo
                  ~ Class: "PhotoViewController" → "PhotoController"
                  - draft: nil
                  ~ zoomScale: 2.5 → 3.0
                  + rating: 5
                + [View] Tabs/Map

                """)
    }

    @Test func distinguishesAppKeysFromArchiveKeys() throws {
        var before = Samples.photos
        before.application["UIApplicationStateRestorationBundleVersion"] = .integer(7)
        #expect(try difference(before, before).changes.isEmpty)
        #expect(
            try difference(before, Samples.photos).description == """
                Top Level
                  - UIApplicationStateRestorationBundleVersion: 7

                """)
    }

    /// Swift's texts are equal if their normalized forms are. A comparison of archives tells them apart, in linear time.
    @Test func comparesTextsAndKeysByTheirBytes() throws {
        func archive(_ text: String) -> StateArchive {
            StateArchive(
                application: ["text": .string(text)],
                objects: [RestorableObject(path: text, kind: .view, className: "A", state: [text: .integer(1)])])
        }
        let changes = try difference(archive("\u{E9}"), archive("e\u{301}")).changes
        #expect(changes.map(\.section) == ["Top Level", "[View] \u{E9}", "[View] e\u{301}"])
        #expect(changes.map { $0.key ?? "-" } == ["text", "-", "-"])
    }

    /// Each change repeats the name of its section, so few bytes could make differences of any length.
    @Test func refusesMoreNamesOfChangesThanTheLimit() throws {
        func archive(_ value: Int64) -> StateArchive {
            let state = Dictionary(uniqueKeysWithValues: (0..<500).map { ("key\($0)", StateValue.integer(value)) })
            let path = String(repeating: "p", count: 4000)
            return StateArchive(objects: [RestorableObject(path: path, kind: .view, className: "A", state: state)])
        }
        let before = try ArchiveInspection(reading: archive(1).encoded())
        let after = try ArchiveInspection(reading: archive(2).encoded())
        #expect(try ArchiveDifference(from: before, to: after, limit: 500 * 9000).changes.count == 500)
        let refusal = #expect(throws: ArchiveError.self) {
            try ArchiveDifference(from: before, to: after, limit: 500 * 8000)
        }
        #expect(refusal?.code == .expansion)
        #expect(before.sizes(limit: 100).reduce(0) { $0 + $1.key.utf8.count } < 200_000)
    }

    @Test func writesChangesAsJSON() throws {
        var after = Samples.photos
        after.layout = .regular
        #expect(
            try difference(Samples.photos, after).json
                == #"[{"section":"Top Level","key":"Placekeeper.layout","before":"compact","after":"regular"}]"#)
    }

    private func difference(_ before: StateArchive, _ after: StateArchive) throws -> ArchiveDifference {
        ArchiveDifference(
            from: try ArchiveInspection(reading: before.encoded()), to: try ArchiveInspection(reading: after.encoded()))
    }
}
