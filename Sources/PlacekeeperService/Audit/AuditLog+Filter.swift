package import PlacekeeperCore

/// Selects entries of the audit log. A missing condition holds for each entry.
package struct AuditFilter: Sendable {
    package var kind: AuditAction.Kind?
    package var action: AuditAction?
    /// The text form of the actor, such as `administrator anna`, or the name alone.
    package var actor: String?
    /// The start of a day in UTC.
    package var day: Timestamp?
    /// The keyed hash of the user whom the entry is about.
    package var subject: Digest?

    package init(
        kind: AuditAction.Kind? = nil, action: AuditAction? = nil, actor: String? = nil, day: Timestamp? = nil
    ) {
        (self.kind, self.action, self.actor, self.day) = (kind, action, actor, day)
    }

    fileprivate func selects(_ entry: AuditEntry) -> Bool {
        (kind.map { $0 == entry.action.kind } ?? true) && (action.map { $0 == entry.action } ?? true)
            && (actor.map { entry.actor.is($0) } ?? true)
            && (day.map { $0.day == entry.at.day } ?? true)
    }
}

extension Auditor {
    /// Whether a text is the text form of the actor, or the name alone.
    fileprivate func `is`(_ text: String) -> Bool {
        let name = self.text.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1).last
        return self.text.utf8.elementsEqual(text.utf8) || name?.elementsEqual(text.utf8) == true
    }
}

extension AuditLog {
    /// The number of entries that one call looks at.
    private static let looked = 20_000
    private static let page = 500
    /// An entry may be this much out of order, because the clock was behind or ahead.
    private static let disorder = Duration.seconds(3600)

    /// Returns the selected entries of an app or of the whole service, newest first, starting below the entry number
    /// `position`.
    ///
    /// - Returns: at most `limit` entries, and the position below which the next page starts. A page may have fewer
    ///   entries, or none, although another one follows, because a call looks at a limited number of entries.
    package func audit(
        of app: AppID?, matching filter: AuditFilter, below position: Int64?, limit: Int
    ) async throws(ServiceError) -> (entries: [AuditEntry], next: Int64?) {
        var position = position
        if position == nil, let day = filter.day {
            position = try await firstNumber(at: day + .seconds(86_400) + Self.disorder, of: app, about: filter.subject)
        }
        var found: [AuditEntry] = []
        for _ in stride(from: 0, to: Self.looked, by: Self.page) {
            let page = try await audit(of: app, about: filter.subject, below: position, limit: Self.page)
            for entry in page where filter.selects(entry) {
                if found.count == limit { return (found, found.last?.number) }
                found.append(entry)
            }
            guard page.count == Self.page else { return (found, nil) }
            if let day = filter.day, page.allSatisfy({ $0.at < day - Self.disorder }) { return (found, nil) }
            position = page.last?.number
            await Task.yield()
        }
        return (found, position)
    }

    /// Returns the number of the first entry at or after a time, or a number above all entries. Finds it in few steps,
    /// because the entries are almost in the order of time.
    private func firstNumber(
        at time: Timestamp, of app: AppID?, about subject: Digest?
    ) async throws(ServiceError) -> Int64 {
        let last = try await audit(of: app, about: subject, below: nil, limit: 1).first
        var (low, high) = (Int64(0), (last?.number ?? 0) + 1)
        while low < high {
            let middle = low + (high - low) / 2
            let entry = try await audit(of: app, about: subject, below: middle + 1, limit: 1).first
            if let entry, entry.at >= time { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
