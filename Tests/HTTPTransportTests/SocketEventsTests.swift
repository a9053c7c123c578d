import CLinux
import Testing

@testable import HTTPTransport

@Suite struct SocketEventsTests {
    @Test func hasTheNumbersOfEpoll() {
        #expect(SocketEvents.input.rawValue == EPOLLIN.rawValue)
        #expect(SocketEvents.output.rawValue == EPOLLOUT.rawValue)
        #expect(SocketEvents.failure.rawValue == EPOLLERR.rawValue | EPOLLHUP.rawValue)
    }
}
