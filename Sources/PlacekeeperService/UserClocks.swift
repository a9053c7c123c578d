import PlacekeeperConcurrency
import PlacekeeperCore

/// The time of each user's own work (docs/decisions/0023-two-clocks.md).
///
/// Usually this is the system time. If the system clock was set back and a user's stored times are later, the user's
/// time continues from the latest stored time, at the pace of the machine's uptime. The user's work stays in the right
/// order, and other users are not affected.
///
/// A user's time never decreases while it is in memory, and it starts no earlier than the latest time in the store. The
/// store may receive later times with a device from another user, or from another instance's writes. An upload finds
/// such times (`Workspace.lead`) and raises the user's time.
final class UserClocks: Sendable {
    private struct Reading {
        /// The time from which the user's time continues.
        var time: Timestamp
        /// The uptime at `time`.
        var uptime: Duration
        var start: Start?
    }

    /// The moment when the user's time was set to the latest stored time.
    private struct Start {
        var time: Timestamp
        var uptime: Duration
        /// How far the stored time was ahead of the system time.
        var lead: Duration
    }

    /// The maximum number of users in one generation of the cache. Evicted users are read from the store again.
    private static let capacity = 8192
    private let readings = LockBox(GenerationalCache<UserKey, Reading>(capacity: UserClocks.capacity))

    /// Returns a user's time, or nil if the user's latest time must be read from the store first.
    func time(of owner: UserKey, _ clock: any Clock) -> Timestamp? {
        readings.withLock { readings in
            readings.value(for: owner).map { Self.time(of: owner, after: $0, clock, &readings) }
        }
    }

    /// Returns a user's time, which is no earlier than `latest`, the user's latest time in the store.
    func time(of owner: UserKey, after latest: Timestamp?, _ clock: any Clock) -> Timestamp {
        readings.withLock { readings in
            let (time, uptime) = (clock.now(), clock.uptime())
            // Another request may have read the store in the meantime.
            if let known = readings.value(for: owner), known.time + (uptime - known.uptime) >= latest ?? time {
                return Self.time(of: owner, after: known, clock, &readings)
            }
            var reading = Reading(time: time, uptime: uptime)
            if let latest, time < latest {
                let start = Start(time: latest, uptime: uptime, lead: latest - time)
                reading = Reading(time: latest, uptime: uptime, start: start)
            }
            readings.insert(reading, for: owner)
            return Self.time(of: owner, after: reading, clock, &readings)
        }
    }

    /// Returns the user's time at the moment when a request's head arrived. `uptime` is the machine's uptime at that
    /// moment, and `now` is the user's current time.
    ///
    /// The head may have arrived before the user's latest time was read from the store. If the stored time was far
    /// ahead of the system time, the system clock was set back, and everything stored is older than the request. If the
    /// stored time was only slightly ahead, it may come from another process's clock and be newer than the request.
    func arrival(at uptime: Duration, of owner: UserKey, now: Timestamp, _ clock: any Clock) -> Timestamp {
        readings.withLock { readings in
            let arrival = now - max(clock.uptime() - uptime, .zero)
            guard let start = readings.value(for: owner)?.start, uptime < start.uptime,
                start.lead > start.uptime - uptime
            else { return arrival }
            return max(arrival, start.time)
        }
    }

    private static func time(
        of owner: UserKey, after reading: Reading, _ clock: any Clock,
        _ readings: inout GenerationalCache<UserKey, Reading>
    ) -> Timestamp {
        let uptime = clock.uptime()
        let own = reading.time + max(uptime - reading.uptime, .zero)
        let time = clock.now()
        // Change the reading only when the system time has caught up. Each change loses a fraction of a millisecond, so
        // if every call changed it, the user's time would run slow.
        guard time >= own else { return own }
        readings.insert(Reading(time: time, uptime: uptime, start: reading.start), for: owner)
        return time
    }
}
