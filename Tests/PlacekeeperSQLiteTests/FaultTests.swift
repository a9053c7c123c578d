import Glibc
import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperSQLite

struct FaultTests {
    @Test func reportsFullDatabaseServesReadsAndRecoversWithoutRestart() async throws {
        let directory = try DataDirectory()
        let store = try directory.open { $0.maximumBytes = 1 << 20 }
        var stored: UInt64 = 0
        let failure = await #expect(throws: StoreError.self) {
            for number in 1...1000 as ClosedRange<UInt64> {
                _ = try await store.put(sample(number, bytes: body(number)), retention: 1000)
                stored = number
            }
        }
        #expect(failure?.code == .full)
        #expect(stored > 50)
        #expect(try await store.numbers() == (1...stored).reversed())

        for number in 1...20 as ClosedRange<UInt64> {
            #expect(try await store.delete(ArchiveID(high: 0, low: number), in: scene(), at: at(2000)).value)
        }
        for number in 1001...1010 as ClosedRange<UInt64> {
            _ = try await store.put(sample(number, bytes: body(number)), retention: 1000)
        }
        #expect(try await store.numbers().prefix(10) == [1010, 1009, 1008, 1007, 1006, 1005, 1004, 1003, 1002, 1001])
        #expect(try await store.findings().isEmpty)
    }

    @Test func refusesOnlyWritesWhileDatabaseIsLockedAndRecovers() async throws {
        let directory = try DataDirectory()
        let store = try directory.open { $0.lockTimeout = .milliseconds(20) }
        _ = try await store.put(sample(1), retention: 20)
        let other = try Connection(path: directory.database)
        try other.execute("BEGIN IMMEDIATE")
        let failure = await #expect(throws: StoreError.self) { _ = try await store.put(sample(2), retention: 20) }
        #expect(failure?.code == .unavailable)
        await #expect(throws: StoreError.self) { try await store.check() }
        #expect(try await store.numbers() == [1])
        try other.execute("ROLLBACK")
        try await store.check()
        _ = try await store.put(sample(2), retention: 20)
        #expect(try await store.numbers() == [2, 1])
    }

    @Test func refusesReadAtDeadlineWhenAllReadersAreInUse() async throws {
        let directory = try DataDirectory()
        let store = try directory.open {
            $0.readers = 1
            $0.readDeadline = .milliseconds(5)
        }
        try store.readers.read { _ throws(StoreError) in
            let failure = #expect(throws: StoreError.self) {
                try store.readers.read { _ throws(StoreError) in }
            }
            #expect(failure?.code == .unavailable)
        }
        try store.readers.read { _ throws(StoreError) in }
    }

    /// Sums of these numbers would overflow and end the process, so the store must refuse the numbers.
    @Test(arguments: [
        "user SET revision = 9223372036854775807", "user SET revision = -9223372036854775808",
        "archive SET captured_at = -9223372036854775808", "archive SET size = 9223372036854775807",
    ])
    func refusesOutOfRangeNumbers(_ damage: String) async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        _ = try await store.put(sample(1), retention: 20)
        await store.close()
        let damaged = try directory.open()
        try await damaged.writer.write { transaction throws(StoreError) in
            transaction.users.forgetAll()
            try transaction.connection.execute("UPDATE \(damage)")
        }
        let failure = await #expect(throws: StoreError.self) {
            _ = try await damaged.heads(of: owner(), below: nil, limit: 10)
            _ = try await damaged.put(sample(2), retention: 20)
            _ = try await damaged.changes(of: owner(), after: Revision(rawValue: 0), limit: 10)
        }
        #expect(failure?.code == .corrupt)
    }

    @Test(arguments: ["uuid = x'00'", "device = x'00'", "digest = x'00'", "digest = zeroblob(33)"])
    func refusesKeysOfWrongLength(_ damage: String) async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        _ = try await store.put(sample(1), retention: 20)
        try await store.writer.write { transaction throws(StoreError) in
            try transaction.connection.execute("UPDATE archive SET \(damage)")
        }
        let failure = await #expect(throws: StoreError.self) {
            _ = try await store.heads(of: owner(), below: nil, limit: 10)
        }
        #expect(failure?.code == .corrupt)
    }

    @Test func reportsFailedReadAsUnavailableAndRecovers() async throws {
        let directory = try DataDirectory()
        let first = try directory.open()
        guard case .created(let archive, _) = try await first.put(sample(1), retention: 20).value else {
            return #expect(Bool(false), "not created")
        }
        // After the close, reads come from the database file and not from the write-ahead log.
        await first.close()
        let store = try directory.open()
        FailingReads.fail(below: directory.path)
        for _ in 1...3 {
            let failure = await #expect(throws: StoreError.self) { _ = try await store.bytes(of: archive) }
            #expect(failure?.code == .unavailable)
        }
        FailingReads.succeed(below: directory.path)
        #expect(try await store.bytes(of: archive) == Array("state 1".utf8))
        #expect(try await store.numbers() == [1])
        _ = try await store.put(sample(2), retention: 20)
        #expect(try await store.numbers() == [2, 1])
    }

    /// A file system error under a memory mapping ends the process by a signal, so the database must not be mapped.
    @Test func mapsLogIndexButNotDatabase() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        _ = try await store.put(sample(1), retention: 20)
        await store.close()
        let reopened = try directory.open()
        #expect(try await reopened.findings().isEmpty)
        let file = try #require(fopen("/proc/self/maps", "r"))
        defer { fclose(file) }
        var maps: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { maps += buffer[..<count] }
        let paths = Set(
            String(decoding: maps, as: UTF8.self).split(separator: "\n").map { $0.split(separator: " ").last })
        #expect(paths.contains("\(directory.database)-shm"))
        #expect(!paths.contains("\(directory.database)"))
    }

    @Test func keepsStoredValuesOutOfErrors() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let device = Device(
            id: DeviceID(high: 0, low: 1), owner: owner(), idiom: .phone, name: "Somebody's phone", createdAt: at(0),
            lastSeenAt: at(0))
        _ = try await store.register(device, token: Digest(1, 2, 3, 4), linkCode: nil)
        let failure = await #expect(throws: StoreError.self) {
            _ = try await store.register(device, token: Digest(1, 2, 3, 4), linkCode: nil)
        }
        let told = "\(failure?.message ?? "") \(failure?.cause ?? "")"
        #expect(!told.contains("Somebody") && !told.contains("token") && told.contains("sqlite"))
    }

    private func body(_ number: UInt64) -> [UInt8] {
        (0..<4096).map { UInt8(truncatingIfNeeded: number &* 31 &+ UInt64($0)) }
    }
}
