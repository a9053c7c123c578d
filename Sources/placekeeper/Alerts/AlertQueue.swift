import PlacekeeperService

/// What the operator's command must still be told, in order. An alert waits at most once: its end replaces a start that
/// still waits, so the queue is as short as the list of alerts.
struct AlertQueue {
    /// How often an alert is tried. With the pauses, the command has eight minutes to work again.
    static let attempts = 8
    /// The pause after the first failure. Each further pause is twice as long.
    static let pause = Duration.seconds(2)
    /// The maximum number of waiting alerts.
    static let limit = AlertBook.limit * Alert.Kind.allCases.count

    private struct Entry {
        var change: AlertChange
        var failures = 0
        var notBefore: ContinuousClock.Instant
    }

    private var entries: [Entry] = []

    mutating func add(_ change: AlertChange, at now: ContinuousClock.Instant) {
        entries.removeAll { $0.change.isAbout(change) }
        if entries.count < Self.limit { entries.append(Entry(change: change, notBefore: now)) }
    }

    /// Returns the first alert that is due, and removes it.
    mutating func next(at now: ContinuousClock.Instant) -> (change: AlertChange, failures: Int)? {
        guard let index = entries.firstIndex(where: { $0.notBefore <= now }) else { return nil }
        let entry = entries.remove(at: index)
        return (entry.change, entry.failures)
    }

    /// Puts an alert back after a failure, unless it was tried often enough or a later change of it waits. Returns
    /// whether it is tried again.
    mutating func retry(_ change: AlertChange, after failures: Int, at now: ContinuousClock.Instant) -> Bool {
        guard !entries.contains(where: { $0.change.isAbout(change) }) else { return true }
        guard failures < Self.attempts, entries.count < Self.limit else { return false }
        entries.append(
            Entry(change: change, failures: failures, notBefore: now + Self.pause * (1 << (failures - 1))))
        return true
    }
}

extension AlertChange {
    fileprivate func isAbout(_ other: AlertChange) -> Bool {
        alert.kind == other.alert.kind && alert.subject == other.alert.subject
    }
}
