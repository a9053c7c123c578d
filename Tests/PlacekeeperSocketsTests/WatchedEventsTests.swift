import Testing

@testable import PlacekeeperSockets

/// Tests of the events that are registered with the poller. A worker must not watch an event that it does not handle,
/// because the poller would report the event again and again.
@Suite(.timeLimit(.minutes(20))) struct WatchedEventsTests {
    @Test func watchesNoEventsWhileARequestIsHandled() throws {
        let gate = Gate()
        let fixture = try WorkerFixture(
            TestResponder { _ in
                await gate.pass()
                return .text("")
            })
        let (token, slot, peer) = try fixture.connect()
        try peer.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        fixture.handle(.input, token, slot)
        try #require(slot.pointee.connection.phase == .handling)

        try peer.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        fixture.worker.handle(.input, token, slot)

        #expect(slot.pointee.watched.isEmpty)
    }

    @Test func watchesForRoomToSendWhileBytesAreUnsent() throws {
        let fixture = try WorkerFixture(answer: [UInt8](repeating: 7, count: 4 << 20))
        let (token, slot, peer) = try fixture.connect()
        try peer.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        fixture.handle(.input, token, slot)

        #expect(slot.pointee.watched.contains(.output))
    }
}
