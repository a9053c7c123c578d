#if canImport(CLinux)
    import CLinux
#endif
import CLibrary
import Testing

@testable import HTTPTransport

@Suite struct SocketEventsTests {
    @Test func hasTheNumbersOfPoll() {
        #expect(SocketEvents.input.rawValue == UInt32(POLLIN))
        #expect(SocketEvents.output.rawValue == UInt32(POLLOUT))
        #expect(SocketEvents.failure.rawValue == UInt32(POLLERR | POLLHUP))
    }

    #if canImport(CLinux)
        @Test func hasTheNumbersOfEpoll() {
            #expect(SocketEvents.input.rawValue == EPOLLIN.rawValue)
            #expect(SocketEvents.output.rawValue == EPOLLOUT.rawValue)
            #expect(SocketEvents.failure.rawValue == EPOLLERR.rawValue | EPOLLHUP.rawValue)
        }
    #endif
}
