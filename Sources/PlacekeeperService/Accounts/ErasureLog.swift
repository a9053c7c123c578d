package import PlacekeeperCore

/// A list of erased users and subjects that is kept outside the store. If an older backup of the store is restored, the
/// users in the list are erased again.
package protocol ErasureLog: Sendable {
    /// Adds entries. When this method returns, the entries are durable.
    func append(_ entries: [ErasureEntry]) async throws(StoreError)
    func entries() async throws(StoreError) -> [ErasureEntry]
    /// Returns the time of the latest entry with one of the digests. Nil if there is none. Entries of other processes may
    /// be missing for a moment.
    func latest(of digests: [Digest]) async throws(StoreError) -> Timestamp?
}

/// An entry of the erasure log.
package struct ErasureEntry: Sendable, Hashable {
    /// The keyed hash of the erased user's id or subject (`AccountHashing`).
    package var digest: Digest
    /// The time of the erasure. A user that was created later is not erased again.
    package var time: Timestamp

    package init(digest: Digest, time: Timestamp) {
        self.digest = digest
        self.time = time
    }
}
