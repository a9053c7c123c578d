import PlacekeeperCore
import PlacekeeperService
import Testing

@testable import placekeeper

@Suite struct AppSettingTests {
    static let changes: [(String, @Sendable (App.Settings) -> Bool)] = [
        ("registration=linkOnly", { $0.registration == .linkOnly }),
        ("registration=token", { $0.registration == .token }),
        ("issuer=https://example.com", { $0.signIn.issuer == "https://example.com" }),
        ("issuer=none", { $0.signIn.issuer == nil }),
        ("audience=a=b", { $0.signIn.audience == "a=b" }),
        ("audience=none", { $0.signIn.audience == nil }),
        ("webOrigins=https://a.example", { $0.webOrigins == ["https://a.example"] }),
        (
            "webOrigins=https://a.example:8443,http://[::1]:5173",
            { $0.webOrigins == ["https://a.example:8443", "http://[::1]:5173"] }
        ),
        ("webOrigins=none", { $0.webOrigins.isEmpty }),
        ("restoration=offer", { $0.restoration == .offer }),
        ("allowsScreenshots=true", { $0.allowsScreenshots }),
        ("retainedArchives=5", { $0.retainedArchives == 5 }),
        ("allowsPlace=false", { !$0.policy.allowsPlace }),
        ("stateVersions=exact", { $0.policy.stateVersions == .exact }),
        ("allowsNewerBundleVersion=true", { $0.policy.allowsNewerBundleVersion }),
        ("minimumBundleVersion=1.2", { $0.policy.minimumBundleVersion == "1.2" }),
        ("minimumBundleVersion=none", { $0.policy.minimumBundleVersion == nil }),
        ("allowsNewerSystemVersion=true", { $0.policy.allowsNewerSystemVersion }),
        ("maximumAge=30m", { $0.policy.maximumAge == TimeSpan(30, .minutes) }),
        ("maximumAge=7d", { $0.policy.maximumAge == .days(7) }),
        ("tokenLifetime=30d", { $0.tokenLifetime == .days(30) }), ("tokenLifetime=none", { $0.tokenLifetime == nil }),
        ("maximumAge=none", { $0.policy.maximumAge == nil }),
        ("deviceBurst=30", { $0.rateLimits.deviceBurst == 30 }),
        ("devicePerSecond=2", { $0.rateLimits.devicePerSecond == 2 }),
        ("userBurst=60", { $0.rateLimits.userBurst == 60 }),
        ("userPerSecond=3", { $0.rateLimits.userPerSecond == 3 }),
        ("appBurst=90", { $0.rateLimits.appBurst == 90 }),
        ("appPerSecond=1000", { $0.rateLimits.appPerSecond == 1000 }),
        ("appPerSecond=none", { $0.rateLimits.appPerSecond == nil }),
        ("registrationBurst=5", { $0.rateLimits.registrationBurst == 5 }),
        ("registrationsPerDay=100", { $0.rateLimits.registrationsPerDay == 100 }),
        ("userBytes=512MiB", { $0.quotas.userBytes == 512 << 20 }),
        ("userBytes=none", { $0.quotas.userBytes == nil }),
        ("anonymousBytes=1001", { $0.quotas.anonymousBytes == 1001 }),
        ("anonymousBytes=3KiB", { $0.quotas.anonymousBytes == 3072 }),
        ("appBytes=5GB", { $0.quotas.appBytes == 5_000_000_000 }),
        ("userArchives=0", { $0.quotas.userArchives == 0 }),
        ("userDevices=5", { $0.quotas.userDevices == 5 }),
        ("userScenes=10000", { $0.quotas.userScenes == 10_000 }),
        ("userScenes=none", { $0.quotas.userScenes == nil }),
        ("appBytes=100GiB", { $0.quotas.appBytes == 100 << 30 }),
        ("appUsers=1000", { $0.quotas.appUsers == 1000 }),
        ("appDevices=none", { $0.quotas.appDevices == nil }),
        ("acceptedIdioms.pad=phone,mac", { $0.policy.acceptedIdioms == ["pad": ["phone", "mac"]] }),
        ("acceptedIdioms.pad=none", { $0.policy.acceptedIdioms.isEmpty }),
    ]

    @Test(arguments: changes)
    func changesAndShowsTheNamedSetting(change: String, holds: @Sendable (App.Settings) -> Bool) throws {
        var settings = App.Settings()
        try AppSetting.apply(change, to: &settings)
        #expect(holds(settings))
        let (key, value) = (change.prefix { $0 != "=" }, change.drop { $0 != "=" }.dropFirst())
        #expect(AppSetting.all.first { $0.key == key }?.show(settings) == String(value))
    }

    @Test(arguments: [
        "restoration", "restoration=", "restoration=on", "retainedArchives=-1", "retainedArchives=1001",
        "retainedArchives=many",
        "allowsPlace=yes", "maximumAge=0d", "tokenLifetime=6d", "tokenLifetime=3651d", "maximumAge=",
        "acceptedIdioms.pad=desk", "acceptedIdioms.pad=",
        "acceptedIdioms.desk=pad", "deviceBurst=0", "appPerSecond=0", "appPerSecond=1000001", "minimumBundleVersion=",
        "nothing=1",
        "userBytes=-1", "userBytes=MiB", "userBytes=1PiB", "userBytes=1G", "userBytes=1.5MiB",
        "appBytes=9223372036854775807GiB",
        "appBytes=2000000000GiB", "userDevices=257", "userDevices=0", "userScenes=0", "userScenes=10001", "appUsers=",
        "userArchives=1KiB",
        "registration=jwt", "issuer=", "audience", "webOrigins=",
        "webOrigins=https://a.example,",
    ])
    func rejectsInvalidSettingsWithoutAChange(change: String) {
        var settings = App.Settings()
        let failure = #expect(throws: CommandFailure.self) { try AppSetting.apply(change, to: &settings) }
        #expect(failure?.exit == .usage)
        #expect(settings == App.Settings())
    }

    @Test func listsEverySettingInTheHelp() {
        for setting in AppSetting.all { #expect(AppSetting.help.contains("  \(setting.key)=")) }
    }
}
