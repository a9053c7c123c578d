import PlacekeeperCore
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperService

struct RestoreHealthTests {
    private static func report(
        _ user: UInt64, _ result: Outcome.Result, at seconds: Int = 0, path: String? = nil, milliseconds: Int? = nil,
        target: String? = "42"
    ) -> RestoreReport {
        RestoreReport(
            at: Fixture.start + .seconds(seconds),
            owner: UserKey(app: Fixture.owner.app, user: UserID(high: 0, low: user)),
            device: DeviceID(high: 0, low: user), scene: "main", archive: ArchiveID(high: 0, low: 1), result: result,
            path: path, duration: milliseconds.map { .milliseconds($0) },
            source: Context(idiom: .phone, bundleVersion: "41"), target: Context(idiom: .pad, bundleVersion: target))
    }

    @Test func groupsRestoresByVersionsAndIdioms() throws {
        let health = RestoreHealth([
            Self.report(1, .restored, milliseconds: 100), Self.report(1, .restored, milliseconds: 300),
            Self.report(2, .restored, milliseconds: 200), Self.report(2, .failed, milliseconds: 9000),
            Self.report(2, .crashed), Self.report(3, .restored, target: nil),
        ])
        #expect(health.reportCount == 6 && health.restores.count == 2)
        let worst = try #require(health.restores.first)
        #expect(worst.counts == [.restored: 3, .failed: 1, .crashed: 1])
        #expect(worst.users.count == 2 && worst.failingUsers.count == 1 && worst.medianMilliseconds == 200)
        #expect(worst.versions.source.bundleVersion == "41" && worst.versions.source.idiom == .phone)
        #expect(worst.versions.target.bundleVersion == "42" && worst.versions.target.idiom == .pad)
        #expect(health.restores[1].versions.target.bundleVersion == nil)
        #expect(health.restores[1].medianMilliseconds == nil)
    }

    @Test func listsThePathsWithTheMostUsersFirst() {
        let health = RestoreHealth([
            Self.report(1, .failed, at: 9, path: "a"), Self.report(1, .crashed, at: 8, path: "a"),
            Self.report(1, .failed, at: 7, path: "b"), Self.report(2, .failed, at: 6, path: "b"),
            Self.report(3, .restored, at: 5, path: "c"), Self.report(3, .failed, at: 4),
        ])
        #expect(health.paths.map(\.path) == ["b", "a"])
        #expect(health.paths.map(\.failures) == [2, 2] && health.paths.map(\.users.count) == [2, 1])
        #expect(health.paths.map(\.lastAt) == [Fixture.start + .seconds(7), Fixture.start + .seconds(9)])
    }

    @Test func limitsItsLists() {
        let reports = (0..<200).map { number in
            Self.report(UInt64(number), .failed, at: -number, path: "path \(number)", target: "\(number)")
        }
        let health = RestoreHealth(reports)
        #expect(health.restores.count == 100 && health.paths.count == 50)
        #expect(health.failures.map(\.at) == reports.prefix(50).map(\.at))
    }

    @Test func tellsWhetherTheLogLacksReports() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        try await fixture.upload(1, by: phone)
        for result in Outcome.Result.allCases { try await fixture.report(result, of: 1, by: phone) }
        let now = fixture.clock.now()
        try await fixture.service.upkeep.flush()
        let whole = try await fixture.service.health.restoreHealth(
            of: fixture.app, since: now - .seconds(3600), at: now)
        #expect(whole.health.reportCount == 3 && !whole.isSample)
        fixture.service.hourlyCounters.count("outcome", "crashed", app: fixture.app.id, at: now)
        try await fixture.service.upkeep.flush()
        let sample = try await fixture.service.health.restoreHealth(
            of: fixture.app, since: now - .seconds(3600), at: now)
        #expect(sample.isSample)
    }

    @Test func leavesOutReportsBeforeItsTime() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        try await fixture.upload(1, by: phone)
        try await fixture.report(.failed, of: 1, by: phone)
        fixture.clock.advance(.seconds(7200))
        try await fixture.report(.restored, of: 1, by: phone)
        try await fixture.service.upkeep.flush()
        let now = fixture.clock.now()
        let found = try await fixture.service.health.restoreHealth(
            of: fixture.app, since: now - .seconds(3600), at: now)
        #expect(found.health.reportCount == 1 && found.health.failures.isEmpty)
    }
}
