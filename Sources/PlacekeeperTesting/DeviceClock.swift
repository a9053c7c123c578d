import PlacekeeperConcurrency
package import PlacekeeperClient

/// The clocks of a virtual device. The wall clock of a device may be wrong.
package final class DeviceClock: ClientClock {
    private struct State {
        var wallOffset = 0.0
        var bootedAt: Double
        var boots = 1
        /// The latest uptime that a task waited for. Because of rounding, the uptime could otherwise seem earlier.
        var reached = 0.0
    }

    private let clock: TestClock
    private let activity: Activity?
    private let state: LockBox<State>

    package convenience init(_ clock: TestClock) { self.init(clock, nil) }

    init(_ clock: TestClock, _ activity: Activity?) {
        self.clock = clock
        self.activity = activity
        state = LockBox(State(bootedAt: clock.seconds - 1000))
    }

    package func now() -> ClockReading {
        let seconds = clock.seconds
        return state.withLock { state in
            ClockReading(
                wall: seconds + state.wallOffset, uptime: max(seconds - state.bootedAt, state.reached),
                boot: "\(state.boots)")
        }
    }

    package func sleep(until uptime: Double) async {
        let (bootedAt, boots) = state.withLock { ($0.bootedAt, $0.boots) }
        await clock.sleep(until: bootedAt + uptime, activity)
        let isOver = bootedAt + uptime <= clock.seconds + TestClock.tolerance
        state.withLock { state in
            if isOver, state.boots == boots { state.reached = max(state.reached, uptime) }
        }
    }

    /// Sets the wall clock wrong by a number of seconds.
    package func setWall(wrongBy seconds: Double) { state.withLock { $0.wallOffset = seconds } }

    /// Restarts the system.
    package func boot() {
        let seconds = clock.seconds
        state.withLock { state in
            state.bootedAt = seconds
            state.boots += 1
            state.reached = 0
        }
    }
}
