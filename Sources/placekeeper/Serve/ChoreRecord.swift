import PlacekeeperCore
import PlacekeeperService
import Synchronization

/// How the periodic chores went, for monitoring.
final class ChoreRecord: Sendable {
    private struct Entry {
        var lastSuccess: (end: Timestamp, duration: Duration)?
        var failures = 0
    }

    private let entries = Mutex<[Schedule.Chore: Entry]>([:])

    func add(_ chore: Schedule.Chore, at end: Timestamp, after duration: Duration) {
        entries.withLock { $0[chore, default: Entry()].lastSuccess = (end, duration) }
    }

    func addFailure(of chore: Schedule.Chore) {
        entries.withLock { $0[chore, default: Entry()].failures += 1 }
    }

    var metrics: [Metric] {
        let entries = entries.withLock(\.self)
        let chores = Schedule.Chore.allCases
        let ends = chores.compactMap { chore in entries[chore]?.lastSuccess.map { (chore, $0) } }
        return chores.map {
            Metric(
                "housekeeping_failures_total", .counter, "The failures of periodic chores.",
                entries[$0]?.failures ?? 0, labels: [("chore", $0.rawValue)])
        }
            + ends.map {
                Metric(
                    "housekeeping_last_success_timestamp_seconds", .gauge,
                    "The time at which a periodic chore last succeeded, in seconds since 1970.",
                    Double($1.end.milliseconds) / 1000, labels: [("chore", $0.rawValue)])
            }
            + ends.map {
                Metric(
                    "housekeeping_last_duration_seconds", .gauge, "How long that chore took.",
                    Double($1.duration.wholeMilliseconds) / 1000, labels: [("chore", $0.rawValue)])
            }
    }
}
