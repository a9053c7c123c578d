import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperService

/// Tests of the breaker with the service and its store.
struct BreakerTests {
    /// Ten established users. Each user has an archive of version 41, and a phone that was served the archive.
    private struct World {
        let fixture: ServiceFixture
        var phones: [Principal] = []
        /// Whether all phones are in one network.
        var isOneNetwork = false

        init(_ mode: App.Settings.Breaker.Mode = .stop, store: FaultyStore = FaultyStore()) async throws {
            fixture = try await ServiceFixture(store: store.intercepted) { $0.breaker.mode = mode }
            for number in 1...10 as ClosedRange<UInt64> {
                let (author, phone) = try await fixture.pair()
                phones.append(phone)
                try await fixture.upload(number, by: author) { $0.bundleVersion = "41" }
                _ = try await fixture.latest(for: phone)
            }
            for _ in 0..<2 {
                try await report(.restored, of: 0..<10)
                fixture.clock.advance(.seconds(4 * 86_400))
            }
        }

        func report(_ result: Outcome.Result, of numbers: Range<Int>) async throws {
            for number in numbers {
                try await fixture.report(
                    result, of: UInt64(number) + 1, by: phones[number], from: isOneNetwork ? "one" : "\(number)")
            }
            try await fixture.service.upkeep.flush()
        }

        var settings: App.Settings {
            get async throws { try await fixture.service.apps.app(.id(fixture.app.id)).settings }
        }

        /// The audit log's actions of the breaker, the newest first.
        var actions: [AuditAction] {
            get async throws {
                try await fixture.service.auditLog.audit(of: fixture.app.id, below: nil, limit: 100)
                    .filter { $0.actor == .breaker }.map(\.action)
            }
        }
    }

    @Test func tellsOperatorsOnce() async throws {
        let world = try await World(.alert)
        #expect(try await world.fixture.service.health.judgeRestores().isEmpty)
        try await world.report(.restored, of: 0..<10)
        try await world.report(.crashed, of: 0..<4)
        #expect(try await world.fixture.service.health.judgeRestores().isEmpty)
        try await world.report(.failed, of: 4..<5)
        let line = "com.example.photos: 5 of 10 users could not restore archives of version 41 on version 42 (phone)"
        #expect(try await world.fixture.service.health.judgeRestores() == [line])
        #expect(try await world.fixture.service.health.judgeRestores().isEmpty)
        #expect(try await world.actions == [.restoresFailing])
        #expect(try await world.settings.stoppedRestores.isEmpty)
        let entry = try await world.fixture.service.auditLog.audit(of: world.fixture.app.id, below: nil, limit: 1).first
        #expect(entry?.detail == "41 42 phone" && entry?.subject == nil)
        try await world.fixture.service.upkeep.flush()
        let now = world.fixture.clock.now()
        let events = try await world.fixture.store.counts(from: now, to: now).filter { $0.key.name == "breaker" }
        #expect(events.map(\.key.label) == ["alert"] && events.map(\.value) == [1])
    }

    @Test func hasAnAlertUntilAnOperatorStopsTheRestores() async throws {
        let world = try await World(.alert)
        let service = world.fixture.service
        try await world.report(.restored, of: 0..<5)
        try await world.report(.crashed, of: 5..<10)
        _ = try await service.health.judgeRestores()
        let alert = Alert(
            .restoresFailing, "com.example.photos: version 41 on version 42 (phone)",
            "5 of 10 users could not restore archives of version 41 on version 42 (phone).")
        #expect(service.alerts.changes(by: world.fixture.clock).map(\.alert) == [alert])
        _ = try await service.health.judgeRestores()
        #expect(service.alerts.changes(by: world.fixture.clock).isEmpty)
        var settings = try await world.settings
        settings.stoppedRestores = [
            StoppedRestore(sourceVersion: "41", targetVersion: "42", idiom: "phone", by: .administrator)
        ]
        try await service.apps.replaceSettings(of: world.fixture.app.id, with: settings)
        _ = try await service.health.judgeRestores()
        #expect(try await world.fixture.latest(for: world.phones[0].refreshed(world.fixture)).refusals != nil)
        world.fixture.clock.advance(AlertBook.quietTime)
        _ = try await service.health.judgeRestores()
        let end = try #require(service.alerts.changes(by: world.fixture.clock).first)
        #expect(end.alert == alert && end.endedAt == world.fixture.clock.now())
        #expect(service.alerts.current.isEmpty)
    }

    @Test func hasAnAlertWhileTheBreakerStopsRestores() async throws {
        let world = try await World()
        let service = world.fixture.service
        try await world.report(.crashed, of: 0..<10)
        _ = try await service.health.judgeRestores()
        #expect(service.alerts.current.map(\.alert.kind) == [.restoresStopped])
        #expect(service.upkeep.eventMetrics.filter { $0.name == "breaker_pairs" }.map(\.value) == [0, 1])
        // An operator allows the restores again.
        var settings = try await world.settings
        settings.stoppedRestores = []
        settings.breaker.mode = .off
        try await service.apps.replaceSettings(of: world.fixture.app.id, with: settings)
        _ = try await service.health.judgeRestores()
        world.fixture.clock.advance(AlertBook.quietTime)
        #expect(service.alerts.changes(by: world.fixture.clock).last?.endedAt != nil)
        #expect(service.alerts.current.isEmpty)
    }

    @Test func stopsRestoresForAnHourAndThenCountsNewReports() async throws {
        let world = try await World()
        let (fixture, service) = (world.fixture, world.fixture.service)
        try await world.report(.crashed, of: 0..<10)
        #expect(try await service.health.judgeRestores().count == 2)
        let stop = StoppedRestore(
            sourceVersion: "41", targetVersion: "42", idiom: "phone", until: fixture.clock.now() + .seconds(3600),
            by: .breaker)
        #expect(try await world.settings.stoppedRestores == [stop])
        #expect(try await world.actions == [.restoresStopped, .restoresFailing])
        #expect(try await fixture.latest(for: world.phones[0].refreshed(fixture)).refusals != nil)
        fixture.clock.advance(.seconds(3599))
        #expect(try await service.health.judgeRestores().isEmpty)
        #expect(try await world.settings.stoppedRestores == [stop])
        fixture.clock.advance(.seconds(1))
        #expect(try await service.health.judgeRestores().isEmpty)
        #expect(try await world.settings.stoppedRestores.isEmpty)
        // The failures before the stop count no more, also in another process. Two failures stop the restores again, for a
        // day.
        try await world.report(.restored, of: 0..<8)
        try await world.report(.failed, of: 8..<9)
        #expect(try await service.health.judgeRestores().isEmpty)
        try await world.report(.failed, of: 9..<10)
        let now = fixture.clock.now()
        #expect(
            try await service.health.judgeRestores().last
                == "com.example.photos: restores of archives of version 41 on version 42 (phone) are stopped for a day")
        #expect(try await world.settings.stoppedRestores.map(\.until) == [(now + .seconds(86_400)).milliseconds])
    }

    /// One client may register many users.
    @Test func stopsNothingForTheReportsOfOneNetwork() async throws {
        var world = try await World()
        world.isOneNetwork = true
        try await world.report(.crashed, of: 0..<10)
        #expect(try await world.fixture.service.health.judgeRestores().count == 1, "the operators are told")
        #expect(try await world.actions == [.restoresFailing])
        #expect(try await world.settings.stoppedRestores.isEmpty)
    }

    @Test func keepsTheStopsOfAdministrators() async throws {
        let world = try await World()
        let own = StoppedRestore(sourceVersion: "1", targetVersion: nil, idiom: "tv", by: .administrator)
        let over = StoppedRestore(
            sourceVersion: "2", targetVersion: nil, idiom: "tv", until: world.fixture.clock.now(), by: .administrator)
        try await world.fixture.change { $0.stoppedRestores = [own, over] }
        try await world.report(.crashed, of: 0..<10)
        _ = try await world.fixture.service.health.judgeRestores()
        #expect(try await world.settings.stoppedRestores.map(\.sourceVersion) == ["1", "41"])
    }

    /// The failures are judged again if they could not be judged, or if the service starts again.
    @Test func judgesAgainAfterAFault() async throws {
        let store = FaultyStore()
        let world = try await World(.alert, store: store)
        try await world.report(.crashed, of: 0..<10)
        store.faults.withLock { $0.writes = StoreError(.full, "no room") }
        await #expect(throws: ServiceError.self) { try await world.fixture.service.health.judgeRestores() }
        store.faults.withLock { $0.writes = nil }
        #expect(try await world.fixture.service.health.judgeRestores().count == 1)
        let next = RestorationService(
            store: store.intercepted, clock: world.fixture.clock, random: SeededRandom(seed: 2),
            hashing: SpreadingHash())
        #expect(try await next.health.judgeRestores().isEmpty, "the operators were told by the earlier process")
    }

    @Test func readsTheLogOnlyAfterNewFailures() async throws {
        let store = FaultyStore()
        let world = try await World(.alert, store: store)
        _ = try await world.fixture.service.health.judgeRestores()
        let before = store.asked("restoreLog(_:of:below:limit:)").count
        try await world.report(.restored, of: 0..<10)
        _ = try await world.fixture.service.health.judgeRestores()
        #expect(store.asked("restoreLog(_:of:below:limit:)").count == before)
        try await world.report(.crashed, of: 0..<1)
        _ = try await world.fixture.service.health.judgeRestores()
        #expect(store.asked("restoreLog(_:of:below:limit:)").count > before)
    }
}

extension Principal {
    /// Returns the caller with the present settings of its app.
    func refreshed(_ fixture: ServiceFixture) async throws -> Principal {
        Principal(app: try await fixture.service.apps.app(.id(app.id)), device: device)
    }
}
