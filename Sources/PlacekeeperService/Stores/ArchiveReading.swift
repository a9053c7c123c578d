package import PlacekeeperCore

/// The part of a store that reads archives and their outcomes, and records servings.
package protocol ArchiveReading: Sendable {
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
    /// Searches some of an app's archives for an id. The search begins with the step 0, and continues with
    /// `ArchiveSearch.next` until this is nil. The store keeps no index of archive ids, so the cost of all steps grows with
    /// the number of all archives (docs/decisions/0076-an-archive-is-found-without-an-index.md).
    func search(for id: ArchiveID, in app: AppID, from step: Int64) async throws(StoreError) -> ArchiveSearch
    /// Returns the uploaded bytes of an archive. Nil if the archive no longer exists.
    func bytes(of archive: Archive) async throws(StoreError) -> [UInt8]?
    /// Returns the position of a scene's head. Nil if the scene has no head.
    func head(of scene: SceneKey) async throws(StoreError) -> Archive.Position?
    /// Returns the heads of a user's scenes in the order of the scenes' names, beginning after `scene`. Omits scenes
    /// without a head.
    func sceneHeads(of owner: UserKey, behind scene: String?, limit: Int) async throws(StoreError) -> [Archive]
    /// Returns the newest archive of each device in each scene of a user, ordered from new to old. Begins below
    /// `position`, or with the first of these archives if `position` is nil.
    func heads(of owner: UserKey, below position: Archive.Position?, limit: Int) async throws(StoreError)
        -> [DeviceHead]
    /// Returns a scene's archives whose deletion can be undone at `time`, the newest deletion first. The store keeps at
    /// most `Retention.deletedArchives` of them.
    func deletedArchives(in scene: SceneKey, at time: Timestamp) async throws(StoreError) -> [DeletedArchive]
    func screenshot(for id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> Screenshot?
    /// Records that the service served an archive to a device. `report` accepts a device's outcome only for an archive
    /// that the device was served or made.
    func recordServing(_ archive: ArchiveID, in scene: SceneKey, to device: DeviceID, at time: Timestamp)
        async throws(StoreError)
    /// Returns the newest `Retention.outcomes` outcomes of an archive, the oldest first.
    func outcomes(of id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> [Outcome]
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

/// The result of a step of a search for an archive.
package struct ArchiveSearch: Sendable, Hashable {
    /// The scenes with an archive of this id. Ids come from clients, so several users may have the same id.
    package var scenes: [SceneKey]
    /// The next step. Nil if the search is complete.
    package var next: Int64?
    package init(scenes: [SceneKey], next: Int64?) {
        self.scenes = scenes
        self.next = next
    }
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
