import PlacekeeperCore

extension RestorationService {
    /// Performs a write. Applies the effects of the write before this method returns.
    func write<Value: Sendable>(
        _ write: (any Store) async throws(StoreError) -> Committed<Value>
    ) async throws(ServiceError) -> Value {
        let committed = try await ask(write)
        apply(committed.effects)
        return committed.value
    }

    /// Wakes the followers of the users whose change log has a new change according to `effects`. Caches need no call,
    /// because they compare versions.
    func apply(_ effects: Effects) { feed.apply(effects) }

    /// Applies the effects of the writes that other processes made since the last call, such as an operator's commands.
    /// Call this method once a second.
    package func noticeForeignWrites() async throws(ServiceError) {
        apply(try await ask { store async throws(StoreError) in try await store.foreignEffects() })
    }

    /// Applies the effects of other processes' writes as soon as the store learns of them, in addition to the calls of
    /// `noticeForeignWrites()`.
    package func followForeignWrites() {
        store.onForeignWrites { [feed] effects in feed.apply(effects) }
    }

    /// Does work unless another instance does the same work, or did it and keeps the lease.
    ///
    /// - Parameter keepsLease: whether the lease lasts after the work, so that no other instance repeats the work soon.
    package func withLease(
        _ lease: Lease, for time: Duration, keepsLease: Bool, _ work: () async throws(ServiceError) -> Void
    ) async throws(ServiceError) {
        guard try await ask({ store async throws(StoreError) in try await store.takeLease(lease, for: time) }) else {
            return
        }
        let result: Result<Void, ServiceError>
        do throws(ServiceError) { result = .success(try await work()) } catch { result = .failure(error) }
        // After a failure, another instance may try.
        if case .success = result, keepsLease { return }
        try? await store.endLease(lease)
        try result.get()
    }
}

extension ChangeFeed {
    /// Wakes the followers that must read the change log again.
    fileprivate func apply(_ effects: Effects) {
        if effects.allNews { wakeAll() }
        for owner in effects.news { wake(owner) }
    }
}
