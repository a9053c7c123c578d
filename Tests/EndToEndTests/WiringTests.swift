import Concurrency
import HTTPTransport
import RestorationService
import SQLiteStore
import Testing

/// What the parts rely on of each other.
@Suite struct WiringTests {
    /// A read does not wait for another one to end: what is done by the clock finds a connection beside all others.
    @Test func eachThreadThatReadsHasAConnectionToReadBy() {
        let threads = HTTPServer.Configuration().workers + OffloadQueue<UserKey>.defaultWidth
        #expect(SQLiteStore.Configuration().readers > threads)
    }
}
