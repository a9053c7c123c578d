import CPlacekeeperLinux
import Dispatch
import PlacekeeperSystem

/// An epoll instance, with one descriptor for wake-ups and one for ticks. A Dispatch source watches the epoll's own
/// descriptor (docs/decisions/0018-epoll-workers-on-dispatch.md).
///
/// `@unchecked Sendable`: only the worker's queue uses `source` and `events`. The descriptors don't change.
final class EpollPoller: Poller, @unchecked Sendable {
    private let descriptor: Int32
    private let wakeup: Int32
    private let timer: Int32
    private let queue: DispatchQueue
    private var source: (any DispatchSourceRead)?
    private let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: 256)

    init(_ queue: DispatchQueue) throws(TransportError) {
        self.queue = queue
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        wakeup = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        timer = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
        guard descriptor >= 0, wakeup >= 0, timer >= 0 else {
            throw TransportError("epoll_create1, eventfd or timerfd_create", errno: errno)
        }
        // These descriptors are edge-triggered, so they needn't be read: each write and each tick causes its own event.
        let edges = SocketEvents(rawValue: EPOLLIN.rawValue | EPOLLET.rawValue)
        guard add(wakeup, edges, .wakeup), add(timer, edges, .timer) else {
            throw TransportError("epoll_ctl", errno: errno)
        }
    }

    deinit {
        for descriptor in [descriptor, wakeup, timer] where descriptor >= 0 { System.close(descriptor) }
        events.deallocate()
    }

    var blocks: Bool { true }

    func start(_ turn: @escaping @Sendable () -> Void) {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler(handler: turn)
        // Keep this object until Dispatch stops watching the descriptor, because `deinit` closes the descriptor.
        source.setCancelHandler { withExtendedLifetime(self) {} }
        self.source = source
        source.activate()
    }

    func stop() {
        source?.cancel()
        source = nil
    }

    func wake() { _ = eventfd_write(wakeup, 1) }

    func setTicks(_ interval: Duration) {
        let (seconds, attoseconds) = interval.components
        let time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        var setting = itimerspec(it_interval: time, it_value: time)
        timerfd_settime(timer, 0, &setting, nil)
    }

    func takeTicks() -> UInt32 {
        var count: UInt64 = 0
        let size = MemoryLayout<UInt64>.size
        return read(timer, &count, size) == size ? UInt32(truncatingIfNeeded: count) : 0
    }

    func add(_ descriptor: Int32, _ events: SocketEvents, _ token: ConnectionID) -> Bool {
        control(EPOLL_CTL_ADD, descriptor, events, token)
    }

    func change(_ descriptor: Int32, _ events: SocketEvents, _ token: ConnectionID) -> Bool {
        control(EPOLL_CTL_MOD, descriptor, events, token)
    }

    /// Removes the socket from the epoll and closes it. Closing alone would keep its events while a forked child
    /// process has a copy of the descriptor.
    func close(_ descriptor: Int32) {
        _ = control(EPOLL_CTL_DEL, descriptor, [], .wakeup)
        System.close(descriptor)
    }

    func wait(_ ready: UnsafeMutableBufferPointer<Readiness>, mayBlock: Bool) -> Int {
        while true {
            let limit = Int32(min(events.count, ready.count))
            let count = Int(epoll_wait(descriptor, events.baseAddress, limit, mayBlock ? -1 : 0))
            for index in 0..<max(0, count) {
                let data = events[index].data.u64
                let token = ConnectionID(
                    index: UInt32(truncatingIfNeeded: data), generation: UInt32(data >> 32))
                ready[index] = Readiness(token: token, events: SocketEvents(rawValue: events[index].events))
            }
            if count >= 0 { return count }
            // Any other error would mean that the descriptor or the array is invalid, but both live as long as the
            // poller.
            precondition(errno == EINTR)
        }
    }

    private func control(
        _ call: Int32, _ descriptor: Int32, _ events: SocketEvents, _ token: ConnectionID
    ) -> Bool {
        let data = epoll_data(u64: UInt64(token.generation) << 32 | UInt64(token.index))
        var event = epoll_event(events: events.rawValue, data: data)
        return epoll_ctl(self.descriptor, call, descriptor, &event) == 0
    }
}
