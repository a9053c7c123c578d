/// Where everything is kept. A method is one intent, carried out wholly or not at all; what it writes is durable when
/// it returns. Every key is led by app and user.
///
/// Reads of an embedded store do not suspend; writes suspend until their commit has returned. Every implementation
/// passes the suite in `Tests/StoreConformance`.
package protocol Store: Sendable {
    // Apps

    /// Adds an app. `.exists` when the bundle identifier is taken.
    func create(_ app: App) async throws(StoreError)
    func apps() async throws(StoreError) -> [App]
    func app(_ selector: AppSelector) async throws(StoreError) -> App?
    /// False when there is no such app.
    func replaceSettings(of app: AppID, with settings: App.Settings) async throws(StoreError) -> Bool

    // Devices

    /// Adds a device with its token, for the user of a link code if there is one (which is used up), otherwise for
    /// `device.owner`. The stored device has the owner that was decided on.
    func register(_ device: Device, token: Digest, linkCode: Digest?) async throws(StoreError) -> Joining
    /// The device that a token belongs to; nil when unknown or revoked.
    func device(token: Digest) async throws(StoreError) -> Device?
    func devices(of owner: UserKey) async throws(StoreError) -> [Device]
    /// An app's users in the order of their identifiers, from the one after `last` on.
    func users(of app: AppID, after last: UserID?, limit: Int) async throws(StoreError) -> [UserOverview]
    /// Ends a device's token for good, and the user's link codes, of which it may have made some; its archives stay.
    /// False when the user has no such device.
    func revoke(_ device: DeviceID, of owner: UserKey, at time: Timestamp) async throws(StoreError) -> Bool
    /// Last-used times, gathered and written once a minute.
    func noteSeen(_ times: [DeviceID: Timestamp]) async throws(StoreError)
    func create(_ code: LinkCode) async throws(StoreError)
    /// Moves a device and its archives to the user of a code, in new revisions that are greater than any of either
    /// user's, and prunes the scenes that they come to by `retention`. Archives are dropped that were captured before
    /// the new user forgot the scene of the same name. The device's registered items, and the operator's decisions on
    /// them, are dropped: their keys are the user's, and the device registers anew.
    func move(
        _ device: DeviceID, of owner: UserKey, linkCode: Digest, at time: Timestamp, retention: Int
    ) async throws(StoreError) -> Joining

    // Archives

    /// Stores an archive with its change, after the checks that `PutResult` names, in its order; then prunes by
    /// `retention`.
    func put(_ archive: NewArchive, retention: Int) async throws(StoreError) -> PutResult
    /// Archives of a scene from the head backwards, those below `position`; of one device if given.
    func candidates(
        in scene: SceneKey, device: DeviceID?, below position: Archive.Position?, limit: Int
    ) async throws(StoreError) -> [Archive]
    /// The same with the scene's head over all devices, both of one moment.
    func history(
        of scene: SceneKey, device: DeviceID?, below position: Archive.Position?, limit: Int
    ) async throws(StoreError) -> HistoryPage
    func archive(_ id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> ArchiveLookup
    /// An archive's bytes as they were uploaded; nil when it is gone.
    func bytes(of archive: Archive) async throws(StoreError) -> [UInt8]?
    /// The revision of a scene's head; nil when it has none.
    func head(of scene: SceneKey) async throws(StoreError) -> Revision?
    /// A scene's head, if the store has it at hand, and only while nothing has happened to the scene.
    func rememberedHead(of scene: SceneKey) -> RememberedHead?
    /// Keeps an answer with a head, if that is still at hand and there is room for both.
    func remember(_ answer: RememberedAnswer, with head: RememberedHead)
    /// The head of each scene of a user that has one, in the order of the scenes' names, of those behind `scene`.
    func sceneHeads(of owner: UserKey, behind scene: String?, limit: Int) async throws(StoreError) -> [Archive]
    /// The head of each device in each scene of a user, newest first, those below `position`.
    func heads(of owner: UserKey, below position: Archive.Position?, limit: Int) async throws(StoreError)
        -> [DeviceHead]
    /// Leaves a tombstone for 30 days. False when there is no such archive.
    func delete(_ id: ArchiveID, in scene: SceneKey, at time: Timestamp) async throws(StoreError) -> Bool
    /// Deletes a scene's archives, and refuses captures older than `time` from then on.
    func forget(_ scene: SceneKey, at time: Timestamp) async throws(StoreError)
    /// Puts a snapshot beside its archive; false when there is no such archive.
    func putSnapshot(_ snapshot: Snapshot, for id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> Bool
    func snapshot(for id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> Snapshot?

    // Outcomes

    /// Notes that a device was served an archive: only then do its outcomes count.
    func noteServed(_ archive: ArchiveID, in scene: SceneKey, to device: DeviceID, at time: Timestamp)
        async throws(StoreError)
    func report(_ outcome: Outcome, in scene: SceneKey) async throws(StoreError) -> ReportResult
    /// The newest `Retention.outcomes` of an archive, oldest first.
    func outcomes(of id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> [Outcome]

    // Changes

    /// A user's changes after a revision, oldest first. Truncated for a reader that is behind what was pruned, or ahead
    /// of what is known, as after a move or a restored backup.
    func changes(of owner: UserKey, after revision: Revision, limit: Int) async throws(StoreError) -> ChangePage

    // Data sources and their items

    /// Declares a data source of an app unless it is declared already, or `Limits.dataSources` others are; `overriding`
    /// does so all the same.
    func declare(_ source: DataSource, named name: String, of app: AppID, overriding: Bool)
        async throws(StoreError) -> Declaration
    /// Takes a declaration back; what was registered of the data source stays. False when there is none.
    func undeclare(_ name: String, of app: AppID) async throws(StoreError) -> Bool
    /// Carries a delta out on a device's registered items. At most `limit` of them are live then, and twice as many are
    /// kept with the removed ones: the oldest removed items are forgotten, by time and key. A delta that changes
    /// nothing raises no cursor.
    func apply(
        _ delta: PreparedDelta, to list: ItemList, of device: DeviceID, limit: Int
    ) async throws(StoreError) -> DeltaResult
    /// What devices of a user registered of a data source: `Limits.registries` of them, of which those of devices that
    /// were not revoked come first, and the older ones before the newer.
    func registries(of list: ItemList) async throws(StoreError) -> [Registry]
    /// The items of a registration that have these keys, live or not; nil for a key that is not known.
    func items(_ keys: [LookupKey], in registry: Registry) async throws(StoreError) -> [StoredItem?]
    /// Who of a registration bears each of these aliases: at most two, live ones first, then the newest.
    func items(withAliases aliases: [LookupKey], in registry: Registry) async throws(StoreError) -> [[StoredItem]]
    /// The texts of the one item of a registration that bears each of these aliases, sealed; nil where none does, where
    /// several do, or where it was removed.
    func textsOfSoleItems(withAliases aliases: [LookupKey], in registry: Registry) async throws(StoreError)
        -> [[UInt8]?]
    /// Identifier and aliases of items (`ItemTexts`), sealed; nil for one that is not known any more.
    func texts(of items: [StoredItem]) async throws(StoreError) -> [[UInt8]?]
    /// Whether two live items of a registration bear each of these aliases.
    func areAmbiguous(_ aliases: [LookupKey], in registry: Registry) async throws(StoreError) -> [Bool]
    /// The aliases of a registration that two of its live items bear, those above `key`.
    func ambiguousAliases(above key: LookupKey?, in registry: Registry, limit: Int) async throws(StoreError)
        -> [LookupKey]
    /// Live items that have a position, the nearest to `position` first: those at it and behind it in the order of
    /// their positions and then of their keys, or those before it in the opposite one.
    func items(
        next position: Int64, behind: Bool, in registry: Registry, limit: Int
    ) async throws(StoreError) -> [StoredItem]
    /// Live items in the order of their keys, those above `key`.
    func items(above key: LookupKey?, in registry: Registry, limit: Int) async throws(StoreError) -> [StoredItem]
    /// Keeps a decision in place of any earlier one on the same two items; false when there are `Limits.links` already.
    func decide(_ link: Link, in list: ItemList) async throws(StoreError) -> Bool
    /// Takes a decision back; false when there is none.
    func undecide(_ first: Link.End, _ second: Link.End, in list: ItemList) async throws(StoreError) -> Bool
    func links(in list: ItemList) async throws(StoreError) -> [Link]

    // Upkeep

    /// The latest time that was ever written: the clock starts no earlier.
    func latestTime() async throws(StoreError) -> Timestamp?
    func add(_ counts: [Counter: Int]) async throws(StoreError)
    /// The counts of the hours from that of `start` to that of `end`, both included.
    func counts(from start: Timestamp, to end: Timestamp) async throws(StoreError) -> [Counter: Int]
    /// Drops what has outlived its time (`Retention`): tombstones of archives and of items, link codes, old changes,
    /// counters; what devices registered that are no longer the user's and left no archive; and
    /// scenes without archives whose changes are dropped. A capture into such a one is refused as forgotten if it was
    /// restored from a revision of that time and not touched since.
    ///
    /// - Parameter forgot: called whenever something is dropped of what is known of items, as soon as that is durable.
    func prune(at time: Timestamp, forgot: @escaping @Sendable () -> Void) async throws(StoreError)
    /// Whether reads and writes would be answered now.
    func check() async throws(StoreError)
}

extension Store {
    /// Most stores remember none.
    package func rememberedHead(of scene: SceneKey) -> RememberedHead? { nil }
    package func remember(_ answer: RememberedAnswer, with head: RememberedHead) {}

    package func prune(at time: Timestamp) async throws(StoreError) { try await prune(at: time) {} }
}

/// What became of a device that was to be a user's.
package enum Joining: Sendable, Hashable {
    case joined(Device)
    /// The link code is unknown, used or expired, or the device is not the one's who moves it.
    case codeInvalid
    /// The user has `Limits.devices` others. The code is not used up; but to revoke a device, which makes room, ends
    /// it.
    case tooManyDevices
    /// With the device's archives, more than `Limits.scenes` scenes of the user would hold some, or more than
    /// `Limits.knownScenes` would be known of. The code is not used up.
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
    /// Who asks: must still be a device of the scene's owner when the write is carried out. nil where nobody asks.
    package var actor: DeviceID?
    /// Before the order of the device's own captures is applied.
    package var capturedAt: Timestamp
    /// When the identifiers in it were written.
    package var writtenAt: Timestamp
    package var receivedAt: Timestamp
    package var sequence: Int64?
    /// The revision that the state was restored from, when the user did nothing since: the capture then stands right
    /// below that archive, whatever `capturedAt` says. A device that moved here from another user may give a revision
    /// of that user's.
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

/// `If-Head`: what the scene's head must be for an upload to be stored.
package enum HeadPrecondition: Sendable, Hashable {
    case none
    case revision(Revision)
}

package enum PutResult: Sendable, Hashable {
    case created(Archive, head: Revision)
    /// The same bytes stand under this id already. Checked before what follows.
    case identical(Archive, head: Revision)
    /// Other bytes stand under this id.
    case differs(head: Revision)
    case deleted(head: Revision?)
    /// `If-Head` does not hold.
    case headMoved(head: Revision?)
    /// Captured before the scene was forgotten.
    case forgotten(head: Revision?)
    /// It would be the first of its scene, and `Limits.scenes` others hold archives already.
    case tooManyScenes
    /// Who asks was revoked, or moved to another user, while the write waited. Checked before all else.
    case actorGone
}

package struct HistoryPage: Sendable, Hashable {
    package var archives: [Archive]
    /// The revision of the scene's head; nil when it has none.
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
    /// Whether it is the scene's head over all devices.
    package var isSceneHead: Bool
    package init(archive: Archive, isSceneHead: Bool) {
        self.archive = archive
        self.isSceneHead = isSceneHead
    }
}

/// A picture of the screen, with its own archive only.
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
    /// Whether changes after the asked revision were pruned, or are more than `Limits.changesBehind`: the reader must
    /// start anew from the manifest.
    package var isTruncated: Bool
    package init(changes: [Change], latest: Revision, isTruncated: Bool) {
        self.changes = changes
        self.latest = latest
        self.isTruncated = isTruncated
    }
}

/// What is counted by the hour.
package struct Counter: Sendable, Hashable {
    /// Hours since 1970.
    package var hour: Int64
    package var app: AppID?
    /// Such as `request`, `refusal`, `outcome`.
    package var name: String
    /// Such as a route's template and status, a reason's code, an outcome's result.
    package var label: String
    package init(hour: Int64, app: AppID?, name: String, label: String) {
        self.hour = hour
        self.app = app
        self.name = name
        self.label = label
    }
}

/// Why the store could not do what was asked. The cause is for logs only.
package struct StoreError: Error, Sendable {
    package struct Code: RawRepresentable, Sendable, Hashable {
        package var rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }
        /// Cannot be reached, or stays locked: try again.
        package static let unavailable = Code(rawValue: "unavailable")
        /// No room is left.
        package static let full = Code(rawValue: "full")
        package static let exists = Code(rawValue: "exists")
        /// What is stored cannot be read.
        package static let corrupt = Code(rawValue: "corrupt")
        /// Written by a newer version.
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
