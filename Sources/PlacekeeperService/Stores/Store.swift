package import PlacekeeperCore
package import PlacekeeperMatching

/// The service's storage. Each method takes effect completely or not at all. The writes of a method are durable when
/// the method returns. The keys of a user's data begin with the app and the user (`UserKey`).
///
/// Reads of an embedded store do not suspend. A write suspends until its transaction is committed. Every implementation
/// passes the suite in `Tests/PlacekeeperStoreConformance`.
package protocol Store: RuleStore, UserStore, ArchiveStore, ItemReading, ItemWriting, ExportStore, AdministratorStore,
    RestoreLogStore
{
    // Apps

    /// Adds an app. Throws `.exists` if an app already has the bundle identifier.
    func create(_ app: App) async throws(StoreError)
    func apps() async throws(StoreError) -> [App]
    func app(_ selector: AppSelector) async throws(StoreError) -> App?
    /// Replaces an app's settings. Returns false if the app does not exist, or if `expected` is given and the app's
    /// settings differ from it.
    func replaceSettings(
        of app: AppID, with settings: App.Settings, replacing expected: App.Settings?
    ) async throws(StoreError) -> Committed<Bool>

    // Usage

    /// Returns a user's usage. `users` is 0.
    func usage(of owner: UserKey) async throws(StoreError) -> Usage
    func usage(of app: AppID) async throws(StoreError) -> Usage

    // Audit

    /// Adds an entry to the audit log, with a number above all numbers of earlier entries.
    func append(_ entry: AuditEntry) async throws(StoreError)
    /// Returns entries of an app's audit log, the newest first: entries with a number below `position`, and only entries
    /// about `subject` if it is given. Without an app, returns the entries of the whole service.
    func audit(
        of app: AppID?, about subject: Digest?, below position: Int64?, limit: Int
    ) async throws(StoreError) -> [AuditEntry]

    // Upkeep

    /// Returns the latest time that a write for a user stored: the time of a change, of a serving, of a device's last
    /// use, of a delta or of a decision. This time never becomes earlier. Nil if no write for the user stored a time.
    func latestTime(of owner: UserKey) async throws(StoreError) -> Timestamp?
    /// Returns the latest time that `latestTime(of:)` returns for any user. The cost grows with the number of users.
    func latestTime() async throws(StoreError) -> Timestamp?
    func add(_ counts: [Counter: Int]) async throws(StoreError)
    /// Returns the counts from the hour of `start` to the hour of `end`, both included.
    func counts(from start: Timestamp, to end: Timestamp) async throws(StoreError) -> [Counter: Int]
    /// Returns an app's counts from the hour of `start` to the hour of `end`, both included. The cost grows with the
    /// number of hours, and not with the number of apps.
    ///
    /// - Parameters:
    ///   - app: nil for the counts that belong to no app.
    ///   - name: if given, only the counts of this kind of event are returned.
    func counts(
        of app: AppID?, named name: String?, from start: Timestamp, to end: Timestamp
    ) async throws(StoreError) -> [Counter: Int]
    /// Drops the counts of one kind of event in the hours after the hour of `time`.
    func dropCounts(named name: String, after time: Timestamp) async throws(StoreError)
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

    // Caches

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

    // Instances

    /// Takes a lease for some time, or prolongs it. Returns whether the caller holds the lease. Of all processes that use
    /// the same database, one holds it at a time. The lease ends early when the store is closed.
    func takeLease(_ lease: Lease, for time: Duration) async throws(StoreError) -> Bool
    /// Ends a lease early, if this process holds it.
    func endLease(_ lease: Lease) async throws(StoreError)
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

/// An embedded store, which only one service uses.
extension Store {
    package var isShared: Bool { false }
    package func askFreshness(of owner: UserKey, _ receive: @escaping @Sendable (Result<Freshness, StoreError>) -> Void)
    {
        receive(.failure(StoreError(.unavailable, "The store is not shared.")))
    }

    package var warnings: [String] { [] }
    package var metrics: [StoreMetric] { [] }
    package func onForeignWrites(_ receive: @escaping @Sendable (Effects) -> Void) {}
    package func takeLease(_ lease: Lease, for time: Duration) async throws(StoreError) -> Bool { true }
    package func endLease(_ lease: Lease) async throws(StoreError) {}
}

package enum AppSelector: Sendable, Hashable {
    case id(AppID)
    case bundleIdentifier(String)
    case publishableKey(String)
}
