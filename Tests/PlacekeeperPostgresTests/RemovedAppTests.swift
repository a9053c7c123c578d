import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperPostgresServer
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperPostgres

/// Registrations while the last step of an app's deletion removes the app.
@Suite(.enabled(if: PostgresServer.isNeeded, "PostgreSQL is not installed"), .timeLimit(.minutes(20)))
struct RemovedAppTests {
    private struct SystemBytes: RandomSource {
        func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: .min ... .max) } }
    }

    private struct World {
        let store: PostgresStore
        let service: RestorationService
        let app: App
        /// Another connection, in a transaction.
        let other: Connection

        func run(_ sql: String) throws {
            _ = try other.run(Batch([Statement(sql)]), until: .now + .seconds(600))
        }

        /// Registers a device, and notes the end.
        func register(_ isOver: LockBox<Bool>) -> Task<Void, any Error> {
            let (service, key) = (service, app.publishableKey)
            return Task {
                defer { isOver.withLock { $0 = true } }
                _ = try await service.devices.register(Registration(publishableKey: key, idiom: .phone))
            }
        }

        /// Waits until this many connections wait for a lock, or the task has ended.
        func wait(for count: Int, or isOver: LockBox<Bool>) async throws {
            while !isOver.withLock({ $0 }) {
                let waiting = try await store.rows(
                    "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
                ).first { row throws(StoreError) in try row.key() }
                if waiting ?? 0 >= count { return }
                await Task.yield()
            }
        }
    }

    private func withWorld(_ test: (World) async throws -> Void) async throws {
        try await cluster().withStore { store in
            let service = RestorationService(
                store: store, clock: ManualClock(), random: SystemBytes(), hashing: SpreadingHash())
            let app = try await service.apps.createApp("com.example.photos")
            let world = World(
                store: store, service: service, app: app, other: try Connection(store.configuration))
            try world.run("BEGIN")
            try await test(world)
        }
    }

    @Test func keepsAnAppWhoseFirstUserIsBeingAdded() async throws {
        try await withWorld { world in
            // The registration has added the user, and waits with the device.
            try world.run("LOCK TABLE device IN SHARE MODE")
            let (isRegistered, isOver) = (LockBox(false), LockBox(false))
            let registering = world.register(isRegistered)
            try await world.wait(for: 1, or: isRegistered)
            let (store, app) = (world.store, world.app.id)
            let removing = Task {
                defer { isOver.withLock { $0 = true } }
                return try await store.remove(app).value
            }
            try await world.wait(for: 2, or: isOver)
            try world.run("COMMIT")
            try await registering.value
            #expect(try await !removing.value)
            #expect(try await world.store.app(.id(world.app.id)) != nil)
        }
    }

    @Test func refusesARegistrationThatTheRemovalOvertook() async throws {
        try await withWorld { world in
            try world.run("DELETE FROM app")
            let isOver = LockBox(false)
            let registering = world.register(isOver)
            try await world.wait(for: 1, or: isOver)
            try world.run("COMMIT")
            let error = await #expect(throws: ServiceError.self) { try await registering.value }
            #expect(error?.code == .appUnknown)
            #expect(try await world.store.facts(after: nil, limit: 10).isEmpty)
        }
    }
}
