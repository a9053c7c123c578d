extension RestorationService {
    /// Erases a user with all data. First adds the user's id and subject to the erasure log, so that the erasure is
    /// finished after a crash, and repeated after an older backup was restored. Returns false if there is no such user.
    @discardableResult
    package func erase(_ owner: UserKey, by actor: Auditor = .user) async throws(ServiceError) -> Bool {
        // The user's writes may have later times than the clock.
        try await advanceClock(for: owner)
        let now = clock.now()
        guard let facts = try await ask({ store async throws(StoreError) in try await store.facts(of: owner) })
        else { return false }
        try await record(
            .erased, by: actor, in: owner.app, about: facts.subjectDigest ?? accounts.digest(of: owner))
        let digests = [accounts.digest(of: owner)] + (facts.subjectDigest.map { [$0] } ?? [])
        try await ask { _ async throws(StoreError) in
            try await erasures.append(digests.map { ErasureEntry(digest: $0, time: now) })
        }
        return try await write { store async throws(StoreError) in try await store.erase(owner) }
    }

    /// Erases the users that the erasure log lists and that still exist: users whose erasure was interrupted, and users
    /// that a restored backup brought back. Call this method when the service starts, before it answers requests.
    /// - Returns: the number of erased users.
    @discardableResult
    package func resumeErasures() async throws(ServiceError) -> Int {
        let erased = ErasedAccounts(try await ask { _ async throws(StoreError) in try await erasures.entries() })
        guard !erased.isEmpty else { return 0 }
        var count = 0
        var last: UserKey?
        while true {
            let page = try await ask { [last] store async throws(StoreError) in
                try await store.facts(after: last, limit: Self.accountsAtOnce)
            }
            for facts in page where erased.contains(facts, hashing: accounts) {
                _ = try await write { store async throws(StoreError) in try await store.erase(facts.owner) }
                count += 1
            }
            guard let end = page.last else { return count }
            last = end.owner
        }
    }

    private static let accountsAtOnce = 10_000
}
