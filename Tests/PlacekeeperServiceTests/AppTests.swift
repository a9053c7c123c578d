import PlacekeeperCore
import PlacekeeperService
import Testing

struct AppTests {
    @Test func findsAppByPublishableKeyAndInList() async throws {
        let fixture = try await ServiceFixture()
        #expect(fixture.app.publishableKey.hasPrefix("pk_") && fixture.app.publishableKey.utf8.count == 25)
        #expect(try await fixture.service.apps.app(.publishableKey(fixture.app.publishableKey)) == fixture.app)
        #expect(try await fixture.service.apps.apps() == [fixture.app])
    }

    @Test func rejectsDuplicateBundleIdentifier() async throws {
        let fixture = try await ServiceFixture()
        let error = await #expect(throws: ServiceError.self) {
            try await fixture.service.apps.createApp("com.example.photos")
        }
        #expect(error?.code == .appExists)
    }

    @Test(arguments: ["", "photos", ".com", "com.", "com..photos", "com.exa mple", "com.éxample", "com.a_b", "com/a.b"])
    func rejectsInvalidBundleIdentifier(_ text: String) async throws {
        let fixture = try await ServiceFixture()
        let error = await #expect(throws: ServiceError.self) { try await fixture.service.apps.createApp(text) }
        #expect(error?.code == .bundleIdentifierInvalid)
    }

    @Test(arguments: ["a.b", "com.example.Photos-2", "com." + String(repeating: "a", count: 151)])
    func acceptsValidBundleIdentifier(_ text: String) async throws {
        let fixture = try await ServiceFixture()
        #expect(try await fixture.service.apps.createApp(text).bundleIdentifier == text)
    }

    static let invalid: [@Sendable (inout App.Settings) -> Void] = [
        { $0.policy.acceptedIdioms = ["pad": ["glasses"]] }, { $0.policy.acceptedIdioms = ["ipad": []] },
        { $0.policy.maximumAge = .days(36_501) }, { $0.tokenLifetime = .days(6) }, { $0.tokenLifetime = .days(3651) },
        { $0.retainedArchives = 0 },
        { $0.retainedArchives = 1001 }, { $0.policy.minimumBundleVersion = "1\n" },
        { $0.signIn.issuer = "" }, { $0.signIn.audience = String(repeating: "x", count: 256) },
        { $0.signIn.issuer = "a\u{7}" }, { $0.signIn.keysFile = "keys.json" }, { $0.signIn.keysFile = "/a\0b" },
        { $0.signIn.keys = [[String: String]](repeating: [:], count: 101) },
        { $0.rateLimits.deviceBurst = 0 }, { $0.rateLimits.devicePerSecond = 0 },
        { $0.rateLimits.userBurst = 1_000_001 },
        { $0.rateLimits.userPerSecond = -1 }, { $0.rateLimits.appBurst = 0 }, { $0.rateLimits.appPerSecond = 0 },
        { $0.rateLimits.registrationBurst = 0 }, { $0.rateLimits.registrationsPerDay = 0 },
        { $0.quotas.userBytes = -1 }, { $0.quotas.appBytes = (1 << 60) + 1 }, { $0.quotas.userArchives = -1 },
        { $0.quotas.userDevices = 0 }, { $0.quotas.userDevices = 257 },
        { $0.quotas.userScenes = 0 }, { $0.quotas.userScenes = 10_001 }, { $0.quotas.appUsers = 1_000_000_001 },
    ]

    @Test(arguments: invalid.indices) func rejectsInvalidSettings(_ index: Int) async throws {
        let fixture = try await ServiceFixture()
        var settings = App.Settings()
        Self.invalid[index](&settings)
        let error = await #expect(throws: ServiceError.self) {
            try await fixture.service.apps.replaceSettings(of: fixture.app.id, with: settings)
        }
        #expect(error?.code == .settingsInvalid)
        #expect(try await fixture.service.apps.app(.id(fixture.app.id)).settings == App.Settings())
    }

    @Test(arguments: [0, 36_500]) func acceptsMaximumAgeAtItsLimits(_ days: Int) async throws {
        let fixture = try await ServiceFixture()
        var settings = App.Settings()
        settings.policy.maximumAge = .days(days)
        _ = try await fixture.service.apps.replaceSettings(of: fixture.app.id, with: settings)
        #expect(try await fixture.service.apps.app(.id(fixture.app.id)).settings.policy.maximumAge == .days(days))
    }

    @Test func rejectsSettingsOfUnknownApp() async throws {
        let fixture = try await ServiceFixture()
        let error = await #expect(throws: ServiceError.self) {
            try await fixture.service.apps.replaceSettings(of: AppID(high: 9, low: 9), with: App.Settings())
        }
        #expect(error?.code == .appUnknown)
    }
}
