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
    func apply(_ effects: Effects) {
        if effects.allNews { feed.wakeAll() }
        for owner in effects.news { feed.wake(owner) }
    }

    /// Applies the effects of the writes that other processes made since the last call, such as an operator's commands.
    /// Call this method once a second.
    package func noticeForeignWrites() async throws(ServiceError) {
        apply(try await ask { store async throws(StoreError) in try await store.foreignEffects() })
    }
}
