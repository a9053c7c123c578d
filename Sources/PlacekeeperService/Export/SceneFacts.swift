package import PlacekeeperCore
package import PlacekeeperMatching

/// A user's scene, with the number and size of its archives.
package struct SceneFacts: Sendable, Hashable {
    package var name: String
    /// When the scene was last forgotten, or nil if never.
    package var forgotten: CaptureOrder.Forgotten?
    package var archiveCount: Int
    /// The total size of the uploaded archives in bytes, without screenshots.
    package var archiveBytes: Int

    package init(name: String, forgotten: CaptureOrder.Forgotten?, archiveCount: Int, archiveBytes: Int) {
        self.name = name
        self.forgotten = forgotten
        self.archiveCount = archiveCount
        self.archiveBytes = archiveBytes
    }
}

/// A registered item with the time of its removal.
package struct ListedItem: Sendable, Hashable {
    package var item: StoredItem
    /// Nil for a live item.
    package var removedAt: Timestamp?

    package init(_ item: StoredItem, removedAt: Timestamp?) {
        self.item = item
        self.removedAt = removedAt
    }
}
