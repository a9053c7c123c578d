import CLinux
import Glibc

/// An epoll instance, with a worker's wake-up descriptor and timer descriptor.
struct Poll {
    let descriptor: Int32
    private let wakeup: Int32
    private let timer: Int32

    /// The generation in the events of the worker's own descriptors. No connection has this generation.
    static let ownGeneration: UInt32 = 0
    static let timerIndex: UInt32 = 1
    private static let wakeupIndex: UInt32 = 0

    init() throws(TransportError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        wakeup = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        timer = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
        guard descriptor >= 0, wakeup >= 0, timer >= 0 else {
            let number = errno
            close()
            throw TransportError("epoll_create1, eventfd or timerfd_create", errno: number)
        }
        // The descriptors are edge-triggered, so they need not be read: each write and each tick causes its own
        // event.
        let own = [(wakeup, Self.wakeupIndex), (timer, Self.timerIndex)]
        for (descriptor, index) in own {
            let token = ConnectionToken(index: index, generation: Self.ownGeneration)
            guard add(descriptor, EPOLLIN.rawValue | EPOLLET.rawValue, token) else {
                let number = errno
                close()
                throw TransportError("epoll_ctl", errno: number)
            }
        }
    }

    func close() {
        for descriptor in [descriptor, wakeup, timer] where descriptor >= 0 { System.close(descriptor) }
    }

    func wake() { _ = eventfd_write(wakeup, 1) }

    /// Sets the interval of the ticks. Zero stops the ticks.
    func setTicks(_ interval: Duration) {
        let (seconds, attoseconds) = interval.components
        let time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        var setting = itimerspec(it_interval: time, it_value: time)
        timerfd_settime(timer, 0, &setting, nil)
    }

    /// Returns the number of ticks since the last call.
    func takeTicks() -> UInt32 {
        var count: UInt64 = 0
        let size = MemoryLayout<UInt64>.size
        return read(timer, &count, size) == size ? UInt32(truncatingIfNeeded: count) : 0
    }

    func add(_ descriptor: Int32, _ events: UInt32, _ token: ConnectionToken) -> Bool {
        control(EPOLL_CTL_ADD, descriptor, events, token)
    }

    func modify(_ descriptor: Int32, _ events: UInt32, _ token: ConnectionToken) -> Bool {
        control(EPOLL_CTL_MOD, descriptor, events, token)
    }

    /// Fills `events` with the ready descriptors, and returns their number. Waits at most `milliseconds`, or without
    /// a limit if the value is -1.
    func wait(_ events: UnsafeMutableBufferPointer<epoll_event>, milliseconds: Int32) -> Int {
        while true {
            let count = epoll_wait(descriptor, events.baseAddress, Int32(events.count), milliseconds)
            if count >= 0 { return Int(count) }
            precondition(errno == EINTR)
        }
    }

    private func control(_ call: Int32, _ descriptor: Int32, _ events: UInt32, _ token: ConnectionToken) -> Bool {
        var event = epoll_event(
            events: events, data: epoll_data(u64: UInt64(token.generation) << 32 | UInt64(token.index)))
        return epoll_ctl(self.descriptor, call, descriptor, &event) == 0
    }
}
