import Foundation
import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperServer

@Suite struct SettingsTests {
    /// An app with a secret key for sign-in tokens, and the API token of an owner.
    private struct World {
        let fixture: ServerFixture
        let token: String
        let path: String

        init() async throws {
            fixture = try await ServerFixture {
                $0.signIn.keys = [
                    ["kty": "oct", "alg": "HS256", "kid": "one", "k": "c2VjcmV0IG9uZQ"],
                    ["kty": "oct", "alg": "HS256", "kid": "two", "k": "c2VjcmV0IHR3bw"],
                ]
            }
            token = try await fixture.apiToken(.owner).text
            path = "/admin/api/apps/\(fixture.app.id)"
        }

        func read() async throws -> Answer { try await fixture.send(.get, path, token: token) }

        func patch(_ json: String, tag: String?) async throws -> Answer {
            try await fixture.send(
                .patch, path + "/settings", token: token, fields: tag.map { ["If-Match: \($0)"] } ?? [],
                body: Array(json.utf8))
        }

        func change(_ json: String) async throws -> Answer {
            try await patch(json, tag: try await read()[.etag])
        }

        var settings: App.Settings {
            get async throws { try await fixture.service.apps.app(.id(fixture.app.id)).settings }
        }
    }

    @Test func changesOnlyTheSettingsOfThePatch() async throws {
        let world = try await World()
        var expected = try await world.settings
        let days = try #require(expected.policy.maximumAge)
        expected.restoration = .offer
        expected.policy.maximumAge = .days(7)
        expected.policy.acceptedIdioms = ["pad": ["phone"]]
        let answer = try await world.change(
            #"{"restoration": "offer", "policy": {"maximumAge": "7d", "acceptedIdioms": {"pad": ["phone"]}}}"#)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(try await world.settings == expected)
        #expect(answer[.etag] == (try await world.read()[.etag]))
        #expect(answer.text == (try await world.read().text))
        let entry = try #require(
            try await world.fixture.service.auditLog.audit(of: world.fixture.app.id, below: nil, limit: 1).first)
        #expect(entry.action == .settingsChanged && entry.actor == .token("check"))
        #expect(
            entry.detail
                == "policy.acceptedIdioms.pad: none to [phone]; policy.maximumAge: \(days) to 7d; restoration: auto to offer"
        )
    }

    @Test func listsTheOriginsOfWebPages() async throws {
        let world = try await World()
        let answer = try await world.change(#"{"webOrigins": ["https://a.example"]}"#)
        #expect(answer.status == 200 && answer.text.contains(#""webOrigins":["https://a.example"]"#), "\(answer.text)")
        #expect(try await world.settings.webOrigins == ["https://a.example"])
        let entry = try await world.fixture.service.auditLog.audit(of: world.fixture.app.id, below: nil, limit: 1).first
        #expect(entry?.detail == "webOrigins: [] to [https://a.example]")
        let refused = try await world.change(#"{"webOrigins": ["https://a.example", "*"]}"#)
        #expect(refused.code == .settingsInvalid && refused.problem?.pointer == "/webOrigins/1")
        #expect(try await world.change(#"{"webOrigins": null}"#).status == 200)
        #expect(try await world.settings.webOrigins.isEmpty)
    }

    @Test func removesALimitByNull() async throws {
        let world = try await World()
        let days = try #require(try await world.settings.policy.maximumAge)
        let answer = try await world.change(
            #"{"policy": {"maximumAge": null}, "quotas": {"userBytes": null}, "allowsScreenshots": null}"#)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(try await world.settings.policy.maximumAge == nil)
        let entry = try await world.fixture.service.auditLog.audit(of: world.fixture.app.id, below: nil, limit: 1).first
        #expect(entry?.detail.contains("policy.maximumAge: \(days) to none") == true, "\(entry?.detail ?? "")")
        #expect(try await world.settings.quotas.userBytes == nil)
        #expect(try await world.settings.quotas.anonymousBytes == App.Settings.Quotas().anonymousBytes)
        #expect(!answer.text.contains("null"))
        #expect(try await world.change(#"{"restoration": "off"}"#).status == 200)
        #expect(try await world.settings.policy.maximumAge == nil)
    }

    @Test func stopsRestoresUntilATime() async throws {
        let world = try await World()
        let stop = """
            {"by":"administrator","idiom":"phone","sourceVersion":"41","until":"2026-11-21T03:40:00.125Z"}
            """
        let answer = try await world.change(#"{"stoppedRestores": [\#(stop), {"idiom": "tv"}]}"#)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer.text.contains(#""stoppedRestores":[\#(stop),{"by":"administrator","idiom":"tv"}]"#))
        let end = Timestamp(milliseconds: 1_795_232_400_125)
        #expect(
            try await world.settings.stoppedRestores == [
                StoppedRestore(sourceVersion: "41", targetVersion: nil, idiom: "phone", until: end, by: .administrator),
                StoppedRestore(sourceVersion: nil, targetVersion: nil, idiom: "tv", by: .administrator),
            ])
        // A patch of another setting keeps the times.
        #expect(try await world.change(#"{"breaker": {"mode": "stop"}}"#).status == 200)
        #expect(try await world.settings.stoppedRestores.first?.until == end.milliseconds)
        #expect(try await world.settings.breaker.mode == .stop)
        #expect(try await world.change(#"{"stoppedRestores": null}"#).status == 200)
        #expect(try await world.settings.stoppedRestores.isEmpty)
    }

    @Test func letsAnOperatorStopAndAllowRestores() async throws {
        let world = try await World()
        let token = try await world.fixture.apiToken(.operator).text
        func put(_ json: String) async throws -> Answer {
            try await world.fixture.send(
                .put, world.path + "/stopped-restores", token: token,
                fields: ["If-Match: \(try #require(try await world.read()[.etag]))"], body: Array(json.utf8))
        }
        let stop = #"{"by":"administrator","idiom":"phone","sourceVersion":"41"}"#
        let stopped = try await put(#"{"stoppedRestores": [\#(stop), {"idiom": "tv"}], "restoration": "off"}"#)
        #expect(stopped.status == 200 && stopped.text.contains(stop), "\(stopped.text)")
        #expect(try await world.settings.stoppedRestores.map(\.idiom) == ["phone", "tv"])
        #expect(try await world.settings.restoration == .auto, "operators change no other setting")
        #expect(try await put(#"{"stoppedRestores": [{"idiom": "tv"}]}"#).status == 200)
        #expect(try await put(#"{"stoppedRestores": [{"idiom": "toaster"}]}"#).code == .settingsInvalid)
        #expect(try await put(#"{"stoppedRestores": null}"#).code == .invalidBody)
        let viewer = try await world.fixture.apiToken(.viewer).text
        let refused = try await world.fixture.send(
            .put, world.path + "/stopped-restores", token: viewer, fields: ["If-Match: *"],
            body: Array(#"{"stoppedRestores": []}"#.utf8))
        #expect(refused.code == .roleInsufficient)
        let entries = try await world.fixture.service.auditLog.audit(of: world.fixture.app.id, below: nil, limit: 9)
        #expect(entries.map(\.action) == [.restoresAllowed, .restoresStopped, .restoresStopped])
        let phones = "archives of version 41 on a phone with any version"
        #expect(entries.map(\.detail) == [phones, "archives of any version on a tv with any version", phones])
    }

    @Test func needsThePresentEntityTag() async throws {
        let world = try await World()
        let read = try await world.read()
        let first = try #require(read[.etag])
        let missing = try await world.patch(#"{"restoration": "off"}"#, tag: nil)
        #expect(missing.status == 428 && missing.code == .preconditionRequired)
        #expect(try await world.patch(#"{"restoration": "off"}"#, tag: "W/" + first).status == 412)
        #expect(try await world.patch(#"{"restoration": "offer"}"#, tag: first).status == 200)
        let stale = try await world.patch(#"{"restoration": "off"}"#, tag: first)
        #expect(stale.status == 412 && stale.code == .settingsChanged)
        #expect(stale[.etag] == (try await world.read()[.etag]))
        #expect(stale[.etag] != first)
        #expect(try await world.settings.restoration == .offer)
    }

    /// The usage of the app does not change the tag. A new secret does, although no answer has the secret.
    @Test func tagsTheSettingsAlone() async throws {
        let world = try await World()
        let first = try await world.read()
        _ = try await world.fixture.join()
        let second = try await world.read()
        #expect(first[.etag] == second[.etag] && first.text != second.text)
        var settings = try await world.settings
        settings.signIn.keys[0]["k"] = "b3RoZXI"
        try await world.fixture.service.apps.replaceSettings(of: world.fixture.app.id, with: settings)
        #expect(try await world.read()[.etag] != first[.etag])
    }

    @Test func keepsTheSecretsOfKeys() async throws {
        let world = try await World()
        let keys = try await world.settings.signIn.keys
        #expect(!(try await world.read().text.contains("c2VjcmV0")))
        #expect(try await world.change(#"{"signIn": {"issuer": "https://example.com"}}"#).status == 200)
        #expect(try await world.settings.signIn.keys == keys)
        let answer = try await world.change(#"{"signIn": {"keys": [{"kty": "oct", "alg": "HS256", "kid": "two"}]}}"#)
        #expect(answer.status == 200 && !answer.text.contains("c2VjcmV0"), "\(answer.text)")
        #expect(try await world.settings.signIn.keys == [keys[1]])
        for patch in [
            #"{"signIn": {"keys": [{"kty": "oct", "alg": "HS256", "kid": "new", "k": "eHg"}]}}"#,
            #"{"signIn": {"keysFile": "/etc/passwd"}}"#,
        ] {
            let refused = try await world.change(patch)
            #expect(refused.status == 422 && refused.code == .invalidBody, "\(refused.text)")
        }
        #expect(try await world.settings.signIn.keys == [keys[1]])
    }

    @Test(arguments: [
        (#"{"restoration": "never"}"#, ProblemCode.invalidBody, "/restoration"),
        (#"{"retainedArchives": "20"}"#, .invalidBody, "/retainedArchives"),
        (#"{"retainedArchives": 1e999}"#, .invalidBody, "/retainedArchives"),
        (#"{"retainedArchive": 20}"#, .invalidBody, "/retainedArchive"),
        (#"{"policy": {"maximumAge": 20}}"#, .invalidBody, "/policy/maximumAge"),
        (#"{"policy": 3}"#, .invalidBody, "/policy"),
        (#"{"retainedArchives": 0}"#, .settingsInvalid, ""),
        (#"{"policy": {"acceptedIdioms": {"pad": ["toaster"]}}}"#, .settingsInvalid, ""),
        (#"{"breaker": {"mode": "panic"}}"#, .invalidBody, "/breaker/mode"),
        (#"{"breaker": {"limit": 1}}"#, .invalidBody, "/breaker/limit"),
        (#"{"breaker": {"failurePercent": 0}}"#, .settingsInvalid, "/breaker/failurePercent"),
        (#"{"breaker": {"failurePercent": 101}}"#, .settingsInvalid, "/breaker/failurePercent"),
        (#"{"breaker": {"minimumUsers": 0}}"#, .settingsInvalid, "/breaker/minimumUsers"),
        (#"{"breaker": {"windowHours": 721}}"#, .settingsInvalid, "/breaker/windowHours"),
        (#"{"stoppedRestores": [{}]}"#, .invalidBody, "/stoppedRestores/0/idiom"),
        (#"{"stoppedRestores": [{"idiom": "pad", "by": "me"}]}"#, .invalidBody, "/stoppedRestores/0/by"),
        (#"{"stoppedRestores": [{"idiom": "pad", "version": "1"}]}"#, .invalidBody, "/stoppedRestores/0/version"),
        (#"{"stoppedRestores": [{"idiom": "pad", "until": "soon"}]}"#, .invalidBody, "/stoppedRestores/0/until"),
        (#"{"stoppedRestores": [{"idiom": "toaster"}]}"#, .settingsInvalid, "/stoppedRestores/0/idiom"),
        (
            #"{"stoppedRestores": [{"idiom": "pad"}, {"idiom": "pad", "targetVersion": "x"}]}"#, .settingsInvalid,
            "/stoppedRestores/1/targetVersion"
        ),
        (
            "{\"stoppedRestores\": [\(String(repeating: #"{"idiom": "pad"},"#, count: 32)){\"idiom\": \"pad\"}]}",
            .settingsInvalid, "/stoppedRestores"
        ),
        ("[]", .invalidBody, "/"), ("{", .malformedJSON, ""),
    ])
    func refusesInvalidSettings(_ patch: String, _ code: ProblemCode, _ pointer: String) async throws {
        let world = try await World()
        let before = try await world.settings
        let log = try await world.fixture.service.auditLog.audit(of: world.fixture.app.id, below: nil, limit: 9).count
        let answer = try await world.change(patch)
        #expect(answer.code == code, "\(answer.text)")
        #expect(answer.problem?.pointer ?? "" == pointer)
        #expect(try await world.settings == before)
        #expect(
            try await world.fixture.service.auditLog.audit(of: world.fixture.app.id, below: nil, limit: 9).count == log)
    }

    /// A change that another process makes while the request runs is not lost.
    @Test func refusesSettingsThatChangeDuringTheRequest() async throws {
        let world = try await World()
        var app = try await world.fixture.service.apps.app(.id(world.fixture.app.id))
        app.settings.allowsScreenshots = true
        var other = app.settings
        other.restoration = .off
        let isReplaced = try await world.fixture.service.apps.replaceSettings(
            of: app, with: other, changing: ["restoration"], by: .command("test"))
        #expect(!isReplaced)
        #expect(try await world.settings.restoration == .auto)
    }

    @Test func acceptsOneOfManyChangesThatBeginWithTheSameSettings() async throws {
        let world = try await World()
        let tag = try await world.read()[.etag]
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 1...32 {
                group.addTask {
                    try await world.patch(#"{"retainedArchives": \#(number + 20)}"#, tag: tag).status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 200 } == 1 && statuses.count { $0 == 412 } == 31)
    }

    @Test func addsAnAppOnce() async throws {
        let world = try await World()
        let body = ["bundleIdentifier": "com.example.new"]
        let created = try await world.fixture.send(.post, "/admin/api/apps", token: world.token, json: body)
        #expect(created.status == 201, "\(created.text)")
        let location = try #require(created[.location])
        #expect(try await world.fixture.send(.get, location, token: world.token).text == created.text)
        let id = try #require(AppID(String(location.suffix(36))))
        let log = try await world.fixture.service.auditLog.audit(of: id, below: nil, limit: 9)
        #expect(log.map(\.action) == [.appCreated])
        let again = try await world.fixture.send(.post, "/admin/api/apps", token: world.token, json: body)
        #expect(again.status == 409 && again.code == .appExists)
    }
}
