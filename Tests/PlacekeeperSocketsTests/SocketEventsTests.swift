#if canImport(CPlacekeeperLinux)
    import CPlacekeeperLinux
#endif
import PlacekeeperSystem
import Testing

@testable import PlacekeeperSockets

@Suite struct SocketEventsTests {
    @Test func hasTheNumbersOfPoll() {
        #expect(SocketEvents.input.rawValue == UInt32(POLLIN))
        #expect(SocketEvents.output.rawValue == UInt32(POLLOUT))
        #expect(SocketEvents.failure.rawValue == UInt32(POLLERR | POLLHUP))
    }

    #if canImport(CPlacekeeperLinux)
        @Test func hasTheNumbersOfEpoll() {
            #expect(SocketEvents.input.rawValue == EPOLLIN.rawValue)
            #expect(SocketEvents.output.rawValue == EPOLLOUT.rawValue)
            #expect(SocketEvents.failure.rawValue == EPOLLERR.rawValue | EPOLLHUP.rawValue)
        }
    #endif
}
