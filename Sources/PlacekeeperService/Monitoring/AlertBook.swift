import PlacekeeperConcurrency
package import PlacekeeperCore

/// The alerts of a service. An alert that lasts is told once, at its start and at its end. An alert that returns within a
/// minute goes on, so a fault that comes and goes causes one alert.
package final class AlertBook: Sendable {
    /// The maximum number of alerts of a kind. Further ones are left out: a broken release of many versions is one problem.
    package static let limit = 50
    /// How long an alert must be away until it has ended.
    static let quietTime = Duration.seconds(60)

    private struct Entry {
        var alert: Alert
        var startedAt: Timestamp
        var isTold = false
        /// The uptime since which the alert is away.
        var awaySince: Duration?
    }

    private let entries = LockBox<[Entry]>([])

    package init() {}

    /// Replaces the alerts of some kinds.
    ///
    /// - Parameter alerts: the current alerts of these kinds, the most important first.
    package func update(_ kinds: Alert.Kind..., to alerts: [Alert], by clock: any Clock) {
        let (now, uptime) = (clock.now(), clock.uptime())
        entries.withLock { entries in
            for index in entries.indices where kinds.contains(entries[index].alert.kind) {
                let old = entries[index].alert
                if let new = alerts.first(where: { $0.kind == old.kind && $0.subject == old.subject }) {
                    (entries[index].alert, entries[index].awaySince) = (new, nil)
                } else if entries[index].awaySince == nil {
                    entries[index].awaySince = uptime
                }
            }
            for alert in alerts {
                let ofKind = entries.filter { $0.alert.kind == alert.kind }
                guard ofKind.count < Self.limit, !ofKind.contains(where: { $0.alert.subject == alert.subject }) else {
                    continue
                }
                entries.append(Entry(alert: alert, startedAt: now))
            }
        }
    }

    /// Returns the starts and ends since the last call.
    package func changes(by clock: any Clock) -> [AlertChange] {
        let (now, uptime) = (clock.now(), clock.uptime())
        return entries.withLock { entries in
            var changes: [AlertChange] = []
            for index in entries.indices where !entries[index].isTold {
                entries[index].isTold = true
                changes.append(AlertChange(entries[index].alert, startedAt: entries[index].startedAt))
            }
            entries.removeAll { entry in
                guard let away = entry.awaySince, uptime - away >= Self.quietTime else { return false }
                changes.append(AlertChange(entry.alert, startedAt: entry.startedAt, endedAt: now))
                return true
            }
            return changes
        }
    }

    /// The current alerts and the time of their start, in the order of their start.
    package var current: [AlertChange] {
        entries.withLock { $0.map { AlertChange($0.alert, startedAt: $0.startedAt) } }
    }
}
