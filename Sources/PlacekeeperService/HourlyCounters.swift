import PlacekeeperConcurrency
package import PlacekeeperCore

/// Counts events by the hour in memory, until the counts are flushed to the store.
package final class HourlyCounters: Sendable {
    /// The maximum number of counters held between two flushes. Beyond this limit, an event that needs a new counter is
    /// counted under the label `other`.
    private static let limit = 10_000
    /// The maximum number of an app's groups in an hour. A device chooses its version freely, and each group adds rows to
    /// the store's table. So an event of a further group is counted in the group `other`. A device that invents versions
    /// can take the places of an hour: then the charts by version show less, and the sums stay right.
    static let groupLimit = 20
    private let state = LockBox(State())

    package init() {}

    /// - Parameter context: the context of the device that made the event. Nil if no device made it.
    package func count(
        _ name: String, _ label: String, app: AppID?, from context: Context? = nil, at now: Timestamp,
        by number: Int = 1
    ) {
        let counter = Counter(
            hour: now.hour, app: app, name: name, label: label, group: context.map(Counter.Group.init))
        state.withLock { $0.add(number, to: counter) }
    }

    /// Returns the counts since the last call, and clears them.
    package func take() -> [Counter: Int] {
        state.withLock { state in
            defer { state.counts = [:] }
            return state.counts
        }
    }

    /// Puts back counts that could not be written.
    package func restore(_ taken: [Counter: Int]) {
        state.withLock { $0.counts.merge(taken, uniquingKeysWith: +) }
    }

    private struct State {
        var counts: [Counter: Int] = [:]
        /// The groups of each app that were counted in `hour`.
        var groups: [AppID: Set<Counter.Group>] = [:]
        var hour = Int64.min

        mutating func add(_ number: Int, to counter: Counter) {
            // Most events have a counter. They cost one lookup.
            if let index = counts.index(forKey: counter) {
                counts.values[index] += number
            } else {
                counts[limited(counter), default: 0] += number
            }
        }

        /// Returns the counter of an event that has no counter yet.
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

/// The key of a count: the hour, the app, the kind of event, the label and the group.
package struct Counter: Sendable, Hashable {
    /// The idiom and the bundle version of the device that made an event.
    package struct Group: Sendable, Hashable {
        /// The group of the events beyond the limit of groups. No device has this version, because a version begins with
        /// a digit.
        package static let other = Group(idiom: nil, bundleVersion: "other")

        /// Nil in the group `other`.
        package var idiom: Idiom?
        /// Nil if the device gave no version.
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
    /// The event's details, such as a route's template and status, a reason's code, or an outcome's result.
    package var label: String
    /// Nil if no device made the event, or if the event was counted before counters had groups.
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

    /// The label and the group as one text for a store: the label, the idiom and the version, which may be empty, with a
    /// tab between them. The text of a counter without a group is the label. Labels and versions have no control
    /// characters.
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
