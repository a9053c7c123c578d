package import PlacekeeperCore

/// The part of a store that reads archives and their outcomes, and records servings.
package protocol ArchiveReading: Sendable {
    /// Passes archives of `choice.scene` to `choice`, newest first. If `choice.device` is given, passes only that
    /// device's archives. Starts below `choice.position`, or with the newest archive if the position is nil. Stops when
    /// `choice` accepts an archive, and reads the accepted archive's bytes if `choice` needs them. Everything is read
    /// at the same moment.
    ///
    /// - Parameter limit: the maximum number of archives to pass.
    func choose(_ choice: Choice, limit: Int) async throws(StoreError) -> Chosen
    /// Returns a scene's archives, newest first, and the scene's head. Starts below `position`, or with the newest
    /// archive if `position` is nil. The archives and the head are read at the same moment.
    func history(
        of scene: SceneKey, below position: Archive.Position?, limit: Int
    ) async throws(StoreError) -> HistoryPage
    func archive(_ id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> ArchiveLookup
    /// Searches a part of an app's archives for an ID. Start with step 0 and continue with `ArchiveSearch.next` until
    /// it is nil. Archive IDs have no index, so the total cost grows with the number of archives
    /// (docs/decisions/0076-an-archive-is-found-without-an-index.md).
    func search(for id: ArchiveID, in app: AppID, from step: Int64) async throws(StoreError) -> ArchiveSearch
    /// Returns an archive's bytes as they were uploaded, or nil if the archive no longer exists.
    func bytes(of archive: Archive) async throws(StoreError) -> [UInt8]?
    /// Returns the position of a scene's head, or nil if there is no head.
    func head(of scene: SceneKey) async throws(StoreError) -> Archive.Position?
    /// Returns the heads of a user's scenes, sorted by scene name, after `scene`. Omits scenes without a head.
    func sceneHeads(of owner: UserKey, behind scene: String?, limit: Int) async throws(StoreError) -> [Archive]
    /// Returns each device's newest archive in each of a user's scenes, from new to old. Starts below `position`, or
    /// with the newest archive if `position` is nil.
    func heads(of owner: UserKey, below position: Archive.Position?, limit: Int) async throws(StoreError)
        -> [DeviceHead]
    /// Returns a scene's archives whose deletion can be undone at `time`, most recently deleted first. The store keeps
    /// at most `Retention.deletedArchives` of them.
    func deletedArchives(in scene: SceneKey, at time: Timestamp) async throws(StoreError) -> [DeletedArchive]
    func screenshot(for id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> Screenshot?
    /// Records that an archive was served to a device. `report` accepts a device's outcome only for archives that were
    /// served to this device or made by it.
    func recordServing(_ archive: ArchiveID, in scene: SceneKey, to device: DeviceID, at time: Timestamp)
        async throws(StoreError)
    /// Returns the latest `Retention.outcomes` outcomes of an archive, oldest first.
    func outcomes(of id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> [Outcome]
}

package struct HistoryPage: Sendable, Hashable {
    package var archives: [Archive]
    /// The revision of the scene's head, or nil if there is no head.
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

/// The result of one step of a search for an archive.
package struct ArchiveSearch: Sendable, Hashable {
    /// The scenes that contain an archive with this ID. Clients choose IDs, so several users may use the same one.
    package var scenes: [SceneKey]
    /// The next step, or nil if the search is complete.
    package var next: Int64?
    package init(scenes: [SceneKey], next: Int64?) {
        self.scenes = scenes
        self.next = next
    }
}

/// A device's newest archive in a scene.
package struct DeviceHead: Sendable, Hashable {
    package var archive: Archive
    /// Whether the archive is the scene's head across all devices.
    package var isSceneHead: Bool
    package init(archive: Archive, isSceneHead: Bool) {
        self.archive = archive
        self.isSceneHead = isSceneHead
    }
}
