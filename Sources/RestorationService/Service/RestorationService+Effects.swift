extension RestorationService {
    /// Performs a write, and applies its effects before it returns.
    func write<Value: Sendable>(
        _ write: (any Store) async throws(StoreError) -> Committed<Value>
    ) async throws(ServiceError) -> Value {
        let committed = try await ask(write)
        apply(committed.effects)
        return committed.value
    }

    /// Applies the effects of a committed write to all caches and followers. No other code does.
    func apply(_ effects: Effects) {
        if effects.allDevices { principals.forgetAll() }
        for device in effects.devices { principals.forget(device) }
        if effects.allIdentities { identityVersions.raiseAll() }
        for owner in effects.identities { identityVersions.raise(for: owner) }
        if effects.allNews { feed.wakeAll() }
        for owner in effects.news { feed.wake(owner) }
    }

    /// Drops callers, outdates the answers about items, and wakes followers. Call it after another process wrote to
    /// the store.
    package func invalidateCaches() { apply(.anyUser) }
}
