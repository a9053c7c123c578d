import RestorationService
import Testing

@testable import SQLiteStore

struct FaultTests {
    @Test func aFullDatabaseSaysSoReadsOnAndRecoversWithoutARestart() async throws {
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
            #expect(try await store.delete(ArchiveID(high: 0, low: number), in: scene(), at: at(2000)))
        }
        for number in 1001...1010 as ClosedRange<UInt64> {
            _ = try await store.put(sample(number, bytes: body(number)), retention: 1000)
        }
        #expect(try await store.numbers().prefix(10) == [1010, 1009, 1008, 1007, 1006, 1005, 1004, 1003, 1002, 1001])
        #expect(try await store.findings().isEmpty)
    }

    @Test func aDatabaseThatStaysLockedIsUnavailableForWritesOnlyAndRecovers() async throws {
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

    @Test func whenEveryReaderIsInUseAReadIsRefusedInTime() async throws {
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

    @Test func anErrorTellsNothingOfWhatWasStored() async throws {
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
