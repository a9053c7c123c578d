import Concurrency

/// Counts events by the hour in memory, until the counts are flushed to the store.
package final class HourlyCounters: Sendable {
    /// The maximum number of counters held between two flushes. Beyond this limit, events without a counter are
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

    /// Returns the counts since the last call.
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
