import PlacekeeperConcurrency
import PlacekeeperCore

/// The time of each user's own work (docs/decisions/0023-two-clocks.md).
///
/// Usually this is the system's time. A user whose stored times are later than the system's time, because the system's
/// clock was set back, continues from the user's own latest time, at the pace of the machine's uptime. So the order of
/// the user's work stays right, and no other user notices.
///
/// A user's time never falls while it is in memory. It is not earlier than the latest time that the store had when this
/// process first met the user. A device may bring later times from another user, and another instance may write them: the
/// rule of an upload finds them (`Workspace.lead`), and raises this time.
final class UserClocks: Sendable {
    private struct Reading {
        /// The time from which the user's time continues.
        var time: Timestamp
        /// The uptime at `time`.
        var uptime: Duration
        var start: Start?
    }

    /// The moment at which a user's time continued from the latest stored time.
    private struct Start {
        var time: Timestamp
        var uptime: Duration
        /// The time by which the stored time was ahead of the system's time.
        var lead: Duration
    }

    /// The maximum number of users in a generation of the cache. The service reads a user that the cache dropped from the
    /// store again.
    private static let capacity = 8192
    private let readings = LockBox(GenerationalCache<UserKey, Reading>(capacity: UserClocks.capacity))

    /// Returns a user's time. Nil if the user's latest time must first be read from the store.
    func time(of owner: UserKey, _ clock: any Clock) -> Timestamp? {
        readings.withLock { readings in
            readings.value(for: owner).map { Self.time(of: owner, after: $0, clock, &readings) }
        }
    }

    /// Returns a user's time, which is not earlier than `latest`, the latest time that the store has of this user.
    func time(of owner: UserKey, after latest: Timestamp?, _ clock: any Clock) -> Timestamp {
        readings.withLock { readings in
            let (time, uptime) = (clock.now(), clock.uptime())
            // Another request may have read the store at the same time.
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

    /// Returns a user's time at the uptime at which the head of a request arrived. `now` is the user's present time.
    ///
    /// The head may have arrived before the user's latest time was read from the store. If this time was far ahead of the
    /// system's time, the system's clock was set back, and everything stored is older than the request. If it was only a
    /// little ahead, it may be from another process, whose clock differs, and newer than the request.
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
        // The reading changes only with the system's time. If every call changed the reading, every call would drop a
        // fraction of a millisecond, and the user's time would be slow.
        guard time >= own else { return own }
        readings.insert(Reading(time: time, uptime: uptime, start: reading.start), for: owner)
        return time
    }
}
