import Foundation
import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperMatching
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperServer

@Suite struct IdentityBrowsingTests {
    @Test func explainsTheAnswerOfADeviceOrOfANewDevice() async throws {
        let world = try await AdminWorld()
        let token = try await world.fixture.apiToken(.operator).text
        func explain(_ query: String) async throws -> Answer {
            try await world.fixture.send(.get, world.user.path + "/scenes/main/explanation" + query, token: token)
        }
        // The phone last reported version 42.
        let phone = try await explain("?device=\(world.user.phone.device)").json(Wire.Explanation.self)
        #expect(phone.asked.bundleVersion == "42" && phone.asked.idiom == .phone)
        #expect(!phone.candidates.isEmpty)
        let own = try await world.fixture.send(
            .get, "/v1/scenes/main/archives/latest/explanation?bundleVersion=42",
            token: world.user.phone.token
        ).json(Wire.Explanation.self)
        #expect(phone == own)
        let new = try await explain("?idiom=pad&bundleVersion=41").json(Wire.Explanation.self)
        #expect(new.served != nil && new.asked.idiom == .pad)
        #expect(new.candidates.allSatisfy { $0.reasons.contains { $0.code == "bundle-version-newer" } })
        #expect(new.candidates.last?.fidelity == .place)
        #expect(try await explain("").code == .malformedQuery)
        #expect(try await explain("?device=\(ServerFixture.id(9))").code == .deviceNotFound)
    }

    /// An explanation serves nothing: the device may not report an outcome of the archive.
    @Test func servesNothingByExplaining() async throws {
        let world = try await AdminWorld()
        _ = try await world.send("explainScene", as: .operator)
        let outcome = try await world.fixture.send(
            .post, "/v1/scenes/main/archives/\(ServerFixture.id(2))/outcomes", token: world.user.pad.token,
            json: ["result": "restored", "idiom": "pad"])
        #expect(outcome.code == .outcomeNotServed)
    }

    @Test func listsDataSourcesAndItems() async throws {
        let world = try await AdminWorld()
        let sources = try await world.send("listUsersDataSources", as: .viewer).items
        #expect(sources.count == 1 && sources[0]["name"] as? String == "photos")
        #expect(sources[0]["scope"] as? String == "registered")
        #expect(sources[0]["selectsNeighbors"] as? Bool == false && sources[0]["uniqueAliases"] as? [String] == [])
        let registrations = try #require(sources[0]["registrations"] as? [[String: Any]])
        #expect(registrations.count == 2 && registrations.allSatisfy { $0["count"] as? Int == 1 })
        let upserts = (2...5).map { #"{"identifier": "p\#($0)"}"# }.joined(separator: ",")
        try await world.fixture.change(#"{"upserts": [\#(upserts)]}"#, by: world.user.phone)
        let token = try await world.fixture.apiToken(.operator).text
        let path = world.user.photos + "/items?limit=2&device=\(world.user.phone.device)"
        var names: [String] = []
        var target: String? = path
        while let next = target {
            let answer = try await world.fixture.send(.get, next, token: token)
            names += try answer.items.compactMap { $0["identifier"] as? String }
            target = try answer.tree["next"].map { path + "&cursor=\($0)" }
        }
        #expect(names.count == 5 && Set(names) == ["secret-p1", "p2", "p3", "p4", "p5"])
        #expect(try await world.fixture.send(.get, world.user.photos + "/items", token: token).code == .malformedQuery)
        let unknown = world.user.path + "/data-sources/albums/items?device=\(world.user.phone.device)"
        #expect(try await world.fixture.send(.get, unknown, token: token).code == .dataSourceUnknown)
    }

    @Test func listsAmbiguousAliasesInPages() async throws {
        let world = try await AdminWorld()
        let items = (1...4).map { #"{"identifier": "secret-r\#($0)", "aliases": ["secret-b\#($0 / 3)"]}"# }
        try await world.fixture.change(#"{"upserts": [\#(items.joined(separator: ","))]}"#, by: world.user.phone)
        let token = try await world.fixture.apiToken(.operator).text
        let path = world.user.photos + "/ambiguous-aliases"
        let first = try await world.fixture.send(.get, path + "?limit=1", token: token).tree
        let next = try #require(first["next"] as? String)
        let last = try await world.fixture.send(.get, path + "?limit=1&cursor=\(next)", token: token).tree
        #expect(last["next"] == nil)
        let found = try [first, last].flatMap { try #require($0["items"] as? [[String: Any]]) }
        #expect(Set(found.map { $0["alias"] as? String }) == ["secret-b0", "secret-b1"])
        #expect(found.allSatisfy { $0["device"] as? String == world.user.phone.device })
        let named = found.flatMap { $0["identifiers"] as? [String] ?? [] }
        #expect(named.sorted() == ["secret-r1", "secret-r2", "secret-r3", "secret-r4"])
        let redacted = try await world.send("listAmbiguousAliases", as: .viewer)
        #expect(try redacted.items.count == 2 && !redacted.text.contains("secret"))
        #expect(try await world.fixture.send(.get, path + "?cursor=x", token: token).code == .malformedQuery)
    }

    @Test func explainsWhatEachDeviceCallsAnItem() async throws {
        let world = try await AdminWorld()
        let explained = try await world.send("explainItem", as: .operator).json(Wire.ReferenceExplanation.self)
        #expect(
            Dictionary(uniqueKeysWithValues: explained.members.map { ($0.item.device.id, $0.item.identifier) })
                == [world.user.phone.device: "secret-p1", world.user.pad.device: "secret-q1"])
        #expect(explained.members.last?.sharedAliases == ["secret-a"])
        #expect(explained.members.compactMap(\.decision).map(\.note) == ["checked"])
        let token = try await world.fixture.apiToken(.operator).text
        let items = world.user.photos + "/items/"
        let pad = try await world.fixture.send(
            .get, items + "secret-p1?device=\(world.user.phone.device)&for=\(world.user.pad.device)", token: token
        ).json(Wire.ReferenceExplanation.self)
        #expect(pad.identifier == "secret-q1" && pad.step == .alias && pad.decided)
        let unknown = try await world.fixture.send(
            .get, items + "p9?device=\(world.user.phone.device)", token: token)
        #expect(unknown.status == 404 && unknown.code == .itemNotFound, "\(unknown.text)")
    }

    @Test func decidesAndUndecides() async throws {
        let world = try await AdminWorld()
        let token = try await world.fixture.apiToken(.operator).text
        let decisions = world.user.photos + "/decisions"
        let (first, second) = ("\(world.user.phone.device):secret-p1", "\(world.user.pad.device):secret-q1")
        let decided = try await world.fixture.send(
            .post, decisions, token: token,
            json: ["kind": "different", "first": first, "second": second, "note": "a copy"])
        #expect(decided.status == 201, "\(decided.text)")
        let listed = try await world.fixture.send(.get, decisions, token: token).items
        #expect(listed.count == 1)
        #expect(NSDictionary(dictionary: listed[0]) == NSDictionary(dictionary: try decided.tree))
        #expect(listed[0]["kind"] as? String == "different" && listed[0]["note"] as? String == "a copy")
        // The decision takes effect at once.
        let resolved = try await world.fixture.resolve(["secret-p1"], of: world.user.phone.device, by: world.user.pad)
        #expect(try resolved.json(Wire.Resolutions.self).results.first?.identifier == nil, "\(resolved.text)")
        let query = "?first=\(first)&second=\(second)"
        #expect(try await world.fixture.send(.delete, decisions + query, token: token).status == 204)
        #expect(try await world.fixture.send(.delete, decisions + query, token: token).code == .decisionNotFound)
        #expect(try await world.log().prefix(3).map(\.detail) == ["taken back", "taken back", "decisions"])
        for (kind, one, other, code) in [
            ("equal", first, second, ProblemCode.invalidBody), ("same", "p1", second, .linkInvalid),
            ("same", first, first, .linkInvalid), ("same", "\(ServerFixture.id(9)):x", second, .linkInvalid),
        ] {
            let refused = try await world.fixture.send(
                .post, decisions, token: token, json: ["kind": kind, "first": one, "second": other])
            #expect(refused.status == 422 && refused.code == code, "\(refused.text)")
        }
    }

    @Test func listsWhetherADecisionHasEnded() async throws {
        let world = try await AdminWorld()
        #expect(try await world.send("listDecisions", as: .operator).items.map { $0["hasEnded"] as? Bool } == [false])
        for aliases in [#"["secret-c"]"#, #"["secret-d"]"#] {
            let upsert = #"{"upserts": [{"identifier": "secret-p1", "aliases": \#(aliases)}]}"#
            world.fixture.clock.advance(.seconds(1))
            try await world.fixture.change(upsert, by: world.user.phone)
        }
        #expect(try await world.send("listDecisions", as: .operator).items.map { $0["hasEnded"] as? Bool } == [true])
    }

    @Test func decidesAboutRedactedIdentifiers() async throws {
        let world = try await AdminWorld()
        try await world.showContents(false)
        let listed = try #require(try await world.send("listDecisions", as: .operator).items.first)
        func item(_ member: String) throws -> String {
            let item = try #require(listed[member] as? [String: String])
            return "\(try #require(item["device"])):\(try #require(item["identifier"]))"
        }
        let query = "?first=\(try item("first"))&second=\(try item("second"))".replacing("#", with: "%23")
        let token = try await world.fixture.apiToken(.operator).text
        let answer = try await world.fixture.send(.delete, world.user.photos + "/decisions" + query, token: token)
        #expect(answer.status == 204, "\(answer.text)")
    }

    @Test func listsDecisionsInPages() async throws {
        let world = try await AdminWorld()
        let list = ItemList(owner: try world.ownerOfData, dataSource: "photos")
        let devices = [world.user.phone.device, world.user.pad.device].compactMap { DeviceID($0) }
        for number in 0..<4 {
            try await world.fixture.service.lists.decide(
                .same, ItemName(device: devices[0], identifier: "a\(number)"),
                ItemName(device: devices[1], identifier: "b\(number)"), note: "\(number)", in: list)
            world.fixture.clock.advance(.seconds(1))
        }
        let token = try await world.fixture.apiToken(.operator).text
        var notes: [String] = []
        var target: String? = world.user.photos + "/decisions?limit=2"
        while let next = target {
            let answer = try await world.fixture.send(.get, next, token: token)
            notes += try answer.items.compactMap { $0["note"] as? String }
            target = try answer.tree["next"].map { world.user.photos + "/decisions?limit=2&cursor=\($0)" }
        }
        #expect(notes == ["checked", "0", "1", "2", "3"])
    }
}
