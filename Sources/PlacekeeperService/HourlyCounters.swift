import PlacekeeperConcurrency
package import PlacekeeperCore

/// Counts events per hour in memory until the counts are flushed to the store.
package final class HourlyCounters: Sendable {
    /// The maximum number of counters between two flushes. Beyond it, events that need a new counter are counted under
    /// the label `other`.
    private static let limit = 10_000
    /// The maximum number of groups per app and hour. Devices choose their version freely, and each group adds rows to
    /// the store, so events of further groups are counted in the group `other`. If a device sends made-up versions and
    /// uses up the groups of an hour, the charts by version show less, but the totals stay correct.
    static let groupLimit = 20
    private let state = LockBox(State())

    package init() {}

    /// - Parameter context: the context of the device that caused the event. Nil if no device did.
    package func count(
        _ name: String, _ label: String, app: AppID?, from context: Context? = nil, at now: Timestamp,
        by number: Int = 1
    ) {
        let counter = Counter(
            hour: now.hour, app: app, name: name, label: label, group: context.map(Counter.Group.init))
        state.withLock { state in
            state.add(number, to: counter)
            if app != nil { state.totals[Event(name: name, label: label), default: 0] += number }
        }
    }

    /// Returns how often an event of any app happened since the start of the process.
    package func total(_ name: String, _ label: String) -> Int {
        state.withLock { $0.totals[Event(name: name, label: label)] ?? 0 }
    }

    /// Returns the counts since the last call, and clears them.
    package func take() -> [Counter: Int] {
        state.withLock { state in
            defer { state.counts = [:] }
            return state.counts
        }
    }

    /// Restores counts that could not be written.
    package func restore(_ taken: [Counter: Int]) {
        state.withLock { $0.counts.merge(taken, uniquingKeysWith: +) }
    }

    /// A kind of event. Names and labels are the program's own words, so there are few.
    private struct Event: Hashable {
        var name: String
        var label: String
    }

    private struct State {
        var counts: [Counter: Int] = [:]
        var totals: [Event: Int] = [:]
        /// Each app's groups that were counted in `hour`.
        var groups: [AppID: Set<Counter.Group>] = [:]
        var hour = Int64.min

        mutating func add(_ number: Int, to counter: Counter) {
            // Most events already have a counter and need only one lookup.
            if let index = counts.index(forKey: counter) {
                counts.values[index] += number
            } else {
                counts[limited(counter), default: 0] += number
            }
        }

        /// Returns the counter to add for an event. Beyond the limits, this is a counter for `other`.
        private mutating func limited(_ counter: Counter) -> Counter {
            var counter = counter
            if let app = counter.app, let group = counter.group {
                if hour != counter.hour { (hour, groups) = (counter.hour, [:]) }
                if groups[app, default: []].count < HourlyCounters.groupLimit {
                    groups[app, default: []].insert(group)
                } else if groups[app]?.contains(group) != true {
                    counter.group = .other
                }
            }
            if counts.count >= HourlyCounters.limit, counts[counter] == nil {
                (counter.label, counter.group) = ("other", nil)
            }
            return counter
        }
    }
}

/// The key of a count: hour, app, kind of event, label and group.
package struct Counter: Sendable, Hashable {
    /// The idiom and bundle version of the device that caused an event.
    package struct Group: Sendable, Hashable {
        /// The group for events beyond the limit. No device has this version, because versions start with a digit.
        package static let other = Group(idiom: nil, bundleVersion: "other")

        /// Nil in the group `other`.
        package var idiom: Idiom?
        /// Nil if the device sent no version.
        package var bundleVersion: String?

        package init(idiom: Idiom?, bundleVersion: String?) {
            self.idiom = idiom
            self.bundleVersion = bundleVersion
        }

        init(_ context: Context) { self.init(idiom: context.idiom, bundleVersion: context.bundleVersion) }

        /// The idiom's name, or `other`.
        package var idiomName: String { idiom?.name ?? "other" }
    }

    /// Hours since 1970.
    package var hour: Int64
    package var app: AppID?
    /// The kind of event, such as `request`, `refusal` or `outcome`.
    package var name: String
    /// Details of the event, such as a route's template and status, a reason's code or an outcome's result.
    package var label: String
    /// Nil if no device caused the event, or if it was counted before groups existed.
    package var group: Group?

    package init(hour: Int64, app: AppID?, name: String, label: String, group: Group? = nil) {
        self.hour = hour
        self.app = app
        self.name = name
        self.label = label
        self.group = group
    }
}

extension Counter {
    private static let separator = UInt8(ascii: "\t")

    /// The label and group as one text for the store: label, idiom and version, separated by tabs. The version may be
    /// empty. Without a group, the text is the label alone. Labels and versions contain no control characters.
    package var labelAndGroup: String {
        group.map { "\(label)\t\($0.idiomName)\t\($0.bundleVersion ?? "")" } ?? label
    }

    package init(hour: Int64, app: AppID?, name: String, labelAndGroup text: String) {
        self.init(hour: hour, app: app, name: name, label: text)
        let parts = text.utf8.split(separator: Self.separator, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return }
        let version = Substring(parts[2])
        label = String(Substring(parts[0]))
        group = Group(idiom: Idiom(name: Substring(parts[1])), bundleVersion: version.isEmpty ? nil : String(version))
    }
}

/// Counts of several hours, added up.
package struct CounterSums {
    private struct Kind: Hashable {
        var app: AppID?
        var name: String
        var labelAndGroup: String
    }

    private let first: Int64
    private let hours: Int64
    private var sums: [Kind: [Int64: Int]] = [:]

    /// - Parameters:
    ///   - first: the first hour.
    ///   - hours: how many hours make a sum. The first sum begins with the first hour.
    package init(from first: Int64, each hours: Int = 1) {
        self.first = first
        self.hours = Int64(hours)
    }

    /// - Parameters:
    ///   - hour: not before the first hour.
    ///   - labelAndGroup: the text that the store has (`Counter.labelAndGroup`).
    package mutating func add(_ count: Int, hour: Int64, app: AppID?, name: String, labelAndGroup: String) {
        let kind = Kind(app: app, name: name, labelAndGroup: labelAndGroup)
        sums[kind, default: [:]][(hour &- first) / hours, default: 0] &+= count
    }

    /// The sums. The hour of each is the first one that was added up.
    package var counts: [Counter: Int] {
        var counts: [Counter: Int] = [:]
        for (kind, columns) in sums {
            let counter = Counter(hour: first, app: kind.app, name: kind.name, labelAndGroup: kind.labelAndGroup)
            for (column, sum) in columns {
                var one = counter
                one.hour = first &+ column &* hours
                counts[one, default: 0] &+= sum
            }
        }
        return counts
    }
}
