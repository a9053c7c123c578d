import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperSQLite
import PlacekeeperService
import PlacekeeperSockets
import Testing

/// Tests that the default configurations of the modules fit together.
@Suite struct WiringTests {
    /// Each reading thread has its own connection, so a read never waits for another read. One connection is left for
    /// periodic work.
    @Test func hasMoreReadConnectionsThanReadingThreads() {
        let threads = HTTPServer.Configuration().workers + OffloadQueue<UserKey>.defaultWidth
        #expect(SQLiteStore.Configuration().readers > threads)
    }

    @Test func refusesAnUnknownPollerForTheTests() throws {
        #expect(try LocalService.poller(named: nil) == .fastest)
        #expect(try LocalService.poller(named: "dispatch") == .dispatch)
        for name in ["", "kqueue", "Dispatch"] {
            #expect(throws: ChildProcess.Failure.self) { try LocalService.poller(named: name) }
        }
    }
}
