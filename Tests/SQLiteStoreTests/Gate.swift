import Dispatch
import RestorationService
import Synchronization

@testable import SQLiteStore

/// Blocks a store's writer, so that a test can control the writes that wait.
final class Gate: Sendable {
    private let opened = DispatchSemaphore(value: 0)
    private let isReached = Atomic(false)

    /// Returns when the writer is blocked, with nothing else in its group.
    func close(_ store: SQLiteStore) async {
        Task {
            try await store.writer.write { _ throws(StoreError) in self.pass() }
        }
        await waitForWriter()
    }

    /// Blocks the writer. A write's closure calls this.
    func pass() {
        isReached.store(true, ordering: .releasing)
        opened.wait()
    }

    func waitForWriter() async { while !isReached.load(ordering: .acquiring) { await Task.yield() } }

    func open() { opened.signal() }
}
