import PlacekeeperCore

extension RestorationService {
    /// Performs a write and applies its invalidations before returning.
    func write<Value: Sendable>(
        _ write: (any Store) async throws(StoreError) -> Committed<Value>
    ) async throws(ServiceError) -> Value {
        let committed = try await ask(write)
        apply(committed.invalidations)
        return committed.value
    }

    /// Wakes the followers of users whose change log has a new change. Caches need no call, because they compare
    /// versions.
    func apply(_ invalidations: Invalidations) { feed.apply(invalidations) }
}

extension ChangeFeed {
    /// Wakes the followers that must read the change log again.
    func apply(_ invalidations: Invalidations) {
        if invalidations.allNews { wakeAll() }
        wake(invalidations.news)
    }
}
