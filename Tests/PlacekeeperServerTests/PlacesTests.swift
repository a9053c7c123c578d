import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperServer

@Suite struct PlacesTests {
    @Test func listsTheHeadOfEachDeviceAndScene() async throws {
        let (fixture, phone, pad) = try await ServerFixture().withDevices("phone", "pad")
        try await fixture.upload(1, by: phone, place: "Old")
        fixture.clock.advance(.seconds(1))
        try await fixture.upload(2, by: phone, place: "Albums")
        fixture.clock.advance(.seconds(1))
        try await fixture.upload(3, by: phone, scene: "editor", place: nil)
        let answer = try await fixture.send(.get, "/v1/places?bundleVersion=42&systemVersion=17.4", token: pad.token)
        let places = try answer.json(Wire.Page<Wire.Place>.self).items
        #expect(places.map(\.archive.id) == [ServerFixture.id(2), ServerFixture.id(3)])
        #expect(places.map(\.fidelity) == [.place, .none])
        #expect(places.map(\.archive.place) == [["Albums"], []])
        #expect(places.allSatisfy { $0.isHead && $0.device?.id == phone.device && $0.device?.model == "iPhone16,1" })

        _ = try await fixture.send(.delete, "/v1/devices/\(phone.device)", token: pad.token)
        let after = try await fixture.send(.get, "/v1/places", token: pad.token).json(Wire.Page<Wire.Place>.self).items
        #expect(after.count == 2)
        #expect(after.allSatisfy { $0.device == nil })
    }

    @Test(arguments: [1, 2, 3, 5, 6, 7, 100])
    func listsRestorablePlacesFirst(_ limit: Int) async throws {
        let (fixture, phone, pad) = try await ServerFixture().withDevices("phone", "pad")
        for number in 1...6 {
            // A pad restores only the place of a phone's archive. Every second archive has a place.
            try await fixture.upload(number, by: phone, scene: "s\(number)", place: number % 2 == 0 ? "Albums" : nil)
            if number % 3 == 0 { fixture.clock.advance(.seconds(1)) }
        }
        var pages: [[String]] = []
        var path: String? = "/v1/places?bundleVersion=42&limit=\(limit)&systemVersion=17.4"
        while let next = path {
            let answer = try await fixture.send(.get, next, token: pad.token)
            let page = try answer.json(Wire.Page<Wire.Place>.self)
            #expect((answer[.link] == nil) == (page.next == nil))
            pages.append(page.items.map(\.archive.id))
            path = answer[.link].map { String($0.dropFirst().prefix { $0 != ">" }) }
        }
        #expect(pages.flatMap(\.self) == [6, 4, 2, 5, 3, 1].map(ServerFixture.id))
        #expect(pages.dropLast().allSatisfy { $0.count == limit })
        #expect(pages.last?.isEmpty == false)
    }

    @Test func readsNoMoreHeadsThanAPageNeeds() async throws {
        let (fixture, phone) = try await ServerFixture().withDevice()
        for number in 1...150 { try await fixture.upload(number, by: phone, scene: "s\(number)") }
        var path: String? = "/v1/places?bundleVersion=42&limit=10"
        for page in 1...2 {
            let answer = try await fixture.send(.get, try #require(path), token: phone.token)
            #expect(try answer.json(Wire.Page<Wire.Place>.self).items.count == 10)
            // The service reads one head more than a page has, to find out whether a next page exists.
            #expect(fixture.store.headsRead == 11 * page)
            path = answer[.link].map { String($0.dropFirst().prefix { $0 != ">" }) }
        }
    }

    @Test func findsARestorablePlaceBehindManyHeads() async throws {
        let (fixture, phone, pad) = try await ServerFixture().withDevices("phone", "pad")
        // A pad restores only the place of a phone's archive. Only the oldest archive has a place.
        for number in 1...120 {
            try await fixture.upload(number, by: phone, scene: "s\(number)", place: number == 1 ? "Albums" : nil)
        }
        let answer = try await fixture.send(.get, "/v1/places?bundleVersion=42&limit=3", token: pad.token)
        let places = try answer.json(Wire.Page<Wire.Place>.self).items
        #expect(places.map(\.archive.id) == [1, 120, 119].map(ServerFixture.id))
        let next = try #require(answer[.link]).dropFirst().prefix { $0 != ">" }
        let more = try await fixture.send(.get, String(next), token: pad.token)
        #expect(
            try more.json(Wire.Page<Wire.Place>.self).items.map(\.archive.id) == [118, 117, 116].map(ServerFixture.id))
    }

    @Test(arguments: ["cursor=x", "cursor=2.1.1", "cursor=1.", "cursor=1.2", "limit=0", "limit=101"])
    func rejectsInvalidLimitsAndCursors(_ query: String) async throws {
        let fixture = try await ServerFixture()
        let answer = try await fixture.send(.get, "/v1/places?\(query)", token: try await fixture.join().token)
        #expect(answer.code == .malformedQuery)
    }

    @Test func keepsAndEscapesTheQueryInLinks() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        for number in 1...2 { try await fixture.upload(number, by: owner, scene: "s\(number)") }
        let answer = try await fixture.send(.get, "/v1/manifest?limit=1&x=<y>", token: owner.token)
        #expect(answer[.link] == "</v1/manifest?x=%3Cy%3E&cursor=s1&limit=1>; rel=\"next\"")
    }

    @Test(arguments: [1, 2, 3, 100])
    func listsTheManifestsScenesInPages(_ limit: Int) async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        for name in ["b", "a", "B"] {
            try await fixture.upload(name == "b" ? 1 : name == "a" ? 2 : 3, by: owner, scene: name)
        }
        var names: [String] = []
        var path: String? = "/v1/manifest?limit=\(limit)"
        while let next = path {
            let answer = try await fixture.send(.get, next, token: owner.token)
            let manifest = try answer.json(Wire.Manifest.self)
            #expect(!manifest.scenes.isEmpty && manifest.scenes.count <= limit)
            #expect((answer[.link] == nil) == (manifest.next == nil))
            names += manifest.scenes.map(\.name)
            path = answer[.link].map { String($0.dropFirst().prefix { $0 != ">" }) }
        }
        #expect(names == ["B", "a", "b"])
    }

    @Test func rejectsAnInvalidContext() async throws {
        let fixture = try await ServerFixture()
        let long = String(repeating: "1", count: 65)
        let answer = try await fixture.send(
            .get, "/v1/places?bundleVersion=\(long)", token: try await fixture.join().token)
        #expect(answer.code == .contextInvalid)
    }

    @Test func returnsHeadsAndSettingsInTheManifest() async throws {
        let (fixture, owner, other) = try await ServerFixture().withDevices()
        try await fixture.upload(1, by: owner)
        fixture.clock.advance(.seconds(1))
        let head = try #require(try await fixture.upload(2, by: other)[.revision])
        try await fixture.upload(3, by: owner, scene: "editor")
        let answer = try await fixture.send(.get, "/v1/manifest", token: owner.token)
        let manifest = try answer.json(Wire.Manifest.self)
        #expect(manifest.restoration == .auto)
        #expect(manifest.scenes.map(\.name) == ["editor", "main"])
        #expect(manifest.scenes.map(\.archive) == [ServerFixture.id(3), ServerFixture.id(2)])
        #expect(manifest.scenes.last.map { String($0.head) } == head)
        #expect(manifest.revision == manifest.scenes.map(\.head).max())

        let tag = try #require(answer[.etag])
        let fields = ["If-None-Match: \(tag)"]
        #expect(try await fixture.send(.get, "/v1/manifest", token: owner.token, fields: fields).status == 304)
        var settings = fixture.app.settings
        settings.restoration = .off
        try await fixture.service.apps.replaceSettings(of: fixture.app.id, with: settings)
        let switched = try await fixture.send(.get, "/v1/manifest", token: owner.token, fields: fields)
        #expect(try switched.json(Wire.Manifest.self).restoration == .off)
    }

    @Test func listsChangesAfterARevision() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        for number in 1...5 { try await fixture.upload(number, by: owner) }
        var kinds: [Wire.Change.Kind] = []
        var revisions: [Int64] = []
        var path: String? = "/v1/changes?limit=2"
        while let next = path {
            let answer = try await fixture.send(.get, next, token: owner.token)
            let page = try answer.json(Wire.Page<Wire.Change>.self)
            #expect(page.items.count <= 2)
            kinds += page.items.map(\.kind)
            revisions += page.items.map(\.revision)
            path = answer[.link].map { String($0.dropFirst().prefix { $0 != ">" }) }
        }
        #expect(kinds == [.deviceRegistered] + Array(repeating: .archiveStored, count: 5))
        #expect(revisions == revisions.sorted())
        let last = try #require(revisions.last)
        let none = try await fixture.send(.get, "/v1/changes?after=\(last)", token: owner.token)
        #expect(none.text == #"{"items":[]}"#)
        #expect(none[.revision] == String(last))
        #expect(
            try await fixture.send(.get, "/v1/changes?after=\(last + 1)", token: owner.token).code == .changesPruned)
        #expect(try await fixture.send(.get, "/v1/changes?after=-1", token: owner.token).code == .malformedQuery)
    }

    @Test func storesASnapshotOfAnArchive() async throws {
        let (fixture, owner) = try await ServerFixture(settings: { $0.allowsScreenshots = true }).withDevice()
        try await fixture.upload(1, by: owner)
        let path = "/v1/scenes/main/archives/\(ServerFixture.id(1))/screenshot"
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
        for (bytes, type) in [(Samples.png, "image/png"), (jpeg, "image/jpeg")] {
            #expect(try await fixture.send(.put, path, token: owner.token, body: bytes).status == 204)
            let answer = try await fixture.send(.get, path, token: owner.token)
            #expect(answer.body == bytes)
            #expect(answer[.contentType] == type)
            #expect(answer[.headRevision] != nil)
            let tag = try #require(answer[.etag])
            let again = try await fixture.send(.get, path, token: owner.token, fields: ["If-None-Match: \(tag)"])
            #expect(again.status == 304)
        }
        let missing = path.replacing(ServerFixture.id(1), with: ServerFixture.id(2))
        #expect(try await fixture.send(.put, missing, token: owner.token, body: jpeg).code == .archiveNotFound)
    }
}
