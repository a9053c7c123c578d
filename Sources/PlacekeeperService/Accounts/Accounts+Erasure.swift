import PlacekeeperConcurrency
package import PlacekeeperCore

extension Accounts {
    /// Erases a user and all of the user's data. Returns false if there is no such user.
    ///
    /// First adds the user's ID and subject to the erasure log. The service can then finish the erasure after a crash,
    /// and repeat it if an older backup is restored.
    @discardableResult
    package func erase(_ owner: UserKey, by actor: Auditor = .user) async throws(ServiceError) -> Bool {
        guard let facts = try await service.ask({ store async throws(StoreError) in try await store.facts(of: owner) })
        else { return false }
        try await service.auditLog.record(
            .erased, by: actor, in: owner.app, about: facts.subjectDigest ?? accountHashing.digest(of: owner))
        // The entry applies only to users created before it, and the clock may have been set back since the user was
        // created.
        let time = max(clock.now(), facts.createdAt + .milliseconds(1))
        // The account's next user counts as created at the time of this entry, so a store must accept the time.
        let stored = Timestamp(milliseconds: StoredNumber.time.clamped(time.milliseconds))
        let entries =
            [ErasureEntry(digest: accountHashing.digest(of: owner), time: time)]
            + (facts.subjectDigest.map { [ErasureEntry(digest: $0, time: stored)] } ?? [])
        try await service.ask { _ async throws(StoreError) in try await service.erasures.append(entries) }
        service.pendingErasures.withLock { _ = $0.insert(owner) }
        return try await finishErasure(of: owner)
    }

    /// Retries erasures that failed, for example because the disk was full. Call this method once a second.
    package func finishErasures() async throws(ServiceError) {
        for owner in service.pendingErasures.withLock({ $0 }) { try await finishErasure(of: owner) }
    }

    @discardableResult
    private func finishErasure(of owner: UserKey) async throws(ServiceError) -> Bool {
        let isErased = try await service.write { store async throws(StoreError) in try await store.erase(owner) }
        service.pendingErasures.withLock { _ = $0.remove(owner) }
        return isErased
    }

    /// Erases the users in the erasure log that still exist, because their erasure was interrupted or because a
    /// restored backup brought them back. Call this method at startup, before the service answers requests.
    /// - Returns: the number of erased users.
    @discardableResult
    package func resumeErasures() async throws(ServiceError) -> Int {
        let entries = try await service.ask { _ async throws(StoreError) in try await service.erasures.entries() }
        let erased = ErasedAccounts(entries)
        guard !erased.isEmpty else { return 0 }
        var count = 0
        var last: UserKey?
        // A restored backup may have brought back an app that was deleted since. Its deletion may take long, so it goes on
        // in the background.
        for app in try await service.apps.apps() where !app.isBeingDeleted {
            guard let time = erased.time(of: app.id, hashing: accountHashing), app.createdAt < time else { continue }
            try await service.apps.beginDeletion(of: app)
        }
        while true {
            let page = try await service.ask { [last] store async throws(StoreError) in
                try await store.facts(after: last, limit: Self.accountsAtOnce)
            }
            for facts in page where erased.contains(facts, hashing: accountHashing) {
                _ = try await service.write { store async throws(StoreError) in try await store.erase(facts.owner) }
                count += 1
            }
            guard let end = page.last else { return count }
            last = end.owner
        }
    }

    private static let accountsAtOnce = 10_000
}
