import Foundation
import PlacekeeperCore
import Testing

@testable import PlacekeeperService

@Suite struct AppCodingTests {
    @Test func decodesMissingMembersAsDefaults() throws {
        let stored = #"{"restoration": "offer", "policy": {"allowsPlace": false}}"#
        var expected = App.Settings()
        expected.restoration = .offer
        expected.policy.allowsPlace = false
        #expect(try JSONDecoder().decode(App.Settings.self, from: Data(stored.utf8)) == expected)

        let limits = #"{"rateLimits": {"appPerSecond": 9}}"#
        expected = App.Settings()
        expected.rateLimits.appPerSecond = 9
        #expect(try JSONDecoder().decode(App.Settings.self, from: Data(limits.utf8)) == expected)

        let quotas = #"{"quotas": {"userBytes": null, "appUsers": 9}}"#
        expected = App.Settings()
        expected.quotas.userBytes = nil
        expected.quotas.appUsers = 9
        #expect(try JSONDecoder().decode(App.Settings.self, from: Data(quotas.utf8)) == expected)
    }

    @Test func decodesBreakersAndStoppedRestores() throws {
        let stored = #"{"breaker": {"mode": "stop"}, "stoppedRestores": [{"idiom": "pad"}]}"#
        var expected = App.Settings()
        expected.breaker.mode = .stop
        expected.stoppedRestores = [
            StoppedRestore(sourceVersion: nil, targetVersion: nil, idiom: "pad", by: .administrator)
        ]
        #expect(try JSONDecoder().decode(App.Settings.self, from: Data(stored.utf8)) == expected)
        let breaker = App.Settings().breaker
        #expect(breaker.mode == .alert && breaker.failurePercent == 10)
        #expect(breaker.minimumUsers == 10 && breaker.windowHours == 24)
    }

    @Test func ignoresUnknownMembers() throws {
        let stored = #"{"holograms": true, "retainedArchives": 7}"#
        #expect(try JSONDecoder().decode(App.Settings.self, from: Data(stored.utf8)).retainedArchives == 7)
    }

    @Test(arguments: [nil, 1, 365])
    func decodesEveryEncodedSetting(limit: Int?) throws {
        var settings = App.Settings()
        settings.policy.acceptedIdioms = ["pad": ["pad", "phone"]]
        settings.policy.stateVersions = .exact
        settings.policy.allowsNewerBundleVersion = true
        settings.policy.minimumBundleVersion = "4.2"
        settings.policy.allowsNewerSystemVersion = true
        settings.policy.maximumAge = limit.map { TimeSpan($0, .minutes) }
        settings.registration = .token
        settings.tokenLifetime = limit.map(TimeSpan.days)
        settings.webOrigins = ["https://a.example", "http://localhost:5173"]
        settings.signIn.issuer = "https://example.com"
        settings.signIn.audience = "photos"
        settings.signIn.keysFile = "/var/lib/keys.json"
        settings.signIn.keys = [["kty": "oct", "k": "c2VjcmV0"]]
        settings.allowsScreenshots = true
        settings.breaker.mode = .off
        settings.breaker.failurePercent = 1
        settings.breaker.minimumUsers = 2
        settings.breaker.windowHours = 3
        settings.stoppedRestores = [
            StoppedRestore(
                sourceVersion: "1", targetVersion: limit.map { "\($0)" }, idiom: "pad",
                until: Timestamp(milliseconds: 5), by: .breaker)
        ]
        settings.rateLimits.deviceBurst = 1
        settings.rateLimits.devicePerSecond = 2
        settings.rateLimits.userBurst = 3
        settings.rateLimits.userPerSecond = 4
        settings.rateLimits.appBurst = 5
        settings.rateLimits.appPerSecond = limit
        settings.rateLimits.registrationBurst = 6
        settings.rateLimits.registrationsPerDay = 7
        settings.quotas.userBytes = 8
        settings.quotas.anonymousBytes = nil
        settings.quotas.userArchives = limit
        settings.quotas.userDevices = 9
        settings.quotas.userScenes = 11
        settings.quotas.appBytes = nil
        settings.quotas.appUsers = 10
        settings.quotas.appDevices = limit
        let stored = try JSONEncoder().encode(settings)
        #expect(try JSONDecoder().decode(App.Settings.self, from: stored) == settings)
    }

    @Test(arguments: [("30", TimeSpan.days(30)), ("null", nil)] as [(String, TimeSpan?)])
    func readsTheMaximumAgeOfEarlierSettings(_ days: String, _ span: TimeSpan?) throws {
        let stored = #"{"policy": {"maximumAgeDays": \#(days)}}"#
        #expect(try JSONDecoder().decode(App.Settings.self, from: Data(stored.utf8)).policy.maximumAge == span)
    }

    @Test(arguments: ["", "d", "30", "-1d", "1.5h", "1w", "1234567890s", "٣d", " 3d"])
    func refusesATimeSpan(_ text: String) { #expect(TimeSpan(text) == nil) }

    @Test(arguments: [("30m", 1800), ("12h", 43_200), ("7d", 604_800), ("90s", 90)] as [(String, Int64)])
    func readsATimeSpan(_ text: String, _ seconds: Int64) throws {
        let span = try #require(TimeSpan(text))
        #expect(span.duration == .seconds(seconds) && span.description == text)
    }

    @Test func removesTheSecretsOfKeysForOutput() {
        var settings = App.Settings.SignIn()
        settings.keys = [
            ["kty": "oct", "kid": "a", "k": "c2VjcmV0", "d": "1"], ["kty": "RSA", "n": "1", "e": "AQAB"],
        ]
        #expect(settings.withoutSecrets.keys == [["kty": "oct", "kid": "a"], ["kty": "RSA", "n": "1", "e": "AQAB"]])
    }

    @Test func rejectsMemberOfWrongType() {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(App.Settings.self, from: Data(#"{"retainedArchives": "many"}"#.utf8))
        }
    }
}
