package import PlacekeeperCore

/// A list of erased users and subjects, kept outside the store. When an older backup of the store is restored, these
/// users are erased again.
package protocol ErasureLog: Sendable {
    /// Adds entries. They are durable when this method returns.
    func append(_ entries: [ErasureEntry]) async throws(StoreError)
    func entries() async throws(StoreError) -> [ErasureEntry]
    /// Returns the time of the latest entry with one of the digests, or nil if there is none. Entries written by other
    /// processes may be missing for a moment.
    func latest(of digests: [Digest]) async throws(StoreError) -> Timestamp?
}

/// An entry of the erasure log.
package struct ErasureEntry: Sendable, Hashable {
    /// The keyed hash of the erased user's id or subject (`AccountHashing`).
    package var digest: Digest
    /// The time of the erasure. Users created after this time are not erased again.
    package var time: Timestamp

    package init(digest: Digest, time: Timestamp) {
        self.digest = digest
        self.time = time
    }
}
