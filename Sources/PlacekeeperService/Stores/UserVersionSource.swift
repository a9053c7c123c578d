package import PlacekeeperCore

/// The part of a store that keeps caches and followers up to date.
package protocol UserVersionSource: Sendable {
    /// Returns a user's version. An embedded store keeps it in memory.
    func userVersion(of owner: UserKey) async throws(StoreError) -> UserVersion
    /// Returns a user's version if it is in memory. If this returns nil, call `userVersion(of:)`.
    func knownUserVersion(of owner: UserKey) -> UserVersion?
    /// Whether other processes use the same data all the time. If so, the store keeps no versions in memory.
    var isShared: Bool { get }
    /// Like `userVersion(of:)`, but calls a closure once with the result, on any thread. Only shared stores need to
    /// support this.
    func askUserVersion(of owner: UserKey, _ receive: @escaping @Sendable (Result<UserVersion, StoreError>) -> Void)
    /// Returns the invalidations from other processes' writes since the last call. A shared store looks only at the
    /// users and apps (`UserKey.everyone(of:)`) that are followed, and may include this process's own writes.
    func externalInvalidations(following owners: [UserKey]) async throws(StoreError) -> Invalidations
    /// Calls the closure soon after another process wrote. A store may miss some writes, because
    /// `externalInvalidations(following:)` finds them all. The calls end when the store is closed.
    func onExternalWrites(_ receive: @escaping @Sendable (Invalidations) -> Void)
}

/// An embedded store, used by a single service.
extension UserVersionSource {
    package var isShared: Bool { false }
    package func askUserVersion(
        of owner: UserKey, _ receive: @escaping @Sendable (Result<UserVersion, StoreError>) -> Void
    ) {
        receive(.failure(StoreError(.unavailable, "The store is not shared.")))
    }

    package func onExternalWrites(_ receive: @escaping @Sendable (Invalidations) -> Void) {}
}
