import PlacekeeperConcurrency
@testable import PlacekeeperCore
@testable import PlacekeeperMatching
import Testing

@testable import PlacekeeperService
@testable import PlacekeeperSQLite

@Suite(.timeLimit(.minutes(20)))
struct GroupCommitTests {
    @Test func commitsWaitingWritesTogether() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let gate = await Gate(closing: store)
        try await withThrowingTaskGroup(of: PutResult.self) { group in
            for number in 1...64 as ClosedRange<UInt64> {
                group.addTask { try await store.put(sample(number), retention: 100).value }
            }
            while store.writer.waitingWrites < 64 { await Task.yield() }
            let before = store.commits
            gate.open()
            for try await result in group {
                guard case .created = result else { return #expect(Bool(false), "not created: \(result)") }
            }
            // One commit for the gate's write, and one for all other writes.
            #expect(store.commits - before == 2)
        }
        #expect(try await store.numbers() == (1...64).reversed())
    }

    /// A transaction has a limited number of rows, so the writer can make other writes between long writes.
    @Test func limitsRowsOfOneTransaction() async throws {
        let directory = try DataDirectory()
        let store = try directory.open { $0.rowsAtOnce = 10 }
        let gate = await Gate(closing: store)
        let order = LockBox<[Int]>([])
        let before = store.commits
        try await withThrowingTaskGroup(of: Void.self) { group in
            // The writer takes the writes in the order of waiting, and leaves a write that does not fit for a later
            // transaction. A transaction has at most ten rows, or only one write. Writes without rows join the first
            // transaction.
            for (place, rows) in [4, 90, 5, 0, 80, 6, 0].enumerated() {
                group.addTask {
                    try await store.writer.write(rows: rows) { _ in order.withLock { $0.append(place) } }
                }
                while store.writer.waitingWrites <= place { await Task.yield() }
            }
            gate.open()
            try await group.waitForAll()
        }
        #expect(order.withLock { $0 } == [0, 2, 3, 6, 1, 4, 5])
        // One commit for the gate's write, and four for the transactions with the other writes.
        #expect(store.commits - before == 5)
    }

    /// The store also deletes the aliases of a removed item, although the delta does not list these aliases.
    @Test func countsAllRowsThatADeltaMayWrite() {
        let keys = (0..<32 as Range<Int64>).map { LookupKey(rawValue: $0) }
        var delta = sampleDelta()
        #expect(delta.rows == 0)
        delta.upserts = [.init(key: keys[0], aliases: keys, position: nil, texts: [1], digest: ItemDigest())]
        let added = delta.rows
        delta.upserts = []
        delta.removals = [keys[0]]
        #expect(added >= 32 && delta.rows >= 32)
        // An item that the delta replaces may have the maximum number of aliases.
        delta.removals = []
        delta.upserts = [.init(key: keys[0], aliases: [], position: nil, texts: [1], digest: ItemDigest())]
        #expect(delta.rows >= 32)
    }

    @Test func commitsOtherIntentsOfAFailingGroup() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let gate = await Gate(closing: store)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 1...20 as ClosedRange<UInt64> {
                group.addTask { try await putOrFail(number, in: store) }
            }
            while store.writer.waitingWrites < 20 { await Task.yield() }
            gate.open()
            let stored = try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            #expect(stored == 10)
        }
        #expect(try await store.numbers() == stride(from: 1, to: 21, by: 2).reversed())
        #expect(try await store.findings().isEmpty)
    }

    @Test func isolatesFailingIntentInFewCommits() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let gate = await Gate(closing: store)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 1...64 as ClosedRange<UInt64> {
                group.addTask { try await putOrFail(number, in: store) { $0 == 40 } }
            }
            while store.writer.waitingWrites < 64 { await Task.yield() }
            let before = store.commits
            gate.open()
            let stored = try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            #expect(stored == 63)
            // One commit for the gate's write. The writer then halves the failing group again and again, and makes one
            // commit for each half without the failing intent: 32, 16, 8, 4, 2 and 1 intents.
            #expect(store.commits - before == 7)
        }
    }

    /// Stores an archive, and then fails if `fails` returns true for the archive's number: by default, for even
    /// numbers.
    private func putOrFail(
        _ number: UInt64, in store: SQLiteStore,
        when fails: @escaping @Sendable (UInt64) -> Bool = { $0.isMultiple(of: 2) }
    ) async throws(StoreError) -> Bool {
        do {
            return try await store.writer.write { transaction throws(StoreError) -> Bool in
                let content = try Content(encoding: 0, bytes: [1])
                _ = try transaction.carryOut(.put(sample(number), retention: 100), content)
                if fails(number) { throw StoreError(.exists, "no") }
                return true
            }
        } catch {
            #expect(error.code == .exists)
            return false
        }
    }

    @Test func refusesWritesBeyondTheQueueLimit() async throws {
        let directory = try DataDirectory()
        let store = try directory.open { $0.waitingWrites = 3 }
        let gate = await Gate(closing: store)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...3 as ClosedRange<UInt64> {
                group.addTask { _ = try await store.put(sample(number), retention: 100) }
            }
            while store.writer.waitingWrites < 3 { await Task.yield() }
            let failure = await #expect(throws: StoreError.self) {
                _ = try await store.put(sample(4), retention: 100)
            }
            #expect(failure?.code == .unavailable)
            gate.open()
            try await group.waitForAll()
        }
        #expect(try await store.numbers() == [3, 2, 1])
    }

    @Test func limitsBytesOfWaitingWrites() async throws {
        let directory = try DataDirectory()
        let store = try directory.open { $0.waitingBytes = 10 }
        let failure = await #expect(throws: StoreError.self) {
            _ = try await store.put(sample(1, bytes: Array(0..<11)), retention: 20)
        }
        #expect(failure?.code == .unavailable)
        _ = try await store.put(sample(1, bytes: Array(0..<10)), retention: 20)
    }

    /// Until the archive is stored, a waiting upload holds the uncompressed bytes too, even if the archive compresses
    /// to one byte.
    @Test func countsUncompressedBytesOfWaitingUpload() async throws {
        let directory = try DataDirectory()
        let store = try directory.open { $0.waitingBytes = 100_000 }
        let failure = await #expect(throws: StoreError.self) {
            _ = try await store.put(sample(1, bytes: [UInt8](repeating: 7, count: 100_000)), retention: 20)
        }
        #expect(failure?.code == .unavailable)
        _ = try await store.put(sample(1, bytes: [UInt8](repeating: 7, count: 99_999)), retention: 20)
    }

    @Test func countsBytesOfWritesUntilTheyAreAnswered() async throws {
        let directory = try DataDirectory()
        let store = try directory.open { $0.waitingBytes = 10 }
        let gate = Gate()
        async let first: Void = store.writer.write(weight: 6) { _ in gate.pass() }
        await gate.waitForWriter()
        let failure = await #expect(throws: StoreError.self) { try await store.writer.write(weight: 5) { _ in } }
        #expect(failure?.code == .unavailable)
        gate.open()
        try await first
        // As soon as a write is answered, another write can use the bytes that the first write held.
        for _ in 0..<100 { try await store.writer.write(weight: 10) { _ in } }
    }

    @Test func refusesWriteAfterItsDeadline() async throws {
        let directory = try DataDirectory()
        let store = try directory.open { $0.writeDeadline = .zero }
        let failure = await #expect(throws: StoreError.self) { _ = try await store.put(sample(1), retention: 20) }
        #expect(failure?.code == .unavailable)
        #expect(try await store.numbers().isEmpty)
    }

    @Test func performsTimelyWritesOfAGroupWithLateOnes() async throws {
        let directory = try DataDirectory()
        let store = try directory.open { $0.writeDeadline = .zero }
        let gate = Gate()
        // A write with rows has the longer deadline of a delta, so this write is not late.
        async let first: Void = store.writer.write(rows: 1) { _ in gate.pass() }
        await gate.waitForWriter()
        let late = Task { try await store.writer.write { _ in } }
        async let timely = store.writer.write(rows: 1) { _ in "done" }
        while store.writer.waitingWrites < 2 { await Task.yield() }
        gate.open()
        try await first
        #expect(try await timely == "done")
        let failure = await #expect(throws: StoreError.self) { try await late.value }
        #expect(failure?.code == .unavailable)
    }

    @Test func performsWaitingWritesOnCloseAndRefusesLaterOnes() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let gate = await Gate(closing: store)
        async let waiting = store.put(sample(1), retention: 20).value
        while store.writer.waitingWrites < 1 { await Task.yield() }
        async let closing: Void = store.close()
        gate.open()
        await closing
        _ = try await waiting
        let failure = await #expect(throws: StoreError.self) { _ = try await store.put(sample(2), retention: 20) }
        #expect(failure?.code == .unavailable)
        #expect(try await store.numbers() == [1])
    }
}
