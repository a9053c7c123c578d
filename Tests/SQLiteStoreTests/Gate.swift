import Dispatch
import RestorationService
import Synchronization

@testable import SQLiteStore

/// Holds a store's writer up, so that a test can say what waits behind it.
final class Gate: Sendable {
    private let opened = DispatchSemaphore(value: 0)
    private let isReached = Atomic(false)

    /// Returns once the writer stands before the gate, with nothing else in its group.
    func close(_ store: SQLiteStore) async {
        Task {
            try await store.writer.write { _ throws(StoreError) in self.pass() }
        }
        await waitForWriter()
    }

    /// Blocks the writer, when it carries a write out that calls this.
    func pass() {
        isReached.store(true, ordering: .releasing)
        opened.wait()
    }

    func waitForWriter() async { while !isReached.load(ordering: .acquiring) { await Task.yield() } }

    func open() { opened.signal() }
}
