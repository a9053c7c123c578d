/// The service's storage. Each method takes effect completely or not at all. The writes of a method are durable when
/// the method returns. The keys of a user's data begin with the app and the user (`UserKey`).
///
/// Reads of an embedded store do not suspend. A write suspends until its transaction is committed. Every implementation
/// passes the suite in `Tests/StoreConformance`.
package protocol Store: Sendable {
    // Apps

    /// Adds an app. Throws `.exists` if an app already has the bundle identifier.
    func create(_ app: App) async throws(StoreError)
    func apps() async throws(StoreError) -> [App]
    func app(_ selector: AppSelector) async throws(StoreError) -> App?
    /// Replaces an app's settings. Returns false if the app does not exist.
    func replaceSettings(of app: AppID, with settings: App.Settings) async throws(StoreError) -> Committed<Bool>

    // Devices

    /// Adds a device with its token. `NewDevice.Joins` tells which user the device belongs to. A link code is used up.
    /// The device in the result has the actual owner.
    ///
    /// If the installation is known, no device is added. Instead, the installation's device gets the new token and the
    /// new idiom, model, name and system version, and then joins the user by the rules of `move` and `signIn`.
    func register(_ new: NewDevice) async throws(StoreError) -> Committed<Joining>
    /// Returns the device of a token and the token's access. Nil if the token is unknown or revoked. The caller checks
    /// the time of expiry.
    func credential(of token: Digest) async throws(StoreError) -> Fresh<Credential>?
    /// Replaces a device's token of the same access. The replaced token stays valid for `Credential.grace`, unless
    /// `NewToken.revokesPrevious` is true. Returns false if the user has no such device.
    func replaceToken(
        of device: DeviceID, of owner: UserKey, by token: NewToken, at time: Timestamp
    ) async throws(StoreError) -> Committed<Bool>
    /// Replaces a device's idiom, model, name and system version by those of `device`. Returns false if the user has no
    /// such device.
    func describe(_ device: Device) async throws(StoreError) -> Committed<Bool>
    func devices(of owner: UserKey) async throws(StoreError) -> [Device]
    /// Returns an app's users in the order of their identifiers, beginning after `last`.
    func users(of app: AppID, after last: UserID?, limit: Int) async throws(StoreError) -> [UserOverview]
    /// Makes a device's token invalid permanently, and also all link codes of its user, because the device may have
    /// made some of these codes. The device's archives stay. Returns false if the user has no such device.
    func revoke(_ device: DeviceID, of owner: UserKey, at time: Timestamp) async throws(StoreError) -> Committed<Bool>
    /// Writes the times at which the devices of users were last used. Ignores a time of a device that does not belong
    /// to the user. The service gathers these times and writes them once a minute.
    func noteSeen(_ times: [UserKey: [DeviceID: Timestamp]]) async throws(StoreError)
    /// Stores a link code. Throws `userGone` if the code's user does not exist, or if its maker is no longer a device of
    /// the user: the device may have been revoked after the service accepted its request.
    func create(_ code: LinkCode) async throws(StoreError)
    /// Moves a device and its archives to the user of a link code. If the user has no other device, all archives of the
    /// user are moved. The archives get new revisions, which are greater than all revisions of both users. Each scene
    /// that receives archives is pruned by `retention`. An archive is dropped if it was captured before the new user
    /// forgot the scene of the same name. The device's registered items and the operator's decisions about these items
    /// are dropped, because the keys of items depend on the user. So the device must register its items again.
    ///
    /// The device of a user with an account is not moved. A device that already used the code is not moved again. The
    /// quotas of bytes and archives do not refuse a move, because the app's data does not grow.
    func move(
        _ device: DeviceID, of owner: UserKey, linkCode: Digest, at time: Timestamp, retention: Int,
        quotas: App.Settings.Quotas
    ) async throws(StoreError) -> Committed<Joining>

    // Accounts

    /// Signs the device of an anonymous user in. If the account has a user, moves the device and its archives to this
    /// user, as `move` does. If the account has no user yet and the device is the only device of its user, this user
    /// becomes the account's user. Otherwise, a new user is created for the account, and the device and its archives
    /// are moved. Does nothing if the device's user already has this account.
    func signIn(
        _ device: DeviceID, of owner: UserKey, to account: Account, at time: Timestamp, retention: Int,
        quotas: App.Settings.Quotas
    ) async throws(StoreError) -> Committed<Joining>
    /// Revokes a device of a user with an account. The user's archives stay. If there is a replacement, adds it as the
    /// device of a new anonymous user. The replacement gets the installation of the revoked device.
    func signOut(
        _ device: DeviceID, of owner: UserKey, replacement: NewDevice?, at time: Timestamp
    ) async throws(StoreError) -> Committed<SigningOut>
    /// Returns the user of the account with this keyed hash of the subject. Nil if the account has no user.
    func userID(ofSubject digest: Digest, in app: AppID) async throws(StoreError) -> UserID?
    /// Returns a user's subject, sealed for the user. Nil if the user is anonymous or does not exist.
    func sealedSubject(of owner: UserKey) async throws(StoreError) -> [UInt8]?

    // Archives

    /// Makes the checks that the cases of `PutResult` describe. If the archive is new and no check refuses it, stores
    /// the archive, adds a change to the user's change log, and prunes the scene by `retention`.
    func put(_ archive: NewArchive, retention: Int) async throws(StoreError) -> Committed<PutResult>
    /// Passes the archives of `choice.scene` to `choice`, the newest first. Passes only archives of `choice.device` if
    /// it is given. Begins below `choice.position`, or with the newest archive if this position is nil. Stops when
    /// `choice` accepts an archive, and reads the bytes of the accepted archive if `choice` needs these bytes. All this
    /// data is read at the same moment.
    ///
    /// - Parameter limit: the maximum number of archives to pass.
    func choose(_ choice: Choice, limit: Int) async throws(StoreError) -> Chosen
    /// Returns a scene's archives, the newest first, and the scene's head. Begins below `position`, or with the newest
    /// archive if `position` is nil. The archives and the head are read at the same moment.
    func history(
        of scene: SceneKey, below position: Archive.Position?, limit: Int
    ) async throws(StoreError) -> HistoryPage
    func archive(_ id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> ArchiveLookup
    /// Returns the uploaded bytes of an archive. Nil if the archive no longer exists.
    func bytes(of archive: Archive) async throws(StoreError) -> [UInt8]?
    /// Returns the revision of a scene's head. Nil if the scene has no head.
    func head(of scene: SceneKey) async throws(StoreError) -> Revision?
    /// Returns the heads of a user's scenes in the order of the scenes' names, beginning after `scene`. Omits scenes
    /// without a head.
    func sceneHeads(of owner: UserKey, behind scene: String?, limit: Int) async throws(StoreError) -> [Archive]
    /// Returns the newest archive of each device in each scene of a user, ordered from new to old. Begins below
    /// `position`, or with the first of these archives if `position` is nil.
    func heads(of owner: UserKey, below position: Archive.Position?, limit: Int) async throws(StoreError)
        -> [DeviceHead]
    /// Deletes an archive, and keeps a tombstone for 30 days. Returns false if the archive does not exist.
    func delete(_ id: ArchiveID, in scene: SceneKey, at time: Timestamp) async throws(StoreError) -> Committed<Bool>
    /// Deletes a scene's archives. After this call, the store refuses captures that are older than `time`.
    func forget(_ scene: SceneKey, at time: Timestamp) async throws(StoreError) -> Committed<Void>
    /// Stores an archive's snapshot, unless the snapshot would exceed a quota.
    func putSnapshot(
        _ snapshot: Snapshot, for id: ArchiveID, in scene: SceneKey, quotas: App.Settings.Quotas
    ) async throws(StoreError) -> Committed<SnapshotResult>
    func snapshot(for id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> Snapshot?

    // Outcomes

    /// Records that the service served an archive to a device. `report` accepts a device's outcome only for an archive
    /// that the device was served or made.
    func noteServed(_ archive: ArchiveID, in scene: SceneKey, to device: DeviceID, at time: Timestamp)
        async throws(StoreError)
    func report(_ outcome: Outcome, in scene: SceneKey) async throws(StoreError) -> Committed<ReportResult>
    /// Returns the newest `Retention.outcomes` outcomes of an archive, the oldest first.
    func outcomes(of id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> [Outcome]

    // Changes

    /// Returns a user's changes after a revision, the oldest first. `ChangePage.isTruncated` lists the cases in which
    /// the page is truncated. `revision` may be greater than the user's latest revision, for example after a backup was
    /// restored.
    ///
    /// A store keeps at least the newest `Limits.changesBehind` changes of a user for `Retention.changes`, and less than
    /// twice this number. No reader can ask for older changes.
    func changes(of owner: UserKey, after revision: Revision, limit: Int) async throws(StoreError) -> ChangePage

    // Data sources and their items

    /// Declares a data source of an app, unless the data source is already declared, or the app has already declared
    /// `Limits.dataSources` other data sources. With `overriding`, replaces an existing declaration and ignores the
    /// limit.
    func declare(_ source: DataSource, named name: String, of app: AppID, overriding: Bool)
        async throws(StoreError) -> Committed<Declaration>
    /// Removes a declaration. The data source's registered items stay. Returns false if there is no declaration.
    func undeclare(_ name: String, of app: AppID) async throws(StoreError) -> Committed<Bool>
    /// Applies a delta to a device's registered items. After the delta, at most `limit` items are live. The store keeps
    /// at most twice this number of items, including removed items. Beyond this number, the store forgets the items
    /// that were removed first. Of items that were removed at the same time, it first forgets the items with the lowest
    /// keys. A delta that changes nothing does not raise the registration's cursor.
    func apply(
        _ delta: PreparedDelta, to list: ItemList, of device: DeviceID, limit: Int
    ) async throws(StoreError) -> Committed<DeltaResult>
    /// Returns the registrations of a user's data source, one for each device, at most `Limits.registries`.
    /// Registrations of revoked devices come last. Within each group, older registrations come first. If a registration
    /// no longer exists, the methods that take its `Registry` answer as if the registration had no items.
    func registries(of list: ItemList) async throws(StoreError) -> [Registry]
    /// For each key, returns the registration's item with this key, live or removed. Nil if the key is unknown.
    func items(_ keys: [LookupKey], in registry: Registry) async throws(StoreError) -> [StoredItem?]
    /// For each alias, returns the registration's items with this alias, at most two. Live items come before removed
    /// items. Within each group, the newest item comes first.
    func items(withAliases aliases: [LookupKey], in registry: Registry) async throws(StoreError) -> [[StoredItem]]
    /// For each alias, returns the sealed texts of the registration's only item with this alias. Nil if no item or
    /// several items have the alias, or if the only item was removed.
    func textsOfSoleItems(withAliases aliases: [LookupKey], in registry: Registry) async throws(StoreError)
        -> [[UInt8]?]
    /// For each item, returns its sealed identifier and aliases (`ItemTexts`). Nil if the registration no longer has
    /// the item.
    func texts(of items: [StoredItem], in registry: Registry) async throws(StoreError) -> [[UInt8]?]
    /// For each alias, returns whether the alias is ambiguous: whether two or more live items of the registration have
    /// this alias.
    func areAmbiguous(_ aliases: [LookupKey], in registry: Registry) async throws(StoreError) -> [Bool]
    /// Returns the ambiguous aliases of a registration in the order of their keys, beginning above `key`.
    func ambiguousAliases(above key: LookupKey?, in registry: Registry, limit: Int) async throws(StoreError)
        -> [LookupKey]
    /// Returns live items that have a position, the nearest to `position` first. If `behind` is true, returns items
    /// at and after `position`, ordered by position and then by key. Otherwise returns items before `position`, in
    /// the opposite order.
    func items(
        next position: Int64, behind: Bool, in registry: Registry, limit: Int
    ) async throws(StoreError) -> [StoredItem]
    /// Returns live items in the order of their keys, beginning above `key`.
    func items(above key: LookupKey?, in registry: Registry, limit: Int) async throws(StoreError) -> [StoredItem]
    /// Stores a decision. The decision replaces an earlier decision about the same two items. Returns false if the list
    /// already has `Limits.links` decisions about other items.
    func decide(_ link: Link, in list: ItemList) async throws(StoreError) -> Committed<Bool>
    /// Removes a decision. Returns false if there is no such decision.
    func undecide(_ first: Link.End, _ second: Link.End, in list: ItemList) async throws(StoreError) -> Committed<Bool>
    func links(in list: ItemList) async throws(StoreError) -> [Link]

    // Usage

    /// Returns a user's usage. `users` is 0.
    func usage(of owner: UserKey) async throws(StoreError) -> Usage
    func usage(of app: AppID) async throws(StoreError) -> Usage

    // Audit

    /// Adds an entry to the audit log, with a number above all numbers of earlier entries.
    func append(_ entry: AuditEntry) async throws(StoreError)
    /// Returns entries of an app's audit log, the newest first: entries with a number below `position`, and only entries
    /// about `subject` if it is given.
    func audit(
        of app: AppID, about subject: Digest?, below position: Int64?, limit: Int
    ) async throws(StoreError) -> [AuditEntry]

    // Exports and imports

    /// Returns a user's scenes in the order of their names, beginning after `name`. Includes scenes without archives.
    func scenes(of owner: UserKey, after name: String?, limit: Int) async throws(StoreError) -> [SceneFacts]
    /// Returns the names of the data sources for which a user has registrations or decisions, declared or not, in the
    /// order of the names, beginning after `name`.
    func dataSources(of owner: UserKey, after name: String?, limit: Int) async throws(StoreError) -> [String]
    /// Returns a registration's items, live and removed, in the order of their ordinals, beginning after `ordinal`. The
    /// cost of each call grows with the number of all items of the registration.
    func items(after ordinal: Int64?, in registry: Registry, limit: Int) async throws(StoreError) -> [ListedItem]
    /// Begins an import: adds a user without devices and without a subject. Returns false if the user exists.
    func begin(_ user: ImportedUser) async throws(StoreError) -> Committed<Bool>
    /// Adds imported data to a user whose import has begun. The data may refer to devices that do not exist. The changes
    /// of all calls must come in the order of their revisions. No stored archive of the user may have the position or,
    /// in the same scene, the id of an archive in `records`. Returns false if an item is registered already.
    func add(_ records: [ImportedRecord], to owner: UserKey) async throws(StoreError) -> Committed<Bool>
    /// Ends an import: adds the user's devices without tokens, and the user's account.
    func end(
        importOf owner: UserKey, devices: [Device], account: Account?
    ) async throws(StoreError) -> Committed<ImportEnd>

    // Upkeep

    /// Returns the latest time that a write for a user stored: the time of a change, of a serving, of a device's last
    /// use, of a delta or of a decision. This time never becomes earlier. Nil if no write for the user stored a time.
    func latestTime(of owner: UserKey) async throws(StoreError) -> Timestamp?
    func add(_ counts: [Counter: Int]) async throws(StoreError)
    /// Returns the counts from the hour of `start` to the hour of `end`, both included.
    func counts(from start: Timestamp, to end: Timestamp) async throws(StoreError) -> [Counter: Int]
    /// Drops expired data (`Retention`): tombstones of archives and of items, link codes, tokens, old changes, old
    /// counters, and old entries of the audit log. Drops the registration of a device that left the user, if no archive of the device is stored. Also
    /// drops a scene without archives and without tombstones, unless the change that forgot the scene is still kept.
    /// After that, the store cannot know whether this scene was forgotten. So it refuses a capture into the scene as
    /// forgotten if `NewArchive.restoredFrom` is a revision whose change was dropped.
    func prune(at time: Timestamp) async throws(StoreError)
    /// Checks that the store can read and write.
    func check() async throws(StoreError)
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
    /// Returns the effects of the writes that other processes made since the last call. The effects of this store's own
    /// writes are not included.
    func foreignEffects() async throws(StoreError) -> Effects

    // Erasure

    /// Deletes a user and everything that is stored for the user. Deletes the devices, their tokens and the link codes
    /// first, so that no further request is accepted for the user, and the user last. Other writes run in between. A
    /// second call finishes an erasure that was interrupted. When this method returns, the deleted data is in no file of
    /// the store, unless a long read still needs it. In this case the data leaves the files after this read. Returns
    /// false if there is no such user.
    func erase(_ owner: UserKey) async throws(StoreError) -> Committed<Bool>
    func facts(of owner: UserKey) async throws(StoreError) -> UserFacts?
    /// Returns the users of all apps in the order of the apps' and the users' identifiers, beginning after `last`.
    func facts(after last: UserKey?, limit: Int) async throws(StoreError) -> [UserFacts]
}

package enum AppSelector: Sendable, Hashable {
    case id(AppID)
    case bundleIdentifier(String)
    case publishableKey(String)
}

package struct HistoryPage: Sendable, Hashable {
    package var archives: [Archive]
    /// The revision of the scene's head. Nil if the scene has no head.
    package var head: Revision?
    package init(archives: [Archive], head: Revision?) {
        self.archives = archives
        self.head = head
    }
}

package enum ArchiveLookup: Sendable, Hashable {
    case stored(Archive)
    case deleted
    case none
}

package enum ReportResult: Sendable, Hashable {
    case recorded
    case notServed
    case noArchive
}

/// The newest archive of a device in a scene.
package struct DeviceHead: Sendable, Hashable {
    package var archive: Archive
    /// Whether the archive is the scene's head over all devices.
    package var isSceneHead: Bool
    package init(archive: Archive, isSceneHead: Bool) {
        self.archive = archive
        self.isSceneHead = isSceneHead
    }
}

package struct ChangePage: Sendable, Hashable {
    package var changes: [Change]
    /// The user's latest revision.
    package var latest: Revision
    /// Whether the reader must start again from the manifest. This is the case if changes after the requested revision
    /// were pruned, if more than `Limits.changesBehind` changes follow the requested revision, or if the requested
    /// revision is greater than the user's latest revision.
    package var isTruncated: Bool
    package init(changes: [Change], latest: Revision, isTruncated: Bool) {
        self.changes = changes
        self.latest = latest
        self.isTruncated = isTruncated
    }
}
