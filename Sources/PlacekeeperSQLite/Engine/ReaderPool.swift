import PlacekeeperCore
import PlacekeeperService
import PlacekeeperSystem
import Synchronization

/// A pool of connections for reads. Only one thread at a time uses a connection. Taking one never suspends the task,
/// but may block the thread until a connection is free. Usually one is free immediately, even during long reads,
/// because there are more connections than threads that run handlers and offloaded work.
final class ReaderPool: Sendable {
    private let slots: [Slot]
    private let deadline: Duration

    init(path: String, configuration: SQLiteStore.Configuration) throws(StoreError) {
        var slots: [Slot] = []
        for _ in 0..<max(1, configuration.readers) {
            let connection = try Connection(path: path)
            try connection.configure(lockTimeout: configuration.lockTimeout)
            // Not opened read-only: the first connection must be able to create the shared memory of the write-ahead
            // log.
            try connection.execute("PRAGMA query_only = TRUE")
            slots.append(Slot(connection))
        }
        self.slots = slots
        deadline = configuration.readDeadline
    }

    /// Runs a read on a free connection.
    func read<Result>(_ body: (Connection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        let slot = try take()
        defer { slot.isTaken.store(false, ordering: .releasing) }
        return try body(slot.connection)
    }

    /// Runs several reads in one transaction: one lock, and all reads see the same state.
    func readAtOnce<Result>(_ body: (Connection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        try read { connection throws(StoreError) in
            if connection.isInTransaction { try connection.execute("ROLLBACK") }
            try connection.run(.beginReading)
            // If the commit fails, the connection's next transaction begins with a rollback.
            defer { _ = Swift.Result { () throws(StoreError) in try connection.run(.endReading) } }
            return try body(connection)
        }
    }

    private func take() throws(StoreError) -> Slot {
        // A thread always starts its search at the same slot, so it usually gets the connection whose cache has the
        // pages it read before.
        let thread = UInt64(Platform.currentThread) &* 0x9E37_79B9_7F4A_7C15
        let first = Int(thread >> 32) % slots.count
        if let slot = free(from: first) { return slot }
        let start = ContinuousClock.now
        repeat {
            usleep(50)
            if let slot = free(from: first) { return slot }
        } while ContinuousClock.now - start < deadline
        throw StoreError(.unavailable, "All reading connections to the database are in use.")
    }

    private func free(from first: Int) -> Slot? {
        for offset in 0..<slots.count {
            let index = first + offset
            let slot = slots[index < slots.count ? index : index - slots.count]
            if !slot.isTaken.exchange(true, ordering: .acquiring) { return slot }
        }
        return nil
    }

    /// Unchecked: only the thread that set `isTaken` to true uses the connection.
    private final class Slot: @unchecked Sendable {
        let isTaken = Atomic(false)
        let connection: Connection
        init(_ connection: Connection) { self.connection = connection }
    }
}

extension Query {
    fileprivate static let beginReading = Query("BEGIN")
    fileprivate static let endReading = Query("COMMIT")
}
