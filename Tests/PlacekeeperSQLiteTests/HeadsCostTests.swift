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
            let before = try store.readers.read { $0.stepsTaken }
            #expect(try await read() == 20)
            steps.append(try store.readers.read { $0.stepsTaken } - before)
        }
        return steps
    }

    @Test func aPageCostsTheSameForManyScenes() async throws {
        let few = try await steps(withScenes: 60)
        let many = try await steps(withScenes: 1500)
        for (few, many) in zip(few, many) { #expect(few > 0 && many <= few + few / 10, "\(few) and \(many)") }
    }
}

extension Connection {
    /// The number of steps of SQLite's virtual machine that the connection's statements took.
    var stepsTaken: Int {
        sequence(first: sqlite3_next_stmt(handle, nil)) { sqlite3_next_stmt(self.handle, $0) }.reduce(0) {
            $0 + Int(sqlite3_stmt_status($1, SQLITE_STMTSTATUS_VM_STEP, 0))
        }
    }
}
