import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService
import Testing

@testable import PlacekeeperServer

/// Tests of resolving another device's identifiers, and of the rights that a device needs for it.
@Suite struct ResolvingTests {
    /// Two devices of one user, a device of another user, and a device of another app, all with items of `photos`.
    private struct Cast {
        let fixture: ServerFixture
        let phone: Member
        let pad: Member
        let stranger: Member
        let otherApp: Member

        init() async throws {
            fixture = try await ServerFixture()
            phone = try await fixture.join()
            pad = try await fixture.join("pad", with: phone)
            stranger = try await fixture.join()
            otherApp = try await fixture.join(
                app: try await fixture.service.apps.createApp("com.example.other").publishableKey)
            for member in [phone, otherApp] { try await fixture.declare(by: member) }
            try await fixture.change(
                #"{"upserts": [{"identifier": "a1", "aliases": ["one"]}, {"identifier": "a2", "aliases": ["two"]}]}"#,
                by: phone)
            try await fixture.change(#"{"upserts": [{"identifier": "b1", "aliases": ["one"]}]}"#, by: pad)
            for member in [stranger, otherApp] {
                try await fixture.change(#"{"upserts": [{"identifier": "s1", "aliases": ["one", "two"]}]}"#, by: member)
            }
        }
    }

    private func found(_ answer: Answer) throws -> [String] {
        try answer.json(Wire.Resolutions.self).results.map {
            "\($0.source) \($0.identifier ?? "nil") \($0.step.rawValue) \($0.confidence)\($0.ambiguous ? " ambiguous" : "")"
        }
    }

    @Test func encodesAnyIdentifierAsValidJSON() throws {
        let names = [
            "", "p1", "a\"b\\c", "\u{0}\u{7}\u{1F}\n\t", "é 🖼 \u{2028}\u{7F}", "</script>", "x-coredata://A/p12",
        ]
        var results: [Wire.Resolution] = []
        for (index, name) in names.enumerated() {
            for step in Wire.ResolutionStep.known {
                results.append(
                    Wire.Resolution(
                        source: name, identifier: index.isMultiple(of: 2) ? names[names.count - 1 - index] : nil,
                        step: step, confidence: [0, 0.25, 0.5, 0.8, 0.95, 1][index % 6], ambiguous: index > 3))
            }
        }
        for count in [0, 1, results.count] {
            let body = Wire.Resolutions(results: Array(results.prefix(count)))
            #expect(try JSONBody.decode(Wire.Resolutions.self, from: body.json, depth: 8) == body)
        }
    }

    @Test func resolvesIdentifiersOfAnotherDevice() async throws {
        let cast = try await Cast()
        let asked = ["a2", "a1", "a3", "a1"]
        let answer = try await cast.fixture.resolve(asked, of: cast.phone.device, by: cast.pad)
        #expect(
            try found(answer) == [
                "a2 nil pending 0.0", "a1 b1 alias 0.997", "a3 nil unresolved 0.0", "a1 b1 alias 0.997",
            ])
        #expect(answer.text.contains(#""identifier":null"#), "nothing found is said outright")
        let own = try await cast.fixture.resolve(["a1"], of: cast.phone.device, by: cast.phone)
        #expect(try found(own) == ["a1 a1 exact 1.0"])
        #expect(try found(try await cast.fixture.resolve([], of: cast.phone.device, by: cast.pad)) == [])
    }

    /// A device knows its own list best, so the service contradicts the device only by the device's registration.
    @Test func resolvesTheRequestingDevicesOwnIdentifiers() async throws {
        let cast = try await Cast()
        let items = ["a3", "a4", "a5"].map { #"{"identifier": "\#($0)", "aliases": ["of \#($0)"]}"# }
        try await cast.fixture.change(#"{"upserts": [\#(items.joined(separator: ","))]}"#, by: cast.phone)
        try await cast.fixture.change(
            #"""
            {"upserts": [{"identifier": "a6", "aliases": ["of a5"]}], "removals": ["a4", "a5"],
             "redirects": [{"from": "a3", "to": "a1"}]}
            """#, by: cast.phone)
        let asked = ["a1", "a3", "a4", "a5", "a9"]
        let own = try await cast.fixture.resolve(asked, of: cast.phone.device, by: cast.phone)
        #expect(
            try found(own) == [
                "a1 a1 exact 1.0", "a3 a1 exact 1.0", "a4 a4 exact 1.0", "a5 a6 alias 0.997", "a9 a9 exact 1.0",
            ])
    }

    @Test func marksAResultWithSeveralMatchesAsAmbiguous() async throws {
        let cast = try await Cast()
        try await cast.fixture.change(#"{"upserts": [{"identifier": "a4", "aliases": ["x", "y"]}]}"#, by: cast.phone)
        try await cast.fixture.change(
            #"{"upserts": [{"identifier": "b4", "aliases": ["x"]}, {"identifier": "b5", "aliases": ["y"]}]}"#,
            by: cast.pad)
        let answer = try await cast.fixture.resolve(["a4"], of: cast.phone.device, by: cast.pad)
        #expect(try found(answer).map { $0.hasSuffix("alias 0.5 ambiguous") } == [true])
    }

    @Test func rejectsInvalidQuestions() async throws {
        let cast = try await Cast()
        let refusals: [([String], ProblemCode, String?)] = [
            (["a1", ""], .identifierInvalid, "/identifiers/1"), (["a\n"], .identifierInvalid, "/identifiers/0"),
            ([String(repeating: "x", count: 513)], .identifierInvalid, "/identifiers/0"),
            ([String](repeating: "a", count: Limits.deltaItems + 1), .deltaTooLarge, nil),
        ]
        for (identifiers, code, pointer) in refusals {
            let answer = try await cast.fixture.resolve(identifiers, of: cast.phone.device, by: cast.pad)
            #expect(answer.code == code)
            #expect(answer.problem?.pointer == pointer)
        }
        let most = [String](repeating: "a", count: Limits.deltaItems)
        #expect(try await cast.fixture.resolve(most, of: cast.phone.device, by: cast.pad).status == 200)
        for (body, pointer) in [("{}", "/device"), (#"{"device": "x", "identifiers": "a"}"#, "/identifiers")] {
            let answer = try await cast.fixture.send(
                .post, "/v1/data-sources/photos/resolve", token: cast.pad.token, body: Array(body.utf8))
            #expect(answer.code == .invalidBody)
            #expect(answer.problem?.pointer == pointer)
        }
    }

    /// The response for another user's device is byte for byte the same as for a missing device.
    @Test func hidesDevicesOfOtherUsers() async throws {
        let cast = try await Cast()
        for requestingDevice in [cast.stranger, cast.otherApp] {
            let known = try await cast.fixture.resolve(["a1"], of: cast.phone.device, by: requestingDevice)
            let unknown = try await cast.fixture.resolve(["a1"], of: ServerFixture.id(99), by: requestingDevice)
            let nonsense = try await cast.fixture.resolve(["a1"], of: "self", by: requestingDevice)
            #expect(known.code == .deviceNotFound)
            #expect(known.comparable == unknown.comparable)
            #expect(known.comparable == nonsense.comparable)
        }
    }

    @Test func doesNotMatchItemsOfOtherUsers() async throws {
        let cast = try await Cast()
        // The other users' items share every alias with the phone's items, but do not match them.
        let answer = try await cast.fixture.resolve(["a1", "a2"], of: cast.phone.device, by: cast.pad)
        #expect(try found(answer).map { $0.contains("s1") } == [false, false])
        for requestingDevice in [cast.stranger, cast.otherApp] {
            let registered = try await cast.fixture.registered(by: requestingDevice)
            #expect(registered.state?.count == 1)
            #expect(registered.items.map(\.identifier) == ["s1"])
        }
        try await cast.fixture.change(#"{"removals": ["a1", "s1"]}"#, by: cast.stranger)
        #expect(try await cast.fixture.registration(of: cast.phone)?.count == 2)
        #expect(try await cast.fixture.registration(of: cast.otherApp)?.count == 1)
    }

    @Test func keepsTheItemsOfARevokedDevice() async throws {
        let cast = try await Cast()
        let before = try await cast.fixture.resolve(["a1", "a2"], of: cast.phone.device, by: cast.pad)
        let revoked = try await cast.fixture.send(
            .delete, "/v1/devices/\(cast.phone.device)", token: cast.pad.token)
        #expect(revoked.status == 204)
        let after = try await cast.fixture.resolve(["a1", "a2"], of: cast.phone.device, by: cast.pad)
        #expect(after.text == before.text)
        let stranger = try await cast.fixture.resolve(["a1"], of: cast.phone.device, by: cast.stranger)
        #expect(stranger.code == .deviceNotFound)
    }

    @Test func reportsAFailureOfTheStore() async throws {
        let cast = try await Cast()
        cast.fixture.store.fail(with: .unavailable)
        #expect(try await cast.fixture.resolve(["a1"], of: cast.phone.device, by: cast.pad).code == .storeUnavailable)
        let failed = try await cast.fixture.change(#"{"removals": ["a1"]}"#, by: cast.phone)
        #expect(failed.code == .storeUnavailable)
        cast.fixture.store.fail(with: nil)
        #expect(try await cast.fixture.registration(of: cast.phone)?.count == 2)
    }
}
