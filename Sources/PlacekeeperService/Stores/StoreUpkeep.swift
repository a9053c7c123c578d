package import PlacekeeperCore

/// The part of a store for its own maintenance and for work shared by several instances.
package protocol StoreUpkeep: Sendable {
    /// Returns the latest time that a write stored for a user: the time of a change, a serving, a device's last use, an
    /// item delta or an item decision. This time never decreases. Nil if no write stored a time.
    func latestTime(of owner: UserKey) async throws(StoreError) -> Timestamp?
    /// Returns the maximum of `latestTime(of:)` over all users. The cost grows with the number of users.
    func latestTime() async throws(StoreError) -> Timestamp?
    /// Drops expired data (`Retention`): tombstones of archives and items, link codes, tokens, administrators'
    /// sessions, old changes and counters, and old entries of the audit log and the restore log. Also drops:
    /// - An anonymous user without devices or link codes, after `Retention.usersWithoutDevices`. No device can reach
    ///   the user's data.
    /// - The registration of a device that left the user, if none of the device's archives are stored.
    /// - A scene without archives or tombstones, once the change that forgot it is dropped. The store then can't know
    ///   whether the scene was forgotten. It therefore refuses a capture whose `NewArchive.restoredFrom` is a revision
    ///   with a dropped change.
    func prune(at time: Timestamp) async throws(StoreError)
    /// Checks that the store can read and write.
    func check() async throws(StoreError)
    /// Problems that the last check found. The store still works.
    var warnings: [String] { get }
    /// Metrics of this process's store, for monitoring.
    var metrics: [Metric] { get }
    /// Returns the approximate size of the store's data in bytes, without free space that the store can reuse.
    func usedBytes() async throws(StoreError) -> Int
    /// Returns the sizes of the store's files. Nil if it has none.
    func fileSizes() async throws(StoreError) -> FileSizes?
    /// Records that this process uses the store, and returns the processes that did within a day. A store that only one
    /// process uses returns that process.
    func instances(with own: Instance) async throws(StoreError) -> [Instance]
    /// Returns the store's key for hashing identifiers and aliases: 32 random bytes, generated when the store was
    /// created and never changed.
    func lookupSecret() async throws(StoreError) -> [UInt8]
    /// Finishes pending writes and releases the store's resources. Later calls may fail with `unavailable`. A second
    /// call does nothing.
    func close() async
    /// Takes or renews a lease for some time. Returns whether the caller holds it. Of the processes that share a
    /// database, only one holds a lease at a time. Closing the store ends the lease early.
    func takeLease(_ lease: Lease, for time: Duration) async throws(StoreError) -> Bool
    /// Ends a lease early if this process holds it.
    func endLease(_ lease: Lease) async throws(StoreError)
}

/// An embedded store, used by a single service.
extension StoreUpkeep {
    package var warnings: [String] { [] }
    package var metrics: [Metric] { [] }
    package func fileSizes() async throws(StoreError) -> FileSizes? { nil }
    package func instances(with own: Instance) async throws(StoreError) -> [Instance] { [own] }
    package func takeLease(_ lease: Lease, for time: Duration) async throws(StoreError) -> Bool { true }
    package func endLease(_ lease: Lease) async throws(StoreError) {}
}

/// Work that only one instance does at a time.
package enum Lease: String, Sendable {
    case pruning, judging, deleting
}

/// The sizes of a store's files, in bytes.
package struct FileSizes: Sendable, Hashable {
    package var database: Int
    /// The write-ahead log. Nil if the database's server keeps it.
    package var log: Int?

    package init(database: Int, log: Int? = nil) {
        self.database = database
        self.log = log
    }
}

/// A process of the service.
package struct Instance: Sendable, Hashable {
    /// The machine and the address, such as `web-1 127.0.0.1:8080`.
    package var name: String
    package var version: String
    package var lastSeenAt: Timestamp

    package init(name: String, version: String, lastSeenAt: Timestamp) {
        self.name = name
        self.version = version
        self.lastSeenAt = lastSeenAt
    }
}
