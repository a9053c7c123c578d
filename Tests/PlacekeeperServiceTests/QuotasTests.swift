import PlacekeeperCore
import Testing

@testable import PlacekeeperService

struct QuotasTests {
    struct Row: Sendable, CustomStringConvertible {
        var description: String
        var quotas: @Sendable (inout App.Settings.Quotas) -> Void
        var growth: Usage
        var stored = QuotaFacts(
            user: Usage(bytes: 10, archives: 10), app: Usage(bytes: 20, archives: 20, devices: 5, users: 3))
        var expected: QuotaExcess?
    }

    static let rows: [Row] = [
        Row(
            description: "a user's bytes up to the limit", quotas: { $0.userBytes = 15 }, growth: Usage(bytes: 5)),
        Row(
            description: "a user's bytes beyond the limit", quotas: { $0.userBytes = 15 }, growth: Usage(bytes: 6),
            expected: QuotaExcess(.userBytes, limit: 15, used: 10)),
        Row(
            description: "an anonymous user's bytes", quotas: { ($0.anonymousBytes, $0.userBytes) = (12, 11) },
            growth: Usage(bytes: 3), expected: QuotaExcess(.anonymousBytes, limit: 12, used: 10)),
        Row(
            description: "an anonymous user also has the limit of all users",
            quotas: { ($0.anonymousBytes, $0.userBytes) = (20, 12) },
            growth: Usage(bytes: 3), expected: QuotaExcess(.userBytes, limit: 12, used: 10)),
        Row(
            description: "a user with an account has no limit for anonymous users", quotas: { $0.anonymousBytes = 12 },
            growth: Usage(bytes: 3), stored: QuotaFacts(user: Usage(bytes: 10), isSignedIn: true)),
        Row(
            description: "a user's archives", quotas: { $0.userArchives = 10 }, growth: Usage(archives: 1),
            expected: QuotaExcess(.userArchives, limit: 10, used: 10)),
        Row(
            description: "an app's bytes", quotas: { ($0.userBytes, $0.appBytes) = (30, 21) }, growth: Usage(bytes: 2),
            expected: QuotaExcess(.appBytes, limit: 21, used: 20)),
        Row(
            description: "an app's users", quotas: { $0.appUsers = 3 }, growth: Usage(users: 1),
            expected: QuotaExcess(.appUsers, limit: 3, used: 3)),
        Row(
            description: "an app's devices", quotas: { $0.appDevices = 5 }, growth: Usage(devices: 1),
            expected: QuotaExcess(.appDevices, limit: 5, used: 5)),
        Row(
            description: "no growth above all limits",
            quotas: { quotas in
                (quotas.userBytes, quotas.anonymousBytes, quotas.userArchives, quotas.appBytes) = (0, 0, 0, 0)
                (quotas.appUsers, quotas.appDevices) = (0, 0)
            }, growth: Usage(bytes: -1, archives: 0)),
        Row(
            description: "a negative limit in damaged settings", quotas: { $0.userBytes = .min },
            growth: Usage(bytes: 1), expected: QuotaExcess(.userBytes, limit: 0, used: 10)),
    ]

    @Test(arguments: rows) func findsTheQuotaThatAWriteExceeds(_ row: Row) {
        var quotas = App.Settings.Quotas.none
        row.quotas(&quotas)
        #expect(quotas.excess(adding: row.growth, to: row.stored) == row.expected)
    }

    @Test(arguments: [(nil, 256), (300, 256), (5, 5)] as [(Int?, Int)])
    func neverAllowsMoreDevicesThanTheLimitOfTheService(quota: Int?, expected: Int) {
        var quotas = App.Settings.Quotas()
        quotas.userDevices = quota
        #expect(quotas.devices == expected)
    }
}
