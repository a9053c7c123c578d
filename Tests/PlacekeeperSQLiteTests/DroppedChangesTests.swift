@testable import PlacekeeperCore
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperSQLite
@testable import PlacekeeperService

/// Checks the rows of changes that no reader can ask for any more.
struct DroppedChangesTests {
    private let directory: DataDirectory
    private let store: SQLiteStore

    init() throws {
        directory = try DataDirectory()
        store = try directory.open()
    }

    /// Logs changes of a user in one transaction.
    private func log(_ count: Int, of owner: UserKey = owner()) async throws {
        let rule = Rule(for: owner) { work throws(Interruption) in
            let user = try work.known(owner)
            work.create(user, at: at(0))
            for _ in 0..<count { work.log(.deviceRegistered, of: user, at: at(1)) }
        }
        _ = try await store.carryOut(rule)
    }

    private func number(_ sql: String) throws -> Int {
        try store.readers.read { connection throws(StoreError) in Int(try connection.value(sql) ?? "") ?? -1 }
    }

    @Test func keepsFewerThanTwiceTheReadableChangesOfEachUser() async throws {
        try await log(10, of: owner(2))
        for step in 1...9 {
            try await log(500)
            let kept = try number("SELECT count(*) FROM change") - 10
            #expect(kept == (step < 4 ? 500 * step : step.isMultiple(of: 2) ? 1000 : 1500))
        }
        let before = try number("SELECT max(id) FROM change")
        try await log(1)
        #expect(try number("SELECT max(id) FROM change") == before + 1)
        #expect(try await store.changes(of: owner(2), after: Revision(rawValue: 0), limit: 20).changes.count == 10)
        #expect(try number("SELECT pruned_revision FROM user ORDER BY revision DESC") == 0)
    }

    /// An erasure follows the chain of a user's changes. So the chain must be complete, also if a database of an earlier
    /// version has more changes than one step drops.
    @Test func dropsManyChangesInStepsAndLeavesNothingToAnErasure() async throws {
        try await log(0)
        try await store.writer.write { transaction throws(StoreError) in
            let user = try transaction.knownUser(owner())
            transaction.users.forgetAll()
            try transaction.connection.execute(
                """
                WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 9999)
                INSERT INTO change (id, user, revision, previous, kind, at)
                SELECT n, \(user.id), n, nullif(n - 1, 0), 'archiveStored', 1 FROM number;
                UPDATE user SET revision = 9999, last_change = 9999;
                """)
        }
        try await log(1)
        #expect(try number("SELECT count(*) FROM change") == 8000)
        try await log(1000)
        #expect(try number("SELECT count(*) FROM change") == 7000)
        let page = try await store.changes(of: owner(), after: Revision(rawValue: 10_000), limit: 2000)
        #expect(!page.isTruncated && page.changes.count == 1000)
        #expect(try await store.erase(owner()).value)
        // The newest change of the table stays without a content, so that its id is not assigned again.
        #expect(try number("SELECT count(*) FROM change") == 1)
        #expect(try await store.findings().isEmpty)
    }
}
