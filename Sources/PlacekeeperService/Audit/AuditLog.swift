import PlacekeeperConcurrency
package import PlacekeeperCore

/// Records the actions of administrators and users.
package struct AuditLog: UseCases {
    let service: RestorationService

    /// Adds an entry to the audit log. Call this method before the action, so that no action goes unrecorded. The log
    /// may therefore contain actions that then failed. Repeated reads are only counted (`RepeatedReads`).
    ///
    /// - Parameters:
    ///   - app: the app whose log gets the entry. Nil for an action on the whole service.
    ///   - owner: the user whose data is affected. Nil if the action isn't about a single user.
    ///   - continues: whether the action reads the next page of a list whose first page has an entry.
    package func record(
        _ action: AuditAction, by actor: Auditor, in app: AppID?, about owner: UserKey? = nil, detail: String = "",
        continues: Bool = false
    ) async throws(ServiceError) {
        var subject: Digest?
        if let owner {
            let facts = try await service.ask { store async throws(StoreError) in try await store.facts(of: owner) }
            subject = facts?.subjectDigest ?? accountHashing.digest(of: owner)
        }
        try await record(action, by: actor, in: app, about: subject, detail: detail, continues: continues)
    }

    /// Adds an entry about the user with this keyed hash.
    func record(
        _ action: AuditAction, by actor: Auditor, in app: AppID?, about subject: Digest?, detail: String = "",
        continues: Bool = false
    ) async throws(ServiceError) {
        let entry = AuditEntry(
            app: app, at: clock.now(), actor: actor, action: action, subject: subject, detail: detail)
        guard !service.repeatedReads.withLock({ $0.count(entry, by: continues ? 0 : 1) }) else { return }
        try await service.ask { store async throws(StoreError) in try await store.append(entry) }
        service.repeatedReads.withLock { $0.remember(entry) }
    }

    /// Writes entries for the reads and failed log-ins that were only counted so far. If a write fails, the remaining
    /// reads are counted further, and the failed log-ins are lost.
    func flush() async throws(ServiceError) {
        let now = clock.now()
        for entry in service.failedLogIns.withLock({ $0.take() }) {
            try await service.ask { store async throws(StoreError) in try await store.append(entry) }
        }
        var entries = service.repeatedReads.withLock { $0.take(at: now) }[...]
        while let entry = entries.first {
            do {
                try await store.append(entry)
            } catch {
                let rest = entries
                service.repeatedReads.withLock { $0.restore(rest) }
                throw ServiceError(error)
            }
            entries = entries.dropFirst()
        }
    }

    /// Returns entries from the audit log of an app or of the whole service, newest first, starting below the entry
    /// number `position`.
    ///
    /// - Parameter subject: if given, only entries about the user with this keyed hash are returned.
    package func audit(
        of app: AppID?, about subject: Digest? = nil, below position: Int64?, limit: Int
    ) async throws(ServiceError) -> [AuditEntry] {
        try await service.ask { store async throws(StoreError) in
            try await store.audit(of: app, about: subject, below: position, limit: limit)
        }
    }
}
