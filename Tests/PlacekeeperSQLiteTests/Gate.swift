import Dispatch
import PlacekeeperCore
import PlacekeeperService
import Synchronization

@testable import PlacekeeperSQLite

/// Blocks a store's writer, so that a test can control the writes that wait.
final class Gate: Sendable {
    private let opened = DispatchSemaphore(value: 0)
    private let isReached = Atomic(false)

    init() {}

    /// Blocks the writer with a write that is alone in its group, and returns when the writer is blocked.
    init(closing store: SQLiteStore) async {
        Task {
            try await store.writer.write { _ throws(StoreError) in self.pass() }
        }
        await waitForWriter()
    }

    /// Blocks the writer until the test opens the gate. The closure of a write calls this method.
    func pass() {
        isReached.store(true, ordering: .releasing)
        opened.wait()
    }

    func waitForWriter() async { while !isReached.load(ordering: .acquiring) { await Task.yield() } }

    func open() { opened.signal() }
}
