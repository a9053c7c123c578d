import Concurrency

/// The server's clock. It follows the system's clock while the system's clock runs forward. If the system's clock is
/// set back, the server's clock continues from its last time at the pace of a monotonic source, so that measured
/// intervals stay correct (docs/decisions/0023-a-clock-that-never-runs-back.md).
package final class ServerClock: Clock {
    private struct State {
        /// The time from which the clock continues.
        var time: Timestamp
        /// The monotonic reading at `time`.
        var reading: Duration
    }

    private let system: @Sendable () -> Timestamp
    private let monotonic: @Sendable () -> Duration
    private let state: LockBox<State>

    /// - Parameters:
    ///   - system: the system's clock. A person or a program may set this clock back.
    ///   - monotonic: returns a reading that never decreases.
    package init(
        system: @escaping @Sendable () -> Timestamp, monotonic: @escaping @Sendable () -> Duration
    ) {
        self.system = system
        self.monotonic = monotonic
        state = LockBox(State(time: system(), reading: monotonic()))
    }

    package func now() -> Timestamp {
        state.withLock { state in
            let reading = monotonic()
            let expected = state.time + max(reading - state.reading, .zero)
            let time = system()
            // `now` changes the state only if it returns the time of the system's clock. If every call changed the
            // state, every call would drop a fraction of a millisecond of the monotonic reading, and the clock would be
            // slow.
            guard time >= expected else { return expected }
            state = State(time: time, reading: max(reading, state.reading))
            return time
        }
    }

    /// If `time` is later than the clock's time, the clock continues from `time` at the pace of the monotonic source.
    package func advance(to time: Timestamp) {
        state.withLock { state in
            let reading = monotonic()
            guard time > state.time + max(reading - state.reading, .zero) else { return }
            state = State(time: time, reading: max(reading, state.reading))
        }
    }
}
