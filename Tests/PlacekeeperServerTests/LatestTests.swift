import PlacekeeperTestSupport
import PlacekeeperHTTP
import PlacekeeperAPI
import Testing

@testable import PlacekeeperServer

@Suite struct LatestTests {
    private static let phone = "/v1/scenes/main/archives/latest?idiom=phone&bundleVersion=42&systemVersion=17.4"

    @Test func servesTheStateToAnotherPhone() async throws {
        let (fixture, maker, requestingDevice) = try await ServerFixture().withDevices()
        let stored = try await fixture.upload(1, by: maker)
        #expect(stored.status == 201)
        #expect(stored[.headRevision] == stored[.revision])

        let answer = try await fixture.send(.get, Self.phone, token: requestingDevice.token)
        #expect(answer.status == 200)
        #expect(answer.body == (try Samples.archive(1)))
        #expect(answer[.contentType] == "application/x-plist")
        #expect(answer[.fidelity] == "full")
        #expect(answer[.superseded] == nil)
        #expect(answer[.servedArchive] == ServerFixture.id(1))
        #expect(answer[.servedDevice] == maker.device)
        #expect(answer[.headRevision] == stored[.headRevision])
        #expect(answer[.revision] == stored[.revision])
        #expect(answer[.cacheControl] == "private, no-cache")
        #expect(answer[.vary] == "Authorization, Accept")
        #expect(answer[.contentTypeOptions] == "nosniff")
    }

    @Test func answersHEADLikeGETWithoutCountingItAsServed() async throws {
        let (fixture, maker, requestingDevice) = try await ServerFixture().withDevices()
        try await fixture.upload(1, by: maker)
        let archive = "/v1/scenes/main/archives/\(ServerFixture.id(1))"
        let report = { (result: String) in
            try await fixture.send(
                .post, archive + "/outcomes", token: requestingDevice.token,
                json: ["result": result, "idiom": "phone", "bundleVersion": "42", "launch": "first"])
        }
        let byName = archive + "/restorable?idiom=phone&bundleVersion=42"
        let names: [FieldName] = [
            .etag, .headRevision, .revision, .servedArchive, .servedDevice, .fidelity, .cacheControl, .vary,
        ]
        for target in [Self.phone, byName] {
            let looked = try await fixture.send(.head, target, token: requestingDevice.token)
            #expect(looked.status == 200)
            #expect(try await report("restored").code == .outcomeNotServed, "\(target)")
            let tag = try #require(looked[.etag])
            #expect(
                try await fixture.send(.head, target, token: requestingDevice.token, fields: ["If-None-Match: \(tag)"])
                    .status
                    == 304)
            #expect(try await report("restored").code == .outcomeNotServed, "\(target)")
        }
        let looked = try await fixture.send(.head, Self.phone, token: requestingDevice.token)
        let taken = try await fixture.send(.get, Self.phone, token: requestingDevice.token)
        #expect(names.map { looked[$0] } == names.map { taken[$0] })
        #expect(try await report("began").status == 204)
        for (field, status) in [("Launch-Id: first", 200), ("Launch-Id: second", 406)] {
            let answer = try await fixture.send(.head, Self.phone, token: requestingDevice.token, fields: [field])
            #expect(answer.status == status, "\(field)")
        }
        let stillServed = try await fixture.send(.get, Self.phone, token: maker.token)
        #expect(stillServed.status == 200, "looking is no launch, so the restore may still be going on")
    }

    @Test func answers304ForAMatchingEntityTag() async throws {
        let (fixture, maker, requestingDevice) = try await ServerFixture().withDevices()
        let head = try #require(try await fixture.upload(1, by: maker)[.headRevision])
        let tag = try #require(try await fixture.send(.get, Self.phone, token: requestingDevice.token)[.etag])
        for condition in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
            let answer = try await fixture.send(
                .get, Self.phone, token: requestingDevice.token, fields: ["If-None-Match: \(condition)"])
            #expect(answer.status == 304)
            #expect(answer.body.isEmpty)
            #expect(answer[.etag] == tag)
            #expect(answer[.headRevision] == head)
            #expect(answer[.cacheControl] == "private, no-cache")
            #expect(answer[.vary] == "Authorization, Accept")
            #expect(answer[.contentType] == nil)
        }
        let other = try await fixture.send(
            .get, Self.phone, token: requestingDevice.token, fields: ["If-None-Match: \"x\""])
        #expect(other.status == 200)
    }

    /// Each response with an archive, and each 304, says whether the archive is the scene's head.
    @Test func saysThatAnArchiveIsNotTheHead() async throws {
        let (fixture, maker, other) = try await ServerFixture().withDevices()
        try await fixture.upload(1, by: maker)
        let archive = "/v1/scenes/main/archives/\(ServerFixture.id(1))"
        let paths = [
            Self.phone + "&device=self", Self.phone + "&device=\(maker.device)", archive,
            archive + "/restorable?idiom=phone&bundleVersion=42",
        ]
        for path in paths {
            let answer = try await fixture.send(.get, path, token: maker.token)
            #expect(answer.status == 200 && answer[.superseded] == nil, "\(path)")
        }
        // The entity tag of the upload.
        let uploaded = try #require(try await fixture.send(.get, archive, token: maker.token)[.etag])
        fixture.clock.advance(.seconds(90))
        let head = try #require(try await fixture.upload(2, by: other)[.revision])
        for path in paths {
            let answer = try await fixture.send(.get, path, token: maker.token)
            #expect(answer.status == 200 && answer[.revision] != head, "\(path)")
            #expect(answer[.superseded] == "\(head); seconds=90", "\(path)")
            #expect(answer[.headRevision] == head)
            let tag = try #require(answer[.etag])
            for method in [Method.get, .head] {
                let held = try await fixture.send(
                    method, path, token: maker.token, fields: ["If-None-Match: \(tag)"])
                #expect(held.status == 304 && held[.superseded] == "\(head); seconds=90", "\(path)")
            }
        }
        let own = try await fixture.send(
            .get, paths[0], token: maker.token, fields: ["If-None-Match: \(uploaded)"])
        #expect(own.status == 200, "a client that holds its own archive learns that it is not the head")
        let place = try await fixture.send(
            .get, paths[0], token: maker.token, fields: ["Accept: application/json"])
        #expect(place[.superseded] == "\(head); seconds=90")
        let newer = try place.json(Wire.RestorablePlace.self).superseded
        #expect(newer == .init(head: try #require(Int64(head)), seconds: 90))
        let placeTag = try #require(place[.etag])
        let heldPlace = try await fixture.send(
            .get, paths[0], token: maker.token, fields: ["Accept: application/json", "If-None-Match: \(placeTag)"])
        #expect(heldPlace.status == 304 && heldPlace[.superseded] == "\(head); seconds=90")
        #expect(try await fixture.send(.get, Self.phone, token: maker.token)[.superseded] == nil)
    }

    @Test func servesThePlaceToAPad() async throws {
        let (fixture, maker, pad) = try await ServerFixture().withDevices("phone", "pad")
        try await fixture.upload(1, by: maker)
        // Without an idiom in the query, the service uses the idiom of the device's registration.
        let path = "/v1/scenes/main/archives/latest?bundleVersion=42&systemVersion=17.4"
        let answer = try await fixture.send(.get, path, token: pad.token)
        #expect(answer.status == 200)
        #expect(answer[.fidelity] == "place")
        #expect(try await fixture.send(.get, path + "&idiom=phone", token: pad.token)[.fidelity] == "full")
    }

    @Test func explainsWhyNothingMayBeRestored() async throws {
        let (fixture, maker, pad) = try await ServerFixture().withDevices("phone", "pad")
        let head = try #require(try await fixture.upload(1, by: maker, place: nil)[.headRevision])
        let path = "/v1/scenes/main/archives/latest"
        let query = "?idiom=pad&bundleVersion=42&systemVersion=17.4"
        let answer = try await fixture.send(.get, path + query, token: pad.token)
        #expect(answer.code == .nothingCompatible)
        #expect(answer[.headRevision] == head)
        let candidate = try #require(answer.problem?.candidates?.first)
        #expect(candidate.archive.id == ServerFixture.id(1))
        #expect(candidate.fidelity == .none)
        #expect(candidate.reasons.map(\.code).contains("idiom-not-accepted"))
        #expect(candidate.reasons.map(\.code).contains("no-place"))

        let explanation = try await fixture.send(.get, path + "/explanation" + query, token: pad.token)
        #expect(explanation.status == 200)
        #expect(explanation[.headRevision] == head)
        let told = try explanation.json(Wire.Explanation.self)
        #expect(told.served == nil)
        #expect(told.asked.idiom == .pad)
        #expect(told.candidates == [candidate])
    }

    @Test func marksAServedArchiveBelowTheHead() async throws {
        let (fixture, maker, requestingDevice) = try await ServerFixture().withDevices()
        try await fixture.upload(1, by: maker)
        fixture.clock.advance(.seconds(90))
        let head = try #require(try await fixture.upload(2, by: maker)[.headRevision])
        #expect(
            try await fixture.send(.get, Self.phone, token: requestingDevice.token)[.servedArchive]
                == ServerFixture.id(2))
        let crashed = try await fixture.send(
            .post, "/v1/scenes/main/archives/\(ServerFixture.id(2))/outcomes", token: requestingDevice.token,
            json: ["result": "crashed", "idiom": "phone", "bundleVersion": "42", "systemVersion": "17.4"])
        #expect(crashed.status == 204)
        #expect(crashed[.headRevision] == head)
        let answer = try await fixture.send(.get, Self.phone, token: requestingDevice.token)
        #expect(answer[.servedArchive] == ServerFixture.id(1))
        #expect(answer[.superseded] == "\(head); seconds=90")
        #expect(answer[.headRevision] == head)
    }

    @Test func servesOnlyArchivesOfTheRequestedDevice() async throws {
        let (fixture, first, second) = try await ServerFixture().withDevices()
        try await fixture.upload(1, by: first)
        fixture.clock.advance(.seconds(1))
        try await fixture.upload(2, by: second)
        func served(_ device: String) async throws -> Answer {
            try await fixture.send(.get, Self.phone + "&device=\(device)", token: first.token)
        }
        #expect(try await served("self")[.servedArchive] == ServerFixture.id(1))
        #expect(try await served(first.device)[.servedArchive] == ServerFixture.id(1))
        #expect(try await served(second.device)[.servedArchive] == ServerFixture.id(2))
        #expect(try await served(ServerFixture.id(9)).code == .nothingStored)
        #expect(try await served("other").code == .malformedQuery)
    }

    @Test func servesOneArchiveByThePolicy() async throws {
        let (fixture, maker, pad) = try await ServerFixture().withDevices("phone", "pad")
        try await fixture.upload(1, by: maker)
        let path = "/v1/scenes/main/archives/\(ServerFixture.id(1))/restorable?bundleVersion=42&systemVersion=17.4"
        let answer = try await fixture.send(.get, path, token: pad.token)
        #expect(answer.status == 200)
        #expect(answer[.fidelity] == "place")
        let tag = try #require(answer[.etag])
        let again = try await fixture.send(.get, path, token: pad.token, fields: ["If-None-Match: \(tag)"])
        #expect(again.status == 304)
        #expect(try await fixture.send(.get, path.replacing("=42", with: "=1"), token: pad.token)[.fidelity] == "place")
        try await fixture.upload(2, by: maker, place: nil)
        let other = path.replacing(ServerFixture.id(1), with: ServerFixture.id(2))
        #expect(try await fixture.send(.get, other, token: pad.token).code == .nothingCompatible)
    }

    @Test func servesTheStoredBytesByID() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        try await fixture.upload(1, by: owner)
        let path = "/v1/scenes/main/archives/\(ServerFixture.id(1))"
        let answer = try await fixture.send(.get, path, token: owner.token)
        #expect(answer.body == (try Samples.archive(1)))
        #expect(answer[.contentType] == "application/x-plist")
        let tag = try #require(answer[.etag])
        let again = try await fixture.send(.get, path, token: owner.token, fields: ["If-None-Match: \(tag)"])
        #expect(again.status == 304)
        #expect(again[.headRevision] == answer[.headRevision])
    }
}
