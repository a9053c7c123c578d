import Concurrency

/// Counts events by the hour in memory, until the counts are flushed to the store.
package final class HourlyCounters: Sendable {
    /// The maximum number of counters held between two flushes. Beyond this limit, an event that needs a new counter is
    /// counted under the label `other`.
    private static let limit = 10_000
    private let counts = LockBox<[Counter: Int]>([:])

    package init() {}

    package func count(_ name: String, _ label: String, app: AppID?, at now: Timestamp, by number: Int = 1) {
        counts.withLock { counts in
            var counter = Counter(hour: now.hour, app: app, name: name, label: label)
            if counts.count >= HourlyCounters.limit, counts[counter] == nil { counter.label = "other" }
            counts[counter, default: 0] += number
        }
    }

    /// Returns the counts since the last call, and clears them.
    package func take() -> [Counter: Int] {
        counts.withLock { counts in
            defer { counts = [:] }
            return counts
        }
    }

    /// Puts back counts that could not be written.
    package func restore(_ taken: [Counter: Int]) {
        counts.withLock { $0.merge(taken, uniquingKeysWith: +) }
    }
}

/// The key of a count: the hour, the app, the kind of event and the label.
package struct Counter: Sendable, Hashable {
    /// Hours since 1970.
    package var hour: Int64
    package var app: AppID?
    /// The kind of event, such as `request`, `refusal` or `outcome`.
    package var name: String
    /// The event's details, such as a route's template and status, a reason's code, or an outcome's result.
    package var label: String
    package init(hour: Int64, app: AppID?, name: String, label: String) {
        self.hour = hour
        self.app = app
        self.name = name
        self.label = label
    }
}
