import Concurrency
import HTTPTransport
import RestorationService
import SQLiteStore
import Testing

/// Tests that the default configurations of the modules fit together.
@Suite struct WiringTests {
    /// A read never waits for another read, and one connection is left for the periodic chores.
    @Test func hasMoreReadConnectionsThanReadingThreads() {
        let threads = HTTPServer.Configuration().workers + OffloadQueue<UserKey>.defaultWidth
        #expect(SQLiteStore.Configuration().readers > threads)
    }
}
