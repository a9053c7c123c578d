package import PlacekeeperCore
package import PlacekeeperMatching

/// The first line of an export: whose data it contains and when it was created.
package struct ExportHeader: Sendable, Hashable {
    /// The app's bundle identifier.
    package var app: String
    package var user: UserID
    /// Nil if the user is anonymous.
    package var subject: Subject?
    package var exportedAt: Timestamp

    package init(app: String, user: UserID, subject: Subject?, exportedAt: Timestamp) {
        self.app = app
        self.user = user
        self.subject = subject
        self.exportedAt = exportedAt
    }
}

/// A line between the header and the end of an export (docs/export-format.md). The cases are in the order of the lines:
/// archives follow their scene, and items follow their registration.
package enum ExportRecord: Sendable, Hashable {
    /// The latest revision when the export began.
    case revision(Revision)
    case device(Device)
    case scene(name: String, forgotten: CaptureOrder.Forgotten?)
    case archive(ExportedArchive)
    case change(Change)
    case registration(ExportedRegistration)
    case item(ExportedItem)
    case decision(Lists.Decision, dataSource: String)
}

package struct ExportedArchive: Sendable, Hashable {
    package var archive: Archive
    package var bytes: [UInt8]
    package var screenshot: Screenshot?
    /// Oldest first.
    package var outcomes: [Outcome]

    package init(archive: Archive, bytes: [UInt8], screenshot: Screenshot?, outcomes: [Outcome]) {
        self.archive = archive
        self.bytes = bytes
        self.screenshot = screenshot
        self.outcomes = outcomes
    }
}

package struct ExportedRegistration: Sendable, Hashable {
    package var dataSource: String
    package var device: DeviceID
    package var cursor: Int64
    package var digest: ItemDigest

    package init(dataSource: String, device: DeviceID, cursor: Int64, digest: ItemDigest) {
        self.dataSource = dataSource
        self.device = device
        self.cursor = cursor
        self.digest = digest
    }
}

package struct ExportedItem: Sendable, Hashable {
    package var dataSource: String
    package var device: DeviceID
    package var item: Item
    package var changedAt: Timestamp
    /// Since when the identifier has belonged to this item. Nil means `changedAt`.
    package var since: Timestamp?
    /// Whether the identifier previously belonged to another item.
    package var isReuse: Bool
    /// When the item was removed or replaced. Nil for a live item.
    package var removedAt: Timestamp?
    /// The identifier of this item's replacement.
    package var replacedBy: String?

    package init(
        dataSource: String, device: DeviceID, item: Item, changedAt: Timestamp, since: Timestamp? = nil,
        isReuse: Bool = false, removedAt: Timestamp?, replacedBy: String?
    ) {
        self.dataSource = dataSource
        self.device = device
        self.item = item
        self.changedAt = changedAt
        self.since = since
        self.isReuse = isReuse
        self.removedAt = removedAt
        self.replacedBy = replacedBy
    }
}
