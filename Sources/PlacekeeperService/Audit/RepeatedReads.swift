import PlacekeeperCore

/// Counts the looks of administrators that repeat an entry of the audit log, so that a page that reads again and again
/// does not fill the log.
///
/// The first look of a caller at a subject is stored at once, and so is each look of the same kind with another detail, up
/// to a number. Within five minutes further looks are only counted. Each minute, and at shutdown, the count becomes an
/// entry. A look at the content of an archive is counted only if it repeats a look at the same archive.
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
    /// The number of details that are stored for one caller, action and subject within the window.
    private static let details = 30
    /// The number of looks that are remembered. Beyond this number, each look is stored.
    private static let looks = 4096

    private static let actions: Set<AuditAction> = [
        .shown, .searched, .usersListed, .eventsFollowed, .restoresSummarized, .settingsTried,
    ]

    /// The kinds of looks at what a person wrote or saw.
    private static let contents: Set<Substring> = ["content", "screenshot"]

    /// Counts the look if it repeats a stored look. Returns false if the entry must be stored.
    mutating func count(_ entry: AuditEntry) -> Bool {
        let look = Look(entry)
        guard Self.actions.contains(entry.action), var known = stored[look], !Self.isOver(known, at: entry.at),
            known.details.contains(entry.detail)
                || known.details.count >= Self.details && !Self.contents.contains(look.kind)
        else { return false }
        known.repeats += 1
        known.last = entry.at
        stored[look] = known
        return true
    }

    /// Remembers an entry that was stored.
    mutating func remember(_ entry: AuditEntry) {
        switch entry.actor {
        case .administrator, .token: break
        case .user, .command, .breaker: return
        }
        guard Self.actions.contains(entry.action) else { return }
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

    /// Returns an entry for each look that was repeated, and forgets the looks whose window is over. Give the entries back
    /// with `restore` if they cannot be stored.
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
