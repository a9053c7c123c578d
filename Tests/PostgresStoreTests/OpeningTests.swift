import PostgresServer
import RestorationService
import StoreConformance
import TestSupport
import Testing

@testable import PostgresStore

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

    @Test func refusesDatabaseOfNewerVersion() async throws {
        try await cluster().withStore { store in
            try await store.write([Statement("UPDATE store SET schema_version = 1000")])
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

    @Test func endsConnectionWhenTheDeadlineHasPassed() async throws {
        try await cluster().withDatabase { url in
            var configuration = PostgresServer.configuration(url)
            configuration.deadline = .milliseconds(500)
            let store = try await PostgresStore(configuration)
            let start = ContinuousClock.now
            let error = try await #require(throws: StoreError.self) {
                try await store.write([Statement("SELECT count(*) FROM pg_sleep(30)")])
            }
            #expect(error.code == .unavailable)
            #expect(ContinuousClock.now - start < .seconds(20))
            await store.close()
        }
    }

    private func app(_ number: UInt64) -> App {
        App(
            id: AppID(high: 1, low: number), bundleIdentifier: "com.example.app\(number)",
            publishableKey: "pk_\(number)", createdAt: Timestamp(milliseconds: 0))
    }
}
