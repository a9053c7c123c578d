import Concurrency

/// Advances the server's clock to stored times, and remembers the last advances, so that times from before an advance
/// can be corrected.
///
/// The head of a request arrives before the store is read for its user. If the system's clock was set back before the
/// process started, the clock advances between the two, and the time of the head's arrival is too early
/// (docs/decisions/0023-a-clock-that-never-runs-back.md).
final class ClockAdvances: Sendable {
    private struct Advance {
        /// The clock's time before the advance.
        var start: Timestamp
        /// The clock's time after the advance.
        var end: Timestamp
    }

    /// The maximum number of remembered advances. Advances are rare, and a request ends soon after its head arrived.
    private static let limit = 64
    private let advances = LockBox<[Advance]>([])

    /// Advances a clock to a stored time, unless the clock is already there.
    func advance(_ clock: any Clock, to time: Timestamp) {
        let now = clock.now()
        guard now < time else { return }
        clock.advance(to: time)
        advances.withLock { advances in
            if advances.count == Self.limit { advances.removeFirst() }
            advances.append(Advance(start: now, end: time))
        }
    }

    /// Corrects the time at which a head arrived for the advances since then. If an advance is longer than the time
    /// between the arrival and the advance, the clock was set back before the head arrived. The head then counts as
    /// arrived at the end of the advance, because everything stored before is older. Otherwise the clock of another
    /// process is slightly ahead, and the arrival moves with the clock.
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
