import PlacekeeperCore

/// Counts administrators' repeated reads, so that a page that keeps refreshing doesn't fill the audit log.
///
/// An administrator's or token's first read of a subject is stored immediately. So is each read with a new detail, up
/// to a limit. For five minutes, other reads of the same kind are only counted, and the counts are stored every minute
/// and at shutdown. Reads of archives' contents have no limit: each read with a new detail is stored.
struct RepeatedReads: Sendable {
    private struct Look: Hashable {
        var app: AppID?
        var actor: Auditor
        var action: AuditAction
        var subject: Digest?
        /// The first word of the detail, such as `archive` or `content`.
        var kind: Substring

        init(_ entry: AuditEntry) {
            (app, actor, action, subject) = (entry.app, entry.actor, entry.action, entry.subject)
            kind = entry.detail.prefix { $0 != " " }
        }
    }

    private struct Stored {
        var since: Timestamp
        var details: Set<String> = []
        var repeats = 0
        var last: Timestamp
    }

    private var stored: [Look: Stored] = [:]

    private static let window = Duration.seconds(300)
    /// The maximum number of details stored for one kind of read within the window.
    private static let details = 30
    /// The maximum number of tracked reads. Beyond it, every read is stored.
    private static let looks = 4096

    /// The kinds of reads that reveal what a user wrote or saw.
    private static let contents: Set<Substring> = ["content", "screenshot"]

    /// Counts the read if it repeats a stored one. Returns false if the entry must be stored.
    ///
    /// - Parameter number: 0 if the read continues the stored one.
    mutating func count(_ entry: AuditEntry, by number: Int = 1) -> Bool {
        let look = Look(entry)
        guard entry.action.kind == .reads, var known = stored[look], !Self.isOver(known, at: entry.at),
            known.details.contains(entry.detail)
                || known.details.count >= Self.details && !Self.contents.contains(look.kind)
        else { return false }
        known.repeats += number
        known.last = entry.at
        stored[look] = known
        return true
    }

    /// Records that an entry was stored.
    mutating func remember(_ entry: AuditEntry) {
        switch entry.actor {
        case .administrator, .token: break
        case .user, .command, .breaker, .unknown: return
        }
        guard entry.action.kind == .reads else { return }
        let look = Look(entry)
        guard stored[look] != nil || stored.count < Self.looks else { return }
        var known = stored[look] ?? Stored(since: entry.at, last: entry.at)
        if Self.isOver(known, at: entry.at) {
            known.since = entry.at
            known.details = []
        }
        if known.details.count < Self.details { known.details.insert(entry.detail) }
        stored[look] = known
    }

    /// Returns an entry for each repeated read, and drops reads whose window is over. If the entries can't be stored,
    /// pass them to `restore`.
    mutating func take(at now: Timestamp) -> [AuditEntry] {
        var entries: [AuditEntry] = []
        for (look, known) in stored {
            if known.repeats > 0 {
                entries.append(
                    AuditEntry(
                        app: look.app, at: known.last, actor: look.actor, action: look.action, subject: look.subject,
                        detail: (look.kind.isEmpty ? "" : look.kind + " ") + "repeated \(known.repeats)"))
            }
            stored[look]?.repeats = 0
            if Self.isOver(known, at: now) { stored[look] = nil }
        }
        return entries.sorted { $0.at < $1.at }
    }

    mutating func restore(_ entries: ArraySlice<AuditEntry>) {
        for entry in entries {
            // The detail is `repeated 12` or `archive repeated 12`.
            let words = entry.detail.split(separator: " ")
            var look = Look(entry)
            if words.count < 3 { look.kind = "" }
            stored[look, default: Stored(since: entry.at, last: entry.at)].repeats +=
                words.last.flatMap { Int($0) } ?? 0
        }
    }

    private static func isOver(_ known: Stored, at now: Timestamp) -> Bool {
        now < known.since || now >= known.since + window
    }
}
