import PlacekeeperSystem
import PlacekeeperHTTP
import Testing

@testable import PlacekeeperSockets

/// Tests of connections that the clock or another event closed earlier in the same batch of events.
///
/// The loop of the worker does not run. Each test handles the events of one batch in a given order.
@Suite(.timeLimit(.minutes(20))) struct ClosedConnectionTests {
    @Test(arguments: [
        SocketEvents.input, .output, [.input, .output], .failure, [.failure, .input],
    ])
    func ignoresEventsAfterTheClockClosedTheConnection(_ events: SocketEvents) throws {
        let fixture = try WorkerFixture()
        let (token, slot, peer) = try fixture.connect()
        try peer.send("no request\r\n\r\n")
        fixture.handle(.input, token, slot)
        #expect(slot.pointee.connection.phase == .lingering)
        try peer.send("and more of it")

        fixture.worker.advance(by: Ticks.count(.hours(11)))
        #expect(fixture.closedCount == 1)
        fixture.worker.handle(events, token, slot)

        #expect(slot.pointee.connection.phase == .closed)
        #expect(fixture.closedCount == 1, "the connection was closed twice")
        fixture.worker.free()
        #expect(fixture.worker.table[token] == nil)
    }

    @Test func closesAConnectionThatThePollerCannotWatch() throws {
        let fixture = try WorkerFixture()
        let (token, slot, _) = try fixture.connect()
        fixture.poller.refusesChanges = true

        fixture.worker.watch(slot, token)

        #expect(slot.pointee.connection.phase == .closed)
        #expect(fixture.closedCount == 1)
    }

    /// The peer receives nothing, and closes. The kernel reports that the socket is writable and readable.
    @Test func ignoresInputAfterSendingFailed() throws {
        let fixture = try WorkerFixture(answer: [UInt8](repeating: 7, count: 4 << 20))
        let (token, slot, peer) = try fixture.connect()
        try peer.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        fixture.handle(.input, token, slot)
        #expect(slot.pointee.connection.hasUnsent)
        peer.close()

        fixture.handle([.output, .input], token, slot)

        #expect(slot.pointee.connection.phase == .closed)
        #expect(fixture.closedCount == 1)
    }
}
