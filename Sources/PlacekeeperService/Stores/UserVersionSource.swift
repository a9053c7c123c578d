package import PlacekeeperCore

/// The part of a store for caches and followers.
package protocol UserVersionSource: Sendable {
    /// Returns the versions of a user. An embedded store keeps these versions in memory.
    func userVersion(of owner: UserKey) async throws(StoreError) -> UserVersion
    /// Returns the versions of a user if the store has them in memory. Nil if the caller must ask `userVersion(of:)`.
    func knownUserVersion(of owner: UserKey) -> UserVersion?
    /// Whether other processes use the same data all the time. Then the store has no versions in memory.
    var isShared: Bool { get }
    /// Does as `userVersion(of:)`, and calls a closure once with the answer, on any thread. Only a shared store needs to
    /// support it.
    func askUserVersion(of owner: UserKey, _ receive: @escaping @Sendable (Result<UserVersion, StoreError>) -> Void)
    /// Returns the effects of the writes that other processes made since the last call. The effects of this store's own
    /// writes are not included.
    func externalInvalidations() async throws(StoreError) -> Invalidations
    /// Calls the closure soon after another process wrote, if the store learns of it. `externalInvalidations()` finds all of these
    /// writes, so a store may also leave them out. The calls end when the store is closed.
    func onExternalWrites(_ receive: @escaping @Sendable (Invalidations) -> Void)
}

/// An embedded store, which only one service uses.
extension UserVersionSource {
    package var isShared: Bool { false }
    package func askUserVersion(
        of owner: UserKey, _ receive: @escaping @Sendable (Result<UserVersion, StoreError>) -> Void
    ) {
        receive(.failure(StoreError(.unavailable, "The store is not shared.")))
    }

    package func onExternalWrites(_ receive: @escaping @Sendable (Invalidations) -> Void) {}
}
