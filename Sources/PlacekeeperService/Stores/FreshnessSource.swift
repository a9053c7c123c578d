package import PlacekeeperCore

/// The part of a store for caches and followers.
package protocol FreshnessSource: Sendable {
    /// Returns the versions of a user. An embedded store keeps these versions in memory.
    func freshness(of owner: UserKey) async throws(StoreError) -> Freshness
    /// Returns the versions of a user if the store has them in memory. Nil if the caller must ask `freshness(of:)`.
    func knownFreshness(of owner: UserKey) -> Freshness?
    /// Whether other processes use the same data all the time. Then the store has no versions in memory.
    var isShared: Bool { get }
    /// Does as `freshness(of:)`, and calls a closure once with the answer, on any thread. Only a shared store needs to
    /// support it.
    func askFreshness(of owner: UserKey, _ receive: @escaping @Sendable (Result<Freshness, StoreError>) -> Void)
    /// Returns the effects of the writes that other processes made since the last call. The effects of this store's own
    /// writes are not included.
    func foreignEffects() async throws(StoreError) -> Effects
    /// Calls the closure soon after another process wrote, if the store learns of it. `foreignEffects()` finds all of these
    /// writes, so a store may also leave them out. The calls end when the store is closed.
    func onForeignWrites(_ receive: @escaping @Sendable (Effects) -> Void)
}

/// An embedded store, which only one service uses.
extension FreshnessSource {
    package var isShared: Bool { false }
    package func askFreshness(of owner: UserKey, _ receive: @escaping @Sendable (Result<Freshness, StoreError>) -> Void)
    {
        receive(.failure(StoreError(.unavailable, "The store is not shared.")))
    }

    package func onForeignWrites(_ receive: @escaping @Sendable (Effects) -> Void) {}
}
