/// The service's storage. Each method takes effect completely or not at all. Its writes are durable when it returns.
/// Every key begins with the app and the user.
///
/// Reads of an embedded store do not suspend. A write suspends until its commit has returned. Every implementation
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

    /// Adds a device with its token. With a link code, the device belongs to the code's user, and the code is used
    /// up. Without a link code, the device belongs to `device.owner`. The result holds the device with its owner.
    func register(_ device: Device, token: Digest, linkCode: Digest?) async throws(StoreError) -> Committed<Joining>
    /// Returns the device that a token belongs to. Nil if the token is unknown or revoked.
    func device(token: Digest) async throws(StoreError) -> Device?
    func devices(of owner: UserKey) async throws(StoreError) -> [Device]
    /// Returns an app's users in the order of their identifiers, beginning after `last`.
    func users(of app: AppID, after last: UserID?, limit: Int) async throws(StoreError) -> [UserOverview]
    /// Makes a device's token invalid permanently, and also all link codes of its user, because the device may have
    /// made some of these codes. The device's archives stay. Returns false if the user has no such device.
    func revoke(_ device: DeviceID, of owner: UserKey, at time: Timestamp) async throws(StoreError) -> Committed<Bool>
    /// Writes the times at which devices were last used. The service gathers these times and writes them once a
    /// minute.
    func noteSeen(_ times: [DeviceID: Timestamp]) async throws(StoreError)
    func create(_ code: LinkCode) async throws(StoreError)
    /// Moves a device and its archives to the user of a link code. The archives get new revisions, which are greater
    /// than all revisions of both users, and the receiving scenes are pruned by `retention`. An archive is dropped if
    /// it was captured before the new user forgot the scene of the same name. The device's registered items and the
    /// operator's decisions about them are dropped, because their keys depend on the user. The device must register
    /// its items again.
    func move(
        _ device: DeviceID, of owner: UserKey, linkCode: Digest, at time: Timestamp, retention: Int
    ) async throws(StoreError) -> Committed<Joining>

    // Archives

    /// Makes the checks of `PutResult`. If the archive is new and no check refuses it, stores the archive with its
    /// change, and prunes the scene by `retention`.
    func put(_ archive: NewArchive, retention: Int) async throws(StoreError) -> Committed<PutResult>
    /// Returns archives of a scene, or of one device in the scene, from the head backwards, beginning below
    /// `position`.
    func candidates(
        in scene: SceneKey, device: DeviceID?, below position: Archive.Position?, limit: Int
    ) async throws(StoreError) -> [Archive]
    /// Returns the same archives as `candidates`, and the scene's head over all devices. Both are read at the same
    /// moment.
    func history(
        of scene: SceneKey, device: DeviceID?, below position: Archive.Position?, limit: Int
    ) async throws(StoreError) -> HistoryPage
    func archive(_ id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> ArchiveLookup
    /// Returns the uploaded bytes of an archive. Nil if the archive no longer exists.
    func bytes(of archive: Archive) async throws(StoreError) -> [UInt8]?
    /// Returns the revision of a scene's head. Nil if the scene has no head.
    func head(of scene: SceneKey) async throws(StoreError) -> Revision?
    /// Returns a scene's head from memory. Nil if the store does not hold it in memory, or if the scene has changed.
    func rememberedHead(of scene: SceneKey) -> RememberedHead?
    /// Keeps an answer with a head, if the head is still in memory and the answer is not too large.
    func remember(_ answer: RememberedAnswer, with head: RememberedHead)
    /// Returns the heads of a user's scenes in the order of the scenes' names, beginning after `scene`. Omits scenes
    /// without a head.
    func sceneHeads(of owner: UserKey, behind scene: String?, limit: Int) async throws(StoreError) -> [Archive]
    /// Returns the head of each device in each scene of a user, the newest first, beginning below `position`.
    func heads(of owner: UserKey, below position: Archive.Position?, limit: Int) async throws(StoreError)
        -> [DeviceHead]
    /// Deletes an archive, and keeps a tombstone for 30 days. Returns false if the archive does not exist.
    func delete(_ id: ArchiveID, in scene: SceneKey, at time: Timestamp) async throws(StoreError) -> Committed<Bool>
    /// Deletes a scene's archives. After this call, the store refuses captures that are older than `time`.
    @discardableResult
    func forget(_ scene: SceneKey, at time: Timestamp) async throws(StoreError) -> Committed<Void>
    /// Stores an archive's snapshot. Returns false if the archive does not exist.
    func putSnapshot(_ snapshot: Snapshot, for id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> Committed<Bool>
    func snapshot(for id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> Snapshot?

    // Outcomes

    /// Records that a device was served an archive. A device's outcomes count only for archives that the device was
    /// served or made.
    func noteServed(_ archive: ArchiveID, in scene: SceneKey, to device: DeviceID, at time: Timestamp)
        async throws(StoreError)
    func report(_ outcome: Outcome, in scene: SceneKey) async throws(StoreError) -> Committed<ReportResult>
    /// Returns the newest `Retention.outcomes` outcomes of an archive, the oldest first.
    func outcomes(of id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> [Outcome]

    // Changes

    /// Returns a user's changes after a revision, the oldest first. `ChangePage.isTruncated` lists the cases in which
    /// the page is truncated. A revision may be greater than the user's latest revision after a move or a restored
    /// backup.
    func changes(of owner: UserKey, after revision: Revision, limit: Int) async throws(StoreError) -> ChangePage

    // Data sources and their items

    /// Declares a data source of an app, unless the data source is already declared, or the app has already declared
    /// `Limits.dataSources` other data sources. With `overriding`, replaces an existing declaration and ignores the
    /// limit.
    func declare(_ source: DataSource, named name: String, of app: AppID, overriding: Bool)
        async throws(StoreError) -> Committed<Declaration>
    /// Removes a declaration. The data source's registered items stay. Returns false if there is no declaration.
    func undeclare(_ name: String, of app: AppID) async throws(StoreError) -> Committed<Bool>
    /// Applies a delta to a device's registered items. After the delta, at most `limit` items are live. At most twice
    /// this number of items is kept, including removed items: the store forgets the items that were removed first, by
    /// time and then by key. A delta that changes nothing does not raise the cursor.
    func apply(
        _ delta: PreparedDelta, to list: ItemList, of device: DeviceID, limit: Int
    ) async throws(StoreError) -> Committed<DeltaResult>
    /// Returns the registrations of a user's data source, one for each device, at most `Limits.registries`.
    /// Registrations of revoked devices come last. Within each group, older registrations come first.
    func registries(of list: ItemList) async throws(StoreError) -> [Registry]
    /// Returns the items of a registration with these keys, live or removed. An unknown key gives nil.
    func items(_ keys: [LookupKey], in registry: Registry) async throws(StoreError) -> [StoredItem?]
    /// For each of these aliases, returns the items of the registration that have it: at most two, live items first,
    /// then the newest.
    func items(withAliases aliases: [LookupKey], in registry: Registry) async throws(StoreError) -> [[StoredItem]]
    /// For each of these aliases, returns the sealed texts of the only item of the registration that has it. Nil if
    /// no item or several items have the alias, or if the item was removed.
    func textsOfSoleItems(withAliases aliases: [LookupKey], in registry: Registry) async throws(StoreError)
        -> [[UInt8]?]
    /// Returns the sealed identifier and aliases of items (`ItemTexts`). Nil for an item that is no longer known.
    func texts(of items: [StoredItem]) async throws(StoreError) -> [[UInt8]?]
    /// For each of these aliases, returns whether it is ambiguous: whether two live items of the registration have
    /// it.
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
    /// Stores a decision. The decision replaces an earlier decision about the same two items. Returns false if the
    /// list already has `Limits.links` decisions.
    func decide(_ link: Link, in list: ItemList) async throws(StoreError) -> Committed<Bool>
    /// Removes a decision. Returns false if there is no such decision.
    func undecide(_ first: Link.End, _ second: Link.End, in list: ItemList) async throws(StoreError) -> Committed<Bool>
    func links(in list: ItemList) async throws(StoreError) -> [Link]

    // Upkeep

    /// Returns the latest stored time. The server's clock never returns an earlier time.
    func latestTime() async throws(StoreError) -> Timestamp?
    func add(_ counts: [Counter: Int]) async throws(StoreError)
    /// Returns the counts from the hour of `start` to the hour of `end`, both included.
    func counts(from start: Timestamp, to end: Timestamp) async throws(StoreError) -> [Counter: Int]
    /// Drops expired data (`Retention`): tombstones of archives and of items, link codes, old changes, and counters.
    /// Also drops the registrations of devices that left the user and have no archives, and scenes without archives
    /// whose changes were dropped. A capture into such a scene is refused as forgotten if it was restored from a
    /// revision whose changes were dropped, and the user has not interacted since.
    ///
    /// - Parameter committed: is called with the effects of each step, as soon as the step is durable.
    func prune(at time: Timestamp, committed: @escaping @Sendable (Effects) -> Void) async throws(StoreError)
    /// Checks that the store can read and write.
    func check() async throws(StoreError)
}

extension Store {
    /// Returns nil: a store need not remember heads.
    package func rememberedHead(of scene: SceneKey) -> RememberedHead? { nil }
    package func remember(_ answer: RememberedAnswer, with head: RememberedHead) {}

    package func prune(at time: Timestamp) async throws(StoreError) { try await prune(at: time) { _ in } }
}

/// The result of adding a device to a user.
package enum Joining: Sendable, Hashable {
    case joined(Device)
    /// The link code is unknown, used or expired, or the device does not belong to the user who moves it.
    case codeInvalid
    /// The user already has `Limits.devices` devices. The code is not used up. However, the code becomes invalid if a
    /// device is revoked to make room.
    case tooManyDevices
    /// With the device's archives, more than `Limits.scenes` scenes of the user would hold archives, or the store
    /// would know more than `Limits.knownScenes` scenes of the user. The code is not used up.
    case tooManyScenes

    package var device: Device? { if case .joined(let device) = self { device } else { nil } }
}

package enum AppSelector: Sendable, Hashable {
    case id(AppID)
    case bundleIdentifier(String)
    case publishableKey(String)
}

package struct NewArchive: Sendable {
    package var id: ArchiveID
    package var scene: SceneKey
    package var device: DeviceID
    /// The requesting device, if there is one. The write is refused unless the device still belongs to the scene's
    /// owner.
    package var actor: DeviceID?
    /// The time of capture, before the adjustment to the order of the device's captures.
    package var capturedAt: Timestamp
    /// The time at which the identifiers in the archive were written.
    package var writtenAt: Timestamp
    package var receivedAt: Timestamp
    package var sequence: Int64?
    /// The revision that the state was restored from, if the user has not interacted since the restore. Such a
    /// capture is placed right below the archive with this revision, regardless of `capturedAt`. A device that moved
    /// to this user from another user may give a revision of the other user.
    package var restoredFrom: Revision?
    package var precondition: HeadPrecondition?
    package var context: Context
    package var digest: Digest
    package var summary: Archive.Summary
    package var bytes: [UInt8]

    package init(
        id: ArchiveID, scene: SceneKey, device: DeviceID, capturedAt: Timestamp, writtenAt: Timestamp? = nil,
        receivedAt: Timestamp, sequence: Int64? = nil, restoredFrom: Revision? = nil,
        precondition: HeadPrecondition? = nil, context: Context, digest: Digest,
        summary: Archive.Summary, bytes: [UInt8]
    ) {
        self.id = id
        self.scene = scene
        self.device = device
        self.capturedAt = capturedAt
        self.writtenAt = writtenAt ?? capturedAt
        self.receivedAt = receivedAt
        self.sequence = sequence
        self.restoredFrom = restoredFrom
        self.precondition = precondition
        self.context = context
        self.digest = digest
        self.summary = summary
        self.bytes = bytes
    }
}

/// The precondition of an upload (`If-Head`): the required head of the scene.
package enum HeadPrecondition: Sendable, Hashable {
    case none
    case revision(Revision)
}

package enum PutResult: Sendable, Hashable {
    case created(Archive, head: Revision)
    /// The same bytes are already stored under this id. This check comes before the checks of all cases below, except
    /// the last case.
    case identical(Archive, head: Revision)
    /// Other bytes are stored under this id.
    case differs(head: Revision)
    case deleted(head: Revision?)
    /// The precondition `If-Head` failed.
    case headMoved(head: Revision?)
    /// The archive was captured before the scene was forgotten.
    case forgotten(head: Revision?)
    /// The archive would be the first archive of its scene, and `Limits.scenes` scenes of the user already hold
    /// archives. Or the scene is new, and the store already knows `Limits.knownScenes` scenes of the user.
    case tooManyScenes
    /// The requesting device was revoked, or moved to another user, while the write waited. This check comes first.
    case actorGone
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

/// A picture of the screen. It belongs to one archive.
package struct Snapshot: Sendable, Hashable {
    package enum Format: String, Sendable, Codable { case png, jpeg }
    package var format: Format
    package var bytes: [UInt8]
    package init(format: Format, bytes: [UInt8]) {
        self.format = format
        self.bytes = bytes
    }
}

package struct ChangePage: Sendable, Hashable {
    package var changes: [Change]
    /// The user's latest revision.
    package var latest: Revision
    /// Whether the reader must start again from the manifest: changes after the requested revision were pruned, more
    /// than `Limits.changesBehind` changes follow the revision, or the revision is greater than the user's latest
    /// revision.
    package var isTruncated: Bool
    package init(changes: [Change], latest: Revision, isTruncated: Bool) {
        self.changes = changes
        self.latest = latest
        self.isTruncated = isTruncated
    }
}

/// The name of a count for one hour.
package struct Counter: Sendable, Hashable {
    /// Hours since 1970.
    package var hour: Int64
    package var app: AppID?
    /// The kind of event, such as `request`, `refusal` or `outcome`.
    package var name: String
    /// The event's details, such as a route's template and status, a reason's code, or an outcome's result.
    package var label: String
    package init(hour: Int64, app: AppID?, name: String, label: String) {
        self.hour = hour
        self.app = app
        self.name = name
        self.label = label
    }
}

/// An error of the store. Only logs may show the cause.
package struct StoreError: Error, Sendable {
    package struct Code: RawRepresentable, Sendable, Hashable {
        package var rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }
        /// The store cannot be reached, or stays locked. Try again.
        package static let unavailable = Code(rawValue: "unavailable")
        /// The store has no free space.
        package static let full = Code(rawValue: "full")
        package static let exists = Code(rawValue: "exists")
        /// Stored data cannot be read.
        package static let corrupt = Code(rawValue: "corrupt")
        /// A newer version wrote the store.
        package static let tooNew = Code(rawValue: "tooNew")
    }

    package var code: Code
    package var message: String
    package var cause: String?

    package init(_ code: Code, _ message: String, cause: String? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }
}

extension StoreError: CustomStringConvertible {
    /// For logs.
    package var description: String { [message, cause].compactMap(\.self).joined(separator: " ") }
}
