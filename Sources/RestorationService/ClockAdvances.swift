import Concurrency

/// Advances the server's clock to stored times, and remembers the last 64 advances, so that the arrival time of a
/// request head can be corrected if the head arrived before an advance.
///
/// A request head arrives before the service reads the latest stored time of the request's user. If the system's clock
/// was set back before the process started, the server's clock advances at this read. The noted time of the head's
/// arrival is then too early (docs/decisions/0023-a-clock-that-never-runs-back.md).
final class ClockAdvances: Sendable {
    private struct Advance {
        /// The clock's time before the advance.
        var start: Timestamp
        /// The clock's time after the advance.
        var end: Timestamp
    }

    /// The maximum number of remembered advances. Advances are rare, and a request ends soon after its head arrived, so
    /// older advances are not needed.
    private static let limit = 64
    private let advances = LockBox<[Advance]>([])

    /// Advances a clock to a stored time, unless the clock has already reached this time.
    func advance(_ clock: any Clock, to time: Timestamp) {
        let now = clock.now()
        guard now < time else { return }
        clock.advance(to: time)
        advances.withLock { advances in
            if advances.count == Self.limit { advances.removeFirst() }
            advances.append(Advance(start: now, end: time))
        }
    }

    /// Corrects the time at which a request head arrived, by the advances since the arrival. Each advance moved the
    /// clock forward by some length. If the length is at least the time that passed between the arrival and the
    /// advance, the service assumes that the system's clock was set back before the head arrived. The corrected time is
    /// then the end of the advance, because this end is the latest stored time. If the length is smaller, the service
    /// assumes that the clock of another process is slightly ahead. The corrected time is then later by the length.
    func corrected(_ arrival: Timestamp) -> Timestamp {
        advances.withLock { advances in
            var arrival = arrival
            for advance in advances where arrival < advance.end {
                let length = advance.end - advance.start
                let isShort = length < advance.start - arrival
                arrival = isShort ? arrival + length : advance.end
            }
            return arrival
        }
    }
}
