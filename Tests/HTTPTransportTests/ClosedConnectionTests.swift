import CLinux
import Glibc
import HTTPCodec
import Testing

@testable import HTTPTransport

/// A batch of events may close a connection before its own event comes: the clock does, and so does another event.
///
/// The worker's loop does not run here. Each test plays the events of one batch in the order in question.
@Suite(.timeLimit(.minutes(20))) struct ClosedConnectionTests {
    @Test(arguments: [
        EPOLLIN.rawValue, EPOLLOUT.rawValue, EPOLLIN.rawValue | EPOLLOUT.rawValue, EPOLLHUP.rawValue,
        EPOLLERR.rawValue | EPOLLIN.rawValue,
    ])
    func ignoresEventsAfterTheClockClosedTheConnection(_ events: UInt32) throws {
        let fixture = try WorkerFixture()
        let (token, slot, peer) = try fixture.connect()
        try peer.send("no request\r\n\r\n")
        fixture.handle(EPOLLIN.rawValue, token, slot)
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

    @Test func closesAConnectionThatTheKernelCannotWatch() throws {
        let fixture = try WorkerFixture()
        let (token, slot, _) = try fixture.connect()
        var event = epoll_event()
        #expect(epoll_ctl(fixture.worker.poll.descriptor, EPOLL_CTL_DEL, slot.pointee.descriptor, &event) == 0)

        fixture.worker.watch(slot, token)

        #expect(slot.pointee.connection.phase == .closed)
        #expect(fixture.closedCount == 1)
    }

    /// The peer takes nothing, sends a further request and goes: the kernel reports that one may write and read.
    @Test func ignoresInputAfterSendingFailed() throws {
        let fixture = try WorkerFixture(answer: [UInt8](repeating: 7, count: 4 << 20))
        let (token, slot, peer) = try fixture.connect()
        try peer.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        fixture.handle(EPOLLIN.rawValue, token, slot)
        #expect(slot.pointee.connection.hasUnsent)
        peer.close()

        fixture.handle(EPOLLOUT.rawValue | EPOLLIN.rawValue, token, slot)

        #expect(slot.pointee.connection.phase == .closed)
        #expect(fixture.closedCount == 1)
    }
}
