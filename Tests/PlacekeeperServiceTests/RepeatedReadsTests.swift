import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperService

@Suite struct RepeatedReadsTests {
    private func look(
        _ second: Int, _ detail: String = "timeline", by actor: Auditor = .administrator("anna"),
        _ action: AuditAction = .shown, about subject: UInt64 = 1
    ) -> AuditEntry {
        AuditEntry(
            app: nil, at: Timestamp(milliseconds: Int64(second) * 1000), actor: actor, action: action,
            subject: Digest(subject, 0, 0, 0), detail: detail)
    }

    /// Returns the entries that the log gets.
    private func log(_ entries: [AuditEntry], takeAt second: Int) -> [String] {
        var looks = RepeatedReads()
        var log: [AuditEntry] = []
        for entry in entries where !looks.count(entry) {
            log.append(entry)
            looks.remember(entry)
        }
        log += looks.take(at: Timestamp(milliseconds: Int64(second) * 1000))
        return log.map { "\($0.at.milliseconds / 1000) \($0.actor.text) \($0.action.rawValue) \($0.detail)" }
    }

    @Test func countsTheRepeatsOfALook() {
        #expect(
            log([look(1), look(2), look(3), look(4)], takeAt: 60)
                == ["1 administrator anna shown timeline", "4 administrator anna shown timeline repeated 3"])
    }

    @Test func addsNothingForTheNextPagesOfALook() {
        var looks = RepeatedReads()
        // Without a first page, the next page is the first.
        let isFirstCounted = looks.count(look(1), by: 0)
        looks.remember(look(1))
        let isNextCounted = looks.count(look(2), by: 0)
        let entries = looks.take(at: Timestamp(milliseconds: 60_000))
        #expect(!isFirstCounted && isNextCounted && entries.isEmpty)
    }

    @Test func storesALookAgainAfterFiveMinutes() {
        #expect(
            log([look(1), look(300), look(301)], takeAt: 310) == [
                "1 administrator anna shown timeline", "301 administrator anna shown timeline",
                "300 administrator anna shown timeline repeated 1",
            ])
    }

    @Test func storesALookWhenTheClockRanBack() {
        #expect(log([look(100), look(50)], takeAt: 60).count == 2)
    }

    @Test func storesLooksOfOtherCallersAtOtherSubjectsAndWithOtherDetails() {
        let entries = [
            look(1), look(2, "archive 1"), look(3, by: .administrator("ben")), look(4, by: .token("anna")),
            look(5, about: 2), look(6, by: .administrator("anna"), .searched),
        ]
        #expect(log(entries, takeAt: 10).count == entries.count)
    }

    /// Somebody who asks for a thousand invented archives adds no thousand entries.
    @Test func countsLooksBeyondThirtyDetails() {
        let entries = log((1...250).map { look($0, "archive \($0)") }, takeAt: 260)
        #expect(entries.count == 31 && entries.last?.hasSuffix("repeated 220") == true)
    }

    /// Invented archives hide no look at another kind of data, and no look at the content of an archive.
    @Test func storesLooksOfOtherKindsAndAllContents() {
        let invented = (1...50).map { look($0, "archive \($0)") }
        let contents = (51...150).map { look($0, "content \($0)") } + [look(151, "content 51")]
        let entries = log(invented + contents, takeAt: 200)
        #expect(entries.count == 30 + 100 + 2)
        #expect(entries.suffix(2).allSatisfy { $0.contains(" repeated ") })
    }

    @Test func storesEveryChangeAndEveryActionOfACommand() {
        let entries = [
            look(1, by: .administrator("anna"), .headMade), look(2, by: .administrator("anna"), .headMade),
            look(3, by: .command("root")), look(4, by: .command("root")), look(5, by: .user), look(6, by: .user),
        ]
        #expect(log(entries, takeAt: 10).count == entries.count)
    }

    @Test func remembersALimitedNumberOfLooks() {
        let entries = (0..<5000).flatMap { [look(1, about: UInt64($0)), look(2, about: UInt64($0))] }
        // The looks beyond the limit are stored, each of them.
        #expect(log(entries, takeAt: 10).count == 4096 * 2 + 904 * 2)
    }

    @Test func keepsTheCountsThatTheStoreDidNotTake() async throws {
        let store = FaultyStore()
        let fixture = try await ServiceFixture(store: store.intercepted)
        for _ in 0..<3 {
            try await fixture.service.auditLog.record(.usersListed, by: .administrator("anna"), in: fixture.app.id)
        }
        store.faults.withLock { $0.writes = StoreError(.full, "full") }
        await #expect(throws: ServiceError.self) { try await fixture.service.upkeep.flush() }
        store.faults.withLock { $0.writes = nil }
        try await fixture.service.upkeep.flush()
        let details = try await fixture.service.auditLog.audit(of: fixture.app.id, below: nil, limit: 9)
            .filter { $0.action == .usersListed }.map(\.detail)
        #expect(details == ["repeated 2", ""])
    }
}
