import CPlacekeeperSQLite
import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperSQLite

/// Measures the cost of a page of heads in steps of SQLite's virtual machine.
struct HeadsCostTests {
    /// Returns the numbers of steps of the first and of a middle page of the places, and of the manifest, for a user with
    /// `count` scenes of two archives each.
    private func steps(withScenes count: UInt64) async throws -> [Int] {
        let directory = try DataDirectory()
        let store = try directory.open()
        _ = try await store.register(sampleDevice(), token: Digest(1, 0, 0, 1), linkCode: nil)
        try await withThrowingTaskGroup { group in
            for number in 1...count {
                group.addTask {
                    for archive in [number, number + count] {
                        var new = sample(archive, in: SceneKey(owner: owner(), name: "book \(number)"))
                        new.capturedAt = at(Int64(archive) * 600_000)
                        _ = try await store.put(new, retention: 20)
                    }
                }
            }
            try await group.waitForAll()
        }
        var middle = try #require(
            try await store.head(of: SceneKey(owner: owner(), name: "book \(count / 2)")), "no scene in the middle")
        middle.revision = Revision(rawValue: .max)
        let reads: [@Sendable () async throws -> Int] = [
            { try await store.heads(of: owner(), below: nil, limit: 20).count },
            { [middle] in try await store.heads(of: owner(), below: middle, limit: 20).count },
            { try await store.sceneHeads(of: owner(), behind: nil, limit: 20).count },
            { try await store.sceneHeads(of: owner(), behind: "book \(count / 2)", limit: 20).count },
        ]
        var steps: [Int] = []
        for read in reads {
            let before = try await stepsTaken(by: store)
            #expect(try await read() == 20)
            steps.append(try await stepsTaken(by: store) - before)
        }
        return steps
    }

    private func stepsTaken(by store: SQLiteStore) async throws -> Int {
        try store.readers.read { connection throws(StoreError) in
            var sum = 0
            var statement = sqlite3_next_stmt(connection.handle, nil)
            while let current = statement {
                sum += Int(sqlite3_stmt_status(current, SQLITE_STMTSTATUS_VM_STEP, 0))
                statement = sqlite3_next_stmt(connection.handle, current)
            }
            return sum
        }
    }

    @Test func aPageCostsTheSameForManyScenes() async throws {
        let few = try await steps(withScenes: 60)
        let many = try await steps(withScenes: 1500)
        for (few, many) in zip(few, many) { #expect(few > 0 && many <= few + few / 10, "\(few) and \(many)") }
    }
}
