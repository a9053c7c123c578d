import PlacekeeperConcurrency
package import PlacekeeperCore

extension Accounts {
    /// Erases a user with all data. First adds the user's id and subject to the erasure log, so that the erasure is
    /// finished after a crash, and repeated after an older backup was restored. Returns false if there is no such user.
    @discardableResult
    package func erase(_ owner: UserKey, by actor: Auditor = .user) async throws(ServiceError) -> Bool {
        guard let facts = try await service.ask({ store async throws(StoreError) in try await store.facts(of: owner) })
        else { return false }
        try await service.auditLog.record(
            .erased, by: actor, in: owner.app, about: facts.subjectDigest ?? accountHashing.digest(of: owner))
        // The entry concerns only users that were created before it, and the clock may have been set back since.
        let time = max(clock.now(), facts.createdAt + .milliseconds(1))
        // The next user of the account counts as created at the time of the account's entry, so a store must accept it.
        let stored = Timestamp(milliseconds: StoredNumber.time.clamped(time.milliseconds))
        let entries =
            [ErasureEntry(digest: accountHashing.digest(of: owner), time: time)]
            + (facts.subjectDigest.map { [ErasureEntry(digest: $0, time: stored)] } ?? [])
        try await service.ask { _ async throws(StoreError) in try await service.erasures.append(entries) }
        service.pendingErasures.withLock { _ = $0.insert(owner) }
        return try await finishErasure(of: owner)
    }

    /// Tries again to finish the erasures that failed, for example because the disk was full. Call this method once a
    /// second.
    package func finishErasures() async throws(ServiceError) {
        for owner in service.pendingErasures.withLock({ $0 }) { try await finishErasure(of: owner) }
    }

    @discardableResult
    private func finishErasure(of owner: UserKey) async throws(ServiceError) -> Bool {
        let isErased = try await service.write { store async throws(StoreError) in try await store.erase(owner) }
        service.pendingErasures.withLock { _ = $0.remove(owner) }
        return isErased
    }

    /// Erases the users that the erasure log lists and that still exist: users whose erasure was interrupted, and users
    /// that a restored backup brought back. Call this method when the service starts, before it answers requests.
    /// - Returns: the number of erased users.
    @discardableResult
    package func resumeErasures() async throws(ServiceError) -> Int {
        let entries = try await service.ask { _ async throws(StoreError) in try await service.erasures.entries() }
        let erased = ErasedAccounts(entries)
        guard !erased.isEmpty else { return 0 }
        var count = 0
        var last: UserKey?
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
