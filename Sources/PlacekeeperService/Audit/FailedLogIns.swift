import PlacekeeperCore

/// Counts failed log-ins until they are flushed to the audit log, so that a storm of them adds few entries: each time,
/// at most one for each administrator, one for unknown names, and one for attempts that were refused unchecked.
///
/// Nothing is written while a log-in is answered. Otherwise the time of an answer would show whether a name exists.
struct FailedLogIns: Sendable {
    private struct Kind: Hashable {
        var actor: Auditor
        var isOverLimit: Bool
    }

    private var counts: [Kind: (count: Int, lastAt: Timestamp)] = [:]

    /// - Parameters:
    ///   - name: the name of an existing administrator. Nil for any other name: it may be a mistyped password.
    ///   - isOverLimit: whether the attempt was refused because there were too many.
    mutating func count(_ name: String?, isOverLimit: Bool = false, at time: Timestamp, by number: Int = 1) {
        let kind = Kind(actor: name.map(Auditor.administrator) ?? .unknown, isOverLimit: isOverLimit)
        let (count, lastAt) = counts[kind] ?? (0, time)
        counts[kind] = (count + number, max(lastAt, time))
    }

    /// Returns the entries since the last call, and clears them.
    mutating func take() -> [AuditEntry] {
        defer { counts = [:] }
        return counts.map { kind, found in
            AuditEntry(
                app: nil, at: found.lastAt, actor: kind.actor, action: .logInFailed, subject: nil,
                detail: "\(found.count) attempts" + (kind.isOverLimit ? " over the limit" : ""))
        }.sorted { ($0.at, $0.detail) < ($1.at, $1.detail) }
    }
}
