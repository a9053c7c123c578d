import Foundation
import PlacekeeperCore
import PlacekeeperPostgresServer
import PlacekeeperService
import PlacekeeperStoreConformance
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperPostgres

@Suite(.enabled(if: PostgresServer.isNeeded, "PostgreSQL is not installed"))
struct OpeningTests {
    @Test func createsTablesOnceForSeveralStores() async throws {
        try await cluster().withDatabase { url in
            let secrets = try await withThrowingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        let store = try await PostgresStore(PostgresServer.configuration(url))
                        defer { Task { await store.close() } }
                        return store.lookupSecret()
                    }
                }
                return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
            }
            #expect(secrets.count == 1)
        }
    }

    @Test func usesDatabaseOfNewerVersionThatAllowsIt() async throws {
        try await cluster().withStore { store in
            try await store.write([Statement("UPDATE store SET schema_version = 1000")])
            let other = try await PostgresStore(store.configuration)
            #expect(other.lookupSecret() == store.lookupSecret())
            await other.close()
        }
    }

    /// The steps of a later version.
    private static let later = Schema.steps + [["ALTER TABLE app ADD COLUMN later bigint NOT NULL DEFAULT 7"]]

    @Test func migratesTablesOfAnEarlierVersionOnce() async throws {
        try await cluster().withStore { store in
            try await store.create(app(1))
            let pool = store.writing
            try await withThrowingTaskGroup { group in
                for _ in 0..<4 { group.addTask { try await PostgresStore.prepare(pool, Self.later) } }
                for try await secret in group { #expect(secret == store.lookupSecret()) }
            }
            let rows = try await store.rows("SELECT schema_version + later FROM store, app")
            #expect(
                try rows.first { row throws(StoreError) in try row.key() } == Schema.oldest + Int64(Self.later.count)
                    - 1 + 7)
            #expect(try await store.apps().count == 1)
        }
    }

    @Test func refusesADatabaseOfABuildBeforeTheFirstRelease() async throws {
        try await cluster().withStore { store in
            try await store.write([Statement("UPDATE store SET schema_version = 2")])
            let error = try await #require(throws: StoreError.self) { try await PostgresStore(store.configuration) }
            #expect(error.code == .corrupt)
        }
    }

    /// A writer of another instance locks the rows of users first, and then adds a change.
    @Test func aMigrationLetsWritersEndFirst() async throws {
        try await cluster().withStore { store in
            let end = ContinuousClock.now + .seconds(600)
            let writer = try Connection(store.configuration)
            _ = try writer.run(
                Batch([Statement("BEGIN"), Statement("LOCK TABLE users IN ROW EXCLUSIVE MODE")]), until: end)
            let pool = store.writing
            let migration = Task { try await PostgresStore.prepare(pool, Self.later) }
            let waiting = Statement(
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()")
            var isWaiting = false
            let watcher = try Connection(store.configuration)
            while !isWaiting {
                let rows = try watcher.run(Batch([waiting]), until: end)
                isWaiting = try rows[0].first { row throws(StoreError) in try row.key() } == 1
                await Task.yield()
            }
            _ = try writer.run(
                Batch([Statement("LOCK TABLE change, store IN ROW EXCLUSIVE MODE NOWAIT"), Statement("COMMIT")]),
                until: end)
            _ = try await migration.value
        }
    }

    @Test func refusesDatabaseOfNewerVersion() async throws {
        try await cluster().withStore { store in
            try await store.write([Statement("UPDATE store SET schema_version = 1000, usable_from = 1000")])
            let error = try await #require(throws: StoreError.self) {
                try await PostgresStore(store.configuration)
            }
            #expect(error.code == .tooNew)
        }
    }

    @Test func connectsAgainAfterTheServerEndedItsConnections() async throws {
        try await cluster().withStore { store in
            try await store.create(app(1))
            for number in 2...4 as ClosedRange<UInt64> {
                try cluster().endConnections(to: store.configuration.url)
                #expect(try await store.apps().count == Int(number) - 1)
                try cluster().endConnections(to: store.configuration.url)
                let owner = UserKey(app: app(1).id, user: UserID(high: 0, low: number))
                let device = Device(
                    id: DeviceID(high: 0, low: number), owner: owner, idiom: .phone,
                    createdAt: Timestamp(milliseconds: 1), lastSeenAt: Timestamp(milliseconds: 1))
                let joining = try await store.register(device, token: Digest(0, 0, 0, number), linkCode: nil).value
                #expect(joining.device?.id == device.id)
                try await store.create(app(number))
            }
        }
    }

    @Test func reportsServerThatCannotBeReached() async throws {
        let error = try await #require(throws: StoreError.self) {
            try await PostgresStore(PostgresStore.Configuration(url: "postgres:///x?host=/nonexistent"))
        }
        #expect(error.code == .unavailable)
    }

    /// Compiling a short statement takes longer than running it. The URL's own options replace ours.
    @Test(arguments: [("", "off"), ("&options=", "on")])
    func turnsCompilingOff(options: String, expected: String) async throws {
        try await cluster().withDatabase { url in
            let store = try await PostgresStore(PostgresServer.configuration(url + options))
            let rows = try await store.rows("SHOW jit")
            #expect(try rows.first { row throws(StoreError) in try row.text() } == expected)
            await store.close()
        }
    }

    @Test func refusesMoreWaitingRequestsThanItsLimit() async throws {
        try await cluster().withDatabase { url in
            var configuration = PostgresServer.configuration(url)
            configuration.connections = 1
            configuration.waitingRequests = 2
            let store = try await PostgresStore(configuration)
            let codes = await withTaskGroup { group in
                for _ in 0..<20 {
                    group.addTask { () -> StoreError.Code? in
                        do throws(StoreError) {
                            _ = try await store.rows("SELECT count(*) FROM pg_sleep(0.05)")
                            return nil
                        } catch {
                            return error.code
                        }
                    }
                }
                return await group.reduce(into: [StoreError.Code?]()) { $0.append($1) }
            }
            #expect(codes.contains(.unavailable) && codes.contains(nil))
            #expect(codes.allSatisfy { $0 == nil || $0 == .unavailable })
            await store.close()
        }
    }

    @Test func endsReadsOnTheServerAfterTheDeadline() async throws {
        try await cluster().withStore { store in
            let hasty = try await PostgresStore(hurried(store.configuration))
            await #expect(throws: StoreError.self) { try await hasty.rows("SELECT count(*) FROM pg_sleep(600)") }
            let running = """
                SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)%' AND pid <> pg_backend_pid()
                """
            let end = ContinuousClock.now + .seconds(300)
            var count: Int64 = 1
            while count > 0, ContinuousClock.now < end {
                count = try await store.rows(running).first { row throws(StoreError) in try row.key() } ?? -1
            }
            #expect(count == 0)
            await hasty.close()
        }
    }

    @Test func refusesAnOldPrimary() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "placekeeper-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await cluster().withDatabase { url in
            var configuration = PostgresServer.configuration(url)
            configuration.primaryFile = folder.path + "/primary"
            let store = try await PostgresStore(configuration)
            let line = try String(contentsOfFile: folder.path + "/primary", encoding: .utf8)
            #expect(line.hasSuffix(" 1\n"))
            await store.close()
            // A process that has seen the next primary leaves this line.
            try Data((line.dropLast(2) + "2\n").utf8).write(to: folder.appending(path: "primary"))
            let error = try await #require(throws: StoreError.self) { try await PostgresStore(configuration) }
            #expect(error.code == .unavailable && error.message.contains("old primary"))
            // The database of another cluster may be used after a restart, and its timeline counts from then on.
            try Data("7 9\n".utf8).write(to: folder.appending(path: "primary"))
            await (try PostgresStore(configuration)).close()
            #expect(try String(contentsOfFile: folder.path + "/primary", encoding: .utf8) == line)
        }
    }

    @Test func warnsThatWritesFailWhileReadsWork() async throws {
        try await cluster().withStore { store in
            let hasty = try await PostgresStore(hurried(store.configuration))
            let connection = try Connection(store.configuration)
            let end = ContinuousClock.now + .seconds(600)
            _ = try connection.run(Batch([Statement("BEGIN")]), until: end)
            _ = try connection.run(Batch([Statement("UPDATE store SET checks = checks")]), until: end)
            try await hasty.check()
            #expect(hasty.warnings.count == 1)
            _ = try connection.run(Batch([Statement("ROLLBACK")]), until: end)
            while !hasty.warnings.isEmpty, ContinuousClock.now < end { try await hasty.check() }
            #expect(hasty.warnings.isEmpty)
            await hasty.close()
        }
    }

    @Test func failsAWriteWhenTheDeadlineHasPassed() async throws {
        try await cluster().withStore { store in
            let hasty = try await PostgresStore(hurried(store.configuration))
            let start = ContinuousClock.now
            let error = try await #require(throws: StoreError.self) {
                try await hasty.write([Statement("SELECT count(*) FROM pg_sleep(600)")])
            }
            #expect(error.code == .unavailable)
            #expect(ContinuousClock.now - start < .seconds(300))
            await hasty.close()
        }
    }

    private func app(_ number: UInt64) -> App {
        App(
            id: AppID(high: 1, low: number), bundleIdentifier: "com.example.app\(number)",
            publishableKey: "pk_\(number)", createdAt: Timestamp(milliseconds: 0))
    }
}
