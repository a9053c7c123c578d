import PlacekeeperArchive
import PlacekeeperCore

/// The counts of one kind of event over time.
package struct EventSeries: Sendable {
    /// The maximum number of groups in a response, besides the group `other`. The groups with the most events are kept.
    /// Without this limit, devices that send made-up versions could make a response arbitrarily long.
    static let groupLimit = 20

    package var name: String
    package var label: String
    package var group: Counter.Group?
    /// One count for each column of a chart, oldest first.
    package var counts: [Int]

    /// Returns the series of an app's counts, sorted by name, label and group.
    ///
    /// - Parameters:
    ///   - period: the period of the counts. Other counts are ignored.
    package static func all(of counts: [Counter: Int], in period: ChartPeriod) -> [EventSeries] {
        let groups = shownGroups(of: counts)
        var series: [Counter: [Int]] = [:]
        for (counter, count) in counts {
            guard let column = period.column(of: counter.hour) else { continue }
            let key = Counter(
                hour: period.first, app: nil, name: counter.name, label: counter.label,
                group: counter.group.flatMap { groups[$0] })
            series[key, default: Array(repeating: 0, count: period.columns)][column] &+= count
        }
        return series.sorted { $0.key.order < $1.key.order }.map { key, counts in
            EventSeries(name: key.name, label: key.label, group: key.group, counts: counts)
        }
    }

    /// Returns the group under which each group's events are shown. Versions that are equal as dotted numbers, such as
    /// 2.0 and 2.00, appear as the version with more events.
    private static func shownGroups(of counts: [Counter: Int]) -> [Counter.Group: Counter.Group] {
        var totals: [Counter.Group: Int] = [:]
        for (counter, count) in counts {
            if let group = counter.group { totals[group, default: 0] &+= count }
        }
        var names: [Counter.Group: Counter.Group] = [:]
        var merged: [(group: Counter.Group, total: Int)] = []
        // After sorting, groups with equal versions are adjacent.
        for (group, total) in totals.sorted(by: {
            $0.key.isBefore($1.key)
                ?? ((-$0.value, $0.key.bundleVersion ?? "") < (-$1.value, $1.key.bundleVersion ?? ""))
        }) {
            if let last = merged.last, last.group.isBefore(group) == nil {
                merged[merged.count - 1].total &+= total
            } else {
                merged.append((group, total))
            }
            names[group] = merged[merged.count - 1].group
        }
        let ranked = merged.sorted {
            $0.total == $1.total ? $0.group.isBefore($1.group) ?? false : $0.total > $1.total
        }
        let shown = Set(ranked.prefix(groupLimit).map(\.group))
        return names.mapValues { shown.contains($0) ? $0 : .other }
    }
}

/// The period of a chart, in columns of equal length.
package struct ChartPeriod: Sendable {
    /// The first hour, in hours since 1970.
    package let first: Int64
    /// The hours of a column: 1 for a day, 3 for a week, and 24 for a month.
    package let columnHours: Int
    /// The number of columns.
    package let columns: Int

    /// - Parameters:
    ///   - hours: the length of the period: a day, a week or a month.
    ///   - now: the present hour, which is in the last column.
    ///   - offset: how many hours the clocks of the reader are ahead of UTC. Days begin at their midnight.
    package init(hours: Int, until now: Int64, offset: Int64) {
        columnHours = hours <= 24 ? 1 : hours <= 168 ? 3 : 24
        columns = hours / columnHours
        let each = Int64(columnHours)
        let local = now + offset
        first = local - local % each - Int64(columns - 1) * each - offset
    }

    /// Returns the column of an hour, or nil if the period lacks it.
    package func column(of hour: Int64) -> Int? {
        guard hour >= first else { return nil }
        let column = (hour &- first) / Int64(columnHours)
        return (0..<Int64(columns)).contains(column) ? Int(column) : nil
    }
}

extension Counter {
    fileprivate var order: (String, String, String, String) {
        (name, label, group?.idiomName ?? "", group?.bundleVersion ?? "")
    }
}

extension Counter.Group {
    /// Returns whether this group sorts before another by idiom and version. Nil if both have the same idiom and
    /// versions that are equal as dotted numbers.
    fileprivate func isBefore(_ other: Counter.Group) -> Bool? {
        let (left, right) = (idiom?.rawValue ?? .max, other.idiom?.rawValue ?? .max)
        guard left == right else { return left < right }
        guard let bundleVersion, let otherVersion = other.bundleVersion else {
            return bundleVersion == other.bundleVersion ? nil : bundleVersion == nil
        }
        let versions = (DottedVersion(bundleVersion), DottedVersion(otherVersion))
        return versions.0 == versions.1 ? nil : versions.0 < versions.1
    }
}
