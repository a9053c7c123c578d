import RestorationService
import Testing

@testable import SQLiteStore

@Suite(.timeLimit(.minutes(20)))
struct GroupCommitTests {
    @Test func writesThatWaitShareACommit() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let gate = Gate()
        await gate.close(store)
        try await withThrowingTaskGroup(of: PutResult.self) { group in
            for number in 1...64 as ClosedRange<UInt64> {
                group.addTask { try await store.put(sample(number), retention: 100) }
            }
            while store.writer.waitingIntents < 64 { await Task.yield() }
            let before = store.commits
            gate.open()
            for try await result in group {
                guard case .created = result else { return #expect(Bool(false), "not created: \(result)") }
            }
            // That of the gate, and one for all.
            #expect(store.commits - before == 2)
        }
        #expect(try await store.numbers() == (1...64).reversed())
    }

    @Test func anIntentThatFailsLeavesTheOthersOfItsGroup() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let gate = Gate()
        await gate.close(store)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 1...20 as ClosedRange<UInt64> {
                group.addTask { try await putOrFail(number, in: store) }
            }
            while store.writer.waitingIntents < 20 { await Task.yield() }
            gate.open()
            let stored = try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            #expect(stored == 10)
        }
        #expect(try await store.numbers() == stride(from: 1, to: 21, by: 2).reversed())
        #expect(try await store.findings().isEmpty)
    }

    @Test func anIntentThatFailsCostsItsGroupFewMoreCommits() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let gate = Gate()
        await gate.close(store)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 1...64 as ClosedRange<UInt64> {
                group.addTask { try await putOrFail(number, in: store) { $0 == 40 } }
            }
            while store.writer.waitingIntents < 64 { await Task.yield() }
            let before = store.commits
            gate.open()
            let stored = try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            #expect(stored == 63)
            // That of the gate, and one for each half that the one that fails is not in: 32, 16, 8, 4, 2 and 1.
            #expect(store.commits - before == 7)
        }
    }

    /// Fails for some numbers, the even ones unless others are given, after it has written.
    private func putOrFail(
        _ number: UInt64, in store: SQLiteStore,
        when fails: @escaping @Sendable (UInt64) -> Bool = { $0.isMultiple(of: 2) }
    ) async throws(StoreError) -> Bool {
        do {
            return try await store.writer.write { transaction throws(StoreError) in
                let content = try Content(encoding: 0, bytes: [1])
                _ = try transaction.put(sample(number), content, retention: 100)
                if fails(number) { throw StoreError(.exists, "no") }
                return true
            }
        } catch {
            #expect(error.code == .exists)
            return false
        }
    }

    @Test func moreThanMayWaitIsRefusedAtOnce() async throws {
        let directory = try DataDirectory()
        let store = try directory.open { $0.waitingWrites = 3 }
        let gate = Gate()
        await gate.close(store)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...3 as ClosedRange<UInt64> {
                group.addTask { _ = try await store.put(sample(number), retention: 100) }
            }
            while store.writer.waitingIntents < 3 { await Task.yield() }
            let failure = await #expect(throws: StoreError.self) {
                _ = try await store.put(sample(4), retention: 100)
            }
            #expect(failure?.code == .unavailable)
            gate.open()
            try await group.waitForAll()
        }
        #expect(try await store.numbers() == [3, 2, 1])
    }

    @Test func bytesThatWaitAreBounded() async throws {
        let directory = try DataDirectory()
        let store = try directory.open { $0.waitingBytes = 10 }
        let failure = await #expect(throws: StoreError.self) {
            _ = try await store.put(sample(1, bytes: Array(0..<11)), retention: 20)
        }
        #expect(failure?.code == .unavailable)
        _ = try await store.put(sample(1, bytes: Array(0..<10)), retention: 20)
    }

    @Test func aWriteThatWaitedTooLongIsRefusedAndNotCarriedOut() async throws {
        let directory = try DataDirectory()
        let store = try directory.open { $0.writeDeadline = .zero }
        let failure = await #expect(throws: StoreError.self) { _ = try await store.put(sample(1), retention: 20) }
        #expect(failure?.code == .unavailable)
        #expect(try await store.numbers().isEmpty)
    }

    @Test func aClosedStoreCarriesOutWhatWaitsAndRefusesTheRest() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let gate = Gate()
        await gate.close(store)
        async let waiting = store.put(sample(1), retention: 20)
        while store.writer.waitingIntents < 1 { await Task.yield() }
        async let closing: Void = store.close()
        gate.open()
        await closing
        _ = try await waiting
        let failure = await #expect(throws: StoreError.self) { _ = try await store.put(sample(2), retention: 20) }
        #expect(failure?.code == .unavailable)
        #expect(try await store.numbers() == [1])
    }
}
