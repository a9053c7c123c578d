package import PlacekeeperCore

/// The part of a store for its upkeep, and for the chores that several instances share.
package protocol StoreUpkeep: Sendable {
    /// Returns the latest time that a write for a user stored: the time of a change, of a serving, of a device's last
    /// use, of a delta or of a decision. This time never becomes earlier. Nil if no write for the user stored a time.
    func latestTime(of owner: UserKey) async throws(StoreError) -> Timestamp?
    /// Returns the latest time that `latestTime(of:)` returns for any user. The cost grows with the number of users.
    func latestTime() async throws(StoreError) -> Timestamp?
    /// Drops expired data (`Retention`): tombstones of archives and of items, link codes, tokens, sessions of
    /// administrators, old changes, old counters, and old entries of the audit log and of the restore log. Drops an
    /// anonymous user without devices and without link codes after `Retention.usersWithoutDevices`, because no device can
    /// reach the user's data. Drops the registration of a device that left the user, if no archive of the device is
    /// stored. Also drops a scene without archives and without tombstones, unless the change that forgot the scene is
    /// still kept. After that, the store cannot know whether this scene was forgotten. So it refuses a capture into the
    /// scene as forgotten if `NewArchive.restoredFrom` is a revision whose change was dropped.
    func prune(at time: Timestamp) async throws(StoreError)
    /// Checks that the store can read and write.
    func check() async throws(StoreError)
    /// The problems that the last check found and that leave the store usable.
    var warnings: [String] { get }
    /// Figures about the store in this process, for monitoring.
    var metrics: [StoreMetric] { get }
    /// Returns approximately how many bytes the store's data occupies, without the free space that the store can use
    /// again.
    func usedBytes() async throws(StoreError) -> Int
    /// Returns the store's key for hashing identifiers and aliases: 32 random bytes that were made when the store was
    /// created and never change.
    func lookupSecret() async throws(StoreError) -> [UInt8]
    /// Performs the waiting writes, and releases the store's resources. Later calls may fail with `unavailable`. A
    /// second call does nothing.
    func close() async
    /// Takes a lease for some time, or prolongs it. Returns whether the caller holds the lease. Of all processes that use
    /// the same database, one holds it at a time. The lease ends early when the store is closed.
    func takeLease(_ lease: Lease, for time: Duration) async throws(StoreError) -> Bool
    /// Ends a lease early, if this process holds it.
    func endLease(_ lease: Lease) async throws(StoreError)
}

/// An embedded store, which only one service uses.
extension StoreUpkeep {
    package var warnings: [String] { [] }
    package var metrics: [StoreMetric] { [] }
    package func takeLease(_ lease: Lease, for time: Duration) async throws(StoreError) -> Bool { true }
    package func endLease(_ lease: Lease) async throws(StoreError) {}
}

/// A figure about a store.
package struct StoreMetric: Sendable {
    package enum Kind: String, Sendable { case counter, gauge, histogram }

    /// Lower-case words with underscores. The name of a counter ends with `_total`.
    package var name: String
    package var kind: Kind
    package var help: String
    package var value: UInt64

    package init(_ name: String, _ kind: Kind, _ help: String, _ value: some BinaryInteger) {
        self.name = name
        self.kind = kind
        self.help = help
        self.value = UInt64(clamping: value)
    }
}

/// Work that only one of several instances does at a time.
package enum Lease: String, Sendable {
    case pruning, judging
}
