import Glibc
import PlacekeeperCore
import PlacekeeperService
import Testing

@testable import PlacekeeperSQLite

/// Checks two stores on one file, like a command beside the running server.
struct SharedFileTests {
    @Test func readsWritesOfTheOtherStore() async throws {
        let directory = try DataDirectory()
        let (server, command) = (try directory.open(), try directory.open())
        _ = try await server.put(sample(1), retention: 20)
        #expect(try await command.numbers() == [1])
        guard case .created(let second, _) = try await command.put(sample(2), retention: 20).value else {
            return #expect(Bool(false), "not created")
        }
        #expect(second.revision == Revision(rawValue: 2))
        #expect(try await server.numbers() == [2, 1])
        let app = App(
            id: AppID(high: 0, low: 1), bundleIdentifier: "com.example.photos", publishableKey: "pk_1",
            createdAt: at(0))
        try await command.create(app)
        #expect(try await server.app(.publishableKey("pk_1")) == app)
    }

    @Test func noticesForeignChangesOnceAndIgnoresOwnOnes() async throws {
        let directory = try DataDirectory()
        let (server, command) = (try directory.open(), try directory.open { $0.copiesLog = false })
        #expect(try await server.externalInvalidations(following: []) == .none)
        _ = try await server.put(sample(1), retention: 20)
        #expect(try await server.externalInvalidations(following: []) == .none)
        #expect(try await command.externalInvalidations(following: []) == .foreign)
        _ = try await command.put(sample(2), retention: 20)
        #expect(try await command.externalInvalidations(following: []) == .none)
        #expect(try await server.externalInvalidations(following: []) == .foreign)
        #expect(try await server.externalInvalidations(following: []) == .none)
        // The server notices a foreign change even if the server itself writes after it.
        _ = try await command.put(sample(3), retention: 20)
        _ = try await server.put(sample(4), retention: 20)
        #expect(try await server.externalInvalidations(following: []) == .foreign)
    }

    @Test func raisesAllVersionsWhenItNoticesForeignChanges() async throws {
        let directory = try DataDirectory()
        let (server, command) = (try directory.open(), try directory.open())
        let before = try await server.userVersion(of: owner())
        _ = try await command.put(sample(1), retention: 20)
        _ = try await server.externalInvalidations(following: [])
        let after = try await server.userVersion(of: owner())
        #expect(after.version > before.version && after.access > before.access)
        _ = try await server.externalInvalidations(following: [])
        #expect(try await server.userVersion(of: owner()) == after)
    }

    @Test func noticesForeignChangeAfterARollback() async throws {
        let directory = try DataDirectory()
        let (server, command) = (try directory.open(), try directory.open())
        _ = try await command.put(sample(1), retention: 20)
        let gate = await Gate(closing: server)
        async let invalidations = server.externalInvalidations(following: [])
        while server.writer.waitingWrites < 1 { await Task.yield() }
        let failing = Task { try await server.writer.write { _ throws(StoreError) in throw StoreError(.exists, "no") } }
        while server.writer.waitingWrites < 2 { await Task.yield() }
        gate.open()
        #expect(try await invalidations == .foreign)
        await #expect(throws: StoreError.self) { try await failing.value }
    }

    @Test func losesNoConcurrentWriteOfTwoStores() async throws {
        let directory = try DataDirectory()
        let stores = [try directory.open(), try directory.open()]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...60 as ClosedRange<UInt64> {
                let store = stores[Int(number % 2)]
                group.addTask { _ = try await store.put(sample(number), retention: 100) }
            }
            try await group.waitForAll()
        }
        for store in stores { #expect(try await Set(store.numbers()) == Set(1...60)) }
        let changes = try await stores[0].changes(of: owner(), after: Revision(rawValue: 0), limit: 100).changes
        #expect(changes.map(\.revision.rawValue) == Array(1...60))
    }

    /// A writer that finds no file must not fail because another one creates the file meanwhile.
    @Test func opensTheFileThatAnotherWriterCreates() async throws {
        let directory = try DataDirectory()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { [path = directory.path] in
                    for number in 0..<500 {
                        _ = try File.orCreate("\(path)/file-\(number)", O_RDWR, ownedLike: path)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
